"""What staff do with the results of a host's own users, whose key is a UUID. Run in a process of that host."""

import io
import json
from decimal import Decimal
from typing import Any

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402

from mpquiz import gradebook, history, remarking, statistics  # noqa: E402
from mpquiz.models import Accommodation, Answer, Attempt, Report, Revision  # noqa: E402
from tests.factories import learner, make_essay, make_question, make_quiz, make_user  # noqa: E402

ADMIN = "/en/admin/mpquiz"


def main() -> None:
    settings.ALLOWED_HOSTS = ["*"]
    teacher = make_user("teacher", is_staff=True, is_superuser=True)
    amal = make_user("amal", first_name="Amal", last_name="Salem")
    question, essay = make_question(("A", True), "B"), make_essay()
    quiz = make_quiz(question, essay, feedback="at_end", time_limit=30, pass_mark=50)
    Attempt.objects.start(quiz, learner(guest="token")).finish()
    attempt = Attempt.objects.start(quiz, learner(amal))
    attempt.answer(1, 2)
    attempt.answer(2, "Because.")
    attempt.flag(1, flagged=True)
    client = Client()
    client.force_login(teacher)
    granted = {"quiz": quiz.pk, "user": str(amal.pk), "time_factor": "2", "extra_attempts": "1"}
    sent = client.post(f"{ADMIN}/accommodation/add/", granted)
    assert sent.status_code == 302, sent.context_data["adminform"].form.errors
    row = Accommodation.objects.get()
    assert row.user == amal and row.named == "Amal Salem"
    late = Attempt.objects.get(user=amal)
    assert late.deadline > attempt.deadline  # type: ignore[operator]
    attempt.finish()
    assert Attempt.objects.claim("token", amal) == 1
    marked_by_hand(client, attempt, teacher)
    reported(client, attempt, amal, teacher)
    marked_anew(quiz, question, teacher)
    history.record(question, by=teacher)
    assert Revision.objects.get(by=teacher).question == question
    book = gradebook.of(get_user_model().objects.filter(pk=amal.pk), [quiz])
    assert [(one.name, one.results[0].percent, one.completed) for one in book.rows] == [("Amal Salem", 100, [quiz])]
    assert quiz.completed_by(amal) and not quiz.completed_by(teacher)
    assert statistics.of(quiz).mean is not None
    pages_are_there(client, quiz, attempt, amal)
    kind = type(amal.pk).__name__
    told_and_erased(amal, teacher)
    print("staff", kind)


def told_and_erased(amal: Any, teacher: Any) -> None:
    told = io.StringIO()
    call_command("mpquiz_export_person", pk=str(amal.pk), stdout=told)
    found = json.loads(told.getvalue())
    assert found["learner"] == {"user": "amal", "id": str(amal.pk)} and len(found["attempts"]) == 2
    Attempt.objects.filter(user=amal).update(started_at="2020-01-01T00:00Z")
    Answer.objects.filter(answered_at__isnull=False).update(answered_at="2020-01-01T00:00Z")
    call_command("mpquiz_purge_learners", days=30, stdout=told)
    assert not Attempt.objects.filter(user=amal).exists()
    call_command("mpquiz_erase_person", "--yes", pk=str(amal.pk), stdout=told)
    assert not Accommodation.objects.exists()
    amal.delete()
    teacher.delete()
    assert Revision.objects.get().by is None and Report.objects.get().note == ""


def marked_by_hand(client: Client, attempt: Attempt, teacher: Any) -> None:
    attempt.mark_by_hand(2, Decimal(1), by=teacher, comment="Well put.")
    answer = attempt.answers.get(position=2)
    assert answer.marked_by == teacher
    page = client.get(f"{ADMIN}/waitinganswer/{answer.pk}/change/")
    assert page.status_code == 200 and "Amal Salem" in page.content.decode()


def reported(client: Client, attempt: Attempt, amal: Any, teacher: Any) -> None:
    report = Report.objects.file(attempt, 1, "It is wrong.", language="en")
    assert report.user_id == amal.pk
    page = client.get(f"{ADMIN}/report/")
    assert "Amal Salem" in page.content.decode()
    assert Report.objects.get_queryset().settle(teacher) == 1
    assert Report.objects.get().settled_by == teacher


def marked_anew(quiz: Any, question: Any, teacher: Any) -> None:
    question.choices.filter(key="a").update(right=False)
    question.choices.filter(key="b").update(right=True)
    assert remarking.remark(quiz, question, "new_key", by=teacher).by == teacher


def pages_are_there(client: Client, quiz: Any, attempt: Attempt, amal: Any) -> None:
    for path in (
        "attempt/",
        f"attempt/?quiz__id__exact={quiz.pk}&user__id__exact={amal.pk}",
        "attempt/?q=Salem",
        f"attempt/{attempt.pk}/change/",
        f"attempt/{attempt.pk}/read/",
        f"attempt/{attempt.pk}/history/",
        "accommodation/?q=amal",
    ):
        page = client.get(f"{ADMIN}/{path}")
        assert page.status_code == 200, (path, page.status_code)
        assert "Amal Salem" in page.content.decode() or "history" in path, path
    question = quiz.questions.first()
    for path in (f"quiz/{quiz.pk}/", f"question/{question.pk}/"):
        for view in ("change/", "statistics/", "history/") if path.startswith("quiz") else ("change/", "history/"):
            assert client.get(f"{ADMIN}/{path}{view}").status_code == 200, (path, view)
    assert client.get(f"{ADMIN}/remarking/").status_code == 200
    table = client.post(f"{ADMIN}/attempt/download/?quiz__id__exact={quiz.pk}", {"format": "csv"})
    assert b"Amal Salem" in b"".join(table.streaming_content)
    stranger = Client()
    stranger.force_login(make_user("stranger"))
    assert stranger.get(f"/en/quizzes/attempts/{attempt.public_id}/").status_code == 404
    own = Client()
    own.force_login(amal)
    assert own.get(f"/en/quizzes/attempts/{attempt.public_id}/").status_code == 200
    assert own.get("/en/quizzes/mine/").status_code == 200


if __name__ == "__main__":
    main()
