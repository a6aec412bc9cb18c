"""A question of an attempt, its feedback, and every wrong thing that can be posted to it."""

import pytest
from django.conf import settings as django_settings
from django.middleware import csrf

from mpquiz.models import Attempt, Question
from tests.factories import learner, make_guide, make_question, make_quiz
from tests.views.conftest import text, url

pytestmark = pytest.mark.django_db


def test_an_unanswered_question_shows_its_choices_and_no_answer(amal, attempt):
    page = text(amal.get(url(attempt, 2)))
    assert page.count('type="radio" name="given"') == 3
    assert "Because it is." not in page
    assert " checked" not in page


def test_an_answer_leads_back_to_the_question_with_its_feedback(amal, attempt):
    answered = amal.post(url(attempt, 2), {"given": "2"})
    assert (answered.status_code, answered["Location"]) == (303, url(attempt, 2))
    page = text(amal.get(url(attempt, 2)))
    assert "Not this one" in page
    assert "Your answer" in page
    assert "Right answer" in page
    assert "Because it is." in page
    assert f'href="{url(attempt, 3)}">Next question' in page


def test_the_sound_of_a_choice_is_a_link_beside_its_label(amal, user):
    sound = f"{'9a' * 20}.mp3"
    question = make_question((f"Hear [the *word*](mpquiz:{sound})", True), "Silence")
    attempt = Attempt.objects.start(make_quiz(question, make_question()), learner(user))
    link = f'<a class="mpquiz-link" href="/media/mpquiz/{sound}">the word</a>'
    asked = text(amal.get(url(attempt, 1)))
    assert "Hear the <em>word</em></bdi></span></label>" in asked
    assert asked.count(link) == 1
    assert not any(link in label.split("</label>")[0] for label in asked.split("<label")[1:])
    amal.post(url(attempt, 1), {"given": "1"})
    assert link in text(amal.get(url(attempt, 1)))


@pytest.mark.parametrize("kind", ["matching", "ordering"])
def test_the_sounds_of_pairs_and_items_are_links_beside_them(amal, user, kind):
    heard = [f"{digit * 40}.mp3" for digit in "123"]
    rows = [{"text": f"Hear [a](mpquiz:{heard[0]})"}, {"text": f"Hear [b](mpquiz:{heard[1]})"}]
    if kind == "matching":
        rows = [row | {"match_en": f"[m](mpquiz:{heard[2]}) {place}"} for place, row in enumerate(rows)]
    attempt = Attempt.objects.start(make_quiz(make_question(*rows, kind=kind), make_question()), learner(user))
    links = [f'href="/media/mpquiz/{sound}"' for sound in (heard if kind == "matching" else heard[:2])]
    asked = text(amal.get(url(attempt, 1)))
    for link in links:
        assert link in asked
        assert not any(link in label.split("</label>")[0] for label in asked.split("<label")[1:])
    amal.post(url(attempt, 1), {"given-1": "2", "given-2": "1"})
    answered = text(amal.get(url(attempt, 1)))
    assert all(link in answered for link in links)


@pytest.mark.parametrize("kind", ["matching", "ordering"])
def test_the_sounds_of_pairs_and_items_are_in_the_preview(amal, kind):
    heard = [f"{digit * 40}.mp3" for digit in "12"]
    rows = [
        {"text": f"[a{place}](mpquiz:{heard[0]})", "match_en": f"[m{place}](mpquiz:{heard[1]})"} for place in (1, 2)
    ]
    make_quiz(make_question(), make_question(*rows, kind=kind))
    page = text(amal.get("/en/quizzes/floats/"))
    assert all(f'href="/media/mpquiz/{sound}"' in page for sound in (heard if kind == "matching" else heard[:1]))


def test_the_feedback_of_the_choice_and_the_guides_are_there(amal, user):
    guide = make_guide("floats", {"en": "Floats"})
    right, wrong = {"text": "Right", "right": True, "feedback": "Well done."}, {"text": "Wrong", "feedback": "Alas."}
    attempt = Attempt.objects.start(make_quiz(make_question(right, wrong, guides=[guide])), learner(user))
    amal.post(url(attempt, 1), {"given": "1"})
    page = text(amal.get(url(attempt, 1)))
    assert "Well done." in page
    assert "Alas." not in page
    assert 'href="/guides/floats/"' in page
    assert "See your result" in page


