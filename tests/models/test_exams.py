"""Attempts whose answers can be changed until they are handed in: one way, on one page, written bit by bit."""

import pytest
from django.db import connection

from mpquiz.exceptions import Refusal
from mpquiz.models import Answer, Attempt
from tests.factories import learner, make_essay, make_page, make_question, make_quiz
from tests.invariants import violations
from tests.models.asking import refused
from tests.models.test_attempt_ends import overdue

pytestmark = pytest.mark.django_db


@pytest.fixture
def exam(amal):
    return Attempt.objects.start(make_quiz(feedback="at_end"), amal)


@pytest.fixture
def one_way(amal):
    return Attempt.objects.start(make_quiz(feedback="at_end", one_way=True), amal)


def at(attempt, position):
    return attempt.answers.get(position=position)


# Answers that can be changed ----------------------------------------------------------------------------------


def test_an_answer_can_be_changed_until_the_attempt_is_finished(exam):
    exam.answer(1, 2)
    exam.answer(1, 1)
    assert (at(exam, 1).given, at(exam, 1).fraction, at(exam, 1).revision) == ("a", 1, 2)
    exam.finish()
    assert refused(exam.answer, 1, 2) == "finished"
    assert exam.score == 1


def test_the_same_again_changes_nothing(exam):
    first = exam.answer(1, 1)
    assert exam.answer(1, 1).revision == first.revision
    exam.finish()
    assert exam.answer(1, 1).given == "a"


def test_the_last_answer_does_not_finish_it(exam):
    for position in (1, 2, 3):
        exam.answer(position, 1)
    exam.refresh_from_db()
    assert exam.is_open
    assert exam.score == 3  # in the row, shown to nobody


def test_nothing_takes_an_answer_back(exam):
    exam.answer(1, 1)
    exam.answer(1, [])
    taken_back = at(exam, 1)
    assert (taken_back.given, taken_back.answered_at, taken_back.fraction, taken_back.marked_with) == (None,) * 4
    assert exam.answers.filter(given__isnull=True, answered_at=None).count() == 3
    exam.refresh_from_db()
    assert exam.score == 0
    exam.clear(2)  # where there is none, nothing happens
    assert at(exam, 2).revision == 0


def test_what_another_window_stored_meanwhile_is_not_overwritten_unseen(exam):
    seen = at(exam, 1).revision
    exam.answer(1, 1, revision=seen)
    assert refused(exam.answer, 1, 2, revision=seen) == "stale"
    assert at(exam, 1).given == "a"
    exam.answer(1, 1, revision=seen)  # the same is no conflict
    exam.answer(1, 2, revision=at(exam, 1).revision)
    assert at(exam, 1).given == "b"


def test_a_value_that_is_none_is_refused_and_keeps_what_is_stored(exam):
    exam.answer(1, 1)
    assert refused(exam.answer, 1, 9) == "bad_answer"
    assert at(exam, 1).given == "a"


def test_a_flag_is_kept_with_or_without_an_answer(exam):
    exam.flag(2, flagged=True)
    exam.answer(1, 1, flagged=True)
    exam.answer(1, 1, flagged=True)
    assert [answer.flagged for answer in exam.answers.all()] == [True, True, False]
    exam.answer(1, 1, flagged=False)
    exam.flag(2, flagged=False)
    assert not exam.answers.filter(flagged=True).exists()
    assert refused(exam.flag, 9, flagged=True) == "not_in_attempt"
    exam.finish()
    assert refused(exam.flag, 1, flagged=True) == "finished"


def test_parts_may_be_missing_as_long_as_it_can_be_changed(amal):
    pairs = [{"text": str(n), "match": str(n * n)} for n in (2, 3, 4)]
    question = make_question(*pairs, kind="matching")
    exam = Attempt.objects.start(make_quiz(question, feedback="at_end"), amal)
    rights = at(exam, 1).order[3:]
    exam.answer(1, {"1": str(rights.index("a") + 1)})
    assert at(exam, 1).given == {"a": "a"}
    assert 0 < at(exam, 1).fraction < 1
    practice = Attempt.objects.start(make_quiz(question, slug="practice"), amal)
    assert refused(practice.answer, 1, {"1": "1"}) == "bad_answer"


# Nothing is shown before the end ------------------------------------------------------------------------------


def test_nothing_of_how_it_went_may_be_seen_before_the_end(exam):
    exam.answer(1, 1)
    answer = at(exam, 1)
    assert not any((answer.reveals, answer.said, answer.explanation, answer.sight.score))
    assert answer.seen_state == "given"
    exam.finish()
    answer = at(exam, 1)
    assert answer.reveals
    assert answer.seen_state == "right"


