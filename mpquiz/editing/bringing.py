"""Files that editors bring: what an import needs rights for, and whose rows it touches."""

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

from django.db import models, transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..content import QuizContent, digest
from ..exceptions import Refusal
from ..exchange import Loaded, Raced
from ..exchange.planning import nothing_to_use
from ..formats import Entry
from ..formats.source import is_slug
from ..importing import Brought, Upload
from ..models import Question, Quiz, sharing
from ..models.editors import questions_of
from ..models.question import tag_key
from ..models.quiz import QuizQuerySet, is_ruled
from .rows import log

VERDICTS: Mapping[str, str | Promise] = {
    "created": gettext_lazy("New"),
    "updated": gettext_lazy("Changed"),
    "filled": gettext_lazy("Filled in"),
    "kept": gettext_lazy("Kept as it is here"),
    "removed": gettext_lazy("Taken out of the quiz"),
    "unchanged": gettext_lazy("There already"),
}
_NEEDS = {"created": "add", "updated": "change", "filled": "change", "removed": "change"}
_RIGHTS: Mapping[tuple[str, str], str | Promise] = {
    ("add", "quiz"): gettext_lazy("You may not add quizzes."),
    ("add", "question"): gettext_lazy("You may not add questions."),
    ("add", "guide"): gettext_lazy("You may not add guides, and this file brings new ones."),
    ("add", "tag"): gettext_lazy("You may not add tags, and this file brings new ones."),
    ("change", "quiz"): gettext_lazy("You may not change quizzes, and this file changes one."),
    ("change", "question"): gettext_lazy("You may not change questions, and this file changes some."),
    ("change", "guide"): gettext_lazy("You may not change guides, and this file changes some."),
    ("change", "tag"): gettext_lazy("You may not change tags, and this file changes some."),
}


MOST_OTHERS = 200
"""How many rows of other editors are named."""


# Rights -----------------------------------------------------------------------------------------------------


def may_import(user: Any) -> bool:
    return bool(user.has_perms(["mpquiz.add_quiz", "mpquiz.add_question"]))


def may_join(user: Any) -> bool:
    """Whether an import of theirs may change what is there."""
    return bool(user.has_perms(["mpquiz.change_quiz", "mpquiz.change_question"]))


def refuses_target(slug: str, *, joins: bool) -> str | None:
    """Why the quiz of this slug is none to import into, for somebody who ``joins`` files to quizzes or does not."""
    if not is_slug(slug):
        return _("“%(slug)s” is no slug: Latin letters, digits and hyphens.") % {"slug": slug}
    if not joins and Quiz.objects.filter(slug=slug).exists():
        return _("You may add quizzes, not change them. Choose a new slug.")
    return None


def printable(name: str) -> str:
    """A file's name without signs that would turn a line around or break it."""
    return "".join(letter for letter in name if letter.isprintable())[:200]


def bring_as(
    user: Any, upload: Upload, *, force: bool = False, dry_run: bool = False, by: Any = None
) -> tuple[Brought, list[Entry]]:
    """What an editor brings, and what keeps it from being stored; it may be stored all the same, unless ``dry_run``.

    A file that touches what is not theirs is told that alone: it is compared with nothing.
    """
    if barred := _barred(user, upload):
        return Brought(upload.format, warnings=upload.parsed.report.warnings, dry_run=dry_run), barred
    brought = upload.bring(force=force, dry_run=dry_run, by=by)
    return brought, wrong_for(user, brought)


def wrong_for(user: Any, brought: Brought) -> list[Entry]:
    """What keeps a file from being stored: its errors, and rights that the editor lacks. Two queries at most."""
    lacking = [*_lacking(user, brought.loaded), *_of_others(user, brought.loaded)]
    return [*brought.errors, *(Entry(str(message)) for message in lacking)]


def _lacking(user: Any, loaded: Loaded | None) -> Iterator[str | Promise]:
    if loaded is None:
        return
    needed = {(_NEEDS[verdict], item.what) for verdict in _NEEDS for item in getattr(loaded, verdict)}
    if loaded.removed:
        needed.add(("change", "quiz"))
    for need, message in _RIGHTS.items():
        if need in needed and not user.has_perm(f"mpquiz.{'_'.join(need)}"):
            yield message


def _barred(user: Any, upload: Upload) -> list[Entry]:
    """What the file names of others, before it is compared with what is there. Eight queries at most.

    A question that it uses and that is another's is told as one that is not there.
    """
    if upload.parsed.quiz is None or not is_ruled(user):
        return []
    quizzes = Quiz.objects.filter(slug=upload.slug)
    content = upload.as_loaded(is_there=quizzes.exists())
    placed = content.questions if content else ()
    others = _others(user, quizzes, [one.key for one in placed if one.content])
    used = {one.key for one in placed if one.content is None}
    found = questions_of(user, Question.objects.filter(key__in=used)).values_list("key", flat=True) if used else ()
    line = upload.parsed.lines.get
    hidden = (Entry(nothing_to_use(key), line(("question", key))) for key in sorted(used - set(found)))
    return [*map(Entry, others), *hidden, *_tags_barred(user, upload.parsed.quiz, quizzes, content)]