def test_a_guide_deleted_meanwhile_breaks_nothing(amal, user):
    guide = make_guide()
    attempt = Attempt.objects.start(make_quiz(make_question(guides=[guide]), count=1), learner(user))
    guide.delete()
    amal.post(url(attempt, 1), {"given": "1"})
    assert amal.get(url(attempt, 1)).status_code == 200
    assert amal.get(url(attempt)).status_code == 200


def test_several_right_choices_are_asked_for_and_partly_right_is_said(amal, user):
    question = make_question(("One", True), ("Two", True), "Three", kind="multiple")
    attempt = Attempt.objects.start(make_quiz(question, make_question()), learner(user))
    page = text(amal.get(url(attempt, 1)))
    assert "Choose all that are right." in page
    assert page.count('type="checkbox" name="given"') == 3
    amal.post(url(attempt, 1), {"given": ["1"]})
    page = text(amal.get(url(attempt, 1)))
    assert "Partly right" in page
    assert "Your answer, right" in page


def test_after_the_last_question_the_next_is_the_first_left_out(amal, attempt):
    amal.post(url(attempt, 3), {"given": "1"})
    assert f'href="{url(attempt, 1)}">Next question' in text(amal.get(url(attempt, 3)))


@pytest.mark.parametrize("given", [[], [""], ["0"], ["4"], ["-1"], ["x"], ["1.5"], ["1", "2"], ["9" * 5000], ["<b>"]])
def test_what_is_no_choice_is_said_at_the_question_and_uses_nothing(amal, attempt, given):
    page = amal.post(url(attempt, 1), {"given": given})
    assert page.status_code == 400
    assert 'id="mpquiz-error"' in text(page)
    assert 'aria-describedby="mpquiz-error"' in text(page)
    assert 'aria-invalid="true"' in text(page)
    assert "<b>" not in text(page)
    assert "mpquiz-notice" not in text(page)
    assert not attempt.answers.exclude(answered_at=None).exists()


def test_ten_thousand_choices_are_refused_by_us_too(settings, amal, attempt):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = None
    page = amal.post(url(attempt, 1), {"given": ["1"] * 10_000})
    assert page.status_code == 400
    assert not attempt.answers.exclude(answered_at=None).exists()


def test_the_choice_is_kept_beside_the_error(amal, attempt):
    page = text(amal.post(url(attempt, 1), {"given": ["1", "2"]}))
    assert page.count(" checked") == 2


@pytest.mark.parametrize("position", ["0", "4", "1000", "9" * 40])
@pytest.mark.parametrize("method", ["get", "post"])
def test_a_position_outside_the_attempt_is_not_there(amal, attempt, position, method):
    assert getattr(amal, method)(url(attempt, position), {"given": "1"}).status_code == 404


def test_the_same_answer_again_changes_nothing(amal, attempt):
    for _press in range(2):
        assert amal.post(url(attempt, 1), {"given": "1"})["Location"] == url(attempt, 1)
    assert attempt.answers.get(position=1).revision == 1


def test_another_answer_leads_to_the_stored_feedback_with_a_notice(amal, attempt):
    amal.post(url(attempt, 1), {"given": "1"})
    again = amal.post(url(attempt, 1), {"given": "2"})
    assert (again.status_code, again["Location"]) == (303, url(attempt, 1) + "?notice=answered")
    assert "Your first answer counts." in text(amal.get(again["Location"]))
    assert attempt.answers.get(position=1).state == "right"


def test_no_answer_to_an_answered_question_shows_its_feedback(amal, attempt):
    amal.post(url(attempt, 1), {"given": "1"})
    page = amal.post(url(attempt, 1), {})
    assert page.status_code == 200
    assert "Your first answer counts." in text(page)


