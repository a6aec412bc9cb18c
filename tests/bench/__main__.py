"""CPU of our pages beside a bare Django view of the same host, in one run and interleaved: ``python -m tests.bench``.

The whole WSGI handler is measured, middleware, database session and signed-in user included; not the test client.
``MPQUIZ_BENCH_ROUNDS`` says how often each is asked, ``--profile NAME`` shows where the time of one of them goes.
"""

import argparse
import cProfile
import io
import json
import os
import pstats
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

import django

ROUNDS = int(os.environ.get("MPQUIZ_BENCH_ROUNDS", "240"))
WARM_UP = 16
AIMS = {"question": 1.6, "answer": 1.8, "result": 2.0}
BY_API = {"api_question": "question", "api_answer": "answer", "api_result": "result"}
"""What is told beside which page."""


class Browser:
    """Asks the WSGI handler as a signed-in user; the seconds of CPU that each answer took."""

    def __init__(self, user: object) -> None:
        from django.core.handlers.wsgi import WSGIHandler
        from django.test import Client

        client = Client()
        client.force_login(user)
        self.token = "c" * 32
        self.cookies = f"sessionid={client.cookies['sessionid'].value}; csrftoken={self.token}"
        self.handler = WSGIHandler()

    def ask(self, path: str, data: dict[str, object] | None = None, status: int = 200) -> float:
        form = {**data, "csrfmiddlewaretoken": self.token} if data is not None else None
        body = urlencode(form, doseq=True).encode() if form is not None else b""
        return self._asked(path, "GET" if form is None else "POST", body, "application/x-www-form-urlencoded", status)

    def ask_api(self, path: str, body: dict[str, object] | None = None) -> float:
        sent = b"" if body is None else json.dumps(body).encode()
        return self._asked(path, "GET" if body is None else "POST", sent, "application/json", 200)

    def _asked(self, path: str, method: str, body: bytes, content_type: str, status: int) -> float:
        environ = {
            "REQUEST_METHOD": method,
            "PATH_INFO": path,
            "SERVER_NAME": "bench",
            "SERVER_PORT": "80",
            "HTTP_HOST": "bench",
            "HTTP_COOKIE": self.cookies,
            "HTTP_ACCEPT_LANGUAGE": "ar,en;q=0.5",
            "CONTENT_TYPE": content_type,
            "HTTP_X_CSRFTOKEN": self.token,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": io.BytesIO(body),
            "wsgi.errors": sys.stderr,
            "wsgi.url_scheme": "http",
        }
        begun = time.process_time()
        response = self.handler(environ, lambda *args: None)
        b"".join(response)
        response.close()
        taken = time.process_time() - begun
        assert response.status_code == status, (path, response.status_code)
        return taken


class Road:
    """The requests to compare. Each call asks once; an answer goes to the next question of an open attempt."""

    def __init__(self) -> None:
        from mpquiz.models import Attempt, Quiz
        from tests.factories import learner, make_user

        user = make_user()
        self.browser, self.learner = Browser(user), learner(user)
        self.quiz = Quiz.objects.get(slug="floating-point")
        self.done = Attempt.objects.start(self.quiz, self.learner)
        for position in range(1, self.done.answers.count() + 1):
            self.done.answer(position, position % 3 + 1)
        self.attempt = Attempt.objects.start(self.quiz, self.learner)
        self.waiting: list[int] = []

    def bare_read(self) -> float:
        return self.browser.ask("/en/bare/")

    def bare_page(self) -> float:
        return self.browser.ask("/en/bare/page/")

    def bare_write(self) -> float:
        return self.browser.ask("/en/bare/", {"given": "1"}, 303)

    def question(self) -> float:
        return self.browser.ask(f"{self._address(self.attempt)}{self.waiting[0] if self.waiting else 1}/")

    def answer(self) -> float:
        return self.browser.ask(f"{self._address(self.attempt)}{self._next()}/", {"given": "1"}, 303)

    def _next(self) -> int:
        """A question that waits for its answer; of a new attempt where none does."""
        if not self.waiting:
            self.attempt = self.attempt.start_over(self.learner, number=self.attempt.number + 1)
            self.waiting = list(self.attempt.answers.values_list("position", flat=True))
        return self.waiting.pop(0)

    def api_question(self) -> float:
        return self.browser.ask_api(
            f"{self._by_api(self.attempt)}questions/{self.waiting[0] if self.waiting else 1}/"
        )

    def api_answer(self) -> float:
        position = self._next()
        return self.browser.ask_api(f"{self._by_api(self.attempt)}questions/{position}/answer/", {"given": 1})

    def api_result(self) -> float:
        return self.browser.ask_api(f"{self._by_api(self.done)}result/")

    def result(self) -> float:
        return self.browser.ask(self._address(self.done))

    def _address(self, attempt: object) -> str:
        return f"/en/quizzes/attempts/{attempt.public_id}/"  # type: ignore[attr-defined]

    def _by_api(self, attempt: object) -> str:
        return f"/api/v1/attempts/{attempt.public_id}/"  # type: ignore[attr-defined]


def prepare() -> Road:
    """A database of its own with the sample quiz of eight questions in it."""
    from django.conf import settings
    from django.core.management import call_command

    settings.ROOT_URLCONF = "tests.bench.urls"
    # Connecting would cost both sides the same and hide what they do; a server keeps its connections too.
    settings.DATABASES["default"]["CONN_MAX_AGE"] = None
    call_command("migrate", verbosity=0)
    sample = Path(__file__).resolve().parents[2] / "project" / "samples" / "floating-point.yaml"
    call_command("mpquiz_import", str(sample), stdout=io.StringIO())
    return Road()


def measure(road: Road) -> dict[str, float]:
    """The median of each, in milliseconds of CPU."""
    from django.core.cache import cache

    names = ["bare_read", "question", "bare_page", "result", "bare_write", "answer", *BY_API]
    taken: dict[str, list[float]] = {name: [] for name in names}
    for number in range(WARM_UP + ROUNDS):
        cache.clear()  # no learner asks so fast, and what throttles count would grow
        for name in names:
            seconds = getattr(road, name)()
            if number >= WARM_UP:
                taken[name].append(seconds)
    return {name: statistics.median(values) * 1000 for name, values in taken.items()}


def report(medians: dict[str, float]) -> None:
    for name, milliseconds in medians.items():
        print(f"{name:12} {milliseconds:7.3f} ms")
    print()
    for name, aim in AIMS.items():
        bare = medians["bare_write" if name == "answer" else "bare_read"]
        line = f"{name:10} {medians[name] / bare:5.2f} times the bare view (aim {aim})"
        if name != "answer":
            line += f", {medians[name] / medians['bare_page']:5.2f} times one that renders a template"
        print(line)
    for name, page in BY_API.items():
        print(f"{name:12} {medians[name] / medians[page]:5.2f} times the page")


def profile(ask: Callable[[], float]) -> None:
    for _ in range(WARM_UP):
        ask()
    profiler = cProfile.Profile()
    for _ in range(ROUNDS):
        profiler.runcall(ask)
    pstats.Stats(profiler).sort_stats("cumulative").print_stats(70)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument(
        "--profile",
        metavar="NAME",
        help=f"question, answer, result, {', '.join(BY_API)}, bare_read, bare_page, bare_write",
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{folder}/bench.sqlite3")
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        django.setup()
        road = prepare()
        profile(getattr(road, options.profile)) if options.profile else report(measure(road))


if __name__ == "__main__":
    main()
