"""What goes wrong on servers, done on purpose: ``python -m tests.faults [F8 F9 ...]``.

MPQUIZ_FAULT_ROUNDS says how often each is done (20 by default). Told is what was seen; ends with 1 where anything
that must hold did not. DATABASE_URL names a PostgreSQL; the databases are made for the run and dropped after it.
"""

import argparse
import os
import sys
import traceback

import django

from .account import Account
from .every import FAULTS, fault

ROUNDS = int(os.environ.get("MPQUIZ_FAULT_ROUNDS", "20"))


def main() -> None:
    os.environ.setdefault("DATABASE_URL", f"postgres://postgres@127.0.0.1:5432/mpquiz_faults_{os.getpid()}")
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.faults.settings"
    django.setup()
    parser = argparse.ArgumentParser(prog="python -m tests.faults")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FAULTS))
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    broken = []
    for name in options.names or FAULTS:
        befall = fault(name)
        account = Account(f"{name}: {(befall.__doc__ or '').partition('. ')[2]}")
        try:
            befall(account, options.rounds)
        except Exception:
            traceback.print_exc()
            broken.append(name)
        print(f"{account.table()}\n", flush=True)
        broken += [name] if account.broken else []
    print(f"Broken: {', '.join(dict.fromkeys(broken))}" if broken else "All of them held.")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
