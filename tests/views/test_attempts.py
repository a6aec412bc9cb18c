"""Finishing, starting over, practising, the result, and what a learner has taken."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client

from mpquiz.models import Attempt, QuestionVersion
from tests.factories import learner, make_guide, make_question, make_quiz
from tests.views.conftest import hidden, text, url

pytestmark = pytest.mark.django_db


def answered(attempt, *given):
    for position, value in enumerate(given, 1):
        attempt.answer(position, value)
    attempt.refresh_from_db()
    return attempt


# Finish -------------------------------------------------------------------------------------------------------


def test_finishing_early_asks_first(amal, attempt):
    attempt.answer(1, 1)
    asked = amal.post(url(attempt, "finish"))
    assert asked.status_code == 200
    assert "2 questions are not answered; they count as wrong." in text(asked)
    attempt.refresh_from_db()
    assert attempt.open


def test_finishing_leads_to_the_result_as_often_as_it_is_pressed(amal, attempt):
    for _press in range(2):
        done = amal.post(url(attempt, "finish"), {"confirm": "yes"})
        assert (done.status_code, done["Location"]) == (303, url(attempt))
    attempt.refresh_from_db()
    assert attempt.ended == "finished"


# Start over and retry -----------------------------------------------------------------------------------------


def test_starting_over_in_the_middle_asks_first(amal, attempt):
    asked = amal.post(url(attempt, "start-over"), {"number": "2"})
    assert asked.status_code == 200
    assert hidden(asked) == {"confirm": "yes", "number": "2"}
    begun = amal.post(url(attempt, "start-over"), hidden(asked))
    new = Attempt.objects.get(number=2)
    assert (begun.status_code, begun["Location"]) == (303, url(new, 1))
    attempt.refresh_from_db()
    assert attempt.ended == "abandoned"


def test_starting_over_again_and_again_starts_one(amal, attempt):
    attempt.finish()
    places = {amal.post(url(attempt, "start-over"), {"number": "2"})["Location"] for _press in range(3)}
    assert len(places) == 1
    assert Attempt.objects.count() == 2


def test_practising_what_was_missed_starts_at_once_and_counts_nothing(amal, attempt):
    answered(attempt, 1, 2, 3)
    page = amal.get(url(attempt))
    assert "Retry the 2 you missed" in text(page)
    places = {amal.post(url(attempt, "retry"), {"number": "2"})["Location"] for _press in range(2)}
    practice = Attempt.objects.get(retry_of=attempt)
    assert places == {url(practice, 1)}
    assert "Practice, does not count" in text(amal.get(url(practice, 1)))
    practice.finish()
    page = text(amal.get(url(practice)))
    assert "Practice:" in page
    assert "does not count as a result" in page


def test_practising_beside_an_open_attempt_asks_first(amal, attempt):
    answered(attempt, 2, 2, 2)
    other = attempt.start_over(learner(attempt.user), number=2)
    asked = amal.post(url(attempt, "retry"), {"number": "3"})
    assert asked.status_code == 200
    assert amal.post(url(attempt, "retry"), hidden(asked)).status_code == 303
    other.refresh_from_db()
    assert other.ended == "abandoned"


def test_practising_what_is_gone_says_so_and_loses_nothing(amal, attempt, quiz):
    answered(attempt, 1, 2, 1)
    quiz.places.all().delete()
    page = amal.post(url(attempt, "retry"), {"number": "2"})
    assert page.status_code == 403
    assert "None of the questions missed" in text(page)
    assert amal.get(url(attempt)).status_code == 200


def test_starting_over_a_closed_quiz_says_so_and_keeps_the_attempt(amal, attempt, quiz):
    quiz.languages.all().delete()
    page = amal.post(url(attempt, "start-over"), {"number": "2", "confirm": "yes"})
    assert page.status_code == 403
    attempt.refresh_from_db()
    assert attempt.open


@pytest.mark.parametrize("verb", ["finish", "start-over", "retry"])
def test_the_address_of_a_form_leads_back_when_it_is_only_opened(amal, attempt, verb):
    """As a language switch on the page that asks first does."""
    response = amal.get(url(attempt, verb))
    assert (response.status_code, response.url) == (302, url(attempt))
    attempt.refresh_from_db()
    assert attempt.open
    assert Attempt.objects.count() == 1
    assert amal.put(url(attempt, verb)).status_code == 405


@pytest.mark.parametrize("verb", ["start-over", "retry"])
def test_a_form_without_a_number_starts_the_next(amal, attempt, verb):
    answered(attempt, 1, 1, 2)
    assert amal.post(url(attempt, verb), {"number": "x"}).status_code == 303
    assert Attempt.objects.filter(number=2).exists()


# The result ---------------------------------------------------------------------------------------------------


def test_the_result_of_an_open_attempt_leads_to_its_next_question(amal, attempt):
    attempt.answer(1, 1)
    assert amal.get(url(attempt))["Location"] == url(attempt, 2)


def test_the_result_says_score_states_and_review(amal, attempt):
    answered(attempt, 1, 2, 1)
    Attempt.objects.update(finished_at=attempt.started_at + timedelta(minutes=4, seconds=12))
    page = text(amal.get(url(attempt)))
    assert '<bdi dir="ltr">2\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}3</bdi>' in page
    assert 'Your score: <bdi dir="ltr">66\N{NO-BREAK SPACE}%</bdi>' in page
    assert "Question 2: wrong" in page
    assert "4 min 12 s" in page
    assert page.count("Because it is.") == 3
    assert page.count("Your answer, right") == 2
    assert "Retry the one you missed" in page


@pytest.mark.parametrize(
    ("mark", "words"), [(Decimal(66), "Passed:"), (Decimal("66.67"), "Not passed:"), (None, "Your score:")]
)
def test_passing_is_said_in_words(amal, user, mark, words):
    attempt = answered(Attempt.objects.start(make_quiz(pass_mark=mark), learner(user)), 1, 1, 2)
    page = text(amal.get(url(attempt)))
    assert words in page
    assert ("The pass mark is" in page) == (mark is not None)


def test_what_to_read_next_begins_with_what_was_missed(amal, user):
    first, second = make_guide("first", "First", place=1), make_guide("second", "Second", place=2)
    questions = [make_question(guides=[first]), make_question(guides=[second]), make_question(guides=[second])]
    attempt = answered(Attempt.objects.start(make_quiz(*questions), learner(user)), 1, 2, 1)
    page = text(amal.get(url(attempt)))
    assert page.index('href="/guides/second/"') < page.index('href="/guides/first/"')
    assert "1 of 2 missed" in page


def test_the_best_attempt_is_the_one_with_the_greatest_share(amal, attempt, quiz, user):
    answered(attempt, 1, 1, 2)
    quiz.places.filter(place__gt=1).delete()
    short = answered(attempt.start_over(learner(user), number=2), 2)
    page = text(amal.get(url(short)))
    assert 'Your best: <bdi dir="ltr">66\N{NO-BREAK SPACE}%</bdi>' in page


def test_an_abandoned_attempt_says_so(amal, attempt):
    attempt.abandon()
    assert "so it does not count" in text(amal.get(url(attempt)))


def test_a_deleted_question_is_reviewed_but_not_practised(amal, attempt, quiz):
    answered(attempt, 2, 1, 1)
    quiz.questions.all().delete()
    page = text(amal.get(url(attempt)))
    assert "Question 1?" in page
    assert "Retry" not in page


@pytest.mark.parametrize("closed", ["archived", "unpublished"])
def test_a_quiz_closed_since_is_not_offered_again(amal, attempt, quiz, closed):
    answered(attempt, 2, 2, 1)
    assert "Start over" in text(amal.get(url(attempt)))
    if closed == "archived":
        quiz.archived = True
        quiz.save()
    else:
        quiz.languages.all().delete()
    page = text(amal.get(url(attempt)))
    assert "Start over" not in page
    assert "Retry" not in page
    assert "Question 1: wrong" in page


def test_only_what_the_quiz_still_asks_is_offered_for_a_retry(amal, attempt, quiz):
    answered(attempt, 2, 2, 2)
    quiz.places.get(place=1).delete()
    quiz.questions.get(places__place=2).delete()
    assert "Retry the one you missed" in text(amal.get(url(attempt)))


def test_without_points_there_is_no_score(amal, quiz, user):
    quiz.pass_mark = 50
    quiz.save()
    quiz.places.update(points=0)
    attempt = answered(Attempt.objects.start(quiz, learner(user)), 1, 2, 1)
    page = text(amal.get(url(attempt)))
    assert "Finished" in page
    assert "pass mark" not in page
    for shown in (page, text(amal.get("/en/quizzes/mine/")), text(amal.get("/en/quizzes/"))):
        assert "0\N{NO-BREAK SPACE}" not in shown


def test_a_result_in_arabic_keeps_its_numbers_in_order(amal, attempt):
    answered(attempt, 1, 1, 2)
    page = text(amal.get(url(attempt, language="ar")))
    assert 'dir="rtl"' in page
    assert '<bdi dir="ltr">66\N{NO-BREAK SPACE}%</bdi>' in page


# My quizzes ---------------------------------------------------------------------------------------------------


def test_my_quizzes_lists_open_ones_first(amal, attempt, user):
    done = answered(Attempt.objects.start(make_quiz(slug="other", title="Other", count=1), learner(user)), 1)
    page = text(amal.get("/en/quizzes/mine/"))
    assert page.index(url(attempt)) < page.index(url(done))
    assert "Continue" in page
    assert 'Your best: <bdi dir="ltr">100' in page


def test_my_quizzes_come_in_pages(amal, quiz, user):
    version = QuestionVersion.objects.create(digest="x", content={})
    Attempt.objects.bulk_create(
        Attempt(quiz=quiz, user=user, number=number, open=None, maximum=3, title={"en": "Floating point"})
        for number in range(1, 61)
    )
    assert text(amal.get("/en/quizzes/mine/")).count('class="mpquiz-attempt"') == 50
    for last in ("2", "99", "x"):
        page = amal.get("/en/quizzes/mine/", {"page": last})
        assert page.status_code == 200
    assert version.pk


def test_a_guest_is_told_that_signing_in_keeps_them(client, quiz):
    assert "Sign in to keep your quizzes." in text(client.get("/en/quizzes/mine/"))


def test_nobody_sees_another_s_quizzes(stranger, attempt):
    assert str(attempt.public_id) not in text(stranger.get("/en/quizzes/mine/"))


# The whole road without JavaScript ----------------------------------------------------------------------------


def test_a_guest_takes_the_quiz_signs_in_and_keeps_it(quiz, user):
    client = Client()
    page = client.get("/ar/quizzes/floats/")
    page = client.post("/ar/quizzes/floats/start/", hidden(page) | {"given": "1"}, follow=True)
    attempt = Attempt.objects.get()
    assert attempt.guest
    client.post(url(attempt, 2, "ar"), {"given": "2"}, follow=True)
    client.post("/accounts/login/?next=/", {"username": "amal", "password": "secret"})
    attempt.refresh_from_db()
    assert (attempt.user, attempt.guest) == (user, None)
    last = client.post(url(attempt, 3, "ar"), {"given": "1"}, follow=True)
    assert url(attempt, language="ar") in text(last)
    assert client.get(url(attempt, language="ar")).status_code == 200
    attempt.refresh_from_db()
    assert (attempt.score, attempt.ended) == (2, "finished")
