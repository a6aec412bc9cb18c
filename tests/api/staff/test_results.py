"""Results by the API for staff: the list and the file of admin, and an attempt as its learner saw it."""

import csv
import io
import uuid
from datetime import timedelta
from decimal import Decimal

import openpyxl
import pytest
from django.utils import timezone

from mpquiz import remarking
from mpquiz.models import Attempt, Policy
from mpquiz.privacy import erase
from tests.admin.conftest import Editor
from tests.admin.test_results import bilingual, taken
from tests.api.conftest import Api
from tests.factories import learner, make_essay, make_page, make_question, make_quiz, make_user

from .editors import RULED, editor, queries

pytestmark = pytest.mark.django_db


@pytest.fixture
def noura(db):
    return editor("noura", "view_attempt")


@pytest.fixture
def admin(client):
    client.force_login(make_user("admin", is_staff=True, is_superuser=True))
    return Editor(client)


@pytest.fixture
def quiz(db):
    return bilingual(slug="noura-1")


def results(api, quiz, **query):
    answer = api.get(f"staff/quizzes/{quiz.slug}/results/", **query)
    assert answer.status_code == 200, answer.json()
    return answer.json()["results"]


def names(api, quiz, **query):
    return [one["learner"] for one in results(api, quiz, **query)]


def read(api, attempt, **query):
    answer = api.get(f"staff/attempts/{attempt.public_id}/", **query)
    assert answer.status_code == 200
    return answer.json()


# The list ---------------------------------------------------------------------------------------------------


def test_each_attempt_is_told_with_its_learner_and_its_score(noura, quiz):
    attempt = taken(quiz, "amal", 1, 2, language="ar")
    taken(bilingual(slug="noura-2"), "badr")
    [one] = results(noura, quiz)
    assert one["learner"] == "amal"
    assert one["url"] == f"/api/v1/staff/attempts/{attempt.public_id}/"
    assert noura.get(one["url"]).status_code == 200
    assert (one["score"], one["maximum"], one["percent"], one["passed"]) == ("1", "2", 50, True)
    assert (one["state"], one["languages"], one["counts"], one["duration"]) == ("finished", ["ar"], True, 0)
    assert "sight" not in one


def test_the_score_is_told_whatever_the_learner_may_see(noura):
    quiz = bilingual(slug="noura-1", show_score="never", show_right_or_wrong="never")
    taken(quiz, "amal", 1, 1)
    assert results(noura, quiz)[0]["score"] == "2"


def filters(quiz):
    """{filters of the API: (those of admin's page, whom they leave)}"""
    today = timezone.localdate()
    tomorrow = (today + timedelta(days=1)).isoformat()
    return [
        ({"state": "open"}, {"state": "open"}, ["running"]),
        ({"state": "finished"}, {"state": "finished"}, ["good", "bad"]),
        ({"passed": "true"}, {"passed": "yes"}, ["good"]),
        ({"passed": "false"}, {"passed": "no"}, ["bad"]),
        ({"language": "ar"}, {"language": "ar"}, ["bad"]),
        ({"from": tomorrow}, {"from": tomorrow}, []),
        ({"to": today.isoformat()}, {"to": today.isoformat()}, ["running", "good", "bad"]),
        ({"waiting": "true"}, {"waiting": "yes"}, []),
        ({"trial": "true"}, {"trial__exact": "1"}, []),
        ({"practice": "false"}, {"retry": "no"}, ["running", "good", "bad"]),
        ({"practice": "true"}, {"retry": "yes"}, []),
        ({"search": "goo"}, {"q": "goo"}, ["good"]),
        ({"search": "goo stranger"}, {"q": "goo stranger"}, []),
    ]


def test_it_is_narrowed_as_admin_s_page(noura, quiz, admin):
    taken(quiz, "bad", 2, 2, language="ar")
    taken(quiz, "good", 1, 1)
    taken(quiz, "running", finish=False)
    for query, of_admin, left in filters(quiz):
        assert names(noura, quiz, **query) == left, query
        page = admin.list("attempt", quiz__id__exact=quiz.pk, **of_admin)
        assert [one.learner_name for one in page.context_data["cl"].result_list] == left, query


def test_a_filter_that_is_not_named_narrows_nothing(quiz):
    make_quiz(slug="noura-2", archived=True)
    api = editor("huda", "view_quiz")
    assert [one["slug"] for one in api.get("staff/quizzes/").json()["results"]] == ["noura-1", "noura-2"]
    assert [one["slug"] for one in api.get("staff/quizzes/", archived="false").json()["results"]] == ["noura-1"]


@pytest.mark.parametrize(
    ("ordering", "found"),
    [
        ("learner", ["bad", "good"]),
        ("-learner", ["good", "bad"]),
        ("score", ["bad", "good"]),
        ("-score", ["good", "bad"]),
        ("started", ["good", "bad"]),
        ("-duration", ["bad", "good"]),
        ("number", ["good", "bad"]),
        ("state", ["good", "bad"]),
    ],
)
def test_it_is_ordered(noura, quiz, ordering, found):
    taken(quiz, "good", 1, 1)
    bad = taken(quiz, "bad", 2, 2)
    Attempt.objects.filter(pk=bad.pk).update(finished_at=timezone.now() + timedelta(hours=1))
    assert names(noura, quiz, ordering=ordering) == found


