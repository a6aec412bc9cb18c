"""A host's own kind, as the README shows it: asked, answered, marked and reviewed through the pages."""

import re
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.test import Client

from mpquiz.models import Attempt
from tests.factories import learner, make_question, make_quiz, make_user
from tests.views.conftest import hidden, text, url

pytestmark = pytest.mark.django_db
TESTS = Path(__file__).parents[1]
OWN = {"year.py": TESTS / "kinds" / "year.py", "course/year.html": TESTS / "templates" / "course" / "year.html"}


@pytest.fixture(autouse=True)
def year(settings):
    settings.MPQUIZ = settings.MPQUIZ | {"KINDS": {"year": "tests.kinds.year.Year"}}


STAGE = {"HX-Request": "true", "HX-Target": "floats-mpquiz-stage", "HX-Current-URL": "http://testserver/en/lesson/"}


@pytest.fixture
def user():
    return make_user()


@pytest.fixture
def amal(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def moon():
    """A quiz of two questions of the host's kind."""
    questions = [
        make_question({"value": "1969"}, kind="year", prompt={"en": "Who walked when?", "ar": "متى كان ذلك؟"}),
        make_question({"value": "1957"}, kind="year", prompt="And the first satellite?"),
    ]
    return make_quiz(*questions)


def test_its_field_is_named_by_the_prompt_within_a_lesson_too(moon):
    page = text(Client().get("/en/quizzes/floats/embedded/", headers=STAGE))
    [prompt] = re.findall(r'name="given"[^>]* aria-labelledby="([^"]+)"', page)
    assert f'id="{prompt}"' in page


def test_the_readme_shows_it_in_under_40_lines():
    section = (TESTS.parent / "README.md").read_text(encoding="utf-8").split("## Own kinds")[1].split("\n## ")[0]
    blocks = re.findall(r"```(?:python|django)\n(.*?)```", section, re.DOTALL)
    assert [path.read_text(encoding="utf-8") for path in OWN.values()] == blocks[:2]
    assert sum(len(block.splitlines()) for block in blocks[:2]) < 40


def test_django_s_checks_find_nothing_wrong_with_it():
    assert [message for message in run_checks() if message.id.startswith("mpquiz.E")] == []


def test_a_visitor_is_asked_on_the_quiz_s_own_page_and_starts_with_the_answer(moon):
    visitor = Client()
    page = visitor.get("/en/quizzes/floats/")
    assert 'name="given" value="" aria-labelledby="mpquiz-prompt"' in text(page)
    assert "1969" not in text(page)
    started = visitor.post("/en/quizzes/floats/start/", {**hidden(page), "given": "1970"}, follow=True)
    assert "Partly right" in text(started)
    assert "<bdi>1970</bdi> → <bdi>1969</bdi>" in text(started)


def test_it_is_asked_answered_marked_and_reviewed(amal, user, moon):
    attempt = Attempt.objects.start(moon, learner(user))
    asked = text(amal.get(url(attempt, 1)))
    assert "Who walked when?" in asked
    assert "1969" not in asked
    refused = amal.post(url(attempt, 1), {"given": "the <sixties>"})
    assert refused.status_code == 400
    assert "Write a year in digits." in text(refused)
    assert 'value="the &lt;sixties&gt;"' in text(refused)
    assert amal.post(url(attempt, 1), {"given": "١٩٦٧"}).status_code == 303
    told = text(amal.get(url(attempt, 1)))
    assert "Partly right" in told
    assert "<bdi>1967</bdi> → <bdi>1969</bdi>" in told
    amal.post(url(attempt, 2), {"given": "1957"})
    assert [answer.fraction for answer in attempt.answers.all()] == [Decimal("0.8"), Decimal(1)]
    assert "<bdi>1967</bdi> → <bdi>1969</bdi>" in text(amal.get(url(attempt)))


def test_a_question_that_it_finds_wanting_is_not_asked(user):
    quiz = make_quiz(make_question({"value": "soon"}, kind="year"), make_question({"value": "1969"}, kind="year"))
    assert Attempt.objects.start(quiz, learner(user)).answers.count() == 1
