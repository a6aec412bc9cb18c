"""A question and its choices on one page, and what is refused."""

import pytest

from mpquiz.models import Attempt, Question
from tests.admin.conftest import errors_of
from tests.factories import learner, make_guide, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db

SOUND = {
    "prompt_en": "How many bits?",
    "kind": "single",
    "choices__0__text_en": "Sixteen",
    "choices__0__right": "on",
    "choices__1__text_en": "Eight",
}


def texts_of(question):
    return [choice.text_en for choice in question.choices.all()]


def test_a_question_is_added_with_its_choices_in_their_order(admin):
    admin.save("question", **SOUND, choices__2__text_en="Four", choices__2__place="1")
    question = Question.objects.get()
    assert question.prompt_en == "How many bits?"
    assert texts_of(question) == ["Sixteen", "Four", "Eight"]
    assert [choice.place for choice in question.choices.all()] == [1, 2, 3]
    assert len({choice.key for choice in question.choices.all()}) == 3
    assert question.choices.get(right=True).text_en == "Sixteen"


@pytest.mark.parametrize("language", ["en", "ar"])
def test_one_language_is_enough_whichever_it_is(admin, language):
    typed = {name.replace("_en", f"_{language}"): value for name, value in SOUND.items()}
    assert admin.save("question", **typed).status_code == 302
    assert Question.objects.get().written().prompt == {language: "How many bits?"}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"choices__0__right": None}, "choices"),
        ({"choices__1__text_en": ""}, "choices"),
        ({"prompt_en": ""}, "prompt_en"),
        ({"prompt_en": " \n\t "}, "prompt_en"),
        ({"choices__1__right": "on"}, "choices-1-right"),
        ({"choices__1__text_en": "Sixteen"}, "choices-1-text_en"),
        ({"choices__1__text_en": " Sixteen "}, "choices-1-text_en"),
        ({"choices__2__weight": "0.5"}, "choices-2-text_en"),
        ({"choices__2__text_en": "   ", "choices__2__feedback_ar": "لا"}, "choices-2-text_en"),
        ({"choices__0__weight": "-0.5"}, "choices-0-weight"),
        ({"choices__0__weight": "1.5"}, "choices-0-weight"),
        ({"choices__0__weight": "x"}, "choices-0-weight"),
        ({"kind": "multiple", "choices__0__weight": "0.5"}, "choices"),
        ({"kind": "true_false", "choices__2__text_en": "Perhaps"}, "choices"),
        ({"kind": "unknown"}, "kind"),
        ({"key": "No key"}, "key"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_its_field(admin, change, field):
    page = admin.save("question", **SOUND | change)
    assert list(errors_of(page)) == [field]
    assert not Question.objects.exists()


def test_a_refusal_keeps_all_that_was_typed(admin):
    page = admin.save("question", **SOUND | {"choices__0__right": None, "prompt_ar": "كم بتًا؟"})
    for typed in ("How many bits?", "كم بتًا؟", "Sixteen", "Eight"):
        assert typed in page.content.decode()


def test_faults_of_the_question_and_of_its_choices_are_said_together(admin):
    page = admin.save("question", **SOUND | {"prompt_en": "", "choices__1__right": "on"})
    assert set(errors_of(page)) == {"prompt_en", "choices-1-right"}


def test_a_row_of_which_only_the_number_was_touched_is_no_choice(admin):
    assert admin.save("question", **SOUND, choices__3__place="9").status_code == 302
    assert len(texts_of(Question.objects.get())) == 2


@pytest.mark.parametrize("right", [0, 1])
def test_true_or_false_needs_a_tick_and_no_words(admin, right):
    admin.save("question", prompt_en="Ten is even.", kind="true_false", **{f"choices__{right}__right": "on"})
    content = Question.objects.get().content()
    assert [choice.text["en"] for choice in content.choices] == ["True", "False"]
    assert [choice.right for choice in content.choices] == [right == 0, right == 1]


def test_true_or_false_saved_again_stays_as_it_is(admin):
    admin.save("question", prompt_en="Ten is even.", kind="true_false", choices__1__right="on")
    question = Question.objects.get()
    before = question.content()
    assert admin.save("question", question, explanation_en="It is.").status_code == 302
    question.refresh_from_db()
    assert question.content().choices == before.choices


def test_a_new_order_keeps_the_keys(admin):
    question = make_question(("First", True), "Second", "Third")
    keys = {choice.text_en: choice.key for choice in question.choices.all()}
    admin.save("question", question, choices__0__place="9", choices__1__place="0")
    assert texts_of(question) == ["Third", "First", "Second"]
    assert [choice.place for choice in question.choices.all()] == [1, 2, 3]
    assert {choice.text_en: choice.key for choice in question.choices.all()} == keys


def test_a_choice_is_taken_out(admin):
    question = make_question(("First", True), "Second", "Third")
    admin.save("question", question, choices__1__DELETE="on")
    assert texts_of(question) == ["First", "Third"]
    assert [choice.place for choice in question.choices.all()] == [1, 2]


def test_the_last_right_choice_is_not_taken_out(admin):
    question = make_question(("First", True), "Second", "Third")
    assert list(errors_of(admin.save("question", question, choices__0__DELETE="on"))) == ["choices"]
    assert question.choices.count() == 3


def test_editing_a_question_touches_no_attempt(admin):
    question = make_question()
    attempt = Attempt.objects.start(make_quiz(question), learner(make_user()))
    before = attempt.answers.get().content
    admin.save("question", question, prompt_en="Another?", choices__0__text_en="Other")
    assert attempt.answers.select_related("version").get().content == before


def test_the_key_is_given_once(admin):
    admin.save("question", **SOUND, key="site/bits")
    question = Question.objects.get()
    assert question.key == "site/bits"
    admin.save("question", question, key="site/other")
    question.refresh_from_db()
    assert question.key == "site/bits"


def test_a_kind_without_choices_is_saved_without(admin, settings):
    settings.MPQUIZ = settings.MPQUIZ | {"KINDS": {"single": "tests.admin.kinds.Open"}}
    assert admin.save("question", prompt_en="Why?", kind="single").status_code == 302
    assert texts_of(Question.objects.get()) == []


def test_choices_of_a_kind_that_has_none_are_refused_rather_than_lost(admin, settings):
    settings.MPQUIZ = settings.MPQUIZ | {"KINDS": {"single": "tests.admin.kinds.Open"}}
    assert list(errors_of(admin.save("question", **SOUND))) == ["choices"]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_each_text_has_a_widget_in_its_language_and_direction(admin, language):
    admin.language = language
    html = admin.page("question", make_question()).content.decode()
    for name in ("prompt", "explanation", "choices-0-text", "choices-0-feedback"):
        for code, direction in (("en", "ltr"), ("ar", "rtl")):
            widget = html.split(f'name="{name}_{code}"')[1].split(">")[0]
            assert f'lang="{code}"' in widget
            assert f'dir="{direction}"' in widget
        assert html.count(f'name="{name}_en"') == 1
        assert f'name="{name}"' not in html
    assert "(العربيّة)" in html
    assert "(English)" in html


@pytest.mark.parametrize("search", ["كسور", "fraction"])
def test_a_question_is_found_by_its_prompt_in_any_language(admin, search):
    question = make_question(prompt={"en": "How many fraction bits?", "ar": "كم بتًا للكسور؟"})
    make_question(prompt="Another")
    found = admin.list("question", q=search).context["cl"].result_list
    assert list(found) == [question]


def test_the_list_reads_a_prompt_that_is_only_there_in_arabic(admin):
    make_question(prompt={"ar": "كم **بتًا**؟"})
    assert '<bdi lang="ar" dir="rtl">كم بتًا؟</bdi>' in admin.list("question").content.decode()


def test_the_list_is_narrowed_by_kind_guide_and_quiz(admin):
    guide = make_guide()
    question = make_question(guides=[guide])
    quiz = make_quiz(question)
    make_question(kind="multiple")
    for query in ({"kind__exact": "single"}, {"guides__id__exact": guide.pk}, {"quizzes__id__exact": quiz.pk}):
        assert list(admin.list("question", **query).context["cl"].result_list) == [question]


def test_the_list_takes_as_many_queries_for_thirty_as_for_three(admin, query_count):
    make_quiz(count=3)
    few = query_count(lambda: admin.list("question"))
    make_quiz(slug="more", count=27)
    assert query_count(lambda: admin.list("question")) == few


def test_guides_are_chosen_on_the_page(admin):
    guide = make_guide()
    admin.save("question", **SOUND, guides=[guide.pk])
    assert list(Question.objects.get().guides.all()) == [guide]


def test_changes_are_in_the_history(admin):
    question = make_question()
    admin.save("question", question, prompt_ar="سؤال", choices__0__text_ar="صحيح")
    with_history = admin.client.get(admin.address("question", question, "history")).content.decode()
    assert "Prompt (العربيّة)" in with_history
    assert "Text (العربيّة)" in with_history
