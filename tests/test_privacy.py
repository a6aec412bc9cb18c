"""What is stored about one person is told to them, no more than they may see, and is gone once they are erased."""

import io
import json
from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth import get_user_model
from django.db import connection, models
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from mpquiz import history, privacy, remarking, signals, statistics
from mpquiz.editing.marking import mark
from mpquiz.editing.reports import settle
from mpquiz.exceptions import Refusal
from mpquiz.learners import Learner
from mpquiz.models import (
    Accommodation,
    Answer,
    Attempt,
    PendingImport,
    Policy,
    Question,
    Remarking,
    Report,
    Revision,
    WaitingAnswer,
)
from mpquiz.privacy import exporting, holdings
from tests import invariants
from tests.factories import learner, make_essay, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db

SECRET = "Amal lives here"  # what only the learner can have typed
NEVER_TOLD = "The reason nobody may read"


@pytest.fixture(autouse=True)
def promises_are_kept():
    yield
    invariants.check(connection)


@pytest.fixture
def amal():
    return learner(make_user())


@pytest.fixture
def badr():
    return learner(make_user("badr"))


@pytest.fixture
def staff():
    return make_user("staff", is_staff=True, is_superuser=True)


def typed_quiz(slug="typed", **rules):
    """One question to choose, and one of each kind of which something is typed."""
    questions = [
        make_question(explanation=NEVER_TOLD),
        make_question({"text": "Cairo", "right": True}, {"text": "Cai*", "weight": "0.5"}, kind="text"),
        make_question({"value": "42", "right": True}, {"value": "*", "weight": "0.5"}, kind="number"),
        make_question({"part": "1", "text": "Cairo", "right": True}, prompt="The capital: [[1]].", kind="gaps"),
        make_essay(),
    ]
    return make_quiz(*questions, slug=slug, **rules)


def taken(quiz, by, marker=None, *, right=False):
    """An attempt at such a quiz, finished and marked."""
    attempt = Attempt.objects.start(quiz, by)
    text = "Cairo" if right else f"Cai {SECRET}"
    values = (1 if right else 2, text, "42" if right else "0123456789", {"1": text}, SECRET)
    for position, given in enumerate(values, 1):
        attempt.answer(position, given, language="en")
    if marker is not None:
        attempt.mark_by_hand(5, Decimal("0.5"), by=marker, comment=f"Well put, {SECRET}")
    return attempt


def everything():
    """All that stands in our tables, as text."""
    rows = (model._default_manager.values_list() for model in apps.get_app_config("mpquiz").get_models())
    return repr([list(some) for some in rows])


# Nothing is forgotten -------------------------------------------------------------------------------------------

HANGS_ON = {"Answer.attempt", "Attempt.retry_of", "Remark.answer", "Report.answer"}
"""What belongs to something of a person's: it goes, or is emptied, with that."""

NOT_TOLD = {
    "Attempt": {"id", "user", "guest", "open", "title", "rules", "reached", "revision"},
    "Answer": {
        *("id", "attempt", "version", "question", "order", "asks", "tally", "counted_in", "left_out"),
        *("awarded", "fraction", "marked_with", "marked_by", "revision"),
    },
    "Report": {"id", "question", "version", "user", "settled_by"},
    "Accommodation": {"id", "user", "group"},
    "PendingImport": {
        *("id", "public_id", "user", "language", "encoding", "into", "force", "data", "files", "quiz"),
    },
}
"""Columns that an export leaves out: whose it is, others, what is the editor's, or what others tell as well."""

TOLD = {
    "Attempt": {
        *("public_id", "quiz", "number", "maximum", "score", "deadline", "started_at", "finished_at", "ended"),
        *("trial", "retry_of", "waiting"),
    },
    "Answer": {
        *("position", "points", "given", "draft", "flagged", "language", "answered_at", "marked_at", "comment"),
    },
    "Report": {"answer", "quiz", "language", "note", "created_at", "settled_at"},
    "Accommodation": {
        *("quiz", "time_factor", "no_time_limit", "extra_attempts", "opens_at", "closes_at", "note"),
        *("created_at", "updated_at"),
    },
    "PendingImport": {"name", "format", "created_at", "confirmed_at"},
}


