"""Attempts over time, and the guide's side."""

from datetime import UTC, date, datetime

import pytest
from django.utils import timezone

from mpquiz import statistics
from mpquiz.models import Guide, Quiz
from tests.factories import make_guide, make_question, make_quiz, make_user
from tests.statistics.taken import Given, by_guests, taken

pytestmark = pytest.mark.django_db


def ended(quiz, *moments, marks=(1, 0)):
    for n, moment in enumerate(moments):
        taken(quiz, marks, guest=f"{moment}{n}", finished_at=datetime.fromisoformat(moment).replace(tzinfo=UTC))


def test_without_attempts_there_is_nothing_over_time():
    assert statistics.over_time(make_quiz()) == statistics.OverTime("day")


def test_attempts_are_told_by_day_with_the_days_between():
    quiz = make_quiz(count=2)
    ended(quiz, "2026-03-01T10:00", "2026-03-01T23:59")
    ended(quiz, "2026-03-03T00:00", marks=(1, 1))
    over = statistics.over_time(quiz)
    assert over.step == "day"
    assert [(one.start, one.n, one.mean) for one in over.periods] == [
        (date(2026, 3, 1), 2, 50),
        (date(2026, 3, 2), 0, None),
        (date(2026, 3, 3), 1, 100),
    ]


@pytest.mark.parametrize(
    ("last", "step", "starts"),
    [
        ("2026-03-31", "day", 31),
        ("2026-04-01", "week", 6),
        ("2026-10-03", "week", 32),
        ("2026-10-04", "month", 8),
        ("2028-02-29", "month", 24),
    ],
)
def test_the_longer_the_span_the_longer_the_steps(last, step, starts):
    quiz = make_quiz(count=2)
    ended(quiz, "2026-03-01T10:00", f"{last}T10:00")
    over = statistics.over_time(quiz)
    assert (over.step, len(over.periods)) == (step, starts)
    assert sum(one.n for one in over.periods) == 2
    assert (
        over.periods[0].start == {"day": date(2026, 3, 1), "week": date(2026, 2, 23), "month": date(2026, 3, 1)}[step]
    )


@pytest.mark.parametrize("zone", ["Asia/Riyadh", "Asia/Kolkata", "UTC"])
def test_a_day_is_one_of_the_reader(zone):
    quiz = make_quiz(count=2)
    ended(quiz, "2026-03-01T18:29", "2026-03-01T18:31", "2026-03-01T21:01")
    with timezone.override(zone):
        found = {one.start.day: one.n for one in statistics.over_time(quiz).periods}
    assert found == {"Asia/Riyadh": {1: 2, 2: 1}, "Asia/Kolkata": {1: 1, 2: 2}, "UTC": {1: 3}}[zone]


def test_what_does_not_count_has_no_time(django_assert_num_queries):
    quiz = make_quiz(count=2)
    taken(quiz, (1, 1), guest="a", trial=True)
    taken(quiz, (1, 1), guest="b", ended="abandoned")
    taken(quiz, (Given(None, "en", ""), 1), guest="c", waiting=1)
    with django_assert_num_queries(1):
        assert statistics.over_time(quiz).periods == ()


# Guides -------------------------------------------------------------------------------------------------------


def missed(guide, **more):
    return [(str(one.question), one.n, one.missed) for one in statistics.missed_of(guide, **more).questions]


@pytest.fixture
def guide():
    """A guide of three questions, one of which nobody was asked."""
    guide = make_guide()
    quiz = make_quiz(*[make_question(prompt=f"Q{n}?", guides=[guide]) for n in (1, 2)], make_question(prompt="Q3?"))
    make_question(prompt="Q4?", guides=[guide])
    by_guests(quiz, [[1, 0, 0], [1, 0.5, 0], [None, 1, 0]])
    return guide


def test_the_questions_of_a_guide_stand_by_how_often_they_are_missed(guide):
    assert missed(guide) == [("Q2?", 3, 2), ("Q1?", 3, 1), ("Q4?", 0, 0)]
    told = statistics.missed_of(guide)
    assert (told.n, told.missed, told.share) == (6, 3, 0.5)
    assert told.questions[-1].share is None


def test_only_first_attempts_tell_what_is_missed(guide):
    user, quiz = make_user(), Quiz.objects.get()
    taken(quiz, [1, 1, 1], user=user)
    taken(quiz, [0, 0, 0], user=user, number=2)
    taken(quiz, [0, 0, 0], guest="trial", trial=True)
    assert missed(guide) == [("Q2?", 4, 2), ("Q1?", 4, 1), ("Q4?", 0, 0)]


def test_what_waits_or_was_left_out_is_not_missed_and_a_person_s_mark_counts(guide):
    quiz = Quiz.objects.get()
    taken(quiz, [Given(None, "en", ""), Given(0, left_out=True), 0], guest="x", waiting=1)
    taken(quiz, [Given("0.5", awarded="0.5"), Given(1, awarded="1"), 0], guest="y")
    assert missed(guide) == [("Q1?", 4, 2), ("Q2?", 4, 2), ("Q4?", 0, 0)]


def test_only_the_quizzes_that_are_asked_for_are_counted(guide):
    assert missed(guide, quizzes=Quiz.objects.none()) == [("Q1?", 0, 0), ("Q2?", 0, 0), ("Q4?", 0, 0)]
    assert missed(guide, quizzes=Quiz.objects.all())[0] == ("Q2?", 3, 2)


def test_many_guides_take_as_many_queries_as_one(guide, django_assert_num_queries):
    for n in range(8):
        more = make_guide(f"guide-{n}")
        quiz = make_quiz(*[make_question(prompt=f"G{n}Q{m}?", guides=[more, guide]) for m in (1, 2)], slug=f"q{n}")
        by_guests(quiz, [[1, 0]])
    for guides in (Guide.objects.filter(pk=guide.pk), Guide.objects.all()):
        with django_assert_num_queries(4):
            found = statistics.of_guides(guides)
        assert [one.guide for one in found] == list(guides)
    assert len(statistics.missed_of(guide).questions) == 19
