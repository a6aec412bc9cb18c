"""Editors of quizzes of their own, as a host's rule says, each with an API of their own."""

from typing import Any

from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import Api, address
from tests.factories import make_user

RULED = {"MAY_EDIT": "tests.api.staff.editors.own"}
"""``settings.MPQUIZ`` where each editor has the quizzes whose slugs begin with their name."""


def own(user: Any, quizzes: Any, doing: str) -> Any:
    return quizzes.filter(slug__startswith=f"{user.get_username()}-")


def editor(username: str = "noura", *rights: str) -> Api:
    """Somebody of the staff with these rights ("change_quiz"), or with all of ours."""
    user = make_user(username, is_staff=True)
    ours = Permission.objects.filter(content_type__app_label="mpquiz")
    user.user_permissions.set(ours.filter(codename__in=rights) if rights else ours)
    return Api(user)


def queries(api: Api, path: str, *, accept: str = "application/json", **query: Any) -> int:
    """How many queries an answer takes."""
    ContentType.objects.get_for_models(*apps.get_models())  # which each process asks once
    with CaptureQueriesContext(connection) as captured:
        assert api.client.get(address(path), query, headers={"Accept": accept}).status_code == 200
    return len(captured)


def fields_of(response: Any) -> list[str]:
    """The places at which something is wrong."""
    assert (response.status_code, response.json()["code"]) == (400, "invalid"), response.content
    return list(response.json()["fields"])


def noted() -> list[tuple[str, str, int]]:
    """The history that admin shows, the oldest first: (who, what kind of row, what they did)."""
    entries = LogEntry.objects.order_by("pk").select_related("user", "content_type")
    return [(one.user.get_username(), one.content_type.model, one.action_flag) for one in entries]