def fields_of_ours():
    for model in apps.get_app_config("mpquiz").get_models():
        if not model._meta.proxy:
            yield from ((model, field) for field in model._meta.get_fields() if field.concrete)


def test_every_column_that_leads_to_a_user_is_among_the_holdings():
    known = {(model, column) for model, column in (*holdings.OWN.values(), *holdings.TRACES.values())}
    found = {(model, field.name) for model, field in fields_of_ours() if field.related_model is get_user_model()}
    assert found == known


def test_no_other_column_names_a_person():
    suspicious = ("guest", "user", "email", "address", "ip", "session", "token", "agent", "author", "learner")
    plain = [(model, field) for model, field in fields_of_ours() if not field.is_relation]
    named = {
        f"{model.__name__}.{field.name}"
        for model, field in plain
        if set(field.name.split("_")) & set(suspicious) or isinstance(field, models.GenericIPAddressField)
    }
    assert {one for one in named if "address" not in one} == {"Attempt.guest"}
    assert {one for one in named if "address" in one} == {"Guide.address"}  # where a guide is


def test_whatever_hangs_on_what_is_a_person_s_goes_with_it():
    own = {model for model, _column in holdings.OWN.values()} | {Answer}
    found = {f"{model.__name__}.{field.name}" for model, field in fields_of_ours() if field.related_model in own}
    assert found == HANGS_ON


@pytest.mark.parametrize("model", [Attempt, Answer, Report, Accommodation, PendingImport])
def test_every_column_of_what_is_a_person_s_is_told_or_left_out_on_purpose(model):
    name = model.__name__
    assert {field.name for field in model._meta.concrete_fields} == TOLD[name] | NOT_TOLD[name]
    assert not TOLD[name] & NOT_TOLD[name]


def test_every_holding_is_told_and_counted(amal):
    assert set(exporting.export(amal)) == {"mpquiz", "exported_at", "learner", *holdings.OWN, *holdings.TRACES}
    assert set(privacy.held(amal)) == {*holdings.OWN, *holdings.TRACES}


# Told -----------------------------------------------------------------------------------------------------------


def test_a_person_reads_what_they_were_asked_what_they_gave_and_what_came_of_it(amal, staff):
    attempt = taken(typed_quiz(), amal, staff)
    told = privacy.export(amal)
    assert told["learner"] == {"user": "amal", "id": str(amal.user.pk)}
    (one,) = told["attempts"]
    assert one["id"] == str(attempt.public_id)
    assert one["quiz"] == {"slug": "typed", "title": {"text": "Floating point", "language": "en"}}
    assert (one["ended"], one["score"], one["maximum"]) == ("finished", "1.5", "5")
    first, text, number, _gaps, essay = one["answers"]
    assert first["question"] == {"text": "Which is right?", "language": "en"}
    assert [choice["text"] for choice in first["choices"]] == ["Right", "Wrong", "Worse"]
    assert ([given["text"] for given in first["given"]], first["state"], first["points"]) == (["Wrong"], "wrong", "0")
    assert (text["given"][0]["text"], text["points"]) == (f"Cai {SECRET}", "0.5")
    assert (number["given"][0]["text"], number["points"]) == ("123456789", "0.5")
    assert (essay["given"][0]["text"], essay["points"]) == (SECRET, "0.5")
    assert essay["comment"] == f"Well put, {SECRET}"
    assert essay["answered_at"] and essay["marked_at"]


def test_an_answer_is_told_in_the_language_in_which_it_was_read(amal):
    question = make_question(({"text": {"en": "Right", "ar": "صحيح"}, "right": True}), "Wrong", prompt={"ar": "ما؟"})
    attempt = Attempt.objects.start(make_quiz(question), amal)
    attempt.answer(1, 1, language="ar")
    (answer,) = privacy.export(amal)["attempts"][0]["answers"]
    assert answer["question"] == {"text": "ما؟", "language": "ar"}
    assert answer["given"] == [{"text": "صحيح", "language": "ar"}]


