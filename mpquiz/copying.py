"""Copies of quizzes and questions: rows of their own, of which no attempt and no file knows."""

from collections.abc import Iterable, Iterator
from copy import copy
from itertools import count
from typing import Any

from django.db import models, transaction
from django.utils import translation
from django.utils.translation import gettext as _

from . import words
from .models import Choice, Pool, Question, Quiz, QuizQuestion
from .models.question import new_question_key
from .models.sharing import not_for_pools, not_for_questions
from .models.staleness import copy_marks

_SLUG_LENGTH = 60
"""Of the slug that a copy's begins with: there is room for what makes it another."""


@transaction.atomic
def copy_of_quiz(quiz: Quiz, *, by: Any = None) -> Quiz:
    """A draft with the same questions, pools, rules, guides and groups, named as a copy in each language it has.

    Without the pools that the editor ``by`` whom it is made may not have.
    """
    made = _anew(quiz, slug=next(_free_slugs(quiz)), archived=False, **_titles(quiz))
    made.save()
    QuizQuestion.objects.bulk_create(_parts(quiz.places.all(), quiz=made))
    pools = list(quiz.pools.select_related("tag"))
    barred = set(not_for_pools(by, [pool.tag.name for pool in pools]))
    Pool.objects.bulk_create(_parts([pool for pool in pools if pool.tag.name not in barred], quiz=made))
    made.guides.set(quiz.guides.all())
    made.groups.set(quiz.groups.all())
    copy_marks({("quiz", quiz.pk): made.pk})
    return made


@transaction.atomic
def copy_of_question(question: Question, *, by: Any = None) -> Question:
    """The same question under a key of its own, in no quiz. Its title, where it has one, names it as a copy.

    Without the tags that the editor ``by`` whom it is made may not give.
    """
    made = _anew(question, key=new_question_key(), **_titles(question))
    made.save()
    Choice.objects.bulk_create(_parts(question.choices.all(), question=made))
    made.guides.set(question.guides.all())
    tags = list(question.tags.all())
    barred = set(not_for_questions(by, [tag.name for tag in tags]))
    made.tags.set(tag for tag in tags if tag.name not in barred)
    copied = dict(made.choices.values_list("key", "pk"))
    choices = {("choice", choice.pk): copied[choice.key] for choice in question.choices.all()}
    copy_marks({("question", question.pk): made.pk, **choices})
    return made


def _anew(row: Any, **changed: Any) -> Any:
    """A row that is not stored yet, with the values of another; what was fetched along with that is left behind."""
    fields = {
        field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields if not field.primary_key
    }
    fields |= {"imported": "", **changed}
    plain = {name: value for name, value in fields.items() if not _is_translated(row, name)}
    return type(row)(**plain)


def _is_translated(row: models.Model, name: str) -> bool:
    """Whether a field reads as one of the columns of its languages, which are copied themselves."""
    columns = {words.attribute(name, language) for language in words.languages()} - {name}
    return bool(columns) and all(hasattr(type(row), column) for column in columns)


def _parts(rows: Iterable[Any], **owner: Any) -> list[Any]:
    made = []
    for row in rows:
        part = copy(row)
        part.pk = None
        part._state.adding = True
        for name, value in owner.items():
            setattr(part, name, value)
        made.append(part)
    return made


def _titles(row: Any) -> dict[str, str]:
    """The columns of its title, each saying in its own language that this is a copy."""
    longest = row._meta.get_field("title").max_length
    titles = {}
    for language, title in words.of(row, "title").items():
        with translation.override(language):
            around = len(_("%(title)s (copy)") % {"title": ""})
            titles[words.attribute("title", language)] = _("%(title)s (copy)") % {"title": title[: longest - around]}
    return titles


def _free_slugs(quiz: Quiz) -> Iterator[str]:
    start = f"{quiz.slug[:_SLUG_LENGTH]}-copy"
    taken = set(Quiz.objects.filter(slug__startswith=start).values_list("slug", flat=True))
    slugs = (start if number == 1 else f"{start}-{number}" for number in count(1))
    return (slug for slug in slugs if slug not in taken)
