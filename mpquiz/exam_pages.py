"""What pages lay out whose answers can still be changed: the map of the questions, and all of them on one page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise

from . import kinds
from .exceptions import ManyRefused, Refusal
from .kinds import OneOfMany, Submitted
from .models import Answer, Attempt, Quiz, QuizQuestion
from .models.answer import fingerprint_of_all
from .pages import STATES, Stage, is_asked, question_url, settled_stage, steps_of


@dataclass(frozen=True, slots=True)
class Mark:
    """A question in the map of an attempt. ``number`` counts the questions, from 1; a page to read has none."""

    position: int
    number: int | None
    answered: bool
    flagged: bool
    current: bool = False

    @property
    def state(self) -> str:
        return "page" if self.number is None else "given" if self.answered else "open"

    @property
    def word(self) -> str | Promise:
        return STATES[self.state]


def marks_of(answers: Sequence[Answer], current: int = 0) -> list[Mark]:
    """The map of an attempt, of which the question at position ``current`` is on the page."""
    steps = steps_of("open" if answer.asks else "page" for answer in answers)
    return [
        Mark(answer.position, step.number, answer.answered_at is not None, answer.flagged, answer.position == current)
        for answer, step in zip(answers, steps, strict=True)
    ]


@dataclass(frozen=True, kw_only=True)
class OnePage:
    """All questions on one page: not started yet, or an attempt's."""

    stages: Sequence[Stage]
    action: str
    attempt: Attempt | None = None
    hidden: Mapping[str, object] = field(default_factory=dict)
    refusal: Refusal | None = None
    missing: Sequence[int] = ()

    @property
    def count(self) -> int:
        return sum(stage.asks for stage in self.stages)


def unstarted_page(
    quiz: Quiz,
    placed: Sequence[QuizQuestion],
    hidden: Mapping[str, object],
    *,
    refusal: Refusal | None = None,
    submitted: Submitted | None = None,
) -> OnePage:
    """All questions of a quiz that nobody has started, to be handed in by the POST that starts."""
    contents = [place.content for place in placed]
    steps = steps_of("open" if is_asked(place) else "page" for place in placed)
    stages = []
    for position, place in enumerate(placed, 1):
        kind = kinds.get(place.content.kind)
        stage = Stage(
            content=place.content,
            shown=kind.asked(place.content, kind.order(place.content, shuffle=False)),
            steps=steps_of([step.state for step in steps], current=position),
            asks=is_asked(place),
            position=position,
            scope=kinds.scope_of(position),
            **_sent(position, refusal, submitted),
        )
        stages.append(stage)
    return OnePage(
        stages=stages,
        action=reverse("mpquiz:start", kwargs={"slug": quiz.slug}),
        hidden={**hidden, "all": fingerprint_of_all(contents)},
        refusal=refusal,
    )


def page_of_all(attempt: Attempt, *, refusal: Refusal | None = None, submitted: Submitted | None = None) -> OnePage:
    """All questions of an attempt, in one query."""
    answers = list(attempt.answers.select_related("version"))
    states = [answer.seen_state for answer in answers]
    stages = [
        settled_stage(
            attempt,
            answer,
            steps=steps_of(states, current=answer.position),
            scope=kinds.scope_of(answer.position),
            **_sent(answer.position, refusal, submitted),
        )
        for answer in answers
    ]
    return OnePage(stages=stages, action=question_url(attempt, 1), attempt=attempt, refusal=refusal)


def _sent(position: int, refusal: Refusal | None, submitted: Submitted | None) -> dict[str, Any]:
    """What was sent to the question at a position, and why it was refused."""
    if submitted is None:
        return {}
    refused = refusal.by_position.get(position) if isinstance(refusal, ManyRefused) else None
    return {"submitted": Submitted(OneOfMany(submitted.data, position)), "refusal": refused}
