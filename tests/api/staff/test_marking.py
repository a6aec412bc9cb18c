"""The queue of answers to be marked by the API for staff, and how one is marked."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry

from mpquiz.models import Answer, Attempt, WaitingAnswer
from tests.admin.conftest import Editor
from tests.admin.test_marking import hand_in
from tests.api.conftest import Api
from tests.factories import learner, make_essay, make_question, make_quiz, make_user

from .editors import RULED, editor, queries

pytestmark = pytest.mark.django_db
QUEUE = "staff/answers/waiting/"


def essays(slug="noura-1"):
    settings = {"notes": {"en": "Look for the *exponent*.", "ar": "ابحث عن الأس."}}
    essay = make_essay({"en": "Why eight bits?", "ar": "لماذا ثمانية؟"}, settings=settings)
    quiz = make_quiz(essay, make_question(), slug=slug)
    quiz.places.filter(place=1).update(points=3)
    return quiz


@pytest.fixture
def quiz(db):
    return essays()


@pytest.fixture
def essay(quiz):
    return hand_in(quiz, "amal")


@pytest.fixture
def noura(db):
    return editor("noura", "change_waitinganswer", "view_attempt")


def learners(api, **query):
    answer = api.get(QUEUE, **query)
    assert answer.status_code == 200, answer.json()
    return [one["learner"] for one in answer.json()["results"]]


def mark(api, answer, **sent):
    body = {"points": "2", "revision": answer.revision, **sent}
    return api.post(f"{QUEUE}{answer.pk}/mark/", {name: one for name, one in body.items() if one is not None})


# The queue --------------------------------------------------------------------------------------------------


def test_the_queue_is_that_of_admin(noura, quiz, client):
    hand_in(quiz, "first")
    hand_in(essays("noura-2"), "second")
    done = hand_in(quiz, "done")
    mark(noura, done)
    hand_in(quiz, "left").attempt.abandon()
    Attempt.objects.start(quiz, learner(make_user("not-yet")))
    client.force_login(make_user("root", is_staff=True, is_superuser=True))
    for query, found in (({}, ["first", "second"]), ({"state": "marked"}, ["done"])):
        assert learners(noura, **query) == found
        page = Editor(client).list("waitinganswer", **query)
        assert [one.attempt.learner_name for one in page.context_data["cl"].result_list] == found
    assert learners(noura, state="waiting", ordering="-answered") == ["second", "first"]
    assert learners(noura, quiz="noura-2") == learners(noura, search="seco") == ["second"]
    assert learners(noura, question=done.question_id) == ["first"]


def test_one_is_told_with_all_that_its_marker_reads(noura, essay):
    [one] = noura.get(QUEUE).json()["results"]
    told = noura.get(one["url"])
    assert told["Cache-Control"] == "no-store"
    told = told.json()
    assert (told["id"], told["learner"], told["quiz"]["slug"]) == (essay.pk, "amal", "noura-1")
    assert (told["prompt"]["text"], told["told"][0]["text"]) == ("Why eight bits?", "Because.")
    assert told["notes"]["html"] == "<p>Look for the <em>exponent</em>.</p>\n"
    assert (told["points"], told["awarded"], told["marked_by"], told["waiting"]) == ("3", None, None, 1)
    assert noura.get(one["url"], lang="ar").json()["notes"]["text"] == "ابحث عن الأس."


@pytest.mark.parametrize("query", [{"state": "eaten"}, {"question": "x"}, {"quiz": "no slug"}, {"colour": "red"}])
def test_what_cannot_be_asked_is_told(noura, query):
    answer = noura.get(QUEUE, **query)
    assert (answer.status_code, list(answer.json()["fields"])) == (400, list(query))


def test_the_queue_takes_as_many_queries_for_many_answers_as_for_few(noura, quiz):
    hand_in(quiz, "first")
    few = queries(noura, QUEUE)
    for number in range(5):
        hand_in(quiz, f"learner{number}")
    assert queries(noura, QUEUE) == few <= 6


# The mark ---------------------------------------------------------------------------------------------------


def test_an_answer_is_marked_with_points_and_words(noura, essay):
    answer = mark(noura, essay, points="2.5", comment="Good.\r\nAlmost.")
    told = answer.json()
    assert (answer.status_code, told["awarded"], told["marked_by"], told["waiting"]) == (200, "2.5", "noura", 0)
    essay.refresh_from_db()
    assert (essay.awarded, essay.comment, essay.marked_by.username) == (Decimal("2.5"), "Good.\nAlmost.", "noura")
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.change_message) == ("Why eight bits?", "Marked: 2.5 of 3.")
    assert f"/mpquiz/waitinganswer/{essay.pk}/" in entry.get_admin_url()


def test_the_same_mark_again_changes_nothing(noura, essay):
    first = mark(noura, essay, comment="Good.").json()
    marked_at = Answer.objects.get(pk=essay.pk).marked_at
    assert mark(noura, essay, comment="Good.").json() == first
    assert Answer.objects.get(pk=essay.pk).marked_at == marked_at
    assert LogEntry.objects.count() == 1


def test_another_s_mark_since_then_is_not_overwritten(noura, essay):
    mark(editor("samir"), essay, points="3")
    answer = mark(noura, essay)
    assert (answer.status_code, answer.json()["code"]) == (409, "marked")
    essay.refresh_from_db()
    assert essay.awarded == 3
    assert mark(noura, essay).json()["awarded"] == "2"


@pytest.mark.parametrize("points", ["3.01", "4", "999"])
def test_more_points_than_there_are_are_refused(noura, essay, points):
    answer = mark(noura, essay, points=points)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_mark")
    assert Answer.objects.waiting().exists()


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        ({"points": None}, "points"),
        ({"points": "-1"}, "points"),
        ({"points": "many"}, "points"),
        ({"points": "NaN"}, "points"),
        ({"points": "1.001"}, "points"),
        ({"points": [1]}, "points"),
        ({"revision": None}, "revision"),
        ({"revision": -1}, "revision"),
        ({"comment": "x" * 10_001}, "comment"),
        ({"comment": "a\0b"}, "non_field_errors"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_what_is_no_mark_is_told_at_its_place(noura, essay, sent, place):
    answer = mark(noura, essay, **sent)
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json().get("fields", ["non_field_errors"])) == [place]
    assert Answer.objects.waiting().exists()


def test_where_there_are_no_points_only_words_are_sent(noura, quiz):
    quiz.places.filter(place=1).update(points=0)
    essay = hand_in(quiz, "amal")
    assert mark(noura, essay, points="1").json()["code"] == "bad_mark"
    told = mark(noura, essay, points=None, comment="Thank you.").json()
    assert (told["awarded"], told["comment"]) == ("0", "Thank you.")


# Who may ----------------------------------------------------------------------------------------------------


def test_to_mark_and_to_read_along_are_rights_of_their_own(essay):
    reader = editor("reader", "view_waitinganswer")
    assert learners(reader) == [None]
    assert reader.get(f"{QUEUE}{essay.pk}/").status_code == 200
    assert mark(reader, essay).status_code == 403
    for api in (Api(), Api(essay.attempt.user), editor("other", "change_attempt", "view_attempt", "change_quiz")):
        assert api.get(QUEUE).status_code in (401, 403)
        assert api.get(f"{QUEUE}{essay.pk}/").status_code in (401, 403)
        assert mark(api, essay).status_code in (401, 403)
    assert Answer.objects.waiting().exists()


def test_learners_are_named_and_found_by_name_by_whoever_may_see_attempts(essay):
    assert learners(editor("huda", "view_waitinganswer", "view_attempt"), search="ama") == ["amal"]
    reader = editor("reader", "change_waitinganswer")
    for search in ("ama", "zzz"):
        assert learners(reader, search=search) == []
    assert "amal" not in reader.get(QUEUE).content.decode() + reader.get(f"{QUEUE}{essay.pk}/").content.decode()
    assert "amal" not in mark(reader, essay).content.decode()


def test_a_stranger_s_answers_are_not_there(essay, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}
    samir = editor("samir")
    assert learners(samir) == []
    assert samir.get(f"{QUEUE}{essay.pk}/").status_code == 404
    assert mark(samir, essay).status_code == 404
    assert mark(editor("noura"), essay).status_code == 200


def test_what_no_person_marks_is_not_there(noura, essay):
    essay.attempt.answer(2, 1)
    choice = WaitingAnswer.objects.get(attempt=essay.attempt, position=2)
    assert noura.get(f"{QUEUE}{choice.pk}/").status_code == 404
    assert mark(noura, choice).status_code == 404
    assert noura.get(f"{QUEUE}{10**17}/").status_code == 404
