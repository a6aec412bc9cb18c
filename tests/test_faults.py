"""The faults F1 to F32 of the plan: where each is tested, and here those that no other module has.

A row names tests as ``module::test``; ``faults F8`` is a script, ``python -m tests.faults F8``, in which servers are
killed, cut off or slow. Where plan and design differ (F23), the design holds.
"""

import ast
import os
import re
import subprocess
import sys
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import translation

from mpquiz import signals
from mpquiz.models import Accommodation, Answer, Attempt, Quiz, QuizQuestion
from tests import invariants
from tests.factories import learner, make_essay, make_guide, make_question, make_quiz, make_user
from tests.faults.every import FAULTS
from tests.views.conftest import hidden, text, url

ROOT = Path(__file__).resolve().parent.parent
PAGE = "/en/quizzes/floats/"
pytestmark = pytest.mark.django_db

COVERED = {
    "F1": [
        "races/test_exams::test_two_tabs_that_start_at_once_use_up_one_attempt",
        "races/test_starts::test_a_double_start_of_a_user_is_one_attempt",
        "races/test_starts::test_a_double_start_of_a_guest_without_a_session_is_one_attempt",
    ],
    "F2": [
        "races/test_exams::test_of_many_starts_of_the_last_attempt_one_is_new",
        "races/test_exams::test_of_starts_that_finish_with_their_answer_the_others_are_told",
    ],
    "F3": [
        "races/test_exams::test_two_tabs_that_answer_one_question_differently",
        "races/test_exams::test_of_two_windows_that_save_different_values_one_is_told",
        "views/test_question::test_another_answer_leads_to_the_stored_feedback_with_a_notice",
        "views/test_exams::test_two_windows_see_both_values",
    ],
    "F4": [
        "races/test_answers::test_a_double_click_on_an_answer_gives_one_answer",
        "races/test_exams::test_a_double_press_that_moves_on_skips_no_question",
        "browser/test_road::test_a_double_click_answers_once",
        "test_faults::test_next_pressed_twice_skips_no_question",
    ],
    "F5": [
        "browser/test_road::test_going_back_after_the_feedback_shows_no_open_question",
        "test_faults::test_a_page_that_is_behind_gives_nothing_when_it_is_sent_again",
    ],
    "F6": ["test_faults::test_a_replay_changes_nothing_whenever_and_by_whomever_it_is_sent"],
    "F7": [
        "views/test_question::test_a_post_without_a_token_is_refused",
        "test_attacks::test_ten_thousand_choices_are_refused",
        "test_attacks::test_a_position_or_choice_of_elsewhere_grades_nothing",
        "test_faults::test_a_crafted_answer_is_refused_in_every_mode",
    ],
    "F8": ["faults F8"],
    "F9": ["faults F9"],
    "F10": ["faults F10", "views/test_outage::test_what_was_sent_is_on_the_page_and_can_be_sent_again"],
    "F11": ["faults F11"],
    "F12": ["faults F12"],
    "F13": ["faults F13"],
    "F14": [
        "test_faults::test_the_server_s_clock_decides_wherever_it_is_set",
        "test_faults::test_a_change_to_summer_time_moves_no_deadline",
        "models/test_limits::test_a_server_s_clock_that_was_set_back_gives_no_time_below_zero",
        "browser/test_exams::test_a_wrong_clock_of_the_reader_changes_nothing",
        "browser/test_exams::test_a_clock_that_is_set_meanwhile_changes_nothing",
    ],
    "F15": [
        "views/test_question::test_a_session_that_ended_leads_back_with_the_choice_kept",
        "views/test_essay::test_a_long_text_waits_until_its_learner_has_signed_in",
        "views/test_exams::test_who_was_signed_out_keeps_the_text",
        "test_faults::test_time_runs_on_while_a_learner_signs_in_again",
    ],
    "F16": [
        "test_sign_in::test_what_a_guest_began_goes_on_after_sign_in",
        "test_sign_in::test_of_two_open_attempts_the_newer_stays_open",
        "test_sign_in::test_a_stranger_who_signs_in_at_the_same_browser_gets_nothing_of_it",
        "models/test_limits::test_the_limit_counts_what_a_guest_did_before_signing_in",
        "test_faults::test_an_exam_of_a_guest_keeps_its_deadline_and_answers_at_sign_in",
        "test_faults::test_what_a_sign_in_closes_hands_in_what_was_written_where_its_time_was_up",
    ],
    "F17": [
        "test_faults::test_a_guest_without_cookies_is_another_guest",
        "admin/test_exams::test_limits_that_guests_can_get_around_are_told_once",
    ],
    "F18": ["test_faults::test_a_window_of_whoever_signed_out_writes_for_nobody"],
    "F19": [
        "models/test_attempt::test_editing_a_question_changes_no_running_attempt",
        "test_faults::test_a_running_exam_asks_and_marks_what_it_began_with",
    ],
    "F20": [
        "test_faults::test_a_running_exam_outlives_its_questions",
        "admin/test_deleting::test_a_quiz_that_was_taken_is_not_deleted_and_the_page_says_in_numbers_why",
        "admin/test_deleting::test_deleting_a_question_says_where_it_stands_and_in_how_many_attempts_it_was_asked",
    ],
    "F21": [
        "models/test_attempt_starts::test_questions_added_moved_and_rules_changed_do_not_touch_a_running_attempt",
        "test_faults::test_three_of_ten_stays_when_questions_come_and_move",
    ],
    "F22": [
        "test_faults::test_rules_that_change_leave_a_running_attempt_alone",
        "test_faults::test_an_extension_reaches_a_running_attempt_at_once_and_a_cut_never",
    ],
    "F23": ["test_faults::test_a_quiz_unpublished_in_mid_attempt_is_taken_to_its_end"],
    "F24": ["test_faults::test_another_language_in_mid_exam_is_the_same_exam"],
    "F25": ["faults F25", "faults F25-cut"],
    "F26": ["faults F26"],
    "F27": [
        "faults F27",
        "races/test_exams::test_a_page_handed_in_beside_the_job_that_closes_is_in_or_out_whole",
        "races/test_exams::test_a_text_kept_beside_the_job_that_closes_is_in_or_out_whole",
    ],
    "F28": ["test_faults::test_a_deadline_that_passes_ends_it_with_what_there_was"],
    "F29": [
        "test_faults::test_an_exam_is_taken_by_forms_alone",
        "browser/test_exams::test_an_exam_is_taken_by_keyboard_alone_in_arabic",
        "browser/test_exams::test_axe_finds_nothing_and_nothing_is_wider_than_the_screen",
        "browser/test_exams::test_the_clock_covers_nothing_that_has_the_focus",
    ],
    "F30": [
        "test_importing::test_errors_of_the_file_have_their_lines_and_nothing_is_stored",
        "test_importing::test_twice_the_same_adds_nothing",
        "races/test_imports::test_two_imports_of_a_new_quiz_make_one",
        "management/test_mpquiz_import::test_every_error_has_file_and_line_and_nothing_is_stored",
    ],
    "F31": ["test_faults::test_attempts_outlive_a_downgrade_and_an_upgrade"],
    "F32": [
        "test_signals::test_a_receiver_that_fails_is_logged_and_loses_no_answer",
        "test_signals::test_what_is_rolled_back_or_refused_is_never_told",
        "test_faults::test_a_host_s_mistake_loses_no_page_that_is_handed_in",
    ],
}


