"""How long requests of each kind took, beside those of a bare view."""

import threading
from collections import Counter, defaultdict

BARE = {"GET": "bare GET", "POST": "bare POST"}


class Figures:
    """Filled by many threads. Seconds are from the first byte sent to the last one read."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.seconds: dict[str, list[float]] = defaultdict(list)
        self.statuses: dict[str, Counter[int]] = defaultdict(Counter)

    def note(self, what: str, status: int, seconds: float) -> None:
        with self.lock:
            self.seconds[what].append(seconds)
            self.statuses[what][status] += 1

    @property
    def count(self) -> int:
        return sum(map(len, self.seconds.values()))

    @property
    def failed(self) -> int:
        """How many were answered with a server error."""
        return sum(count for some in self.statuses.values() for status, count in some.items() if status >= 500)

    def at(self, what: str, share: float) -> float | None:
        """The milliseconds below which such a share of the requests stayed; None without any."""
        taken = sorted(self.seconds[what])
        return taken[min(int(len(taken) * share), len(taken) - 1)] * 1000 if taken else None

    def table(self) -> str:
        """A line for each kind: count, medians and 95th and 99th hundredths in ms, times the bare view, statuses."""
        lines = [f"{'':22}{'count':>7}{'p50':>8}{'p95':>8}{'p99':>8}   x bare p50, p95   statuses"]
        for what in sorted(self.seconds, key=lambda one: (one in BARE.values(), one)):
            statuses = " ".join(f"{status}:{count}" for status, count in sorted(self.statuses[what].items()))
            shares = "".join(f"{self.at(what, share):8.1f}" for share in (0.5, 0.95, 0.99))
            lines.append(f"{what:22}{len(self.seconds[what]):7}{shares}   {self._beside(what):16}  {statuses}")
        return "\n".join(lines)

    def _beside(self, what: str) -> str:
        bare = BARE["POST" if what.startswith(("POST", "bare POST")) else "GET"]
        if not self.seconds.get(bare):
            return ""
        return ", ".join(f"{self.at(what, share) / self.at(bare, share):5.2f}" for share in (0.5, 0.95))  # type: ignore[operator]
