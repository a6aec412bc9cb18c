"""A site may read from a replica that lags behind: attempts are read from the database that is written."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


@pytest.mark.host
def test_all_is_done_with_attempts_while_the_replica_knows_of_none(tmp_path: Path) -> None:
    """Pages, exams, sign-in, marking, re-marking, lessons, admin, commands; see ``tests.replica.__main__``."""
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.replica.settings",
        "PYTHONPATH": str(ROOT),
        "REPLICA_FOLDER": str(tmp_path),
    }
    command = [sys.executable, "-W", "ignore::UserWarning", "-m", "tests.replica"]
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=180, check=False
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "replica {" in done.stdout


def test_the_readme_has_this_router() -> None:
    router = (HERE / "routers.py").read_text(encoding="utf-8").partition('"""\n\n')[2]
    assert router in (ROOT / "README.md").read_text(encoding="utf-8")
