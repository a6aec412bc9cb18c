"""Each page of an editor: how long it takes cold and warm, in how many queries, and the slowest of them."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse

from mpquiz.models import Guide, Question

from . import site
from .__main__ import SLOW

_WARM = 3


@dataclass(frozen=True, slots=True)
class Page:
    name: str
    address: str
    query: dict[str, str]


def pages() -> Iterator[Page]:
    """Every list and form of ours in admin, and what is done there most."""
    quiz, question, attempt = site.large_quiz(), Question.objects.order_by("pk")[40], site.some_attempt()
    lists = ("quiz", "question", "attempt", "guide", "tag", "accommodation", "waitinganswer", "remarking", "report")
    for model in (*lists, "staletext"):
        yield from _page(f"{model} list", f"mpquiz_{model}_changelist")
    yield from _page("waitinganswer list, marked", "mpquiz_waitinganswer_changelist", state="marked")
    yield from _page("quiz list, page 5", "mpquiz_quiz_changelist", p="5")
    yield from _page("quiz list, searched", "mpquiz_quiz_changelist", q="الاختبار 77")
    yield from _page("question list, lacks Arabic", "mpquiz_question_changelist", translation="lacks-ar")
    yield from _page("question list, searched", "mpquiz_question_changelist", q="f(777)")
    yield from _page("question list, of a quiz", "mpquiz_question_changelist", quizzes__id__exact=str(quiz.pk))
    yield from _page("attempt list, of the large quiz", "mpquiz_attempt_changelist", quiz__id__exact=str(quiz.pk))
    yield from _page(
        "attempt list, read in Arabic", "mpquiz_attempt_changelist", quiz__id__exact=str(quiz.pk), language="ar"
    )
    yield from _page("attempt list, a learner", "mpquiz_attempt_changelist", q="learner77")
    yield from _page("quiz form", "mpquiz_quiz_change", quiz.pk)
    yield from _page("quiz form, new", "mpquiz_quiz_add")
    yield from _page("question form", "mpquiz_question_change", question.pk)
    yield from _page("question form, new", "mpquiz_question_add")
    yield from _page("question history", "mpquiz_question_history", question.pk)
    yield from _page("attempt form", "mpquiz_attempt_change", attempt.pk)
    yield from _page("guide form", "mpquiz_guide_change", Guide.objects.order_by("pk")[0].pk)
    yield from _page("mark anew", "mpquiz_remarking_anew", quiz.pk)
    yield from _page("statistics of the large quiz", "mpquiz_quiz_statistics", quiz.pk)
    yield from _page("statistics, all attempts", "mpquiz_quiz_statistics", quiz.pk, which="all")
    yield from _page("statistics, last attempts", "mpquiz_quiz_statistics", quiz.pk, which="last")
    yield from _page("guides by what is missed", "mpquiz_guide_statistics")
    yield Page("search of questions", reverse("admin:autocomplete"), _SEARCH)


_SEARCH = {"app_label": "mpquiz", "model_name": "quizquestion", "field_name": "question", "term": "f(77)"}


def _page(name: str, view: str, *args: Any, **query: str) -> Iterator[Page]:
    try:
        yield Page(name, reverse(f"admin:{view}", args=args), query)
    except NoReverseMatch:
        print(f"{name}: there is no such page")


def report(*, only: str, explain: bool) -> None:
    """Measure every page whose name has ``only`` in it, and print a line for each."""
    client = Client()
    boss, _new = get_user_model().objects.get_or_create(
        username="boss", defaults={"is_staff": True, "is_superuser": True}
    )
    client.force_login(boss)
    print(f"{'page':40} {'status':>6} {'queries':>7} {'cold ms':>8} {'warm ms':>8} {'query ms':>8}")
    for page in pages():
        if only in page.name:
            _measure(client, page, explain=explain)
    _chosen(explain=explain)


def _measure(client: Client, page: Page, *, explain: bool) -> None:
    with CaptureQueriesContext(connection) as capture:
        cold, status = _seconds(client, page)
    asked = list(capture.captured_queries)
    warm = min(_seconds(client, page)[0] for _again in range(_WARM))
    slowest = max((float(one["time"]) for one in asked), default=0.0)
    numbers = f"{status:>6} {len(asked):>7} {cold * 1000:>8.0f} {warm * 1000:>8.0f} {slowest * 1000:>8.0f}"
    print(f"{page.name:40} {numbers}", flush=True)
    for query in asked:
        if float(query["time"]) > SLOW:
            _plan(query, explain=explain)


def _seconds(client: Client, page: Page) -> tuple[float, int]:
    begun = time.perf_counter()
    answer = client.get(page.address, page.query)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    assert body or answer.status_code == 302
    return time.perf_counter() - begun, answer.status_code


def _plan(query: dict[str, str], *, explain: bool) -> None:
    print(f"    {float(query['time']) * 1000:.0f} ms: {query['sql'][:160]} …")
    if not explain:
        return
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, COSTS OFF) {query['sql']}")
        for (line,) in cursor.fetchall():
            print(f"        {line}")


def _chosen(*, explain: bool) -> None:
    """How often each choice of the large quiz was taken, over the index alone."""
    from django.db.models import Count

    from mpquiz.models import Answer

    rows = Answer.objects.filter(counted_in=site.large_quiz()).order_by()
    counts = rows.values("question", "tally", "language").annotate(count=Count("*"))
    with CaptureQueriesContext(connection) as asked:
        found = list(counts)
    print(
        f"choices of the large quiz: {len(found)} counts in {float(asked.captured_queries[0]['time']) * 1000:.0f} ms"
    )
    if explain:
        _plan(asked.captured_queries[0], explain=True)
