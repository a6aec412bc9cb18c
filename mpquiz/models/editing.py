"""What editors are told of their texts: what is to be checked, what was changed, what learners report."""

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from ..content import QuestionContent
from .answer import Answer
from .guide import Guide
from .question import Choice, Question, Tag
from .quiz import Quiz
from .version import QuestionVersion

_OWNERS = ("quiz", "question", "choice", "guide", "tag")


def _owner(model: Any) -> Any:
    return models.ForeignKey(model, models.CASCADE, null=True, blank=True, related_name="stale_texts")


class StaleText(models.Model):
    """A text whose other language was changed after it: to be checked, until it is changed or confirmed.

    Of the five owners one is set.
    """

    quiz = _owner(Quiz)
    question = _owner(Question)
    choice = _owner(Choice)
    guide = _owner(Guide)
    tag = _owner(Tag)
    name = models.CharField(_("field"), max_length=40)
    language = models.CharField(_("language"), max_length=20)
    since = models.DateTimeField(_("since"), auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=[owner, "name", "language"], name=f"mpquiz_stale_{owner}")
            for owner in _OWNERS
        ]
        default_permissions = ("view", "change")
        ordering = ["-pk"]
        verbose_name = _("translation to check")
        verbose_name_plural = _("translations to check")

    def __str__(self) -> str:
        return f"{self.owner} ({self.name}, {self.language})"

    @property
    def owner(self) -> Any:
        """The row whose text it is. A query unless it was fetched along."""
        return next(getattr(self, name) for name in _OWNERS if getattr(self, f"{name}_id") is not None)


class Revision(models.Model):
    """What a question was after somebody saved it."""

    class Source(models.TextChoices):
        EDITED = "edited", _("Edited")
        IMPORTED = "imported", _("Imported")
        RESTORED = "restored", _("Brought back")
        FOUND = "found", _("As it was before")  # the state before the first change that was recorded

    question = models.ForeignKey(Question, models.CASCADE, related_name="revisions")
    content = models.JSONField()  # with title, tags and guides: what ``Question.written()`` gives
    digest = models.CharField(max_length=64)
    source = models.CharField(max_length=10, choices=Source.choices, default=Source.EDITED)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        ordering = ["-pk"]
        verbose_name = _("state of a question")
        verbose_name_plural = _("states of questions")

    def __str__(self) -> str:
        return f"{self.question_id}/{self.pk}"

    @property
    def written(self) -> QuestionContent:
        """The content as it was then."""
        return QuestionContent.from_json(self.content)


class Report(models.Model):
    """A learner's word that something is wrong with a question, as they were asked it."""

    question = models.ForeignKey(
        Question, models.SET_NULL, null=True, related_name="reports", verbose_name=_("question")
    )
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="+")
    answer = models.OneToOneField(Answer, models.SET_NULL, null=True, related_name="report")
    quiz = models.ForeignKey(Quiz, models.SET_NULL, null=True, related_name="reports", verbose_name=_("quiz"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("learner")
    )
    language = models.CharField(_("language"), max_length=20)
    note = models.TextField(_("note"), blank=True)
    created_at = models.DateTimeField(_("reported"), auto_now_add=True)
    settled_at = models.DateTimeField(_("settled"), null=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("settled by")
    )

    class Meta:
        default_permissions = ("view", "change")
        indexes = [models.Index(fields=["settled_at", "created_at"], name="mpquiz_reports")]
        ordering = ["settled_at", "created_at", "pk"]
        verbose_name = _("report of a question")
        verbose_name_plural = _("reports of questions")

    def __str__(self) -> str:
        return self.note[:120] or str(self.version)
