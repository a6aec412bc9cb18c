"""The commands that tell of a person, erase one, and let go of whoever was silent."""

import io
import json
from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import override_settings
from django.utils import timezone

from mpquiz import privacy
from mpquiz.models import Answer, Attempt, Report
from mpquiz.privacy import retention
from tests import invariants
from tests.factories import learner, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def promises_are_kept():
    yield
    invariants.check(connection)


@pytest.fixture
def amal():
    return learner(make_user())


def days_ago(days):
    return timezone.now() - timedelta(days=days)


def said(command, *arguments, **options):
    stream = io.StringIO()
    call_command(command, *arguments, stdout=stream, **options)
    return stream.getvalue()


def finished(quiz, by, **columns):
    attempt = Attempt.objects.start(quiz, by)
    attempt.answer(1, 1)
    attempt.finish()
    if columns:
        Attempt.objects.filter(pk=attempt.pk).update(**columns)
        Answer.objects.filter(attempt=attempt, answered_at__isnull=False).update(answered_at=columns["started_at"])
    return attempt


def test_a_person_is_told_on_the_standard_output_or_in_a_file(amal, tmp_path):
    attempt = finished(make_quiz(), amal)
    for told in (
        said("mpquiz_export_person", "amal"),
        said("mpquiz_export_person", pk=str(amal.user.pk)),
    ):
        assert json.loads(told)["attempts"][0]["id"] == str(attempt.public_id)
    file = tmp_path / "amal.json"
    assert said("mpquiz_export_person", "amal", output=str(file)) == ""
    assert json.loads(file.read_text(encoding="utf-8"))["learner"]["user"] == "amal"
    with pytest.raises(CommandError, match="cannot be written"):
        said("mpquiz_export_person", "amal", output=str(tmp_path))


def test_a_guest_is_named_by_the_token():
    finished(make_quiz(), learner(guest="-token"))
    assert json.loads(said("mpquiz_export_person", "--guest=-token"))["learner"] == {"guest": "-token"}
    assert "attempts: 1" in said("mpquiz_erase_person", "--guest=-token", "--yes")
    with pytest.raises(CommandError, match="No attempt is stored of a guest"):
        said("mpquiz_erase_person", "--guest=-token", "--yes")


@pytest.mark.parametrize("command", ["mpquiz_export_person", "mpquiz_erase_person"])
@pytest.mark.parametrize(
    "who", [[], ["nobody"], ["--pk=77"], ["--pk=x"], ["--pk=99999999999999999999"], ["--guest="], ["amal", "--pk=1"]]
)
def test_nobody_is_taken_for_somebody_else(command, who, amal):
    finished(make_quiz(), amal)
    with pytest.raises(CommandError):
        said(command, *who)
    assert Attempt.objects.get().user == amal.user


def test_a_dry_run_counts_and_erases_nothing(amal):
    finished(make_quiz(), amal)
    told = said("mpquiz_erase_person", "amal", "--dry-run")
    assert "attempts: 1\n" in told
    assert told.endswith("Nothing was erased.\n")
    assert Attempt.objects.get().user == amal.user


@pytest.mark.parametrize(("typed", "erased"), [("yes", True), ("YES ", True), ("y", False), ("", False)])
def test_it_asks_before_it_erases(amal, monkeypatch, typed, erased):
    finished(make_quiz(), amal)
    monkeypatch.setattr("builtins.input", lambda question: typed)
    if erased:
        assert said("mpquiz_erase_person", "amal").endswith("Erased.\n")
    else:
        with pytest.raises(CommandError, match="Nothing was erased"):
            said("mpquiz_erase_person", "amal")
    assert (Attempt.objects.get().user is None) == erased


def test_attempts_are_deleted_where_that_is_asked_for(amal):
    finished(make_quiz(), amal)
    said("mpquiz_erase_person", "amal", "--delete", "--yes")
    assert not Attempt.objects.exists()


# Letting go --------------------------------------------------------------------------------------------------


def test_users_who_were_silent_in_a_quiz_are_taken_out_of_it(amal):
    quiz, other = make_quiz(), make_quiz(slug="other")
    old = finished(quiz, amal, started_at=days_ago(40))
    kept = finished(other, amal)
    guest = finished(quiz, learner(guest="token"), started_at=days_ago(40))
    assert said("mpquiz_purge_learners", days=30) == "1 attempt is nobody’s now.\n"
    for attempt in (old, kept, guest):
        attempt.refresh_from_db()
    assert (old.user, kept.user, guest.guest) == (None, amal.user, "token")
    assert said("mpquiz_purge_learners", days=30) == "0 attempts are nobody’s now.\n"


