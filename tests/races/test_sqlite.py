"""SQLite with ``transaction_mode: IMMEDIATE``: many learners answer at the same moment and nobody is turned away."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = """
import threading
import django
django.setup()
from django.core.management import call_command
from django.db import connection, connections
call_command("migrate", verbosity=0)
from mpquiz.models import Answer, Attempt
from tests import invariants
from tests.factories import learner, make_quiz, make_user
quiz = make_quiz(count=25)
attempts = [Attempt.objects.start(quiz, learner(make_user(f"learner{n}"))) for n in range(12)]
barrier, failures = threading.Barrier(12), []

def take(attempt):
    barrier.wait()
    for position in range(1, 26):
        try:
            attempt.answer(position, 1)
        except Exception as error:
            failures.append(repr(error))
    connections.close_all()

threads = [threading.Thread(target=take, args=(attempt,)) for attempt in attempts]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
scores = {str(attempt.score) for attempt in Attempt.objects.all()}
invariants.check(connection)
print(len(failures), Answer.objects.exclude(answered_at=None).count(), scores, failures[:1])
"""


@pytest.mark.race
def test_twelve_learners_give_twenty_five_answers_each_and_none_fails(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/races.sqlite3"
    environment = {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "0 300 {'25.000000000'} []"
