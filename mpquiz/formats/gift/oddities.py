"""What can be read and was hardly meant so: told with its line, changed in nothing."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from ..report import Log
from .scanning import Block, Piece

_DIRECTIVE = re.compile(r"\$[^\s:$\\{}]{1,40}:")
_TRUE_OR_FALSE = {
    *("true", "false", "t", "f", "yes", "no", "right", "wrong", "correct", "incorrect", "vrai", "faux"),
    *("صح", "خطأ", "خطا", "صحيح", "صحيحة", "خاطئ", "خاطئة", "نعم", "لا", "ص", "خ", "صواب"),
    *("נ", "ל", "נכון", "לא נכון", "כן", "לא", "ש"),
    *("درست", "نادرست", "غلط", "بله", "خیر"),
}
_MARKS = re.compile("[\u064b-\u065f\u0640]")
_NUMBERED = re.compile(r"(\d{1,3})[\s.)\-:]")
_SENTENCE_ENDS = set(".?!؟…۔。)»”\u2019؛،,")
_OPEN_TAG = re.compile(r"<[A-Za-z][^<>]*$")
_LATEX = re.compile(r"(?<!\\)(?:\\\\)*\\n(?:eq|abla|otin|exists|leq|geq|parallel)\b")


def of_block(block: Block, log: Log) -> None:
    """Lines that look like directives, and backslashes that escape nothing."""
    for number, line in enumerate(block.body.text.split("\n"), block.body.line):
        directive = _DIRECTIVE.match(line.strip())
        if directive and directive[0] != "$CATEGORY:":
            message = _("“%(word)s” is no directive here; only $CATEGORY: is. The line was taken for text.")
            log.warn(message % {"word": directive[0]}, number)
    if (escape := block.unknown_escape()) is not None:
        message = _("“%(escape)s” escapes nothing: the backslash stays. A backslash is written \\\\.")
        log.warn(message % {"escape": escape.text}, escape.line)
    if found := _LATEX.search(block.body.text):
        message = _("“\\n” is a line break here. If a command of LaTeX is meant, it is written \\\\n….")
        log.warn(message, block.body.after(found.start()).line)


def of_tail(tail: Piece, log: Log) -> None:
    """What stands after the closing brace."""
    text = tail.bare
    if "{" in text or "}" in text:
        message = _(
            "Another brace stands after the answers, and only the first pair is read. "
            "Is a blank line missing between two questions?"
        )
        log.warn(message, tail.line)
    elif text and not any(sign.isalnum() or sign in _SENTENCE_ENDS for sign in text):
        message = _("“%(text)s” after the answers was taken for the rest of a sentence with a blank.")
        log.warn(message % {"text": text[:40]}, tail.line)


def of_answer(text: Piece, log: Log) -> None:
    """An answer that ends within a tag was cut by a sign of HTML."""
    if _OPEN_TAG.search(text.text):
        message = _("A tag of HTML is cut here: in texts = ~ # { } and : are written \\= \\~ \\# \\{ \\} \\:.")
        log.warn(message, text.line)


def of_typed(typed: Sequence[Piece], line: int, log: Log) -> None:
    """Accepted answers that look like true and false, or like a list to be put in order."""
    words = [_MARKS.sub("", piece.bare).casefold() for piece in typed]
    if len(words) == 1 and words[0] in _TRUE_OR_FALSE:
        message = _("“%(word)s” looks like true or false, and is an answer to be typed. Write {TRUE} or {FALSE}.")
        log.warn(message % {"word": typed[0].shown}, line)
    if len(words) > 1 and _numbers(words) == list(range(1, len(words) + 1)):
        message = _("These answers look like an order (1, 2, 3 …). GIFT has none: each of them alone is right.")
        log.warn(message, line)


def _numbers(texts: Sequence[str]) -> list[int]:
    found = (_NUMBERED.match(text) for text in texts)
    return [int(one[1]) if one else 0 for one in found]
