"""What went wrong in other systems (CVEs and trackers), tried on the pages of learners: refused, nothing stored."""

import os
import re
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client
from django.utils import timezone

from mpquiz.exceptions import Refusal
from mpquiz.models import Accommodation, Answer, Attempt
from mpquiz.models.answer import fingerprint, fingerprint_of_all
from tests import invariants
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.views.conftest import hidden, text, url

pytestmark = pytest.mark.django_db

PAGE = "/en/quizzes/floats/"
HOUR = timedelta(hours=1)
IN_PLACE = {"HX-Request": "true"}
ONE_WAY = {"feedback": "at_end", "one_way": True}
ADDRESSES = ["//evil.example", "https:evil.example", "\\\\evil.example", "javascript:alert(1)"]


@pytest.fixture
def user():
    return make_user()


@pytest.fixture
def amal(user):
    return signed_in(user)


@pytest.fixture(autouse=True)
def unthrottled(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"start": None, "answer": None, "password": None}}


@pytest.fixture(autouse=True)
def promises_hold():
    yield
    invariants.check(connection)


def signed_in(user: Any) -> Client:
    client = Client()
    client.force_login(user)
    return client


def secret_quiz(count=5, **rules):
    """A quiz of which each question, choice and explanation is a word that no page must show too early."""
    questions = [
        make_question((f"Right{n}", True), f"Wrong{n}", prompt=f"Prompt{n}", explanation=f"Reason{n}")
        for n in range(1, count + 1)
    ]
    return make_quiz(*questions, **rules)


def words_of(response, *numbers):
    """Which of the secret words of these questions an answer of the server holds, in body or headers."""
    told = text(response) + str(response.headers)
    found = re.findall(r"(?:Right|Wrong|Prompt|Reason)(\d+)", told)
    return {int(number) for number in found} & set(numbers)


# One after the other (CVE-2022-40208) ------------------------------------------------------------------------


@pytest.mark.parametrize("feedback", ["at_once", "at_end"])
@pytest.mark.parametrize("headers", [{}, IN_PLACE], ids=["page", "in place"])
def test_a_question_that_is_not_at_its_turn_is_neither_shown_nor_answered(amal, user, feedback, headers):
    """n+2, and n-1 again: by every way to ask, and by every form; no word of them in the body."""
    attempt = Attempt.objects.start(secret_quiz(one_way=True, feedback=feedback), learner(user))
    attempt.answer(1, 1, move_on=True)
    attempt.answer(2, 1, move_on=True)
    before = list(attempt.answers.values("position", "given", "draft", "flagged", "revision"))
    left = {1} if feedback == "at_once" else {1, 2}
    for position in sorted(left | {4, 5}):
        here = url(attempt, position)
        asked = [amal.get(here, headers=headers), amal.get(f"{here}?given=2", headers=headers)]
        for form in (
            {"given": "2", "to": "next"},
            {"given": "2", "revision": "0", "to": "4"},
            {"given": "2", "save": "1"},
            {"given": "2", "flag": "1"},
            {"given": [], "to": "next"},
            {"given": [], "skip": "yes"},
            {"read": "yes"},
            {},
        ):
            asked.append(amal.post(here, form, headers=headers))
        for response in asked:
            assert response.status_code in (200, 302, 303, 400, 409), response.status_code
            assert not words_of(response, *(left | {4, 5}) - ({2} if feedback == "at_once" else set()))
    assert list(attempt.answers.values("position", "given", "draft", "flagged", "revision")) == before
    assert Attempt.objects.get().reached == attempt.reached


