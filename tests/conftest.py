"""What every test may use."""

from collections.abc import Iterator

import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils import translation


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
