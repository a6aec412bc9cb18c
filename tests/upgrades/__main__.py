"""The first release is upgraded with its data: ``python -m tests.upgrades`` in a process, on an empty database."""

import json
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import django

django.setup()

from django.apps import apps  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.management.color import no_style  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.migrations.executor import MigrationExecutor  # noqa: E402
from django.test import Client  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from mpquiz import doctor, exchange, statistics  # noqa: E402
from mpquiz.models import Attempt, Question, Quiz  # noqa: E402
from tests import invariants  # noqa: E402
from tests.views.conftest import hidden, url  # noqa: E402

WRITTEN = json.loads((Path(__file__).parent / "first.json").read_text(encoding="utf-8"))
FIRST = [("mpquiz", "0001_initial")]
GUEST = "first-guest-token"


def part(label: str) -> Iterator[dict[str, Any]]:
    """What the file has of a model, or of what was told."""
    return (value for name, value in WRITTEN.items() if name.rpartition(" ")[0] == label)


def load() -> None:
    """The rows of the first release, into its tables."""
    call_command("migrate", "mpquiz", "0001", verbosity=0)
    for app in ("auth", "admin", "sessions"):
        call_command("migrate", app, verbosity=0)
    then = MigrationExecutor(connection).loader.project_state(FIRST).apps
    labels = dict.fromkeys(name.rpartition(" ")[0] for name in WRITTEN)
    loaded = [then.get_model(label) for label in labels if label != "told"]
    with connection.constraint_checks_disabled():
        for model in sorted(loaded, key=lambda model: len(_parents(model))):
            model.objects.bulk_create(_row(model, values) for values in part(model._meta.label_lower))
    connection.check_constraints()
    for statement in connection.ops.sequence_reset_sql(no_style(), loaded):
        with connection.cursor() as cursor:
            cursor.execute(statement)
    assert then.get_model("mpquiz", "answer").objects.count() == len(list(part("mpquiz.answer")))


def _parents(model: Any) -> set[Any]:
    """All models that a model points to, by whatever road."""
    found: set[Any] = set()
    for field in model._meta.concrete_fields:
        if field.remote_field and field.remote_field.model is not model:
            found |= {field.remote_field.model} | _parents(field.remote_field.model)
    return found


def _row(model: Any, values: dict[str, Any]) -> Any:
    fields = {field.attname: field for field in model._meta.concrete_fields}
    read = {
        name: value if fields[name].get_internal_type() == "JSONField" else fields[name].to_python(value)
        for name, value in values.items()
    }
    return model(**read)


def what_was_told_is_still_true() -> None:
    for one in part("told"):
        attempt = Attempt.objects.get(public_id=one["public_id"])
        now = (attempt.number, attempt.ended, attempt.is_open, attempt.percent, attempt.passed)
        assert now == tuple(one[name] for name in ("number", "ended", "is_open", "percent", "passed")), one
        assert (attempt.score, attempt.maximum) == (Decimal(one["score"]), Decimal(one["maximum"])), one


def signed_in(name: str) -> Client:
    client = Client()
    client.force_login(User.objects.get(username=name))
    return client


def as_guest(token: str) -> Client:
    client = Client()
    client.get("/en/quizzes/")
    session = client.session
    session["mpquiz_guest"] = token
    session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = session.session_key or ""
    return client


def page(client: Client, address: str, *texts: str) -> None:
    response = client.get(address, follow=True)
    assert response.status_code == 200, (address, response.status_code)
    for text in texts:
        assert text in response.content.decode(), (address, text)


def all_pages_open() -> None:
    """Results, feedback and lists, in both languages; what was deleted since is still shown as it was asked."""
    clients = {"amal": signed_in("amal"), "badr": signed_in("badr")}
    for attempt in Attempt.objects.all():
        client = clients[attempt.user.username] if attempt.user else as_guest(str(attempt.guest))
        for language in ("en", "ar"):
            page(client, url(attempt, language=language))
            for answer in attempt.answers.all():
                page(client, url(attempt, answer.position, language=language))
    first = Attempt.objects.get(user__username="amal", number=1)
    page(clients["amal"], url(first, language="ar"), "أي هذه وحدات بيانات؟", "Deleted later?")
    page(clients["amal"], "/ar/quizzes/mine/", "الوحدات")
    page(Client(), "/en/quizzes/", "Floating-point surprises")
    stranger = clients["badr"].get(url(first))
    assert stranger.status_code == 404


