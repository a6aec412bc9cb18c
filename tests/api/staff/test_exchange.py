"""Import and export by the API for staff: the reports and the rights of admin."""

import pytest
from django.contrib.admin.models import ADDITION, CHANGE, LogEntry
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz import importing
from mpquiz.models import Question, Quiz, Revision
from tests.api.conftest import Api, address
from tests.factories import make_essay, make_question, make_quiz, make_tag, make_user

from .editors import RULED, editor, queries

pytestmark = pytest.mark.django_db

GIFT = "::sum:: How much is 1 + 1? {=2 ~3}\n\n::product:: How much is 2 * 2? {=4 ~3}\n"
ARABIC = "::sum:: كم يساوي 1 + 1؟ {=2 ~3}\n\n::product:: كم يساوي 2 * 2؟ {=4 ~3}\n"


@pytest.fixture
def noura(db):
    return editor()


def bring(api, **sent):
    return api.post("staff/import/", {"format": "gift", "into": "noura-1", "language": "en", **sent})


def send(api, data, name="sums.gift", **sent):
    body = {"file": SimpleUploadedFile(name, data), "into": "noura-1", "language": "en", **sent}
    return api.client.post(address("staff/import/"), body)


def items_of(response):
    return [(one["verdict"], one["what"], one["name"]) for one in response.json()["items"]]


# In ---------------------------------------------------------------------------------------------------------


def test_a_text_becomes_a_quiz_with_the_report_of_the_command(noura):
    answer = bring(noura, text=GIFT)
    told = answer.json()
    assert (answer.status_code, told["quiz"], told["format"], told["dry_run"]) == (201, "noura-1", "gift", False)
    assert answer["Cache-Control"] == "no-store"
    assert items_of(answer) == [
        ("created", "question", "noura-1/q1"),
        ("created", "question", "noura-1/q2"),
        ("created", "quiz", "noura-1"),
    ]
    quiz = Quiz.objects.get()
    assert (quiz.slug, quiz.questions.count()) == ("noura-1", 2)
    assert Revision.objects.filter(source=Revision.Source.IMPORTED, by__username="noura").count() == 2
    entry = LogEntry.objects.get()
    assert (entry.action_flag, entry.change_message) == (ADDITION, "Imported from a pasted text.")
    Quiz.objects.all().delete()
    Question.objects.all().delete()
    said = importing.bring(GIFT.encode(), format="gift", language="en", into="noura-1").lines()
    assert told["report"] == said


def test_a_dry_run_stores_nothing_and_tells_the_same(noura):
    told = bring(noura, text=GIFT, dry_run=True)
    assert (told.status_code, told.json()["dry_run"], told.json()["quiz"]) == (200, True, "noura-1")
    assert not Quiz.objects.exists()
    assert not LogEntry.objects.exists()
    assert items_of(told) == items_of(bring(noura, text=GIFT))


def test_a_file_is_uploaded_and_its_format_recognised(noura):
    answer = send(noura, GIFT.encode())
    assert (answer.status_code, answer.json()["format"]) == (201, "gift")
    assert LogEntry.objects.get().change_message == "Imported from sums.gift."


def test_a_second_language_is_joined_to_the_quiz_that_is_there(noura):
    bring(noura, text=GIFT)
    answer = send(noura, ARABIC.encode("windows-1256"), language="ar", encoding="windows-1256")
    assert answer.status_code == 200
    assert ("filled", "question", "noura-1/q1") in items_of(answer)
    assert Question.objects.get(key="noura-1/q1").prompt_ar == "كم يساوي 1 + 1؟"
    assert LogEntry.objects.first().action_flag == CHANGE
    again = send(noura, ARABIC.encode("windows-1256"), language="ar", encoding="windows-1256")
    assert {verdict for verdict, _what, _name in items_of(again)} == {"unchanged"}


