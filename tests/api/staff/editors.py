"""Editors of quizzes of their own, as a host's rule says, each with an API of their own."""

from typing import Any

from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.api.conftest import Api
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


def queries(api: Api, path: str, **query: Any) -> int:
    """How many queries an answer takes."""
    ContentType.objects.get_for_models(*apps.get_models())  # which each process asks once
    with CaptureQueriesContext(connection) as captured:
        assert api.get(path, **query).status_code == 200
    return len(captured)
