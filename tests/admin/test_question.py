"""A question and its choices on one page, and what is refused."""

import re
from dataclasses import replace

import pytest
from django.contrib.admin.models import LogEntry
from django.core.exceptions import ValidationError
from django.utils.html import escape

from mpquiz import kinds
from mpquiz.admin.question import SettingsField
from mpquiz.models import Attempt, Question, Tag
from tests.admin.conftest import as_sent, errors_of, told
from tests.factories import add_choice, learner, make_guide, make_question, make_quiz, make_tag, make_user

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
        ({"choices__2__weight": "0.5"}, "choices-2-text_en"),
        ({"choices__2__text_en": "   ", "choices__2__feedback_ar": "لا"}, "choices-2-text_en"),
        ({"choices__0__weight": "-0.5"}, "choices-0-weight"),
        ({"choices__0__weight": "1.5"}, "choices-0-weight"),
        ({"choices__0__weight": "x"}, "choices-0-weight"),
        ({"kind": "true_false", "choices__2__text_en": "Perhaps"}, "choices"),
        ({"kind": "unknown"}, "kind"),
        ({"key": "No key"}, "key"),
        ({"key": f"site/{'x' * 81}"}, "key"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_its_field(admin, change, field):
    page = admin.save("question", **SOUND | change)
    assert list(errors_of(page)) == [field]
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    "change",
    [
        {"choices__1__text_en": "Sixteen"},
        {"choices__1__text_en": " Sixteen "},
        {"kind": "multiple", "choices__0__weight": "0.5"},
    ],
)
def test_what_is_odd_is_stored_and_told(admin, change):
    [said] = told(admin, admin.save("question", **SOUND | change))
    assert "reads the same" in said or "add up to" in said
    assert Question.objects.count() == 1


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
    found = admin.list("question", q=search).context_data["cl"].result_list
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
        assert list(admin.list("question", **query).context_data["cl"].result_list) == [question]


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


# The fields of a kind -----------------------------------------------------------------------------------------


def fields_of(page, row=0):
    """{field of a choice: whether it is to be seen}, as the widgets of a row say it."""
    form = page.context_data["inline_admin_formsets"][0].formset.forms[row]
    widgets = [form.fields[name].widget.attrs for name in form.fields]
    return {attrs["data-field"]: "data-away" not in attrs for attrs in widgets if "data-field" in attrs}


def hints_of(page):
    """The kinds whose hints are to be seen."""
    html = page.content.decode()
    return [part.split('"')[0] for part in html.split('<span class="mpquiz-kind" data-kind="')[1:]]


def test_a_new_question_has_the_fields_and_hints_of_all_kinds(admin):
    page = admin.page("question")
    assert set(fields_of(page).values()) == {True}
    assert hints_of(page) == [name for name, _label in kinds.choices()]


@pytest.mark.parametrize(
    "kind", ["single", "multiple", "true_false", "text", "number", "matching", "ordering", "gaps"]
)
def test_a_stored_question_shows_the_fields_and_the_hint_of_its_kind(admin, kind):
    question = make_question({"text": "One"}, {"text": "Two"}, kind=kind)
    page = admin.page("question", question)
    shown = fields_of(page, row=2)
    assert {name for name, is_shown in shown.items() if is_shown} == set(kinds.get(kind).choice_fields)
    assert hints_of(page) == [kind]


def test_a_refused_question_shows_the_fields_of_the_kind_that_was_chosen(admin):
    page = admin.save("question", kind="matching", prompt_en="Which?")
    assert fields_of(page, row=3) == {
        "right": False,
        "keeps_place": False,
        "weight": False,
        "part": False,
        "value": False,
        "text": True,
        "match": True,
        "feedback": False,
    }


def test_what_holds_something_is_shown_whatever_the_kind(admin):
    question = make_question({"text": "One", "right": True, "value": "7"}, "Two")
    add_choice(question, 3, {"text": "Three", "part": "x"})
    shown = [fields_of(admin.page("question", question), row) for row in range(3)]
    assert [(one["value"], one["part"]) for one in shown] == [(True, False), (False, False), (False, True)]


