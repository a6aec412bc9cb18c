"""What learners say is wrong with questions: how it is kept, and settled."""

from typing import TYPE_CHECKING, Any

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import signals
from ..content import UNSTORABLE
from ..exceptions import Refusal
from .answering import answer_at, not_in_attempt

if TYPE_CHECKING:
    from .attempt import Attempt
    from .editing import Report

LONGEST_NOTE = 2000
"""Characters of a learner's note to a question."""


QUEUE: list[Any] = [models.F("settled_at").asc(nulls_first=True), "created_at", "pk"]
"""The order in which reports are looked at: those that nobody has settled first, of these the oldest."""


class ReportQuerySet(models.QuerySet["Report"]):
    def open(self) -> "ReportQuerySet":
        """Those that nobody has settled yet."""
        return self.filter(settled_at=None)

    def settle(self, by: Any) -> int:
        """Have those that are open be settled by a user; how many they were."""
        return self.open().update(settled_at=timezone.now(), settled_by=by)

    def file(self, attempt: "Attempt", position: int, note: str, *, language: str) -> "Report":
        """Keep what the learner of an attempt says is wrong with a question of theirs, which they read in a language.

        There is one for each answer: a second note takes the place of the first until that is settled.

        Raises Refusal: ``not_in_attempt``, ``too_early`` (no feedback and no review is shown yet), ``bad_note``,
        ``settled``.
        """
        answer = answer_at(position, attempt.answers.filter(position=position))
        if not answer.may_be_reported:
            raise Refusal("too_early", _("A question can be reported once its feedback or the review is shown."))
        said = {"note": cleaned_note(note), "language": language}
        asked = {"question_id": answer.question_id, "version_id": answer.version_id, "quiz_id": attempt.quiz_id}
        with transaction.atomic():
            # The lock, which a learner's erasure takes too: no word is kept of somebody who is gone.
            owned = type(attempt).objects.filter(pk=attempt.pk).exclude(user=None, guest=None)
            if not owned.update(revision=models.F("revision") + 1):
                raise not_in_attempt()
            report, made = self.get_or_create(answer=answer, defaults={**asked, **said, "user_id": attempt.user_id})
            if not made and not self.open().filter(pk=report.pk).update(**said):
                raise Refusal("settled", _("Your report was looked at already. Thank you."))
            report.note, report.language = said["note"], language
            attempt.announce(signals.question_reported, report=report)
        return report


def cleaned_note(note: str) -> str:
    """A note as it is stored. Raises Refusal("bad_note")."""
    text = UNSTORABLE.sub("", note.replace("\r\n", "\n").replace("\r", "\n")).strip()
    if not text:
        raise Refusal("bad_note", _("Write in a few words what is wrong."))
    if len(text) > LONGEST_NOTE:
        message = _("Your note has more than %(count)s characters. Shorten it.")
        raise Refusal("bad_note", message % {"count": LONGEST_NOTE})
    return text
