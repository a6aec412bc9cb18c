"""Translations to be checked: marked wherever texts are written, told at the text, listed, and confirmed."""

from dataclasses import replace

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from mpquiz import exchange, history, words
from mpquiz.models import Choice, Guide, Question, Quiz, StaleText, Tag
from mpquiz.models.staleness import TEXTS, Edited, record
from tests.admin.conftest import Editor, errors_of
from tests.factories import make_guide, make_question, make_quiz, make_tag, make_user, texts

pytestmark = pytest.mark.django_db

BITS = {"en": "How many bits?", "ar": "كم بتًا؟"}
SIXTEEN = {"en": "Sixteen", "ar": "ستة عشر"}


def make(**fields):
    return make_question({"text": SIXTEEN, "right": True}, "Eight", prompt=BITS, explanation=None, **fields)


def marked():
    """What is to be checked: ``question prompt ar``."""
    rows = StaleText.objects.select_related("quiz", "question", "choice", "guide", "tag")
    return sorted(f"{row.owned_by[0]} {row.name} {row.language}" for row in rows)


def mark(owner, name="prompt", language="ar"):
    return StaleText.objects.create(**{type(owner)._meta.model_name: owner}, name=name, language=language)


def test_every_translated_text_that_learners_read_is_watched():
    pytest.importorskip("modeltranslation")
    from modeltranslation.translator import translator

    known = {model: set(translator.get_options_for_model(model).fields) for model in TEXTS}
    known[Question] -= {"title"}
    assert known == {model: set(names) for model, names in TEXTS.items()}


# Writing in admin --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "then"),
    [
        ({"prompt_en": "How many bytes?"}, ["question prompt ar"]),
        ({"prompt_ar": "كم بايتًا؟"}, ["question prompt en"]),
        ({"prompt_en": "How many bytes?", "prompt_ar": "كم بايتًا؟"}, []),
        ({"prompt_en": " How many\r\nbits? "}, []),
        ({"prompt_en": ""}, []),
        ({"explanation_en": "Since."}, []),
        ({"title_en": "Another name"}, []),
        ({"choices__0__text_en": "16"}, ["choice text ar"]),
        ({"choices__1__text_ar": "ثمانية"}, []),
        ({"choices__1__text_en": "8"}, []),
        ({"choices__0__text_en": "16", "prompt_en": "How many bytes?"}, ["choice text ar", "question prompt ar"]),
        ({"choices__0__text_en": "16", "choices__0__DELETE": "on", "choices__1__right": "on"}, []),
    ],
)
def test_what_an_editor_changes_in_one_language_is_checked_in_the_other(admin, typed, then):
    question = make(**texts("title", BITS))
    if "choices__0__DELETE" in typed:
        typed = typed | {"choices__2__text_en": "One more"}
    answer = admin.save("question", question, **typed)
    assert answer.status_code == 302, errors_of(answer)
    assert marked() == then


@pytest.mark.parametrize(
    ("model", "row", "typed", "then"),
    [
        ("quiz", lambda: make_quiz(title=BITS), {"title_en": "Bits"}, ["quiz title ar"]),
        ("quiz", lambda: make_quiz(description=BITS), {"description_ar": "بتات"}, ["quiz description en"]),
        ("guide", lambda: make_guide(title=BITS), {"title_en": "Bits"}, ["guide title ar"]),
        (
            "tag",
            lambda: Tag.objects.create(name="Bits", **texts("description", BITS)),
            {"description_en": "Bits"},
            ["tag description ar"],
        ),
    ],
)
def test_so_it_is_with_quizzes_guides_and_tags(admin, model, row, typed, then):
    assert admin.save(model, row(), **typed).status_code == 302
    assert marked() == then


@pytest.mark.parametrize("model", ["quiz", "question", "guide", "tag"])
def test_a_new_row_has_nothing_to_check(admin, model):
    typed = {
        "quiz": {"slug": "bits", "title_en": "Bits", "title_ar": "بتات"},
        "question": {"prompt_en": "Bits", "prompt_ar": "بتات", "kind": "essay"},
        "guide": {"slug": "bits", "title_en": "Bits", "title_ar": "بتات"},
        "tag": {"name": "Bits", "description_en": "Bits", "description_ar": "بتات"},
    }
    assert admin.save(model, **typed[model]).status_code == 302
    assert marked() == []


