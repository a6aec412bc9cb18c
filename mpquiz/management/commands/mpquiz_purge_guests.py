"""Delete what guests left who were not heard of for some days."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import ngettext

from ... import privacy
from .. import days as kept


class Command(BaseCommand):
    help = "Delete the attempts of guests who neither started nor answered anything for some days."

    def add_arguments(self, parser: CommandParser) -> None:
        kept.add_argument(parser, "guests")

    def handle(self, *args: Any, days: int | None, **options: Any) -> None:
        since = kept.silent_since(days, "guests")
        if since is None:
            self.stdout.write(kept.kept_for_ever("guests"))
            return
        count = privacy.let_go_of_guests(since)
        message = ngettext("%(count)d attempt of guests deleted.", "%(count)d attempts of guests deleted.", count)
        self.stdout.write(message % {"count": count})