def test_what_is_written_at_length_is_the_same_as_json(amal, staff):
    taken(typed_quiz(), amal, staff)
    Attempt.objects.start(make_quiz(), amal)
    stream = io.StringIO()
    privacy.write(amal, stream)
    written, told = json.loads(stream.getvalue()), privacy.export(amal)
    assert {**written, "exported_at": ""} == {**told, "exported_at": ""}
    assert SECRET in stream.getvalue()


def test_reports_accommodations_and_drafts_are_told(amal):
    quiz = make_quiz(make_question(), make_essay())
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1)
    attempt.keep(2, "Half a thought")
    Report.objects.file(attempt, 1, "The second is right too.", language="en")
    Accommodation.objects.create(quiz=quiz, user=amal.user, time_factor=Decimal("1.5"), note="Sees little.")
    told = privacy.export(amal)
    assert told["attempts"][0]["answers"][1]["draft"] == "Half a thought"
    (report,) = told["reports"]
    assert (report["note"], report["position"], report["quiz"]) == ("The second is right too.", 1, "floats")
    (granted,) = told["accommodations"]
    assert (granted["time_factor"], granted["note"]) == ("1.5", "Sees little.")


def test_a_stranger_s_export_holds_nothing_of_another(amal, badr, staff):
    quiz = typed_quiz()
    attempt = taken(quiz, amal, staff)
    Report.objects.file(attempt, 1, f"Note of {SECRET}", language="en")
    Accommodation.objects.create(quiz=quiz, user=amal.user, note=f"Note of {SECRET}")
    taken(quiz, learner(guest="token"), staff)
    own = taken(quiz, badr, right=True)
    Answer.objects.filter(attempt=own, position=5).update(given="Mine")
    told = json.dumps(privacy.export(badr), ensure_ascii=False)
    assert (len(privacy.export(badr)["attempts"]), str(own.public_id) in told) == (1, True)
    assert SECRET not in told
    assert "amal" not in told
    assert "token" not in told
    assert str(attempt.public_id) not in told


def test_what_somebody_did_as_staff_is_told_without_the_learners(amal, staff):
    quiz = typed_quiz()
    attempt = taken(quiz, amal, staff)
    report = Report.objects.file(attempt, 1, SECRET, language="en")
    Report.objects.filter(pk=report.pk).settle(staff)
    question = quiz.questions.first()
    history.record(question, by=staff)
    done = remarking.remark(quiz, question, Policy.FULL_MARKS, by=staff, reason="The key was wrong.")
    remarking.undo(done, by=staff)
    told = privacy.export(learner(staff))
    assert told["attempts"] == told["reports"] == []
    assert [len(told[name]) for name in holdings.TRACES] == [1, 1, 1, 1, 1]
    assert told["remarkings"][0]["reason"] == "The key was wrong."
    assert SECRET not in json.dumps(told)
    assert str(attempt.public_id) not in json.dumps(told)


@pytest.mark.parametrize("finished", [False, True])
def test_nothing_is_told_before_its_moment(amal, staff, finished):
    """Byte by byte, and line by line of the table of what is seen: tests/leaks, which has the export as a door."""
    hidden = {f"show_{one}": "never" for one in ("right_or_wrong", "score", "right_answer", "explanation")}
    attempt = taken(typed_quiz(**hidden, feedback="at_end", pass_mark=50), amal, right=True)
    if finished:
        attempt.finish()
        attempt.mark_by_hand(5, Decimal(1), by=staff, comment="Praise for this answer")
    told = privacy.export(amal)
    (one,) = told["attempts"]
    assert (one["score"], one["passed"]) == (None, None)
    assert {answer["state"] for answer in one["answers"]} <= {"given", "waiting"}
    assert {(answer["points"], answer["marked_at"], answer["comment"]) for answer in one["answers"]} == {
        (None, None, "")
    }
    text = json.dumps(told)
    assert "Praise" not in text
    assert NEVER_TOLD not in text


