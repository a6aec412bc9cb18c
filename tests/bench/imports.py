"""What importing costs at 1,000 and 5,000 questions: ``python -m tests.bench.imports``.

Each step runs in a process of its own database in memory; told are seconds, the peak of memory above what the
empty process had, and queries. ``--profile`` shows where the time of the largest import goes.
"""

import argparse
import cProfile
import os
import pstats
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import django

COUNTS = (1000, 5000)
AIM = 30  # seconds for 5,000 questions
STEPS = ("import", "again", "join", "force", "export")


def gift(count: int, language: str) -> bytes:
    """A course of so many questions, of the kinds that courses have."""
    which, right, wrong, why = {
        "en": ("Which number comes after", "the next one", "the one before", "Count on by one."),
        "ar": ("أي عدد يأتي بعد العدد", "العدد التالي", "العدد السابق", "عُدَّ واحدًا إلى الأمام."),
    }[language]
    forms = (
        "{{={right} {n} #{why} ~{wrong} {n} ~%-50%{wrong} {n}/2 ~0 ####{why}}}",
        "{{={right} {n} =%50%{wrong} {n}}}",
        "{{#{n}:0.5}}",
        "{{=1 {n} -> {right} =2 {n} -> {wrong} =3 {n} -> 0}}",
        "{{TRUE#{wrong}#{right}}}",
    )
    values = {"right": right, "wrong": wrong, "why": why}
    questions = (
        f"::{which} {n}:: {which} **{n}**? " + forms[n % len(forms)].format(n=n, **values) for n in range(count)
    )
    return (f"$CATEGORY: {which}\n\n" + "\n\n".join(questions) + "\n").encode()


def _steps(count: int) -> dict[str, Callable[[], object]]:
    from mpquiz import exchange, importing
    from mpquiz.formats import FORMATS
    from mpquiz.models import Quiz

    english, arabic = gift(count, "en"), gift(count, "ar")
    changed = english.replace(b"comes after", b"follows")

    def bring(data: bytes, language: str, **options: bool) -> None:
        brought = importing.bring(data, format="gift", language=language, into="course", **options)
        assert not brought.errors, brought.errors[:3]

    return {
        "import": lambda: bring(english, "en"),
        "again": lambda: bring(english, "en"),
        "join": lambda: bring(arabic, "ar"),
        "force": lambda: bring(changed, "en", force=True),
        "export": lambda: FORMATS["yaml"].render(exchange.dump(Quiz.objects.get())),
    }


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def measure(count: int, profile: bool) -> None:
    """Run the steps in this process and tell what each cost."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.db import connection

    connection.settings_dict["NAME"] = settings.DATABASES["default"]["NAME"] = ":memory:"
    call_command("migrate", verbosity=0)
    before = _peak()
    for name, step in _steps(count).items():
        queries = 0

        def counted(execute: Callable[..., object], *args: object) -> object:
            nonlocal queries
            queries += 1
            return execute(*args)

        profiler = cProfile.Profile()
        begun = time.perf_counter()
        with connection.execute_wrapper(counted):
            profiler.runcall(step) if profile else step()
        taken = time.perf_counter() - begun
        print(f"{count:>6} {name:<8} {taken:>7.2f} s {_peak() - before:>7.0f} MB {queries:>6} queries", flush=True)
        if profile:
            pstats.Stats(profiler).sort_stats("cumulative").print_stats(45)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, help="only so many questions, in this process")
    parser.add_argument("--profile", action="store_true")
    options = parser.parse_args()
    if options.count:
        measure(options.count, options.profile)
        return
    for count in COUNTS:
        subprocess.run([sys.executable, "-m", "tests.bench.imports", "--count", str(count)], check=True)


if __name__ == "__main__":
    main()
