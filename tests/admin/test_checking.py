"""Warnings in admin: after a question is saved, and of many on one page."""

import pytest
from django.utils import translation

from mpquiz.admin import checking
from tests.admin.conftest import told
from tests.factories import make_guide, make_question

pytestmark = pytest.mark.django_db


def check(editor, *questions):
    ids = [question.pk for question in questions]
    return editor.client.post(
        editor.address("question", view="changelist"), {"action": "look_over", "_selected_action": ids}
    )


def test_after_saving_what_is_odd_is_told(admin):
    question = make_question(prompt={"ar": "ما نسبة 50% منها؟"})
    [said] = told(admin, admin.save("question", question))
    assert "This may be worth a look:" in said
    assert "50%" in said
    assert told(admin, admin.save("question", question, prompt_ar="ما نسبة `50%` منها؟")) == []


def test_what_is_told_is_escaped(admin):
    question = make_question(prompt={"ar": "كم؟"}, explanation={"en": "[x](/none/<b>)"})
    [said] = told(admin, admin.save("question", question))
    assert "<b>" not in said


def test_a_new_question_is_looked_at_with_its_choices(admin):
    typed = {"choices__0__text_en": "One (1", "choices__0__right": "on", "choices__1__text_en": "Two"}
    [said] = told(admin, admin.save("question", prompt_en="How many?", **typed))
    assert "<bdi>choice 1</bdi>" in said


def test_many_warnings_are_told_in_part(admin, monkeypatch):
    monkeypatch.setattr(checking, "_MOST_TOLD", 2)
    question = make_question("One)x(", "Two)x(", "Three)x(", ("Four", True), kind="single")
    [said] = told(admin, admin.save("question", question))
    assert said.count("<li") == 2
    assert "and 1 more" in said


def test_the_page_lists_what_is_odd_and_leads_to_each(admin):
    sound, odd = make_question(), make_question(prompt="How many (are there?")
    page = check(admin, sound, odd)
    html = page.content.decode()
    assert "2 questions were looked at." in html
    assert admin.address("question", odd) in html
    assert admin.address("question", sound) not in html
    assert [one.code for checked in page.context_data["checked"] for one in checked.warnings] == ["brackets"]


def test_the_page_says_that_nothing_is_odd(admin):
    assert "Nothing odd was found." in check(admin, make_question()).content.decode()


def test_a_dead_guide_is_told(admin):
    question = make_question(guides=[make_guide(address="/none/at-all/")])
    page = check(admin, question)
    assert [one.code for checked in page.context_data["checked"] for one in checked.warnings] == ["guide"]


def test_more_than_it_looks_at_is_said(admin, monkeypatch):
    monkeypatch.setattr(checking, "_MOST_QUESTIONS", 2)
    html = check(admin, *(make_question() for _ in range(3))).content.decode()
    assert "2 questions were looked at." in html
    assert "Of 3 that were chosen these are the first" in html


def test_the_page_takes_the_same_queries_for_many(admin, query_count):
    questions = [make_question(prompt="How (many?", guides=[make_guide(f"guide-{number}")]) for number in range(12)]
    few = query_count(lambda: check(admin, *questions[:2]))
    assert query_count(lambda: check(admin, *questions)) == few


def test_whoever_may_see_questions_may_check_them(staff):
    question = make_question(prompt="How many (are there?")
    page = check(staff("view_question"), question)
    assert page.status_code == 200
    assert page.context_data["checked"]


def test_a_stranger_is_refused(staff):
    assert check(staff("view_quiz"), make_question()).status_code == 403


def test_the_page_reads_from_the_right(admin):
    admin.language = "ar"
    question = make_question(prompt={"ar": "كم (عددها؟"})
    with translation.override("ar"):
        html = check(admin, question).content.decode()
    assert 'dir="rtl"' in html