def test_neither_keys_nor_explanations_are_ever_told(amal):
    question = make_question({"key": "the-right-one", "text": "One", "right": True}, "Two", explanation=NEVER_TOLD)
    attempt = Attempt.objects.start(make_quiz(question), amal)
    attempt.answer(1, 2)
    text = json.dumps(privacy.export(amal))
    assert "the-right-one" not in text
    assert NEVER_TOLD not in text


def test_of_an_open_attempt_no_question_is_told_that_may_be_ahead(amal):
    quiz = make_quiz(feedback="at_end", one_way=True)
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 1, move_on=True)
    assert "Question 2?" not in json.dumps(privacy.export(amal))
    attempt.finish()
    assert "Question 2?" in json.dumps(privacy.export(amal))


def test_what_was_corrected_is_told_with_the_score(amal, staff):
    quiz = make_quiz()
    attempt = Attempt.objects.start(quiz, amal)
    attempt.answer(1, 2)
    attempt.finish()
    remarking.remark(quiz, quiz.questions.first(), Policy.FULL_MARKS, by=staff, reason="Both are right.")
    (correction,) = privacy.export(amal)["attempts"][0]["corrections"]
    assert (correction["old_score"], correction["new_score"]) == ("0", "1")
    assert correction["reason"] == "Both are right."
    quiz.show_score = "never"
    quiz.save()
    assert privacy.export(amal)["attempts"][0]["corrections"] == []


def test_an_export_takes_as_many_queries_for_twenty_attempts_as_for_two(amal, staff):
    counts = []
    for many in (2, 18):
        for number in range(many):
            attempt = taken(typed_quiz(slug=f"quiz-{many}-{number}"), amal, staff)
            Report.objects.file(attempt, 1, "A word", language="en")
        with CaptureQueriesContext(connection) as queries:
            privacy.export(amal)
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 14


# Erased ---------------------------------------------------------------------------------------------------------


def test_an_erased_person_leaves_marks_and_choices_and_no_word(amal, staff):
    quiz = typed_quiz()
    attempt = taken(quiz, amal, staff)
    Report.objects.file(attempt, 1, SECRET, language="en")
    Accommodation.objects.create(quiz=quiz, user=amal.user, note=SECRET)
    assert privacy.erase(amal)["attempts"] == 1
    assert SECRET not in everything()
    assert "123456789" not in everything()
    left = Attempt.objects.get()
    assert (left.user, left.guest, left.score, left.ended) == (None, None, attempt.score, "finished")
    assert left.public_id != attempt.public_id
    answers = list(left.answers.all())
    assert [answer.given for answer in answers] == ["b", "", "", "", ""]
    assert [answer.state for answer in answers] == ["wrong", "partly", "partly", "wrong", "partly"]
    assert answers[4].marked_by == staff  # whose trace is another person's
    assert not Accommodation.objects.exists()
    assert (Report.objects.get().note, Report.objects.get().user) == ("", None)


def test_the_log_of_admin_holds_no_word_of_a_learner(amal, staff, client):
    """Reports, answers and attempts that staff worked on, and what they granted."""
    client.force_login(staff)
    attempt = taken(typed_quiz(), amal)
    filed = Report.objects.file(attempt, 1, SECRET, language="en")
    settle([filed], by=staff)
    essay = WaitingAnswer.objects.get(attempt=attempt, position=5)
    mark(essay, Decimal(1), f"Well put, {SECRET}", by=staff, revision=None)
    granted = {"quiz": attempt.quiz_id, "user": amal.user.pk, "time_factor": "2", "extra_attempts": "0"}
    client.post(reverse("admin:mpquiz_accommodation_add"), {**granted, "note": SECRET})
    row = Accommodation.objects.get()
    client.post(reverse("admin:mpquiz_accommodation_change", args=[row.pk]), {**granted, "note": "x"})
    client.post(reverse("admin:mpquiz_accommodation_delete", args=[row.pk]), {"post": "yes"})
    logged = repr(list(LogEntry.objects.values_list("object_repr", "change_message")))
    assert LogEntry.objects.count() == 5
    assert str(attempt.quiz) in logged
    assert not [word for word in (SECRET, "amal", *(str(attempt.public_id).split("-"))) if word in logged]


@pytest.mark.parametrize("delete", [False, True])
def test_what_the_log_of_admin_held_of_a_person_is_gone_with_them(amal, badr, staff, delete):
    quiz = typed_quiz()
    reports = [Report.objects.file(taken(quiz, who), 1, SECRET, language="en") for who in (amal, badr)]
    rows = [Accommodation.objects.create(quiz=quiz, user=who.user) for who in (amal, badr)]
    note = partial(LogEntry.objects.log_actions, staff.pk, action_flag=CHANGE, change_message="Done.")
    note([*reports, *rows])
    gone = Accommodation(pk=999, quiz=quiz, user=amal.user)  # of one that was taken away before
    note([gone])
    LogEntry.objects.filter(content_type__model="report").update(object_repr=SECRET)  # as it was written once
    privacy.erase(amal, delete=delete)
    left = list(LogEntry.objects.order_by("pk").values_list("object_repr", flat=True))
    assert left == ["Erased", SECRET, "Erased", str(rows[1]), "Erased"]


def test_what_was_logged_is_taken_out_in_as_many_queries_for_many_as_for_few(amal, badr, staff):
    counts = []
    for who, many in ((amal, 2), (badr, 12)):
        attempt = Attempt.objects.start(make_quiz(slug=f"quiz-{many}", count=many), who)
        for position in range(1, many + 1):
            attempt.answer(position, 1, language="en")
            settle([Report.objects.file(attempt, position, SECRET, language="en")], by=staff)
        with CaptureQueriesContext(connection) as queries:
            privacy.erase(who)
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert not LogEntry.objects.exclude(object_repr="Erased").exists()


def test_what_was_typed_as_the_key_has_it_stays(amal, staff):
    attempt = taken(typed_quiz(), amal, staff, right=True)
    privacy.erase(amal)
    given = [answer.given for answer in Attempt.objects.get(pk=attempt.pk).answers.all()]
    assert given == ["a", "Cairo", "42", {"1": "Cairo"}, ""]


def test_results_and_statistics_are_what_they_were(amal, badr, staff):
    quiz = typed_quiz()
    taken(quiz, amal, staff)
    taken(quiz, badr, staff, right=True)
    again = Attempt.objects.start(quiz, amal)
    again.answer(1, 1)
    again.finish()
    before = statistics.of(quiz)
    for one in (amal, badr):
        privacy.erase(one)
    after = statistics.of(quiz)
    assert (after.mean, after.consistency) == (before.mean, before.consistency)
    assert [one.facility for one in after.questions] == [one.facility for one in before.questions]
    assert after.mean is not None


def test_erasing_again_changes_nothing(amal, staff):
    taken(typed_quiz(), amal, staff)
    privacy.erase(amal)
    before = everything()
    assert set(privacy.erase(amal).values()) == {0}
    assert everything() == before
    assert set(privacy.held(amal).values()) == {0}


def test_others_keep_what_is_theirs(amal, badr, staff):
    quiz = typed_quiz()
    taken(quiz, amal, staff)
    theirs = taken(quiz, badr, staff)
    guest = taken(quiz, learner(guest="token"), staff)
    privacy.erase(amal)
    privacy.erase(learner(guest="another"))
    for attempt in (theirs, guest):
        attempt.refresh_from_db()
        assert attempt.answers.get(position=5).given == SECRET
    assert (theirs.user, guest.guest) == (badr.user, "token")


def test_a_guest_is_erased_by_the_token(badr):
    quiz = make_quiz()
    attempt = Attempt.objects.start(quiz, learner(guest="token"))
    attempt.answer(1, 1)
    Report.objects.file(attempt, 1, SECRET, language="en")
    assert privacy.held(learner(guest="token")) == {"attempts": 1, "reports": 1}
    assert privacy.erase(learner(guest="token")) == {"attempts": 1, "reports": 1}
    attempt.refresh_from_db()
    assert (attempt.guest, attempt.user, attempt.ended) == (None, None, "abandoned")
    assert SECRET not in everything()


