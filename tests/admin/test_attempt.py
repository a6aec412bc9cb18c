"""Attempts in admin are read, never changed."""

import json
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from mpquiz.models import Answer, Attempt, Policy, Remarking
from tests.admin.conftest import Editor, words_said
from tests.factories import learner, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt():
    question = make_question(
        ({"text": {"en": "Five", "ar": "خمسة"}, "right": True}),
        {"text": {"en": "Six", "ar": "ستة"}},
        prompt={"en": "How many?", "ar": "كم؟"},
    )
    attempt = Attempt.objects.start(make_quiz(question, make_question()), learner(make_user()))
    attempt.answer(1, 2)
    return attempt


@pytest.mark.parametrize(("language", "told"), [("en", ["How many?", "Six", "Wrong"]), ("ar", ["كم؟", "ستة"])])
def test_an_attempt_is_read_with_its_answers_in_words(admin, attempt, language, told):
    admin.language = language
    page = admin.page("attempt", attempt)
    html = page.content.decode()
    for text in told:
        assert text in html
    assert "amal" in html
    assert 'name="_save"' not in html
    assert 'name="answers-0-position"' not in html


def test_an_attempt_is_not_added_or_changed(admin, attempt):
    assert admin.page("attempt").status_code == 403
    before = Answer.objects.values_list("given", "fraction").get(position=1)
    data = {
        "answers-TOTAL_FORMS": 1,
        "answers-INITIAL_FORMS": 1,
        "answers-0-id": 1,
        "answers-0-fraction": 1,
        "score": 9,
    }
    assert admin.client.post(admin.address("attempt", attempt), data).status_code == 403
    attempt.refresh_from_db()
    assert attempt.score == 0
    assert Answer.objects.values_list("given", "fraction").get(position=1) == before


def test_an_attempt_is_not_deleted_in_admin_even_by_a_superuser(admin, attempt):
    assert admin.client.post(admin.address("attempt", attempt, "delete"), {"post": "yes"}).status_code == 403
    assert Attempt.objects.exists()


def test_an_attempt_is_not_deleted_by_whoever_may_only_look(staff, attempt):
    reader = staff("view_attempt")
    assert reader.page("attempt", attempt).status_code == 200
    assert reader.client.post(reader.address("attempt", attempt, "delete"), {"post": "yes"}).status_code == 403


def test_what_a_learner_was_asked_is_shown_escaped(admin):
    question = make_question(("<img src=x onerror=alert(1)>", True), "No", prompt="<script>alert(1)</script> a")
    attempt = Attempt.objects.start(make_quiz(question), learner(guest="<b>"))
    attempt.answer(1, 1)
    html = admin.page("attempt", attempt).content.decode()
    assert "<script>alert" not in html
    assert "onerror=alert(1)>" not in html


def test_the_list_is_narrowed_by_quiz_end_and_trial(admin, attempt):
    quiz = attempt.quiz
    for query in ({"quiz__id__exact": quiz.pk}, {"trial__exact": 0}):
        assert list(admin.list("attempt", **query).context_data["cl"].result_list) == [attempt]
    for query in ({"ended__exact": "finished"}, {"trial__exact": 1}):
        assert list(admin.list("attempt", **query).context_data["cl"].result_list) == []


def test_an_attempt_is_found_by_its_learner(admin, attempt):
    assert list(admin.list("attempt", q="amal").context_data["cl"].result_list) == [attempt]
    assert list(admin.list("attempt", q="badr").context_data["cl"].result_list) == []


def test_the_list_takes_as_many_queries_for_thirty_as_for_three(admin, attempt, query_count):
    def start(numbers):
        for number in numbers:
            Attempt.objects.start(attempt.quiz, learner(make_user(f"learner-{number}")))

    start(range(2))
    few = query_count(lambda: admin.list("attempt"))
    start(range(2, 30))
    assert query_count(lambda: admin.list("attempt")) == few


def test_the_page_takes_as_many_queries_for_thirty_answers_as_for_three(admin, query_count):
    few, many = (
        Attempt.objects.start(make_quiz(slug=f"of-{count}", count=count), learner(make_user(f"learner-{count}")))
        for count in (3, 30)
    )
    expected = query_count(lambda: admin.page("attempt", few))
    assert query_count(lambda: admin.page("attempt", many)) == expected


# What there is to see of an exam ----------------------------------------------------------------------------


def line(html, name):
    """The text of a field of the page."""
    return html.split(f'field-{name}">')[1].split('<div class="readonly">')[1].split("</div>")[0]


