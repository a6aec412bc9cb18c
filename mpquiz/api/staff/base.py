"""What the staff's views share: rights, states that are edited, and how what is wrong is told."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions
from rest_framework.permissions import BasePermission
from rest_framework.request import Request
from rest_framework.response import Response

from ...content import DEEPEST, is_storable
from ...exceptions import Refusal
from ...models import Question, Quiz
from ...models.editors import questions_of
from ..base import ApiView
from ..errors import answer_to
from ..lists import ListView
from .fields import Body

Needs = Mapping[str, tuple[str, ...]]
"""{method: the rights that it takes}; a right is an ability and a model: "change_quiz"."""


def may(user: Any, right: str) -> bool:
    """Whether a user has a right of Django's; as in admin, to change implies to view."""
    rights = [right, right.replace("view_", "change_")] if right.startswith("view_") else [right]
    return any(user.has_perm(f"mpquiz.{one}") for one in rights)


class HasRights(BasePermission):
    """Staff with the rights that the view names for the method."""

    def has_permission(self, request: Request, view: Any) -> bool:
        user = request.user
        if not (user.is_authenticated and user.is_active and getattr(user, "is_staff", False)):
            return False
        method = "GET" if request.method == "HEAD" else str(request.method)
        return all(may(user, right) for right in view.needs.get(method, ()))


class StaffView(ApiView):
    """A view for staff. ``needs`` says which rights each method takes; whose rows they are, the host's rule says."""

    permission_classes = [HasRights]
    needs: ClassVar[Needs] = {}

    def get_exception_handler(self) -> Any:
        return refused

    def body(self, *, partly: bool = False) -> dict[str, Any]:
        """What was sent, checked; with ``partly``, nothing need be there. Raises ValidationError."""
        sent = self.request.data
        if not is_storable(sent, DEEPEST):
            raise ValidationError(
                _(
                    "Something in here cannot be stored: a number too large, signs that are no text, "
                    "or too many levels."
                )
            )
        serializer: Any = (self.body_class or Body)(data=sent, partial=partly, context=self.get_serializer_context())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def edited(self) -> tuple[dict[str, Any], str | None]:
        """What was sent of a row, and the state that it was made from: ``If-Match``, else the body's revision."""
        sent = self.body(partly=True)
        revision = sent.pop("revision", None)
        seen = etag_in(self.request)
        return sent, revision if seen is None else seen

    # Rows -------------------------------------------------------------------------------------------------

    def quizzes(self, doing: str | None = None) -> Any:
        return Quiz.objects.all().of_editor(self.request.user, doing=doing)

    def questions(self, doing: str | None = None) -> QuerySet[Question]:
        return questions_of(self.request.user, Question.objects.all(), doing=doing)

    def quiz(self, slug: str, doing: str | None = None) -> Quiz:
        """One of the editor's quizzes. Raises Http404; PermissionDenied where they may do something else with it."""
        quiz = first(self.quizzes().filter(slug=slug))
        return _allowed(quiz, self.quizzes(doing)) if doing else quiz

    def question(self, pk: int, doing: str | None = None) -> Question:
        question = first(self.questions().filter(pk=pk))
        return _allowed(question, self.questions(doing)) if doing else question


class StaffList(StaffView, ListView):
    """A list for staff."""


def first(found: QuerySet[Any]) -> Any:
    """The one row. Raises Http404."""
    row = found.first()
    if row is None:
        raise Http404
    return row


def _allowed(row: Any, allowed: QuerySet[Any]) -> Any:
    if not allowed.filter(pk=row.pk).exists():
        raise exceptions.PermissionDenied
    return row


def etag_in(request: Request) -> str | None:
    """The state that ``If-Match`` names; None where it names any, or is not sent."""
    tag = request.headers.get("If-Match", "").strip()
    return None if tag in ("", "*") else tag.removeprefix("W/").strip('"')


def with_etag(response: Response) -> Response:
    """With the state that is shown, for ``If-Match``."""
    response["ETag"] = f'"{response.data["revision"]}"'
    return response


# How it is refused ------------------------------------------------------------------------------------------


def refused(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """As everywhere in the API; what is wrong with what was sent is told by place: ``choices.2.text.ar``."""
    if isinstance(error, ValidationError):
        places = error.message_dict if hasattr(error, "error_dict") else {"": error.messages}
        error = exceptions.ValidationError({place or "non_field_errors": told for place, told in places.items()})
    elif isinstance(error, exceptions.ValidationError) and isinstance(error.detail, dict):
        error = exceptions.ValidationError(dict(_flat(error.detail)))
    response = answer_to(error, context)
    if isinstance(error, Refusal) and error.code == "stale" and response and etag_in(context["request"]) is not None:
        response.status_code = 412
    return response


def _flat(told: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """{place: messages} of errors that lie within each other."""
    if isinstance(told, list) and not any(isinstance(one, dict | list) for one in told):
        yield place or "non_field_errors", told
        return
    pairs = told.items() if isinstance(told, Mapping) else enumerate(told)
    for name, one in pairs:
        if isinstance(one, str):
            one = [one]
        within = place if name == "non_field_errors" and place else f"{place}.{name}" if place else str(name)
        yield from _flat(one, within)
