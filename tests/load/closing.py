"""The job that closes what is overdue, begun at an appointed second: ``python -m tests.load.closing EPOCH``."""

import os
import sys
import time

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.load.settings")
    django.setup()
    from django.core.management import call_command
    from django.db import connection

    connection.ensure_connection()
    time.sleep(max(0.0, float(sys.argv[1]) - time.time()))
    call_command("mpquiz_finish_overdue")


if __name__ == "__main__":
    main()
