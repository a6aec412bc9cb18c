"""The way to each page of ours looks as admin's own, whose markup is another one since Django 6.1."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.urls import reverse

import mpquiz
from tests.factories import make_question, make_quiz

pytestmark = pytest.mark.django_db
TRAIL = re.compile(r'<(\w+) class="breadcrumbs">(.*?)</\1>', re.S)


def trail(client, address):
    """The element of the way, and its steps."""
    name, within = TRAIL.search(client.get(address).content.decode()).groups()
    words = unescape(re.sub(r"<[^>]+>", " ", within.replace("</li>", "›")))
    return name, [" ".join(step.split()) for step in words.split("›") if step.strip()]


def test_the_way_to_our_pages_is_marked_up_as_admin_s_own(admin_client):
    quiz = make_quiz(make_question(), title="A & B")
    element, steps = trail(admin_client, reverse("admin:mpquiz_quiz_change", args=[quiz.pk]))
    assert steps == ["Home", "Quizzes", "Quizzes", "A & B"]
    ours = reverse("admin:mpquiz_quiz_statistics", args=[quiz.pk])
    assert trail(admin_client, ours) == (element, [*steps, "Statistics"])


def test_no_template_writes_that_markup_itself():
    templates = Path(mpquiz.__file__).parent.glob("templates/**/*.html")
    assert [path.name for path in templates if 'class="breadcrumbs"' in path.read_text()] == []
