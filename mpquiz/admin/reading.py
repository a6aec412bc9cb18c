"""An attempt as its learner saw it, for whoever may read attempts: in the learner's order and language."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from .. import results
from ..models import Attempt
from ..results import Reviewed
from ..rules import Sight
from .preview import Side

_SEEN: dict[str, str | Promise] = {
    "right_or_wrong": _("right or wrong"),
    "score": _("score"),
    "right_answer": _("right answer"),
    "explanation": _("explanation"),
}


@dataclass(frozen=True, slots=True)
class Seen(Side):
    """An answer in the language in which it was read. ``number`` counts the questions, None for a page to read."""

    number: int | None


@dataclass(frozen=True, slots=True)
class Read:
    """All of an attempt, and what of it its learner may see now (of an open one: of what was answered)."""

    answers: Sequence[Seen]
    sight: Sight

    @property
    def seen_by_learner(self) -> list[tuple[str | Promise, bool]]:
        return [(name, getattr(self.sight, attribute)) for attribute, name in _SEEN.items()]


def read(attempt: Attempt) -> Read:
    """The answers with the right ones and their marks, whatever the learner may see. One query."""
    found = results.read(attempt)
    return Read([_laid_out(one) for one in found.answers], found.sight)


def _laid_out(one: results.Seen) -> Seen:
    attempt = one.answer.attempt
    with translation.override(one.language):
        html = render_to_string("mpquiz/_reviewed.html", {"one": Reviewed(one.answer, attempt), "attempt": attempt})
    return Seen(one.language, html, one.number)
