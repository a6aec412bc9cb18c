"""What was seen of a fault: how often what must hold held, and what must hold of all rows at its end."""

import time
from collections import Counter, defaultdict
from typing import Any


class Account:
    """Of one fault. What did not hold each time is broken."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.begun = time.monotonic()
        self.held: Counter[str] = Counter()
        self.asked: Counter[str] = Counter()
        self.details: dict[str, list[str]] = defaultdict(list)
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.notes: list[str] = []

    def expect(self, what: str, held: object, detail: object = "") -> bool:
        """Count whether it held this time; ``detail`` is told where it did not."""
        self.asked[what] += 1
        self.held[what] += bool(held)
        if not held and detail and len(self.details[what]) < 3:
            self.details[what].append(str(detail)[:1000])
        return bool(held)

    def took(self, what: str, seconds: float) -> None:
        self.seconds[what].append(seconds)

    def note(self, text: str) -> None:
        self.notes.append(text)

    @property
    def broken(self) -> list[str]:
        return [what for what, count in self.asked.items() if self.held[what] < count]

    def table(self) -> str:
        lines = [f"== {self.name} ({time.monotonic() - self.begun:.0f} s)"]
        for what, count in self.asked.items():
            sign = "ok    " if self.held[what] == count else "BROKEN"
            lines.append(f"  {sign} {self.held[what]:4} of {count:4}  {what}")
            lines += [f"              {detail}" for detail in self.details[what]]
        for what, taken in self.seconds.items():
            middle = sorted(taken)[len(taken) // 2]
            lines.append(f"  {what}: median {middle * 1000:.0f} ms, longest {max(taken) * 1000:.0f} ms")
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def judge(account: Account, site: Any) -> None:
    """What must hold of all rows, and of all that was acknowledged."""
    for what, rows in site.broken().items():
        account.expect(what, not rows, rows[:3])