# The table ----------------------------------------------------------------------------------------------------


def _tests(module: str) -> set[str]:
    """The names of the tests of a module, read from its text: some need a browser or a database to be loaded."""
    tree = ast.parse((ROOT / "tests" / f"{module}.py").read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("row", [f"F{number}" for number in range(1, 33)])
def test_each_fault_has_a_test_that_exists(row):
    for name in COVERED[row]:
        if name.startswith("faults "):
            assert name.removeprefix("faults ") in FAULTS
            continue
        module, _colons, test = name.partition("::")
        assert test in _tests(module), name


def test_each_script_of_a_fault_stands_in_the_table():
    named = {name.removeprefix("faults ") for row in COVERED.values() for name in row if name.startswith("faults ")}
    assert named == set(FAULTS)


# The rows that are tested here --------------------------------------------------------------------------------

MODES: dict[str, dict[str, Any]] = {
    "at once": {},
    "at once, one way": {"one_way": True},
    "at end": {"feedback": "at_end"},
    "at end, one way": {"feedback": "at_end", "one_way": True},
    "all on one page": {"layout": "all"},
}
TIMED = {"time_limit": 30}
TOKEN = r'csrfmiddlewaretoken" value="\w+"'


@pytest.fixture
def user():
    return make_user()


@pytest.fixture
def amal(user):
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture(autouse=True)
def promises_hold():
    yield
    invariants.check(connection)


@pytest.fixture(params=MODES)
def mode(request):
    return MODES[request.param]


def state(attempt: Attempt) -> Any:
    """All that is stored of an attempt but the counter that its lock is."""
    row = Attempt.objects.filter(pk=attempt.pk).values().get()
    row.pop("revision")
    return row, list(Answer.objects.filter(attempt=attempt.pk).order_by("position").values())


def form_of(client: Client, attempt: Attempt, position: int, given: str, **more: str) -> tuple[str, dict[str, Any]]:
    """Address and fields of the form of a question, as the page holds them now."""
    place = 1 if attempt.on_one_page else position
    page = text(client.get(url(attempt, place)))
    fields = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', page))
    fields |= dict(re.findall(r'name="([\w-]+)" value="(\d+)" checked', page))
    fields.pop("csrfmiddlewaretoken", None)
    name = f"q{position}-given" if attempt.on_one_page else "given"
    return url(attempt, place), {**fields, name: given, "to": "stay" if attempt.on_one_page else "next", **more}


def press(client: Client, attempt: Attempt, position: int, given: str, **more: str) -> Any:
    address, fields = form_of(client, attempt, position, given, **more)
    return client.post(address, fields)


def given_at(attempt: Attempt, position: int) -> Any:
    return Answer.objects.get(attempt=attempt, position=position).given


@pytest.mark.parametrize("times", [2, 5])
def test_next_pressed_twice_skips_no_question(amal, user, mode, times):
    """F4: the same form again and again is one answer, and one step."""
    attempt = Attempt.objects.start(make_quiz(**mode), learner(user))
    address, fields = form_of(amal, attempt, 1, "1")
    found = [amal.post(address, fields) for _press in range(times)]
    assert {response.status_code for response in found} <= {303, 409}
    assert len({response.get("Location") for response in found if response.status_code == 303}) == 1
    assert list(attempt.answers.values_list("revision", flat=True)) == [1, 0, 0]
    if attempt.in_order and attempt.changeable:
        assert Attempt.objects.get().reached == 2


def test_a_page_that_is_behind_gives_nothing_when_it_is_sent_again(amal, user, mode):
    """F5: Back, then another answer from the old page: refused or told, and neither time nor an attempt is gained."""
    attempt = Attempt.objects.start(make_quiz(**mode, **TIMED, attempts_allowed=2), learner(user))
    old = form_of(amal, attempt, 1, "2")
    page = amal.get(url(attempt, 1))
    assert "no-store" in page["Cache-Control"]
    press(amal, attempt, 1, "1")
    before = state(attempt)
    response = amal.post(*old)
    assert response.status_code in (303, 409, 400)
    assert state(attempt) == before
    if response.status_code == 303:
        assert "notice=" in response["Location"]
    amal.post(f"{PAGE}start/", {"number": "1"})
    assert (Attempt.objects.count(), Attempt.objects.get().deadline) == (1, attempt.deadline)


@pytest.mark.parametrize("later", [{"seconds": 1}, {"hours": 1}, {"days": 1}])
@pytest.mark.parametrize("finished", [False, True])
def test_a_replay_changes_nothing_whenever_and_by_whomever_it_is_sent(amal, user, clock, mode, later, finished):
    """F6: the same body later, after the end, and with the cookies of somebody else."""
    attempt = Attempt.objects.start(make_quiz(**mode, attempts_allowed=1), learner(user))
    address, fields = form_of(amal, attempt, 1, "1")
    amal.post(address, fields)
    if finished:
        attempt.finish()
    before = state(attempt)
    clock.move(**later)
    for form in (fields, {**fields, "to": "finish"}, {**fields, "save": "1"}):
        response = amal.post(address, form)
        assert response.status_code in (200, 303, 409), response.status_code
    for tail in ("finish", "start-over"):
        response = amal.post(url(attempt, tail), {"number": "1"})
        assert response.status_code in (200, 303)
    amal.post(f"{PAGE}start/", {"number": "1", "given": "2", "seen": "0" * 64})
    assert state(attempt) == before
    other, visitor = Client(), Client()
    other.force_login(make_user("other"))
    assert other.post(address, fields).status_code == 404
    assert visitor.post(address, fields)["Location"].startswith("/accounts/login/")
    assert state(attempt) == before
    assert Attempt.objects.count() == 1


@pytest.mark.parametrize("given", ["9", "a", "1.0", "-1", ["1", "2"], "1,2", "0", "01x", "Right"])
def test_a_crafted_answer_is_refused_in_every_mode(amal, user, mode, given):
    """F7: a choice of another question, two in a single choice, no choice at all: 400, nothing stored or revealed."""
    attempt = Attempt.objects.start(make_quiz(**mode, **TIMED), learner(user))
    before = state(attempt)
    response = press(amal, attempt, 1, given)
    assert response.status_code == 400
    assert "Because it is" not in text(response)
    assert state(attempt) == before


@pytest.mark.parametrize("moved", [{"minutes": -10}, {"minutes": 10}, {"days": -1}, {"minutes": 31}])
def test_the_server_s_clock_decides_wherever_it_is_set(amal, user, clock, mode, moved):
    """F14: set back, nobody ends before the start; set forward, it may end early, at its deadline, and says so."""
    attempt = Attempt.objects.start(make_quiz(**mode, **TIMED, pass_mark=30), learner(user))
    press(amal, attempt, 1, "1")
    clock.move(**moved)
    seconds = amal.get(url(attempt, "seconds")).json()["seconds"]
    assert seconds == max((attempt.deadline - clock.now).total_seconds(), 0)
    early = clock.now > attempt.deadline + timedelta(seconds=5)
    if early:
        press(amal, attempt, 2, "1")
    else:
        attempt.finish()
    done = Attempt.objects.get()
    assert (done.ended, done.finished_at) == (
        ("time_up", attempt.deadline) if early else ("finished", max(clock.now, attempt.started_at))
    )
    assert (done.score, done.passed, done.duration >= timedelta(0)) == (1, True, True)
    result = amal.get(url(attempt))
    assert ("The time was up" in text(result)) is early
    assert "-" not in re.findall(r"<span>([^<]*min[^<]*s)</span>", text(result))[0]


@pytest.mark.parametrize("zone", ["Europe/Berlin", "Asia/Riyadh", "America/St_Johns"])
def test_a_change_to_summer_time_moves_no_deadline(amal, user, clock, zone, settings):
    """F14: deadlines are moments; half an hour is half an hour in the night in which clocks are changed."""
    settings.TIME_ZONE = zone
    clock.now = clock.now.replace(year=2027, month=3, day=28, hour=0, minute=45)  # an hour later Europe changes
    attempt = Attempt.objects.start(make_quiz(**TIMED), learner(user))
    amal.force_login(user)
    assert attempt.deadline - attempt.started_at == timedelta(minutes=30)
    for minutes, left in ((29, 60), (1, 0)):
        clock.move(minutes=minutes)
        assert amal.get(url(attempt, "seconds")).json() == {"seconds": left, "open": True}
    clock.move(seconds=6)
    assert amal.get(url(attempt, "seconds")).json() == {"seconds": 0, "open": False}


def test_time_runs_on_while_a_learner_signs_in_again(amal, user, clock):
    """F15: the answer that was on its way is in the form again, the deadline where it was."""
    attempt = Attempt.objects.start(make_quiz(feedback="at_end", **TIMED), learner(user))
    amal.logout()
    response = amal.post(url(attempt, 2), {"given": "2", "revision": "0", "to": "next"})
    assert response["Location"].startswith("/accounts/login/?next=/en/quizzes/attempts/")
    clock.move(minutes=20)
    back = amal.post(response["Location"], {"username": user.username, "password": "secret"})
    page = amal.get(back["Location"])
    assert re.search(r'value="2"\s+checked', text(page))
    assert 'data-seconds="600"' in text(page)
    assert press(amal, attempt, 2, "2").status_code == 303
    assert given_at(attempt, 2) == "b"


def test_an_exam_of_a_guest_keeps_its_deadline_and_answers_at_sign_in(user, clock, mode):
    """F16: it moves once; limits count both; another account of the browser cannot take it."""
    quiz = make_quiz(**mode, **TIMED, attempts_allowed=2)
    Attempt.objects.start(quiz, learner(user)).finish()
    visitor = Client()
    visitor.post(f"{PAGE}start/", hidden(visitor.get(PAGE)))
    attempt = Attempt.objects.get(user=None)
    press(visitor, attempt, 1, "1")
    clock.move(minutes=10)
    visitor.force_login(user)
    moved = Attempt.objects.get(pk=attempt.pk)
    assert (moved.user, moved.guest, moved.number) == (user, None, 2)
    assert (moved.deadline, moved.score, moved.is_open) == (attempt.deadline, 1, True)
    moved.finish()
    again = visitor.post(f"{PAGE}start/", hidden(visitor.get(PAGE)))
    assert (again.status_code, Attempt.objects.count()) == (403, 2)
    visitor.logout()
    visitor.force_login(make_user("other"))
    assert visitor.get(url(attempt)).status_code == 404


def test_what_a_sign_in_closes_hands_in_what_was_written_where_its_time_was_up(user, clock):
    """F16, F28: an attempt past its deadline that a sign-in closes ends as any other, with the text that was kept."""
    quiz = make_quiz(make_essay(), make_question(), **TIMED)
    theirs = Attempt.objects.start(quiz, learner(guest="token"))
    theirs.keep(1, "Half of a text.")
    clock.move(minutes=31)
    mine = Attempt.objects.start(quiz, learner(user))
    assert Attempt.objects.claim("token", user) == 1
    closed = Attempt.objects.get(pk=theirs.pk)
    assert (closed.ended, closed.finished_at, closed.waiting) == ("time_up", theirs.deadline, 1)
    assert (given_at(theirs, 1), Attempt.objects.get(pk=mine.pk).is_open) == ("Half of a text.", True)


def test_a_guest_without_cookies_is_another_guest():
    """F17: the limit of guests is best effort; the old attempt is nobody's to see."""
    make_quiz(attempts_allowed=1)
    for number in (1, 2):
        visitor = Client()
        assert visitor.post(f"{PAGE}start/", hidden(visitor.get(PAGE))).status_code == 303
        assert Attempt.objects.values("guest").distinct().count() == number
        again = visitor.post(f"{PAGE}start/", {"number": "2"})
        assert again.status_code in (303, 403)
        assert Attempt.objects.count() == number
    old = Attempt.objects.order_by("pk").first()
    assert visitor.get(url(old, 1))["Location"].startswith("/accounts/login/")


def test_a_window_of_whoever_signed_out_writes_for_nobody(user, mode):
    """F18: with the old token refused as forged; without a check of tokens, as a stranger's."""
    attempt = Attempt.objects.start(make_quiz(**mode, **TIMED), learner(user))
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user)
    address, fields = form_of(browser, attempt, 1, "1")
    page = text(browser.get(address))
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    browser.logout()
    assert browser.post(address, fields).status_code == 403
    signed_out = browser.post(address, {**fields, "csrfmiddlewaretoken": token})
    assert signed_out.status_code in (303, 403)
    assert url(attempt) not in signed_out.get("Location", "").split("?")[0]
    browser.force_login(make_user("other"))
    refused = browser.post(address, {**fields, "csrfmiddlewaretoken": token})
    assert refused.status_code in (403, 404)
    assert not Answer.objects.exclude(answered_at=None).exists()


