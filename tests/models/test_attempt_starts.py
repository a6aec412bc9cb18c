"""Starts that are sent again, late, crafted, or beside what an editor does; and the databases they run on."""

import pytest
from django.db import IntegrityError, connections, transaction
from django.utils import translation

from mpquiz.models import Answer, Attempt, QuestionVersion
from mpquiz.models.attempt import AttemptQuerySet, QuestionVersionQuerySet
from mpquiz.models.record import Record
from tests.factories import learner, make_question, make_quiz, make_user
from tests.models.asking import first_answer, refused

pytestmark = pytest.mark.django_db


# The expected number --------------------------------------------------------------------------------------------


def test_a_start_sent_again_much_later_lands_in_the_attempt_it_made(quiz, amal):
    first = Attempt.objects.start(quiz, amal, number=1)
    first.finish()
    second = Attempt.objects.start(quiz, amal, number=2)
    assert Attempt.objects.start(quiz, amal, number=1) == first
    second.finish()
    assert Attempt.objects.start(quiz, amal, number=1) == first
    assert Attempt.objects.start(quiz, amal, number=2) == second
    assert Attempt.objects.count() == 2


@pytest.mark.parametrize("number", [0, -1, 7, 10**9, 10**30])
def test_a_crafted_number_starts_the_next_one_or_lands_in_the_open_one(quiz, amal, number):
    attempt = Attempt.objects.start(quiz, amal, number=number)
    assert attempt.number == 1
    assert Attempt.objects.start(quiz, amal, number=number) == attempt


def test_the_numbers_of_another_learner_do_not_matter(quiz, amal):
    theirs = Attempt.objects.start(quiz, learner(make_user("stranger")), number=1)
    assert Attempt.objects.start(quiz, amal, number=1) != theirs


def test_nobody_cannot_start(quiz):
    with pytest.raises(ValueError, match="own"):
        Attempt.objects.start(quiz, learner())


# The first answer -----------------------------------------------------------------------------------------------


