"""Tags and filters, and the base templates that our pages extend."""

import re
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.utils import translation

import mpquiz
from mpquiz.learners import Learner
from mpquiz.models import Attempt
from mpquiz.templatetags import mpquiz as tags
from mpquiz.words import NO_TEXT, Text
from tests.factories import learner, make_guide, make_question, make_quiz, make_user

TEMPLATES = Path(mpquiz.__file__).parent / "templates" / "mpquiz"


def rendered(source, **context):
    return Template("{% load mpquiz %}" + source).render(Context(context))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (Decimal("6.000000000"), "6"),
        (Decimal("6.50"), "6.5"),
        (Decimal("0.6666667"), "0.66"),
        (Decimal("99.999"), "99.99"),
        (Decimal("0.001"), "0"),
        (Decimal("100"), "100"),
        (0, "0"),
    ],
)
def test_points_are_rounded_down_and_have_no_zeros_at_their_end(value, shown):
    assert tags.points(value) == shown


def test_points_are_written_as_the_reader_writes_numbers():
    with translation.override("ar"):
        assert tags.points(Decimal("12.50")) == "12,5"


def test_scores_and_percents_read_from_the_left():
    assert tags.score(Decimal("6.00"), Decimal(8)) == '<bdi dir="ltr">6\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}8</bdi>'
    assert tags.percent(75) == '<bdi dir="ltr">75\N{NO-BREAK SPACE}%</bdi>'


def test_what_is_kept_together_is_escaped():
    assert tags.ltr("<b>") == '<bdi dir="ltr">&lt;b&gt;</bdi>'


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0 min 0 s"), (252.9, "4 min 12 s"), (3600, "1 h 0 min"), (90_000, "25 h 0 min")]
)
def test_a_duration_has_hours_from_the_first_on(seconds, shown):
    assert tags.duration(timedelta(seconds=seconds)) == shown


def test_a_text_says_its_language_and_direction():
    assert tags.text_attrs(Text("س", "ar")) == ' lang="ar" dir="rtl"'
    assert tags.text_attrs(Text("x", "en")) == ' lang="en" dir="ltr"'
    assert tags.text_attrs(NO_TEXT) == ""


def test_numbers_for_machines_are_not_localised():
    with translation.override("en"):
        assert rendered("{{ value|unlocalized }}", value=1234567) == "1234567"


def test_the_stylesheet_can_be_linked_by_a_host():
    assert rendered("{% mpquiz_css %}") == '<link rel="stylesheet" href="/static/mpquiz/quiz.css">'


# The cards of a guide -----------------------------------------------------------------------------------------

GUIDE = '{% quizzes_of_guide "floats" %}'


@pytest.mark.django_db
def test_a_guide_shows_the_quizzes_that_name_it():
    guide = make_guide()
    make_quiz(title="By itself", guides=[guide])
    make_quiz(make_question(guides=[guide]), slug="by-question", title="By a question")
    make_quiz(slug="other", title="Another")
    make_quiz(slug="draft", title="A draft", guides=[guide], published=())
    make_quiz(slug="arabic", title="In Arabic", guides=[guide], published=["ar"])
    shown = rendered(GUIDE)
    assert "By itself" in shown
    assert "By a question" in shown
    assert not any(name in shown for name in ("Another", "A draft", "In Arabic"))


@pytest.mark.django_db
def test_a_guide_without_quizzes_shows_nothing():
    make_guide()
    assert rendered(GUIDE).strip() == ""


@pytest.mark.django_db
def test_a_guide_shows_how_the_reader_stands(django_assert_max_num_queries):
    user = make_user()
    guide = make_guide()
    for number in range(5):
        quiz = make_quiz(slug=f"quiz-{number}", guides=[guide], count=1)
        Attempt.objects.start(quiz, learner(user)).answer(1, 1)
    request = RequestFactory().get("/")
    request.user = user
    with django_assert_max_num_queries(4):
        shown = rendered(GUIDE, request=request)
    assert shown.count('Your best: <bdi dir="ltr">100') == 5


def test_a_page_without_a_request_has_no_learner():
    assert not Learner()


# The host's base template -------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_without_a_base_template_there_is_ours(settings, client):
    settings.MPQUIZ = {}
    page = client.get("/ar/quizzes/").content.decode()
    assert '<html lang="ar" dir="rtl">' in page
    assert "<title>" in page
    assert '<article class="mpquiz" lang="ar" dir="rtl">' in page


@pytest.mark.django_db
def test_a_host_may_load_its_own_htmx(settings, client):
    settings.MPQUIZ = {**settings.MPQUIZ, "HTMX": False}
    page = client.get("/en/quizzes/").content.decode()
    assert "htmx-2" not in page
    assert "mpquiz/quiz.js" in page


def test_a_block_goes_by_the_name_that_the_host_gives_it(settings):
    settings.MPQUIZ = {"BLOCKS": {"content": "main"}}
    block = Template("{% load mpquiz %}{% hostblock content %}x{% endhostblock %}").nodelist[-1]
    assert block.name == "main"
    assert "x" in rendered("{% hostblock content %}x{% endhostblock %}")


@pytest.mark.django_db
def test_no_page_has_an_inline_script_or_style(client):
    make_quiz()
    page = client.get("/en/quizzes/floats/").content.decode()
    assert "<style" not in page
    assert " style=" not in page
    assert " on" not in "".join(part.split(">")[0] for part in page.split("<button")[1:])
    scripts = [part.split(">")[0] for part in page.split("<script")[1:]]
    assert all("src=" in one for one in scripts if one != ' type="application/ld+json"')


RAW = re.compile(r"\{\{[^}]*\.(title|description|prompt|explanation|text|feedback)\s*(\||\}\})")


@pytest.mark.parametrize("path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: path.name)
def test_no_template_prints_a_translated_text_raw(path):
    source = path.read_text(encoding="utf-8")
    assert not RAW.search(source)
    assert "|safe" not in source
    assert " style=" not in source