def test_a_running_exam_asks_and_marks_what_it_began_with(amal, user, mode):
    """F19: text, key and points edited in mid-attempt: the running one keeps its own, a new one gets the new."""
    question = make_question(("Old right", True), "Old wrong", prompt="Old?", explanation="Old why.")
    quiz = make_quiz(question, make_question(), **mode, **TIMED)
    attempt = Attempt.objects.start(quiz, learner(user))
    for choice in question.choices.all():
        choice.right, choice.text_en = not choice.right, choice.text_en.replace("Old", "New")
        choice.save()
    question.prompt_en, question.explanation_en = "New?", "New why."
    question.save()
    QuizQuestion.objects.update(points=5)
    assert "Old?" in text(amal.get(url(attempt, 1))) and "New" not in text(amal.get(url(attempt, 1)))
    press(amal, attempt, 1, "1")
    attempt.finish()
    assert (Attempt.objects.get().score, Attempt.objects.get().maximum) == (1, 2)
    result = text(amal.get(url(attempt)))
    assert "Old why." in result and "New" not in result
    other = Attempt.objects.start(quiz, learner(make_user("other")))
    other.answer(1, 1)
    other.refresh_from_db()
    assert (other.score, other.maximum) == (0, 10)


def test_a_running_exam_outlives_its_questions(amal, user, mode):
    """F20: question, choices, guides and tags deleted in mid-attempt: it is taken to its end and stays readable."""
    guide = make_guide()
    quiz = make_quiz(*(make_question(prompt=f"Question {n}?", guides=[guide]) for n in (1, 2, 3)), **mode, **TIMED)
    attempt = Attempt.objects.start(quiz, learner(user))
    press(amal, attempt, 1, "1")
    first, second, third = quiz.questions.order_by("places__place")
    first.delete()
    second.choices.all().delete()
    third.choices.filter(right=True).delete()
    guide.delete()
    for position in (2, 3):
        assert press(amal, attempt, position, "1").status_code == 303
    if attempt.changeable:
        amal.post(url(attempt, "finish"), {"confirm": "yes"})
    done = Attempt.objects.get()
    assert (done.ended, done.score, done.maximum) == ("finished", 3, 3)
    page = text(amal.get(url(attempt)))
    assert all(f"Question {number}?" in page for number in (1, 2, 3))
    for address in (PAGE, "/en/quizzes/", "/en/quizzes/mine/"):
        assert amal.get(address).status_code == 200
    second.delete()
    third.delete()
    assert amal.get(PAGE).status_code == 200
    assert amal.post(f"{PAGE}start/", {"number": "2"}).status_code == 403


