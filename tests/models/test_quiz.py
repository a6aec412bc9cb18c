"""Quizzes: what is offered to whom, what is asked, where guides lead."""

from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.test import override_settings
from django.utils import translation

from mpquiz import exchange
from mpquiz.content import QuizContent
from mpquiz.models import Attempt, Choice, Guide, Question, Quiz
from tests.factories import learner, make_guide, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("slug", ["mine", "attempts"])
def test_a_slug_that_stands_in_other_addresses_is_refused(slug):
    with pytest.raises(ValidationError):
        Quiz(slug=slug).full_clean()
    loaded = exchange.load(QuizContent(slug=slug, title={"en": "Mine"}))
    assert [error.item.name for error in loaded.errors] == [slug]
    assert not Quiz.objects.exists()


def test_a_quiz_is_published_per_language():
    quiz = make_quiz(published=["ar"])
    assert list(Quiz.objects.published("ar")) == [quiz]
    assert list(Quiz.objects.published("en")) == []


def test_an_archived_quiz_is_not_published():
    make_quiz(archived=True)
    assert not Quiz.objects.published("en").exists()


def test_the_quizzes_of_a_guide_are_those_that_name_it_or_whose_questions_do():
    guide = make_guide()
    quiz = make_quiz(guides=[guide])
    other = make_quiz(make_question(guides=[guide]), slug="other")
    make_quiz(slug="stranger")
    assert set(Quiz.objects.of_guide("floats")) == {quiz, other}


def test_a_question_that_cannot_be_asked_is_left_out():
    quiz = make_quiz(make_question(prompt="Sound?"), make_question("One choice"), make_question(prompt={}))
    assert [place.content.prompt["en"] for place in quiz.placed()] == ["Sound?"]


def test_a_question_of_a_kind_that_the_host_took_away_is_left_out():
    quiz = make_quiz(make_question(prompt="Sound?"), make_question(kind="gone"))
    assert [place.content.prompt["en"] for place in quiz.placed()] == ["Sound?"]


@pytest.mark.parametrize(
    ("permissions", "staff", "expected"), [((), False, False), ((), True, False), (("view_quiz",), True, True)]
)
def test_only_staff_who_may_look_at_quizzes_try_a_draft(permissions, staff, expected):
    user = make_user(is_staff=staff)
    for codename in permissions:
        from django.contrib.auth.models import Permission

        user.user_permissions.add(Permission.objects.get(codename=codename))
    assert make_quiz(published=[]).may_be_tried_by(learner(user)) is expected


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("", ""),
        ("https://example.org/floats", "https://example.org/floats"),
        ("/quizzes/", "/ar/quizzes/"),  # behind the language prefix, where the site has the page there
        ("/nowhere/", "/nowhere/"),
        ("/accounts/login/", "/accounts/login/"),
        ("mpquiz:quiz", "/ar/quizzes/floats/"),
        ("mpquiz:quiz_list", "/ar/quizzes/"),
        ("no-such-name", ""),
    ],
)
def test_a_guide_leads_to_its_page_in_the_reader_s_language(address, expected):
    guide = make_guide(address=address)
    with translation.override("ar"):
        assert guide.get_absolute_url() == expected


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "javascript://x%0aalert(1)",
        "//evil.example",
        "data:text/html,x",
        "guides/floats",
        "no-such-name",
    ],
)
def test_an_address_that_leads_nowhere_or_is_a_script_is_refused_and_never_linked(address):
    guide = Guide(slug="floats", title_en="Floats", address=address)
    with pytest.raises(ValidationError) as caught:
        guide.full_clean()
    assert list(caught.value.message_dict) == ["address"]
    assert guide.get_absolute_url() == ""


@pytest.mark.parametrize(
    "address", ["", "/guides/floats/", "https://example.org/a?b#c", "mpquiz:quiz_list", "mpquiz:quiz"]
)
def test_an_address_that_leads_somewhere_is_taken(address):
    Guide(slug="floats", title_en="Floats", address=address).full_clean()


def test_a_host_may_say_where_guides_are():
    with override_settings(MPQUIZ={"GUIDE_ADDRESS": lambda guide: f"/read/{guide.slug}"}):
        assert make_guide().get_absolute_url() == "/read/floats"


def test_a_choice_written_in_admin_gets_a_key_that_no_other_had():
    question = make_question()
    keys = {Choice.objects.create(question=question, place=9).key for _ in range(5)}
    assert len(keys) == 5
    assert keys.isdisjoint({"a", "b", "c"})


@pytest.mark.parametrize("settings", [[1], 5, "a", {"a": float("nan")}, {"a": float("inf")}])
def test_settings_of_a_question_are_a_plain_object(settings):
    with pytest.raises(ValidationError):
        Question(prompt_en="?", settings=settings).full_clean()
    Question(prompt_en="?", settings={"size": 3}).full_clean()


def test_settings_that_an_editor_emptied_are_none():
    question = Question(prompt_en="?", settings=None)
    question.full_clean()
    assert question.settings == {}


def test_an_attempt_may_be_worth_more_than_a_million():
    quiz = make_quiz(count=101)
    quiz.places.update(points=Decimal("9999.99"))
    attempt = Attempt.objects.start(quiz, learner(make_user()))
    for position in range(1, 102):
        attempt.answer(position, 1)
    attempt = Attempt.objects.get()
    assert (attempt.score, attempt.percent) == (attempt.maximum, 100)