def test_an_answer_to_a_finished_attempt_leads_to_the_result_with_the_reason(amal, attempt):
    attempt.finish()
    late = amal.post(url(attempt, 1), {"given": "1"})
    assert (late.status_code, late["Location"]) == (303, url(attempt) + "?notice=finished")
    assert "The answer was not taken." in text(amal.get(late["Location"]))


def test_no_answer_to_a_finished_attempt_leads_to_the_result(amal, attempt):
    attempt.finish()
    assert amal.post(url(attempt, 1), {})["Location"] == url(attempt)


def test_an_unanswered_question_of_a_finished_attempt_leads_to_the_result(amal, attempt):
    attempt.answer(2, 1)
    attempt.finish()
    assert amal.get(url(attempt, 1))["Location"] == url(attempt)
    assert amal.get(url(attempt, 2)).status_code == 200


@pytest.mark.parametrize("notice", ["nothing", "<b>", "", "answered" * 99])
def test_an_unknown_notice_says_nothing(amal, attempt, notice):
    page = amal.get(url(attempt, 1), {"notice": notice})
    assert 'class="mpquiz-notice"' not in text(page)


def test_a_question_deleted_in_mid_attempt_is_still_asked(amal, attempt):
    Question.objects.all().delete()
    assert "Question 2?" in text(amal.get(url(attempt, 2)))
    assert amal.post(url(attempt, 2), {"given": "1"}).status_code == 303
    assert "Right" in text(amal.get(url(attempt, 2)))


def test_a_question_emptied_in_mid_attempt_is_still_asked(amal, attempt, quiz):
    for question in quiz.questions.all():
        question.choices.all().delete()
        Question.objects.filter(pk=question.pk).update(prompt_en="", prompt="")
    assert "Question 2?" in text(amal.get(url(attempt, 2)))
    assert amal.post(url(attempt, 2), {"given": "1"}).status_code == 303


def test_a_quiz_unpublished_in_mid_attempt_is_still_taken(amal, attempt, quiz):
    quiz.languages.all().delete()
    assert amal.post(url(attempt, 1), {"given": "1"}).status_code == 303
    assert amal.get(url(attempt, 1)).status_code == 200


def test_a_language_switched_in_mid_attempt_keeps_the_attempt(amal, user):
    asked = {"en": "Even?", "ar": "زوجي؟"}
    choices = [{"text": {"en": "Yes", "ar": "نعم"}, "right": True}, {"text": {"en": "No", "ar": "لا"}}]
    attempt = Attempt.objects.start(make_quiz(make_question(*choices, prompt=asked), make_question()), learner(user))
    assert "Even?" in text(amal.get(url(attempt, 1)))
    assert "زوجي؟" in text(amal.get(url(attempt, 1, "ar")))
    answered = amal.post(url(attempt, 1, "ar"), {"given": "1"})
    assert answered["Location"] == url(attempt, 1, "ar")
    assert attempt.answers.get(position=1).language == "ar"
    assert "Even?" in text(amal.get(url(attempt, 1)))
    assert Attempt.objects.count() == 1


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_a_question_is_read_or_answered(amal, attempt, method):
    assert getattr(amal, method)(url(attempt, 1)).status_code == 405


def test_a_post_without_a_token_is_refused(user, attempt):
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    assert client.post(url(attempt, 1), {"given": "1"}).status_code == 403
    assert not attempt.answers.exclude(answered_at=None).exists()


# A session that ended -----------------------------------------------------------------------------------------


def test_a_session_that_ended_leads_back_with_the_choice_kept(amal, attempt):
    amal.logout()
    sent = amal.post(url(attempt, 2), {"given": ["2"]})
    assert sent.status_code == 303
    assert sent["Location"].startswith(django_settings.LOGIN_URL + "?next=")
    signed_in = amal.post(sent["Location"], {"username": "amal", "password": "secret"})
    assert signed_in["Location"] == url(attempt, 2) + "?given=2"
    page = text(amal.get(signed_in["Location"]))
    assert 'value="2" checked' in page
    assert page.count(" checked") == 1


# In place (htmx) ----------------------------------------------------------------------------------------------

HTMX = {"HX-Request": "true", "HX-Target": "mpquiz-stage"}