def test_who_came_back_to_a_quiz_keeps_all_attempts_at_it(amal):
    quiz = make_quiz()
    old = finished(quiz, amal, started_at=days_ago(40))
    again = Attempt.objects.start(quiz, amal)
    again.answer(1, 1)
    assert said("mpquiz_purge_learners", days=30) == "0 attempts are nobody’s now.\n"
    Attempt.objects.filter(pk=again.pk).update(started_at=days_ago(35))
    assert said("mpquiz_purge_learners", days=30) == "0 attempts are nobody’s now.\n"  # heard in an answer
    old.refresh_from_db()
    assert old.user == amal.user


def test_many_users_and_guests_are_let_go_of_some_at_a_time(monkeypatch):
    monkeypatch.setattr(retention, "_USERS", 2)
    monkeypatch.setattr(retention, "_ATTEMPTS", 2)
    quiz = make_quiz()
    for number in range(5):
        user = learner(make_user(f"user-{number}"))
        for _attempt in range(2):
            finished(quiz, user, started_at=days_ago(40))
        finished(quiz, learner(guest=f"guest-{number}"), started_at=days_ago(40))
    loud = finished(quiz, learner(make_user("loud")))
    assert said("mpquiz_purge_learners", days=30) == "10 attempts are nobody’s now.\n"
    assert said("mpquiz_purge_guests", days=30) == "5 attempts of guests deleted.\n"
    assert list(Attempt.objects.exclude(user=None)) == [loud]
    assert not Attempt.objects.exclude(guest=None).exists()


def test_what_is_interrupted_is_taken_up_where_it_stood(monkeypatch):
    monkeypatch.setattr(retention, "_USERS", 1)
    quiz = make_quiz()
    for number in range(3):
        finished(quiz, learner(make_user(f"user-{number}")), started_at=days_ago(40))
    erased, calls = retention._erased, []

    def failing(*args, **kwargs):
        calls.append(args)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return erased(*args, **kwargs)

    monkeypatch.setattr(retention, "_erased", failing)
    with pytest.raises(KeyboardInterrupt):
        privacy.let_go_of_learners(days_ago(30))
    assert Attempt.objects.filter(user=None).count() == 1
    assert privacy.let_go_of_learners(days_ago(30)) == 2


def test_whoever_is_heard_of_at_the_last_moment_stays(monkeypatch, amal):
    attempt = finished(make_quiz(), amal, started_at=days_ago(40))
    pages = retention._pages_of_users

    def heard_meanwhile(silent):
        for ids in pages(silent):
            Answer.objects.filter(attempt=attempt, position=1).update(answered_at=timezone.now())
            yield ids
        Answer.objects.filter(attempt=attempt, position=1).update(answered_at=days_ago(39))

    monkeypatch.setattr(retention, "_pages_of_users", heard_meanwhile)
    assert privacy.let_go_of_learners(days_ago(30)) == 0
    attempt.refresh_from_db()
    assert attempt.user == amal.user


def test_guests_who_are_let_go_of_leave_no_words_in_their_reports():
    quiz = make_quiz(make_question())
    attempt = Attempt.objects.start(quiz, learner(guest="token"))
    attempt.answer(1, 1)
    Report.objects.file(attempt, 1, "I am Amal", language="en")
    Attempt.objects.update(started_at=days_ago(40))
    Answer.objects.update(answered_at=days_ago(40))
    said("mpquiz_purge_guests", days=30)
    assert Report.objects.get().note == ""


@pytest.mark.parametrize("command", ["mpquiz_purge_guests", "mpquiz_purge_learners"])
def test_without_days_the_setting_says_how_long(command, amal):
    whom = command.removeprefix("mpquiz_purge_")
    attempt = finished(make_quiz(), amal if whom == "learners" else learner(guest="token"), started_at=days_ago(40))
    with override_settings(MPQUIZ={"RETENTION": {whom: 50}}):
        assert said(command).startswith("0 ")
    for unset in ({}, {"RETENTION": {whom: None}}, {"RETENTION": {whom: 0}}, {"RETENTION": {whom: True}}):
        with override_settings(MPQUIZ=unset):
            assert said(command).startswith(f'Nothing was done: neither --days nor MPQUIZ["RETENTION"]["{whom}"]')
    assert Attempt.objects.of(amal if whom == "learners" else learner(guest="token")).get() == attempt
    with override_settings(MPQUIZ={"RETENTION": {whom: 30}}):
        assert said(command).startswith("1 ")


@pytest.mark.parametrize("days", ["0", "-1", "x", "99999999", ""])
def test_a_number_of_days_that_is_none_takes_nobody_out(days, amal):
    finished(make_quiz(), amal, started_at=days_ago(400))
    with pytest.raises(CommandError):
        call_command("mpquiz_purge_learners", f"--days={days}")
    assert Attempt.objects.get().user == amal.user
