"""The schema of the API: whole, without a warning, its examples true to it, and gone without the extra."""

import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest
from django.core.management import call_command
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.management.commands.spectacular import Command
from rest_framework.authentication import BaseAuthentication, SessionAuthentication

from mpquiz.api import urls
from mpquiz.api.base import ApiView
from mpquiz.api.schema.views import Generator
from tests.access.routes import routes_of

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def schema():
    return Generator().get_schema(None, public=True)


def operations(schema):
    return {
        (method.upper(), path): operation
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    }


def test_it_is_valid_and_nothing_is_guessed(tmp_path):
    options = {"validate": True, "fail_on_warn": True, "file": str(tmp_path / "schema.yaml")}
    call_command(Command(), generator_class="mpquiz.api.schema.views.Generator", **options)
    assert "openapi: 3" in (tmp_path / "schema.yaml").read_text()


def test_every_address_is_there_with_every_method(schema):
    routes = [route for route in routes_of(urls.urlpatterns) if route.name != "schema"]
    assert len(operations(schema)) == sum(len(route.methods) for route in routes) > 0
    names = [one["operationId"] for one in operations(schema).values()]
    assert len(set(names)) == len(names)


def test_every_operation_says_what_it_does_takes_and_refuses(schema):
    for name, operation in operations(schema).items():
        assert operation["description"] and operation["summary"] and operation["security"], name
        assert {"400", "401", "403", "406", "429", "503"} <= set(operation["responses"]), name
        assert "lang" in {one["name"] for one in operation["parameters"]}, name
        for status, answer in operation["responses"].items():
            refused = status >= "400"
            assert not refused or answer["content"]["application/json"]["schema"] == {
                "$ref": "#/components/schemas/Error"
            }, (name, status)


def test_given_has_every_shape(schema):
    given = schema["components"]["schemas"]["Given"]["properties"]["given"]
    assert [one["type"] for one in given["oneOf"]] == ["number", "string", "array", "object"]


def in_json_schema(told):
    """A schema of OpenAPI 3.0 as JSON Schema, which has no ``nullable``."""
    if isinstance(told, list):
        return [in_json_schema(one) for one in told]
    if not isinstance(told, dict):
        return told
    plain = {name: in_json_schema(one) for name, one in told.items() if name != "nullable"}
    return {"anyOf": [plain, {"type": "null"}]} if told.get("nullable") is True else plain


def examples(schema):
    for name, operation in operations(schema).items():
        bodies = {"sent": operation.get("requestBody", {}), **operation["responses"]}
        for where, body in bodies.items():
            for content in body.get("content", {}).values():
                yield (*name, where), content["schema"], content.get("examples", {})


def test_examples_are_in_both_languages_and_keep_to_the_schema(schema):
    components = in_json_schema(schema["components"])
    for name, shape, found in examples(schema):
        of_a_host = name[2] == "409" and name[1].endswith(("/start/", "/start-over/", "/retry/"))
        if "/staff/" not in name[1] and not of_a_host:
            assert set(found) == {"English", "Arabic"}, name
        for example in found.values():
            whole = {**in_json_schema(shape), "components": components}
            jsonschema.validate(example["value"], whole)


def test_what_is_said_in_arabic_is_arabic(schema):
    refusals = [found for (_, _, where), _, found in examples(schema) if where >= "400" and where != "sent"]
    assert refusals
    for found in filter(None, refusals):
        english, arabic = found["English"]["value"], found["Arabic"]["value"]
        assert english["code"] == arabic["code"]
        assert not arabic["detail"].isascii(), english["detail"]


class Key(BaseAuthentication):
    """A host's own."""

    def authenticate_header(self, request):
        return "Key"


class Sessions(SessionAuthentication):
    """A host's sessions."""


def test_what_a_host_signs_in_with_is_told(monkeypatch):
    monkeypatch.setattr(ApiView, "authentication_classes", [Key, Sessions])
    made = Generator().get_schema(None, public=True)
    assert made["components"]["securitySchemes"] == {
        "Key": {"type": "http", "scheme": "key"},
        "cookieAuth": {"type": "apiKey", "in": "cookie", "name": "sessionid"},
    }
    assert made["paths"]["/api/v1/quizzes/"]["get"]["security"] == [{"Key": []}, {"cookieAuth": []}, {}]
    assert not GENERATOR_STATS


def test_the_schema_of_a_whole_site_has_it_too(schema):
    whole = SchemaGenerator().get_schema(None, public=True)
    ours = {name: one["responses"].keys() for name, one in operations(schema).items()}
    assert {name: one["responses"].keys() for name, one in operations(whole).items()}.items() >= ours.items()


def test_it_is_read_as_json_and_as_yaml(client):
    found = client.get("/api/v1/schema/")
    assert (found.status_code, found["Content-Type"], found.json()["openapi"][:2]) == (200, "application/json", "3.")
    again = client.get("/api/v1/schema/", headers={"If-None-Match": found["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    yaml = client.get("/api/v1/schema/", {"format": "yaml"})
    assert yaml.content.startswith(b"openapi: 3.")
    assert client.get("/api/v1/schema/", {"lang": "xx"}).json()["code"] == "invalid"


WITHOUT = """
import sys
sys.modules["drf_spectacular"] = None
import django
django.setup()
from django.test import Client
from django.urls import NoReverseMatch, reverse
from mpquiz.api import urls, views
assert not any(name.startswith("drf_spectacular.") for name in sys.modules)
assert reverse("mpquiz-api:quiz_list") == "/api/v1/quizzes/"
assert Client().get("/api/v1/schema/").status_code == 404
print(Client().options("/api/v1/quizzes/").status_code)
"""


def test_without_the_extra_all_else_works():
    environment = {"DJANGO_SETTINGS_MODULE": "tests.settings", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == ("200", "")