def test_a_choice_that_names_others_by_their_place_is_told_and_stored(admin):
    question = make_question(("Three", True), "Four", {"text": {"ar": "لا شيء مما سبق"}})
    [said] = told(admin, admin.save("question", question, prompt_en="How many?"))
    assert "<bdi>choice 3</bdi>" in said
    assert "This names other choices by their place." in said
    question.refresh_from_db()
    assert question.prompt_en == "How many?"
    assert told(admin, admin.save("question", question, choices__2__keeps_place="on")) == []
    assert [choice.keeps_place for choice in question.choices.all()] == [False, False, True]


def test_it_is_not_told_where_the_order_is_kept(admin):
    question = make_question(("Three", True), "Four", "None of the above", settings={"keep_order": True})
    assert told(admin, admin.save("question", question)) == []


def test_every_kind_has_a_hint():
    assert [name for name, _label in kinds.choices() if not kinds.get(name).hint] == []


def test_pairs_are_written_and_refused_at_their_fields(admin):
    pairs = {
        "kind": "matching",
        "prompt_en": "Match.",
        "choices__0__text_en": "Norway",
        "choices__0__match_en": "Oslo",
        "choices__1__text_en": "Egypt",
    }
    assert list(errors_of(admin.save("question", **pairs, choices__2__match_en="Rome"))) == ["choices-1-match_en"]
    assert admin.save("question", **pairs, choices__1__match_ar="القاهرة").status_code == 302
    choices = Question.objects.get().content().choices
    assert [(one.text, one.match) for one in choices] == [
        ({"en": "Norway"}, {"en": "Oslo"}),
        ({"en": "Egypt"}, {"ar": "القاهرة"}),
    ]


@pytest.mark.parametrize(
    ("typed", "stored"),
    [("٣٫١٤", "3.14"), ("3.14 ± 0.01", "3.14:0.01"), ("3.140", "3.14"), ("1..2", "1..2"), ("*", "*"), (" 7 ", "7")],
)
def test_a_number_is_stored_in_one_spelling(admin, typed, stored):
    number = {"kind": "number", "prompt_en": "Pi?", "choices__0__right": "on"}
    if typed == "*":
        number |= {"choices__1__value": "*"}
        typed = "3"
    assert admin.save("question", **number, choices__0__value=typed).status_code == 302
    assert stored in [choice.value for choice in Question.objects.get().choices.all()]


def test_what_is_no_number_is_refused_at_its_field_and_kept(admin):
    page = admin.save("question", kind="number", prompt_en="Pi?", choices__0__right="on", choices__0__value="three")
    assert list(errors_of(page)) == ["choices-0-value"]
    assert 'value="three"' in page.content.decode()


def test_settings_that_a_kind_refuses_are_told_at_their_field(admin):
    page = admin.save("question", kind="essay", prompt_en="Why?", settings='{"longest": "long"}')
    assert list(errors_of(page)) == ["settings"]


UNSTORABLE = [
    '{"x": "\\ud800"}',
    '{"feedback": {"right": {"en": "half a pair: \\ud83d"}}}',
    '{"x": "a\\u0000"}',
    '{"\\udfff": 1}',
    '{"x": NaN}',
    '{"x": 1e999}',
    '{"x": ' + "9" * 500 + "}",
    '{"x": ' + "9" * 5000 + "}",
    '{"x": ' + "[" * 40 + "1" + "]" * 40 + "}",
    '{"x": ' + "[" * 900 + "1" + "]" * 900 + "}",
    '{"x": ' + "[" * 100_000 + "1" + "]" * 100_000 + "}",
    "[" * 100_000,
    '{"x": ',
]
NO_OBJECTS = ["5", '"a"', "true", "[1]", '[{"x": 1}]', "9" * 5000]