def test_the_rules_of_its_start_are_told_in_words_whatever_the_quiz_says_now(admin):
    quiz = make_quiz(
        feedback="at_end",
        one_way=True,
        shuffle_questions=True,
        shuffle_choices=True,
        pass_mark=60,
        time_limit=30,
        closes_at=timezone.now() + timedelta(days=1),
        show_right_answer="close",
        show_explanation="never",
    )
    attempt = Attempt.objects.start(quiz, learner(make_user()))
    type(quiz).objects.update(feedback="at_once", time_limit=5, show_explanation="answer")
    html = admin.page("attempt", attempt).content.decode()
    told = line(html, "taken_by")
    for words in (
        "At the end; answers can be changed until then",
        "One question at a time",
        "One way",
        "Questions shuffled",
        "Choices shuffled",
        'Pass mark <bdi dir="ltr">60',
        "Time limit: 30 minutes",
        "Closes ",
    ):
        assert words in told
    assert "Right answer: After the quiz has closed" in line(html, "seen")
    assert "Explanation: Never" in line(html, "seen")


def test_rules_of_a_later_release_are_shown_as_they_are_stored(admin, attempt):
    attempt.rules = {"feedback": "now_and_then"}
    attempt.save()
    assert "now_and_then" in line(admin.page("attempt", attempt).content.decode(), "taken_by")


def test_flags_drafts_and_what_was_left_out_are_shown(admin):
    attempt = Attempt.objects.start(make_quiz(count=4), learner(make_user()))
    attempt.flag(1, flagged=True)
    attempt.answers.filter(position=2).update(draft="half")
    attempt.answers.filter(position=3).update(left_out=True)
    html = admin.page("attempt", attempt).content.decode()
    states = [cell.split("</td>")[0] for cell in html.split("<td>Not answered")[1:]]
    assert states == [" · flagged", " · a draft is waiting", " · left out of the score", ""]


def test_a_draft_that_was_handed_in_is_waiting_no_more(admin, attempt):
    attempt.answers.update(draft="half", answered_at=timezone.now())
    assert "a draft is waiting" not in admin.page("attempt", attempt).content.decode()


@pytest.fixture
def remarked(attempt):
    attempt.finish()
    answer = attempt.answers.first()
    row = Remarking.objects.create(
        quiz=attempt.quiz, policy=Policy.FULL_MARKS, version=answer.version, by=make_user("chief"), reason="A <slip>"
    )
    row.remarks.create(answer=answer, old_score=0, old_maximum=2, new_score=1, new_maximum=2, revision=2)
    return row


def test_what_was_marked_anew_is_shown_with_the_score_before_and_after(admin, attempt, remarked):
    html = admin.page("attempt", attempt).content.decode()
    table = html.split('id="mpquiz-corrections"')[1].split("</table>")[0]
    for told in ("Full marks for everybody", "chief", "A &lt;slip&gt;"):
        assert told in table
    assert [score.split("</bdi>")[0] for score in table.split('<bdi dir="ltr">')[1:]] == [
        "0\xa0/\xa02",
        "1\xa0/\xa02",
    ]
    assert "undone" not in table
    remarked.undone_at, remarked.undone_by = timezone.now(), make_user("deputy")
    remarked.save()
    remarked.remarks.update(put_back=True)
    assert "deputy" in admin.page("attempt", attempt).content.decode()


def test_the_history_takes_as_many_queries_for_many_as_for_one(admin, attempt, remarked, query_count):
    one = query_count(lambda: admin.page("attempt", attempt))
    for number in range(5):
        row = Remarking.objects.create(
            quiz=attempt.quiz, policy=Policy.FULL_MARKS, version=remarked.version, by=make_user(f"chief-{number}")
        )
        answer = attempt.answers.last()
        row.remarks.create(answer=answer, old_score=0, old_maximum=2, new_score=1, new_maximum=2, revision=2)
    assert query_count(lambda: admin.page("attempt", attempt)) == one


def test_retries_are_told_apart(admin, attempt):
    attempt.finish()
    retry = attempt.retry(learner(attempt.user), number=2)
    assert list(admin.list("attempt", retry="yes").context_data["cl"].result_list) == [retry]
    assert list(admin.list("attempt", retry="no").context_data["cl"].result_list) == [attempt]
    assert len(admin.list("attempt", retry="x").context_data["cl"].result_list) == 2


# Finishing attempts, throwing trials away -------------------------------------------------------------------


def chosen(editor, action, *attempts, **more):
    data = {"action": action, "_selected_action": [attempt.pk for attempt in attempts], **more}
    return editor.client.post(editor.address("attempt", view="changelist"), data)


def said(answer, editor):
    return words_said(editor.client.get(answer.headers["Location"]))