@pytest.mark.parametrize("feedback", ["at_once", "at_end"])
def test_one_way_the_whole_is_not_read_from_another_door(amal, user, feedback):
    """Summary, result, quiz page, lists and a form of all questions hold no question that was not at its turn."""
    attempt = Attempt.objects.start(secret_quiz(one_way=True, feedback=feedback), learner(user))
    for address in (url(attempt, "summary"), url(attempt), PAGE, "/en/quizzes/", "/en/quizzes/mine/"):
        assert not words_of(amal.get(address, follow=True), 2, 3, 4, 5)
    form = {f"q{position}-given": "1" for position in range(1, 6)}
    form |= {f"q{position}-revision": "0" for position in range(1, 6)}
    response = amal.post(url(attempt, 1), form | {"to": "finish", "skip": "yes"})
    assert not words_of(response, 2, 3, 4, 5)
    assert not attempt.answers.exclude(answered_at=None).exists()
    with pytest.raises(Refusal, match="not_in_order"):
        attempt.answer(3, 1)
    assert attempt.hand_in({3: 1, 4: 1}, finish=False).keys() == {3, 4}


# The clock (CVE-2025-62401) -----------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [{}, {"feedback": "at_end"}, {"layout": "all"}, {"one_way": True}])
@pytest.mark.parametrize("who", ["user", "visitor", "staff"])
def test_a_timed_quiz_shows_no_question_before_its_clock_runs(client, user, rules, who):
    """No page, list, part or refused start holds a word of it; each press that shows one has stored a deadline."""
    quiz = secret_quiz(time_limit=10, **rules)
    if who != "visitor":
        client.force_login(user if who == "user" else make_user("staff", is_staff=True, is_superuser=True))
    for address in (PAGE, f"{PAGE}start/", "/en/quizzes/", "/en/quizzes/mine/", "/ar/quizzes/floats/"):
        for headers in ({}, IN_PLACE):
            for method in (client.get, client.head):
                assert not words_of(method(address, headers=headers, follow=True), 1, 2, 3, 4, 5)
    assert not Attempt.objects.exists()
    response = client.post(f"{PAGE}start/", hidden(client.get(PAGE)), follow=True)
    attempt = Attempt.objects.get()
    assert words_of(response, 1)
    assert attempt.deadline - attempt.started_at == timedelta(minutes=10)
    assert quiz.attempts.filter(deadline=None).count() == 0


def _faked(quiz):
    """Each field of a start form dropped, repeated and faked, and fields of other forms."""
    contents = [place.content for place in quiz.placed()]
    whole = {"number": "1", "guest": "nonce"}
    yield {}
    for name in whole:
        yield {key: value for key, value in whole.items() if key != name}
        for value in ("", "0", "-1", "9" * 30, "x", "1 OR 1=1", ["1", "2"], "'\")--", "\0"):
            yield {**whole, name: value}
    for extra in (
        {"time_limit": "9999"},
        {"deadline": ""},
        {"started_at": "2100-01-01"},
        {"seconds": "99999"},
        {"trial": "yes"},
        {"retry_of": "1"},
        {"untimed": "1", "confirm": "yes", "preview": "1"},
        {"seen": "0" * 64, "given": "1"},
        {"seen": fingerprint(contents[0]), "given": "1"},
        {"seen": fingerprint(contents[0])},
        {"all": "0" * 64},
        {"all": fingerprint_of_all(contents), "q1-given": "1", "q1-revision": "0"},
    ):
        yield {**whole, **extra}


@pytest.mark.parametrize("who", ["user", "visitor"])
@pytest.mark.parametrize("layout", ["one", "all"])
def test_no_parameter_of_the_start_gives_free_time(user, who, layout):
    """Dropped, repeated or faked: an attempt that is there has its deadline, and else no word was told."""
    quiz = secret_quiz(time_limit=10, layout=layout)
    for form in _faked(quiz):
        client = Client() if who == "visitor" else signed_in(user)
        before = timezone.now()
        response = client.post(f"{PAGE}start/", form, follow=True)
        assert response.status_code < 500, form
        attempt = Attempt.objects.first()
        if attempt is None:
            assert not words_of(response, 1, 2, 3, 4, 5), form
            continue
        assert attempt.deadline == attempt.started_at + timedelta(minutes=10), form
        assert attempt.started_at >= before
        assert (attempt.trial, attempt.retry_of, attempt.number) == (False, None, 1), form
        Attempt.objects.all().delete()


