"""What editors are told of their texts: what is to be checked, what was changed, what learners report."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .. import words
from ..batches import ROWS, batches
from ..content import QuestionContent
from .answer import Answer
from .guide import Guide
from .question import Choice, Question, Tag
from .quiz import Quiz
from .reporting import ReportQuerySet
from .version import FromWritten, QuestionVersion

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
    def owned_by(self) -> tuple[str, Any]:
        """Which of the owners it has, and that row's id. No query."""
        return next((name, pk) for name in _OWNERS if (pk := getattr(self, f"{name}_id")) is not None)

    @property
    def owner(self) -> Any:
        """The row whose text it is. A query unless it was fetched along."""
        return getattr(self, self.owned_by[0])


@dataclass(frozen=True, slots=True)
class Found:
    """What a question was before somebody changed it, and since when."""

    content: QuestionContent
    at: datetime


class RevisionQuerySet(models.QuerySet["Revision"]):
    def of(self, question: Question) -> "RevisionQuerySet":
        return self.filter(question=question)

    def record(self, now: Mapping[int, QuestionContent], *, by: Any = None, source: str = "edited") -> None:
        """Store the state of each question (by its id) that reads otherwise than the last one. Two queries."""
        last = self._last(now)
        rows = [
            self.model(question_id=pk, content=content.to_json(), digest=digest, source=source, by=by)
            for pk, content in now.items()
            if (digest := content.digest) != last.get(pk)
        ]
        self.bulk_create(rows, batch_size=ROWS)

    def record_found(self, found: Mapping[int, Found]) -> None:
        """Store what questions were before a change, where nobody recorded that. Two queries, five if any is new."""
        last = self._last(found)
        new = {pk: one for pk, one in found.items() if one.content.digest != last.get(pk)}
        if not new:
            return
        self.record({pk: one.content for pk, one in new.items()}, source=Revision.Source.FOUND)
        rows: list[Any] = [row for row in self._latest(new) if row.source == Revision.Source.FOUND]
        for row in rows:
            row.at = new[row.question_id].at
        self.bulk_update(rows, ["at"], batch_size=_ROWS_CHANGED)

    def _last(self, questions: Iterable[int]) -> dict[int, str]:
        """The digest of the last state of each question."""
        return {row.question_id: row.digest for row in self._latest(questions)}

    def _latest(self, questions: Iterable[int]) -> "list[Revision]":
        """The last state of each question, without what it was. A query for every 500."""
        found: list[Revision] = []
        for ids in batches(questions):
            some = self.filter(question__in=ids).order_by().values("question")
            newest = some.annotate(last=models.Max("pk")).values("last")
            found += self.filter(pk__in=newest).defer("content")
        return found


_ROWS_CHANGED = 100


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

    objects = FromWritten.from_queryset(RevisionQuerySet)()

    class Meta:
        base_manager_name = "objects"
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

    objects = FromWritten.from_queryset(ReportQuerySet)()

    class Meta:
        base_manager_name = "objects"
        default_permissions = ("view", "change")
        indexes = [models.Index(fields=["settled_at", "created_at"], name="mpquiz_reports")]
        ordering = ["settled_at", "created_at", "pk"]
        verbose_name = _("report of a question")
        verbose_name_plural = _("reports of questions")

    def __str__(self) -> str:
        """The question: what the learner wrote is in no log, and leads no page."""
        return self.prompt.plain[:120]

    @property
    def prompt(self) -> words.Text:
        """The question as it was asked, in the language in which it was read."""
        return words.pick(self.version.content["prompt"], self.language)
