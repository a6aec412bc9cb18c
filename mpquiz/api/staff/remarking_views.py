"""Marking a question anew: what was asked, what each rule would do, doing it, the log of it, and undoing it."""

from typing import Any

from django.http import Http404
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ... import remarking
from ...editing import remarking as editing
from ...models import Attempt, Policy, Quiz, Remarking
from ..lists import Query
from .base import StaffList, StaffView, first, may
from .fields import Body
from .remarking_serializers import (
    AllAskedSerializer,
    MarkAnewSerializer,
    PreviewDetailSerializer,
    RemarkingDetailSerializer,
    RemarkingSerializer,
    RulesSerializer,
    UndoneSerializer,
)

_SHOWN = 50  # attempts that a preview names
_CHANGES = ("change_quiz",)


class StaffQuizRemarking(StaffView):
    """The questions of a quiz that can be marked anew."""

    needs = {"GET": _CHANGES}
    serializer_class = AllAskedSerializer

    def get(self, request: Request, slug: str) -> Response:
        quiz = self.quiz(slug, "change")
        return self.answer({"questions": remarking.asked_in(quiz)}, quiz=quiz)


class _OfSubject(StaffView):
    """A view of a question that a quiz has asked."""

    def subject(self, quiz: Quiz, name: str) -> remarking.Subject:
        """The question of a name. Raises Http404."""
        found = remarking.named(quiz, name)
        if found is None:
            raise Http404
        return found


class StaffQuizRemarkingAsked(_OfSubject):
    """What each rule would do to the answers to a question. Nothing is written."""

    needs = {"GET": _CHANGES}
    serializer_class = RulesSerializer

    def get(self, request: Request, slug: str, asked: str) -> Response:
        quiz = self.quiz(slug, "change")
        subject = self.subject(quiz, asked)
        previews = remarking.previews(quiz, subject)
        shown = {"asked": remarking.AskedQuestion(subject, previews[0].asked), "previews": previews}
        return self.answer(shown, quiz=quiz, asked=asked)


class StaffQuizRemarkingPolicy(_OfSubject):
    """A rule by which a question is marked anew."""

    needs = {"GET": _CHANGES, "POST": _CHANGES}
    serializer_class = PreviewDetailSerializer
    body_class = MarkAnewSerializer

    def get(self, request: Request, slug: str, asked: str, policy: str) -> Response:
        """Who would change, and by how much. Nothing is written."""
        quiz = self.quiz(slug, "change")
        preview = remarking.preview(quiz, self.subject(quiz, asked), _known(policy))
        changes = preview.changes[:_SHOWN]
        shown = {"preview": preview, "changes": changes, "more": len(preview.changes) - len(changes)}
        return self.answer(shown, quiz=quiz, asked=asked, names=self._names(changes))

    def post(self, request: Request, slug: str, asked: str, policy: str) -> Response:
        """Do what was previewed; where anything changed since then, as by doing it, nothing (409 ``changed``)."""
        quiz = self.quiz(slug, "change")
        subject, rule, sent = self.subject(quiz, asked), _known(policy), self.body()
        reason, expected = sent.get("reason", ""), sent["fingerprint"]
        done = editing.mark_anew(quiz, subject, rule, by=request.user, reason=reason, expected=expected)
        return self.answer(told(done.pk), 201, by=RemarkingDetailSerializer)

    def _names(self, changes: Any) -> dict[int, str]:
        """{attempt id: who took it}, of those that whoever asks may see."""
        user = self.request.user
        if not may(user, "view_attempt"):
            return {}
        seen: Any = Attempt.objects.all().of_editor(user).filter(pk__in=[one.attempt.pk for one in changes])
        return {attempt.pk: attempt.learner_name for attempt in seen.select_related("user")}


def _known(policy: str) -> str:
    if policy not in Policy.values:
        raise Http404
    return policy


# The log ----------------------------------------------------------------------------------------------------


def _logged(quizzes: Any) -> Any:
    return editing.log_of(quizzes, Remarking.objects.all()).select_related("quiz", "version", "by", "undone_by")


def told(pk: int) -> Remarking:
    """A re-marking as it is stored now, with why it cannot be undone."""
    row: Any = first(_logged(Quiz.objects.all()).filter(pk=pk))
    row.refusal = remarking.refuses_undo(row)
    found: Remarking = row
    return found


class RemarkingQuery(Query):
    orderings = {"at": "at"}

    quiz = serializers.SlugField(max_length=80, required=False)
    policy = serializers.ChoiceField(choices=Policy.choices, required=False)


class StaffRemarkingList(StaffList):
    """What was marked anew, the newest first."""

    needs = {"GET": _CHANGES}
    serializer_class = RemarkingSerializer
    query_class = RemarkingQuery

    def get(self, request: Request) -> Response:
        asked = self.query()
        columns = {"quiz": "quiz__slug", "policy": "policy"}
        found = _logged(self.quizzes()).filter(**{columns[name]: asked[name] for name in columns if name in asked})
        return self.listed(found, asked.get("ordering", "-at"))


class _OneOfLog(StaffView):
    def found(self, pk: int) -> Remarking:
        """The re-marking of an id, in a quiz that may be changed. Raises Http404, PermissionDenied."""
        row: Remarking = first(_logged(self.quizzes()).filter(pk=pk))
        if not row.quiz.is_of(self.request.user, doing="change"):
            raise exceptions.PermissionDenied
        return row


class StaffRemarkingView(_OneOfLog):
    """What was marked anew."""

    needs = {"GET": _CHANGES}
    serializer_class = RemarkingDetailSerializer

    def get(self, request: Request, pk: int) -> Response:
        return self.answer(told(self.found(pk).pk))


class StaffRemarkingUndo(_OneOfLog):
    """A re-marking that is taken back."""

    needs = {"POST": _CHANGES}
    serializer_class = UndoneSerializer
    body_class = Body

    def post(self, request: Request, pk: int) -> Response:
        """Put back what held before; what was marked since stays. Again is refused (409 ``undone``)."""
        row = self.found(pk)
        self.body()
        undone = editing.undo(row, by=request.user)
        return self.answer({"put_back": undone.put_back, "kept": len(undone.kept), "remarking": told(pk)})
