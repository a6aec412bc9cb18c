"""A site that is well, and what the doctor finds."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mpquiz import doctor


@pytest.fixture(autouse=True)
def well(settings: Any, tmp_path: Path, db: Any) -> Any:
    """The settings of a site of many workers: a shared cache, a place for files, a zone that was chosen."""
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.filebased.FileBasedCache", "LOCATION": tmp_path / "cache"}
    }
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.TIME_ZONE = "UTC"
    return settings


@pytest.fixture
def found() -> Callable[..., list[doctor.Finding]]:
    """The findings, of which each says what, where and what to do."""

    def found(*, skip: Any = ()) -> list[doctor.Finding]:
        findings = list(doctor.examine(skip=skip))
        for one in findings:
            assert one.what.endswith((".", "…")) or ": " in one.what, one
            assert one.where and one.remedy, one
        return findings

    return found


@pytest.fixture
def only(found: Any) -> Callable[..., doctor.Finding]:
    """The one finding, of this ailment."""

    def only(ailment: str, *, broken: bool = True, skip: Any = ()) -> doctor.Finding:
        findings = found(skip=skip)
        assert [(one.ailment, one.broken) for one in findings] == [(ailment, broken)], findings
        return findings[0]

    return only