def test_a_second_start_gives_no_new_clock(amal, user):
    quiz = secret_quiz(time_limit=10)
    attempt = Attempt.objects.start(quiz, learner(user))
    Attempt.objects.update(started_at=attempt.started_at - HOUR / 10, deadline=attempt.deadline - HOUR / 10)
    for form in _faked(quiz):
        amal.post(f"{PAGE}start/", form)
    assert [one.deadline for one in Attempt.objects.all()] == [attempt.deadline - HOUR / 10]


# Starts that are not allowed (CVE-2025-13934, CVE-2025-62401) --------------------------------------------------

_NOW = timezone.now()
SHUT = {
    "a draft": ({"published": ()}, 404),
    "not in this language": ({"published": ("ar",)}, 404),
    "archived": ({"archived": True}, 404),
    "not open yet": ({"opens_at": _NOW + HOUR}, 403),
    "closed": ({"closes_at": _NOW - HOUR}, 403),
    "for members": ({"access": "groups"}, 403),
    "with a password": ({"password": "opensesame"}, 403),
}


SHUT_OUT = [
    (case, who, layout)
    for turn, (case, who) in enumerate(product(SHUT, ["user", "visitor", "someone else's grant"]))
    for layout in (["one", "all"] if os.environ.get("MPQUIZ_LEAKS") == "all" else [["one", "all"][turn % 2]])
]


@pytest.mark.parametrize(("case", "who", "layout"), SHUT_OUT)
def test_a_quiz_that_may_not_be_taken_is_not_started_by_any_form(user, layout, case, who):
    """By a direct POST, with every field that another form has; nothing stored, nothing told, no session made."""
    rules, status = SHUT[case]
    quiz = secret_quiz(layout=layout, **rules)
    quiz.groups.add(Group.objects.create(name="Others"))
    Accommodation.objects.create(quiz=quiz, user=make_user("other"), opens_at=_NOW - HOUR, closes_at=_NOW + HOUR)
    forms = [*_faked(quiz), {"password": ""}, {"password": "x"}, {"password": ["opensesame", "x"]}]
    ways = [{}, IN_PLACE]
    for turn, form in enumerate(forms):
        client = Client() if who == "visitor" else signed_in(user)
        for headers in ways if os.environ.get("MPQUIZ_LEAKS") == "all" else ways[turn % 2 :][:1]:
            response = client.post(f"{PAGE}start/", form, headers=headers)
            expected = (303, 200) if who == "visitor" and case == "for members" else (status,)
            assert response.status_code in expected, (form, response.status_code)
            told = words_of(response, 1, 2, 3, 4, 5)
            assert not told, (form, told)
            assert "opensesame" not in text(response)
        assert who != "visitor" or "mpquiz_guest" not in client.session
    assert not Attempt.objects.exists()


def test_a_quiz_for_the_signed_in_sends_visitors_to_sign_in(client):
    quiz = secret_quiz(access="signed_in")
    for form in _faked(quiz):
        response = client.post(f"{PAGE}start/", form)
        assert (response.status_code, response["Location"][:16]) == (303, "/accounts/login/")
    assert not Attempt.objects.exists()


