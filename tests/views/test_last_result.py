"""The way back to the last result, on the page of its quiz."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from mpquiz.models import Attempt, Quiz
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.views.conftest import hidden, text, url

PAGE = "/en/quizzes/floats/"
LINES = ("right_or_wrong", "score", "right_answer", "explanation")


def line(page):
    """What stands above the start, as it is read; "" where nothing does."""
    found = re.search(r'<p class="mpquiz-facts mpquiz-last">(.*?)</p>', page, re.S)
    return " ".join(re.sub(r"<[^>]+>", "", found[1]).split()) if found else ""


def finished(quiz, user, *choices, **more):
    attempt = Attempt.objects.start(quiz, learner(user), **more)
    for position, choice in enumerate(choices, 1):
        attempt.answer(position, choice)
    attempt.finish()
    return attempt


def test_whoever_has_finished_nothing_reads_nothing_of_a_result(amal, client, attempt):
    attempt.answer(1, 1)
    for reader in (amal, client):
        page = text(reader.get(PAGE))
        assert line(page) == ""
        assert "My quizzes" not in page


def test_the_page_of_a_quiz_leads_back_to_the_last_result(amal, user, quiz, stranger):
    finished(quiz, user, 1, 1)
    last = finished(quiz, user, 1)
    page = text(amal.get(PAGE))
    assert line(page) == "Your best: 66 % See your last result My quizzes"
    assert f'href="{url(last)}">See your last result</a>' in page
    assert 'href="/en/quizzes/mine/">My quizzes</a>' in page
    assert page.index("mpquiz-last") < page.index("Question 1 of 3")
    assert line(text(stranger.get(PAGE))) == ""


def test_the_last_answer_is_enough(amal, quiz):
    """The result is not lost to whoever goes away without having asked for it."""
    form = hidden(amal.get(PAGE))
    amal.post(f"{PAGE}start/", form | {"given": "1"})
    attempt = Attempt.objects.get()
    for position in (2, 3):
        amal.post(url(attempt, position), {"given": "1"})
    assert f'href="{url(attempt)}"' in text(amal.get(PAGE))


def test_a_guest_is_led_back_too(client, quiz):
    form = hidden(client.get(PAGE))
    client.post(f"{PAGE}start/", form | {"given": "1"})
    attempt = Attempt.objects.get()
    client.post(url(attempt, "finish"), {"confirm": "yes"})
    page = text(client.get(PAGE))
    assert line(page).startswith("Your best: 33")
    assert f'href="{url(attempt)}"' in page
    assert line(text(Client().get(PAGE))) == ""


@pytest.mark.parametrize(
    ("counting", "words"),
    [
        ("best", "Your best: 66"),
        ("last", "Your result: 33"),
        ("first", "Your result: 66"),
        ("average", "Your average: 50"),
    ],
)
def test_the_result_is_the_one_that_counts(amal, user, quiz, counting, words):
    Quiz.objects.update(counting=counting)
    finished(quiz, user, 1, 1)
    finished(quiz, user, 1)
    assert line(text(amal.get(PAGE))).startswith(words)


def test_answers_that_wait_are_told_as_the_card_tells_them(amal, user):
    quiz = make_quiz(make_question(("One", True), "Two"), make_essay())
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, 1)
    attempt.answer(2, "Because.")
    words = "Waiting to be marked: 1"
    assert line(text(amal.get(PAGE))).split("See")[0].strip().endswith(words)
    assert words in text(amal.get("/en/quizzes/"))


@pytest.mark.parametrize("layout", ["one", "all"])
@pytest.mark.parametrize("preview", [True, False])
def test_what_is_held_back_is_not_told_above_any_start(amal, user, layout, preview):
    held = {f"show_{name}": "close" for name in LINES}
    closes_at = timezone.now() + timedelta(hours=1)
    quiz = make_quiz(layout=layout, preview=preview, feedback="at_end", closes_at=closes_at, pass_mark=50, **held)
    last = finished(quiz, user, 1)
    page = text(amal.get(PAGE))
    assert line(page) == "Handed in See your last result My quizzes"
    assert f'href="{url(last)}"' in page
    Quiz.objects.update(closes_at=timezone.now() - timedelta(seconds=1))
    closed = text(amal.get(PAGE))
    assert line(closed) == "Your best: 33 % See your last result My quizzes"
    assert "This quiz closed on" in closed


def test_whoever_has_no_attempt_left_is_led_back(amal, user, quiz):
    Quiz.objects.update(attempts_allowed=1)
    finished(quiz, user, 1, 1, 1)
    page = text(amal.get(PAGE))
    assert line(page).startswith("Your best: 100")
    assert "You have used the attempt that you had." in page


def test_the_line_stands_over_an_attempt_that_goes_on(amal, user, quiz):
    last = finished(quiz, user, 1)
    Attempt.objects.start(quiz, learner(user)).answer(1, 1)
    page = text(amal.get(PAGE))
    assert f'href="{url(last)}">See your last result</a>' in page
    assert "Question 2 of 3" in page


def test_what_was_left_is_no_result_and_practice_is(amal, user, quiz):
    Attempt.objects.start(quiz, learner(user)).abandon()
    assert line(text(amal.get(PAGE))) == ""
    finished(quiz, user, 1, 2, 1)
    practice = Attempt.objects.latest("number").retry(learner(user), number=3)
    practice.answer(1, 1)
    page = text(amal.get(PAGE))
    assert line(page).startswith("Your best: 66")
    assert f'href="{url(practice)}">See your last result</a>' in page


def test_a_trial_counts_for_nothing(client, quiz):
    editor = make_user("editor", is_staff=True, is_superuser=True)
    client.force_login(editor)
    finished(quiz, editor, 1, trial=True)
    assert line(text(client.get(PAGE))) == "Trial, does not count See your last result My quizzes"


def test_a_result_without_points_says_finished(amal, user, quiz):
    finished(quiz, user)
    Attempt.objects.update(maximum=0)
    assert line(text(amal.get(PAGE))) == "Finished See your last result My quizzes"
