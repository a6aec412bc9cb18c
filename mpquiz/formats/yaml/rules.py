"""The rules of a quiz in a native file: what is asked in which order, how, until when, how often, and of whom."""

from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ... import kinds
from ...content import PlacedQuestion, PoolContent
from ...rules import Access, Counting, Feedback, Layout, Moment, Review, is_alone
from .fields import Fields, Range, twice

NAMES = (
    "shuffle_questions",
    "draw",
    "pools",
    "shuffle_choices",
    "preview",
    "publishes_answers",
    "feedback",
    "layout",
    "one_way",
    "review",
    "time_limit",
    "opens_at",
    "closes_at",
    "runs_past_closing",
    "attempts_allowed",
    "wait",
    "counting",
    "access",
)
POINTS = Range(Decimal(0), Decimal("9999.99"), 2)
LONGEST_TAG = 200
MOST = 2_147_483_647
"""The highest number that every database keeps."""
MOST_MINUTES = 366 * 24 * 60
"""A year, as in admin."""

_POOL = ("tag", "count", "points", "after")
_REVIEW = ("right_or_wrong", "score", "right_answer", "explanation")


def read(quiz: Fields, questions: Sequence[PlacedQuestion]) -> dict[str, Any]:
    """The rules by what a QuizContent calls them. Wrong ones are reported, and those that do not go together."""
    found: dict[str, Any] = {
        "shuffle_questions": quiz.flag("shuffle_questions", default=False),
        "draw": quiz.whole("draw", 1, MOST),
        "pools": _pools(quiz, len(questions)),
        "shuffle_choices": quiz.flag("shuffle_choices", default=False),
        "preview": quiz.flag("preview", default=True),
        "publishes_answers": quiz.flag("publishes_answers", default=False),
        "feedback": quiz.one_of("feedback", Feedback.values) or Feedback.AT_ONCE,
        "layout": quiz.one_of("layout", Layout.values) or Layout.ONE,
        "one_way": quiz.flag("one_way", default=False),
        "review": _review(quiz),
        "time_limit": quiz.whole("time_limit", 1, MOST_MINUTES),
        "opens_at": quiz.moment("opens_at"),
        "closes_at": quiz.moment("closes_at"),
        "runs_past_closing": quiz.flag("runs_past_closing", default=False),
        "attempts_allowed": quiz.whole("attempts_allowed", 1, MOST),
        "wait": quiz.whole("wait", 0, MOST_MINUTES),
        "counting": quiz.one_of("counting", Counting.values) or Counting.BEST,
        "access": quiz.one_of("access", Access.values) or Access.EVERYONE,
    }
    _check_together(quiz, found)
    _warn(quiz, found, questions)
    return found


def _review(quiz: Fields) -> Review:
    node = quiz.node("review")
    if node is None:
        return Review()
    fields = Fields(quiz.log, quiz.languages, node, f"{quiz.where}, review", _REVIEW)
    review = Review(**{line: fields.one_of(line, Moment.values) or Moment.ANSWER for line in _REVIEW})
    if quiz.node("closes_at") is None:
        for line in _REVIEW:
            if getattr(review, line) == Moment.CLOSE:
                fields.expected(line, _("the quiz never closes. Say when, by “closes_at”, or write finish or never."))
    for line in is_alone(asdict(review)):
        message = _("%(line)s tells whether an answer was right, and is seen before “right_or_wrong”.")
        fields.warn(message % {"line": line}, fields.line_of(line))
    return review


def _pools(quiz: Fields, questions: int) -> tuple[PoolContent, ...]:
    """``after`` says behind which of the quiz's questions a pool stands; left out, behind all of them."""
    found: dict[str, PoolContent] = {}
    for number, node in enumerate(quiz.items("pools"), 1):
        where = _("pool %(number)d") % {"number": number}
        fields = Fields(quiz.log, quiz.languages, node, where, _POOL)
        tag = " ".join(fields.texts("tag", longest=LONGEST_TAG)[:1])
        if not tag:
            fields.missing("tag")
        elif tag.casefold() in found:
            fields.expected("tag", twice(tag))
        points = fields.number("points", POINTS)
        found[tag.casefold()] = PoolContent(
            tag=tag,
            count=fields.whole("count", 1, MOST) or 1,
            points=Decimal(1) if points is None else points,
            place=_after(fields, questions),
        )
    return tuple(found.values())


def _after(fields: Fields, questions: int) -> int:
    after = fields.whole("after", 0, questions)
    return questions if after is None else after


def _check_together(quiz: Fields, found: dict[str, Any]) -> None:
    opens_at, closes_at = found["opens_at"], found["closes_at"]
    if opens_at and closes_at and closes_at <= opens_at:
        quiz.expected("closes_at", _("the closing time is after the opening time."))
    if found["one_way"] and found["layout"] == Layout.ALL:
        quiz.expected("one_way", _("on one page there is no way: leave this out, or “layout: all”."))


def _warn(quiz: Fields, found: dict[str, Any], questions: Sequence[PlacedQuestion]) -> None:
    pages = kinds.without_answer()
    asking = sum(placed.content is None or placed.content.kind not in pages for placed in questions)
    if found["draw"] is not None and found["draw"] > asking:
        message = ngettext(
            "draw: the quiz has only %(count)d question of its own to draw from.",
            "draw: the quiz has only %(count)d questions of its own to draw from.",
            asking,
        )
        quiz.warn(message % {"count": asking}, quiz.line_of("draw"))
    if found["access"] == Access.GROUPS:
        quiz.warn(_("access: files name no groups; choose them in admin."), quiz.line_of("access"))