def _tags_barred(
    user: Any, named: QuizContent, quizzes: QuizQuerySet, content: QuizContent | None
) -> Iterator[Entry]:
    """The tags that are not theirs to draw from, or to give; what is there already stays. Four queries at most."""
    pools, given = {pool.tag for pool in named.pools}, _tags_in(named)
    if not (pools or given):
        return
    drawn = {tag_key(name) for name in quizzes.values_list("pools__tag__name", flat=True) if name}
    new = sorted(name for name in pools if tag_key(name) not in drawn)
    yield from (Entry(sharing.no_pool_of(name)) for name in sharing.not_for_pools(user, new))
    barred = sharing.not_for_questions(user, sorted({name for _key, name in given}))
    if not barred:
        return
    tagged = Question.objects.filter(key__in=[one.key for one in content.questions] if content else ())
    have = {(key, tag_key(name)) for key, name in tagged.values_list("key", "tags__name") if name}
    asked = {name for key, name in _tags_in(content or named) if (key, tag_key(name)) not in have}
    yield from (Entry(sharing.no_question_of(name)) for name in barred if name in asked)


def _tags_in(content: QuizContent) -> set[tuple[str, str]]:
    """(key of a question, name of a tag that the file gives it)."""
    return {(one.key, name) for one in content.questions if one.content for name in one.content.tags}


def _of_others(user: Any, loaded: Loaded | None) -> list[str]:
    """What the file names that is there and is another editor's, where the host's rule says whose quizzes are."""
    if loaded is None or not is_ruled(user):
        return []
    verdicts = ("updated", "filled", "unchanged", "kept", "removed")
    there = {(item.what, item.name) for verdict in verdicts for item in getattr(loaded, verdict)}
    quizzes = Quiz.objects.filter(slug__in=[name for what, name in there if what == "quiz"])
    return _others(user, quizzes, [name for what, name in there if what == "question"])


def _others(user: Any, quizzes: QuizQuerySet, keys: list[str]) -> list[str]:
    """Of these quizzes, and of the questions of these keys, those that the editor may not change."""
    questions = Question.objects.filter(key__in=keys)
    message = _("“%(name)s” is another editor's. Choose another slug or key.")
    others = [one.slug for one in quizzes.exclude(pk__in=quizzes.of_editor(user, doing="change"))]
    others += [one.key for one in questions.exclude(pk__in=questions_of(user, questions, doing="change"))]
    return [message % {"name": name} for name in others[:MOST_OTHERS]]


# Storing ----------------------------------------------------------------------------------------------------


class _Wrong(Exception):
    """It is wrong by now: another editor was faster."""


def bring_for(
    user: Any, upload: Upload, *, name: str = "", force: bool = False, dry_run: bool = False
) -> tuple[Brought, list[Entry]]:
    """Store what an editor brings, and say so in the history; and what is wrong, with which nothing is stored.

    Raises Refusal("changed") where another change keeps coming in between.
    """
    brought, wrong = bring_as(user, upload, force=force, dry_run=True)
    if dry_run or wrong:
        return brought, wrong
    try:
        return _stored(user, upload, name, force), []
    except _Wrong:
        brought, wrong = bring_as(user, upload, force=force, dry_run=True)
        return brought, wrong or _raise_changed()
    except Raced:
        _raise_changed()


@transaction.atomic
def _stored(user: Any, upload: Upload, name: str, force: bool) -> Brought:
    Quiz.objects.filter(slug=upload.slug).update(slug=models.F("slug"))  # the lock
    brought, wrong = bring_as(user, upload, force=force, by=user)
    if wrong:
        raise _Wrong
    log_import(user, brought, name)
    return brought


def _raise_changed() -> NoReturn:
    raise Refusal("changed", _("Somebody has changed the quiz meanwhile. Try again."))


def log_import(user: Any, brought: Brought, name: str) -> None:
    """Say in the history of a quiz what it was imported from."""
    loaded = brought.loaded
    if loaded is None or loaded.quiz is None:
        return
    said = _("Imported from %(name)s.") % {"name": name or _("a pasted text")}
    log(user, loaded.quiz, said, is_new=any(item.what == "quiz" for item in loaded.created))


def outcome(brought: Brought) -> str:
    """What an import comes to, as a digest: what is stored, what becomes of each thing, and what is said of it."""
    loaded, content = brought.loaded, brought.content
    items = {verdict: [[i.what, i.name] for i in getattr(loaded, verdict)] for verdict in VERDICTS} if loaded else {}
    placed = content.questions if content else ()
    return digest(
        {
            "quiz": content.to_json() if content else None,
            "questions": [one.content.to_json() for one in placed if one.content],
            "items": items,
            "entries": [[entry.message, entry.line] for entry in (*brought.warnings, *brought.errors)],
        }
    )
