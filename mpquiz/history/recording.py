"""Recording what a question is. Imports record in bulk: ``exchange.storing``."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import router

from ..batches import batches
from ..content import QuestionContent
from ..models import Question, Revision
from ..models.editing import Found


def current(question: Question) -> QuestionContent:
    """What is stored of a question at this moment, whatever the row in hand says. Four queries."""
    return Question._default_manager.using(router.db_for_write(Question)).get(pk=question.pk).written()


def keep_found(*questions: Question) -> None:
    """Before a change: keep what is stored of each, where no state tells it. A fixed number of queries for 500."""
    for rows in _stored(questions):
        Revision.objects.record_found({row.pk: Found(row.written(), row.updated_at) for row in rows})


def record(*questions: Question, by: Any = None, source: str = Revision.Source.EDITED) -> None:
    """After a change: keep what is stored of each now, unless it is as its last state. As many queries."""
    for rows in _stored(questions):
        Revision.objects.record({row.pk: row.written() for row in rows}, by=by, source=source)


def _stored(questions: Iterable[Question]) -> Iterator[list[Question]]:
    stored = Question._default_manager.using(router.db_for_write(Question))
    for ids in batches(question.pk for question in questions):
        yield list(stored.filter(pk__in=ids).prefetch_related("choices", "guides", "tags").order_by("pk"))
