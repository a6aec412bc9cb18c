"""What the host was told of attempts, as lines of a file that all processes share: each end is told once."""

import os
from collections import Counter
from typing import Any

from django.apps import AppConfig
from django.conf import settings

from mpquiz import signals


def note(sender: Any, *, attempt: Any, **kwargs: Any) -> None:
    """Receiver of ``attempt_finished``. A short line is written whole, whoever else writes."""
    with open(settings.NOTES, "ab", buffering=0) as notes:
        notes.write(f"{attempt.public_id}\n".encode())


def noted(path: str) -> Counter[str]:
    """{attempt: how often the host was told that it ended}."""
    if not os.path.exists(path):
        return Counter()
    with open(path) as notes:
        return Counter(notes.read().split())


class NotingConfig(AppConfig):
    name = "tests.load.noting"

    def ready(self) -> None:
        signals.attempt_finished.connect(note, dispatch_uid="tests.load.noting")
