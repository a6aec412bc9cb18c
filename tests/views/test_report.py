"""'Something is wrong with this question': a learner's word, from the feedback and from the review."""

import pytest
from django.core.management import call_command
from django.test import Client

from mpquiz import signals
from mpquiz.exceptions import Refusal
from mpquiz.models import Attempt, Report
from tests.factories import learner, make_page, make_question, make_quiz, make_user
from tests.views.conftest import text, url

pytestmark = pytest.mark.django_db
OFFERED = "Something is wrong with this question"


@pytest.fixture
def answered(attempt):
    attempt.answer(1, 2, language="en")
    return attempt


def report(client, attempt, position=1, note="The second is right too.", language="en", headers=None, **more):
    return client.post(url(attempt, f"{position}/report", language), {"note": note, **more}, headers=headers)


def in_place(client, attempt, position=1, **more):
    return report(client, attempt, position, headers={"HX-Request": "true"}, **more)


def test_the_feedback_offers_it_once_the_answer_was_given(amal, attempt):
    assert OFFERED not in text(amal.get(url(attempt, 1)))
    part = amal.post(url(attempt, 1), {"given": "1"}, headers={"HX-Request": "true"})
    assert OFFERED in text(part)
    page = text(amal.get(url(attempt, 1)))
    assert OFFERED in page
    assert f'action="{url(attempt, "1/report")}"' in page


def test_the_review_offers_it_for_every_question_and_for_no_page(amal, user):
    attempt = Attempt.objects.start(make_quiz(make_page(), make_question(), make_question()), learner(user))
    attempt.finish()
    page = text(amal.get(url(attempt)))
    assert page.count(OFFERED) == 2
    assert url(attempt, "1/report") not in page


def test_it_is_stored_as_it_was_asked_and_in_the_language_of_the_page(amal, answered, user):
    assert report(amal, answered, language="ar").status_code == 303
    stored = Report.objects.get()
    answer = answered.answers.get(position=1)
    assert (stored.answer, stored.question, stored.version) == (answer, answer.question, answer.version)
    assert (stored.quiz, stored.user, stored.language) == (answered.quiz, user, "ar")
    assert (stored.note, stored.settled_at) == ("The second is right too.", None)


@pytest.mark.parametrize("place", ["question", "review"])
def test_without_javascript_the_page_says_thank_you_at_the_question(amal, answered, place):
    answered.finish()
    answer = report(amal, answered, place=place)
    back = url(answered) if place == "review" else url(answered, 1)
    assert answer["Location"] == f"{back}?notice=reported#mpquiz-report-1"
    page = text(amal.get(answer["Location"].split("#")[0]))
    assert "Thank you. Whoever writes the questions will read it." in page
    assert "You reported this question. Thank you." in page
    assert "The second is right too.</textarea>" in page
    assert page.count('id="mpquiz-report-1"') == 1


def test_in_place_the_part_says_thank_you_and_takes_the_focus(amal, answered):
    part = in_place(amal, answered, place="review")
    assert part.status_code == 200
    html = text(part).strip()
    assert html.startswith('<div class="mpquiz-report" id="mpquiz-report-1">')
    assert '<p class="mpquiz-reported" tabindex="-1" autofocus role="status">Thank you.' in html
    assert "<html" not in html
    assert part["HX-Push-Url"] == "false"
    assert "no-store" in part["Cache-Control"]


def test_a_second_note_takes_the_place_of_the_first(amal, answered):
    report(amal, answered)
    report(amal, answered, note="The third, I mean.")
    assert Report.objects.get().note == "The third, I mean."


def test_once_it_is_settled_it_stays_as_it_is(amal, answered):
    report(amal, answered)
    assert Report.objects.settle(make_user("editor")) == 1
    assert report(amal, answered, note="Again.").status_code == 409
    assert Report.objects.get().note == "The second is right too."
    page = text(amal.get(url(answered, 1)))
    assert "it was looked at. Thank you." in page
    assert "<textarea" not in page


@pytest.mark.parametrize(
    ("note", "told"),
    [("", "Write in a few words"), (" \r\n\0 ", "Write in a few words"), ("x" * 2001, "more than 2000")],
)
def test_a_note_that_says_nothing_or_too_much_is_refused_and_kept(amal, answered, note, told):
    for answer in (report(amal, answered, note=note), in_place(amal, answered, note=note)):
        assert answer.status_code == 400
        assert told in text(answer)
        assert '<details class="mpquiz-report-details" open>' in text(answer)
    assert "x" * 2001 not in note or "x" * 2001 in text(answer)
    assert not Report.objects.exists()


def test_what_a_database_does_not_keep_is_left_out_and_the_longest_fits(amal, answered):
    assert report(amal, answered, note="a\0b\r\nc").status_code == 303
    assert Report.objects.get().note == "ab\nc"
    assert report(amal, answered, note="م" * 2000).status_code == 303
    assert len(Report.objects.get().note) == 2000


def test_what_was_noted_is_shown_escaped(amal, answered):
    html = text(in_place(amal, answered, note="</textarea><script>alert(1)</script>"))
    assert "<script>" not in html
    assert "&lt;/textarea&gt;&lt;script&gt;" in html


