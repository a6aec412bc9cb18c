"""Attempts by the API: started, answered, finished, reviewed, begun anew; repeats; what is refused."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz.models import Answer, Attempt, Report
from mpquiz.rules import Moment
from tests.api.conftest import Api, at, of
from tests.factories import learner, make_essay, make_guide, make_page, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


def code(response, status):
    assert response.status_code == status, response.content
    return response.json()["code"]


def stored():
    """Everything that answering may change."""
    fields = ("pk", "number", "open", "ended", "score", "deadline", "user", "started_at")
    answers = ("position", "given", "fraction", "revision", "flagged", "draft")
    return list(Attempt.objects.order_by("pk").values_list(*fields)), list(Answer.objects.values_list(*answers))


# The start --------------------------------------------------------------------------------------------------


def test_a_start_makes_an_attempt_and_its_repeat_lands_in_it(amal, quiz):
    number = amal.get("quizzes/floats/start/").json()["number"]
    first = amal.post("quizzes/floats/start/", {"number": number})
    assert first.status_code == 201
    told = first.json()
    assert (told["number"], told["state"], told["next"], len(told["questions"])) == (1, "open", 1, 3)
    assert first["Location"] == told["url"]
    before = stored()
    again = amal.post("quizzes/floats/start/", {"number": number})
    assert (again.status_code, again.json()) == (200, told)
    assert stored() == before
    assert amal.get("quizzes/floats/start/").json()["attempt"] == told["url"]


def test_a_finished_attempt_is_landed_in_by_its_number_and_followed_without(amal, attempt):
    attempt.finish()
    assert amal.post("quizzes/floats/start/", {"number": 1}).json()["state"] == "finished"
    assert amal.post("quizzes/floats/start/").json()["number"] == 2


@pytest.mark.parametrize(
    "body", [{"number": 0}, {"number": "x"}, {"number": 10**30}, {"trial": "x"}, {"password": {}}]
)
def test_a_start_that_makes_no_sense_is_named(amal, quiz, body):
    response = amal.post("quizzes/floats/start/", body)
    assert (code(response, 400), list(response.json()["fields"])) == ("invalid", list(body))


@pytest.mark.parametrize("body", ["[]", '"x"', "null", "5"])
def test_a_body_that_is_no_object_is_refused(amal, attempt, body):
    for path in ("quizzes/floats/start/", at(attempt, 1, "answer/")):
        response = amal.client.post(f"/api/v1/{path}", body, content_type="application/json")
        assert response.status_code == 400


def test_unknown_and_read_only_fields_change_nothing(amal, user, quiz, stranger):
    body = {"score": "9", "user": 7, "started_at": "2000-01-01", "deadline": None, "open": None, "maximum": "1"}
    told = amal.post("quizzes/floats/start/", body).json()
    attempt = Attempt.objects.get()
    assert (attempt.user, attempt.score, attempt.started_at.year > 2000) == (user, 0, True)
    amal.post(at(attempt, 1, "answer/"), {**body, "given": 2, "fraction": 1, "points": 9, "language": "ar"})
    attempt.refresh_from_db()
    assert (attempt.score, attempt.open, told["score"]) == (0, True, None)


def test_a_password_is_asked_for(amal):
    make_quiz(password="secret")
    assert amal.get("quizzes/floats/start/").json()["asks_password"] is True
    assert code(amal.post("quizzes/floats/start/"), 403) == "password"
    assert code(amal.post("quizzes/floats/start/", {"password": "other"}), 403) == "password"
    assert amal.post("quizzes/floats/start/", {"password": "secret"}).status_code == 201


def test_passwords_tried_too_often_wait(amal, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"password": "1/min"}}
    make_quiz(password="secret")
    amal.post("quizzes/floats/start/", {"password": "other"})
    refused = amal.post("quizzes/floats/start/", {"password": "secret"})
    assert (code(refused, 429), int(refused["Retry-After"]) > 0) == ("throttled", True)


def test_why_a_quiz_cannot_be_started_is_told_before_and_at_the_start(visitor):
    make_quiz(access="signed_in")
    assert visitor.get("quizzes/floats/start/").json()["refusal"]["code"] == "sign_in"
    assert code(visitor.post("quizzes/floats/start/"), 403) == "sign_in"
    assert "mpquiz_guest" not in visitor.client.session


# Answers ----------------------------------------------------------------------------------------------------


def test_a_question_is_asked_answered_and_told(amal, attempt):
    asked = amal.get(at(attempt, 1)).json()
    assert (asked["state"], asked["given"], asked["feedback"], asked["right_answer_shown"]) == (
        "open",
        None,
        None,
        False,
    )
    assert [choice["text"]["text"] for choice in asked["shown"]["choices"]] == ["Right", "Wrong", "Worse"]
    told = amal.post(at(attempt, 1, "answer/"), {"given": 2}).json()
    question = told["question"]
    assert (question["state"], question["given"], told["next"]) == ("wrong", 2, 2)
    assert question["feedback"]["explanation"]["text"] == "Because it is."
    assert question["feedback"]["mark"] == "0"
    assert [choice["state"] for choice in question["shown"]["choices"]] == ["right", "wrong", ""]
    assert amal.get(at(attempt, 1)).json() == question
    assert told["attempt"]["score"] is None


def test_the_last_answer_finishes_and_the_result_is_reviewed(amal, attempt):
    for position in (1, 2):
        amal.post(at(attempt, position, "answer/"), {"given": position})
    assert code(amal.get(of(attempt, "result/")), 409) == "not_finished"
    told = amal.post(at(attempt, 3, "answer/"), {"given": 1}).json()
    assert (told["attempt"]["state"], told["attempt"]["score"], told["next"]) == ("finished", "2", None)
    result = amal.get(of(attempt, "result/")).json()
    assert (result["attempt"]["percent"], result["standing"], result["missed"]) == (66, 66, 1)
    assert [one["state"] for one in result["questions"]] == ["right", "wrong", "right"]
    assert result["questions"][1]["right_answer_shown"] is True


def test_the_same_answer_again_changes_nothing_and_another_is_refused(amal, attempt):
    first = amal.post(at(attempt, 1, "answer/"), {"given": 2})
    before = stored()
    again = amal.post(at(attempt, 1, "answer/"), {"given": 2})
    assert (again.status_code, again.json()) == (200, first.json())
    assert code(amal.post(at(attempt, 1, "answer/"), {"given": 1}), 409) == "answered"
    assert stored() == before


@pytest.mark.parametrize("given", [0, 4, "x", [1, 2], {"1": 1}, None, True, 1.5, "\0", "\ud800", [[1]], 10**400, ""])
def test_what_is_no_answer_is_refused(amal, attempt, given):
    before = stored()
    assert code(amal.post(at(attempt, 1, "answer/"), {"given": given}), 400) == "bad_answer"
    assert stored() == before


@pytest.mark.parametrize("text", ['{"given": NaN}', '{"given": Infinity}', "{", '{"given": 1', "\ufeff{}"])
def test_what_is_no_json_is_refused(amal, attempt, text):
    response = amal.client.post(f"/api/v1/{at(attempt, 1, 'answer/')}", text, content_type="application/json")
    assert code(response, 400) in ("parse_error", "bad_answer")


def test_parts_that_are_to_be_mended_are_named(amal, user):
    pairs = [{"text": f"Left {n}", "match": f"Match {n}"} for n in (1, 2, 3)]
    attempt = Attempt.objects.start(make_quiz(make_question(*pairs, kind="matching")), learner(user))
    response = amal.post(at(attempt, 1, "answer/"), {"given": {"1": 1, "3": 2}})
    assert (code(response, 400), response.json()["parts"]) == ("bad_answer", ["2"])


KINDS = {
    "multiple": ([("A", True), ("B", True), "C"], [1, 2], "choices"),
    "true_false": ([("Yes", True), "No"], 1, "choices"),
    "text": ([{"text": "Paris", "right": True}], "Paris", None),
    "number": ([{"value": "3.5", "right": True}], "3.5", None),
    "matching": ([{"text": "L", "match": "M"}, {"text": "N", "match": "O"}], {"1": "1", "2": "2"}, "parts"),
    "ordering": ([{"text": "A"}, {"text": "B"}], {"1": "1", "2": "2"}, "parts"),
}


@pytest.mark.parametrize("kind", [*KINDS, "gaps", "essay"])
def test_what_is_told_as_given_can_be_sent_again(amal, user, kind):
    choices, given, part = KINDS.get(kind, ([], "Why.", None))
    more = {}
    if kind == "gaps":
        choices = [{"part": "1", "text": "A", "right": True}, {"part": "1", "text": "B"}, {"part": "2", "text": "C"}]
        choices[2]["right"] = True
        more = {"prompt": "It is [[1]], not [[2]].", "settings": {"parts": {"1": {"kind": "single"}}}}
        given, part = {"1": "1", "2": "c"}, "pieces"
    question = make_essay() if kind == "essay" else make_question(*choices, kind=kind, **more)
    attempt = Attempt.objects.start(make_quiz(question, make_question()), learner(user))
    asked = amal.get(at(attempt, 1)).json()
    assert part is None or asked["shown"][part]
    for secret in ("right", "accepted", "state"):
        assert secret not in asked["shown"]
    told = amal.post(at(attempt, 1, "answer/"), {"given": given}).json()["question"]
    assert told["given"] == given
    before = stored()
    assert amal.post(at(attempt, 1, "answer/"), {"given": told["given"]}).status_code == 200
    assert stored() == before


def test_a_question_that_is_not_there(amal, attempt):
    for path in (at(attempt, 9), at(attempt, 0), at(attempt, 10**30)):
        assert code(amal.get(path), 404) == "not_in_attempt"
    assert code(amal.post(at(attempt, 9, "answer/"), {"given": 1}), 404) == "not_in_attempt"


def test_a_page_to_read_asks_nothing(amal, user):
    attempt = Attempt.objects.start(make_quiz(make_page("Read."), make_question()), learner(user))
    page = amal.get(at(attempt, 1)).json()
    assert (page["asks"], page["state"], page["prompt"]["text"], page["shown"]) == (False, "page", "Read.", {})
    assert code(amal.post(at(attempt, 1, "answer/"), {"given": 1}), 400) == "bad_answer"


def test_a_finished_attempt_takes_no_answer(amal, attempt):
    assert amal.post(of(attempt, "finish/")).json()["state"] == "finished"
    before = stored()
    assert amal.post(of(attempt, "finish/")).json()["state"] == "finished"
    assert code(amal.post(at(attempt, 1, "answer/"), {"given": 1}), 409) == "finished"
    assert stored() == before
    skipped = amal.get(at(attempt, 1)).json()
    assert (skipped["state"], skipped["right_answer_shown"]) == ("open", True)


def test_an_answer_says_in_which_language_it_was_read(amal, attempt):
    amal.post(at(attempt, 1, "answer/") + "?lang=ar", {"given": 1})
    amal.post(at(attempt, 2, "answer/"), {"given": 1, "language": "ar"})
    assert set(attempt.answers.exclude(answered_at=None).values_list("language", flat=True)) == {"ar"}
    response = amal.post(at(attempt, 3, "answer/"), {"given": 1, "language": "xx"})
    assert list(response.json()["fields"]) == ["language"]


# Exams ------------------------------------------------------------------------------------------------------


@pytest.fixture
def exam(user):
    quiz = make_quiz(make_question(), make_page(), make_question(), make_essay(), feedback="at_end")
    return Attempt.objects.start(quiz, learner(user))


def test_in_an_exam_answers_are_changed_flagged_and_taken_back(amal, exam):
    first = amal.post(at(exam, 1, "answer/"), {"given": 2, "revision": 0, "flagged": True}).json()["question"]
    assert (first["state"], first["flagged"], first["revision"], first["feedback"]) == ("given", True, 1, None)
    second = amal.post(at(exam, 1, "answer/"), {"given": 1, "revision": 1}).json()["question"]
    assert (second["given"], second["flagged"]) == (1, True)
    assert amal.post(at(exam, 1, "flag/"), {"flagged": False}).json()["flagged"] is False
    third = amal.post(at(exam, 1, "answer/"), {"given": None, "revision": 2}).json()["question"]
    assert (third["given"], third["state"]) == (None, "open")


def test_an_old_window_is_shown_both_values(amal, exam):
    amal.post(at(exam, 1, "answer/"), {"given": 2, "revision": 0})
    before = stored()
    stale = amal.post(at(exam, 1, "answer/"), {"given": 3, "revision": 0})
    assert code(stale, 409) == "stale"
    told = stale.json()
    assert (told["given"], told["sent"], told["revision"]) == (2, 3, 1)
    assert stored() == before


def test_in_an_exam_nothing_is_told_before_its_end_and_then_as_the_rules_say(amal, exam):
    amal.post(at(exam, 1, "answer/"), {"given": 1})
    shown = amal.get(of(exam)).json()
    assert (shown["score"], [one["state"] for one in shown["questions"]]) == (None, ["given", "page", "open", "open"])
    exam.quiz.show_right_answer = exam.quiz.show_score = Moment.NEVER
    exam.quiz.save()
    amal.post(of(exam, "finish/"))
    result = amal.get(of(exam, "result/")).json()
    assert (result["attempt"]["score"], result["standing"], result["questions"][0]["feedback"]["mark"]) == (None,) * 3
    assert (result["questions"][0]["state"], result["questions"][0]["right_answer_shown"]) == ("right", False)


def test_a_text_is_kept_while_it_is_written(amal, user):
    attempt = Attempt.objects.start(make_quiz(make_essay(), make_question()), learner(user))
    assert amal.post(at(attempt, 1, "draft/"), {"given": "Half of"}).status_code == 200
    assert amal.get(at(attempt, 1)).json()["given"] == "Half of"
    assert code(amal.post(at(attempt, 2, "draft/"), {"given": 1}), 409) == "not_kept"
    amal.post(of(attempt, "finish/"))
    assert amal.get(at(attempt, 1)).json()["state"] == "waiting"


def test_one_way_only_the_question_at_its_turn_is_there(amal, user):
    quiz = make_quiz(make_page(), make_question(), make_question(), feedback="at_end", one_way=True)
    attempt = Attempt.objects.start(quiz, learner(user))
    assert code(amal.get(at(attempt, 2)), 409) == "not_in_order"
    assert amal.post(at(attempt, 1, "leave/")).json()["next"] == 2
    assert amal.post(at(attempt, 1, "leave/")).json()["next"] == 2
    for given in (1, 99, "x", None):
        assert code(amal.post(at(attempt, 3, "answer/"), {"given": given}), 409) == "not_in_order"
        assert code(amal.post(at(attempt, 3, "draft/"), {"given": given}), 409) == "not_in_order"
    assert amal.post(at(attempt, 2, "answer/"), {"given": 1, "move_on": True}).status_code == 200
    assert code(amal.get(at(attempt, 2)), 409) == "not_in_order"
    assert amal.get(at(attempt, 3)).status_code == 200


def test_all_questions_of_a_page_are_handed_in_at_once(amal, user):
    attempt = Attempt.objects.start(make_quiz(layout="all"), learner(user))
    wrong = {"answers": [{"position": 1, "given": 1, "revision": 0}, {"position": 2, "given": 9}], "finish": True}
    refused = amal.post(of(attempt, "hand-in/"), wrong)
    assert code(refused, 400) == "bad_answer"
    assert {position: one["code"] for position, one in refused.json()["by_position"].items()} == {"2": "bad_answer"}
    steps = amal.get(of(attempt)).json()["questions"]
    assert [(one["state"], one["revision"]) for one in steps] == [("given", 1), ("open", 0), ("open", 0)]
    whole = {"answers": [{"position": n, "given": 1, "revision": int(n == 1)} for n in (1, 2, 3)], "finish": True}
    assert amal.post(of(attempt, "hand-in/"), whole).json()["score"] == "3"
    assert code(amal.post(of(attempt, "hand-in/"), whole), 409) == "finished"


def test_a_position_that_is_handed_in_twice_is_named(amal, attempt):
    body = {"answers": [{"position": 1, "given": 1}, {"position": 1, "given": 2}]}
    response = amal.post(of(attempt, "hand-in/"), body)
    assert (code(response, 400), list(response.json()["fields"])) == ("invalid", ["answers"])


def test_when_the_time_is_up_nothing_more_is_taken(amal, user, clock):
    attempt = Attempt.objects.start(make_quiz(time_limit=10), learner(user))
    assert amal.get(of(attempt)).json()["seconds_left"] == 600
    amal.post(at(attempt, 1, "answer/"), {"given": 1})
    clock.move(minutes=11)
    assert amal.get(of(attempt)).json()["state"] == "time_up"
    assert Attempt.objects.get().open is True  # reading writes nothing
    assert code(amal.post(at(attempt, 2, "answer/"), {"given": 1}), 409) == "time_up"
    assert amal.get(of(attempt, "result/")).json()["attempt"]["score"] == "1"
    assert Attempt.objects.get().open is None


# Anew -------------------------------------------------------------------------------------------------------


def test_starting_over_leaves_the_attempt_and_its_repeat_changes_nothing(amal, attempt):
    first = amal.post(of(attempt, "start-over/"), {"number": 2})
    assert (first.status_code, first.json()["number"]) == (201, 2)
    assert amal.get(of(attempt)).json()["state"] == "abandoned"
    before = stored()
    assert amal.post(of(attempt, "start-over/"), {"number": 2}).status_code == 200
    assert amal.post(of(attempt, "start-over/")).json()["id"] == first.json()["id"]
    assert stored() == before


def test_what_was_missed_is_practised(amal, attempt):
    assert code(amal.post(of(attempt, "retry/")), 403) == "closed"
    for position, given in ((1, 1), (2, 2), (3, 1)):
        attempt.answer(position, given)
    first = amal.post(of(attempt, "retry/"))
    assert (first.status_code, first.json()["practice"], len(first.json()["questions"])) == (201, True, 1)
    assert amal.post(of(attempt, "retry/")).status_code == 200


def test_a_trial_is_thrown_away_and_nothing_else(amal, attempt):
    assert code(amal.post(of(attempt, "discard/")), 403) == "not_allowed"
    staff = Api(make_user("staff", is_staff=True, is_superuser=True))
    trial = staff.post("quizzes/floats/start/", {"trial": True}).json()
    assert trial["trial"] is True
    assert staff.post(f"{trial['url']}discard/").status_code == 204
    assert staff.post(f"{trial['url']}discard/").status_code == 404
    assert Attempt.objects.count() == 1


def test_a_question_is_reported_once_its_feedback_is_shown(amal, attempt):
    assert code(amal.post(at(attempt, 1, "report/"), {"note": "Wrong."}), 409) == "too_early"
    attempt.answer(1, 1)
    assert amal.get(at(attempt, 1)).json()["reportable"] is True
    for _time in range(2):
        assert amal.post(at(attempt, 1, "report/"), {"note": "Wrong."}).json() == {"note": "Wrong.", "language": "en"}
    assert Report.objects.count() == 1
    assert code(amal.post(at(attempt, 1, "report/"), {"note": " "}), 400) == "bad_note"


def test_own_attempts_are_listed_narrowed_and_ordered(amal, user, attempt):
    attempt.finish()
    Attempt.objects.start(make_quiz(slug="other", count=1), learner(user))
    rows = amal.get("attempts/").json()["results"]
    assert [(row["quiz"]["slug"], row["state"]) for row in rows] == [("other", "open"), ("floats", "finished")]
    assert [row["quiz"]["slug"] for row in amal.get("attempts/", state="finished").json()["results"]] == ["floats"]
    assert amal.get("attempts/", quiz="floats").json()["count"] == 1
    assert amal.get("attempts/", quiz="none").json()["count"] == 0
    for field, value in (("state", "x"), ("quiz", "no slug!"), ("ordering", "score"), ("user", "1")):
        response = amal.get("attempts/", **{field: value})
        assert (response.status_code, list(response.json()["fields"])) == (400, [field])


# What it costs ----------------------------------------------------------------------------------------------

_FRAME = ("BEGIN", "COMMIT", "SAVEPOINT", "RELEASE", "ROLLBACK")


@pytest.fixture
def queries():
    def queries(ask):
        with CaptureQueriesContext(connection) as captured:
            response = ask()
        assert response.status_code < 300, response.content
        return sum(not query["sql"].startswith(_FRAME) for query in captured)

    return queries


@pytest.mark.parametrize("count", [8, 100])
def test_as_many_queries_for_many_questions_as_for_few(amal, user, queries, count):
    guides = [make_guide(f"guide-{n}") for n in range(3)]
    quiz = make_quiz(*[make_question(guides=guides) for _n in range(count)])
    for _time in range(3):
        Attempt.objects.start(quiz, learner(user)).finish()
    attempt = Attempt.objects.start(quiz, learner(user))
    assert queries(lambda: amal.post(at(attempt, 4, "answer/"), {"given": 1})) == 6
    assert queries(lambda: amal.get(at(attempt, 4))) <= 4
    assert queries(lambda: amal.get(at(attempt, 5))) <= 4
    assert queries(lambda: amal.get(of(attempt))) == 4
    assert queries(lambda: amal.post(of(attempt, "finish/"))) <= 9
    assert queries(lambda: amal.get(of(attempt, "result/"))) <= 8
    assert queries(lambda: amal.get("attempts/")) <= 4


@pytest.mark.parametrize("rules", [{"feedback": "at_end"}, {"layout": "all"}, {"one_way": True}, {"time_limit": 9}])
def test_an_answer_of_an_exam_takes_no_more(amal, user, queries, rules):
    attempt = Attempt.objects.start(make_quiz(count=8, **rules), learner(user))
    assert queries(lambda: amal.post(at(attempt, 1, "answer/"), {"given": 1, "revision": 0})) == 6