@pytest.fixture
def others(attempt):
    """Beside an attempt that runs: one that is finished, one whose time is up, and a trial."""
    quiz = attempt.quiz
    done = Attempt.objects.start(quiz, learner(guest="one"))
    done.finish()
    late = Attempt.objects.start(quiz, learner(guest="two"))
    Attempt.objects.filter(pk=late.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    editor = make_user("editor", is_staff=True, is_superuser=True)
    return done, late, Attempt.objects.start(quiz, learner(editor), trial=True)


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_list_asks_before_it_finishes_attempts(admin, attempt, others, language):
    admin.language = language
    page = chosen(admin, "finish", attempt, *others)
    html = page.content.decode()
    ids = sorted([attempt.pk, others[1].pk, others[2].pk])
    assert json.loads(page.context_data["packed"]) == [["_selected_action", str(pk)] for pk in ids]
    if language == "en":
        assert "3 attempts are handed in now" in html
        assert "1 of those selected is finished already." in html
    attempt.refresh_from_db()
    assert attempt.open


def test_attempts_are_finished_with_what_was_answered(admin, attempt, others):
    answer = chosen(admin, "finish", attempt, *others, post="yes")
    assert said(answer, admin) == ["3 attempts are finished."]
    assert not Attempt.objects.filter(open=True).exists()
    ends = dict(Attempt.objects.values_list("pk", "ended"))
    assert [ends[one.pk] for one in (attempt, *others)] == ["finished", "finished", "time_up", "finished"]
    attempt.refresh_from_db()
    assert attempt.answers.filter(answered_at__isnull=False).count() == 1
    history = admin.client.get(admin.address("attempt", attempt, "history")).content.decode()
    assert "Finished by staff." in history


def test_as_many_as_were_asked_for_are_finished_though_django_takes_fewer_fields(admin, attempt, others, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 5
    packed = chosen(admin, "finish", attempt, *others).context_data["packed"]
    answer = admin.client.post(
        admin.address("attempt", view="changelist"), {"action": "finish", "post": "yes", "packed": packed}
    )
    assert said(answer, admin) == ["3 attempts are finished."]


@pytest.mark.parametrize("packed", ["", "{", "5", "[[1]]", '[["a", "b", "c"]]', "[" * 100_000])
def test_what_was_not_packed_by_us_is_refused(admin, attempt, packed):
    answer = admin.client.post(
        admin.address("attempt", view="changelist"), {"action": "finish", "post": "yes", "packed": packed}
    )
    assert answer.status_code == 400
    attempt.refresh_from_db()
    assert attempt.open


def test_where_none_is_running_there_is_nothing_to_ask(admin, others):
    html = chosen(admin, "finish", others[0]).content.decode()
    assert "None of the selected attempts is running." in html
    assert 'name="post"' not in html


def test_trials_are_thrown_away_and_no_attempt_of_a_learner(admin, attempt, others):
    html = chosen(admin, "discard", attempt, *others).content.decode()
    assert "1 trial is deleted, with its answers." in html
    assert "3 of those selected are no trials, and stay." in html
    assert Attempt.objects.count() == 4
    answer = chosen(admin, "discard", attempt, *others, post="yes")
    assert said(answer, admin) == ["1 trial was thrown away."]
    assert set(Attempt.objects.all()) == {attempt, *others[:2]}


@pytest.mark.parametrize("action", ["finish", "discard"])
@pytest.mark.parametrize("rights", [("view_attempt",), ("view_attempt", "view_quiz"), ("change_quiz",), ()])
def test_whoever_may_not_change_quizzes_ends_nothing(staff, attempt, others, action, rights):
    stranger = staff(*rights)
    for more in ({}, {"post": "yes"}):
        answer = chosen(stranger, action, attempt, *others, **more)
        assert "packed" not in (getattr(answer, "context_data", None) or {})
    assert Attempt.objects.filter(open=True).count() == 3
    assert Attempt.objects.count() == 4
    if "view_attempt" in rights:
        assert f'value="{action}"' not in stranger.list("attempt").content.decode()


def test_whoever_may_change_quizzes_ends_attempts(staff, attempt, others):
    editor = staff("view_attempt", "change_quiz")
    assert said(chosen(editor, "finish", attempt, post="yes"), editor) == ["1 attempt is finished."]
    assert said(chosen(editor, "discard", others[2], post="yes"), editor) == ["1 trial was thrown away."]


def test_a_learner_ends_nothing_through_admin(client, attempt):
    client.force_login(attempt.user)
    answer = chosen(Editor(client), "finish", attempt, post="yes")
    assert answer.status_code == 302
    assert "/login/" in answer.headers["Location"]
    attempt.refresh_from_db()
    assert attempt.open


def test_a_form_from_elsewhere_is_refused(attempt):
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("admin", is_staff=True, is_superuser=True))
    assert chosen(Editor(client), "finish", attempt, post="yes").status_code == 403
    attempt.refresh_from_db()
    assert attempt.open
