"""Refusals are logged with their code, quiz and attempt, and never with an answer, a token or a password."""

import logging

import pytest
from django.test import Client

from mpquiz import logs
from mpquiz.exceptions import Refusal
from mpquiz.learners import Learner
from mpquiz.models import Attempt
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.views.conftest import hidden, url

pytestmark = pytest.mark.django_db
PAGE = "/en/quizzes/floats/"
SECRET = "what-only-the-learner-knows"


@pytest.fixture(autouse=True)
def all_logs(caplog):
    """All that any logger of Django or ours says, to the last debug line."""
    caplog.set_level(logging.DEBUG)
    return caplog


def refusals(caplog):
    return [record.refusal for record in caplog.records if record.name == "mpquiz.refusals"]


def said(caplog):
    """Everything that a host could write down of the records of ours, their traces too."""
    formatter = logging.Formatter("%(levelname)s %(message)s")
    ours = [record for record in caplog.records if record.name.startswith("mpquiz")]
    return "\n".join(f"{formatter.format(record)} {vars(record)}" for record in ours)


def sign_in(client, **fields):
    user = make_user(**fields)
    client.force_login(user)
    return user


def test_a_refused_answer_is_logged_with_its_place_and_learner(client, caplog):
    user = sign_in(client)
    attempt = Attempt.objects.start(make_quiz(), learner(user))
    assert client.post(url(attempt, 1), {"given": SECRET}).status_code == 400
    assert refusals(caplog) == [
        {
            "code": "bad_answer",
            "quiz": "floats",
            "attempt": str(attempt.public_id),
            "position": 1,
            "learner": str(user.pk),
        }
    ]
    line = next(record.getMessage() for record in caplog.records if record.name == "mpquiz.refusals")
    assert line == f"code=bad_answer quiz=floats attempt={attempt.public_id} position=1 learner={user.pk}"
    assert SECRET not in said(caplog)


def test_a_second_answer_is_logged_without_either_answer(client, caplog):
    user = sign_in(client)
    quiz = make_quiz(make_question({"text": SECRET, "right": True}, kind="text"), make_question(), slug="typed")
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, SECRET)
    client.post(url(attempt, 1), {"given": f"{SECRET}-too"})
    assert [one["code"] for one in refusals(caplog)] == ["answered"]
    assert SECRET not in said(caplog)


def test_a_guest_is_a_guest_and_their_token_is_not_told(caplog):
    make_quiz()
    visitor = Client()
    visitor.post(f"{PAGE}start/", hidden(visitor.get(PAGE)) | {"given": "2"})
    attempt = Attempt.objects.get()
    visitor.post(url(attempt, 1), {"given": "1"})
    assert [(one["code"], one["learner"]) for one in refusals(caplog)] == [("answered", "guest")]
    assert attempt.guest and attempt.guest not in said(caplog)


def test_whoever_guesses_passwords_is_warned_of_and_no_password_is_told(client, caplog):
    make_quiz(password=SECRET)
    client.post(f"{PAGE}start/", {"password": "a guess"})
    (record,) = [record for record in caplog.records if record.name == "mpquiz.refusals"]
    assert (record.levelname, record.refusal["code"], record.refusal["learner"]) == ("WARNING", "password", "visitor")
    assert SECRET not in said(caplog) and "a guess" not in said(caplog)


def test_whoever_is_held_back_is_warned_of(client, settings, caplog):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"start": "0/min"}}
    make_quiz()
    client.post(f"{PAGE}start/", hidden(client.get(PAGE)) | {"given": "2"})
    (record,) = [record for record in caplog.records if record.name == "mpquiz.refusals"]
    assert (record.levelname, record.refusal["code"]) == ("WARNING", "throttled")


def test_a_start_that_is_refused_names_the_quiz(client, caplog):
    make_quiz(access="signed_in")
    client.post(f"{PAGE}start/")
    assert [(one["code"], one["quiz"], one["attempt"]) for one in refusals(caplog)] == [("sign_in", "floats", "-")]


def exam(client, *questions, **fields):
    user = sign_in(client)
    return Attempt.objects.start(make_quiz(*questions, feedback="at_end", **fields), learner(user))


def test_an_exam_s_late_answer_is_logged(client, caplog):
    attempt = exam(client)
    attempt.finish()
    client.post(url(attempt, 1), {"given": "1", "revision": "0"})
    assert [(one["code"], one["position"]) for one in refusals(caplog)] == [("finished", 1)]


def test_each_answer_of_a_page_that_was_not_taken_is_logged(client, caplog):
    attempt = exam(client, layout="all")
    client.post(url(attempt, 1), {"q1-revision": "0", "q1-given": SECRET, "q3-revision": "0", "q3-given": SECRET})
    assert [(one["code"], one["position"]) for one in refusals(caplog)] == [("bad_answer", 1), ("bad_answer", 3)]
    assert SECRET not in said(caplog)


def test_a_text_that_is_not_saved_is_logged_without_it(client, caplog):
    user = sign_in(client)
    attempt = Attempt.objects.start(make_quiz(make_essay(), make_question()), learner(user))
    attempt.finish()
    client.post(url(attempt, 1), {"given": SECRET, "save": "1"})
    assert [one["code"] for one in refusals(caplog)] == ["finished"]
    assert SECRET not in said(caplog)


def test_a_retry_that_is_refused_names_the_quiz(client, caplog):
    attempt = exam(client, show_right_answer="never")
    attempt.finish()
    client.post(url(attempt, "retry"))
    assert [(one["code"], one["quiz"]) for one in refusals(caplog)] == [("closed", "floats")]


def test_what_was_taken_is_not_logged(client, caplog):
    user = sign_in(client)
    attempt = Attempt.objects.start(make_quiz(), learner(user))
    assert client.post(url(attempt, 1), {"given": "1"}).status_code == 303
    assert refusals(caplog) == []


def test_a_cache_that_is_down_says_so_without_the_answer(client, settings, caplog):
    settings.CACHES = {"default": {"BACKEND": "tests.faults.down.DownCache"}}
    make_quiz()
    page = client.post(f"{PAGE}start/", hidden(client.get(PAGE)) | {"given": "2"})
    assert page.status_code == 303
    assert "The cache did not answer" in said(caplog)
    assert Attempt.objects.get().guest not in said(caplog)


def test_a_host_s_own_code_is_told_as_it_is(caplog):
    logs.refused(Refusal("not_paid", SECRET), Learner())
    assert refusals(caplog) == [
        {"code": "not_paid", "quiz": "-", "attempt": "-", "position": "-", "learner": "visitor"}
    ]
    assert SECRET not in said(caplog)