def test_three_of_ten_stays_when_questions_come_and_move(amal, user, mode):
    """F21: added, moved, taken out: a running attempt is what it was."""
    quiz = make_quiz(*(make_question(prompt=f"Prompt {n}.") for n in range(1, 11)), **mode, **TIMED)
    attempt = Attempt.objects.start(quiz, learner(user))
    for position in (1, 2):
        press(amal, attempt, position, "1")
    QuizQuestion.objects.create(quiz=quiz, question=make_question(prompt="A new one."), place=0)
    quiz.places.filter(place=3).update(place=99)
    quiz.places.filter(place__in=(5, 6)).delete()
    Quiz.objects.update(shuffle_questions=True, draw=2)
    page = text(amal.get(url(attempt, 1 if attempt.on_one_page else 3)))
    assert "Question 3 of 10" in page and "Prompt 3." in page
    assert "A new one." not in page
    assert attempt.answers.count() == 10


def test_rules_that_change_leave_a_running_attempt_alone(amal, user, clock, mode):
    """F22: limit, number, pass mark, dates, layout: each holds as it did at the start, and for the next as it is."""
    quiz = make_quiz(**mode, **TIMED, attempts_allowed=3, pass_mark=30, closes_at=clock.now + timedelta(days=1))
    attempt = Attempt.objects.start(quiz, learner(user))
    Quiz.objects.update(
        time_limit=1,
        attempts_allowed=1,
        pass_mark=90,
        opens_at=clock.now + timedelta(days=2),
        closes_at=clock.now + timedelta(minutes=2),
        feedback="at_once",
        layout="one",
        one_way=False,
        access="groups",
        password="secret",
    )
    clock.move(minutes=25)
    assert press(amal, attempt, 1, "1").status_code == 303
    attempt.finish()
    done = Attempt.objects.get()
    assert (done.deadline, done.passed, done.pass_mark) == (attempt.deadline, True, 30)
    assert (done.on_one_page, done.in_order, done.changeable) == (
        attempt.on_one_page,
        attempt.in_order,
        attempt.changeable,
    )
    assert amal.get(url(attempt)).status_code == 200
    assert amal.post(f"{PAGE}start/", {"number": "2"}).status_code == 403


