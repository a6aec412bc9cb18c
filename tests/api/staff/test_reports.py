"""What learners say is wrong with questions, by the API for staff."""

import pytest
from django.contrib.admin.models import LogEntry

from mpquiz.models import Question, Report
from tests.admin.conftest import Editor
from tests.admin.test_reports import reported
from tests.api.conftest import Api
from tests.factories import make_question, make_quiz, make_user

from .editors import RULED, editor, queries

pytestmark = pytest.mark.django_db
REPORTS = "staff/reports/"


@pytest.fixture
def quiz(db):
    return make_quiz(make_question(prompt={"en": "How many?", "ar": "كم؟"}), make_question(), slug="noura-1")


@pytest.fixture
def noura(db):
    return editor("noura", "change_question", "view_attempt")


def notes(api, **query):
    answer = api.get(REPORTS, **query)
    assert answer.status_code == 200, answer.json()
    return [one["note"] for one in answer.json()["results"]]


def settle(api, report):
    return api.post(f"{REPORTS}{report.pk}/settle/")


def test_a_report_tells_question_quiz_language_and_who(noura, quiz):
    report = reported(quiz, note="العدد خطأ", language="ar")
    [one] = noura.get(REPORTS).json()["results"]
    told = noura.get(one["url"])
    assert (told.json(), told["Cache-Control"]) == (one, "no-store")
    assert (one["note"], one["language"], one["question"]) == ("العدد خطأ", "ar", report.question_id)
    assert (one["prompt"]["text"], one["prompt"]["lang"]) == ("كم؟", "ar")
    assert (one["quiz"]["slug"], one["title"]["text"], one["learner"]) == ("noura-1", "Floating point", "amal")
    assert (one["settled_at"], one["settled_by"]) == (None, None)
    assert noura.get(one["attempt"]).json()["attempt"]["learner"] == "amal"


def test_the_list_is_that_of_admin(noura, quiz, client):
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    first, second = reported(quiz, "one", "first"), reported(quiz, "two", "second", position=2, language="ar")
    reported(make_quiz(slug="noura-2", count=1), "three", "third")
    settle(noura, first)
    for query, of_admin, found in (
        ({}, {}, ["second", "third", "first"]),
        ({"state": "open"}, {"state": "open"}, ["second", "third"]),
        ({"state": "settled"}, {"state": "settled"}, ["first"]),
        ({"quiz": "noura-1"}, {"quiz__id__exact": quiz.pk}, ["second", "first"]),
        ({"language": "ar"}, {"language": "ar"}, ["second"]),
        ({"question": second.question_id}, {"question__id__exact": second.question_id}, ["second"]),
        ({"search": "thi"}, {"q": "thi"}, ["third"]),
    ):
        assert notes(noura, **query) == found, query
        page = Editor(client).list("report", **of_admin)
        assert [one.note for one in page.context_data["cl"].result_list] == found, query
    assert notes(noura, ordering="-created") == ["third", "second", "first"]


@pytest.mark.parametrize(
    "query", [{"state": "eaten"}, {"language": "fr"}, {"question": "x"}, {"ordering": "user"}, {"colour": "red"}]
)
def test_what_cannot_be_asked_is_told(noura, query):
    answer = noura.get(REPORTS, **query)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, list(query))


def test_a_report_is_settled_and_again_changes_nothing(noura, quiz):
    report = reported(quiz)
    told = settle(noura, report)
    assert (told.status_code, told.json()["settled_by"]) == (200, "noura")
    assert settle(editor("samir"), report).json() == told.json()
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.change_message) == ("noura", "Settled.")
    answer = noura.post(f"{REPORTS}{report.pk}/settle/", {"colour": "red"})
    assert list(answer.json()["fields"]) == ["colour"]


def test_a_report_outlives_its_question_and_its_attempt(noura, quiz):
    report = reported(quiz)
    Question.objects.filter(pk=report.question_id).delete()
    report.answer.attempt.delete()
    told = noura.get(f"{REPORTS}{report.pk}/").json()
    assert (told["question"], told["attempt"], told["prompt"]["text"]) == (None, None, "How many?")


def test_names_are_for_whoever_may_see_attempts(quiz, settings):
    report = reported(quiz)
    told = editor("huda", "change_question").get(f"{REPORTS}{report.pk}/").json()
    assert (told["learner"], told["attempt"]) == (None, None)
    assert "amal" not in str(told)
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": "tests.api.staff.test_results.may_only_change"}
    assert editor("noura").get(f"{REPORTS}{report.pk}/").json()["learner"] is None


def test_reports_are_for_whoever_may_change_questions(quiz):
    report = reported(quiz)
    path = f"{REPORTS}{report.pk}/"
    rights = ("view_question", "change_quiz", "change_report", "view_attempt")
    for api in (Api(), Api(report.user), editor("huda", *rights)):
        assert api.get(REPORTS).status_code in (401, 403)
        assert api.get(path).status_code in (401, 403)
        assert settle(api, report).status_code in (401, 403)
    assert Report.objects.open().exists()


def test_a_stranger_s_reports_are_not_there(quiz, settings):
    report = reported(quiz)
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}
    samir = editor("samir")
    assert notes(samir) == []
    assert samir.get(f"{REPORTS}{report.pk}/").status_code == 404
    assert settle(samir, report).status_code == 404
    assert Report.objects.open().exists()
    assert settle(editor("noura"), report).status_code == 200


def test_the_list_takes_as_many_queries_for_many_reports_as_for_few(noura, quiz):
    reported(quiz, "first")
    few = queries(noura, REPORTS)
    for number in range(5):
        reported(quiz, f"learner{number}")
    assert queries(noura, REPORTS) == few <= 6
