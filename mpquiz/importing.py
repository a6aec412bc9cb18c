"""Bringing a file over, whatever its format: one way in for the command, admin and Python, and one report.

What a file of another system holds is joined to the quiz that is there: a course in a second language, the same file
again, or more questions. The README tells the rule.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from . import exchange, files, kinds, words
from .content import QuizContent
from .exceptions import FormatError
from .exchange import Item, Loaded
from .formats import FORMATS, Entry, Parsed, Report, recognised
from .formats.source import is_slug
from .joining import Joined, Unlike, join
from .models import Question, Quiz, completeness
from .models.editors import questions_of

NATIVE = "yaml"
MOST_NAMED = 20
"""How many things of one fate are named one by one; the others are counted."""
_MOST_KEYS = 5  # in one warning

_DONE: Mapping[str, str | Promise] = {
    "created": gettext_lazy("created"),
    "updated": gettext_lazy("updated"),
    "filled": gettext_lazy("filled in"),
    "removed": gettext_lazy("taken out of the quiz"),
    "kept": gettext_lazy("kept as changed in admin"),
}
_KEPT_BESIDE = gettext_lazy("kept as it is, the file differs")
_WHAT: Mapping[str, str | Promise] = {
    "quiz": gettext_lazy("quiz"),
    "question": gettext_lazy("question"),
    "guide": gettext_lazy("guide"),
    "tag": gettext_lazy("tag"),
}


@dataclass(frozen=True, slots=True)
class Brought:
    """What came and what was done, or would be after a dry run. With ``errors`` nothing was stored.

    ``content`` is what was understood; where it was joined to a quiz, the questions as they stand there then.
    ``details`` say of what was ``filled``, ``updated`` or ``kept`` in which languages, or what.
    """

    format: str = ""
    content: QuizContent | None = None
    loaded: Loaded | None = None
    warnings: tuple[Entry, ...] = ()
    errors: tuple[Entry, ...] = ()
    details: Mapping[tuple[str, Item], str] = field(default_factory=dict)
    files: Mapping[str, bytes] = field(default_factory=dict)
    dry_run: bool = False

    @property
    def quiz(self) -> Quiz | None:
        """The quiz that it became; None after a dry run and with errors."""
        return self.loaded.quiz if self.loaded else None

    def lines(self, name: str = "") -> list[str]:
        """The whole report in the reader's language; ``name`` is the file's, to stand before its lines."""
        return [*self.done(), *self.warned(name), *self.refused(name)]

    def done(self) -> list[str]:
        """What came and what was done with it."""
        told = [self._came()] if self.content else []
        if self.loaded and not self.errors:
            told += [line for verdict in _DONE for line in self._fate(verdict, self.loaded)]
            told += self._afterwards(self.loaded)
        return told

    def warned(self, name: str = "") -> list[str]:
        return [_at(name, entry, _("warning") + ": ") for entry in self.warnings]

    def refused(self, name: str = "") -> list[str]:
        return [_at(name, entry) for entry in self.errors]

    def _came(self) -> str:
        placed = self.content.questions if self.content else ()
        found = Counter(one.content.kind for one in placed if one.content)
        counted = ", ".join(f"{kinds.kept(kind).label}: {count}" for kind, count in found.items())
        message = ngettext("%(format)s: %(count)d question", "%(format)s: %(count)d questions", len(placed))
        told = message % {"format": self.format, "count": len(placed)}
        return f"{told} ({counted})" if counted else told

    def _fate(self, verdict: str, loaded: Loaded) -> Iterator[str]:
        items: tuple[Item, ...] = getattr(loaded, verdict)
        for item in items if verdict == "kept" else items[:MOST_NAMED]:
            detail = self.details.get((verdict, item))
            told = _KEPT_BESIDE if verdict == "kept" and detail else _DONE[verdict]
            yield f"{_WHAT[item.what]} {item.name}: {told}" + (f" ({detail})" if detail else "")
        if verdict != "kept" and len(items) > MOST_NAMED:
            yield _("… and %(count)d more: %(done)s") % {"count": len(items) - MOST_NAMED, "done": _DONE[verdict]}

    def _afterwards(self, loaded: Loaded) -> Iterator[str]:
        if count := len(loaded.unchanged):
            message = ngettext("%(count)d is as the file has it.", "%(count)d are as the file has them.", count)
            yield message % {"count": count}
        if self.dry_run:
            yield _("This was a dry run: nothing was changed.")
        elif loaded.quiz and not loaded.quiz.published_languages:
            message = _("The quiz is “%(slug)s”. It is a draft: learners see it once it is published in admin.")
            yield message % {"slug": loaded.quiz.slug}


def bring(
    data: bytes,
    *,
    name: str = "",
    format: str | None = None,
    language: str | None = None,
    encoding: str | None = None,
    into: str | None = None,
    dry_run: bool = False,
    force: bool = False,
    by: Any = None,
) -> Brought:
    """Store what a file holds, all of it or, with an error, nothing; twice the same adds nothing.

    ``name`` is the file's, which may tell the format, ``language`` that of texts for which the file names none,
    ``into`` the slug of the quiz that it becomes or is joined to. ``force`` overwrites texts that are there.
    ``by`` is the user whom the history of the questions names.
    """
    upload = read(data, name=name, format=format, language=language, encoding=encoding, into=into)
    return upload.bring(dry_run=dry_run, force=force, by=by)


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was read and touched no row yet; for whoever wants a transaction around ``bring`` alone."""

    format: str
    parsed: Parsed
    into: str | None = None

    @property
    def slug(self) -> str:
        """That of the quiz that it becomes or is joined to; "" where it could not be read."""
        return (self.into or self.parsed.quiz.slug) if self.parsed.quiz else ""

    def as_loaded(self, *, is_there: bool) -> QuizContent | None:
        """What it holds, by the keys that are stored; None where it is joined to the quiz, which ``is_there``."""
        content = self.parsed.quiz
        if content is None or self.format == NATIVE:
            return content
        if is_there:
            return None
        return _renamed(content, self.into)[0] if self.into else content

    def bring(self, *, dry_run: bool = False, force: bool = False, by: Any = None) -> Brought:
        """Store what was read; see the function of this name."""
        parsed, report = self.parsed, self.parsed.report
        if parsed.quiz is None:
            return Brought(self.format, None, None, report.warnings, report.errors, dry_run=dry_run)
        found = _Bringing(parsed, parsed.quiz, self.into, dry_run, force, by).done(native=self.format == NATIVE)
        warnings = (*report.warnings, *_lost_files(parsed), *_half_translated(found, by))
        return replace(found, format=self.format, warnings=warnings, files=parsed.files, dry_run=dry_run)


