"""What every test may use."""

import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.template.base import Template
from django.utils import timezone, translation

# A slow machine is no fault, and the gate tries the same examples each time; .ci/long looks for new ones.
hypothesis.settings.register_profile("gate", deadline=None, derandomize=True)
hypothesis.settings.register_profile("long", deadline=None, max_examples=5000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


_render = Template._render  # before the test environment takes its place


@pytest.fixture(autouse=True, scope="session")
def unwatched_templates(django_test_environment: None) -> None:
    """The test client copies the context of each template, the smallest widget's too: a tenth of a page in admin.

    ``response.context_data`` tells the same of a page, and costs nothing.
    """
    Template._render = _render  # type: ignore[method-assign]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With ``MPQUIZ_SAMPLE=4``, every fourth case of each test: for what runs beside the whole, as in the gate."""
    every, numbers = int(os.environ.get("MPQUIZ_SAMPLE", 1)), Counter[str]()
    kept, left = [], []
    for item in items:
        test = item.nodeid.partition("[")[0]
        (left if numbers[test] % every else kept).append(item)
        numbers[test] += 1
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = kept


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    """Throttles count in the cache: one test must not use up another's rate."""
    cache.clear()


@pytest.fixture(autouse=True)
def own_language() -> Iterator[None]:
    """A request leaves its language active in this thread."""
    translation.activate(settings.LANGUAGE_CODE)
    yield
    translation.activate(settings.LANGUAGE_CODE)


class Clock:
    """The clock of the server, which goes only when a test moves it: forward, or back as one that is set right."""

    def __init__(self) -> None:
        self.now = timezone.now().replace(microsecond=0)

    def __call__(self) -> datetime:
        return self.now

    def move(self, **by: float) -> None:
        """``clock.move(minutes=5)``."""
        self.now += timedelta(**by)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The server's clock, standing still."""
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock
