"""An essay for its learner: written, refused, waiting, marked; and nothing lost where the session ended."""

import re
from decimal import Decimal

import pytest
from django.contrib.sessions.models import Session

from mpquiz.models import Attempt, Question, QuestionVersion
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.views.conftest import hidden, text, url

pytestmark = pytest.mark.django_db
IN_PLACE = {"HX-Request": "true"}
NOTES = {"notes": {"en": "Look for the exponent."}}


@pytest.fixture
def quiz(db):
    essay = make_essay(settings={"longest": 20, **NOTES}, explanation="Eight bits.")
    quiz = make_quiz(essay, make_question(), pass_mark=50)
    quiz.places.filter(place=1).update(points=3)
    return quiz


@pytest.fixture
def teacher(db):
    return make_user("teacher")


def long_essay(user, longest=10_000):
    quiz = make_quiz(make_essay(settings={"longest": longest}), make_question(), slug="long")
    return Attempt.objects.start(quiz, learner(user))


# Writing ------------------------------------------------------------------------------------------------------


def test_an_essay_is_asked_with_its_limit_and_never_cut_in_silence(amal, attempt):
    page = text(amal.get(url(attempt, 1)))
    assert '<textarea class="mpquiz-text" name="given"' in page
    assert "Write at most 20 characters." in page
    assert "maxlength" not in page
    assert ">Hand in</button>" in page
    assert "Eight bits." not in page


@pytest.mark.parametrize("headers", [{}, IN_PLACE])
def test_what_is_too_long_stays_in_the_box_with_the_reason(amal, attempt, headers):
    page = amal.post(url(attempt, 1), {"given": "<b>12345\r\n</textarea>1234567890"}, headers=headers)
    assert page.status_code == 400
    assert "Your text has 30 characters; at most 20 characters are taken." in text(page)
    assert "&lt;b&gt;12345\r\n&lt;/textarea&gt;1234567890</textarea>" in text(page)
    assert 'aria-describedby="mpquiz-error mpquiz-hint" aria-invalid="true" autofocus' in text(page)
    assert not attempt.answers.exclude(answered_at=None).exists()


@pytest.mark.parametrize("given", ["", "  \r\n "])
def test_nothing_is_no_essay(amal, attempt, given):
    page = amal.post(url(attempt, 1), {"given": given})
    assert page.status_code == 400
    assert "Write something first." in text(page)


def test_an_essay_can_be_the_answer_that_starts(amal, quiz):
    page = amal.get("/en/quizzes/floats/")
    assert "Write at most 20 characters." in text(page)
    amal.post("/en/quizzes/floats/start/", hidden(page) | {"given": "Because."})
    attempt = Attempt.objects.get()
    assert (attempt.waiting, attempt.answers.get(position=1).given) == (1, "Because.")


def test_the_notes_for_markers_reach_no_learner(amal, attempt, quiz, teacher):
    pages = [amal.get("/en/quizzes/floats/"), amal.get(url(attempt, 1)), amal.post(url(attempt, 1), {})]
    attempt.answer(1, "Because.")
    attempt.answer(2, 1)
    attempt.mark_by_hand(1, Decimal(2), by=teacher, comment="Good.")
    pages += [amal.get(url(attempt, 1)), amal.get(url(attempt))]
    assert all("exponent" not in text(page) for page in pages)


def test_before_the_answer_the_page_does_not_depend_on_notes_and_explanation(amal, attempt):
    def asked():
        return re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", text(amal.get(url(attempt, 1))))

    before = asked()
    question = Question.objects.get(kind="essay")
    question.settings, question.explanation_en = {"longest": 20, "notes": {"en": "Other."}}, "Other."
    content = question.content()
    version = QuestionVersion.objects.create(question=question, digest=content.digest, content=content.to_json())
    attempt.answers.filter(position=1).update(version=version)
    assert asked() == before


# Waiting and marked -------------------------------------------------------------------------------------------


def test_a_written_essay_waits_and_the_way_goes_on(amal, attempt):
    amal.post(url(attempt, 1), {"given": "One <b>\r\ntwo"})
    page = text(amal.get(url(attempt, 1)))
    assert 'data-state="waiting"' in page
    assert "Saved; a person will mark it" in page
    assert '<div class="mpquiz-written" dir="auto">One &lt;b&gt;\ntwo</div>' in page
    assert "Eight bits." in page
    assert f'href="{url(attempt, 2)}">Next question' in page


@pytest.fixture
def finished(attempt):
    attempt.answer(1, "Because.")
    attempt.answer(2, 1)
    return attempt


def test_until_all_is_marked_the_score_is_one_so_far(amal, finished):
    page = text(amal.get(url(finished)))
    assert "Your score so far:" in page
    assert "Waiting to be marked: 1. The score is not final before that." in page
    assert "Question 1: not marked yet" in page
    assert "assed" not in page.replace("pass mark", "")
    mine = text(amal.get("/en/quizzes/mine/"))
    assert "Waiting to be marked: 1" in mine
    assert "So far" in mine
    assert "Waiting to be marked: 1" in text(amal.get("/en/quizzes/"))


def test_what_is_reached_already_is_passed(amal, finished):
    Attempt.objects.update(rules={**finished.rules, "pass_mark": "25"})
    page = text(amal.get(url(finished)))
    assert "Passed:" in page
    assert "Waiting to be marked: 1" in page


def test_a_mark_is_shown_with_its_comment_as_plain_text(amal, finished, teacher):
    comment = "Good <b>start</b>.\n*More* next time."
    finished.mark_by_hand(1, Decimal(1), by=teacher, comment=comment)
    for page in (text(amal.get(url(finished, 1))), text(amal.get(url(finished)))):
        assert 'Marked: <bdi dir="ltr">1\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}3</bdi>' in page
        assert "Comment of whoever marked it" in page
        assert 'dir="auto">Good &lt;b&gt;start&lt;/b&gt;.\n*More* next time.</div>' in page
        assert "teacher" not in page
    page = text(amal.get(url(finished)))
    assert "Passed: " in page
    assert "Waiting" not in page
    assert "Waiting" not in text(amal.get("/en/quizzes/mine/"))


def test_without_points_there_are_words_alone(amal, user, teacher):
    quiz = make_quiz(make_essay())
    quiz.places.update(points=0)
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, "Because.")
    attempt.mark_by_hand(1, Decimal(0), by=teacher, comment="Thank you.")
    page = text(amal.get(url(attempt, 1)))
    assert 'tabindex="-1" autofocus>Marked</h3>' in page
    assert "Thank you." in page
    result = text(amal.get(url(attempt)))
    assert "0\N{NO-BREAK SPACE}" not in result
    assert "Finished" in result


def test_an_abandoned_attempt_promises_no_mark(amal, attempt):
    attempt.answer(1, "Because.")
    attempt.abandon()
    page = text(amal.get(url(attempt)))
    assert "a person will mark it" not in page
    assert "Not marked, since you left the attempt" in page
    assert "Waiting" not in page


def test_a_waiting_essay_is_not_offered_for_a_retry(amal, finished):
    assert "Retry" not in text(amal.get(url(finished)))


# A session that ended -----------------------------------------------------------------------------------------


def sent_without_a_session(client, attempt, given, position=1, **headers):
    client.logout()
    return client.post(url(attempt, position), {"given": given}, headers=headers)


def sign_in(client, name="amal", address="/"):
    return client.post(f"/accounts/login/?next={address}", {"username": name, "password": "secret"})


def test_a_long_text_waits_until_its_learner_has_signed_in(amal, user):
    attempt, essay = long_essay(user), "سطر طويل\r\n" * 800
    sent = sent_without_a_session(amal, attempt, essay)
    assert sent.status_code == 303
    assert len(sent["Location"]) < 300
    back = amal.post(sent["Location"], {"username": "amal", "password": "secret"})
    assert back["Location"] == url(attempt, 1)
    assert essay in text(amal.get(back["Location"]))
    amal.post(url(attempt, 1), {"given": essay})
    assert attempt.answers.get(position=1).given == essay.replace("\r\n", "\n").strip()
    assert "mpquiz_drafts" not in amal.session or amal.session["mpquiz_drafts"] == {}


def test_in_place_a_long_text_waits_too(amal, user):
    attempt = long_essay(user)
    sent = sent_without_a_session(amal, attempt, "long " * 1000, **{"HX-Request": "true"})
    assert "HX-Redirect" in sent
    sign_in(amal)
    assert "long long" in text(amal.get(url(attempt, 1)))
    assert "long long" not in text(amal.get(url(attempt, 2)))


def test_a_long_text_is_shown_to_nobody_else(amal, user):
    attempt = long_essay(user)
    make_user("stranger")
    sent_without_a_session(amal, attempt, "secret words " * 500)
    sign_in(amal, "stranger")
    assert amal.get(url(attempt, 1)).status_code == 404
    own = Attempt.objects.start(attempt.quiz, learner(make_user("third")))
    assert amal.get(url(own, 1)).status_code == 404
    assert "secret words" not in text(amal.get("/en/quizzes/long/"))


def test_a_short_text_stays_in_the_address_and_makes_no_session(amal, user):
    attempt = long_essay(user)
    amal.logout()
    Session.objects.all().delete()
    sent = sent_without_a_session(amal, attempt, "short")
    assert "given%3Dshort" in sent["Location"]
    assert not Session.objects.exists()


def test_drafts_are_few_and_the_newest_stays(amal, user):
    attempt = long_essay(user, 100_000)
    amal.logout()
    for position, length in ((1, 20_000), (2, 40_000)):
        amal.post(url(attempt, position), {"given": "x " * length})
    drafts = amal.session["mpquiz_drafts"]
    assert list(drafts) == [f"{attempt.public_id}/2"]
    assert len(drafts[f"{attempt.public_id}/2"][0][1]) == 50_000


def test_sessions_that_are_cookies_keep_the_beginning(amal, user, settings):
    attempt = long_essay(user)
    settings.SESSION_ENGINE = "django.contrib.sessions.backends.signed_cookies"
    amal.cookies.clear()
    sent = amal.post(url(attempt, 1), {"given": "long " * 1000})
    assert "given%3Dlong" in sent["Location"]
    assert len(sent["Location"]) < 1000


def test_an_address_that_sends_too_many_drafts_is_held_back(client, user, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"answer": "2/min"}}
    attempt = long_essay(user)
    codes = [client.post(url(attempt, 1), {"given": "long " * 1000}).status_code for _press in range(3)]
    assert codes == [303, 303, 429]
