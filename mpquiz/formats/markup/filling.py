"""A text of a file as words in the host's languages."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from ... import words
from ...content import clean
from ..report import Log
from .conversion import converted
from .languages import OTHER, split
from .reading import Address


def into_words(
    text: str,
    form: str,
    *,
    language: str,
    log: Log,
    line: int | None,
    known: list[str],
    address: Address | None = None,
) -> dict[str, str]:
    """A text in Moodle's format ``form`` (html, moodle, plain, markdown) as words in the languages of the host.

    What names no language is in ``language``. ``known`` remembers, for a whole file, which languages the host was
    said to lack: each is warned of once. ``address`` maps what an image or a link names; None leaves it out.
    """
    texts: dict[str, str] = {}
    for code, part in _by_language(split(text), language):
        if code not in words.languages():
            _warn_once(code, log, line, known)
        elif code not in texts:
            found = converted(part, form, language=code, address=address)
            _warn(found.left_out, found.remote, log, line)
            texts[code] = found.text
    return clean(texts)


def _by_language(texts: dict[str, str], language: str) -> Iterator[tuple[str, str]]:
    """(language of the host, text), the ones that are named exactly first."""
    own = _served(language)
    if "" in texts:
        yield own, texts[""]
        return
    named = {code: text for code, text in texts.items() if code != OTHER}
    for code, text in sorted(named.items(), key=lambda pair: _served(pair[0]) != pair[0]):
        yield _served(code), text
    if OTHER in texts:
        taken = {_served(code) for code in named}
        free = [code for code in (own, *words.languages()) if code not in taken]
        if free:
            yield free[0], texts[OTHER]


def _served(code: str) -> str:
    """The language of the host that serves: its ``ar`` for ``ar-eg``, but its ``en`` not for ``fr``."""
    code = code.lower().replace("_", "-")
    nearest = words.nearest(code)
    return nearest if nearest.split("-")[0] == code.split("-")[0] else code


def _warn_once(code: str, log: Log, line: int | None, known: list[str]) -> None:
    if code not in known:
        known.append(code)
        message = _("What is in “%(language)s” is left out: the languages of this site are %(known)s.")
        log.warn(message % {"language": code, "known": ", ".join(words.languages())}, line)


def _warn(left_out: tuple[str, ...], remote: tuple[str, ...], log: Log, line: int | None) -> None:
    for name in left_out:
        log.warn(_("“%(name)s” is left out; a text cannot hold it.") % {"name": name}, line)
    for place in remote:
        message = _("The image “%(address)s” does not come with the file, and is not shown.")
        log.warn(message % {"address": place[:100]}, line)
