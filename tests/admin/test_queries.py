"""Every list and form of ours in admin takes as many queries for many rows as for few."""

import pytest
from django.contrib import admin as django_admin
from django.urls import reverse

from mpquiz import remarking
from mpquiz.models import Accommodation, Attempt, Policy, Quiz, Report, StaleText
from tests.factories import learner, make_essay, make_guide, make_pool, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db

FEW, MANY = 10, 40
A_PAGE = 5  # rows of a list: neither many nor few fit on one page
MODELS = sorted(model._meta.model_name for model in django_admin.site._registry if model._meta.app_label == "mpquiz")


def grow(count):
    """A site of so many quizzes, each taken, reported, marked anew; with what hangs on them."""
    for number in range(Quiz.objects.count(), count):
        guide, user = make_guide(f"guide-{number}"), make_user(f"user{number}")
        question = make_question(prompt=f"Question {number}?", guides=[guide])
        tag = make_tag(f"Tag {number}", question, make_question(prompt=f"Drawn {number}?"))
        quiz = make_quiz(question, make_essay(f"Why {number}?"), slug=f"quiz-{number}", guides=[guide])
        make_pool(quiz, tag)
        Accommodation.objects.create(quiz=quiz, user=user, extra_attempts=1)
        attempt = Attempt.objects.start(quiz, learner(user))
        attempt.answer(1, 2)
        attempt.answer(2, "Because.")
        attempt.finish()
        answer = attempt.answers.get(position=1)
        Report.objects.create(
            question=question, version=answer.version, answer=answer, quiz=quiz, user=user, language="en"
        )
        StaleText.objects.create(question=question, name="prompt", language="ar")
        StaleText.objects.create(quiz=quiz, name="title", language="ar")
        remarking.remark(quiz, question, Policy.FULL_MARKS, by=user)


@pytest.fixture
def counts(admin, query_count, monkeypatch):
    """{page: queries} of every list, and of the forms of each model: of the newest row, and the blank one."""

    for model_admin in django_admin.site._registry.values():
        monkeypatch.setattr(model_admin, "list_per_page", A_PAGE)

    def count():
        found = {}
        for model in MODELS:
            found[f"{model} list"] = query_count(lambda model=model: admin.list(model))
            request = admin.list(model).wsgi_request
            model_admin = django_admin.site._registry[_model(model)]
            row = model_admin.get_queryset(request).order_by("-pk").first()
            assert row is not None, f"The test makes no {model}: have ``grow`` make some."
            address = reverse(f"admin:mpquiz_{model}_change", args=[row.pk])
            found[f"{model} form"] = query_count(lambda address=address: admin.client.get(address, follow=True))
            if model_admin.has_add_permission(request):
                found[f"{model} blank form"] = query_count(lambda model=model: admin.page(model))
        return found

    return count


def _model(name):
    return next(model for model in django_admin.site._registry if model._meta.label_lower == f"mpquiz.{name}")


def test_lists_and_forms_take_as_many_queries_for_many_rows_as_for_few(counts):
    grow(FEW)
    counts()  # what the process keeps from then on is not asked again
    few = counts()
    grow(MANY)
    assert counts() == few


def test_a_form_of_a_quiz_takes_as_many_queries_for_many_questions_as_for_few(admin, query_count):
    few = make_quiz(count=FEW, slug="few")
    many = make_quiz(count=MANY, slug="many")
    admin.page("quiz", few)  # what the process keeps from then on is not asked again
    assert query_count(lambda: admin.page("quiz", few)) == query_count(lambda: admin.page("quiz", many))


def test_a_form_of_a_question_takes_as_many_queries_for_many_choices_as_for_few(admin, query_count):
    few = make_question(("Right", True), "Wrong")
    many = make_question(("Right", True), *(f"Wrong {n}" for n in range(30)))
    admin.page("question", few)
    assert query_count(lambda: admin.page("question", few)) == query_count(lambda: admin.page("question", many))