@pytest.mark.parametrize("kind", ["single", "gaps", "essay"])
@pytest.mark.parametrize("typed", NO_OBJECTS)
def test_settings_that_are_no_object_are_told_at_their_field_whatever_the_kind(admin, kind, typed):
    page = admin.save("question", **SOUND | {"kind": kind, "settings": typed})
    assert list(errors_of(page)) == ["settings"]
    assert not Question.objects.exists()


@pytest.mark.parametrize("typed", UNSTORABLE, ids=[typed[:40] for typed in UNSTORABLE])
def test_settings_that_cannot_be_read_or_stored_are_told_and_stay_as_they_were_typed(admin, typed):
    page = admin.save("question", **SOUND, settings=typed)
    assert list(errors_of(page)) == ["settings"]
    assert escape(typed) in page.content.decode()
    assert not Question.objects.exists()


@pytest.mark.parametrize("typed", ["5", UNSTORABLE[0], UNSTORABLE[7]])
def test_settings_that_are_refused_leave_those_that_are_there(admin, typed):
    question = make_question(settings={"keep_order": True})
    assert list(errors_of(admin.save("question", question, settings=typed))) == ["settings"]
    question.refresh_from_db()
    assert question.settings == {"keep_order": True}


@pytest.mark.parametrize("typed", ["", "null", "{}"])
def test_settings_may_be_left_empty(admin, typed):
    assert admin.save("question", **SOUND, settings=typed).status_code == 302
    assert Question.objects.get().settings == {}


def test_settings_of_any_script_are_shown_as_letters(admin):
    question = make_question(settings={"feedback": {"right": {"ar": "أحسنت 🎉"}}})
    assert "أحسنت 🎉" in admin.page("question", question).content.decode()
    assert admin.save("question", question, prompt_en="Another?").status_code == 302
    question.refresh_from_db()
    assert question.settings == {"feedback": {"right": {"ar": "أحسنت 🎉"}}}


def test_a_row_with_half_a_pair_of_surrogates_is_shown_so_that_it_can_be_mended():
    """SQLite and MariaDB may have kept one from before."""
    assert SettingsField().prepare_value({"x": "\ud800"}) == '{"x": "\\ud800"}'


@pytest.mark.parametrize("settings", [{"x": "\ud800"}, {"x": {"en": "\0"}}, {"\0": 1}, [1], 5])
def test_settings_are_checked_wherever_a_question_is_cleaned(settings):
    with pytest.raises(ValidationError) as caught:
        Question(prompt_en="?", settings=settings).full_clean()
    assert list(caught.value.message_dict) == ["settings"]


def test_title_and_tags_are_for_editors(admin):
    tag = Tag.objects.create(name="Vectors")
    admin.save("question", **SOUND, title_ar="البتات", tags=[tag.pk])
    html = admin.list("question").content.decode()
    assert '<bdi lang="ar" dir="rtl">البتات</bdi>' in html
    assert '<bdi dir="auto">Vectors</bdi>' in html


@pytest.mark.parametrize("search", ["Bits", "البتات", "vectors"])
def test_a_question_is_found_by_its_title_and_tags(admin, search):
    question = make_question(title_en="Bits", title_ar="البتات")
    question.tags.add(Tag.objects.create(name="Vectors"))
    make_question()
    assert list(admin.list("question", q=search).context_data["cl"].result_list) == [question]


def test_the_list_is_narrowed_by_tag_and_counts_quizzes(admin):
    question = make_question()
    tag = Tag.objects.create(name="Vectors")
    question.tags.add(tag)
    for slug in ("one", "two"):
        make_quiz(question, slug=slug)
    make_question()
    page = admin.list("question", tags__id__exact=tag.pk)
    assert list(page.context_data["cl"].result_list) == [question]
    [link] = re.findall(r'<td class="field-quiz_count"><a href="([^"]+)">2</a>', page.content.decode())
    assert len(admin.client.get(link).context_data["cl"].result_list) == 2


# For a quiz ---------------------------------------------------------------------------------------------------


