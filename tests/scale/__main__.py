"""Fill a PostgreSQL database and measure editors' pages in it: ``DATABASE_URL=postgres://… python -m tests.scale``.

``--build`` migrates and fills an empty database first, ``--share 0.01`` makes a hundredth of the site; ``--explain``
prints the plan of each query over 100 ms, ``--writes`` measures what counting costs an answer instead. Prints a
table; nothing is asserted here, tests assert numbers of queries.
"""

import argparse
import os
import time

import django

SLOW = 0.1  # seconds


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--build", action="store_true")
    options.add_argument("--share", type=float, default=1.0)
    options.add_argument("--explain", action="store_true")
    options.add_argument("--only", default="")
    options.add_argument("--writes", action="store_true")
    given = options.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.scale.settings")
    django.setup()
    from django.core.management import call_command

    from . import measuring, site, writing

    if given.build:
        begun = time.perf_counter()
        call_command("migrate", verbosity=0)
        site.build(site.Size().times(given.share) if given.share != 1 else site.Size())
        print(f"built in {time.perf_counter() - begun:.0f} s")
    if given.writes:
        writing.report()
        return
    measuring.report(only=given.only, explain=given.explain)


if __name__ == "__main__":
    main()
