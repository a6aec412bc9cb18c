"""Marking anew by the API for staff: what each rule would do, doing it, the log, and the way back."""

import pytest
from django.contrib.admin.models import LogEntry

from mpquiz import remarking
from mpquiz.models import Attempt, Policy, Remarking
from tests.admin.test_deleting import finished
from tests.admin.test_remarking import key_is
from tests.api.conftest import Api
from tests.factories import learner, make_question, make_quiz, make_user

from .editors import RULED, editor, queries

pytestmark = pytest.mark.django_db
EDITOR = ("change_quiz", "view_attempt")


@pytest.fixture
def question(db):
    return make_question(("A", True), "B", "C", prompt={"en": "Which?", "ar": "أيّها؟"})


@pytest.fixture
def quiz(question):
    """Amal chose the first choice, Badr the second, which is found to be right."""
    quiz = make_quiz(question, make_question(prompt="Other?"), pass_mark=50, slug="noura-1")
    for name, given in (("amal", 1), ("badr", 2)):
        attempt = Attempt.objects.start(quiz, learner(make_user(name)))
        attempt.answer(1, given)
        attempt.finish()
    key_is(question, "b")
    return quiz


@pytest.fixture
def noura(db):
    return editor("noura", *EDITOR)


def place(quiz, question=None, policy=""):
    """The address of what a rule would do."""
    path = f"staff/quizzes/{quiz.slug}/remarking/"
    return path if question is None else f"{path}q{question.pk}/{policy and policy + '/'}"


def preview(api, quiz, question, policy="new_key"):
    answer = api.get(place(quiz, question, policy))
    assert answer.status_code == 200, answer.json()
    return answer.json()


def do(api, quiz, question, policy="new_key", **sent):
    body = {"fingerprint": preview(api, quiz, question, policy)["preview"]["fingerprint"], **sent}
    return api.post(place(quiz, question, policy), body)


def undo(api, pk):
    return api.post(f"staff/remarkings/{pk}/undo/")


def scores():
    return [attempt.score for attempt in Attempt.objects.order_by("pk")]


# What would come of it --------------------------------------------------------------------------------------


def test_the_questions_that_were_asked_are_told(noura, quiz, question):
    told = noura.get(place(quiz), lang="ar")
    assert told["Cache-Control"] == "no-store"
    first, second = told.json()["questions"]
    assert (first["name"], first["question"], first["count"]) == (f"q{question.pk}", question.pk, 2)
    assert (first["text"]["text"], second["text"]["text"]) == ("أيّها؟", "Other?")
    assert noura.get(first["url"]).status_code == 200


def test_each_rule_says_what_it_would_do_and_nothing_is_written(noura, quiz, question):
    told = noura.get(place(quiz, question)).json()
    assert (told["asked"]["name"], told["asked"]["count"]) == (f"q{question.pk}", 2)
    names = ("policy", "better", "worse", "same", "newly_passed", "newly_failed", "running", "fingerprint")
    for one, expected in zip(told["previews"], remarking.previews(quiz, question), strict=True):
        assert {name: one[name] for name in names} == {name: getattr(expected, name) for name in names}
        assert noura.get(one["url"]).json()["preview"] == one
    assert [one["policy"] for one in told["previews"]] == Policy.values
    assert told["previews"][0]["rule"] == "Mark by the new key"
    assert (scores(), Remarking.objects.exists()) == ([1, 0], False)


def test_who_would_change_is_named_with_both_scores(noura, quiz, question):
    told = preview(noura, quiz, question)
    amal, badr = told["changes"]
    assert (amal["learner"], amal["number"], amal["old_score"], amal["new_score"]) == ("amal", 1, "1", "0")
    assert (badr["learner"], badr["passed_before"], badr["passed_after"]) == ("badr", False, True)
    assert (told["more"], noura.get(amal["attempt"]).json()["attempt"]["learner"]) == (0, "amal")


def test_of_many_the_first_are_named_and_the_others_counted(noura, quiz, question, monkeypatch):
    monkeypatch.setattr("mpquiz.api.staff.remarking_views._SHOWN", 1)
    told = preview(noura, quiz, question)
    assert ([one["learner"] for one in told["changes"]], told["more"]) == (["amal"], 1)