def test_an_extension_reaches_a_running_attempt_at_once_and_a_cut_never(amal, user, clock):
    """F22: what is granted holds at once; what is taken away shortens nothing."""
    quiz = make_quiz(feedback="at_end", **TIMED)
    attempt = Attempt.objects.start(quiz, learner(user))
    grant = Accommodation.objects.create(quiz=quiz, user=user, time_factor=2)
    assert Attempt.objects.lengthen(quiz) == 1
    longer = attempt.started_at + timedelta(minutes=60)
    assert Attempt.objects.get().deadline == longer
    Accommodation.objects.filter(pk=grant.pk).update(time_factor=1)
    Quiz.objects.update(time_limit=1)
    assert Attempt.objects.lengthen(Quiz.objects.get()) == 0
    assert Attempt.objects.get().deadline == longer
    clock.move(minutes=59)
    assert press(amal, attempt, 1, "1").status_code == 303
    assert given_at(attempt, 1) == "a"


@pytest.mark.parametrize("how", ["unpublished", "archived"])
def test_a_quiz_unpublished_in_mid_attempt_is_taken_to_its_end(amal, user, mode, how):
    """F23, as the design has it: a running attempt goes on, and no other is started."""
    quiz = make_quiz(**mode, **TIMED)
    attempt = Attempt.objects.start(quiz, learner(user))
    if how == "archived":
        Quiz.objects.update(archived=True)
    else:
        quiz.languages.all().delete()
    for position in (1, 2, 3):
        assert press(amal, attempt, position, "1").status_code == 303
    amal.post(url(attempt, "finish"), {"confirm": "yes"})
    done = Attempt.objects.get()
    assert (done.ended, done.score) == ("finished", 3)
    assert amal.get(url(attempt)).status_code == 200
    assert amal.get(PAGE).status_code == 404
    assert amal.post(f"{PAGE}start/", {"number": "2"}).status_code == 404
    assert Attempt.objects.count() == 1