def test_what_an_editor_changed_stays_unless_it_is_forced(noura):
    bring(noura, text=GIFT)
    Question.objects.filter(key="noura-1/q1").update(prompt_en="How much is one and one?")
    changed = Question.objects.filter(key="noura-1/q1", prompt_en="How much is one and one?")
    assert ("kept", "question", "noura-1/q1") in items_of(bring(noura, text=GIFT))
    assert changed.exists()
    assert bring(noura, text=GIFT, force=True).status_code == 200
    assert not changed.exists()


def test_with_an_error_nothing_is_stored_and_each_is_told_with_its_line(noura):
    answer = bring(noura, text=GIFT + "\n::broken:: How much? {=2\n")
    told = answer.json()
    assert (answer.status_code, told["code"]) == (400, "not_imported")
    assert [bool(one["message"]) and one["line"] for one in told["errors"]] == [5]
    assert not Quiz.objects.exists()


def test_a_format_that_cannot_be_told_is_asked_for(noura):
    answer = bring(noura, text="Some prose.", format="")
    assert (answer.status_code, answer.json()["errors"][0]["line"]) == (400, None)


@pytest.mark.parametrize(
    ("body", "place"),
    [
        ({"text": ""}, "text"),
        ({"text": "  "}, "non_field_errors"),
        ({}, "non_field_errors"),
        ({"text": 3, "format": "riddle"}, "format"),
        ({"text": GIFT, "language": "fr"}, "language"),
        ({"text": GIFT, "encoding": "ebcdic"}, "encoding"),
        ({"text": GIFT, "into": "no slug"}, "into"),
        ({"text": GIFT, "into": "x" * 81}, "into"),
        ({"text": GIFT, "force": "perhaps"}, "force"),
        ({"text": GIFT, "colour": "red"}, "colour"),
        ({"text": "\ud800"}, "non_field_errors"),
        ({"text": ["a"]}, "text"),
        ({"file": "a"}, "file"),
        ([GIFT], "non_field_errors"),
    ],
)
def test_what_cannot_be_used_is_told_at_its_place(noura, body, place):
    answer = noura.post("staff/import/", body)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json().get("fields", ["non_field_errors"])) == [place]
    assert not Quiz.objects.exists()


def test_a_file_that_is_too_large_is_refused_before_it_is_read(noura, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "LARGEST_IMPORT": 10}
    assert list(send(noura, GIFT.encode()).json()["fields"]) == ["file"]
    assert bring(noura, text=GIFT).json()["code"] == "not_imported"
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 100
    answer = noura.client.post(address("staff/import/"), {"text": GIFT * 9})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["text"])


def test_an_import_takes_the_right_to_add_quizzes_and_questions():
    assert bring(Api(), text=GIFT).status_code in (401, 403)
    assert bring(Api(make_user("hala")), text=GIFT).status_code == 403
    assert bring(editor("samir", "add_quiz"), text=GIFT).status_code == 403
    assert bring(editor("huda", "add_question"), text=GIFT).status_code == 403
    assert not Quiz.objects.exists()
    assert bring(editor("noura", "add_quiz", "add_question"), text=GIFT).status_code == 201


def test_whoever_may_only_add_changes_nothing(noura):
    bring(noura, text=GIFT)
    adder = editor("samir", "add_quiz", "add_question")
    assert list(bring(adder, text=ARABIC, language="ar").json()["fields"]) == ["into"]
    assert list(bring(adder, text=ARABIC, into="new", force=True).json()["fields"]) == ["force"]
    native = noura.get("staff/quizzes/noura-1/export/").json()["text"].replace("How much is 1", "What is 1")
    answer = adder.post("staff/import/", {"text": native})
    assert "You may not change questions, and this file changes some." in [
        one["message"] for one in answer.json()["errors"]
    ]
    assert not Question.objects.filter(prompt_ar__gt="").exists()


def test_a_stranger_s_quiz_is_neither_joined_nor_overwritten(noura, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}
    assert bring(noura, text=GIFT).status_code == 201
    samir = editor("samir")
    before = [question.written() for question in Question.objects.all()]
    for sent in ({"text": ARABIC, "language": "ar"}, {"text": GIFT, "force": True}, {"text": GIFT, "dry_run": True}):
        answer = bring(samir, **sent)
        assert (answer.status_code, answer.json()["code"]) == (400, "not_imported")
        assert "items" not in answer.json()
        assert "How much" not in answer.content.decode()
    assert [question.written() for question in Question.objects.all()] == before


