"""What hosts are told, after it is stored, and what a host's mistake can cost: nothing."""

import logging
import re
from decimal import Decimal
from pathlib import Path

import pytest
from django.db import transaction
from django.dispatch import Signal

from mpquiz import remarking, signals
from mpquiz.exceptions import Refusal
from mpquiz.models import Attempt, FirstAnswer, Report
from mpquiz.models.attempt import AttemptQuerySet, fingerprint
from mpquiz.models.record import Record
from tests.factories import learner, make_essay, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def amal():
    return learner(make_user())


@pytest.fixture
def heard():
    """What was told, in order: the signal's name, and the position or how the attempt ended."""
    found = []

    def started(sender, attempt, **kwargs):
        found.append(("started", attempt.number))

    def answered(sender, attempt, answer, **kwargs):
        found.append(("answered", answer.position))

    def finished(sender, attempt, **kwargs):
        found.append(("finished", attempt.ended))

    pairs = [
        (signals.attempt_started, started),
        (signals.question_answered, answered),
        (signals.attempt_finished, finished),
    ]
    for signal, receiver in pairs:
        signal.connect(receiver)
    yield found
    for signal, receiver in pairs:
        signal.disconnect(receiver)


def test_a_host_hears_of_each_step_once_and_in_order(amal, heard):
    attempt = Attempt.objects.start(make_quiz(count=2), amal)
    attempt.answer(1, 1)
    attempt.answer(1, 1)
    attempt.answer(2, 1)
    attempt.finish()
    assert heard == [("started", 1), ("answered", 1), ("answered", 2), ("finished", "finished")]


def test_a_quiz_of_one_question_tells_start_answer_and_finish_in_that_order(amal, heard):
    quiz = make_quiz(count=1)
    first = FirstAnswer(given=1, seen=fingerprint(quiz.placed()[0].content))
    for _ in range(2):
        Attempt.objects.start(quiz, amal, number=1, first=first)
    assert heard == [("started", 1), ("answered", 1), ("finished", "finished")]


def test_a_start_that_was_overtaken_tells_nothing(amal, heard, monkeypatch):
    quiz = make_quiz(count=1)
    first = FirstAnswer(given=1, seen=fingerprint(quiz.placed()[0].content))
    Attempt.objects.start(quiz, amal, number=1)
    look, looks = AttemptQuerySet.record, []

    def too_early(self, *args):
        looks.append(args)
        return Record(()) if len(looks) == 1 else look(self, *args)

    monkeypatch.setattr(AttemptQuerySet, "record", too_early)
    with transaction.atomic():
        Attempt.objects.start(quiz, amal, number=1, first=first)
    assert heard == [("started", 1), ("answered", 1), ("finished", "finished")]


def test_a_host_hears_how_an_attempt_ended(amal, heard):
    attempt = Attempt.objects.start(make_quiz(), amal)
    attempt.start_over(amal, number=2)
    assert heard == [("started", 1), ("finished", "abandoned"), ("started", 2)]


def test_the_one_that_a_claim_closes_is_told(amal, heard):
    quiz = make_quiz()
    Attempt.objects.start(quiz, amal)
    Attempt.objects.start(quiz, learner(guest="token"))
    Attempt.objects.claim("token", amal.user)
    assert heard[2:] == [("finished", "abandoned")]


def test_nothing_is_told_before_the_transaction_is_through(amal, heard):
    with transaction.atomic():
        Attempt.objects.start(make_quiz(), amal).answer(1, 1)
        assert heard == []
    assert heard == [("started", 1), ("answered", 1)]


def test_what_is_rolled_back_or_refused_is_never_told(amal, heard):
    attempt = Attempt.objects.start(make_quiz(), amal)
    heard.clear()
    with pytest.raises(RuntimeError), transaction.atomic():
        attempt.answer(1, 1)
        attempt.finish()
        raise RuntimeError
    with pytest.raises(Refusal):
        attempt.answer(1, 99)
    assert heard == []
    assert not Attempt.objects.get().answers.exclude(answered_at=None).exists()


@pytest.mark.parametrize("signal", ["attempt_started", "question_answered", "attempt_finished"])
def test_a_receiver_that_fails_is_logged_and_loses_no_answer(amal, heard, caplog, signal):
    def fail(sender, **kwargs):
        raise RuntimeError("the host's mistake")

    getattr(signals, signal).connect(fail)
    try:
        with caplog.at_level(logging.ERROR):
            attempt = Attempt.objects.start(make_quiz(count=1), amal)
            attempt.answer(1, 1)
    finally:
        getattr(signals, signal).disconnect(fail)
    stored = Attempt.objects.get()
    assert (stored.score, stored.ended) == (1, "finished")
    assert [name for name, _ in heard] == ["started", "answered", "finished"]
    assert "the host's mistake" in caplog.text


README = Path(__file__).resolve().parents[1] / "README.md"


def told_in_readme():
    """{signal: its arguments} of the table."""
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|", README.read_text(encoding="utf-8"), re.M)
    return {name: set(re.findall(r"`(\w+)`", arguments)) for name, arguments in rows if hasattr(signals, name)}


def test_each_signal_is_sent_with_the_arguments_that_the_readme_names(amal):
    found = {}

    def listen(name):
        def hear(sender, signal, **kwargs):
            assert sender is Attempt
            found[name] = set(kwargs)

        return hear

    known = {name: one for name, one in vars(signals).items() if isinstance(one, Signal) and name != "Signal"}
    heard = {name: listen(name) for name in known}
    for name, receiver in heard.items():
        known[name].connect(receiver)
    try:
        _everything_happens(amal)
    finally:
        for name, receiver in heard.items():
            known[name].disconnect(receiver)
    assert found == told_in_readme()
    assert set(found) == set(known)


def _everything_happens(amal):
    question, essay = make_question(("A", True), "B"), make_essay()
    quiz = make_quiz(question, essay)
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 2)
    attempt.answer(2, "Because.")
    attempt.mark_by_hand(2, Decimal(1), by=make_user("teacher"), comment="")
    Report.objects.file(attempt, 1, "It is wrong.", language="en")
    question.choices.filter(key="a").update(right=False)
    question.choices.filter(key="b").update(right=True)
    remarking.remark(quiz, question, "new_key", by=make_user("editor"))
