"""A quiz with its questions on one page: order, publication, archive, deletion."""

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz import kinds
from mpquiz.models import Attempt, Quiz, QuizLanguage
from tests.admin.conftest import errors_of, told, words_said
from tests.factories import (
    learner,
    make_guide,
    make_page,
    make_pool,
    make_question,
    make_quiz,
    make_tag,
    make_user,
)

pytestmark = pytest.mark.django_db

SOUND = {"title_en": "Floating point", "slug": "floats"}


def asked_in(quiz):
    return [place.question for place in quiz.places.select_related("question")]


@pytest.fixture
def taken():
    quiz = make_quiz()
    for name in ("amal", "badr"):
        Attempt.objects.start(quiz, learner(make_user(name)))
    return quiz


def test_a_draft_needs_no_questions(admin):
    assert admin.save("quiz", **SOUND).status_code == 302
    assert Quiz.objects.get().published_languages == []


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_title_in_one_language_is_enough_whichever_it_is(admin, language):
    admin.save("quiz", slug="floats", **{f"title_{language}": "Floating point"})
    assert Quiz.objects.get().title_text.language == language


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"title_en": ""}, "title_en"),
        ({"title_en": "   "}, "title_en"),
        ({"slug": ""}, "slug"),
        ({"pass_mark": "101"}, "pass_mark"),
        ({"published": ["en"]}, "published"),
        ({"published": ["fr"]}, "published"),
        ({"places__0__points": "2"}, "places-0-question"),
    ],
)
def test_what_is_no_quiz_is_refused_at_its_field(admin, change, field):
    assert list(errors_of(admin.save("quiz", **SOUND | change))) == [field]
    assert not Quiz.objects.exists()


@pytest.mark.parametrize("slug", ["mine", "attempts"])
def test_a_slug_that_is_an_address_of_another_page_is_refused(admin, slug):
    assert list(errors_of(admin.save("quiz", **SOUND | {"slug": slug}))) == ["slug"]


def test_a_quiz_is_published_with_its_questions(admin):
    first, second = make_question(), make_question()
    admin.save("quiz", **SOUND, published=["ar"], places__0__question=first.pk, places__1__question=second.pk)
    quiz = Quiz.objects.get()
    assert quiz.published_languages == ["ar"]
    assert asked_in(quiz) == [first, second]


def test_a_quiz_is_not_published_while_no_question_of_it_can_be_asked(admin):
    broken = make_question("Only one")
    page = admin.save("quiz", **SOUND, published=["en"], places__0__question=broken.pk)
    assert list(errors_of(page)) == ["published"]
    assert page.context_data["adminform"].form["published"].value() == ["en"]


def test_a_published_quiz_keeps_a_question(admin):
    quiz = make_quiz(count=1)
    assert list(errors_of(admin.save("quiz", quiz, places__0__DELETE="on"))) == ["published"]
    assert quiz.places.count() == 1


def test_a_question_stands_once_in_a_quiz(admin):
    question = make_question()
    page = admin.save("quiz", **SOUND, places__0__question=question.pk, places__1__question=question.pk)
    assert "places" in errors_of(page)


@pytest.mark.parametrize(
    ("numbers", "order"),
    [
        ((1, 2, 3), [0, 1, 2]),
        ((3, 2, 1), [2, 1, 0]),
        ((2, 2, 1), [2, 0, 1]),
        ((0, 0, 0), [0, 1, 2]),
        (("", 2, 1), [2, 1, 0]),
        ((0, 7, 7), [1, 2, 0]),
        ((10, 20, 15), [0, 2, 1]),
    ],
)
def test_questions_are_numbered_anew_in_the_order_of_their_numbers(admin, numbers, order):
    quiz = make_quiz()
    before = asked_in(quiz)
    admin.save("quiz", quiz, **{f"places__{row}__place": str(number) for row, number in enumerate(numbers)})
    assert asked_in(quiz) == [before[row] for row in order]
    assert [place.place for place in quiz.places.all()] == [1, 2, 3]


def test_numbers_left_at_nought_by_a_script_are_put_right(admin):
    quiz = make_quiz()
    quiz.places.update(place=0)
    before = asked_in(quiz)
    admin.save("quiz", quiz)
    assert asked_in(quiz) == before
    assert [place.place for place in quiz.places.all()] == [1, 2, 3]


def test_languages_that_the_host_has_not_are_left_alone(admin):
    quiz = make_quiz(published=("en", "ar"))
    QuizLanguage.objects.create(quiz=quiz, language="fr")
    admin.save("quiz", quiz, published=["ar"])
    assert {row.language for row in quiz.languages.all()} == {"ar", "fr"}