def test_it_comes_in_pages(noura, quiz):
    for name in ("one", "two", "three"):
        taken(quiz, name)
    answer = noura.get("staff/quizzes/noura-1/results/", page_size=2)
    assert (answer.json()["count"], answer["Cache-Control"]) == (3, "no-store")
    following = answer.json()["next"].removeprefix("http://testserver")
    assert [one["learner"] for one in noura.get(following).json()["results"]] == ["one"]
    assert noura.get("staff/quizzes/noura-1/results/", page=3).json()["code"] == "no_such_page"


@pytest.mark.parametrize(
    "query",
    [
        {"state": "eaten"},
        {"passed": "perhaps"},
        {"language": "fr"},
        {"from": "2026-02-30"},
        {"to": "yesterday"},
        {"ordering": "password"},
        {"as": "pdf"},
        {"colour": "red"},
        {"page_size": "0"},
    ],
)
def test_what_cannot_be_asked_is_told(noura, quiz, query):
    answer = noura.get("staff/quizzes/noura-1/results/", **query)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, list(query))


def test_a_page_takes_as_many_queries_for_many_attempts_as_for_few(noura, quiz):
    taken(quiz, "first", 1, 1)
    few = queries(noura, "staff/quizzes/noura-1/results/")
    for number in range(5):
        taken(quiz, f"learner{number}", 1, 2)
    assert queries(noura, "staff/quizzes/noura-1/results/") == few <= 10


# The file ---------------------------------------------------------------------------------------------------


def downloaded(api, quiz, **query):
    answer = api.get(f"staff/quizzes/{quiz.slug}/results/", **query)
    assert answer.status_code == 200
    return answer, answer.getvalue()


def test_a_csv_file_is_the_one_of_admin(noura, quiz, admin):
    taken(quiz, "=1+1", 1, 2)
    taken(quiz, "badr", 2, 2, language="ar")
    answer, data = downloaded(noura, quiz, **{"as": "csv"})
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("text/csv; charset=utf-8", "no-store")
    assert answer["Content-Disposition"] == 'attachment; filename="results-noura-1.csv"'
    address = f"/en/admin/mpquiz/attempt/download/?quiz__id__exact={quiz.pk}"
    assert admin.client.post(address, {"format": "csv"}).getvalue() == data
    rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
    assert [row[0] for row in rows] == ["Learner", "'=1+1", "badr"]


def test_a_file_holds_what_is_asked_for_with_each_question(noura, quiz):
    taken(quiz, "amal", 1, 2, language="ar")
    taken(quiz, "badr")
    _answer, data = downloaded(noura, quiz, **{"as": "xlsx", "by_question": "true", "language": "ar", "lang": "ar"})
    sheet = openpyxl.load_workbook(io.BytesIO(data)).active
    assert sheet.sheet_view.rightToLeft
    [_heading, row] = sheet.values
    assert (row[0], row[11:]) == ("amal", ("اثنان", 1, "ثلاثة", 0))


def test_what_no_sheet_holds_is_refused(noura, quiz, monkeypatch):
    taken(quiz, "amal")
    monkeypatch.setattr("mpquiz.spreadsheets.MOST_ROWS", 0)
    answer = noura.get("staff/quizzes/noura-1/results/", **{"as": "xlsx"})
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["as"])
    assert downloaded(noura, quiz, **{"as": "csv"})[1]


# One attempt ------------------------------------------------------------------------------------------------


def test_an_attempt_is_told_as_its_learner_saw_it_with_the_key(noura):
    quiz = bilingual(slug="noura-1", show_right_answer="never", show_score="never")
    attempt = taken(quiz, "amal", 2, language="ar")
    told = read(noura, attempt, lang="en")
    assert told["attempt"]["learner"] == "amal"
    assert told["seen_by_learner"]["right_answer"] is False
    first, second = told["answers"]
    assert (first["number"], first["language"], second["language"]) == (1, "ar", "ar")
    assert first["answer"]["prompt"]["text"] == "السؤال 1؟"
    assert (first["answer"]["state"], first["answer"]["mark"], first["answer"]["given"]) == ("wrong", "0", 2)
    assert [one["text"] for one in first["answer"]["told"]] == ["ثلاثة"]
    assert first["answer"]["right_answer_shown"] is True
    choices = first["answer"]["shown"]["choices"]
    assert [(one["place"], one["right"], one["chosen"]) for one in choices] == [(1, True, False), (2, False, True)]
    assert first["answer"]["feedback"]["explanation"]["text"] == "So it is."
    assert (second["answer"]["state"], second["answer"]["given"]) == ("open", None)


