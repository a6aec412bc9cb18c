"""What a question was when somebody was asked it: contents that never change."""

from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, models, router
from django.utils.translation import gettext_lazy as _

from .. import words
from ..content import QuestionContent
from .question import Question


class FromWritten(models.Manager[models.Model]):
    """Reads from the database that is written: a replica may not know yet what the learner has just done.

    A model that has it names it as ``base_manager_name`` too, for ``refresh_from_db`` and for what points to it.
    """

    def get_queryset(self) -> Any:
        rows = super().get_queryset()
        return rows if self._db else rows.using(router.db_for_write(self.model))


class QuestionVersionQuerySet(models.QuerySet["QuestionVersion"]):
    def freeze(self, contents: Mapping[int, QuestionContent]) -> "dict[int, QuestionVersion]":
        """The versions of ``{question id: content}``, stored where they are new: one query, three if any is.

        Raises IntegrityError where a question was deleted meanwhile.
        """
        wanted = {question: content.digest for question, content in contents.items()}
        found = self._stored(wanted)
        new = [question for question in wanted if question not in found]
        if new:
            rows = [
                self.model(question_id=question, digest=wanted[question], content=contents[question].to_json())
                for question in sorted(new)  # in one order, so that two quizzes that share them do not lock crosswise
            ]
            self.bulk_create(rows, ignore_conflicts=True)  # somebody else may store the same at this moment
            found |= self._stored({question: wanted[question] for question in new})
        if len(found) < len(wanted):
            raise IntegrityError("A question was deleted while its content was being stored.")
        return found

    def _stored(self, wanted: Mapping[int, str]) -> "dict[int, QuestionVersion]":
        rows = self.filter(question_id__in=wanted.keys(), digest__in=wanted.values()).defer("content")
        return {row.question_id: row for row in rows if row.question_id and wanted[row.question_id] == row.digest}


class QuestionVersion(models.Model):
    """What a question was when somebody was asked it. Never changed; outlives the question."""

    question = models.ForeignKey(Question, models.SET_NULL, null=True, related_name="versions")
    digest = models.CharField(max_length=64)
    content = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    objects = FromWritten.from_queryset(QuestionVersionQuerySet)()

    class Meta:
        base_manager_name = "objects"
        constraints = [models.UniqueConstraint(fields=["question", "digest"], name="mpquiz_version_once")]
        verbose_name = _("version of a question")
        verbose_name_plural = _("versions of questions")

    def __str__(self) -> str:
        return words.pick(self.content["prompt"]).plain[:120]
