import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mpquiz import importing
from mpquiz.conf import conf
from mpquiz.formats import FORMATS

STANDARD_INPUT = "-"


class Command(BaseCommand):
    help = (
        "Store the questions that a file holds. Importing again updates them; what was changed in admin since is "
        "kept. A file of another system is joined to the quiz that is there. A file with an error changes nothing, "
        "and every error is told as FILE:LINE: message."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the file; - reads the standard input")
        parser.add_argument("--format", choices=list(FORMATS), help="recognised where left out")
        parser.add_argument("--language", help="of texts without one; the site's LANGUAGE_CODE where left out")
        parser.add_argument(
            "--into", metavar="SLUG", help="the quiz that it becomes, or is joined to where it is there"
        )
        parser.add_argument("--encoding", help="of the file; UTF-8, or UTF-16 by its mark, where left out")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen and change nothing")
        parser.add_argument("--force", action="store_true", help="overwrite what was changed in admin, too")

    def handle(self, *, file: str, force: bool, **options: Any) -> None:
        name = "<stdin>" if file == STANDARD_INPUT else file
        given = ("format", "language", "encoding", "into", "dry_run")
        how = {option: options[option] for option in given}
        brought = importing.bring(_read(file), name=name, force=force, **how)
        for line in brought.warned(name):
            self.stderr.write(line, self.style.WARNING)
        if brought.errors:
            raise self._refused(brought.refused(name))
        for line in brought.done():
            self.stdout.write(line)
        if brought.loaded and brought.loaded.kept:
            self.stdout.write(_("What was kept is overwritten with --force."))

    def _refused(self, told: list[str]) -> CommandError:
        for line in told:
            self.stderr.write(line)
        message = ngettext(
            "%(count)d error; nothing was changed.", "%(count)d errors; nothing was changed.", len(told)
        )
        return CommandError(message % {"count": len(told)})


def _read(file: str) -> bytes:
    """The file's bytes, one more than a parser takes at most, so that it can tell."""
    if file == STANDARD_INPUT:
        return sys.stdin.buffer.read(conf.LARGEST_IMPORT + 1)
    try:
        with Path(file).open("rb") as opened:
            return opened.read(conf.LARGEST_IMPORT + 1)
    except OSError as error:
        message = _("%(file)s cannot be read: %(reason)s.")
        raise CommandError(message % {"file": file, "reason": error.strerror}) from error
