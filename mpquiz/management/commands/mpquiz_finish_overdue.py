"""Close the rows of attempts past their deadline, which read as finished already. Safe to run twice at once."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import ngettext

from ...models import Attempt


class Command(BaseCommand):
    help = "Close the attempts whose time is up."

    def handle(self, *args: Any, **options: Any) -> None:
        count = sum(attempt.close_overdue() for attempt in Attempt.objects.overdue().iterator())
        message = ngettext("%(count)d attempt closed.", "%(count)d attempts closed.", count)
        self.stdout.write(message % {"count": count})
