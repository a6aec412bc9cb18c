"""Pages to read on the way through a quiz: they count nowhere, and the way leads over them."""

import re

import pytest

from mpquiz.models import Attempt
from mpquiz.models.answer import fingerprint
from tests.factories import learner, make_guide, make_page, make_question, make_quiz
from tests.views.conftest import hidden, text, url

pytestmark = pytest.mark.django_db
PAGE = "/en/quizzes/floats/"
START = f"{PAGE}start/"


def of(pattern, **fields):
    """A quiz laid out as a word: P a page, Q a question."""
    makers = {"P": lambda n: make_page(f"Text {n}."), "Q": lambda n: make_question(prompt=f"Question {n}?")}
    return make_quiz(*(makers[letter](place) for place, letter in enumerate(pattern, 1)), **fields)


@pytest.fixture
def start(user):
    return lambda pattern, **fields: Attempt.objects.start(of(pattern, **fields), learner(user))


def next_of(page):
    """The position that the button leads to, and what it says; 0 for the result."""
    address, word = re.search(r'class="mpquiz-button" href="([^"]+)">([^<]+)<', text(page)).groups()
    tail = address.rstrip("/").split("/")[-1]
    return (int(tail) if tail.isdecimal() else 0), word


def steps_of(page):
    return re.findall(r'<li class="mpquiz-step"([^>]*)>', text(page))


# The quiz page ------------------------------------------------------------------------------------------------


def test_a_quiz_that_begins_with_a_page_has_a_start_button(amal):
    of("PQ")
    page = amal.get(PAGE)
    assert 'name="given"' not in text(page)
    assert text(page).count("1 question<") == 2
    begun = amal.post(START, hidden(page))
    assert begun["Location"] == url(Attempt.objects.get(), 1)


def test_a_quiz_that_begins_with_a_question_opens_on_it_and_does_not_count_its_pages(amal):
    of("QPQ")
    page = amal.get(PAGE)
    assert "Question 1 of 2" in text(page)
    assert steps_of(page) == [" data-current", ' data-state="page"', ""]


def test_the_preview_shows_pages_without_a_number(amal):
    of("PQP")
    page = text(amal.get(PAGE))
    assert page.count('<li class="mpquiz-numbered">') == 1
    assert page.count('<li class="mpquiz-unnumbered">') == 2
    assert "Text 3." in page
    assert page.count('id="mpquiz-prompt"') == 0


def test_a_quiz_of_pages_alone_has_no_questions_yet(amal):
    of("PP")
    assert "no questions yet" in text(amal.get(PAGE))
    assert amal.post(START, {"number": "1"}).status_code == 403
    assert not Attempt.objects.exists()


def test_a_forged_first_answer_to_a_page_starts_nothing(amal):
    quiz = of("PQ")
    seen = fingerprint(quiz.placed()[0].content)
    assert amal.post(START, {"number": "1", "seen": seen, "given": "1"}).status_code == 400
    assert not Attempt.objects.exists()


def test_the_list_counts_questions_only(amal):
    of("PQPQP")
    assert "2 questions" in text(amal.get("/en/quizzes/"))


# A page -------------------------------------------------------------------------------------------------------


def test_a_page_shows_its_text_and_a_link_and_writes_nothing(amal, start):
    attempt = start("PQ")
    page = amal.get(url(attempt, 1))
    assert "A page to read" in text(page)
    assert "Text 1." in text(page)
    assert next_of(page) == (2, "Continue")
    assert f'action="{url(attempt, 1)}"' not in text(page)
    answer = attempt.answers.get(position=1)
    assert (answer.asks, answer.answered_at, answer.points, answer.state) == (False, None, 0, "page")


@pytest.mark.parametrize("data", [{}, {"given": "1"}, {"given": ["1"] * 50}])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_a_post_to_a_page_leads_on(amal, start, data, headers):
    attempt = start("PQ")
    response = amal.post(url(attempt, 1), data, headers=headers)
    assert response.headers.get("HX-Redirect", response.headers.get("Location")) == url(attempt, 2)
    assert not attempt.answers.exclude(answered_at=None).exists()


def test_a_page_keeps_its_language_and_direction(amal, user):
    quiz = make_quiz(make_page({"ar": "اقرأ هذا."}), make_question())
    attempt = Attempt.objects.start(quiz, learner(user))
    page = text(amal.get(url(attempt, 1)))
    assert '<div class="mpquiz-reading-text" id="mpquiz-prompt" lang="ar" dir="rtl"><p>اقرأ هذا.</p>' in page


