"""OpenAPI by drf-spectacular, where that is installed (the extra ``openapi``): ``v1/schema/``.

Without it that address is not there, nothing imports it, and all else works.
"""

from importlib.util import find_spec
from typing import Any

from django.urls import path
from django.urls.resolvers import URLPattern
from django.utils.module_loading import import_string
from rest_framework.schemas import DefaultSchema


def is_installed() -> bool:
    """Whether schemas can be made."""
    return find_spec("drf_spectacular") is not None


def addresses() -> list[URLPattern]:
    """That of the schema."""
    if not is_installed():
        return []
    view = import_string("mpquiz.api.schema.views.SchemaView")
    return [path("schema/", view.as_view(), name="schema")]


class Described(DefaultSchema):
    """How our views are described: by ``inspector.Inspector``, also in the schema of the host's whole site."""

    def __get__(self, instance: Any, owner: Any) -> Any:
        if not is_installed():
            return super().__get__(instance, owner)
        inspector = import_string("mpquiz.api.schema.inspector.Inspector")()
        inspector.view = instance
        return inspector