def test_catching_up_clears_the_mark_and_drives_nothing(admin):
    question = make()
    admin.save("question", question, prompt_en="How many bytes?")
    admin.save("question", question, prompt_ar="كم بايتًا؟")
    assert marked() == []


def test_the_note_stands_at_the_text_and_its_box_confirms(admin):
    question = make()
    mark(question)
    mark(question.choices.get(place=1), "text")
    html = admin.page("question", question).content.decode()
    assert html.count("The text in English was changed on") == 2
    assert '<input type="checkbox" name="confirms-prompt_ar">' in html
    assert '<input type="checkbox" name="choices-0-confirms-text_ar">' in html
    admin.save("question", question, **{"confirms-prompt_ar": "on"})
    assert marked() == ["choice text ar"]
    admin.save("question", question, **{"choices-0-confirms-text_ar": "on"})
    assert marked() == []
    assert "the translation is right" in LogEntry.objects.first().get_change_message()


def test_saving_something_else_leaves_the_mark(admin):
    question = make()
    mark(question)
    admin.save("question", question, explanation_en="Since.")
    assert marked() == ["question prompt ar"]


def test_a_box_that_was_ticked_stays_so_on_a_page_with_errors(admin):
    question = make()
    mark(question)
    page = admin.save(
        "question", question, **{"confirms-prompt_ar": "on", "choices__0__text_en": "", "choices__0__text_ar": ""}
    )
    assert errors_of(page)
    assert 'name="confirms-prompt_ar" checked' in page.content.decode()
    assert marked() == ["question prompt ar"]


def test_a_box_that_no_page_showed_confirms_nothing_of_another(admin):
    mark(make())
    admin.save("question", make(), **{"confirms-prompt_ar": "on"})
    assert marked() == ["question prompt ar"]


def test_the_note_is_in_the_readers_language(admin):
    question = make()
    mark(question, language="en")
    admin.language = "ar"
    assert 'name="confirms-prompt_en"' in admin.page("question", question).content.decode()


def test_whoever_may_only_look_gets_no_box(staff):
    question = make()
    mark(question)
    page = staff("view_question").page("question", question)
    assert page.status_code == 200
    assert "confirms-" not in page.content.decode()


def test_queries_of_a_question_page_do_not_grow_with_marks(admin, query_count):
    rows = [{"text": {"en": f"Bit {place}", "ar": f"بت {place}"}, "right": place == 1} for place in range(1, 11)]
    few, many = (make_question(*rows, prompt=BITS) for _number in range(2))
    mark(few.choices.first(), "text")
    for choice in many.choices.all():
        mark(choice, "text")
    assert query_count(lambda: admin.page("question", few)) == query_count(lambda: admin.page("question", many))

    def save(question):
        typed = {f"choices__{place}__text_en": f"New {place}" for place in range(10)}
        StaleText.objects.all().delete()
        return admin.save("question", question, **typed)

    with CaptureQueriesContext(connection) as queries:
        answer = save(many)
    assert answer.status_code == 302, errors_of(answer)
    about_marks = [query["sql"] for query in queries if "mpquiz_staletext" in query["sql"]]
    writing = [sql for sql in about_marks if not sql.startswith("DELETE") and "JOIN" not in sql]
    assert StaleText.objects.count() == 10
    assert len(writing) == 2, writing  # what is marked already, and the new marks


# Imports -----------------------------------------------------------------------------------------------------------


def stored(*questions, **fields):
    quiz = make_quiz(*questions, title=BITS, **fields)
    content = exchange.dump(quiz, whole=True)
    exchange.load(content, force=True)
    return content


def changed(content, language="en"):
    """The content with each of its texts of a language written anew, if it is there."""

    def anew(_where, told):
        return {la: f"{text}!" if la == language else text for la, text in told.items()}

    placed = [replace(one, content=one.content.with_words(anew)) for one in content.questions]
    title, guides = anew((), content.title), [replace(one, title=anew((), one.title)) for one in content.known_guides]
    return replace(content, title=title, questions=tuple(placed), known_guides=tuple(guides))


def test_an_import_that_changes_one_language_has_the_other_checked():
    content = stored(make(guides=[make_guide(title=BITS)]))
    assert not exchange.load(changed(content), force=True).errors
    assert marked() == ["choice text ar", "guide title ar", "question prompt ar", "quiz title ar"]
    assert not exchange.load(changed(changed(content), "ar"), force=True).errors
    assert marked() == []


