"""The record of what was marked anew after a key was corrected: what held before is kept, and can be put back."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .. import words
from ..kinds.base import FRACTION_PLACES
from .answer import Answer
from .question import Question
from .quiz import Quiz
from .version import FromWritten, QuestionVersion


class Policy(models.TextChoices):
    NEW_KEY = "new_key", _("Mark by the new key")
    EITHER_KEY = "either_key", _("Take the better of the old and the new key")
    FULL_MARKS = "full_marks", _("Full marks for everybody")
    LEAVE_OUT = "leave_out", _("Leave the question out")


def _fraction() -> Any:
    return models.DecimalField(max_digits=FRACTION_PLACES + 1, decimal_places=FRACTION_PLACES, null=True)


class Remarking(models.Model):
    """A question of a quiz was marked anew in the attempts that had been closed until then."""

    quiz = models.ForeignKey(Quiz, models.PROTECT, verbose_name=_("quiz"), related_name="remarkings")
    question = models.ForeignKey(
        Question, models.SET_NULL, null=True, verbose_name=_("question"), related_name="remarkings"
    )
    policy = models.CharField(_("rule"), max_length=20, choices=Policy.choices)
    # The content whose key was used; what the question was then, where the rule asks for no key.
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="remarkings")
    reason = models.TextField(_("reason"), blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("marked anew by")
    )
    at = models.DateTimeField(_("when"), auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("undone by")
    )
    undone_at = models.DateTimeField(_("undone"), null=True)

    objects = FromWritten()

    class Meta:
        base_manager_name = "objects"
        default_permissions = ()  # whoever may change quizzes marks anew
        ordering = ["-at", "-pk"]
        verbose_name = _("re-marking")
        verbose_name_plural = _("re-markings")

    def __str__(self) -> str:
        return f"{self.version}: {self.get_policy_display()}"

    @property
    def text(self) -> words.Text:
        """What editors called the question then, else its prompt."""
        return words.pick(self.version.content.get("title") or self.version.content["prompt"])


class Remark(models.Model):
    """What a re-marking changed in one answer, and in the score of its attempt."""

    remarking = models.ForeignKey(Remarking, models.CASCADE, related_name="remarks")
    answer = models.ForeignKey(Answer, models.CASCADE, related_name="remarks")
    old_fraction = _fraction()
    old_awarded = models.DecimalField(max_digits=6, decimal_places=2, null=True)
    old_left_out = models.BooleanField(default=False)
    old_marked_with = models.ForeignKey(QuestionVersion, models.PROTECT, null=True, related_name="+")
    old_score = models.DecimalField(max_digits=17, decimal_places=9)
    old_maximum = models.DecimalField(max_digits=10, decimal_places=2)
    new_score = models.DecimalField(max_digits=17, decimal_places=9)
    new_maximum = models.DecimalField(max_digits=10, decimal_places=2)
    # The answer's revision as the re-marking left it: another one since then, and undoing leaves that answer alone.
    revision = models.PositiveIntegerField()
    put_back = models.BooleanField(default=False)  # by undoing, which leaves alone what was changed since

    objects = FromWritten()

    class Meta:
        base_manager_name = "objects"
        constraints = [models.UniqueConstraint(fields=["remarking", "answer"], name="mpquiz_remarked_once")]
        default_permissions = ()
        ordering = ["pk"]
        verbose_name = _("re-marked answer")
        verbose_name_plural = _("re-marked answers")

    def __str__(self) -> str:
        return f"{self.remarking_id}/{self.answer_id}"
