import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from mpquiz import exchange, words
from mpquiz.conf import conf
from mpquiz.formats import FORMATS, Entry, of_file
from mpquiz.formats.source import is_slug

STANDARD_INPUT = "-"

_DONE: Mapping[str, str | Promise] = {
    "created": gettext_lazy("created"),
    "updated": gettext_lazy("updated"),
    "removed": gettext_lazy("taken out of the quiz"),
    "kept": gettext_lazy("kept as changed in admin (--force overwrites it)"),
}
_WHAT: Mapping[str, str | Promise] = {
    "quiz": gettext_lazy("quiz"),
    "question": gettext_lazy("question"),
    "guide": gettext_lazy("guide"),
    "tag": gettext_lazy("tag"),
}


class Command(BaseCommand):
    help = (
        "Store the quiz that a file holds. Importing again updates it; what was changed in admin since is kept. "
        "A file with an error changes nothing, and every error is told as FILE:LINE: message."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="the file; - reads the standard input")
        parser.add_argument("--format", choices=list(FORMATS), help="by the file's ending where left out")
        parser.add_argument("--language", help="of texts without one; the site's LANGUAGE_CODE where left out")
        parser.add_argument("--into", metavar="SLUG", help="store it as the quiz of this slug, not of the file's own")
        parser.add_argument("--encoding", help="of the file; UTF-8 where left out")
        parser.add_argument("--dry-run", action="store_true", help="say what would happen and change nothing")
        parser.add_argument("--force", action="store_true", help="overwrite what was changed in admin, too")

    def handle(self, *, file: str, into: str | None, dry_run: bool, force: bool, **options: Any) -> None:
        if into and not is_slug(into):
            raise CommandError(_("“%(slug)s” is no slug: small Latin letters, digits and hyphens.") % {"slug": into})
        module = FORMATS[_format(file, options["format"])]
        parsed = module.parse(_read(file), language=_language(options["language"]), encoding=options["encoding"])
        name = "<stdin>" if file == STANDARD_INPUT else file
        self._warn(name, parsed.report.warnings)
        if parsed.quiz is None:
            raise self._refused(name, parsed.report.errors)
        quiz = replace(parsed.quiz, slug=into) if into else parsed.quiz
        loaded = exchange.load(quiz, force=force, dry_run=dry_run)
        if loaded.errors:
            lines = parsed.lines
            raise self._refused(
                name,
                (Entry(error.message, lines.get((error.item.what, error.item.name))) for error in loaded.errors),
            )
        self._tell(loaded, dry_run)

    def _warn(self, name: str, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self.stderr.write(_at(name, entry, _("warning") + ": "), self.style.WARNING)

    def _refused(self, name: str, entries: Iterable[Entry]) -> CommandError:
        told = [_at(name, entry) for entry in entries]
        for line in told:
            self.stderr.write(line)
        message = ngettext(
            "%(count)d error; nothing was changed.", "%(count)d errors; nothing was changed.", len(told)
        )
        return CommandError(message % {"count": len(told)})

    def _tell(self, loaded: exchange.Loaded, dry_run: bool) -> None:
        for verdict, done in _DONE.items():
            for item in getattr(loaded, verdict):
                self.stdout.write(f"{_WHAT[item.what]} {item.name}: {done}")
        count = len(loaded.unchanged)
        if count:
            message = ngettext("%(count)d is as the file has it.", "%(count)d are as the file has them.", count)
            self.stdout.write(message % {"count": count})
        if dry_run:
            self.stdout.write(_("This was a dry run: nothing was changed."))


def _at(name: str, entry: Entry, label: str = "") -> str:
    place = name if entry.line is None else f"{name}:{entry.line}"
    return f"{place}: {label}{entry.message}"


def _format(file: str, given: str | None) -> str:
    if found := given or of_file(file):
        return found
    message = _("The name “%(file)s” does not tell the format; name it by --format: %(formats)s.")
    raise CommandError(message % {"file": file, "formats": ", ".join(FORMATS)})


def _language(given: str | None) -> str:
    known = words.languages()
    if given is None:
        return words.nearest(settings.LANGUAGE_CODE)
    if given not in known:
        message = _("This site has no texts in “%(language)s”; its languages are %(known)s.")
        raise CommandError(message % {"language": given, "known": ", ".join(known)})
    return given


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