def test_publishing_again_keeps_the_date(admin):
    quiz = make_quiz(published=("en",))
    before = quiz.languages.get().published_at
    admin.save("quiz", quiz, published=["en", "ar"])
    assert quiz.languages.get(language="en").published_at == before


def test_the_boxes_show_where_it_is_published(admin):
    form = admin.page("quiz", make_quiz(published=("ar",))).context_data["adminform"].form
    assert form["published"].value() == ["ar"]
    assert list(form.fields["published"].choices) == [("en", "English"), ("ar", "العربيّة")]


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("model", ["quiz", "question", "guide"])
def test_pages_to_add_and_change_open_in_both_languages(admin, language, model):
    guide = make_guide()
    quiz = make_quiz(guides=[guide])
    row = {"quiz": quiz, "question": quiz.questions.first(), "guide": guide}[model]
    admin.language = language
    for page in (admin.page(model), admin.page(model, row), admin.list(model)):
        html = page.content.decode()
        assert page.status_code == 200
        assert f'<html lang="{language}"' in html
        assert " style=" not in html.split('<div id="content"')[1].split("<svg")[0]


@pytest.mark.parametrize("search", ["كسور", "fraction", "site/fraction"])
def test_autocomplete_finds_a_question_by_its_words_in_any_language(admin, search):
    question = make_question(prompt={"en": "Which fraction?", "ar": "أي كسور؟"}, key="site/fraction")
    make_question(prompt="Another")
    query = {"term": search, "app_label": "mpquiz", "model_name": "quizquestion", "field_name": "question"}
    found = admin.client.get("/en/admin/autocomplete/", query).json()["results"]
    assert found == [{"id": str(question.pk), "text": "Which fraction?"}]


def test_autocomplete_reads_a_prompt_that_is_only_there_in_arabic(admin):
    make_question(prompt={"ar": "أي كسور؟"})
    query = {"term": "", "app_label": "mpquiz", "model_name": "quizquestion", "field_name": "question"}
    assert admin.client.get("/en/admin/autocomplete/", query).json()["results"][0]["text"] == "أي كسور؟"


def test_the_list_shows_what_a_quiz_is(admin, taken):
    make_quiz(slug="draft", title={"ar": "مسودة"}, published=(), count=0)
    rows = admin.list("quiz").content.decode()
    assert '<bdi lang="ar" dir="rtl">مسودة</bdi>' in rows
    assert '<td class="field-question_count">3</td>' in rows
    assert '<td class="field-attempt_count">2</td>' in rows


@pytest.mark.parametrize(("published", "slugs"), [("en", {"one"}), ("ar", {"one", "two"}), ("none", {"three"})])
def test_the_list_is_narrowed_by_language(admin, published, slugs):
    for slug, languages in (("one", ("en", "ar")), ("two", ("ar",)), ("three", ())):
        make_quiz(slug=slug, published=languages)
    found = admin.list("quiz", published=published).context_data["cl"].result_list
    assert {quiz.slug for quiz in found} == slugs


def test_the_list_takes_as_many_queries_for_thirty_as_for_three(admin, query_count):
    for number in range(3):
        make_quiz(slug=f"quiz-{number}", count=1)
    few = query_count(lambda: admin.list("quiz"))
    for number in range(3, 30):
        make_quiz(slug=f"quiz-{number}", count=1)
    assert query_count(lambda: admin.list("quiz")) == few


def test_quizzes_are_archived_from_the_list_and_taken_out_again(admin, taken):
    chosen = {"_selected_action": [taken.pk]}
    admin.client.post(admin.address("quiz", view="changelist"), {"action": "archive", **chosen})
    taken.refresh_from_db()
    assert taken.archived
    admin.client.post(admin.address("quiz", view="changelist"), {"action": "take_out_of_archive", **chosen})
    taken.refresh_from_db()
    assert not taken.archived


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_draft_is_viewed_on_the_site_by_staff(admin, language):
    quiz = make_quiz(published=())
    admin.language = language
    assert f'href="/{language}/quizzes/floats/"' in admin.page("quiz", quiz).content.decode()
    assert admin.client.get(f"/{language}/quizzes/floats/").status_code == 200


def test_the_slug_of_an_imported_quiz_stays(admin):
    quiz = make_quiz(imported="x" * 64)
    admin.save("quiz", quiz, slug="other")
    quiz.refresh_from_db()
    assert quiz.slug == "floats"


def test_the_page_of_a_quiz_takes_as_many_queries_for_thirty_questions_as_for_three(admin, query_count):
    few, many = make_quiz(), make_quiz(slug="more", count=30)
    assert query_count(lambda: admin.page("quiz", few)) == query_count(lambda: admin.page("quiz", many))


