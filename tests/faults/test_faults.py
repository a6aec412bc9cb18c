"""What goes wrong on servers loses nothing. As often as MPQUIZ_FAULT_ROUNDS says; without it not at all, since each
fault takes from seconds to minutes. Needs the extra ``load`` and PostgreSQL, which is none of the tests' database."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults.every import FAULTS

ROOT = Path(__file__).resolve().parent.parent.parent
ROUNDS = os.environ.get("MPQUIZ_FAULT_ROUNDS")


@pytest.mark.fault
@pytest.mark.skipif(ROUNDS is None, reason="takes long: set MPQUIZ_FAULT_ROUNDS")
@pytest.mark.parametrize("name", FAULTS)
def test_nothing_is_lost(name: str) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
    command = [sys.executable, "-m", "tests.faults", name]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
