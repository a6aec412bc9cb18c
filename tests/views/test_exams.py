"""The pages of exams: what is said before the start, the map, one way, all on one page, saving, trials."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from mpquiz.models import Accommodation, Attempt
from tests.factories import learner, make_essay, make_page, make_question, make_quiz, make_user
from tests.models.test_attempt_ends import overdue
from tests.views.conftest import hidden, text, url

PAGE = "/en/quizzes/floats/"


def begin(client, **form):
    """Press Start on the page of the quiz."""
    return client.post(f"{PAGE}start/", hidden(client.get(PAGE)) | form)


def begun(client, **form):
    """The attempt that a press of Start begins."""
    response = begin(client, **form)
    assert response.status_code == 303, text(response)
    return Attempt.objects.get(public_id=re.search(r"attempts/([0-9a-f-]{36})", response["Location"])[1])


def send(client, attempt, position, given=(), **fields):
    """Send the form of a question, with the revision that its page showed."""
    seen = hidden(client.get(url(attempt, position)))
    return client.post(url(attempt, position), seen | {"given": given} | fields)


@pytest.fixture
def staff(db):
    user = make_user("staff", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_quiz"))
    client = Client()
    client.force_login(user)
    return client


# Before the start ---------------------------------------------------------------------------------------------


def test_the_rules_are_said_before_the_start_and_no_question_is(amal):
    closes = timezone.now() + timedelta(days=1)
    make_quiz(feedback="at_end", time_limit=30, attempts_allowed=2, closes_at=closes, one_way=True, counting="last")
    page = text(amal.get(PAGE))
    for words in (
        "30 minutes",
        "2 of 2 are left",
        "The last attempt",
        "you cannot go back",
        "is handed in",
        ">Start<",
    ):
        assert words in page
    assert f'datetime="{closes.isoformat()}"' in page
    assert "Question 1?" not in page


def test_a_learner_sees_what_was_granted(amal, user):
    quiz = make_quiz(time_limit=30, attempts_allowed=1)
    Accommodation.objects.create(quiz=quiz, user=user, time_factor=2, extra_attempts=1)
    page = text(amal.get(PAGE))
    assert "60 minutes" in page
    assert "granted to you" in page
    assert "2 of 2 are left" in page


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"opens_at": timezone.now() + timedelta(days=1)}, "This quiz opens on"),
        ({"closes_at": timezone.now() - timedelta(days=1)}, "This quiz closed on"),
        ({"access": "groups"}, "for certain groups"),
    ],
)
def test_who_cannot_start_is_told_why_and_sees_no_question(amal, rules, words):
    make_quiz(**rules)
    page = text(amal.get(PAGE))
    assert words in page
    assert "Question 1?" not in page
    assert ">Start<" not in page
    assert begin(amal).status_code == 403
    assert not Attempt.objects.exists()


def test_a_visitor_is_led_to_the_sign_in_page_and_back(client, db):
    make_quiz(access="signed_in")
    assert f"/accounts/login/?next={PAGE}" in text(client.get(PAGE))
    response = client.post(f"{PAGE}start/", {"number": "1"})
    assert (response.status_code, response["Location"]) == (303, f"/accounts/login/?next={PAGE}")
    assert not Attempt.objects.exists()


def test_a_wrong_password_is_told_at_its_field(amal):
    make_quiz(password="secret word")
    response = begin(amal, password="no")
    assert response.status_code == 403
    assert 'aria-invalid="true" aria-describedby="mpquiz-error"' in text(response)
    assert "secret word" not in text(response)
    assert begun(amal, password="secret word").is_open


def test_passwords_are_not_tried_for_ever(amal, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"password": "3/min"}}
    make_quiz(password="secret")
    statuses = [begin(amal, password="no").status_code for _time in range(4)]
    assert statuses == [403, 403, 403, 429]


def test_the_last_attempt_used_up_is_said(amal, user):
    quiz = make_quiz(attempts_allowed=1)
    Attempt.objects.start(quiz, learner(user)).finish()
    assert "You have used the attempt that you had." in text(amal.get(PAGE))
    assert begin(amal).status_code == 403
    assert "Start over" not in text(amal.get(url(Attempt.objects.get())))


def test_the_list_says_when_a_quiz_is_open_and_how_long_it_takes(amal):
    now, day = timezone.now(), timedelta(days=1)
    make_quiz(slug="early", opens_at=now + day, time_limit=30)
    make_quiz(slug="now", opens_at=now - day, closes_at=now + day)
    make_quiz(slug="late", closes_at=now - day)
    page = text(amal.get("/en/quizzes/"))
    assert [page.count(words) for words in ("Opens on", "Open until", "Closed on", "30 minutes")] == [1, 1, 1, 1]


# One question at a time ---------------------------------------------------------------------------------------


@pytest.fixture
def exam(amal):
    make_quiz(make_question(), make_page(), make_essay(), make_question(), feedback="at_end")
    return begun(amal)


def test_an_answer_is_saved_wherever_a_press_leads(amal, exam):
    assert send(amal, exam, 1, "2", to="4")["Location"] == url(exam, 4)
    assert send(amal, exam, 4, "1", to="finish")["Location"] == url(exam, "summary")
    assert send(amal, exam, 1, "1", to="next")["Location"] == url(exam, 2)
    assert [answer.given for answer in exam.answers.all()] == ["a", None, None, "a"]


def test_a_question_without_an_answer_can_be_passed_and_come_back_to(amal, exam):
    assert send(amal, exam, 1)["Location"] == url(exam, 2)
    assert send(amal, exam, 2)["Location"] == url(exam, 3)  # a page to read
    assert amal.get(url(exam, 1)).status_code == 200


def test_what_is_stored_stands_in_the_form(amal, exam):
    send(amal, exam, 1, "2")
    send(amal, exam, 3, "Because\nit is")
    assert re.findall(r'value="(\d)" checked', text(amal.get(url(exam, 1)))) == ["2"]
    assert "Because\nit is</textarea>" in text(amal.get(url(exam, 3)))


def test_the_map_says_what_is_answered_flagged_and_open(amal, exam):
    send(amal, exam, 1, "1", flag="1")
    page = text(amal.get(url(exam, 3)))
    marks = [re.sub(r"<[^>]*>", "", mark).strip() for mark in re.findall(r"<li>(<button.*?)</li>", page)]
    assert marks == [
        "Question 1, answered, flagged",
        "¶, page to read",
        "Question 2, not answered",
        "Question 3, not answered",
    ]
    assert page.count('aria-current="step"') == 1


def test_a_flag_is_taken_off_by_the_same_button(amal, exam):
    assert send(amal, exam, 1, "1", flag="1")["Location"] == url(exam, 1)
    assert 'aria-pressed="true"' in text(amal.get(url(exam, 1)))
    send(amal, exam, 1, "1", flag="0")
    assert 'aria-pressed="false"' in text(amal.get(url(exam, 1)))


def test_two_windows_see_both_values(amal, exam):
    seen = hidden(amal.get(url(exam, 1)))
    send(amal, exam, 1, "1")
    response = amal.post(url(exam, 1), seen | {"given": "2"})
    assert response.status_code == 409
    page = text(response)
    assert "changed in another window" in page
    assert "Stored now:" in page
    assert re.findall(r'value="(\d)" checked', page) == ["2"]
    again = amal.post(url(exam, 1), hidden(response) | {"given": "2"})  # knowing both
    assert again.status_code == 303
    assert exam.answers.get(position=1).given == "b"


def test_an_odd_value_is_refused_and_stands_in_the_form(amal):
    make_quiz(make_question({"value": "3", "right": True}, kind="number"), feedback="at_end")
    exam = begun(amal)
    response = send(amal, exam, 1, "three")
    assert response.status_code == 400
    assert 'value="three"' in text(response)


def test_the_summary_counts_what_is_missing_and_hands_in(amal, exam):
    send(amal, exam, 1, "1")
    page = text(amal.get(url(exam, "summary")))
    assert "2 questions are not answered" in page
    assert amal.post(url(exam, "finish"))["Location"] == url(exam, "summary")  # asked first
    assert amal.post(url(exam, "finish"), {"confirm": "yes"})["Location"] == url(exam)
    exam.refresh_from_db()
    assert (exam.ended, exam.score) == ("finished", 1)
    assert amal.get(url(exam, "summary")).status_code == 302
    assert amal.get(url(exam, 1))["Location"] == url(exam)


def test_past_the_last_question_stands_the_summary(amal, exam):
    assert send(amal, exam, 4, "1", to="next")["Location"] == url(exam, 5)
    assert amal.get(url(exam, 5))["Location"] == url(exam, "summary")


def test_the_quiz_s_page_leads_on(amal, exam):
    page = text(amal.get(PAGE))
    assert f'href="{url(exam)}"' in page
    assert amal.get(url(exam))["Location"] == url(exam, 1)


# One way ------------------------------------------------------------------------------------------------------


@pytest.fixture
def one_way(amal):
    names = [make_question(prompt=f"Prompt {n}?") for n in (1, 2, 3)]
    make_quiz(*names, feedback="at_end", one_way=True)
    return begun(amal)


def test_one_way_no_other_question_is_opened(amal, one_way):
    send(amal, one_way, 1, "1")
    for position in (1, 3):
        response = amal.get(url(one_way, position))
        assert (response.status_code, response["Location"]) == (303, url(one_way, 2) + "?notice=not_in_order")
    for position, given in ((1, "2"), (3, "2"), (3, "99"), (3, "")):
        response = amal.post(url(one_way, position), {"given": given, "skip": "yes"})
        assert (response.status_code, response["Location"]) == (303, url(one_way, 2) + "?notice=not_in_order")
    page = text(amal.get(url(one_way, 2)))
    assert "Prompt 2?" in page
    assert "Prompt 1?" not in page
    assert "mpquiz-map" not in page


def test_one_way_a_question_is_not_skipped_by_mistake(amal, one_way):
    response = send(amal, one_way, 1)
    assert "you cannot come back" in text(response)
    one_way.refresh_from_db()
    assert one_way.reached == 1
    assert send(amal, one_way, 1, skip="yes")["Location"] == url(one_way, 2)


def test_one_way_practice_shows_the_feedback_of_the_last_answer_and_the_next_question(amal):
    make_quiz(one_way=True)
    attempt = begun(amal)
    amal.post(url(attempt, 1), {"given": "1"})
    assert "Because it is." in text(amal.get(url(attempt, 1)))
    assert amal.get(url(attempt, 2)).status_code == 200
    assert amal.get(url(attempt, 3)).status_code == 303
    amal.post(url(attempt, 2), {"given": "1"})
    assert amal.get(url(attempt, 1)).status_code == 303
    assert amal.get(url(attempt, 2)).status_code == 200


# All on one page ----------------------------------------------------------------------------------------------


def test_a_whole_quiz_takes_two_requests(amal):
    make_quiz(layout="all")
    page = amal.get(PAGE)
    assert text(page).count("mpquiz-one-of-all") == 3
    response = amal.post(
        f"{PAGE}start/", all_hidden(page) | {"q1-given": "1", "q2-given": "2", "q3-given": "1", "to": "finish"}
    )
    attempt = Attempt.objects.get()
    assert response["Location"] == url(attempt)
    assert (attempt.ended, attempt.score) == ("finished", 2)
    assert "Right answer" in text(amal.get(url(attempt)))


def all_hidden(response):
    pairs = re.findall(r'<input type="hidden" name="([\w-]+)" value="([^"]*)"', text(response))
    return {name: value for name, value in pairs if name != "csrfmiddlewaretoken"}


def test_a_page_that_is_not_complete_is_asked_about_before_it_is_handed_in(amal):
    make_quiz(layout="all")
    page = amal.get(PAGE)
    response = amal.post(f"{PAGE}start/", all_hidden(page) | {"q1-given": "1", "to": "finish"})
    attempt = Attempt.objects.get()
    assert attempt.is_open
    assert response["Location"] == url(attempt, "summary")
    assert attempt.answers.get(position=1).given == "a"


def test_questions_that_changed_under_the_page_are_shown_anew(amal):
    quiz = make_quiz(layout="all")
    form = all_hidden(amal.get(PAGE)) | {"q1-given": "1", "q2-given": "1", "q3-given": "1", "to": "finish"}
    quiz.questions.update(prompt_en="Another?")
    response = amal.post(f"{PAGE}start/", form)
    assert response.status_code == 409
    assert text(response).count("Another?") >= 3
    assert not Attempt.objects.exists()


def test_a_page_with_a_clock_is_saved_and_handed_in(amal):
    make_quiz(layout="all", time_limit=5)
    attempt = begun(amal)
    page = amal.get(url(attempt, 1))
    assert 'data-seconds="' in text(page)
    saved = amal.post(url(attempt, 1), all_hidden(page) | {"q1-given": "1", "to": "stay"})
    assert saved["Location"] == url(attempt, 1) + "?notice=saved"
    page = amal.get(url(attempt, 1))
    assert re.findall(r'name="q1-given" value="(\d)" checked', text(page)) == ["1"]
    form = all_hidden(page) | {"q1-given": "1", "q2-given": "1", "q3-given": "2", "to": "finish"}
    assert amal.post(url(attempt, 1), form)["Location"] == url(attempt)
    attempt.refresh_from_db()
    assert attempt.score == 2


def test_on_one_page_what_is_refused_is_told_where_and_nothing_is_lost(amal):
    number = make_question({"value": "3", "right": True}, kind="number")
    make_quiz(make_question(), number, layout="all", time_limit=5)
    attempt = begun(amal)
    form = all_hidden(amal.get(url(attempt, 1))) | {"q1-given": "1", "q2-given": "three", "to": "finish"}
    response = amal.post(url(attempt, 1), form)
    assert response.status_code == 400
    page = text(response)
    assert "1 answer was not taken" in page
    assert 'id="q2-mpquiz-error"' in page
    assert 'value="three"' in page
    assert attempt.answers.get(position=1).given == "a"
    attempt.refresh_from_db()
    assert attempt.is_open


# Saving while it is written, and the clock --------------------------------------------------------------------


def test_a_text_is_saved_while_it_is_written(amal, user):
    attempt = Attempt.objects.start(make_quiz(make_essay(), make_question()), learner(user))
    response = amal.post(url(attempt, 1), {"given": "Because", "save": "1"})
    assert response.json()["saved"] is True
    assert attempt.answers.get(position=1).draft == "Because"
    assert "Because</textarea>" in text(amal.get(url(attempt, 1)))
    amal.post(url(attempt, "finish"), {"confirm": "yes"})
    assert attempt.answers.get(position=1).given == "Because"


def test_in_an_exam_what_is_saved_is_the_answer(amal, exam):
    seen = hidden(amal.get(url(exam, 3)))
    first = amal.post(url(exam, 3), seen | {"given": "Because", "save": "1"}).json()
    assert first["revision"] == 1
    again = amal.post(url(exam, 3), {"given": "Because it is", "save": "1", "revision": first["revision"]}).json()
    assert again["revision"] == 2
    stale = amal.post(url(exam, 3), {"given": "Other", "save": "1", "revision": 1})
    assert (stale.status_code, stale.json()["code"]) == (409, "stale")


def test_all_on_one_page_each_saved_answer_has_its_revision(amal):
    make_quiz(layout="all", time_limit=5)
    attempt = begun(amal)
    form = all_hidden(amal.get(url(attempt, 1))) | {"q2-given": "1", "save": "1"}
    assert amal.post(url(attempt, 1), form).json()["revisions"] == {"1": 0, "2": 1, "3": 0}


def test_who_was_signed_out_keeps_the_text(amal, exam, user):
    amal.logout()
    response = amal.post(url(exam, 3), {"given": "Because " * 200, "save": "1"})
    assert (response.status_code, response.json()["code"]) == (403, "sign_in")
    amal.force_login(user)
    assert "Because Because" in text(amal.get(url(exam, 3)))


def test_the_clock_is_asked_for_as_the_server_reckons_it(amal, exam):
    assert amal.get(url(exam, "seconds")).json() == {"seconds": None, "open": True}
    Attempt.objects.update(deadline=timezone.now() + timedelta(seconds=90))
    assert 85 < amal.get(url(exam, "seconds")).json()["seconds"] <= 90
    overdue(exam)
    assert amal.get(url(exam, "seconds")).json() == {"seconds": 0, "open": False}


def test_after_the_time_is_up_the_result_stands_there_and_nothing_is_taken(amal, exam):
    send(amal, exam, 1, "1")
    overdue(exam)
    assert amal.get(url(exam, 1))["Location"] == url(exam)
    page = text(amal.get(url(exam)))
    assert "The time was up" in page
    response = amal.post(url(exam, 4), {"given": "1"})
    assert response["Location"] == url(exam) + "?notice=time_up"
    exam.refresh_from_db()
    assert (exam.ended, exam.score) == ("time_up", 1)
    assert "The time was up" in text(amal.get(url(exam)))


# What is seen -------------------------------------------------------------------------------------------------


def test_a_result_that_is_held_back_shows_neither_score_nor_key(amal, user):
    make_quiz(feedback="at_end", **{f"show_{line}": "never" for line in LINES}, pass_mark=50)
    exam = begun(amal)
    send(amal, exam, 1, "1")
    amal.post(url(exam, "finish"), {"confirm": "yes"})
    page = text(amal.get(url(exam)))
    assert "Handed in" in page
    for word in ("Right answer", "1\N{NO-BREAK SPACE}/", "Passed", "Not passed", "Because it is.", "Retry"):
        assert word not in page
    for address in ("/en/quizzes/", "/en/quizzes/mine/"):
        assert "Your best" not in text(amal.get(address))


LINES = ("right_or_wrong", "score", "right_answer", "explanation")


def test_results_come_with_the_closing(amal):
    quiz = make_quiz(
        feedback="at_end",
        closes_at=timezone.now() + timedelta(hours=1),
        **{f"show_{line}": "close" for line in LINES},
    )
    exam = begun(amal)
    send(amal, exam, 1, "1")
    amal.post(url(exam, "finish"), {"confirm": "yes"})
    assert "once the quiz has closed" in text(amal.get(url(exam)))
    quiz.__class__.objects.update(closes_at=timezone.now() - timedelta(seconds=1))
    page = text(amal.get(url(exam)))
    assert "Right answer" in page
    assert "once the quiz has closed" not in page
    assert "Your best" in text(amal.get("/en/quizzes/"))


# Trials -------------------------------------------------------------------------------------------------------


def test_staff_start_a_trial_of_anything_and_throw_it_away(staff):
    make_quiz(feedback="at_end", closes_at=timezone.now() - timedelta(days=1))
    page = staff.get(PAGE)
    assert "Start a trial" in text(page)
    response = staff.post(f"{PAGE}start/", {"trial": "yes", "number": "1"})
    trial = Attempt.objects.get()
    assert response["Location"] == url(trial, 1)
    assert "Trial, does not count" in text(staff.get(url(trial, 1)))
    assert staff.post(url(trial, "discard"))["Location"] == PAGE
    assert not Attempt.objects.exists()


def test_a_learner_is_offered_no_trial_and_gets_none(amal):
    make_quiz(published=["en"], time_limit=5)
    assert "trial" not in text(amal.get(PAGE)).lower()
    attempt = begun(amal, trial="yes")
    assert not attempt.trial
    assert amal.post(url(attempt, "discard")).status_code == 403
    assert Attempt.objects.exists()