def test_the_texts_are_those_of_the_learner_s_own_result(noura, quiz):
    attempt = taken(quiz, "amal", 1, 2, language="ar")
    own = Api(attempt.user).get(f"attempts/{attempt.public_id}/result/", lang="ar").json()["questions"]
    staff = [one["answer"] for one in read(noura, attempt)["answers"]]
    same = ("position", "kind", "prompt", "shown", "given", "feedback", "points", "answered_at")
    assert [[one[name] for name in same] for one in staff] == [[one[name] for name in same] for one in own]


def test_a_page_to_read_has_no_number_and_an_essay_no_mark_yet(noura):
    quiz = make_quiz(make_page(), make_essay(), make_question(), slug="noura-1")
    attempt = Attempt.objects.start(quiz, learner(make_user()))
    attempt.answer(2, "Because.")
    attempt.finish()
    page, essay, choice = read(noura, attempt)["answers"]
    assert (page["number"], essay["number"], choice["number"]) == (None, 1, 2)
    assert (essay["answer"]["state"], essay["answer"]["mark"], essay["answer"]["given"]) == (
        "waiting",
        None,
        "Because.",
    )


def test_a_draft_stays_the_learner_s_until_it_is_handed_in(noura):
    quiz = make_quiz(make_essay(), slug="noura-1")
    attempt = Attempt.objects.start(quiz, learner(make_user()))
    attempt.keep(1, "Beca")
    [one] = read(noura, attempt)["answers"]
    assert (one["answer"]["given"], one["answer"]["told"]) == (None, [])
    attempt.finish()
    [one] = read(noura, attempt)["answers"]
    assert one["answer"]["given"] == "Beca"


def test_a_correction_of_the_score_is_told(noura, quiz):
    attempt = taken(quiz, "amal", 2, 2)
    question = attempt.answers.get(position=1).question
    remarking.remark(quiz, question, Policy.FULL_MARKS, by=None, reason="Both are right.")
    told = read(noura, attempt)
    [one] = told["history"]
    assert (one["old_score"], one["new_score"], one["reason"]) == ("0", "1", "Both are right.")
    assert told["attempt"]["score"] == "1"


def test_an_erased_learner_s_attempt_is_read_without_what_was_written(noura):
    questions = [make_question(kind="text", prompt="Name?"), make_essay(), make_question()]
    quiz = make_quiz(*questions, slug="noura-1")
    user = make_user("amal")
    attempt = Attempt.objects.start(quiz, learner(user))
    for position, given in enumerate(("Amal", "Because I am Amal.", 1), 1):
        attempt.answer(position, given)
    attempt.mark_by_hand(2, Decimal(1), by=make_user("teacher"))
    erase(learner(user))
    attempt.refresh_from_db()
    told = read(noura, attempt)
    assert told["attempt"]["learner"] == "Erased"
    assert [one["answer"]["told"] for one in told["answers"]][:2] == [[], []]
    assert "Amal" not in str(told)
    assert results(noura, quiz)[0]["learner"] == "Erased"


def test_an_attempt_takes_as_many_queries_for_20_questions_as_for_2(noura):
    few, many = (make_quiz(*(make_question() for _one in range(n)), slug=f"noura-{n}") for n in (2, 20))
    counts = set()
    for number, quiz in enumerate((few, many)):
        attempt = Attempt.objects.start(quiz, learner(make_user(f"learner{number}")))
        attempt.finish()
        counts.add(queries(noura, f"staff/attempts/{attempt.public_id}/"))
    assert len(counts) == 1
    assert counts.pop() <= 8


# Who may ----------------------------------------------------------------------------------------------------


def test_results_are_for_whoever_may_view_attempts(quiz):
    attempt = taken(quiz, "amal", 1)
    paths = ("staff/quizzes/noura-1/results/", f"staff/attempts/{attempt.public_id}/")
    for path in paths:
        assert Api().get(path).json()["code"] == "sign_in"
        assert Api(attempt.user).get(path).status_code == 403
        for rights in (("change_quiz", "view_waitinganswer", "change_question"), ("view_quiz",)):
            assert editor(f"x{uuid.uuid4().hex[:8]}", *rights).get(path).status_code == 403
        assert editor(f"y{uuid.uuid4().hex[:8]}", "view_attempt").get(path).status_code == 200


def test_a_host_s_rule_says_whose_results_they_are(quiz, settings):
    attempt = taken(quiz, "amal", 1)
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    for path in ("staff/quizzes/noura-1/results/", f"staff/attempts/{attempt.public_id}/"):
        assert editor(f"samir{len(path)}").get(path).status_code == 404
        assert root.get(path).status_code == 200
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": "tests.api.staff.test_results.may_only_change"}
    assert editor("noura").get("staff/quizzes/noura-1/results/").status_code == 403
    assert root.get("staff/quizzes/noura-1/results/").status_code == 200


def may_only_change(user, quizzes, doing):
    return quizzes if doing == "change" else quizzes.none()


@pytest.mark.parametrize("ident", ["x", "1", "00000000-0000-0000-0000-000000000000", "%00"])
def test_an_attempt_that_is_not_there_is_not_found(noura, ident):
    assert noura.get(f"staff/attempts/{ident}/").status_code == 404
    assert noura.get("staff/quizzes/none/results/").status_code == 404