def test_each_row_of_a_quiz_reads_its_question(admin):
    html = admin.page("quiz", make_quiz()).content.decode()
    for number in (1, 2, 3):
        assert f"selected>Question {number}?</option>" in html


def test_a_refused_row_reads_the_question_that_was_chosen(admin):
    quiz = make_quiz(count=1)
    other = make_question(prompt="Another?")
    html = admin.save("quiz", quiz, slug="", places__0__question=other.pk).content.decode()
    assert "selected>Another?</option>" in html


def test_what_can_be_no_question_is_refused_at_its_row(admin):
    quiz = make_quiz(count=1)
    assert list(errors_of(admin.save("quiz", quiz, places__0__question="x"))) == ["places-0-question"]


# Questions put into a quiz ------------------------------------------------------------------------------------


def test_many_questions_are_added_at_once_in_the_order_in_which_they_were_chosen(admin):
    quiz = make_quiz(count=2)
    new = [make_question(prompt=f"New {n}?") for n in range(3)]
    before = asked_in(quiz)
    admin.save("quiz", quiz, add_questions=[new[2].pk, new[0].pk, new[1].pk])
    assert asked_in(quiz) == [*before, new[2], new[0], new[1]]
    assert [place.place for place in quiz.places.all()] == [1, 2, 3, 4, 5]
    assert {place.points for place in quiz.places.all()} == {1}


def test_what_stands_in_the_quiz_already_is_left_out_and_told(admin):
    quiz = make_quiz(count=2)
    new = make_question()
    before = asked_in(quiz)
    answer = admin.save("quiz", quiz, add_questions=[before[0].pk, new.pk, before[1].pk])
    assert [said for said in told(admin, answer) if "already" in said] == [
        "2 questions stood in the quiz already, and stay where they are."
    ]
    assert asked_in(quiz) == [*before, new]


def test_what_was_taken_out_and_added_again_stands_at_the_end(admin):
    quiz = make_quiz(count=2)
    first, second = asked_in(quiz)
    admin.save("quiz", quiz, places__0__DELETE="on", add_questions=[first.pk])
    assert asked_in(quiz) == [second, first]


def test_a_new_quiz_is_published_with_the_questions_that_are_added(admin):
    broken, sound = make_question("Only one"), make_question()
    page = admin.save("quiz", **SOUND, published=["en"], add_questions=[broken.pk])
    assert list(errors_of(page)) == ["published"]
    assert "Which is right?" in page.content.decode()
    admin.save("quiz", **SOUND, published=["en"], add_questions=[broken.pk, sound.pk])
    assert asked_in(Quiz.objects.get()) == [broken, sound]


@pytest.mark.parametrize("value", ["x", "0", "9" * 40, "-1", "\x00", "1 OR 1=1"])
def test_what_can_be_no_question_is_not_added(admin, value):
    quiz = make_quiz(count=1)
    assert list(errors_of(admin.save("quiz", quiz, add_questions=[value]))) == ["add_questions"]
    assert quiz.places.count() == 1


@pytest.mark.parametrize("search", ["كسور", "fraction", "site/fraction", "Vectors", "عنوان"])
def test_the_search_finds_questions_in_any_language_and_tells_their_kind(admin, search):
    question = make_question(
        prompt={"en": "Which fraction?", "ar": "أي كسور؟"}, key="site/fraction", kind="multiple", title_ar="عنوان"
    )
    make_tag("Vectors", question)
    make_question(prompt="Another")
    query = {"term": search, "app_label": "mpquiz", "model_name": "quiz", "field_name": "questions"}
    [found] = admin.client.get(admin.address("question", view="find"), query).json()["results"]
    assert found["id"] == str(question.pk)
    assert found["text"] == f"\u2068عنوان\u2069 · {kinds.get('multiple').label}"


def test_the_search_takes_as_many_queries_for_many_as_for_few(admin, query_count):
    query = {"term": "Question", "app_label": "mpquiz", "model_name": "quiz", "field_name": "questions"}
    make_quiz(count=2)
    few = query_count(lambda: admin.client.get(admin.address("question", view="find"), query))
    make_quiz(slug="more", count=30)
    assert query_count(lambda: admin.client.get(admin.address("question", view="find"), query)) == few


def test_who_may_see_no_questions_finds_none(staff):
    make_quiz()
    query = {"term": "", "app_label": "mpquiz", "model_name": "quiz", "field_name": "questions"}
    editor = staff("view_quiz", "change_quiz")
    assert editor.client.get(editor.address("question", view="find"), query).status_code == 403


