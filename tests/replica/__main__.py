"""All that is done with attempts, while the replica knows of none: ``python -m tests.replica`` in a process."""

import re
import sqlite3
from collections import Counter
from decimal import Decimal
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connections  # noqa: E402
from django.template import engines  # noqa: E402
from django.test import Client, RequestFactory  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402
from django.urls import reverse  # noqa: E402

from mpquiz import doctor, exchange, gradebook, privacy, remarking, statistics  # noqa: E402
from mpquiz.exceptions import Refusal  # noqa: E402
from mpquiz.learners import Learner  # noqa: E402
from mpquiz.models import Attempt, Question, Quiz, Report, WaitingAnswer  # noqa: E402
from tests import invariants  # noqa: E402
from tests.factories import (  # noqa: E402
    make_essay,
    make_guide,
    make_pool,
    make_question,
    make_quiz,
    make_tag,
    make_user,
)
from tests.views.conftest import hidden, url  # noqa: E402

OF_ATTEMPTS = re.compile(r'"mpquiz_(attempt|answer|questionversion|report|revision|remarking|remark|pendingimport)"')
asked: Counter[str] = Counter()


def watch(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
    """The replica is never written, and never asked for what learners did."""
    assert sql.startswith("SELECT"), f"written to the replica: {sql}"
    assert not OF_ATTEMPTS.search(sql), f"read from the replica: {sql}"
    asked[re.findall(r'FROM "(\w+)"', sql)[0]] += 1
    return execute(sql, params, many, context)


def copy() -> None:
    """Let the replica catch up."""
    connections["replica"].close()
    source, target = sqlite3.connect(settings.WRITTEN), sqlite3.connect(settings.REPLICA)
    with source, target:
        source.backup(target)
    source.close()
    target.close()


def is_page(response: Any, *texts: str) -> Any:
    page = response.content.decode()
    assert response.status_code == 200, (response.status_code, response.request["PATH_INFO"])
    for text in texts:
        assert text in page, (text, re.sub(r"\s*<[^>]*>\s*", "|", page.partition("<body>")[2]))
    return response


def a_guest_takes_a_quiz_and_signs_in() -> None:
    visitor = Client()
    page = is_page(visitor.get("/en/quizzes/floats/"), "Question 1?")
    is_page(visitor.post("/en/quizzes/floats/start/", hidden(page) | {"given": "1"}, follow=True), "Because it is.")
    attempt = Attempt.objects.get(guest__isnull=False)
    is_page(visitor.get("/en/quizzes/floats/"), "Question 2?")
    is_page(visitor.post(url(attempt, 2), {"given": "2"}, follow=True), "Not this one")
    is_page(visitor.get(url(attempt, 3)), "Question 3?")
    done = visitor.post(url(attempt, 3), {"given": "1"}, headers={"HX-Request": "true"})
    is_page(done, "See your result")
    is_page(visitor.get(url(attempt)), "Question 2?")
    is_page(visitor.post(url(attempt, "2/report"), {"note": "Odd"}, follow=True), "Thank you")
    is_page(visitor.get("/en/quizzes/mine/"), "Floating point")
    visitor.post("/accounts/login/", {"username": "amal", "password": "secret"})
    is_page(visitor.get("/en/quizzes/mine/"), "Floating point")
    attempt.refresh_from_db(using="default")
    assert attempt.user is not None and attempt.guest is None and attempt.score == 2
    is_page(visitor.post(url(attempt, "retry"), follow=True), "Question 2?")
    retry = Attempt.objects.get(retry_of=attempt)
    is_page(visitor.post(url(retry, "start-over"), {"confirm": "yes", "number": "3"}, follow=True), "Question 1?")
    assert Quiz.objects.get(slug="floats").completed_by(attempt.user)


def a_user_takes_an_exam(slug: str) -> Attempt:
    client, user = Client(), make_user(f"of-{slug}")
    client.force_login(user)
    is_page(client.get(f"/en/quizzes/{slug}/"))
    is_page(client.post(f"/en/quizzes/{slug}/start/", hidden(client.get(f"/en/quizzes/{slug}/")), follow=True))
    attempt = Attempt.objects.get(user=user)
    for given, revision in (("2", 0), ("1", 1)):
        is_page(client.post(url(attempt, 1), {"given": given, "revision": revision}, follow=True))
    is_page(client.post(url(attempt, 2), {"flag": "1", "revision": "0"}, follow=True))
    is_page(client.get(url(attempt, "summary")))
    is_page(client.post(url(attempt, "finish"), {"confirm": "yes"}, follow=True))
    is_page(client.get(url(attempt)))
    attempt.refresh_from_db()
    assert attempt.ended == "finished", attempt.ended
    client.post(url(attempt, "retry"), {"confirm": "yes"}, follow=True)
    return attempt


def all_on_one_page() -> None:
    client, user = Client(), make_user("whole")
    client.force_login(user)
    page = client.get("/en/quizzes/whole/")
    is_page(client.post("/en/quizzes/whole/start/", hidden(page), follow=True))
    attempt = Attempt.objects.get(user=user)
    sent = {
        f"q{position}-{name}": "1" if name == "given" else "0"
        for position in (1, 2)
        for name in ("given", "revision")
    }
    is_page(client.post(url(attempt, 1), sent | {"to": "finish"}, follow=True), "Question 1?")


def a_quiz_is_taken_by_api() -> None:
    client, user = Client(), make_user("by_api")
    client.force_login(user)
    number = client.get("/api/v1/quizzes/floats/start/").json()["number"]
    begun = client.post("/api/v1/quizzes/floats/start/", {"number": number}, content_type="application/json")
    assert begun.status_code == 201, begun.content
    address = begun.json()["url"]
    for position in (1, 2, 3):
        asked = f"{address}questions/{position}/"
        is_page(client.get(asked), f"Question {position}?")
        is_page(client.post(f"{asked}answer/", {"given": 1}, content_type="application/json"))
        is_page(client.get(asked), "Because it is.")
    is_page(client.get(address), '"finished"')
    is_page(client.get(f"{address}result/"), "Question 2?")
    is_page(client.get("/api/v1/attempts/"), address)
    assert client.get("/api/v1/progress/").json()["results"], "no progress"
    again = client.post(f"{address}start-over/", {"number": 2}, content_type="application/json")
    assert again.status_code == 201, again.content


def an_essay_is_marked() -> None:
    client, user = Client(), make_user("writer")
    client.force_login(user)
    attempt = Attempt.objects.start(Quiz.objects.get(slug="essay"), Learner(user=user))
    assert client.post(url(attempt, 1), {"given": "Draft", "save": "1"}).status_code == 200
    is_page(client.post(url(attempt, 1), {"given": "Because."}, follow=True))
    is_page(client.post(url(attempt, 2), {"given": "1"}, follow=True))
    editor = Client()
    editor.force_login(get_user_model().objects.get(username="editor"))
    waiting = WaitingAnswer.objects.get(attempt=attempt, position=1)
    is_page(editor.get(reverse("admin:mpquiz_waitinganswer_changelist")), "writer")
    address = reverse("admin:mpquiz_waitinganswer_change", args=[waiting.pk])
    form = {"points": "1", "comment": "Well put.", "revision": str(waiting.revision)}
    is_page(editor.get(address), "Because.")
    assert editor.post(address, form).status_code == 302
    is_page(client.get(url(attempt)), "Well put.")


def editors_look_at_results() -> None:
    editor = Client()
    editor.force_login(get_user_model().objects.get(username="editor"))
    quiz, attempt = Quiz.objects.get(slug="floats"), Attempt.objects.filter(quiz__slug="floats").last()
    assert attempt is not None
    for name in ("attempt", "report", "quiz", "question", "guide", "tag", "waitinganswer"):
        is_page(editor.get(reverse(f"admin:mpquiz_{name}_changelist")))
    is_page(editor.get(reverse("admin:mpquiz_attempt_change", args=[attempt.pk])), "amal")
    is_page(editor.get(reverse("admin:mpquiz_quiz_change", args=[quiz.pk])))
    is_page(editor.get(reverse("admin:mpquiz_question_change", args=[Question.objects.all()[0].pk])))
    is_page(editor.get(reverse("admin:mpquiz_quiz_statistics", args=[quiz.pk])))
    for view in [name for name in reverse_names() if name.startswith("mpquiz_quiz_") and "result" in name]:
        response = editor.get(reverse(f"admin:{view}", args=[quiz.pk]))
        assert response.status_code in (200, 302), (view, response.status_code)
    found = statistics.of(quiz)
    assert found.questions[0].facility is not None, found
    assert Report.objects.count() == 1


def reverse_names() -> list[str]:
    from django.contrib import admin

    return [str(one.name) for model in admin.site._registry.values() for one in model.get_urls() if one.name]


def an_answer_is_marked_anew() -> None:
    quiz = Quiz.objects.get(slug="floats")
    question = Question.objects.using("default").filter(quizzes=quiz).order_by("pk")[1]
    question.choices.using("default").update(right=False)
    question.choices.using("default").filter(place=2).update(right=True)
    editor = get_user_model().objects.get(username="editor")
    done = remarking.remark(quiz, question, "new_key", by=editor)
    assert done.pk
    attempt = Attempt.objects.filter(quiz=quiz, user__username="amal", number=1).get()
    assert attempt.score == Decimal(3), attempt.score


def a_lesson_shows_quizzes() -> None:
    request = RequestFactory().get("/en/lesson/")
    request.user = get_user_model().objects.get(username="amal")
    request.session = {}  # type: ignore[assignment]
    tags = (
        '{% load mpquiz %}{% quiz_card "floats" %}{% quizzes_of_guide "floats" %}'
        '{% take_quiz "floats" %}{% quiz_progress %}'
    )
    page = engines["django"].from_string(tags).render({}, request)
    assert "Floating point" in page
    users = get_user_model().objects.all()
    book = gradebook.of(users, Quiz.objects.all())
    assert book is not None


def a_question_is_deleted_that_the_replica_still_has() -> None:
    """What is asked is what the written database has."""
    quiz = Quiz.objects.get(slug="late")
    Question.objects.using("default").filter(prompt_en="Deleted?").delete()
    Question.objects.using("default").filter(prompt_en="Changed?").update(prompt_en="Changed!")
    user = make_user("late")
    client = Client()
    client.force_login(user)
    is_page(client.post("/en/quizzes/late/start/", {}, follow=True), "Changed!")
    attempt = Attempt.objects.start(quiz, Learner(user=user))
    assert [answer.content.prompt["en"] for answer in attempt.answers.select_related("version")] == ["Changed!"]
    deleted = Quiz.objects.get(slug="deleted")
    Quiz.objects.using("default").filter(pk=deleted.pk).delete()
    is_page(client.get("/en/quizzes/deleted/"))
    assert client.post("/en/quizzes/deleted/start/").status_code == 403
    Quiz.objects.using("default").filter(pk=quiz.pk).update(archived=True)
    try:
        Attempt.objects.start(quiz, Learner(guest="too late"))
    except Refusal as refusal:
        assert refusal.code == "closed"
    else:
        raise AssertionError("a quiz was started that is archived")


def a_learner_is_told_what_is_stored_and_forgotten() -> None:
    amal = Learner(user=get_user_model().objects.get(username="amal"))
    held = privacy.held(amal)
    assert held["attempts"] == 3, held
    assert len(privacy.export(amal)["attempts"]) == 3
    privacy.erase(amal)
    assert not Attempt.objects.of(amal).exists()


def commands_run_at_night() -> None:
    call_command("mpquiz_finish_overdue", verbosity=0)
    call_command("mpquiz_purge_guests", days=1, verbosity=0)
    assert list(doctor.examine(skip=["static"])) == []
    assert exchange.dump(Quiz.objects.get(slug="floats")).questions


def main() -> None:
    setup_test_environment()
    call_command("migrate", verbosity=0)
    guide = make_guide(address="/quizzes/")
    make_quiz(*(make_question(prompt=f"Question {number}?") for number in (1, 2, 3)), guides=[guide], pass_mark=50)
    make_quiz(slug="exam", feedback="at_end", time_limit=30, attempts_allowed=3, access="signed_in")
    pooled = make_quiz(slug="pooled", feedback="at_end", shuffle_questions=True, count=1, wait=0, attempts_allowed=9)
    make_pool(pooled, make_tag("Formats", make_question(prompt="Pooled?"), make_question(prompt="Pooled too?")))
    make_quiz(slug="whole", feedback="at_end", layout="all", count=2)
    make_quiz(make_essay(), make_question(), slug="essay")
    make_quiz(make_question(prompt="Deleted?"), make_question(prompt="Changed?"), slug="late", preview=False)
    make_quiz(slug="deleted")
    make_user("amal")
    make_user("editor", is_staff=True, is_superuser=True)
    copy()
    with connections["replica"].execute_wrapper(watch):
        for step in (
            a_guest_takes_a_quiz_and_signs_in,
            lambda: a_user_takes_an_exam("exam"),
            lambda: a_user_takes_an_exam("pooled"),
            all_on_one_page,
            a_quiz_is_taken_by_api,
            an_essay_is_marked,
            editors_look_at_results,
            an_answer_is_marked_anew,
            a_lesson_shows_quizzes,
            a_question_is_deleted_that_the_replica_still_has,
            a_learner_is_told_what_is_stored_and_forgotten,
            commands_run_at_night,
        ):
            step()
            invariants.check(connections["default"])
    assert asked["mpquiz_quiz"] and asked["mpquiz_guide"], asked
    print("replica", dict(asked))


if __name__ == "__main__":
    main()
