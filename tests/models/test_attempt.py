"""Attempts: what is frozen, what is counted, what is refused."""

from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz.models import Answer, Attempt, QuestionVersion
from tests.factories import learner, make_question, make_quiz, make_user
from tests.models.asking import first_answer, refused

pytestmark = pytest.mark.django_db


def test_starting_twice_lands_in_the_same_attempt(quiz, amal):
    assert Attempt.objects.start(quiz, amal) == Attempt.objects.start(quiz, amal)


def test_an_attempt_asks_the_questions_in_the_order_of_the_quiz(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    prompts = [answer.content.prompt["en"] for answer in attempt.answers.select_related("version")]
    assert prompts == ["Question 1?", "Question 2?", "Question 3?"]


def test_the_score_is_the_sum_of_the_answers(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    attempt.answer(2, 2)
    assert attempt.answer(3, 1).state == "right"
    attempt.refresh_from_db()
    assert (attempt.score, attempt.maximum, attempt.percent) == (2, 3, 66)


def test_the_last_answer_finishes_the_attempt(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    for position in (2, 3, 1):
        attempt.answer(position, 1)
    attempt.refresh_from_db()
    assert (attempt.open, attempt.ended) == (None, "finished")
    assert attempt.finished_at >= attempt.started_at


def test_the_same_answer_again_changes_nothing(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    before = attempt.answer(1, 1)
    again = attempt.answer(1, ["1"])
    assert (again.pk, again.answered_at, again.revision) == (before.pk, before.answered_at, 1)


def test_another_answer_to_an_answered_question_is_refused(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    assert refused(attempt.answer, 1, 2) == "answered"


def test_a_finished_attempt_repeats_its_answers_and_refuses_others(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    attempt.finish()
    assert attempt.answer(1, 1).state == "right"
    assert refused(attempt.answer, 2, 1) == "finished"


@pytest.mark.parametrize("given", [None, "", [], 0, 4, -1, "x", "1.5", True, {}, [1, 2], ["1"] * 10_000, "9" * 5000])
def test_what_is_no_choice_is_refused_and_uses_nothing(quiz, amal, given):
    attempt = Attempt.objects.start(quiz, amal)
    assert refused(attempt.answer, 1, given) == "bad_answer"
    assert not attempt.answers.exclude(answered_at=None).exists()


@pytest.mark.parametrize("position", [0, 4, 1000])
def test_a_position_outside_the_attempt_is_refused(quiz, amal, position):
    assert refused(Attempt.objects.start(quiz, amal).answer, position, 1) == "not_in_attempt"


def test_editing_a_question_changes_no_running_attempt(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    question = quiz.questions.first()
    question.prompt_en = "Changed"
    question.save()
    question.choices.update(right=False)
    assert attempt.answer(1, 1).content.prompt["en"] == "Question 1?"
    assert attempt.answers.get(position=1).state == "right"


def test_deleting_a_question_loses_no_attempt(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    quiz.questions.first().delete()
    assert attempt.answer(1, 1).state == "right"
    assert attempt.answers.count() == 3


def test_equal_content_is_stored_once(quiz, amal):
    Attempt.objects.start(quiz, amal)
    Attempt.objects.start(quiz, learner(make_user("badr")))
    assert QuestionVersion.objects.count() == 3


def test_passing_is_decided_on_the_exact_score(amal):
    thirds = {"text": "Right", "right": True}
    question = make_question(*[dict(thirds, text=f"Right {n}") for n in range(3)], "Wrong", kind="multiple")
    attempt = Attempt.objects.start(make_quiz(question, pass_mark=Decimal("66.67")), amal)
    attempt.answer(1, [1, 2])
    assert (attempt.score, attempt.percent, attempt.passed) == (Decimal("0.6666667"), 66, False)


def test_a_draft_is_refused(amal):
    assert refused(Attempt.objects.start, make_quiz(published=()), amal) == "closed"


def test_a_quiz_without_a_sound_question_is_refused(amal):
    quiz = make_quiz(make_question("Only one"))
    assert refused(Attempt.objects.start, quiz, amal) == "closed"


def test_the_first_answer_starts_the_attempt(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal, number=1, first=first_answer(quiz))
    attempt.refresh_from_db()
    assert attempt.score == 1
    assert attempt.answers.get(position=1).state == "right"


def test_a_replayed_first_answer_lands_in_its_attempt(quiz, amal):
    first = first_answer(quiz)
    attempt = Attempt.objects.start(quiz, amal, number=1, first=first)
    attempt.finish()
    assert Attempt.objects.start(quiz, amal, number=1, first=first) == attempt
    assert Attempt.objects.count() == 1


def test_a_first_answer_to_a_question_changed_meanwhile_starts_nothing(quiz, amal):
    first = first_answer(quiz)
    question = quiz.questions.first()
    question.prompt_ar = "تغيّر"
    question.save()
    assert refused(Attempt.objects.start, quiz, amal, number=1, first=first) == "changed"
    assert not Attempt.objects.exists()


def test_a_change_of_the_key_alone_does_not_show_in_the_fingerprint(quiz):
    before = first_answer(quiz).seen
    question = quiz.questions.first()
    question.choices.update(right=False, weight=None)
    question.choices.filter(place=3).update(right=True)
    assert first_answer(quiz).seen == before


def test_starting_over_abandons_the_open_attempt(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    new = attempt.start_over(amal, number=2)
    attempt.refresh_from_db()
    assert (attempt.ended, attempt.open, attempt.score) == ("abandoned", None, 1)
    assert (new.number, new.open) == (2, True)
    assert list(Attempt.objects.of(amal).counted()) == []
    assert attempt.start_over(amal, number=2) == new


def test_a_retry_asks_what_was_missed_and_does_not_count(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    for position, given in ((1, 1), (2, 2), (3, 3)):
        attempt.answer(position, given)
    retry = attempt.retry(amal, number=2)
    assert [answer.content.prompt["en"] for answer in retry.answers.all()] == ["Question 2?", "Question 3?"]
    retry.finish()
    assert list(Attempt.objects.of(amal).counted()) == [attempt]


def test_a_guest_s_attempts_become_the_user_s(quiz, amal):
    guest = learner(guest="token")
    mine = Attempt.objects.start(quiz, amal)
    mine.answer(1, 1)
    theirs = Attempt.objects.start(quiz, guest)
    theirs.answer(1, 2)
    assert Attempt.objects.claim("token", amal.user) == 1
    mine.refresh_from_db()
    theirs.refresh_from_db()
    assert (mine.open, mine.ended, mine.number) == (None, "abandoned", 1)
    assert (theirs.open, theirs.number, theirs.user, theirs.guest) == (True, 2, amal.user, None)
    assert not Attempt.objects.of(guest).exists()


def test_a_visitor_who_started_nothing_owns_nothing(quiz, amal):
    Attempt.objects.start(quiz, amal)
    Attempt.objects.update(user=None)
    assert not Attempt.objects.of(learner()).exists()


@pytest.mark.parametrize("count", [8, 100])
def test_an_answer_takes_three_queries_however_many_questions(amal, count):
    attempt = Attempt.objects.start(make_quiz(count=count), amal)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        attempt.answer(5, 1)
    statements = [q["sql"] for q in queries if not q["sql"].startswith(("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE"))]
    assert len(statements) == 3
    assert Answer.objects.exclude(answered_at=None).count() == 1


def test_an_answer_that_was_reckoned_before_another_change_is_reckoned_again(amal):
    quiz = make_quiz()
    attempt = Attempt.objects.start(quiz, amal)
    in_another_window = Attempt.objects.get()
    in_another_window.answer(1, 1)
    attempt.answer(2, 1)
    attempt.refresh_from_db()
    assert (attempt.score, attempt.open) == (2, True)
    in_another_window.answer(3, 1)
    attempt.refresh_from_db()
    assert (attempt.score, attempt.ended) == (3, "finished")


def test_an_answer_to_an_attempt_that_was_finished_elsewhere_is_refused_and_changes_nothing(amal):
    attempt = Attempt.objects.start(make_quiz(), amal)
    Attempt.objects.get().finish()
    assert refused(attempt.answer, 1, 1) == "finished"
    assert not Answer.objects.exclude(answered_at=None).exists()
    assert (attempt.open, attempt.score) == (None, 0)