def in_place(client, attempt, position, data, here=None):
    current = {"HX-Current-URL": f"http://testserver{here or url(attempt, position)}"}
    return client.post(url(attempt, position), data, headers=HTMX | current)


def test_in_place_an_answer_brings_the_feedback_alone(amal, attempt):
    part = in_place(amal, attempt, 1, {"given": "1"})
    assert (part.status_code, part["HX-Push-Url"]) == (200, "false")
    assert text(part).startswith("<title>Question 1 of 3 · Floating point</title>")
    assert "<html" not in text(part)
    assert 'data-notice="Right"' in text(part)
    assert 'id="mpquiz-verdict" tabindex="-1" autofocus' in text(part)
    assert "no-store" in part["Cache-Control"]


def test_the_part_is_the_same_as_on_the_page(amal, attempt, monkeypatch):
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret * 2)
    part = text(in_place(amal, attempt, 1, {"given": "1"})).split("</title>")[1].strip()
    assert part in text(amal.get(url(attempt, 1)))


def test_in_place_an_error_is_the_question_again(amal, attempt):
    part = in_place(amal, attempt, 1, {})
    assert part.status_code == 400
    assert "Choose an answer first." in text(part)
    assert "<html" not in text(part)
    assert "HX-Push-Url" in part


def test_in_place_another_answer_brings_the_stored_feedback(amal, attempt):
    attempt.answer(1, 1)
    part = in_place(amal, attempt, 1, {"given": "2"})
    assert part.status_code == 200
    assert "Your first answer counts." in text(part)


def test_in_place_a_late_answer_leads_to_the_result(amal, attempt):
    attempt.finish()
    part = in_place(amal, attempt, 1, {"given": "2"})
    assert part["HX-Redirect"] == url(attempt) + "?notice=finished"


def test_in_place_a_session_that_ended_leads_to_the_sign_in_page(client, attempt):
    part = in_place(client, attempt, 1, {"given": "2"})
    assert part["HX-Redirect"].startswith("/accounts/login/?next=")


def test_in_place_the_first_answer_moves_the_address(amal, quiz):
    from tests.views.conftest import hidden

    form = hidden(amal.get("/en/quizzes/floats/")) | {"given": "1"}
    current = {"HX-Current-URL": "http://testserver/en/quizzes/floats/"}
    part = amal.post("/en/quizzes/floats/start/", form, headers=HTMX | current)
    assert part["HX-Push-Url"] == url(Attempt.objects.get(), 1)
    assert 'data-notice="Right"' in text(part)


def test_in_place_a_start_with_no_answer_is_the_question_again(amal, quiz):
    from tests.views.conftest import hidden

    form = hidden(amal.get("/en/quizzes/floats/"))
    part = amal.post("/en/quizzes/floats/start/", form, headers=HTMX)
    assert part.status_code == 400
    assert "<html" not in text(part)
    assert hidden(part) == form


def test_in_place_a_closed_quiz_says_so(amal, quiz):
    quiz.languages.all().delete()
    part = amal.post("/en/quizzes/floats/start/", {"seen": "x"}, headers=HTMX)
    assert part.status_code == 404
    assert "<html" not in text(part)
    assert "This quiz is not open." in text(part)
    assert "HX-Push-Url" in part


def test_a_boosted_host_gets_the_whole_page(amal, attempt):
    page = amal.get(url(attempt, 1), headers={"HX-Request": "true", "HX-Boosted": "true"})
    assert "<html" in text(page)


def test_a_link_cannot_say_that_a_question_was_answered(amal, attempt):
    assert "already" not in text(amal.get(url(attempt, 1) + "?notice=answered"))


def test_a_question_of_a_kind_that_the_host_took_away_is_told_and_the_rest_goes_on(amal, attempt):
    first = attempt.answers.get(position=1).version
    first.content["kind"] = "gone-since"
    first.save()
    page = amal.get(url(attempt, 1))
    assert page.status_code == 200
    assert "can no longer be answered" in text(page)
    assert amal.post(url(attempt, 1), {"given": "1"}).status_code == 400
    amal.post(url(attempt, "finish"), {"confirm": "yes"})
    assert amal.get(url(attempt)).status_code == 200
