"""Tags where the host's rule ``MAY_EDIT`` says whose quizzes are.

A pool draws whatever has its tag, whoever wrote it: nobody draws from what they may not see, nor
puts anything into what others draw from.
"""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from .. import kinds
from .editors import questions_of
from .placing import Pool
from .question import Question, tag_key
from .quiz import Quiz, is_ruled


def not_for_pools(user: Any, names: Iterable[str]) -> list[str]:
    """Of these names of tags those of which a pool would draw a question that an editor may not see. One query."""
    names = list(names)
    if not (names and _is_asked(user)):
        return []
    asking = Question.objects.exclude(kind__in=kinds.without_answer()).exclude(tags=None)
    hidden = asking.exclude(pk__in=questions_of(user, Question.objects.all()).values("pk"))
    theirs = set(hidden.order_by().values_list("tags__name", flat=True))
    return [name for name in names if any(_is_within(one, name) for one in theirs)]


def not_for_questions(user: Any, names: Iterable[str]) -> list[str]:
    """Of these names of tags those from which quizzes draw that an editor may not change. One query."""
    names = list(names)
    if not (names and _is_asked(user)):
        return []
    others = Pool.objects.exclude(quiz__in=Quiz.objects.all().of_editor(user, doing="change").values("pk"))
    drawn = set(others.order_by().values_list("tag__name", flat=True))
    return [name for name in names if any(_is_within(name, one) for one in drawn)]


def refuses_name(user: Any, old: str, new: str) -> str | None:
    """Why an editor may not rename a tag: a pool would draw something else of others, or for others."""
    if not old or tag_key(old) == tag_key(new):
        return None
    for name in (*not_for_pools(user, [old, new]), *not_for_questions(user, [old, new])):
        return _("Questions or quizzes of other editors use the tag “%(tag)s”.") % {"tag": name}
    return None


def no_pool_of(name: str) -> str:
    return _("Some questions of the tag “%(tag)s” are other editors'. Choose another tag.") % {"tag": name}


def no_question_of(name: str) -> str:
    return _("Quizzes of other editors draw from the tag “%(tag)s”. Choose another tag.") % {"tag": name}


def _is_asked(user: Any) -> bool:
    """Whether an editor does it, not a command, and the host has a rule."""
    return user is not None and is_ruled(user)


def _is_within(name: str, tag: str) -> bool:
    """Whether it is that tag or a tag within it, as pools draw."""
    return tag_key(name) == tag_key(tag) or name.casefold().startswith(f"{tag}/".casefold())