# Whose and when ---------------------------------------------------------------------------------------------


def test_a_stranger_reports_nothing(stranger, answered):
    assert report(stranger, answered).status_code == 404
    assert not Report.objects.exists()


def test_a_visitor_is_sent_to_sign_in_and_comes_back_to_the_question(answered):
    answer = report(Client(), answered)
    assert answer["Location"] == f"/accounts/login/?next={url(answered, 1)}"
    assert not Report.objects.exists()


def test_a_guest_reports_and_stays_unknown(client, quiz):
    client.post("/en/quizzes/floats/start/", {"number": "1"})
    attempt = Attempt.objects.get()
    attempt.answer(1, 1)
    assert report(client, attempt).status_code == 303
    assert Report.objects.get().user is None


def test_what_is_not_there_is_not_reported(amal, answered):
    assert report(amal, answered, position=9).status_code == 404
    assert in_place(amal, answered, position=9).status_code == 404


def test_before_the_answer_there_is_nothing_to_report(amal, attempt):
    assert report(amal, attempt, position=2).status_code == 409
    assert not Report.objects.exists()


@pytest.mark.parametrize(
    "rules", [{"feedback": "at_end"}, {"layout": "all"}, {"feedback": "at_end", "one_way": True}]
)
def test_while_an_exam_runs_it_is_neither_offered_nor_taken(amal, user, rules):
    attempt = Attempt.objects.start(make_quiz(count=2, time_limit=30, **rules), learner(user))
    attempt.answer(1, 1)
    for page in (url(attempt, 1), url(attempt, "summary")):
        assert OFFERED not in text(amal.get(page, follow=True))
    assert report(amal, attempt).status_code == 409
    assert not Report.objects.exists()
    attempt.finish()
    assert text(amal.get(url(attempt))).count(OFFERED) == 2
    assert report(amal, attempt).status_code == 303


def test_nothing_of_the_right_answer_is_told_by_a_report(amal, user):
    quiz = make_quiz(make_question(("Secret", True), "Wrong"), show_right_answer="never", show_right_or_wrong="never")
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, 2)
    assert "Secret" not in text(in_place(amal, attempt))
    assert "Right" not in text(in_place(amal, attempt, note=""))


def test_its_address_leads_back_when_it_is_only_opened(amal, answered):
    assert amal.get(url(answered, "1/report"))["Location"] == url(answered)


def test_too_many_are_held_back_with_the_note_kept(amal, answered, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "THROTTLE": {"report": "1/min"}}
    assert report(amal, answered).status_code == 303
    for answer in (report(amal, answered, note="Once more."), in_place(amal, answered, note="Once more.")):
        assert answer.status_code == 429
        assert int(answer["Retry-After"]) >= 1
        assert "Once more.</textarea>" in text(answer)
    assert Report.objects.get().note == "The second is right too."


def test_a_form_from_elsewhere_is_refused(user, answered):
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    assert report(client, answered).status_code == 403
    assert not Report.objects.exists()


# What becomes of it -----------------------------------------------------------------------------------------


def test_a_host_hears_of_it(amal, answered, django_capture_on_commit_callbacks):
    heard = []

    def listen(sender, attempt, report, **kwargs):
        heard.append((attempt.pk, report.note))

    signals.question_reported.connect(listen)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            report(amal, answered, note="One.")
            report(amal, answered, note="Two.")
            with pytest.raises(Refusal):
                Report.objects.file(answered, 1, "", language="en")
    finally:
        signals.question_reported.disconnect(listen)
    assert heard == [(answered.pk, "One."), (answered.pk, "Two.")]


def test_it_outlives_question_quiz_and_attempt(amal, answered, user):
    report(amal, answered)
    answered.quiz.questions.first().delete()
    attempt_id = answered.pk
    Attempt.objects.filter(pk=attempt_id).delete()
    answered.quiz.delete()
    user.delete()
    stored = Report.objects.get()
    assert (stored.question, stored.quiz, stored.answer, stored.user) == (None, None, None, None)
    assert stored.version.content["prompt"] == {"en": "Question 1?"}


def test_guests_are_forgotten_with_their_reports_left(client, quiz):
    client.post("/en/quizzes/floats/start/", {"number": "1"})
    attempt = Attempt.objects.get()
    attempt.answer(1, 1)
    report(client, attempt)
    Attempt.objects.update(started_at="2020-01-01T00:00Z")
    attempt.answers.update(answered_at="2020-01-01T00:00Z")
    call_command("mpquiz_purge_guests", days=30, verbosity=0)
    assert not Attempt.objects.exists()
    assert Report.objects.get().answer is None


def test_a_trial_is_thrown_away_and_what_was_reported_stays(client, quiz):
    staff = make_user("staff", is_staff=True, is_superuser=True)
    client.force_login(staff)
    trial = Attempt.objects.start(quiz, learner(staff), trial=True)
    trial.answer(1, 1)
    report(client, trial)
    trial.discard()
    assert Report.objects.get().answer is None
