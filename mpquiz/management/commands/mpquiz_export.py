import os
import secrets
import shutil
from argparse import ArgumentParser
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mpquiz import exchange, files, words
from mpquiz.content import QuizContent
from mpquiz.formats import FORMATS, of_file
from mpquiz.formats.report import Log
from mpquiz.importing import NATIVE
from mpquiz.models import Quiz

WRITERS = [name for name, module in FORMATS.items() if hasattr(module, "render")]


class Command(BaseCommand):
    help = "Write a quiz as a file, which mpquiz_import reads again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", metavar="SLUG", help="the quiz")
        parser.add_argument("--format", choices=WRITERS, help="by the ending of the output where left out, else yaml")
        parser.add_argument("--language", help="only this language, as plain texts; all of them where left out")
        parser.add_argument("--output", metavar="FILE", help="where to; the standard output where left out")

    def handle(self, *, slug: str, language: str | None, output: str | None, **options: Any) -> None:
        _check_language(language)
        chosen = options["format"] or (of_file(output) if output else None) or NATIVE
        if chosen not in WRITERS:
            message = _("The format %(format)s is read only; these are written: %(formats)s.")
            raise CommandError(message % {"format": chosen, "formats": ", ".join(WRITERS)})
        quiz = exchange.dump(_quiz(slug), whole=chosen != NATIVE)
        self._warn(quiz)
        log = Log()
        data = FORMATS[chosen].render(quiz, language=language, log=log, files=files.read)
        for entry in log.warnings:
            self.stderr.write(entry.message, self.style.WARNING)
        if output:
            _write(Path(output), data)
        else:
            self._print(data)

    def _warn(self, quiz: QuizContent) -> None:
        count = sum(placed.content is None for placed in quiz.questions)
        if count:
            message = ngettext(
                "%(count)d question of another namespace is named only (use:), not written out.",
                "%(count)d questions of other namespaces are named only (use:), not written out.",
                count,
            )
            self.stderr.write(message % {"count": count}, self.style.WARNING)

    def _print(self, data: bytes) -> None:
        """The bytes as they are, whatever the encoding of the terminal."""
        buffer = getattr(self.stdout, "buffer", None)
        if buffer is None:
            self.stdout.write(data.decode(), ending="")
        else:
            self.stdout.flush()
            buffer.write(data)


def _check_language(language: str | None) -> None:
    known = words.languages()
    if language is not None and language not in known:
        message = _("This site has no texts in “%(language)s”; its languages are %(known)s.")
        raise CommandError(message % {"language": language, "known": ", ".join(known)})


def _quiz(slug: str) -> Quiz:
    try:
        return Quiz.objects.get(slug=slug)
    except Quiz.DoesNotExist as error:
        message = _("There is no quiz with the slug “%(slug)s”. There are: %(known)s.")
        known = list(Quiz.objects.values_list("slug", flat=True)[:20])
        raise CommandError(message % {"slug": slug, "known": ", ".join(known) or "—"}) from error


def _write(output: Path, data: bytes) -> None:
    """All of it or nothing: a file that is there stays whole until the new one is."""
    target = output.resolve()
    part = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        part.write_bytes(data)
        if target.exists():
            shutil.copymode(target, part)
        os.replace(part, target)
    except OSError as error:
        with suppress(OSError):
            part.unlink()
        message = _("%(file)s cannot be written: %(reason)s.")
        raise CommandError(message % {"file": output, "reason": error.strerror}) from error