@pytest.mark.parametrize("line", ["right_or_wrong", "score", "right_answer", "explanation"])
def test_results_are_released_when_the_quiz_says_so_to_this_day(amal, line):
    quiz = make_quiz(**{f"show_{line}": "never"})
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    assert not getattr(at(attempt, 1).sight, line)
    attempt.finish()
    assert not getattr(attempt.sight, line)
    quiz.__class__.objects.update(**{f"show_{line}": "finish"})
    assert getattr(Attempt.objects.get().sight, line)


def test_an_open_attempt_keeps_the_table_of_its_start(amal):
    quiz = make_quiz()
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 2)
    quiz.__class__.objects.update(show_right_answer="never")
    attempt = Attempt.objects.get()
    assert at(attempt, 1).sight.right_answer
    attempt.finish()
    assert not attempt.sight.right_answer


# One way ------------------------------------------------------------------------------------------------------


def test_one_way_a_question_is_left_for_good(one_way):
    one_way.answer(1, 2, move_on=True)
    assert one_way.reached == 2
    assert refused(one_way.answer, 1, 1) == "not_in_order"
    assert refused(one_way.answer, 3, 1) == "not_in_order"
    one_way.answer(2, 1)
    one_way.answer(2, 2, move_on=True)
    assert [answer.given for answer in one_way.answers.all()] == ["b", "b", None]


def test_one_way_a_question_can_be_left_without_an_answer(one_way):
    one_way.answer(1, [], move_on=True)
    one_way.move_on(1)  # a second press of the same button
    one_way.refresh_from_db()
    assert one_way.reached == 2
    assert refused(one_way.move_on, 0) == refused(one_way.move_on, 9) == "not_in_attempt"


def test_one_way_in_practice_only_the_next_question_is_answered(amal):
    attempt = Attempt.objects.start(make_quiz(one_way=True), amal)
    assert refused(attempt.answer, 2, 1) == "not_in_order"
    attempt.answer(1, 1)
    attempt.answer(1, 1)  # a replay is a replay
    attempt.answer(2, 1)
    assert refused(attempt.answer, 1, 2) == "answered"


LATER = {
    "single": (make_question, [None, [], 1, 3, 4, "x", {"1": 1}]),
    "number": (lambda: make_question({"value": "5", "right": True}, kind="number"), [None, "", "abc", "5"]),
    "ordering": (lambda: make_question("a", "b", "c", kind="ordering"), [{}, {"1": 1}, {"1": 1, "2": 2, "3": 3}]),
    "essay": (make_essay, ["", "Because.", "x" * 20_000, 7]),
    "page": (make_page, [None, "x"]),
}


@pytest.mark.parametrize("state", ["open", "closed", "overdue"])
@pytest.mark.parametrize("feedback", ["at_end", "at_once"])
@pytest.mark.parametrize("kind", list(LATER))
def test_one_way_a_question_that_was_not_at_its_turn_yet_tells_nothing_by_errors(amal, clock, kind, feedback, state):
    make, values = LATER[kind]
    quiz = make_quiz(make_question(), make(), make_question(), feedback=feedback, one_way=True, time_limit=30)
    attempt = Attempt.objects.start(quiz, amal)
    if state == "closed":
        attempt.finish()
    elif state == "overdue":
        clock.move(minutes=31)
    said = {"open": "not_in_order", "closed": "finished", "overdue": "time_up"}[state]
    for value in values:
        told = {refused(attempt.answer, 2, value), refused(attempt.answer, 2, value, flagged=True, revision=7)}
        assert told | {refused(attempt.keep, 2, value)} == {said}
        if state == "open":
            assert {one.code for one in attempt.hand_in({2: value}, finish=False).values()} == {said}
    assert set(attempt.answers.values_list("given", "draft", "flagged", "revision")) == {(None, None, False, 0)}


# All at once --------------------------------------------------------------------------------------------------


def test_a_page_of_answers_is_handed_in_at_once(exam):
    assert exam.hand_in({1: 1, 2: 2, 3: 1}) == {}
    assert (exam.ended, exam.score, exam.open) == ("finished", 2, None)
    assert violations(connection) == {}


def test_what_is_refused_keeps_it_open_and_loses_no_other_answer(exam):
    exam.answer(2, 1)
    refusals = exam.hand_in({1: 1, 2: 9, 3: 2})
    assert {position: refusal.code for position, refusal in refusals.items()} == {2: "bad_answer"}
    exam.refresh_from_db()
    assert exam.is_open
    assert [answer.given for answer in exam.answers.all()] == ["a", "a", "b"]


def test_a_page_can_be_saved_without_handing_it_in(exam):
    exam.hand_in({1: 1, 2: [], 3: 1}, finish=False)
    exam.hand_in({1: [], 2: 1, 3: 1}, finish=False)
    exam.refresh_from_db()
    assert exam.is_open
    assert [answer.given for answer in exam.answers.all()] == [None, "a", "a"]
    assert exam.answers.filter(given__isnull=True).count() == 1  # nothing at all, not the null of JSON
    assert exam.score == 2


