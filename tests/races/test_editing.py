"""Two editors at once: neither's work is lost, and nobody's is stored by half."""

from functools import partial

import pytest
from django.core.exceptions import ValidationError

from mpquiz.editing import questions, quizzes, rows
from mpquiz.exceptions import Refusal
from mpquiz.models import Question, Quiz, QuizQuestion, Tag
from tests.factories import make_question, make_quiz, make_tag, make_user
from tests.races.conftest import codes, together

pytestmark = pytest.mark.race


@pytest.fixture
def noura(transactional_db):
    return make_user("noura", is_staff=True, is_superuser=True)


def fetched(row):
    """The row as another request has fetched it."""
    return type(row).objects.get(pk=row.pk)


def seen_of(quiz):
    return quizzes.revision(quizzes.read(Quiz.objects.all()).get(pk=quiz.pk))


def test_both_languages_are_published_by_two_at_once(rounds, noura):
    quiz = make_quiz(published=())
    for _number, jitter in rounds:
        calls = [partial(quizzes.publish, fetched(quiz), [language], (), by=noura) for language in ("en", "ar")]
        assert codes(together(*calls, jitter=jitter)) == ["ok", "ok"]
        assert fetched(quiz).published_languages == ["en", "ar"]
        quiz.publish(())


def test_of_two_edits_of_one_state_one_is_stale(rounds, noura):
    quiz = make_quiz()
    first, second, third = (place.question for place in quiz.places.all())
    orders = ([first, second], [third, second, first])
    for number, jitter in rounds:
        lists = [[{"question": one, "points": number + 1} for one in order] for order in orders]
        seen = seen_of(quiz)
        calls = [partial(quizzes.edit, fetched(quiz), {"questions": one}, by=noura, seen=seen) for one in lists]
        assert codes(together(*calls, jitter=jitter)) == ["ok", "stale"]
        assert [place.question for place in quiz.places.all()] in orders


def test_of_two_edits_of_a_question_one_is_stale(rounds, noura):
    question = make_question()
    for number, jitter in rounds:
        seen = fetched(question).written().digest
        texts = ({"en": f"{number} {who}?", "ar": f"{number} {who}?"} for who in ("noura", "samir"))
        calls = [
            partial(questions.edit, fetched(question), {"prompt": prompt}, by=noura, seen=seen) for prompt in texts
        ]
        assert codes(together(*calls, jitter=jitter)) == ["ok", "stale"]
        now = fetched(question)
        assert now.prompt_en == now.prompt_ar


def test_a_question_is_deleted_while_it_is_put_into_a_quiz(rounds, noura):
    quiz = make_quiz(published=())
    for _number, jitter in rounds:
        question = make_question()
        put = partial(quizzes.edit, fetched(quiz), {"questions": [{"question": question}]}, by=noura)
        found = together(put, partial(questions.delete, fetched(question), by=noura), jitter=jitter)
        assert codes(found) in (["ok", "ok"], ["ok", "stale"])
        assert not Question.objects.filter(pk=question.pk).exists()
        assert not QuizQuestion.objects.filter(question=question.pk).exists()


def test_a_tag_is_deleted_while_a_quiz_begins_to_draw_from_it(rounds, noura):
    quiz = make_quiz()
    for number, jitter in rounds:
        tag = make_tag(f"Sums {number}", make_question())
        put = partial(quizzes.edit, fetched(quiz), {"pools": [{"tag": tag}]}, by=noura)
        found = together(put, partial(rows.delete, fetched(tag), by=noura), jitter=jitter)
        assert codes(found) in (["in_use", "ok"], ["ok", "stale"])
        assert Tag.objects.filter(pk=tag.pk).exists() == quiz.pools.filter(tag=tag.pk).exists()


def test_of_two_quizzes_of_one_slug_the_second_is_told(rounds, noura):
    for number, jitter in rounds:
        calls = [partial(made, f"new-{number}", by=noura)] * 2
        assert codes(together(*calls, jitter=jitter)) == ["ok", "taken"]


def made(slug, *, by):
    try:
        return quizzes.create({"slug": slug, "title": {"en": "New"}}, by=by)
    except ValidationError as error:
        assert list(error.message_dict) == ["slug"]
        raise Refusal("taken", "") from error
