"""Each ailment of the rows is found, with the rows named, in as many queries for many as for few."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mpquiz import doctor
from mpquiz.doctor.promises import PROMISES
from mpquiz.models import Answer, Attempt, Question, Quiz, QuizLanguage
from tests.factories import learner, make_essay, make_guide, make_page, make_question, make_quiz, make_tag, make_user

LOST = f"{'0' * 40}.png"
KEPT = f"{'1' * 40}.png"


def test_a_site_with_quizzes_and_attempts_that_is_well(found, tmp_path):
    quiz = make_quiz(make_question(), make_essay(), make_page(), guides=[make_guide(address="/quizzes/")])
    attempt = Attempt.objects.start(quiz, learner(make_user()))
    attempt.answer(1, 2)
    attempt.answer(2, "Because.")
    Attempt.objects.start(quiz, learner(guest="guest"))
    assert found() == []


# What editors wrote -----------------------------------------------------------------------------------------


def test_a_quiz_in_a_language_that_the_site_lost(only):
    QuizLanguage.objects.create(quiz=make_quiz(), language="fr")
    assert only("languages", broken=False).where == "floats (fr)"


def test_a_quiz_that_has_nothing_to_ask(only):
    make_quiz(make_page())
    make_quiz(make_page(), slug="draft", published=())
    make_quiz(make_page(), slug="archived", archived=True)
    make_quiz(slug="full")
    assert only("nothing_to_ask").where == "floats"


@pytest.mark.parametrize("address", ["/nowhere/", "no_such_url"])
def test_a_guide_that_leads_nowhere(only, address):
    make_guide(address=address)
    assert only("guides", broken=False).where == f"floats ({address})"


@pytest.mark.parametrize("address", ["", "/quizzes/", "mpquiz:quiz_list", "https://example.org/floats/"])
def test_a_guide_that_leads_somewhere(found, address):
    make_guide(address=address)
    assert found() == []


def test_a_kind_that_nothing_knows(only):
    question = make_question()
    Question.objects.filter(pk=question.pk).update(kind="year")
    assert only("kinds").where == "year"


@pytest.mark.parametrize(
    "make",
    [
        lambda text: make_quiz(description={"ar": text}),
        lambda text: make_question(prompt={"ar": text}),
        lambda text: make_question(explanation=text),
        lambda text: make_question((text, True), "Other"),
        lambda text: make_question({"text": "a", "right": True, "feedback": {"ar": text}}, "b"),
        lambda text: make_tag("Formats").__class__.objects.update(description_en=text),
    ],
)
def test_a_file_that_the_storage_lost(only, tmp_path, make):
    (tmp_path / "media" / "mpquiz").mkdir(parents=True)
    (tmp_path / "media" / "mpquiz" / KEPT).write_bytes(b"kept")
    make(f"See ![a](mpquiz:{LOST}) and ![b](mpquiz:{KEPT})")
    assert only("files").where == LOST


# What learners did ------------------------------------------------------------------------------------------


def test_attempts_that_ended_long_ago_and_are_open(only):
    quiz = make_quiz()
    for number, days in enumerate((3, 0)):
        attempt = Attempt.objects.start(quiz, learner(guest=f"guest {number}"))
        start = timezone.now() - timedelta(days=days, hours=2)
        Attempt.objects.filter(pk=attempt.pk).update(started_at=start, deadline=start + timedelta(hours=1))
    finding = only("overdue", broken=False)
    assert "1 attempts" in finding.what and "mpquiz_finish_overdue" in finding.remedy


@pytest.mark.parametrize("whom", ["guests", "learners"])
def test_attempts_that_are_kept_longer_than_the_site_says(settings, found, whom):
    quiz, user = make_quiz(), make_user()
    Attempt.objects.start(quiz, learner(guest="guest")).finish()
    Attempt.objects.start(quiz, learner(user)).finish()
    long_ago = timezone.now() - timedelta(days=40)
    Attempt.objects.update(started_at=long_ago, finished_at=long_ago)
    assert found() == []
    settings.MPQUIZ = {**settings.MPQUIZ, "RETENTION": {whom: 30}}
    (finding,) = found()
    assert (finding.ailment, finding.broken, finding.what.split()[0]) == ("retention", False, "1")
    assert finding.remedy == f"Run manage.py mpquiz_purge_{whom} each night."
    call_command(f"mpquiz_purge_{whom}", verbosity=0)
    assert found() == []


def _attempt():
    attempt = Attempt.objects.start(make_quiz(make_question(), make_question()), learner(make_user()))
    attempt.answer(1, 2)
    return attempt


BREAK = {
    "an attempt without its questions": (Answer, {"attempt": None}),
    "an attempt of a user and of a guest": (Attempt, {"guest": "guest"}),
    "a score that is not the sum of its answers": (Attempt, {"score": 1}),
    "a maximum that is not the sum of the points": (Attempt, {"maximum": 3}),
    "an attempt that miscounts what waits to be marked": (Attempt, {"waiting": 1}),
    "a score below zero or above the maximum": (Attempt, {"score": 3}),
    "a fraction that is none": (Answer, {"fraction": 2}),
    "an answer to another question than its version's": (Answer, {"question": 0}),
    "a given value without its time": (Answer, {"answered_at": None}),
    "a finished attempt without its time or end, or an open one with them": (Attempt, {"ended": "finished"}),
    "an attempt that ended before it began": (Attempt, {"finished_at": timezone.now() - timedelta(days=9)}),
}


@pytest.mark.parametrize("what", PROMISES)
def test_a_promise_that_was_broken_is_told_with_its_rows(found, what):
    attempt = _attempt()
    model, values = BREAK[what]
    if values == {"attempt": None}:
        Answer.objects.all().delete()
    elif "question" in values:
        Answer.objects.filter(position=1).update(question=make_question())
    else:
        rows = Attempt.objects.all() if model is Attempt else Answer.objects.filter(position=1)
        rows.update(**values)
    told = {one.what: one.where for one in found() if one.ailment == "promises"}
    row = attempt.pk if what.startswith(("an attempt", "a score", "a maximum", "a finished")) else _first_answer()
    assert told[f"There is {what}."] == f"ids: {row}"


def _first_answer():
    return Answer.objects.get(position=1).pk


# Queries ----------------------------------------------------------------------------------------------------


def _site(count):
    guides = [make_guide(f"guide-{count}-{number}", address="/nowhere/") for number in range(count)]
    for number in range(count):
        quiz = make_quiz(slug=f"quiz-{count}-{number}", guides=guides[:2], count=count)
        QuizLanguage.objects.create(quiz=quiz, language="fr")
        make_quiz(make_page(), slug=f"empty-{count}-{number}")
        attempt = Attempt.objects.start(quiz, learner(guest=f"guest {count} {number}"))
        Attempt.objects.filter(pk=attempt.pk).update(score=1)
    Question.objects.filter(pk__in=list(Question.objects.values_list("pk", flat=True)[:count])).update(kind="year")


def test_the_number_of_queries_is_fixed():
    taken = []
    for count in (1, 6):
        _site(count)
        with CaptureQueriesContext(connection) as queries:
            assert len(list(doctor.examine())) >= 5
        taken.append(len(queries))
    assert taken[0] == taken[1]
    assert Quiz.objects.count() == 14
