"""Take a person out of all that is stored."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from ... import privacy
from .. import persons


class Command(BaseCommand):
    help = (
        "Take one person, a user by name or --pk, or a --guest, out of all that quizzes store. Their attempts stay "
        "without name and without what they typed. The user's account stays as it is."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        persons.add_arguments(parser)
        parser.add_argument("--delete", action="store_true", help="delete their attempts and reports altogether")
        parser.add_argument("--dry-run", action="store_true", help="only say what there is")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, delete: bool, dry_run: bool, yes: bool, **options: Any) -> None:
        person = persons.person(**options)
        if not dry_run and not yes:
            self._tell(privacy.held(person))
            if input(_("This cannot be undone. Type “yes” to go on: ")).strip().lower() not in ("yes", _("yes")):
                raise CommandError(_("Nothing was erased."))
        self._tell(privacy.held(person) if dry_run else privacy.erase(person, delete=delete))
        self.stdout.write(_("Nothing was erased.") if dry_run else _("Erased."))

    def _tell(self, counts: dict[str, int]) -> None:
        for name, count in counts.items():
            self.stdout.write(f"{name}: {count}")