def test_a_report_that_a_guest_sent_before_signing_in_is_the_user_s(amal):
    attempt = Attempt.objects.start(make_quiz(), learner(guest="token"))
    attempt.answer(1, 1)
    Report.objects.file(attempt, 1, SECRET, language="en")
    Attempt.objects.claim("token", amal.user)
    assert privacy.export(amal)["reports"][0]["note"] == SECRET
    privacy.erase(amal)
    assert SECRET not in everything()


def test_what_is_open_is_closed_first_and_takes_no_answer_any_more(amal):
    attempt = Attempt.objects.start(make_quiz(make_question(), make_essay()), amal)
    attempt.answer(1, 1)
    attempt.keep(2, SECRET)
    running = Attempt.objects.get(pk=attempt.pk)
    privacy.erase(amal)
    for call in (
        lambda: running.answer(2, SECRET),
        lambda: running.keep(2, SECRET),
        lambda: running.flag(2, flagged=True),
    ):
        with pytest.raises(Refusal) as refused:
            call()
        assert refused.value.code == "finished"
    with pytest.raises(Refusal) as refused:
        Report.objects.file(running, 1, SECRET, language="en")
    assert refused.value.code == "not_in_attempt"
    assert SECRET not in everything()


def test_hosts_hear_of_the_end_of_nobody_s_attempt(amal, django_capture_on_commit_callbacks):
    heard = []

    def listen(sender, attempt, **kwargs):
        heard.append((attempt.ended, attempt.user, attempt.guest))

    Attempt.objects.start(make_quiz(), amal)
    signals.attempt_finished.connect(listen)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            privacy.erase(amal)
    finally:
        signals.attempt_finished.disconnect(listen)
    assert heard == [("abandoned", None, None)]


def test_a_text_past_its_deadline_is_handed_in_by_nobody(amal):
    attempt = Attempt.objects.start(make_quiz(make_essay(), feedback="at_end", time_limit=1), amal)
    attempt.keep(1, SECRET)
    Attempt.objects.update(
        started_at=timezone.now() - timedelta(hours=2), deadline=timezone.now() - timedelta(hours=1)
    )
    assert privacy.erase(amal)["attempts"] == 1
    assert not Attempt.objects.exists()  # it would wait for a mark for ever


def test_trials_and_what_waits_to_be_marked_are_deleted(amal, staff):
    quiz = typed_quiz()
    waiting = taken(quiz, amal)
    trial = Attempt.objects.start(quiz, learner(staff), trial=True)
    trial.answer(1, 1)
    for one in (amal, learner(staff)):
        privacy.erase(one)
    assert not Attempt.objects.filter(pk__in=[waiting.pk, trial.pk]).exists()


def test_with_delete_nothing_is_left(amal, badr, staff):
    quiz = typed_quiz()
    attempt = taken(quiz, amal, staff)
    Report.objects.file(attempt, 1, SECRET, language="en")
    theirs = taken(quiz, badr, staff)
    assert privacy.erase(amal, delete=True)["reports"] == 1
    assert list(Attempt.objects.all()) == [theirs]
    assert not Report.objects.exists()
    assert set(Answer.objects.values_list("attempt", flat=True)) == {theirs.pk}


def test_what_staff_did_stays_and_is_nobody_s(amal, staff):
    quiz = typed_quiz()
    attempt = taken(quiz, amal, staff)
    Report.objects.file(attempt, 1, "A word", language="en")
    Report.objects.all().settle(staff)
    question = quiz.questions.first()
    history.record(question, by=staff)
    remarking.undo(remarking.remark(quiz, question, Policy.FULL_MARKS, by=staff), by=staff)
    PendingImport.objects.keep(b"1. What?", user=staff, format="aiken", language="en")
    counts = privacy.erase(learner(staff))
    assert all(counts[name] == 1 for name in (*holdings.TRACES, "imports"))
    assert (Remarking.objects.get().by, Remarking.objects.get().undone_by) == (None, None)
    assert Revision.objects.get().by is None
    assert Report.objects.get().settled_at is not None
    assert Answer.objects.get(position=5).awarded == Decimal("0.5")
    assert not PendingImport.objects.exists()
    assert Attempt.objects.get().user == amal.user