def test_another_language_in_mid_exam_is_the_same_exam(amal, user, mode):
    """F24: same attempt, same order, what was given kept, each text in its language, marked by choice."""
    choices = [{"text": {"en": f"Choice {n}", "ar": f"خيار {n}"}, "right": n == 1} for n in range(1, 6)]
    half = [{"text": {"en": f"Only {n}"}, "right": n == 1} for n in range(1, 6)]
    quiz = make_quiz(
        make_question(*choices, prompt={"en": "Which?", "ar": "أيها؟"}),
        make_question(*half, prompt={"en": "Only English?"}),
        shuffle_choices=True,
        **mode,
        **TIMED,
    )
    attempt = Attempt.objects.start(quiz, learner(user))
    order = attempt.answers.get(position=1).order
    place = str(order.index("a") + 1)
    english = re.findall(r"(?:Choice|Only) (\d)</bdi>", text(amal.get(url(attempt, 1))))[:5]
    arabic_page = text(amal.get(url(attempt, 1, "ar")))
    assert re.findall(r"خيار (\d)</bdi>", arabic_page) == english
    assert re.search(r'lang="ar" dir="rtl"[^>]*><p>أيها', arabic_page)
    with translation.override("ar"):
        address, fields = form_of(amal, attempt, 1, place)
        response = amal.post(address.replace("/en/", "/ar/"), fields)
    assert response.status_code == 303
    answer = attempt.answers.get(position=1)
    assert (answer.given, answer.fraction, answer.language, answer.order) == ("a", 1, "ar", order)
    second = text(amal.get(url(attempt, 1 if attempt.on_one_page else 2, "ar")))
    assert re.search(r'lang="en" dir="ltr"[^>]*><p>Only English', second)
    assert Attempt.objects.count() == 1


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_a_deadline_that_passes_ends_it_with_what_there_was(amal, user, clock, mode, answered):
    """F28: the missing ones count nothing; its page says the same before and after its row is closed."""
    attempt = Attempt.objects.start(make_quiz(**mode, **TIMED, pass_mark=50), learner(user))
    for position in range(1, answered + 1):
        press(amal, attempt, position, "1")
    clock.move(minutes=30, seconds=4)
    assert Attempt.objects.get().is_open  # within the grace
    clock.move(seconds=2)
    before = text(amal.get(url(attempt)))
    assert Attempt.objects.get().open
    for _time in range(2):
        call_command("mpquiz_finish_overdue", stdout=StringIO())
    done = Attempt.objects.get()
    assert (done.ended, done.score, done.finished_at) == ("time_up", answered, attempt.deadline)
    assert done.passed is (answered == 2)
    after = text(amal.get(url(attempt)))
    assert re.sub(TOKEN, "", before) == re.sub(TOKEN, "", after)


