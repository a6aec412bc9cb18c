"""The texts of a file as words."""

import re
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ... import words
from ...content import clean
from ...words import Words
from .. import markup
from ..moodle_xml.numbers import pattern
from ..report import Log
from .scanning import Piece

_BESIDE = re.compile(r"@@PLUGINFILE@@/?([^\s\"'<>)]{0,200})")
"""A link to a file that Moodle keeps beside a text, and that GIFT does not carry."""


@dataclass
class Texts:
    """``language`` is the language of texts that name none, ``known`` what was told of others already.

    ``own``: the file is one of ours.
    """

    log: Log
    language: str
    own: bool = False
    known: list[str] = field(default_factory=list)

    def words(self, piece: Piece, form: str) -> Words:
        """A text in each of its languages."""
        text = _BESIDE.sub("", self._told(piece))
        if not text:
            return {}
        form = markup.OWN if self.own and form == "markdown" else form
        return markup.into_words(text, form, language=self.language, log=self.log, line=piece.line, known=self.known)

    def _told(self, piece: Piece) -> str:
        text = piece.shown
        for name in dict.fromkeys(_BESIDE.findall(text)):
            message = _("The file “%(name)s” is missing, since GIFT carries none; the link to it is left out.")
            self.log.warn(message % {"name": name}, piece.line)
        return text

    def formed(self, piece: Piece | None, form: str) -> Words:
        """A text that may name its format; ``form`` is its format where it names none."""
        if piece is None:
            return {}
        form, piece = piece.form(form)
        return self.words(piece, form)

    def typed(self, piece: Piece) -> Words:
        """What is to be typed, in each of its languages: no Markdown, and ``*`` as our kind has it."""
        _form, piece = piece.form("plain")
        found = {code or self.language: pattern(text) for code, text in markup.split(piece.shown).items()}
        return clean({words.nearest(code): text for code, text in found.items()})