def test_learners_are_named_to_whoever_may_see_attempts(quiz, question, settings):
    told = preview(editor("huda", "change_quiz"), quiz, question)
    assert {one["learner"] for one in told["changes"]} == {one["attempt"] for one in told["changes"]} == {None}
    assert "amal" not in str(told)
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": "tests.api.staff.test_results.may_only_change"}
    assert "amal" not in str(preview(editor("noura"), quiz, question))


@pytest.mark.parametrize("name", ["q", "q0", "x1", "v1", "q" + "9" * 30, "q٣", "new_key"])
def test_a_question_or_a_rule_that_is_none_is_not_there(noura, quiz, question, name):
    assert noura.get(f"{place(quiz)}{name}/").status_code == 404
    assert noura.get(f"{place(quiz)}{name}/new_key/").status_code == 404
    assert noura.get(f"{place(quiz, question)}{name}x/").status_code == 404


def test_a_question_of_another_quiz_is_not_marked_anew_by_it(noura, quiz):
    other = make_question(prompt="Elsewhere?")
    finished(make_quiz(other, slug="noura-2"), "carim", right=1)
    assert noura.get(place(quiz, other)).status_code == 404
    assert noura.post(place(quiz, other, "full_marks"), {"fingerprint": "x"}).status_code == 404


def test_a_preview_takes_as_many_queries_for_many_attempts_as_for_few(noura, quiz, question):
    paths = (place(quiz), place(quiz, question), place(quiz, question, "new_key"))
    few = [queries(noura, path) for path in paths]
    for number in range(5):
        finished(quiz, f"learner{number}", right=1)
    assert [queries(noura, path) for path in paths] == few
    assert max(few) <= 16


# Doing it ---------------------------------------------------------------------------------------------------


def test_it_is_done_logged_and_undone(noura, quiz, question):
    answer = do(noura, quiz, question, reason="The key was wrong.")
    told = answer.json()
    assert (answer.status_code, scores()) == (201, [0, 1])
    assert (told["policy"], told["reason"], told["by"], told["changed"]) == (
        "new_key",
        "The key was wrong.",
        "noura",
        2,
    )
    assert (told["text"]["text"], told["quiz"]["slug"], told["refusal"]) == ("Which?", "noura-1", None)
    [row] = noura.get("staff/remarkings/").json()["results"]
    assert noura.get(row["url"]).json() == told == {**row, "refusal": None}
    undone = undo(noura, told["id"]).json()
    assert (undone["put_back"], undone["kept"], scores()) == (2, 0, [1, 0])
    assert undone["remarking"]["undone_by"] == "noura"
    assert undone["remarking"]["refusal"]["code"] == "undone"
    again = undo(noura, told["id"])
    assert (again.status_code, again.json()["code"]) == (409, "undone")
    messages = LogEntry.objects.order_by("pk").values_list("change_message", flat=True)
    assert list(messages) == ["Marked a question anew: Mark by the new key.", "Undid a re-marking."]


def test_the_same_request_again_changes_nothing(noura, quiz, question):
    sent = {"fingerprint": preview(noura, quiz, question)["preview"]["fingerprint"]}
    assert noura.post(place(quiz, question, "new_key"), sent).status_code == 201
    again = noura.post(place(quiz, question, "new_key"), sent)
    assert (again.status_code, again.json()["code"]) == (409, "changed")
    assert do(noura, quiz, question).json()["code"] == "unchanged"
    assert (Remarking.objects.count(), LogEntry.objects.count()) == (1, 1)


def test_what_changed_since_the_preview_is_refused(noura, quiz, question):
    sent = {"fingerprint": preview(noura, quiz, question)["preview"]["fingerprint"]}
    finished(quiz, "carim", right=1)
    answer = noura.post(place(quiz, question, "new_key"), sent)
    assert (answer.status_code, answer.json()["code"]) == (409, "changed")
    assert not Remarking.objects.exists()
    assert do(noura, quiz, question).status_code == 201


def test_of_two_the_older_is_not_undone(noura, quiz, question):
    first = do(noura, quiz, question).json()
    second = do(noura, quiz, question, "leave_out").json()
    assert noura.get(first["url"]).json()["refusal"]["code"] == "not_newest"
    answer = undo(noura, first["id"])
    assert (answer.status_code, answer.json()["code"]) == (409, "not_newest")
    assert undo(noura, second["id"]).status_code == 200
    assert undo(noura, first["id"]).status_code == 200