def test_an_import_that_brings_a_language_has_nothing_checked():
    content = stored(make(), make())
    english = replace(content, title={"en": "Bits"})
    assert not exchange.load(english, force=True).errors
    StaleText.objects.all().delete()
    assert not exchange.load(content, force=True).errors
    assert marked() == []


def test_the_same_import_again_has_nothing_checked():
    content = stored(make())
    exchange.load(content)
    assert marked() == []


def test_an_import_leaves_what_an_editor_has_yet_to_check():
    content = stored(make())
    exchange.load(changed(content), force=True)
    before = marked()
    assert "question prompt ar" in before
    exchange.load(changed(content), force=True)
    assert marked() == before


def test_queries_of_an_import_do_not_grow_with_what_is_to_be_checked():
    def queries(count):
        content = stored(*(make() for _number in range(count)), slug=f"of-{count}")
        with CaptureQueriesContext(connection) as taken:
            assert not exchange.load(changed(content), force=True).errors
        return [query["sql"] for query in taken if "mpquiz_staletext" in query["sql"]]

    few, many = queries(2), queries(30)
    assert len(few) == len(many) > 0
    assert StaleText.objects.filter(name="prompt").count() == 32


def test_marks_of_many_rows_are_kept_in_few_queries():
    questions = [make() for _number in range(20)]
    with CaptureQueriesContext(connection) as taken:
        record(Edited(question, {"prompt_en": "Before"}) for question in questions)
    assert len(taken) == 2
    with CaptureQueriesContext(connection) as taken:
        record(Edited(question, {}, {"prompt_ar"}) for question in questions)
    assert len(taken) == 2 and not StaleText.objects.exists()
    with CaptureQueriesContext(connection) as taken:
        record(Edited(question, {"prompt_en": "", "key": "site/before"}) for question in questions)
    assert len(taken) == 0


def test_a_state_that_is_brought_back_in_one_language_has_the_other_checked():
    question = make()
    history.keep_found(question)
    Question.objects.update(prompt_en="How many bytes?")
    history.record(Question.objects.get())
    history.restore(question.revisions.earliest("pk"), by=make_user())
    assert marked() == ["question prompt ar"]


# The list ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def one_of_each():
    question = make(key="site/bits")
    owners = {
        "quiz": make_quiz(question, title=BITS),
        "question": question,
        "choice": question.choices.get(place=1),
        "guide": make_guide(title=BITS),
        "tag": Tag.objects.create(name="Bits", **texts("description", BITS)),
    }
    names = {"quiz": "title", "question": "prompt", "choice": "text", "guide": "title", "tag": "description"}
    return {kind: mark(owner, names[kind]) for kind, owner in owners.items()}


def listed(page):
    assert page.status_code == 200
    return {row.owned_by[0] for row in page.context_data["cl"].result_list}


def test_all_are_listed_with_both_texts_in_their_own_directions(admin, one_of_each):
    page = admin.list("staletext")
    html = page.content.decode()
    assert listed(page) == set(one_of_each)
    assert '<bdi lang="ar" dir="rtl">كم بتًا؟</bdi>' in html
    assert '<bdi lang="en" dir="ltr">How many bits?</bdi>' in html


@pytest.mark.parametrize(
    ("query", "kinds"),
    [
        ({"of": "choice"}, {"choice"}),
        ({"of": "guide"}, {"guide"}),
        ({"of": "nothing"}, {"quiz", "question", "choice", "guide", "tag"}),
        ({"language": "ar"}, {"quiz", "question", "choice", "guide", "tag"}),
        ({"language": "en"}, set()),
    ],
)
def test_the_list_is_filtered(admin, one_of_each, query, kinds):
    assert listed(admin.list("staletext", **query)) == kinds


def test_each_leads_to_its_text(admin, one_of_each):
    for kind, row in one_of_each.items():
        whole = row.choice.question if kind == "choice" else row.owner
        column = words.attribute(row.name, row.language)
        place = "choices-group" if kind == "choice" else f"id_{column}"
        answer = admin.page("staletext", row)
        assert answer.headers["Location"] == f"{admin.address(whole._meta.model_name, whole)}#{place}"
        assert f'href="{answer.headers["Location"]}"' in admin.list("staletext").content.decode()
        page = admin.page(whole._meta.model_name, whole)
        assert f'id="{place}"' in page.content.decode()