def read(
    data: bytes,
    *,
    name: str = "",
    format: str | None = None,
    language: str | None = None,
    encoding: str | None = None,
    into: str | None = None,
) -> Upload:
    """Read a file without looking at any row; its report has what is wrong with it. As ``bring`` takes it."""
    try:
        format = format or recognised(data, name, encoding=encoding)
        parsed = _parsed(data, format, language or words.nearest(settings.LANGUAGE_CODE), encoding, into)
    except FormatError as error:
        parsed = Parsed(None, Report(errors=(Entry(str(error.message), error.line),)))
    return Upload(format or "", parsed, into)


def _parsed(data: bytes, format: str | None, language: str, encoding: str | None, into: str | None) -> Parsed:
    """Raises FormatError."""
    if format not in FORMATS:
        message = _("The format cannot be told from the name or the content. Name it: %(formats)s.")
        raise FormatError(message % {"formats": ", ".join(FORMATS)})
    if language not in words.languages():
        message = _("This site has no texts in “%(language)s”; its languages are %(known)s.")
        raise FormatError(message % {"language": language, "known": ", ".join(words.languages())})
    if into and not is_slug(into):
        raise FormatError(_("“%(slug)s” is no slug: Latin letters, digits and hyphens.") % {"slug": into})
    return FORMATS[format].parse(data, language=language, encoding=encoding or None)


def _lost_files(parsed: Parsed) -> Iterator[Entry]:
    """References to files that neither the file nor the site has."""
    placed = parsed.quiz.questions if parsed.quiz else ()
    message = _("The file %(name)s that a text refers to is neither here nor on the site.")
    for one in placed:
        texts = (text for told in (one.content.words().values() if one.content else ()) for text in told.values())
        for name in {name for text in texts if files.SCHEME in text for name in files.names_in(text)}:
            if name not in parsed.files and files.read(name) is None:
                yield Entry(message % {"name": name}, parsed.lines.get(("question", one.key)))


def _half_translated(found: Brought, by: Any) -> Iterator[Entry]:
    """What a file publishes, as it says itself, although texts are missing; in which questions, by their keys.

    A pool may draw questions of other editors, which are not named.
    """
    if found.content is None or found.errors:
        return
    if found.quiz is None:
        published, texts = list(found.content.published), completeness.of_content(found.content)
        keys = {number: placed.key for number, placed in enumerate(found.content.questions)}
    else:
        published, texts = found.quiz.published_languages, completeness.of_quizzes([found.quiz])[found.quiz.pk]
        asked = Question.objects.filter(pk__in=list(texts.questions))
        keys = dict((asked if by is None else questions_of(by, asked)).values_list("pk", "key"))
    message = _("Published in “%(language)s” although texts are missing there: %(where)s.")
    for language in words.languages():
        if language in published and texts.is_half(language):
            half = texts.having(completeness.State.HALF, language)
            where = [keys[one] for one in half if one in keys]
            hidden = len(half) - len(where)
            if texts.own.state(language) is completeness.State.HALF:
                where.insert(0, found.content.slug)
            more = ["…"] if hidden or len(where) > _MOST_KEYS else []
            yield Entry(message % {"language": language, "where": ", ".join([*where[:_MOST_KEYS], *more])})


