"""How the commands of each night are told how long something is kept."""

from argparse import ArgumentTypeError
from datetime import datetime, timedelta

from django.core.management.base import CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _

from ..conf import LONGEST_RETENTION, conf


def add_argument(parser: CommandParser, whom: str) -> None:
    told = f'how many days they may be silent; MPQUIZ["RETENTION"]["{whom}"] says so where this does not'
    parser.add_argument("--days", type=_days, help=told)


def silent_since(days: int | None, whom: str) -> datetime | None:
    """The moment after which somebody must have been heard of; None: they are kept for ever."""
    days = days or conf.RETENTION[whom]
    return None if days is None else timezone.now() - timedelta(days=days)


def kept_for_ever(whom: str) -> str:
    setting = f'MPQUIZ["RETENTION"]["{whom}"]'
    return _("Nothing was done: neither --days nor %(setting)s says after how many days.") % {"setting": setting}


def _days(text: str) -> int:
    if not (text.isdecimal() and len(text) < 9 and 0 < int(text) <= LONGEST_RETENTION):
        raise ArgumentTypeError(_("a number of days from 1 to 36500 is expected, not “%(text)s”.") % {"text": text})
    return int(text)