# Out --------------------------------------------------------------------------------------------------------


def errors_of(answer):
    assert (answer.status_code, answer.json()["code"]) == (400, "not_imported"), answer.content
    return [one["message"] for one in answer.json()["errors"]]


@pytest.mark.parametrize(
    "text",
    ["::a:: س {~صواب =خطأ}", "::a:: س {#5}", "::a:: س {=صواب ~خطأ ~ثالث}", "::a:: س {=1 ~2}\n\n::b:: س {=1 ~2}"],
)
def test_a_file_compared_with_a_stranger_s_quiz_tells_nothing_of_its_keys(noura, settings, text):
    settings.MPQUIZ = settings.MPQUIZ | RULED
    make_quiz(make_question({"value": "42:1", "right": True}, kind="number", key="samir/secret"), slug="samir-1")
    answer = bring(noura, text=text, into="samir-1", language="ar", dry_run=True)
    assert errors_of(answer) == ["“samir-1” is another editor's. Choose another slug or key."]
    assert not any(said in answer.content.decode() for said in ("secret", "42"))


def native(question, *, slug="noura-y", namespace="noura"):
    return (
        f"mpquiz: 1\nnamespace: {namespace}\nquiz: {{slug: {slug}, title: {{en: Y}}}}\nquestions:\n  - {question}\n"
    )


def bring_native(api, text, **sent):
    return api.post("staff/import/", {"text": text, "format": "yaml", **sent})


def test_a_native_file_that_names_a_stranger_s_rows_is_told_that_and_no_more(noura, settings):
    settings.MPQUIZ = settings.MPQUIZ | RULED
    make_quiz(make_question(key="samir/secret"), slug="samir-1")
    sound = "{key: secret, kind: single, prompt: {en: P}, choices: [{text: {en: a}, right: true}, {text: {en: b}}]}"
    theirs = "“{}” is another editor's. Choose another slug or key."
    by_slug = bring_native(noura, native(sound, slug="samir-1"), dry_run=True)
    assert errors_of(by_slug) == [theirs.format("samir-1")]
    by_key = bring_native(noura, native(sound, namespace="samir"), dry_run=True)
    assert errors_of(by_key) == [theirs.format("samir/secret")]


def test_a_stranger_s_question_is_not_used_and_reads_as_one_that_is_not_there(noura, settings):
    settings.MPQUIZ = settings.MPQUIZ | RULED
    make_quiz(make_question(key="samir/secret"), slug="samir-1")
    told = {key: errors_of(bring_native(noura, native(f"use: {key}"))) for key in ("samir/secret", "samir/none")}
    assert [said.replace("secret", "none") for said in told["samir/secret"]] == told["samir/none"]
    assert "There is no question “samir/none” to use" in told["samir/none"][0]
    assert not Quiz.objects.filter(slug="noura-y").exists()
    samir = editor("samir")
    question = Question.objects.get(key="samir/secret")
    assert samir.patch(f"staff/questions/{question.pk}/", {"title": {"en": "Mine"}}).status_code == 200
    assert bring_native(samir, native("use: samir/secret", slug="samir-y")).status_code == 201


def test_one_s_own_questions_and_those_of_no_quiz_are_used(noura, settings):
    settings.MPQUIZ = settings.MPQUIZ | RULED
    make_quiz(make_question(key="noura/own"), slug="noura-1")
    make_question(key="site/free")
    for key in ("noura/own", "site/free"):
        assert bring_native(noura, native(f"use: {key}", slug=f"noura-{key[:4].strip('/')}")).status_code == 201


def test_whose_rows_a_file_names_is_asked_in_as_many_queries_for_30_questions_as_for_3(noura, settings):
    settings.MPQUIZ = settings.MPQUIZ | RULED

    def count(questions):
        text = "\n\n".join(f"::q{n}:: How much is {n} + 0? {{={n} ~x}}" for n in range(questions))
        with CaptureQueriesContext(connection) as captured:
            assert bring(noura, text=text, into=f"noura-{questions}", dry_run=True).status_code == 200
        return len(captured)

    count(2)
    assert count(3) == count(30)