def confirm(editor, *rows):
    data = {"action": "confirm", "_selected_action": [row.pk for row in rows]}
    return editor.client.post(editor.address("staletext", view="changelist"), data)


def test_the_selected_are_confirmed_and_logged_at_their_rows(admin, one_of_each):
    confirm(admin, *(one_of_each[kind] for kind in ("quiz", "choice", "question")))
    assert marked() == ["guide title ar", "tag description ar"]
    assert sorted(LogEntry.objects.values_list("content_type__model", flat=True)) == ["question", "quiz"]
    entry = LogEntry.objects.get(content_type__model="question")
    assert entry.get_change_message() == "Changed the translation is right."


@pytest.mark.parametrize(
    ("permissions", "kinds"),
    [
        (["change_quiz"], {"quiz"}),
        (["change_question"], {"question", "choice"}),
        (["change_guide", "change_tag"], {"guide", "tag"}),
    ],
)
def test_whoever_may_change_the_row_sees_and_confirms_it(staff, one_of_each, permissions, kinds):
    editor = staff(*permissions)
    assert listed(editor.list("staletext")) == kinds
    confirm(editor, *one_of_each.values())
    assert {row.split()[0] for row in marked()} == set(one_of_each) - kinds


@pytest.mark.parametrize("permissions", [[], ["view_question"], ["change_staletext", "view_staletext"]])
def test_whoever_may_change_no_row_is_refused(staff, one_of_each, permissions):
    editor = staff(*permissions)
    assert editor.list("staletext").status_code == 403
    assert confirm(editor, *one_of_each.values()).status_code == 403
    assert len(marked()) == 5


def test_what_is_another_editors_is_not_there(client, settings, one_of_each):
    settings.MPQUIZ = settings.MPQUIZ | {"MAY_EDIT": "tests.admin.test_stale.only_mine"}
    own = make()
    make_quiz(own, slug="mine-it-is")
    mark(own)
    user = make_user("staff", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="mpquiz"))
    client.force_login(user)
    editor = Editor(client)
    page = editor.list("staletext")
    assert {(row.owned_by[0], row.question_id) for row in page.context_data["cl"].result_list} == {
        ("guide", None),
        ("tag", None),
        ("question", own.pk),
    }
    confirm(editor, one_of_each["quiz"], one_of_each["question"])
    assert len(marked()) == 6
    assert editor.page("staletext", one_of_each["question"]).headers["Location"] == reverse("admin:index")


def only_mine(user, quizzes, doing):
    return quizzes.filter(slug__startswith="mine")


def test_queries_of_the_list_do_not_grow(admin, query_count, one_of_each):
    few = query_count(lambda: admin.list("staletext"))
    for number in range(20):
        question = make()
        mark(question)
        mark(question.choices.get(place=1), "text")
        mark(make_quiz(question, title=BITS, slug=f"quiz-{number}"), "title")
    assert query_count(lambda: admin.list("staletext")) == few


# Deleting ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["quiz", "question", "guide", "tag"])
def test_marks_stand_against_no_deletion(staff, one_of_each, model):
    row = one_of_each[model].owner
    editor = staff(f"delete_{model}", f"view_{model}")
    address = editor.address(model, row, "delete")
    page = editor.client.get(address)
    assert page.status_code == 200 and not page.context_data["perms_lacking"] and not page.context_data["protected"]
    assert editor.client.post(address, {"post": "yes"}).status_code == 302
    assert not type(row).objects.filter(pk=row.pk).exists()
    assert not [kept for kept in marked() if kept.startswith(model)]


def test_many_are_deleted_with_their_marks(staff, one_of_each):
    editor = staff("delete_guide", "view_guide")
    data = {"action": "delete_selected", "_selected_action": [one_of_each["guide"].guide_id], "post": "yes"}
    editor.client.post(editor.address("guide", view="changelist"), data)
    assert not Guide.objects.exists()


def test_whoever_may_not_delete_the_row_may_not_delete_it_by_its_mark(staff, one_of_each):
    editor = staff("change_guide", "view_guide")
    assert (
        editor.client.post(editor.address("staletext", one_of_each["guide"], "delete"), {"post": "yes"}).status_code
        == 403
    )
    assert Guide.objects.exists() and Choice.objects.exists() and Quiz.objects.exists()
    assert make_tag("other").pk