@dataclass
class _Bringing:
    parsed: Parsed
    content: QuizContent
    into: str | None
    dry_run: bool
    force: bool
    by: Any = None

    def done(self, *, native: bool) -> Brought:
        slug = self.into or self.content.slug
        if native:
            return self._loaded(replace(self.content, slug=slug), {})
        quiz = Quiz.objects.filter(slug=slug).first()
        if quiz is not None:
            return self._joined(quiz)
        content, keys = _renamed(self.content, slug) if self.into else (self.content, {})
        return self._loaded(content, keys)

    def _loaded(self, content: QuizContent, keys: Mapping[str, str]) -> Brought:
        files = self.parsed.files
        loaded = exchange.load(content, force=self.force, dry_run=self.dry_run, files=files, by=self.by)
        return Brought(content=content, loaded=loaded, errors=self._mistakes(loaded, keys))

    def _mistakes(self, loaded: Loaded, keys: Mapping[str, str]) -> tuple[Entry, ...]:
        """With their lines; ``keys`` are those of the questions by what the file calls them."""
        said = {key: name for name, key in keys.items()}
        found = ((mistake, said.get(mistake.item.name, mistake.item.name)) for mistake in loaded.errors)
        return tuple(
            Entry(mistake.message, self.parsed.lines.get((mistake.item.what, name))) for mistake, name in found
        )

    # A quiz that is there --------------------------------------------------------------------------------------

    def _joined(self, quiz: Quiz) -> Brought:
        try:
            return self._joined_once(quiz)
        except exchange.Raced:  # an editor was faster: join it to what is there now
            return self._joined_once(quiz)

    def _joined_once(self, quiz: Quiz) -> Brought:
        there = exchange.dump(quiz, whole=True)
        marks = Question.objects.filter(key__startswith=f"{quiz.namespace}/").values_list("key", "imported")
        try:
            joined = join(there, exchange.for_host(self.content), marks=dict(marks), force=self.force)
        except Unlike as error:
            return Brought(content=self.content, errors=(Entry(str(error)),))
        content = replace(there, questions=tuple(joined.shown))
        if joined.mistakes:
            lines = self.parsed.lines
            wrong = [Entry(message, lines.get(("question", key))) for key, message in joined.mistakes]
            return Brought(content=content, errors=tuple(wrong))
        files = self.parsed.files
        loaded = exchange.amend(joined.content, there, dry_run=self.dry_run, files=files, by=self.by)
        return Brought(
            content=content,
            loaded=_told(loaded, joined, quiz),
            errors=self._mistakes(loaded, joined.keys),
            details=_details(joined, quiz),
        )


def _renamed(content: QuizContent, slug: str) -> tuple[QuizContent, dict[str, str]]:
    """The content as the quiz of this slug, its questions' keys within it; and the keys by those of before."""
    namespace = slug.lower().replace("_", "-")
    keys = {placed.key: f"{namespace}/{placed.key.split('/')[-1]}" for placed in content.questions}
    questions = tuple(
        replace(
            placed, key=keys[placed.key], content=placed.content and replace(placed.content, key=keys[placed.key])
        )
        for placed in content.questions
    )
    return replace(content, slug=slug, namespace=namespace, questions=questions), keys


def _item(key: str, quiz: Quiz) -> Item:
    return Item("question", key) if key else Item("quiz", quiz.slug)


def _items(keys: Iterable[str], quiz: Quiz) -> tuple[Item, ...]:
    return tuple(_item(key, quiz) for key in keys)


def _told(loaded: Loaded, joined: Joined, quiz: Quiz) -> Loaded:
    """What was done to the rows, as the joining means it."""
    if loaded.errors:
        return loaded
    filled = set(_items(joined.filled, quiz))
    return replace(
        loaded,
        updated=tuple(item for item in loaded.updated if item not in filled),
        filled=tuple(item for item in loaded.updated if item in filled),
        unchanged=(*_items(joined.unchanged, quiz), *loaded.unchanged),
        kept=(*loaded.kept, *_items(joined.kept, quiz)),
    )


def _details(joined: Joined, quiz: Quiz) -> dict[tuple[str, Item], str]:
    found = {"filled": joined.filled, "updated": joined.updated, "kept": joined.kept}
    return {(verdict, _item(key, quiz)): told for verdict, by_key in found.items() for key, told in by_key.items()}


def _at(name: str, entry: Entry, label: str = "") -> str:
    if name:
        place = name if entry.line is None else f"{name}:{entry.line}"
    else:
        place = "" if entry.line is None else _("line %(line)d") % {"line": entry.line}
    return f"{place}: {label}{entry.message}" if place else f"{label}{entry.message}"