def test_the_page_of_a_quiz_takes_as_many_queries_for_a_hundred_questions_as_for_ten(admin, query_count):
    few, many = make_quiz(count=10), make_quiz(slug="more", count=100)
    assert query_count(lambda: admin.page("quiz", few)) == query_count(lambda: admin.page("quiz", many))


def test_adding_takes_as_many_queries_for_thirty_as_for_three(admin):
    quizzes = make_quiz(slug="few", count=1), make_quiz(slug="many", count=1)
    counts = []
    for quiz, count in zip(quizzes, (3, 30), strict=True):
        new = [make_question().pk for _n in range(count)]
        with CaptureQueriesContext(connection) as queries:
            assert admin.save("quiz", quiz, add_questions=new).status_code == 302
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_each_row_tells_its_kind(admin):
    html = admin.page("quiz", make_quiz(make_question(kind="multiple"))).content.decode()
    assert f'<td class="field-kind">\n              \n                  <p>{kinds.get("multiple").label}</p>' in html


def test_the_page_leads_to_writing_and_importing_for_this_quiz(admin):
    quiz = make_quiz()
    html = admin.page("quiz", quiz).content.decode()
    for name, _label in kinds.choices():
        assert f'href="{admin.address("question")}?quiz={quiz.pk}&amp;kind={name}"' in html
    assert f'href="{admin.address("quiz", view="import")}?into=floats"' in html


def test_who_may_only_look_is_offered_nothing_to_add(staff):
    reader = staff("view_quiz", "view_question")
    html = reader.page("quiz", make_quiz()).content.decode()
    assert "add_questions" not in html
    assert "?quiz=" not in html
    assert "/copy/" not in html


# Actions of the list ------------------------------------------------------------------------------------------


def act(editor, action, *quizzes):
    data = {"action": action, "_selected_action": [quiz.pk for quiz in quizzes]}
    page = editor.client.post(editor.address("quiz", view="changelist"), data, follow=True)
    return words_said(page)


def test_quizzes_are_published_in_a_language_from_the_list(admin):
    draft, there = make_quiz(slug="draft", title="A", published=()), make_quiz(title="B", published=("en",))
    assert act(admin, "publish_en", draft, there) == ["1 quiz was published."]
    assert [quiz.published_languages for quiz in (draft, there)] == [["en"], ["en"]]
    assert act(admin, "unpublish", draft, there) == ["2 quizzes are drafts again."]
    assert [quiz.published_languages for quiz in (draft, there)] == [[], []]
    assert LogEntry.objects.filter(object_id=str(draft.pk)).count() == 2


def test_what_asks_nothing_or_is_half_translated_is_not_published_from_the_list(admin):
    empty = make_quiz(make_question("Only one"), slug="empty", published=())
    half = make_quiz(make_question(prompt={"en": "Which?", "ar": "أيها؟"}), slug="half", published=())
    said = act(admin, "publish_ar", empty, half)
    assert said[0] == "0 quizzes were published."
    assert [one.split()[3] for one in said[1:]] == ["no", "half"]
    assert not QuizLanguage.objects.exists()


def test_a_quiz_that_asks_from_a_pool_alone_is_published_from_the_list(admin):
    quiz = make_quiz(make_page(), title="A", published=())
    make_pool(quiz, make_tag("Vectors", make_question()))
    assert act(admin, "publish_en", quiz) == ["1 quiz was published."]


def test_quizzes_are_copied_from_the_list_and_from_the_page(admin):
    quiz = make_quiz()
    admin.client.post(admin.address("quiz", quiz, "copy"))
    act(admin, "copy_selected", quiz)
    assert set(Quiz.objects.values_list("slug", flat=True)) == {"floats", "floats-copy", "floats-copy-2"}
    for copy in Quiz.objects.exclude(pk=quiz.pk):
        assert asked_in(copy) == asked_in(quiz)


def only_floats(user, quizzes, doing):
    return quizzes.filter(slug="floats")


def test_another_editor_s_quiz_is_not_copied(staff, settings):
    settings.MPQUIZ = settings.MPQUIZ | {"MAY_EDIT": "tests.admin.test_quiz.only_floats"}
    theirs, mine = make_quiz(slug="theirs"), make_quiz()
    editor = staff("view_quiz", "add_quiz", "change_quiz", "view_question")
    editor.client.post(editor.address("quiz", theirs, "copy"))
    act(editor, "copy_selected", theirs)
    assert Quiz.objects.count() == 2
    editor.client.post(editor.address("quiz", mine, "copy"))
    assert Quiz.objects.count() == 3
