"""Two hundred learners on four workers: ``python -m tests.load [--learners 200] [--seconds 60]``.

Told is how long each kind of request took beside a bare Django view, asked of the same server in the same run. Then
what must hold is read in SQL, and what learners saw acknowledged is looked for. Ends with 1 where anything is broken.
DATABASE_URL names the server; the database is made for the run and dropped after it.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import django


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.load")
    parser.add_argument("--learners", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60, help="how long the steady phase lasts")
    parser.add_argument("--think", type=float, default=10, help="mean seconds before an answer")
    parser.add_argument("--workers", type=int, default=4)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DATABASE_URL", f"postgres://postgres@127.0.0.1:5432/mpquiz_load_{os.getpid()}")
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.load.settings"
        os.environ["MPQUIZ_LOAD_NOTES"] = str(Path(folder) / "notes")
        django.setup()
        from .run import run  # needs the settings

        sys.exit(1 if run(options) else 0)


if __name__ == "__main__":
    main()
