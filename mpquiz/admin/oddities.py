"""What is odd about a quiz as an editor left it: said after saving, and nothing is refused for it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import cached_property

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from .. import kinds
from ..editing.asking import Tagged, is_sound, tagged
from ..models import Pool, Question, Quiz
from ..rules import Access, is_alone
from .languages import in_its_own_direction

_MOST_NAMED = 5


def oddities(quiz: Quiz, address_of: Callable[[Question], str]) -> list[str]:
    """What an editor should know of a quiz. ``address_of``: the page of a question, "" where it must not be seen.

    Seven queries at most, however many pools and questions there are.
    """
    read = _Read(quiz)
    return [*_limits(quiz), *_review(quiz), *_draw(read), *_pools(read), *_order(read, address_of)]


class _Read:
    """What a quiz may ask, with choices, read once and only where it is wanted."""

    def __init__(self, quiz: Quiz) -> None:
        self.quiz = quiz

    @cached_property
    def own(self) -> list[Question]:
        places = self.quiz.places.select_related("question").prefetch_related("question__choices")
        return [place.question for place in places]

    @cached_property
    def pools(self) -> list[Pool]:
        return list(self.quiz.pools.select_related("tag"))

    @cached_property
    def tagged(self) -> dict[int, Tagged]:
        return tagged(pool.tag for pool in self.pools)

    @cached_property
    def pooled(self) -> list[Question]:
        """What the pools may draw that does not stand in the quiz itself."""
        ids = frozenset().union(*(one.questions for one in self.tagged.values())) - {one.pk for one in self.own}
        return list(Question.objects.filter(pk__in=ids).prefetch_related("choices")) if ids else []


def _limits(quiz: Quiz) -> Iterator[str]:
    limits = (quiz.attempts_allowed, quiz.wait, quiz.time_limit)
    if quiz.access == Access.EVERYONE and any(limit is not None for limit in limits):
        yield _(
            "Guests may take this quiz, and begin anew in another browser: its limits are firm only for whoever is "
            "signed in. To make them firm for everybody, let in only whoever is signed in."
        )


def _review(quiz: Quiz) -> Iterator[str]:
    message = _("What learners see: “%(early)s” is set to be seen before “%(late)s”, and tells it.")
    for name in is_alone({name: str(moment) for name, moment in asdict(quiz.review).items()}):
        yield message % {"early": _name_of(name), "late": _name_of("right_or_wrong")}


def _name_of(line: str) -> str:
    return str(Quiz._meta.get_field(f"show_{line}").verbose_name)  # type: ignore[union-attr]  # a plain field


def _draw(read: _Read) -> Iterator[str]:
    if read.quiz.draw is None:
        return
    there = sum(is_sound(question) for question in read.own)
    if there < read.quiz.draw:
        message = ngettext(
            "%(draw)d questions are to be drawn, and %(there)d that can be asked stands in the quiz: all are asked.",
            "%(draw)d questions are to be drawn, and %(there)d that can be asked stand in the quiz: all are asked.",
            there,
        )
        yield message % {"draw": read.quiz.draw, "there": there}


def _pools(read: _Read) -> Iterator[str]:
    """The pools that run short, at worst: a question is asked once an attempt, whichever pool drew it."""
    sound = {question.pk for question in read.pooled if is_sound(question)}
    before: list[tuple[frozenset[int], int]] = []
    for pool in read.pools:
        mine = read.tagged[pool.tag_id].questions & sound
        there = len(mine) - sum(min(count, len(mine & others)) for others, count in before)
        before.append((mine, pool.count))
        if there < pool.count:
            message = _(
                "The pool “%(tag)s” draws %(count)d, and finds only %(there)d that can be asked "
                "and stand nowhere else."
            )
            yield message % {"tag": pool.tag, "count": pool.count, "there": max(there, 0)}


def _order(read: _Read, address_of: Callable[[Question], str]) -> Iterator[str]:
    """The questions whose choices a shuffle would make wrong."""
    if not read.quiz.shuffle_choices:
        return
    found = [question for question in (*read.own, *read.pooled) if _names_others(question)]
    if found:
        message = ngettext(
            "Choices are shuffled, and in %(count)d question a choice names others by their place. There, tick "
            "“keeps its place” at that choice:",
            "Choices are shuffled, and in %(count)d questions a choice names others by their place. There, tick "
            "“keeps its place” at that choice:",
            len(found),
        )
        yield format_html("{} {}", message % {"count": len(found)}, _listed(found, address_of))


def _names_others(question: Question) -> bool:
    content = question.written(guides=False, tags=False)
    kind = kinds.kept(question.kind)
    return any(problem.field == "keeps_place" for problem in kind.problems(kind.complete(content)))


def _listed(questions: Sequence[Question], address_of: Callable[[Question], str]) -> SafeString:
    named = [_named(question, address_of(question)) for question in questions[:_MOST_NAMED]]
    if len(questions) > _MOST_NAMED:
        named.append(format_html("{}", "…"))
    return format_html_join(" · ", "{}", ((one,) for one in named))


def _named(question: Question, address: str) -> SafeString:
    name = in_its_own_direction(str(question))
    return format_html('<a href="{}">{}</a>', address, name) if address else name
