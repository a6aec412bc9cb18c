"""Make nobody's what users left who were not heard of in a quiz for some days."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import ngettext

from ... import privacy
from .. import days as kept


class Command(BaseCommand):
    help = (
        "Take users out of their attempts at quizzes in which they neither started nor answered anything for some "
        "days. The attempts stay without name and without what was typed. Safe to stop and to run again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        kept.add_argument(parser, "learners")

    def handle(self, *args: Any, days: int | None, **options: Any) -> None:
        since = kept.silent_since(days, "learners")
        if since is None:
            self.stdout.write(kept.kept_for_ever("learners"))
            return
        count = privacy.let_go_of_learners(since)
        message = ngettext("%(count)d attempt is nobody’s now.", "%(count)d attempts are nobody’s now.", count)
        self.stdout.write(message % {"count": count})
