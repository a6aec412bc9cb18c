"""The commands that a site runs each night."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from mpquiz.models import Answer, Attempt
from tests.factories import learner, make_quiz, make_user

pytestmark = pytest.mark.django_db


def days_ago(days):
    return timezone.now() - timedelta(days=days)


def test_attempts_whose_time_is_up_are_closed_with_what_was_answered(capsys):
    quiz = make_quiz()
    late = Attempt.objects.start(quiz, learner(make_user()))
    late.answer(1, 1)
    Attempt.objects.filter(pk=late.pk).update(deadline=days_ago(1))
    running = Attempt.objects.start(quiz, learner(make_user("badr")))
    call_command("mpquiz_finish_overdue")
    assert capsys.readouterr().out == "1 attempt closed.\n"
    late.refresh_from_db()
    running.refresh_from_db()
    assert (late.open, late.ended, late.score) == (None, "time_up", 1)
    assert running.open
    call_command("mpquiz_finish_overdue")
    assert capsys.readouterr().out == "0 attempts closed.\n"


def test_only_guests_who_were_silent_long_enough_are_forgotten(capsys):
    quiz = make_quiz()
    old, heard, new = (Attempt.objects.start(quiz, learner(guest=name)) for name in ("old", "heard", "new"))
    user = Attempt.objects.start(quiz, learner(make_user()))
    heard.answer(1, 1)
    Attempt.objects.exclude(pk=new.pk).update(started_at=days_ago(40))
    call_command("mpquiz_purge_guests", "--days=30")
    assert capsys.readouterr().out == "1 attempt of guests deleted.\n"
    assert set(Attempt.objects.all()) == {heard, new, user}
    assert not Answer.objects.filter(attempt_id=old.pk).exists()


@pytest.mark.parametrize("days", ["0", "-1", "x", "99999999", ""])
def test_a_number_of_days_that_is_none_deletes_nothing(days):
    attempt = Attempt.objects.start(make_quiz(), learner(guest="old"))
    Attempt.objects.update(started_at=days_ago(400))
    with pytest.raises(CommandError):
        call_command("mpquiz_purge_guests", f"--days={days}")
    assert Attempt.objects.get() == attempt
