"""A site of the first release is upgraded with its data: old attempts read as they did, open ones go on."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hosts.test_hosts import server  # noqa: F401  (a fixture)

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.host


def upgrade(database: str) -> None:
    """Load the rows of the first release, migrate, and go on: see ``tests.upgrades.__main__``."""
    environment = {
        **os.environ,
        "DATABASE_URL": database,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-W", "ignore::UserWarning", "-m", "tests.upgrades"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "upgraded" in done.stdout


def test_the_first_release_is_upgraded_with_its_data(tmp_path: Path) -> None:
    upgrade(f"sqlite:///{tmp_path}/first.sqlite3")


def test_the_first_release_is_upgraded_with_its_data_on_servers_too(server: str) -> None:  # noqa: F811
    upgrade(server)