def an_open_attempt_goes_on() -> None:
    attempt, client = Attempt.objects.get(user__username="amal", open=True), signed_in("amal")
    page(client, "/en/quizzes/units/", "Which are units of data?" if attempt.score == 0 else "البايت ثمانية بتات.")
    for position, given in ((2, "1"), (3, "1"), (4, "1")):
        assert client.post(url(attempt, position), {"given": given}).status_code == 303
    attempt.refresh_from_db()
    # The key of its start holds: the first choice of the third question was right then, and is not any more.
    assert (attempt.ended, attempt.score, attempt.passed) == ("finished", Decimal("4.5"), True), attempt.score
    assert Quiz.objects.get(slug="units").completed_by(attempt.user)
    page(client, url(attempt), "Deleted later?")
    assert client.post(url(attempt, "retry")).status_code == 303


def a_guest_s_open_attempt_goes_on_and_becomes_the_user_s() -> None:
    client, attempt = as_guest(GUEST), Attempt.objects.get(guest=GUEST, open=True)
    assert client.post(url(attempt, 1), {"given": ["1", "2"]}).status_code == 303
    client.post("/accounts/login/", {"username": "badr", "password": "secret"})
    attempt.refresh_from_db()
    assert attempt.user == User.objects.get(username="badr") and attempt.score == 4
    assert Attempt.objects.filter(user=attempt.user).count() == 3


def what_is_overdue_is_closed() -> None:
    assert Attempt.objects.overdue().count() == 1
    call_command("mpquiz_finish_overdue", verbosity=0)
    late = Attempt.objects.get(ended="time_up")
    assert (late.score, late.finished_at) == (0, late.deadline)


def statistics_count() -> None:
    """The first attempts of the first release count: they were told apart by the migration."""
    units = Quiz.objects.get(slug="units")
    found = statistics.of(units)
    assert found.n == 2, found  # amal's and the guest's; badr's is overdue, and not closed yet
    assert found.questions[0].facility is not None


def editors_go_on() -> None:
    admin = User.objects.create_superuser("editor")
    client = Client()
    client.force_login(admin)
    for model in ("quiz", "question", "guide"):
        page(client, f"/en/admin/mpquiz/{model}/")
        for row in apps.get_model("mpquiz", model).objects.all():
            page(client, f"/en/admin/mpquiz/{model}/{row.pk}/change/")
    for attempt in Attempt.objects.all():
        page(client, f"/en/admin/mpquiz/attempt/{attempt.pk}/change/")
    dumped = exchange.dump(Quiz.objects.get(slug="floating-point"))
    assert len(dumped.questions) == 6
    # The same file again finds its questions as they were, and makes none twice.
    before = Question.objects.count()
    call_command("mpquiz_import", "project/samples/floating-point.yaml", verbosity=0)
    assert Question.objects.count() == before


def a_new_attempt_is_taken() -> None:
    visitor = Client()
    shown = visitor.get("/en/quizzes/floating-point/")
    answered = visitor.post("/en/quizzes/floating-point/start/", hidden(shown) | {"given": "1"}, follow=True)
    assert answered.status_code == 200 and Attempt.objects.filter(quiz__slug="floating-point").count() == 2


def main() -> None:
    setup_test_environment()
    load()
    call_command("migrate", verbosity=0)
    for step in (
        what_was_told_is_still_true,
        all_pages_open,
        statistics_count,
        what_is_overdue_is_closed,
        an_open_attempt_goes_on,
        a_guest_s_open_attempt_goes_on_and_becomes_the_user_s,
        editors_go_on,
        a_new_attempt_is_taken,
    ):
        invariants.check(connection)
        step()
    invariants.check(connection)
    broken = [one for one in doctor.examine(skip=["storage", "static", "cache"]) if one.broken]
    assert not broken, broken
    print("upgraded")


if __name__ == "__main__":
    main()