def test_a_key_that_changes_later_judges_no_answer_that_was_taken_out(amal, badr, staff):
    quiz = typed_quiz()
    attempt = taken(quiz, amal, staff)
    taken(quiz, badr, staff)
    privacy.erase(amal)
    question = Question.objects.get(kind="text")
    question.choices.filter(text_en="Cai*").delete()
    remarking.remark(quiz, question, Policy.NEW_KEY, by=staff)
    assert Answer.objects.get(attempt=attempt, position=2).fraction == Decimal("0.5")
    assert Answer.objects.get(attempt__user=badr.user, position=2).fraction == 0


def test_staff_read_an_erased_attempt_and_mark_nothing_in_it(amal, staff, client):
    attempt = taken(typed_quiz(), amal, staff)
    privacy.erase(amal)
    client.force_login(staff)
    page = client.get(f"/en/admin/mpquiz/attempt/{attempt.pk}/change/")
    assert (page.status_code, page.content.count(b"Erased")) == (200, 5)
    assert SECRET.encode() not in page.content
    essay = Answer.objects.get(attempt=attempt, position=5)
    assert client.get(f"/en/admin/mpquiz/waitinganswer/{essay.pk}/change/").status_code != 200
    assert not client.get("/en/admin/mpquiz/waitinganswer/?state=marked").context_data["cl"].result_list
    with pytest.raises(Refusal) as refused:
        Attempt.objects.get(pk=attempt.pk).mark_by_hand(5, Decimal(1), by=staff)
    assert refused.value.code == "not_by_hand"


def test_the_addresses_of_an_erased_attempt_lead_nowhere(amal, client):
    attempt = Attempt.objects.start(make_quiz(), amal)
    attempt.answer(1, 1)
    client.force_login(amal.user)
    before = f"/en/quizzes/attempts/{attempt.public_id}/1/"
    assert client.get(before).status_code == 200
    privacy.erase(amal)
    attempt.refresh_from_db()
    assert not Attempt.objects.of(amal).exists()
    for address in (before, f"/en/quizzes/attempts/{attempt.public_id}/1/"):
        assert client.get(address).status_code == 404


# With the account ------------------------------------------------------------------------------------------------


def test_a_user_who_is_deleted_leaves_no_word(amal, badr, staff):
    quiz = typed_quiz()
    for one in (amal, badr):
        Report.objects.file(taken(quiz, one, staff), 1, SECRET, language="en")
    amal.user.delete()
    get_user_model().objects.filter(username="badr").delete()
    assert SECRET not in everything()
    assert [(one.user, one.guest) for one in Attempt.objects.all()] == [(None, None)] * 2


def test_staff_who_are_deleted_leave_their_work(amal, staff):
    attempt = taken(typed_quiz(), amal, staff)
    staff.delete()
    answer = attempt.answers.get(position=5)
    assert (answer.awarded, answer.marked_by, answer.given) == (Decimal("0.5"), None, SECRET)


def test_asking_whether_a_user_is_to_be_deleted_erases_nothing(amal, staff, client):
    taken(typed_quiz(), amal, staff)
    client.force_login(staff)
    assert client.get(f"/en/admin/auth/user/{amal.user.pk}/delete/").status_code == 200
    assert Attempt.objects.get().user == amal.user


def test_nobody_is_neither_told_of_nor_erased(amal):
    gone = amal.user
    gone.delete()
    for nobody in (learner(), Learner(user=gone)):
        for call in (privacy.export, privacy.held, privacy.erase):
            with pytest.raises(ValueError, match="Name a user"):
                call(nobody)


def test_a_visitor_s_session_forgets_its_guest_and_its_drafts(rf):
    request = rf.get("/")
    request.session = {"mpquiz_guest": "token", "mpquiz_drafts": {"a/1": [["given", SECRET]]}, "theirs": 1}
    privacy.forget_session(request)
    assert request.session == {"theirs": 1}
    privacy.forget_session(request)
    assert request.session == {"theirs": 1}
