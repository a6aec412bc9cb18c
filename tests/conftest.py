"""What every test may use."""

import os
from collections.abc import Iterator

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import cache
from django.utils import translation

# A slow machine is no fault, and the gate tries the same examples each time; .ci/long looks for new ones.
hypothesis.settings.register_profile("gate", deadline=None, derandomize=True)
hypothesis.settings.register_profile("long", deadline=None, max_examples=5000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


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
