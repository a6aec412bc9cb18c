"""Recording what a question is. Imports record in bulk: ``exchange.storing``."""

from typing import Any

from django.db import router

from ..content import QuestionContent
from ..models import Question, Revision
from ..models.editing import Found


def current(question: Question) -> QuestionContent:
    """What is stored of a question at this moment, whatever the row in hand says. Four queries."""
    return _stored(question).written()


def keep_found(question: Question) -> None:
    """Before a change: keep what is stored, where no state tells it."""
    row = _stored(question)
    Revision.objects.record_found({row.pk: Found(row.written(), row.updated_at)})


def record(question: Question, *, by: Any = None, source: str = Revision.Source.EDITED) -> None:
    """After a change: keep what is stored now, unless it is as the last state."""
    Revision.objects.record({question.pk: current(question)}, by=by, source=source)


def _stored(question: Question) -> Question:
    return Question._default_manager.using(router.db_for_write(Question)).get(pk=question.pk)