def test_a_page_that_is_out_of_date_says_where(exam):
    exam.answer(1, 1)
    refusals = exam.hand_in({1: 2, 2: 1}, revisions={1: 0, 2: 0}, finish=False)
    assert {position: refusal.code for position, refusal in refusals.items()} == {1: "stale"}
    assert [answer.given for answer in exam.answers.all()] == ["a", "a", None]


def test_what_is_handed_in_twice_counts_once(exam):
    exam.hand_in({1: 1, 2: 1, 3: 1})
    assert refused(exam.hand_in, {1: 2, 2: 2, 3: 2}) == "finished"
    exam.refresh_from_db()
    assert exam.score == 3


def test_a_position_that_is_not_in_it_is_refused(exam):
    assert {p: r.code for p, r in exam.hand_in({1: 1}, finish=False).items()} == {}
    with pytest.raises(Refusal, match="not in this attempt"):
        exam.hand_in({7: 1})


# Texts are kept while they are written ------------------------------------------------------------------------


@pytest.fixture
def essay(amal):
    return Attempt.objects.start(make_quiz(make_essay(), make_question()), amal)


def test_a_text_that_was_kept_is_the_answer_when_the_attempt_ends(essay):
    essay.keep(1, "Because")
    essay.keep(1, "Because it is")
    assert at(essay, 1).answered_at is None
    essay.finish()
    kept = at(essay, 1)
    assert (kept.given, kept.state, kept.is_drafted) == ("Because it is", "waiting", False)
    assert essay.waiting == 1
    assert list(Answer.objects.waiting()) == [kept]


def test_a_text_that_was_kept_reads_as_handed_in_once_the_time_is_up(essay):
    essay.keep(1, "Because")
    essay = overdue(essay)
    answers = list(essay.answers.all())
    essay.as_ended(answers)
    before = (essay.waiting, essay.score, [(one.given, one.state) for one in answers])
    essay.close_overdue()
    after = [(one.given, one.state) for one in essay.answers.all()]
    assert (essay.waiting, essay.score, after) == before
    assert at(essay, 1).answered_at == essay.deadline


def test_a_text_that_was_handed_in_is_not_written_over(essay):
    essay.keep(1, "First")
    essay.answer(1, "Second")
    assert at(essay, 1).draft is None
    assert refused(essay.keep, 1, "Third") == "answered"
    essay.finish()
    assert at(essay, 1).given == "Second"


def test_a_text_that_was_emptied_is_kept_no_more(essay):
    essay.keep(1, "Because")
    essay.keep(1, " ")
    essay.finish()
    assert at(essay, 1).given is None
    assert essay.waiting == 0


def test_a_choice_is_never_taken_before_it_is_handed_in(essay):
    assert refused(essay.keep, 2, 1) == "not_kept"


def test_an_abandoned_attempt_hands_nothing_in(essay):
    essay.keep(1, "Because")
    essay.abandon()
    assert at(essay, 1).given is None
    assert essay.waiting == 0


def test_a_text_too_long_is_not_kept_and_the_last_one_stays(essay):
    essay.keep(1, "Because")
    assert refused(essay.keep, 1, "x" * 20_000) == "bad_answer"
    assert at(essay, 1).draft == "Because"


# Retry and pages ----------------------------------------------------------------------------------------------


def test_what_was_missed_in_an_exam_is_practised_one_by_one_with_feedback_at_once(exam, amal):
    exam.hand_in({1: 1, 2: 2, 3: 2})
    practice = exam.retry(amal, number=2)
    assert not practice.changeable
    assert practice.answers.count() == 2
    practice.answer(1, 1)
    assert practice.answers.get(position=1).reveals


@pytest.mark.parametrize("line", ["right_or_wrong", "score", "right_answer", "explanation"])
def test_nothing_is_practised_that_must_not_be_seen(amal, line):
    exam = Attempt.objects.start(make_quiz(feedback="at_end", **{f"show_{line}": "never"}), amal)
    exam.hand_in({1: 2, 2: 2, 3: 2})
    assert refused(exam.retry, amal, number=2) == "closed"


def test_an_open_attempt_is_not_practised_from(exam, amal):
    assert refused(exam.retry, amal, number=2) == "closed"
    exam.refresh_from_db()
    assert exam.is_open  # nothing was half done


def test_a_page_to_read_takes_no_answer_in_an_exam(amal):
    exam = Attempt.objects.start(make_quiz(make_page(), make_question(), feedback="at_end"), amal)
    assert refused(exam.answer, 1, []) == "bad_answer"
    assert exam.hand_in({2: 1}) == {}
    assert exam.score == 1


def test_a_guest_s_exam_is_theirs(db):
    exam = Attempt.objects.start(make_quiz(feedback="at_end"), learner(guest="token"))
    exam.answer(1, 1)
    assert Attempt.objects.of(learner(guest="other")).count() == 0
