"""Which questions an attempt asks: pools, lots, shuffled orders, and what keeps its place."""

from collections import Counter

import pytest

from mpquiz.models import Attempt, Pool
from tests.factories import make_page, make_question, make_quiz, make_tag

pytestmark = pytest.mark.django_db


def asked(attempt):
    """The prompts in the order in which they are asked."""
    return [answer.content.prompt["en"] for answer in attempt.answers.select_related("version")]


def questions(*names, **fields):
    return [make_question(prompt=name, **fields) for name in names]


def again(quiz, learner):
    """Another attempt, after the one before was finished."""
    attempt = Attempt.objects.start(quiz, learner)
    attempt.finish()
    return asked(attempt)


# Pools --------------------------------------------------------------------------------------------------------


def test_a_pool_asks_so_many_questions_of_its_tag_after_the_quiz_s_own(amal):
    tag = make_tag("Algebra", *questions("A", "B", "C"))
    quiz = make_quiz(*questions("Own"))
    Pool.objects.create(quiz=quiz, tag=tag, count=2, points=3, place=99)
    attempt = Attempt.objects.start(quiz, amal)
    first, *drawn = asked(attempt)
    assert first == "Own"
    assert len(set(drawn)) == 2
    assert set(drawn) <= {"A", "B", "C"}
    assert attempt.maximum == 7
    assert quiz.asked_count == 3


def test_a_pool_stands_where_its_place_is(amal):
    quiz = make_quiz(*questions("First", "Last"))
    Pool.objects.create(quiz=quiz, tag=make_tag("Algebra", *questions("A")), place=1)
    assert asked(Attempt.objects.start(quiz, amal)) == ["First", "A", "Last"]


def test_what_a_learner_has_not_seen_is_drawn_first(amal):
    quiz = make_quiz(*questions("Own"))
    Pool.objects.create(quiz=quiz, tag=make_tag("Algebra", *questions("A", "B", "C")), place=9)
    drawn = [again(quiz, amal)[1] for _time in range(6)]
    assert Counter(drawn[:3]) == Counter(drawn[3:]) == Counter("ABC")


def test_a_question_that_two_pools_hold_is_asked_once(amal):
    shared = questions("A", "B")
    quiz = make_quiz(*questions("Own"))
    for name in ("Algebra", "Vectors"):
        Pool.objects.create(quiz=quiz, tag=make_tag(name, *shared), place=9)
    for _time in range(5):
        assert sorted(again(quiz, amal)) == ["A", "B", "Own"]


def test_a_question_of_the_quiz_s_own_is_not_drawn_once_more(amal):
    own = questions("Own")
    quiz = make_quiz(*own)
    Pool.objects.create(quiz=quiz, tag=make_tag("Algebra", *own, *questions("A")), place=9)
    assert asked(Attempt.objects.start(quiz, amal)) == ["Own", "A"]


def test_a_tag_holds_the_questions_of_the_tags_within_it(amal):
    make_tag("Algebra/Vectors", *questions("Within"))
    make_tag("Algebraic", *questions("Another"))
    quiz = make_quiz(*questions("Own"))
    Pool.objects.create(quiz=quiz, tag=make_tag("Algebra"), count=5, place=9)
    assert asked(Attempt.objects.start(quiz, amal)) == ["Own", "Within"]


def test_neither_pages_nor_half_done_questions_are_drawn(amal):
    half = make_question("Only one", prompt="Half")
    tag = make_tag("Algebra", half, make_page("Page"), *questions("A", "B"))
    quiz = make_quiz(*questions("Own"))
    Pool.objects.create(quiz=quiz, tag=tag, count=2, place=9)
    for _time in range(5):
        assert sorted(again(quiz, amal)) == ["A", "B", "Own"]


def test_a_quiz_may_have_nothing_but_pools(amal):
    quiz = make_quiz(count=1)
    quiz.places.all().delete()
    Pool.objects.create(quiz=quiz, tag=make_tag("Algebra", *questions("A")))
    assert asked(Attempt.objects.start(quiz, amal)) == ["A"]


def test_what_was_missed_of_a_pool_can_be_practised(amal):
    quiz = make_quiz(*questions("Own"))
    Pool.objects.create(quiz=quiz, tag=make_tag("Algebra", *questions("A")), place=9)
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    attempt.answer(2, 2)
    assert asked(attempt.retry(amal, number=2)) == ["A"]


# The quiz's own questions -------------------------------------------------------------------------------------


def test_so_many_of_the_quiz_s_own_are_drawn_in_its_order(amal):
    quiz = make_quiz(*questions("A", "B", "C", "D"), draw=2)
    drawn = [again(quiz, amal) for _time in range(4)]
    assert all(one == sorted(one) and len(one) == 2 for one in drawn)
    assert sorted(drawn[0] + drawn[1]) == ["A", "B", "C", "D"]
    assert quiz.asked_count == 2


def test_pages_to_read_are_no_part_of_the_lot(amal):
    quiz = make_quiz(make_page("Page"), *questions("A", "B"), draw=1)
    assert len(asked(Attempt.objects.start(quiz, amal))) == 2


def test_a_shuffled_order_holds_for_the_attempt_and_differs_between_attempts(amal):
    quiz = make_quiz(*questions(*"ABCDEFGH"), shuffle_questions=True)
    attempt = Attempt.objects.start(quiz, amal)
    assert asked(Attempt.objects.get()) == asked(attempt)
    assert sorted(asked(attempt)) == list("ABCDEFGH")
    attempt.finish()
    assert len({tuple(again(quiz, amal)) for _time in range(5)}) > 1


def test_a_page_to_read_keeps_its_place_where_questions_are_shuffled(amal):
    quiz = make_quiz(make_page("Page"), *questions("A", "B", "C"), shuffle_questions=True)
    assert {again(quiz, amal)[0] for _time in range(6)} == {"Page"}


def test_a_choice_that_keeps_its_place_stands_where_it_stood(amal):
    none = {"text": "None of the above", "keeps_place": True}
    quiz = make_quiz(make_question(("A", True), "B", "C", none), shuffle_choices=True)
    orders = set()
    for _time in range(12):
        attempt = Attempt.objects.start(quiz, amal)
        attempt.finish()
        orders.add(tuple(attempt.answers.get().order))
    assert {order[-1] for order in orders} == {"d"}
    assert len(orders) > 1