def test_a_host_s_rule_holds_for_every_form(amal, user, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_TAKE": lambda learner, quiz: Refusal("unpaid", "Pay first.")}
    quiz = secret_quiz()
    for form in _faked(quiz):
        response = amal.post(f"{PAGE}start/", form)
        assert response.status_code == 409
        assert not words_of(response, 1, 2, 3, 4, 5)
    assert not Attempt.objects.exists()


def test_starting_over_and_retrying_are_no_way_around_a_rule(amal, user):
    """Who was let in once is asked again: dates, groups, password and number hold for the other buttons too."""
    quiz = secret_quiz(password="opensesame")
    attempt = Attempt.objects.start(quiz, learner(user), password="opensesame")
    shut = ({"wait": 9}, {"attempts_allowed": 1}, {"access": "groups"}, {"closes_at": _NOW - HOUR})
    for rules in ({"password": "opensesame"}, *shut):
        type(quiz).objects.update(**rules)
        for form in ({"confirm": "yes"}, {"confirm": "yes", "number": "2"}, {"confirm": "yes", "number": "9"}):
            assert amal.post(url(attempt, "start-over"), form).status_code in (403, 409)
    attempt.refresh_from_db()
    assert (Attempt.objects.count(), attempt.open) == (1, True)


# Whose it is (CVE-2026-3371, CVE-2026-5502) ---------------------------------------------------------------------


def test_ids_of_other_attempts_lead_nowhere(amal, user):
    """Forms sent to a stranger's attempt, or with its ids in each field of one's own: refused, nothing mixed."""
    quiz = make_quiz(make_essay(), make_question(), make_question(), feedback="at_end")
    theirs = Attempt.objects.start(quiz, learner(make_user("other")))
    mine = Attempt.objects.start(quiz, learner(user))
    ids = [str(theirs.public_id), str(theirs.pk), str(theirs.answers.first().pk)]
    for tail in (1, 2, "finish", "start-over", "retry", "discard", "summary", "seconds", ""):
        for form in ({"given": "1", "save": "1"}, {"given": "1", "to": "finish"}, {"confirm": "yes"}):
            assert amal.post(url(theirs, tail), form).status_code == 404 or tail in ("summary", "seconds", "")
            assert amal.get(url(theirs, tail)).status_code == 404
    for value in ids:
        for name in ("attempt", "answer", "id", "pk", "quiz", "user", "guest", "position", "version"):
            amal.post(url(mine, 2), {"given": "1", name: value, "to": "next"})
        amal.post(url(mine, 2), {"given": value, "to": value})
    assert not theirs.answers.exclude(answered_at=None).exists()
    theirs.refresh_from_db()
    assert (theirs.open, theirs.score) == (True, 0)


def test_a_position_or_choice_of_elsewhere_grades_nothing(amal, user):
    attempt = Attempt.objects.start(make_quiz(layout="all", time_limit=9), learner(user))
    stray = make_question(prompt="Elsewhere").choices.first()
    form = {"q1-given": str(stray.pk), "q1-revision": "0", "q2-given": stray.key, "q2-revision": "0"}
    assert amal.post(url(attempt, 1), form | {"to": "finish"}).status_code == 400
    form = {"q9-given": "1", "q9-revision": "0", "q1-given": "1", "q1-revision": "0", "to": "finish"}
    assert amal.post(url(attempt, 1), form).status_code == 404
    assert not attempt.answers.exclude(answered_at=None).exists()


def test_which_questions_are_asked_is_no_field_of_a_form(amal, user):
    """Hidden fields taken out or added change nothing of what an attempt asks (Automattic/sensei 803)."""
    attempt = Attempt.objects.start(secret_quiz(count=3, layout="all", time_limit=9), learner(user))
    page = text(amal.get(url(attempt, 1)))
    names = set(re.findall(r'<input type="hidden" name="([\w-]+)"', page)) - {"csrfmiddlewaretoken"}
    assert names == {f"q{position}-revision" for position in (1, 2, 3)}
    amal.post(url(attempt, 1), {"q2-given": "1", "q2-revision": "0", "questions": "2", "count": "1", "to": "finish"})
    left = attempt.answers.filter(answered_at=None).values_list("position", flat=True)
    assert list(left) == [1, 3]
    attempt.finish()
    assert (attempt.score, attempt.maximum) == (1, 3)


# Too much and too little ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [{}, {"feedback": "at_end"}, {"layout": "all", "time_limit": 9}])
@pytest.mark.parametrize("count", [900, 10_000])
def test_ten_thousand_choices_are_refused(amal, user, rules, count):
    attempt = Attempt.objects.start(make_quiz(**rules), learner(user))
    name = "q1-given" if attempt.on_one_page else "given"
    form = {name: ["1"] * count, "q1-revision": "0", "to": "next"}
    assert amal.post(url(attempt, 1), form).status_code == 400
    form = {**{f"q{position}-revision": "0" for position in range(1, count)}, "to": "finish"}
    assert amal.post(url(attempt, 1), form).status_code in (303, 400, 404)
    assert not attempt.answers.exclude(answered_at=None).exists()
    attempt.refresh_from_db()
    assert attempt.open


@pytest.mark.parametrize("rules", [{}, {"feedback": "at_end"}, ONE_WAY, {"layout": "all"}])
def test_fields_that_are_missing_or_odd_break_nothing(amal, user, rules):
    """Each field left out, empty, repeated, negative, huge or of another kind: no 500, and nothing mixed."""
    attempt = Attempt.objects.start(make_quiz(make_question(), make_essay(), **rules, time_limit=9), learner(user))
    odd = ("", " ", "0", "-1", "9" * 40, "1.5", "x", "\0", "١", ["1", "x"], "q1", "None")
    for name in ("given", "revision", "to", "flag", "save", "skip", "read", "q1-given", "q1-revision", "q-revision"):
        for value in odd:
            for position in (0, 1, 3) if value == "x" else (1,):  # what is not asked is refused by its address
                response = amal.post(url(attempt, position), {name: value})
                assert response.status_code < 500, (name, value, position)
    for tail in ("finish", "start-over", "retry", "discard"):
        for value in odd[:9]:
            form = {"number": value, "confirm": value}
            assert amal.post(url(attempt, tail), form).status_code < 500
    assert Answer.objects.filter(attempt=attempt).count() == 2


@pytest.mark.parametrize("feedback", ["at_once", "at_end"])
def test_a_form_to_what_is_over_is_told_so_in_every_shape(amal, user, feedback):
    attempt = Attempt.objects.start(make_quiz(feedback=feedback, one_way=True), learner(user))
    attempt.finish()
    for form in ({"given": "1"}, {}, {"given": "1", "save": "1"}, {"given": [], "to": "next"}, {"read": "yes"}):
        for position in (1, 2, 3):
            response = amal.post(url(attempt, position), form, follow="save" not in form)
            assert response.status_code in (200, 409), (form, position)
            if "save" in form:
                assert response.json()["code"] in ("finished", "not_kept")
            else:
                assert response.redirect_chain, (form, position)
    assert not attempt.answers.exclude(answered_at=None).exists()


@pytest.mark.parametrize(
    "address", ["//evil.example", "https:evil.example", "\\\\evil.example", "javascript:alert(1)"]
)
def test_no_parameter_leads_off_the_site(amal, user, address):
    """CVE-2023-45202: whatever a form or a link names, the next page is one of ours."""
    attempt = Attempt.objects.start(make_quiz(feedback="at_end"), learner(user))
    for name in ("next", "to", "q", "notice", "url"):
        for response in (
            amal.post(url(attempt, 1), {"given": "1", name: address}),
            amal.post(f"{PAGE}start/?{name}={address}", {name: address}),
            amal.get(url(attempt), {name: address}),
        ):
            assert response.get("Location", "/en/quizzes/").startswith("/en/quizzes/")
            assert "evil" not in response.get("Location", "")


def test_what_a_learner_wrote_is_shown_escaped_in_an_exam_too(amal, user):
    """In the form, beside what another window stored, and in the review."""
    hostile = '</textarea><img src=x onerror="alert(1)">'
    attempt = Attempt.objects.start(make_quiz(make_essay(), make_question(), feedback="at_end"), learner(user))
    attempt.answer(1, hostile)
    pages = [amal.get(url(attempt, 1)), amal.post(url(attempt, 1), {"given": f"{hostile}2", "revision": "77"})]
    attempt.finish()
    pages.append(amal.get(url(attempt)))
    for page in pages:
        assert "<img" not in text(page)
        assert "&lt;img" in text(page)