def save_for(admin, quiz, **typed):
    """Save a new question on the page that a quiz leads to."""
    address = f"{admin.address('question')}?quiz={quiz}&kind=single"
    page = admin.client.get(address)
    assert page.status_code == 200
    data = as_sent(page) | {name.replace("__", "-"): value for name, value in (SOUND | typed).items()}
    sent = {name: value for name, value in data.items() if value is not None and value is not False}
    return admin.client.post(address, sent)


def test_a_question_is_written_for_a_quiz_and_comes_to_its_end(admin):
    quiz = make_quiz(title={"ar": "الأعداد"})
    html = admin.client.get(f"{admin.address('question')}?quiz={quiz.pk}&kind=single").content.decode()
    assert "الأعداد" in html
    answer = save_for(admin, quiz.pk)
    assert answer.headers["Location"] == admin.address("quiz", quiz)
    last = quiz.places.last()
    assert (last.question.prompt_en, last.place, last.points) == ("How many bits?", 4, 1)
    assert LogEntry.objects.filter(object_id=str(quiz.pk), change_message__contains="How many bits?").exists()


def test_the_address_names_the_kind_whose_fields_are_shown(admin):
    page = admin.client.get(f"{admin.address('question')}?kind=matching")
    assert page.context_data["adminform"].form["kind"].value() == "matching"
    assert hints_of(page) == ["matching"]
    assert {name for name, is_shown in fields_of(page).items() if is_shown} == {"text", "match"}
    assert fields_of(admin.client.get(f"{admin.address('question')}?kind=riddle"))["value"]


def test_one_more_is_written_for_the_same_quiz_and_of_the_same_kind(admin):
    quiz = make_quiz()
    typed = {"kind": "multiple", "_addanother": "1"}
    answer = save_for(admin, quiz.pk, **typed)
    assert answer.headers["Location"] == f"{admin.address('question')}?quiz={quiz.pk}&kind=multiple"
    assert quiz.places.count() == 4


@pytest.mark.parametrize("quiz", ["0", "x", "9" * 40, "", "1 OR 1=1"])
def test_a_quiz_that_is_none_is_told_and_the_question_stays(admin, quiz):
    make_quiz()
    html = admin.client.get(f"{admin.address('question')}?quiz={quiz}").content.decode()
    assert "errornote" in html
    answer = save_for(admin, quiz)
    assert len(told(admin, answer)) == 1
    assert Question.objects.get(prompt_en="How many bits?").places.count() == 0


def only_floats(user, quizzes, doing):
    return quizzes.filter(slug="floats")


@pytest.mark.parametrize("permissions", [["add_question"], ["add_question", "view_quiz"]])
def test_who_may_not_change_quizzes_puts_no_question_into_one(staff, permissions):
    quiz = make_quiz()
    editor = staff(*permissions, "view_question")
    assert len(told(editor, save_for(editor, quiz.pk))) == 1
    assert quiz.places.count() == 3


def test_no_question_is_put_into_a_stranger_s_quiz(staff, settings):
    settings.MPQUIZ = settings.MPQUIZ | {"MAY_EDIT": "tests.admin.test_question.only_floats"}
    theirs = make_quiz(slug="theirs", title="A secret title")
    mine = make_quiz()
    editor = staff("add_question", "view_question", "change_question", "change_quiz", "view_quiz")
    html = editor.client.get(f"{editor.address('question')}?quiz={theirs.pk}").content.decode()
    assert "A secret title" not in html
    save_for(editor, theirs.pk)
    assert (theirs.places.count(), mine.places.count()) == (3, 3)
    save_for(editor, mine.pk)
    assert mine.places.count() == 4
    chosen = {"action": "put_into_quiz", "_selected_action": [Question.objects.last().pk], "answered": "1"}
    page = editor.client.post(editor.address("question", view="changelist"), {**chosen, "quiz": theirs.pk})
    assert "quiz" in page.context_data["form"].errors
    assert theirs.places.count() == 3


# Actions of the list ------------------------------------------------------------------------------------------