# The way ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pattern", "answered", "at", "expected"),
    [
        ("PQ", [], 1, (2, "Continue")),
        ("PPQ", [], 1, (2, "Continue")),
        ("QPQ", [1], 1, (2, "Continue")),
        ("QQP", [1], 1, (2, "Next question")),
        ("QPQQ", [1, 3], 1, (2, "Continue")),
        ("QPQQ", [1, 3], 2, (4, "Continue")),
        ("QPQ", [3], 3, (1, "Next question")),  # only the first is left
        ("PQQ", [3], 3, (1, "Continue")),  # entered through the page before it
        ("QPPQQ", [1, 5], 5, (2, "Continue")),
        ("QPQQP", [1, 4], 4, (5, "Continue")),  # a page after it comes first
        ("QPQQP", [1, 4], 5, (2, "Continue")),
        ("QP", [1], 1, (2, "Continue")),  # finished, and there is more to read
        ("QPP", [1], 2, (3, "Continue")),
        ("QPP", [1], 3, (0, "See your result")),
        ("QPQ", [1, 3], 1, (0, "See your result")),
        ("QPQ", [1, 3], 2, (0, "See your result")),
        ("PQ", [2], 1, (0, "See your result")),
        ("PQ", [2], 2, (0, "See your result")),
    ],
)
def test_the_way_leads_over_pages_to_what_is_not_answered(amal, start, pattern, answered, at, expected):
    attempt = start(pattern)
    for position in answered:
        attempt.answer(position, 1)
    assert next_of(amal.get(url(attempt, at))) == expected


@pytest.mark.parametrize(
    ("pattern", "answered", "entry"), [("PQQ", [], 1), ("PQQ", [2], 3), ("QPPQ", [1], 2), ("QPQP", [3], 1)]
)
def test_an_attempt_goes_on_at_its_next_question_or_the_pages_before_it(amal, start, pattern, answered, entry):
    attempt = start(pattern)
    for position in answered:
        attempt.answer(position, 1)
    assert amal.get(url(attempt))["Location"] == url(attempt, entry)
    assert amal.post(START, {"number": "1"})["Location"] in (url(attempt, entry), url(attempt, 1))
    page = amal.get(PAGE)
    if pattern[entry - 1] == "P":
        assert "A page to read" in text(page)
        assert next_of(page)[0] == entry + 1
    else:
        assert f'action="{url(attempt, entry)}"' in text(page)


@pytest.mark.parametrize("pattern", ["PQPQP", "QQPP", "PPQ", "QPQPQ", "PQQP"])
def test_whoever_presses_the_buttons_reads_all_and_ends_at_the_result(amal, start, pattern):
    attempt = start(pattern)
    seen, position = [], 1
    while position:
        seen.append(position)
        assert len(seen) <= len(pattern)
        if pattern[position - 1] == "Q":
            amal.post(url(attempt, position), {"given": "1"})
        position, _word = next_of(amal.get(url(attempt, position)))
    assert seen == list(range(1, len(pattern) + 1))
    assert amal.get(url(attempt)).status_code == 200


def test_the_last_answer_finishes_though_there_is_more_to_read(amal, start):
    attempt = start("PQP")
    amal.post(url(attempt, 2), {"given": "1"})
    attempt.refresh_from_db()
    assert attempt.ended == "finished"
    page = amal.get(url(attempt, 3))
    assert page.status_code == 200
    assert "Text 3." in text(page)
    assert "Finish now" not in text(page)


# What counts --------------------------------------------------------------------------------------------------


def test_questions_are_numbered_without_the_pages(amal, start):
    attempt = start("PQPQ")
    assert "Question 1 of 2" in text(amal.get(url(attempt, 2)))
    assert "Question 2 of 2" in text(amal.get(url(attempt, 4)))


def test_finishing_early_does_not_count_pages(amal, start):
    attempt = start("PQPQQ")
    attempt.answer(2, 1)
    assert "2 questions are not answered" in text(amal.post(url(attempt, "finish")))


def test_the_result_counts_no_page_and_the_review_shows_its_text_without_a_verdict(amal, start):
    attempt = start("PQP")
    attempt.answer(2, 2)
    page = text(amal.get(url(attempt)))
    assert re.findall(r"Question \d: \w+", page) == ["Question 1: wrong"]
    assert len(re.findall('class="mpquiz-step"', page)) == 1
    assert "Text 1." in page
    assert page.count('class="mpquiz-feedback"') == 1
    assert '<small class="mpquiz-small">1 question</small>' in page


def test_a_retry_leaves_pages_out(amal, start, user):
    attempt = start("PQP")
    attempt.answer(2, 2)
    assert "Retry the one you missed" in text(amal.get(url(attempt)))
    retry = attempt.retry(learner(user), number=2)
    assert [answer.asks for answer in retry.answers.all()] == [True]


def test_the_guides_of_a_page_are_no_reading_of_the_result(amal, user):
    guide = make_guide()
    page = make_page()
    page.guides.set([guide])
    attempt = Attempt.objects.start(make_quiz(page, make_question()), learner(user))
    attempt.answer(2, 1)
    assert "What to read next" not in text(amal.get(url(attempt)))


def test_a_page_edited_or_deleted_in_mid_attempt_is_shown_as_it_was(amal, start):
    attempt = start("PQ")
    attempt.quiz.questions.get(kind="page").delete()
    assert "Text 1." in text(amal.get(url(attempt, 1)))
