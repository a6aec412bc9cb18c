"""What learners saw acknowledged (I8): it must be in the database exactly so, and once."""

import threading
import uuid
from collections.abc import Iterable, Sequence
from typing import Any

from mpquiz.models import Answer

Place = tuple[str, int]  # an attempt's public id, a position


class Ledger:
    """Written by many threads. Of an answer that stands once it is given, a second value is a contradiction."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.given: dict[Place, tuple[str, ...]] = {}
        self.contradictions: list[str] = []

    def acknowledged(self, attempt: str, position: int, given: Iterable[str], *, changeable: bool = False) -> None:
        """The server said that this is the answer there; where it is ``changeable``, instead of what was before."""
        place, value = (attempt, position), tuple(given)
        with self.lock:
            before = self.given.get(place)
            if before not in (None, value) and not changeable:
                self.contradictions.append(f"{place}: {before} and {value} were both acknowledged")
            self.given[place] = value

    def violations(self) -> list[str]:
        """What was acknowledged and is not there, or otherwise."""
        attempts = {uuid.UUID(attempt) for attempt, _position in self.given}
        stored: dict[Place, Any] = {}
        for rows in _in_batches(sorted(attempts)):
            for answer in Answer.objects.filter(attempt__public_id__in=rows).select_related("attempt", "version"):
                stored[str(answer.attempt.public_id), answer.position] = answer
        wrong = [
            f"{place}: {given} was acknowledged, {_told(stored.get(place))} is stored"
            for place, given in self.given.items()
            if _told(stored.get(place)) != given
        ]
        return [*self.contradictions, *wrong]


def _in_batches(ids: Sequence[Any], size: int = 500) -> Iterable[Sequence[Any]]:
    return (ids[at : at + size] for at in range(0, len(ids), size))


def _told(answer: Answer | None) -> tuple[str, ...] | None:
    """A stored answer as the form would send it; None where there is none."""
    if answer is None or answer.answered_at is None:
        return None
    if answer.content.kind not in ("single", "multiple"):
        return (str(answer.given),)
    keys = [answer.given] if isinstance(answer.given, str) else answer.given
    return tuple(str(place) for place in sorted(answer.order.index(key) + 1 for key in keys))
