"""Copies of quizzes and questions."""

import pytest

from mpquiz import exchange
from mpquiz.copying import copy_of_question, copy_of_quiz
from mpquiz.models import Attempt, Quiz
from tests.factories import learner, make_guide, make_pool, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz():
    first, second = make_question(prompt="One?"), make_question(prompt="Two?")
    made = make_quiz(
        second,
        first,
        title={"en": "Floats", "ar": "الأعداد"},
        description="On numbers.",
        guides=[make_guide()],
        pass_mark=60,
        time_limit=30,
        shuffle_choices=True,
        password="open",
        imported="x" * 64,
        archived=True,
    )
    made.places.filter(question=first).update(points=3)
    make_pool(made, make_tag("Vectors", make_question()), count=2, points=5)
    made.refresh_from_db()
    return made


def same(content):
    """What a content says beside what makes it a copy."""
    plain = content.to_json()
    for name in ("slug", "title", "published"):
        plain.pop(name)
    return plain


def test_a_copy_has_the_questions_pools_rules_and_guides(quiz):
    copy = Quiz.objects.get(pk=copy_of_quiz(quiz).pk)
    assert same(exchange.dump(copy)) == same(exchange.dump(quiz))
    assert list(copy.questions.all()) == list(quiz.questions.all())
    assert (copy.password, copy.time_limit) == ("open", 30)


def test_a_copy_is_a_draft_that_no_file_knows(quiz):
    copy = copy_of_quiz(quiz)
    assert (copy.published_languages, copy.archived, copy.imported) == ([], False, "")
    quiz.refresh_from_db()
    assert (quiz.published_languages, quiz.archived, quiz.slug) == (["en", "ar"], True, "floats")


def test_a_copy_says_so_in_each_language_it_has(quiz):
    copy = copy_of_quiz(quiz)
    assert copy.title_en == "Floats (copy)"
    assert copy.title_ar.startswith("الأعداد")
    assert copy.title_ar != "الأعداد"
    only_arabic = copy_of_quiz(make_quiz(slug="arabic", title={"ar": "مسودة"}))
    assert not only_arabic.title_en


def test_copies_of_copies_have_slugs_of_their_own(quiz):
    slugs = [copy_of_quiz(quiz).slug for _again in range(3)]
    assert slugs == ["floats-copy", "floats-copy-2", "floats-copy-3"]
    long = make_quiz(slug="x" * 80, title="y" * 200)
    copies = [copy_of_quiz(long), copy_of_quiz(long)]
    for copy in copies:
        copy.full_clean()
    assert copies[0].slug != copies[1].slug


def test_a_copy_has_no_attempts_and_changing_it_changes_no_other(quiz):
    Attempt.objects.start(make_quiz(slug="taken"), learner(make_user()))
    copy = copy_of_quiz(quiz)
    copy.places.all().delete()
    copy.pools.all().delete()
    copy.guides.clear()
    assert (quiz.places.count(), quiz.pools.count(), quiz.guides.count()) == (2, 1, 1)
    assert copy.attempts.count() == 0


def test_a_copied_question_keeps_the_keys_of_its_choices_and_is_apart():
    question = make_question(title_en="z" * 200)
    copy = copy_of_question(question)
    copy.full_clean()
    assert [one.key for one in copy.choices.all()] == [one.key for one in question.choices.all()]
    copy.choices.all().delete()
    assert question.choices.count() == 3


@pytest.mark.parametrize("count", [1, 30])
def test_a_copy_takes_as_many_queries_for_many_questions(django_assert_max_num_queries, count):
    quiz = make_quiz(count=count)
    with django_assert_max_num_queries(14):
        copy_of_quiz(quiz)