def test_an_exam_is_taken_by_forms_alone(amal, user, mode):
    """F29: without any script: what a page holds leads from the start to the result."""
    make_quiz(**mode, **TIMED)
    page = amal.post(f"{PAGE}start/", hidden(amal.get(PAGE)), follow=True)
    attempt = Attempt.objects.get()
    for _press in range(8):
        form = re.search(r'<form[^>]* method="post" action="([^"]+)"[^>]*>(.*?)</form>', text(page), re.DOTALL)
        if form is None or attempt.answers.filter(answered_at=None).count() == 0:
            break
        fields = dict(re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', form[2]))
        fields |= dict.fromkeys(re.findall(r'type="radio" name="([\w-]+)"', form[2]), "1")
        button = re.search(r'<button type="submit"[^>]* name="to" value="(\w+)"', form[2])
        page = amal.post(form[1], fields | ({"to": button[1]} if button else {}), follow=True)
        link = re.search(r'<a class="mpquiz-button" href="([^"]+)"', text(page))
        page = amal.get(link[1]) if link and not attempt.changeable else page
    if Attempt.objects.get().open:
        page = amal.post(url(attempt, "finish"), {"confirm": "yes"}, follow=True)
    done = Attempt.objects.get()
    assert (done.ended, done.score) == ("finished", 3)
    assert "Your score: " in text(page) or "Your score: " in text(amal.get(url(attempt)))


def test_a_host_s_mistake_loses_no_page_that_is_handed_in(
    amal, user, caplog, django_capture_on_commit_callbacks, mode
):
    """F32: each receiver raises; all is stored, and the learner goes on."""

    def fail(sender: Any, **kwargs: Any) -> None:
        raise RuntimeError("the host's mistake")

    heard = (signals.attempt_started, signals.question_answered, signals.attempt_finished)
    for signal in heard:
        signal.connect(fail)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            attempt = Attempt.objects.start(make_quiz(**mode, **TIMED), learner(user))
        for position in (1, 2, 3):
            with django_capture_on_commit_callbacks(execute=True):
                assert press(amal, attempt, position, "1").status_code == 303
        with django_capture_on_commit_callbacks(execute=True):
            amal.post(url(attempt, "finish"), {"confirm": "yes"})
    finally:
        for signal in heard:
            signal.disconnect(fail)
    assert (Attempt.objects.get().ended, Attempt.objects.get().score) == ("finished", 3)
    assert caplog.text.count("the host's mistake") >= 5


_BEFORE = """
import django
django.setup()
from mpquiz.models import Attempt
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
practice = make_quiz(make_essay(), make_question(), slug="practice", pass_mark=50)
exam = make_quiz(slug="exam", feedback="at_end", time_limit=60, one_way=True, show_score="never")
for number, quiz in enumerate((practice, exam)):
    attempt = Attempt.objects.start(quiz, learner(make_user(f"learner-{number}")))
    attempt.answer(1, "Why." if number == 0 else 1, move_on=True)
    Attempt.objects.start(quiz, learner(guest=f"guest-{number}")).finish()
"""
_AFTER = """
import django
django.setup()
from django.conf import settings
from django.db import connection
from django.test import Client
from mpquiz.models import Attempt, Quiz
from tests import invariants
settings.ALLOWED_HOSTS = ["*"]
assert Attempt.objects.count() == 4, Attempt.objects.count()
for attempt in Attempt.objects.filter(open=True):
    assert attempt.answers.exclude(answered_at=None).count() == 1
    client = Client()
    client.force_login(attempt.user)
    here = f"/en/quizzes/attempts/{attempt.public_id}/"
    assert client.get(here, follow=True).status_code == 200
    if attempt.quiz.slug == "exam":
        assert attempt.changeable and attempt.in_order and attempt.deadline and attempt.runs_by.time_limit == 3600
        attempt.answer(attempt.reached, 1)
        attempt.finish()
    else:
        attempt.answer(2, 1)
    assert Attempt.objects.get(pk=attempt.pk).ended == "finished"
    assert client.get(here).status_code == 200
    for address in (f"/en/quizzes/{attempt.quiz.slug}/", "/en/quizzes/mine/", "/en/quizzes/"):
        assert client.get(address).status_code == 200
invariants.check(connection)
print("whole")
"""


@pytest.mark.host
def test_attempts_outlive_a_downgrade_and_an_upgrade(tmp_path):
    """F31: the columns of exams go and come back under open attempts; none is lost, and each runs by its rules.

    Before an app is put back by a release its migrations are undone with the newer one: ``migrate mpquiz 0003``.
    """
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{tmp_path}/moved.sqlite3",
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": str(ROOT),
    }

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{arguments}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    run("-m", "django", "migrate", "-v0")
    run("-c", _BEFORE)
    run("-m", "django", "migrate", "-v0", "mpquiz", "0003")
    run("-m", "django", "migrate", "-v0")
    assert run("-c", _AFTER).strip() == "whole"