def test_a_question_that_was_deleted_can_be_given_or_left_out(noura, quiz, question):
    question.delete()
    [gone] = [one for one in noura.get(place(quiz)).json()["questions"] if one["question"] is None]
    assert [one["policy"] for one in noura.get(gone["url"]).json()["previews"]] == ["full_marks", "leave_out"]
    answer = noura.get(f"{gone['url']}new_key/")
    assert (answer.status_code, answer.json()["code"]) == (409, "no_key")
    found = noura.get(f"{gone['url']}full_marks/").json()["preview"]["fingerprint"]
    done = noura.post(f"{gone['url']}full_marks/", {"fingerprint": found})
    assert (done.status_code, done.json()["question"], scores()) == (201, None, [1, 1])


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({}, "fingerprint"),
        ({"fingerprint": "x" * 65}, "fingerprint"),
        ({"fingerprint": "x", "reason": "x" * 1001}, "reason"),
        ({"fingerprint": "x", "policy": "leave_out"}, "policy"),
    ],
)
def test_what_cannot_be_sent_is_told(noura, quiz, question, sent, field):
    answer = noura.post(place(quiz, question, "new_key"), sent)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])
    assert not Remarking.objects.exists()


def test_a_fingerprint_of_any_signs_is_compared(noura, quiz, question):
    answer = noura.post(place(quiz, question, "new_key"), {"fingerprint": "بصمة"})
    assert (answer.status_code, answer.json()["code"]) == (409, "changed")


# The log ----------------------------------------------------------------------------------------------------


def test_the_log_is_narrowed_and_takes_as_many_queries_for_many_as_for_few(noura, quiz, question):
    do(noura, quiz, question)
    few = queries(noura, "staff/remarkings/")
    do(noura, quiz, question, "leave_out")
    do(noura, quiz, question, "full_marks")
    assert queries(noura, "staff/remarkings/") == few <= 6
    for query, found in (
        ({}, ["full_marks", "leave_out", "new_key"]),
        ({"ordering": "at"}, ["new_key", "leave_out", "full_marks"]),
        ({"policy": "leave_out"}, ["leave_out"]),
        ({"quiz": "noura-2"}, []),
    ):
        answer = noura.get("staff/remarkings/", **query)
        assert [one["policy"] for one in answer.json()["results"]] == found
    answer = noura.get("staff/remarkings/", policy="mercy")
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["policy"])


# Who may ----------------------------------------------------------------------------------------------------


def test_it_takes_the_right_to_change_quizzes(noura, quiz, question):
    done = do(noura, quiz, question).json()
    sent = {"fingerprint": preview(noura, quiz, question, "leave_out")["preview"]["fingerprint"]}
    amal = Attempt.objects.first().user
    for api in (Api(), Api(amal), editor("huda", "view_quiz", "view_attempt", "change_question")):
        for path in (place(quiz), place(quiz, question), place(quiz, question, "leave_out"), "staff/remarkings/"):
            assert api.get(path).status_code in (401, 403)
        assert api.get(done["url"]).status_code in (401, 403)
        assert api.post(place(quiz, question, "leave_out"), sent).status_code in (401, 403)
        assert undo(api, done["id"]).status_code in (401, 403)
    assert (Remarking.objects.count(), scores()) == (1, [0, 1])


def test_a_stranger_s_quiz_is_not_there(noura, quiz, question, settings):
    done = do(noura, quiz, question).json()
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}
    samir = editor("samir")
    for path in (place(quiz), place(quiz, question), place(quiz, question, "leave_out"), done["url"]):
        assert samir.get(path).status_code == 404
    assert samir.get("staff/remarkings/").json()["results"] == []
    assert undo(samir, done["id"]).status_code == 404


def may_only_see_results(user, quizzes, doing):
    return quizzes if doing == "results" else quizzes.none()


def test_whoever_may_see_results_alone_marks_nothing_anew(noura, quiz, question, settings):
    done = do(noura, quiz, question).json()
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": "tests.api.staff.test_remarking.may_only_see_results"}
    for path in (place(quiz), place(quiz, question), done["url"]):
        assert noura.get(path).status_code == 403
    assert undo(noura, done["id"]).status_code == 403
    assert scores() == [0, 1]