def test_a_quiz_is_exported_and_comes_back_as_it_was(noura):
    bring(noura, text=GIFT)
    told = noura.get("staff/quizzes/noura-1/export/").json()
    assert (told["name"], told["losses"]) == ("noura-1.yaml", [])
    again = noura.post("staff/import/", {"text": told["text"]})
    assert {verdict for verdict, _what, _name in items_of(again)} == {"unchanged"}


def test_an_export_tells_what_its_format_cannot_hold(noura):
    make_quiz(make_question(prompt={"en": "Sum?", "ar": "المجموع؟"}), make_essay(), slug="noura-1", time_limit=5)
    told = noura.get("staff/quizzes/noura-1/export/", **{"as": "gift", "language": "ar"}).json()
    assert told["name"] == "noura-1.gift"
    assert "المجموع؟" in told["text"]
    assert "Sum?" not in told["text"]
    assert told["losses"]
    assert all(one["message"] for one in told["losses"])


def test_the_file_itself_is_downloaded(noura):
    make_quiz(slug="noura-1")
    answer = noura.get("staff/quizzes/noura-1/export/", **{"as": "moodle_xml", "download": "true"})
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("application/xml", "no-store")
    assert answer["Content-Disposition"] == 'attachment; filename="noura-1.xml"'
    assert answer.content.startswith(b"<?xml")


def test_chosen_questions_are_exported_in_their_order(noura):
    first, second = make_question(prompt="First?"), make_question(prompt="Second?")
    answer = noura.get("staff/questions/export/", **{"ids": f"{second.pk},{first.pk}", "as": "gift"})
    text = answer.json()["text"]
    assert text.index("Second?") < text.index("First?")


@pytest.mark.parametrize(
    "query",
    [{"as": "aiken"}, {"as": "pdf"}, {"language": "fr"}, {"download": "perhaps"}, {"page": "1"}, {"colour": "red"}],
)
def test_what_an_export_cannot_be_is_told(noura, query):
    question = make_question()
    make_quiz(question, slug="noura-1")
    for path, more in (("quizzes/noura-1", {}), ("questions", {"ids": question.pk})):
        answer = noura.get(f"staff/{path}/export/", **query, **more)
        assert (answer.status_code, list(answer.json()["fields"])) == (400, list(query))


@pytest.mark.parametrize("ids", ["", "x", "1;2", "1,,2", "-1", "9" * 19, "٣", ",".join(map(str, range(1, 1100)))])
def test_ids_that_are_none_are_told(noura, ids):
    answer = noura.get("staff/questions/export/", ids=ids)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["ids"])


def test_a_stranger_s_questions_are_not_there_to_be_exported(noura, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}
    question = make_question()
    make_quiz(question, slug="noura-1")
    samir, reader = editor("samir"), editor("huda", "view_tag")
    make_tag("Algebra")
    assert noura.get("staff/questions/export/", ids=question.pk).status_code == 200
    for path, query in (("quizzes/noura-1/export/", {}), ("questions/export/", {"ids": question.pk})):
        assert samir.get(f"staff/{path}", **query).status_code == 404
        assert reader.get(f"staff/{path}", **query).status_code == 403
        assert Api(make_user(f"hala{path}")).get(f"staff/{path}", **query).status_code == 403
        assert Api().get(f"staff/{path}", **query).status_code in (401, 403)
    assert samir.get("staff/questions/export/", ids=f"{make_question().pk},{question.pk}").status_code == 404


def test_an_export_takes_as_many_queries_for_30_questions_as_for_3(noura):
    make_quiz(*(make_question() for _number in range(3)), slug="noura-3")
    make_quiz(*(make_question() for _number in range(30)), slug="noura-30")
    few, many = (queries(noura, f"staff/quizzes/noura-{n}/export/", **{"as": "gift"}) for n in (3, 30))
    assert few == many
