"""What property tests of several places draw from."""

from datetime import datetime, timedelta, timezone
from typing import Any

from hypothesis import strategies as st

from mpquiz.content import PoolContent
from mpquiz.rules import Access, Counting, Feedback, Layout, Moment, Review

_OFFSETS = st.integers(-12 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(1901, 1, 1), datetime(9997, 12, 31), timezones=_OFFSETS)
_COUNTS = st.none() | st.integers(1, 2_147_483_647)
_MINUTES = st.integers(1, 366 * 24 * 60)
_TAGS = st.sampled_from(["Algebra", "Algebra/Vectors", "هندسة", "No", "a: b", "- x"])


@st.composite
def _pools(draw: Any, questions: int) -> tuple[PoolContent, ...]:
    """In the order in which they are asked."""
    found = [
        PoolContent(
            tag=tag,
            count=draw(st.integers(1, 2_147_483_647)),
            points=draw(st.decimals(0, 9999, places=2)),
            place=draw(st.integers(0, questions)),
        )
        for tag in draw(st.lists(_TAGS, max_size=3, unique=True))
    ]
    return tuple(sorted(found, key=lambda pool: pool.place))


@st.composite
def rules(draw: Any, questions: int) -> dict[str, Any]:
    """Rules of a quiz of so many questions that go together, by what a QuizContent calls them."""
    opens_at, closes_at = draw(st.tuples(MOMENTS, MOMENTS).filter(lambda pair: pair[0] != pair[1]).map(sorted))
    opens_at, closes_at = draw(st.sampled_from([opens_at, None])), draw(st.sampled_from([closes_at, None]))
    layout = draw(st.sampled_from(Layout.values))
    moments = st.sampled_from([moment for moment in Moment.values if closes_at or moment != Moment.CLOSE])
    return {
        "shuffle_choices": draw(st.booleans()),
        "preview": draw(st.booleans()),
        "publishes_answers": draw(st.booleans()),
        "shuffle_questions": draw(st.booleans()),
        "draw": draw(_COUNTS),
        "feedback": draw(st.sampled_from(Feedback.values)),
        "layout": layout,
        "one_way": draw(st.booleans()) and layout == Layout.ONE,
        "review": Review(*(draw(moments) for _line in range(4))),
        "time_limit": draw(st.none() | _MINUTES),
        "opens_at": opens_at,
        "closes_at": closes_at,
        "runs_past_closing": draw(st.booleans()),
        "attempts_allowed": draw(_COUNTS),
        "wait": draw(st.none() | st.just(0) | _MINUTES),
        "counting": draw(st.sampled_from(Counting.values)),
        "access": draw(st.sampled_from(Access.values)),
        "pools": draw(_pools(questions)),
    }
