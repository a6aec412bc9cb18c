"""Imports of one file at the same moment: all go through, and there is one quiz."""

from dataclasses import replace

from mpquiz import exchange
from mpquiz.content import ChoiceContent, PlacedQuestion, QuestionContent, QuizContent
from mpquiz.models import Question, Quiz, Tag
from tests.races.conftest import together


def content(number):
    choices = (ChoiceContent(key="a", text={"en": "Right"}, right=True), ChoiceContent(key="b", text={"en": "Wrong"}))
    questions = [
        QuestionContent(
            key=f"race{number}/q{place}", kind="single", prompt={"en": "Which?"}, choices=choices, tags=("Races",)
        )
        for place in range(3)
    ]
    return QuizContent(
        slug=f"race-{number}",
        namespace=f"race{number}",
        title={"en": "Race"},
        questions=tuple(PlacedQuestion(key=one.key, content=one) for one in questions),
    )


def test_two_imports_of_a_new_quiz_make_one(rounds):
    for number, jitter in rounds:
        one = content(number)
        found = together(lambda: exchange.load(one), lambda: exchange.load(one), jitter=jitter)
        assert [loaded.errors for loaded in found] == [(), ()]
        assert exchange.dump(Quiz.objects.get(slug=one.slug)) == one
        assert Question.objects.filter(key__startswith=f"{one.namespace}/").count() == 3
        assert Tag.objects.count() == 1
        exchange.load(replace(one, title={"en": "Again"}))
