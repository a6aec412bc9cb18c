"""Files that editors bring: what an import needs rights for, and whose rows it touches."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ..content import digest
from ..exchange import Loaded
from ..formats import Entry
from ..importing import Brought
from ..models import Question, Quiz
from ..models.editors import questions_of
from ..models.quiz import is_ruled

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


def _of_others(user: Any, loaded: Loaded | None) -> list[str]:
    """What the file names that is there and is another editor's, where the host's rule says whose quizzes are."""
    if loaded is None or not is_ruled(user):
        return []
    verdicts = ("updated", "filled", "unchanged", "kept", "removed")
    there = {(item.what, item.name) for verdict in verdicts for item in getattr(loaded, verdict)}
    quizzes = Quiz.objects.filter(slug__in=[name for what, name in there if what == "quiz"])
    questions = Question.objects.filter(key__in=[name for what, name in there if what == "question"])
    message = _("“%(name)s” is another editor's. Choose another slug or key.")
    others = [one.slug for one in quizzes.exclude(pk__in=quizzes.of_editor(user, doing="change"))]
    others += [one.key for one in questions.exclude(pk__in=questions_of(user, questions, doing="change"))]
    return [message % {"name": name} for name in others[:MOST_OTHERS]]


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