def test_a_first_answer_is_taken_by_the_open_attempt_where_question_1_still_waits(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    assert Attempt.objects.start(quiz, amal, number=1, first=first_answer(quiz), language="ar") == attempt
    taken = attempt.answers.get(position=1)
    assert (taken.state, taken.language) == ("right", "ar")


def test_a_first_answer_changes_no_answer_that_was_given(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal, first=first_answer(quiz, given=2))
    assert Attempt.objects.start(quiz, amal, number=1, first=first_answer(quiz, given=1)) == attempt
    assert attempt.answers.get(position=1).state == "wrong"


def test_a_first_answer_to_another_wording_is_not_taken_by_the_open_attempt(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    quiz.questions.filter(places__place=1).update(prompt_en="Worded anew")
    assert Attempt.objects.start(quiz, amal, number=1, first=first_answer(quiz)) == attempt
    assert attempt.answers.get(position=1).state == "open"


def test_a_first_answer_that_is_none_is_refused_by_the_open_attempt_too(quiz, amal):
    Attempt.objects.start(quiz, amal)
    assert refused(Attempt.objects.start, quiz, amal, first=first_answer(quiz, given=9)) == "bad_answer"


def test_a_first_answer_means_the_choice_that_was_seen_though_choices_are_shuffled_since(quiz, amal):
    first = first_answer(quiz, given=2)
    chosen = quiz.placed()[0].content.choices[1].key
    quiz.shuffle_choices = True
    quiz.save()
    for number in range(1, 11):
        attempt = Attempt.objects.start(quiz, amal, number=number, first=first)
        assert attempt.answers.get(position=1).given == chosen
        attempt.finish()
    Attempt.objects.start(quiz, amal, number=11)
    for name in range(10):
        one = learner(make_user(f"learner{name}"))
        attempt = Attempt.objects.start(quiz, one)
        assert Attempt.objects.start(quiz, one, number=1, first=first) == attempt
        assert attempt.answers.get(position=1).given == chosen


@pytest.mark.parametrize("what", ["moved", "emptied", "deleted"])
def test_a_first_answer_to_a_question_that_is_first_no_more_starts_nothing(quiz, amal, what):
    first = first_answer(quiz)
    question = quiz.questions.get(places__place=1)
    if what == "moved":
        quiz.places.filter(question=question).update(place=9)
    elif what == "emptied":
        question.choices.all().delete()
    else:
        question.delete()
    assert refused(Attempt.objects.start, quiz, amal, number=1, first=first) == "changed"
    assert not QuestionVersion.objects.exists()


def test_a_quiz_closed_since_its_page_was_shown_starts_nothing_but_goes_on_where_it_was_started(quiz, amal):
    first = first_answer(quiz)
    attempt = Attempt.objects.start(quiz, amal)
    quiz.languages.all().delete()
    del quiz.offered
    assert Attempt.objects.start(quiz, amal, number=1, first=first) == attempt
    assert attempt.answer(2, 1).state == "right"
    assert refused(Attempt.objects.start, quiz, learner(make_user("late")), first=first) == "closed"


def test_a_refused_first_answer_leaves_nothing_behind(quiz, amal):
    assert refused(Attempt.objects.start, quiz, amal, first=first_answer(quiz, given=4)) == "bad_answer"
    assert not (Attempt.objects.exists() or Answer.objects.exists() or QuestionVersion.objects.exists())


def test_a_quiz_of_one_question_is_finished_by_the_answer_that_starts_it(amal):
    quiz = make_quiz(count=1)
    attempt = Attempt.objects.start(quiz, amal, number=1, first=first_answer(quiz))
    attempt.refresh_from_db()
    assert (attempt.open, attempt.ended, attempt.score) == (None, "finished", 1)
    assert Attempt.objects.start(quiz, amal, number=1, first=first_answer(quiz)) == attempt


# What an editor does in mid-attempt -----------------------------------------------------------------------------


def test_questions_added_moved_and_rules_changed_do_not_touch_a_running_attempt(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    quiz.places.filter(place=1).update(place=9, points=5)
    quiz.places.create(question=make_question(prompt="Added"), place=4)
    quiz.pass_mark, quiz.title_en = 100, "Renamed"
    quiz.save()
    attempt = Attempt.objects.get()
    prompts = [answer.content.prompt["en"] for answer in attempt.answers.all()]
    assert prompts == ["Question 1?", "Question 2?", "Question 3?"]
    assert (attempt.maximum, attempt.pass_mark, attempt.title_text.plain) == (3, None, "Floating point")


def test_a_question_emptied_in_mid_attempt_is_answered_as_it_was(quiz, amal):
    attempt = Attempt.objects.start(quiz, amal)
    quiz.questions.first().choices.all().delete()
    assert attempt.answer(1, 1).state == "right"


def test_a_language_switched_in_mid_attempt_keeps_the_attempt_and_its_order(amal):
    quiz = make_quiz(shuffle_choices=True)
    attempt = Attempt.objects.start(quiz, amal)
    order = attempt.answers.get(position=1).order
    attempt.answer(1, 1, language="en")
    with translation.override("ar"):
        assert Attempt.objects.start(quiz, amal) == attempt
        assert attempt.answer(1, 1).given == order[0]
        assert attempt.answer(2, 1).language == "ar"


@pytest.mark.parametrize("position", [-1, 10**10, 10**30])
def test_a_position_that_no_column_holds_is_refused(quiz, amal, position):
    assert refused(Attempt.objects.start(quiz, amal).answer, position, 1) == "not_in_attempt"


# Transactions and databases -------------------------------------------------------------------------------------


def test_a_start_that_another_one_overtook_looks_again_and_lands_in_that(quiz, amal, monkeypatch):
    theirs = Attempt.objects.start(quiz, amal)
    look, looks = AttemptQuerySet.record, []

    def too_early(self, *args):
        looks.append(args)
        return Record(()) if len(looks) == 1 else look(self, *args)

    monkeypatch.setattr(AttemptQuerySet, "record", too_early)
    assert Attempt.objects.start(quiz, amal, number=1) == theirs
    assert len(looks) == 2


def test_a_start_beside_the_deletion_of_a_question_looks_again(quiz, amal, monkeypatch):
    store, stored = QuestionVersionQuerySet.bulk_create, []

    def too_late(self, rows, **kwargs):
        stored.append(rows)
        return rows if len(stored) == 1 else store(self, rows, **kwargs)

    monkeypatch.setattr(QuestionVersionQuerySet, "bulk_create", too_late)
    assert Attempt.objects.start(quiz, amal).answers.count() == 3
    assert len(stored) == 2


def test_a_start_that_never_can_be_stored_says_why(quiz, amal, monkeypatch):
    Attempt.objects.start(quiz, amal)
    monkeypatch.setattr(AttemptQuerySet, "record", lambda *args: Record(()))
    with pytest.raises(IntegrityError):
        Attempt.objects.start(quiz, amal)


@pytest.mark.django_db(transaction=True)
def test_everything_works_within_a_transaction_of_the_host(quiz, amal):
    with transaction.atomic():
        attempt = Attempt.objects.start(quiz, amal, number=1, first=first_answer(quiz))
        assert refused(attempt.answer, 2, "x") == "bad_answer"
        assert refused(attempt.answer, 1, 2) == "answered"
        attempt.answer(2, 1)
        again = attempt.start_over(amal, number=2)
        assert Attempt.objects.start(quiz, learner(guest="token")).answers.count() == 3
        assert Attempt.objects.claim("token", amal.user) == 1
    again.refresh_from_db()
    assert (again.ended, Attempt.objects.of(amal).get(open=True).number) == ("abandoned", 3)
    attempt.refresh_from_db()
    assert attempt.score == 2


NO_DATABASE = {"ENGINE": "django.db.backends.dummy"}


class Replica:
    """A router that sends reads of what learners own to a database that is not there."""

    def db_for_read(self, model, **hints):
        return "replica" if model in (Attempt, Answer, QuestionVersion) else None

    def db_for_write(self, model, **hints):
        return "default"


def test_attempts_are_read_from_the_database_that_is_written(quiz, amal, settings, monkeypatch):
    monkeypatch.setitem(connections.settings, "replica", {**settings.DATABASES["default"], **NO_DATABASE})
    settings.DATABASE_ROUTERS = [Replica()]
    attempt = Attempt.objects.start(quiz, amal, number=1, first=first_answer(quiz))
    attempt.answer(2, 2)
    assert refused(attempt.answer, 2, 1) == "answered"
    attempt.finish()
    attempt.finish()
    assert refused(attempt.answer, 3, 1) == "finished"
    assert attempt.retry(amal, number=2).answers.count() == 2
    assert Attempt.objects.of(amal).record(quiz).last_number == 2
    assert list(quiz.attempts.order_by("number").values_list("score", flat=True)) == [1, 0]
    Attempt.objects.claim("nobody", amal.user)
