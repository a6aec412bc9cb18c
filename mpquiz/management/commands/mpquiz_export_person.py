"""Tell a person what is stored about them, as JSON."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from ... import privacy
from .. import persons


class Command(BaseCommand):
    help = "Write all that quizzes store about one person: a user by name or --pk, or a --guest."

    def add_arguments(self, parser: CommandParser) -> None:
        persons.add_arguments(parser)
        parser.add_argument("--output", default="-", metavar="FILE", help="- is the standard output, the default")

    def handle(self, *args: Any, output: str, **options: Any) -> None:
        person = persons.person(**options)
        if output == "-":
            self.stdout.ending = ""  # what is written is no lines
            privacy.write(person, self.stdout)
            return
        try:
            with Path(output).open("w", encoding="utf-8") as file:
                privacy.write(person, file)
        except OSError as error:
            told = {"file": output, "reason": error.strerror}
            raise CommandError(_("“%(file)s” cannot be written: %(reason)s") % told) from error