def act(editor, action, *questions, model="question", **answer):
    data = {"action": action, "_selected_action": [one.pk for one in questions], **answer}
    return editor.client.post(editor.address(model, view="changelist"), data)


def test_the_selected_questions_are_put_into_a_quiz_without_a_script(admin):
    quiz = make_quiz(count=1)
    new = [make_question(prompt=f"New {n}?") for n in range(3)]
    page = act(admin, "put_into_quiz", *new, quiz.questions.get())
    assert page.status_code == 200
    assert "Floating point" in page.content.decode()
    assert quiz.places.count() == 1
    act(admin, "put_into_quiz", *new, quiz.questions.get(), answered="1", quiz=quiz.pk)
    assert [place.place for place in quiz.places.all()] == [1, 2, 3, 4]
    assert {place.question for place in quiz.places.all()} > set(new)


def test_a_tag_is_given_to_many_and_taken_away(admin):
    one, other = make_question(), make_question()
    tag = make_tag("Vectors", one)
    assert "Vectors" in act(admin, "add_tag", one, other).content.decode()
    act(admin, "add_tag", one, other, answered="1", tag=tag.pk)
    assert set(tag.questions.all()) == {one, other}
    assert LogEntry.objects.filter(object_id=str(other.pk)).count() == 1
    assert not LogEntry.objects.filter(object_id=str(one.pk)).exists()
    assert [list(state.written.tags) for state in other.revisions.all()] == [["Vectors"], []]
    make_tag("Unused")
    assert "Unused" not in act(admin, "remove_tag", one).content.decode()
    act(admin, "remove_tag", one, answered="1", tag=tag.pk)
    assert list(tag.questions.all()) == [other]


def test_who_may_only_look_tags_and_copies_nothing(staff):
    question = make_question()
    tag = make_tag("Vectors")
    reader = staff("view_question", "view_quiz")
    for action, answer in (("add_tag", {"tag": tag.pk}), ("copy_selected", {}), ("put_into_quiz", {})):
        act(reader, action, question, answered="1", **answer)
    assert reader.client.post(reader.address("question", question, "copy")).status_code == 403
    assert list(tag.questions.all()) == []
    assert Question.objects.count() == 1


def test_a_question_is_copied_with_all_that_is_its_own(admin):
    guide = make_guide()
    question = make_question(title_en="Bits", title_ar="البتات", guides=[guide], settings={"keep_order": True})
    question.tags.add(Tag.objects.create(name="Vectors"))
    make_quiz(question)
    answer = admin.client.post(admin.address("question", question, "copy"))
    copy = Question.objects.exclude(pk=question.pk).get()
    assert answer.headers["Location"] == admin.address("question", copy)
    assert copy.written() == replace(
        question.written(), key=copy.key, title={"en": "Bits (copy)", "ar": copy.title_ar}
    )
    assert copy.key != question.key
    assert copy.title_ar.startswith("البتات")
    assert (copy.imported, copy.quizzes.count()) == ("", 0)


def test_several_questions_are_copied_from_the_list(admin):
    act(admin, "copy_selected", make_question(prompt="One?"), make_question(prompt="Two?"))
    assert sorted(Question.objects.values_list("prompt_en", flat=True)) == ["One?", "One?", "Two?", "Two?"]


@pytest.mark.parametrize("ident", ["x", "0", "9" * 40])
def test_what_is_not_there_is_not_copied(admin, ident):
    assert admin.client.post(f"/en/admin/mpquiz/question/{ident}/copy/").status_code == 302
    assert admin.client.get(f"/en/admin/mpquiz/question/{ident}/copy/").status_code == 405
    assert Question.objects.count() == 0


def test_the_list_tells_how_often_a_question_was_asked(admin):
    question = make_question()
    quiz = make_quiz(question)
    for name in ("amal", "badr"):
        Attempt.objects.start(quiz, learner(make_user(name)))
    assert '<td class="field-asked_count">2</td>' in admin.list("question").content.decode()
