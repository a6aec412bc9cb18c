"""Admin on hosts of one, two and three languages, each in a process: a host's languages are fixed at its start."""

import subprocess
import sys

import pytest


@pytest.mark.host
@pytest.mark.parametrize("languages", ["ar", "fr", "ar,en", "en,ar,fr"])
def test_an_editor_works_in_the_languages_of_the_host(languages):
    command = [sys.executable, "-m", "tests.admin.host", languages]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
