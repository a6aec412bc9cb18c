"""Delete what guests left who were not heard of for some days."""

from argparse import ArgumentTypeError
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ...models import Attempt

_BATCH = 500  # attempts deleted in one transaction


def _days(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text) <= 36_500):
        raise ArgumentTypeError(_("a number of days from 1 to 36500 is expected, not “%(text)s”.") % {"text": text})
    return int(text)


class Command(BaseCommand):
    help = "Delete the attempts of guests who neither started nor answered anything for some days."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=_days, required=True, help="how many days a guest may be silent")

    def handle(self, *args: Any, days: int, **options: Any) -> None:
        silent = Attempt.objects.of_guests_silent_since(timezone.now() - timedelta(days=days))
        count = 0
        while rows := list(silent.values_list("pk", flat=True)[:_BATCH]):
            Attempt.objects.filter(pk__in=rows).delete()
            count += len(rows)
        message = ngettext("%(count)d attempt of guests deleted.", "%(count)d attempts of guests deleted.", count)
        self.stdout.write(message % {"count": count})
