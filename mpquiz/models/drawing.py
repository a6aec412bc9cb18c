"""Which questions an attempt asks: the quiz's own and those of its pools, some drawn by lot, and in which order."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import models

from .. import kinds
from ..kinds.base import shuffled
from ..learners import Learner
from .answer import Answer
from .editors import questions_of
from .placing import Pool, QuizQuestion
from .question import Question
from .quiz import Quiz, is_ruled


def drawn(quiz: Quiz, learner: Learner, *, trial: bool = False) -> list[QuizQuestion]:
    """The questions of a new attempt with their contents, each once, in the order in which they are asked.

    What this learner was not asked yet in any attempt is drawn first, then what they were asked least. Pages to read
    are never drawn, and keep their places where questions are shuffled. A question that is left half done is not
    asked. In a ``trial``, pools draw what its editor may see. At most seven queries, however many pools and questions
    there are.
    """
    if not quiz.is_drawn:
        return quiz.placed()
    own = list(quiz.places.annotate(kind=models.F("question__kind")))
    pools = list(quiz.pools.select_related("tag")) if quiz.pooled_count else []
    members = _members(quiz, pools, learner.user if trial else None)
    seen = _times_asked(quiz, pools, learner)
    lots = [*_own_lots(own, quiz.draw, seen), *(_Lot(pool.count, _ranked(members[pool.pk], seen)) for pool in pools)]
    asked = sorted(_filled(lots, quiz), key=lambda one: (one.place, one.pk is None, one.pk or 0))
    if not quiz.shuffle_questions:
        return asked
    fixed = {place for place, one in enumerate(asked) if not kinds.kept(one.content.kind).asks}
    return [asked[place] for place in shuffled(range(len(asked)), kept=fixed)]


@dataclass(frozen=True, slots=True)
class _Lot:
    """``wanted`` questions are taken of these, the first that can be asked."""

    wanted: int
    candidates: Sequence[QuizQuestion]


def _own_lots(own: Sequence[QuizQuestion], draw: int | None, seen: dict[int, int]) -> list[_Lot]:
    if draw is None:
        return [_Lot(len(own), own)]
    pages = [place for place in own if place.kind in kinds.without_answer()]  # type: ignore[attr-defined]  # annotated
    return [_Lot(len(pages), pages), _Lot(draw, _ranked([place for place in own if place not in pages], seen))]


def _ranked(places: Iterable[QuizQuestion], seen: dict[int, int]) -> list[QuizQuestion]:
    """By lot, those first that the learner was asked least."""
    places = list(places)
    random.shuffle(places)
    return sorted(places, key=lambda place: seen.get(place.question_id, 0))


def _members(quiz: Quiz, pools: Sequence[Pool], editor: Any) -> dict[int, list[QuizQuestion]]:
    """{pool id: the places that its questions would get}; a tag holds the questions of the tags within it.

    Where an ``editor`` tries the quiz, those alone that they may see.
    """
    members: dict[int, list[QuizQuestion]] = {pool.pk: [] for pool in pools}
    if not pools:
        return members
    tagged = Question.tags.through.objects.using(quiz._state.db)
    asking = tagged.exclude(question__kind__in=kinds.without_answer()).filter(_tagged(pools))
    if editor is not None and is_ruled(editor):
        asking = asking.filter(question__in=questions_of(editor, Question.objects.all()).values("pk"))
    for tag, name, question in asking.values_list("tag", "tag__name", "question"):
        for pool in pools:
            if tag == pool.tag_id or name.casefold().startswith(f"{pool.tag.name}/".casefold()):
                place = QuizQuestion(quiz=quiz, question_id=question, place=pool.place, points=pool.points)
                members[pool.pk].append(place)
    return members


def _tagged(pools: Sequence[Pool], *, tag: str = "tag") -> models.Q:
    """The rows of the pools' tags and of the tags within them."""
    wanted = models.Q(**{f"{tag}__in": [pool.tag_id for pool in pools]})
    for pool in pools:
        wanted |= models.Q(**{f"{tag}__name__istartswith": f"{pool.tag.name}/"})
    return wanted


def _times_asked(quiz: Quiz, pools: Sequence[Pool], learner: Learner) -> dict[int, int]:
    """{question id: how often this learner was asked it}, of those that could be drawn."""
    if not pools and quiz.draw is None:
        return {}
    owner = {f"attempt__{column}": value for column, value in learner.owner.items()}
    could = models.Q(question__quizzes=quiz)
    if pools:
        could |= _tagged(pools, tag="question__tags")
    asked = Answer.objects.filter(could, **owner).order_by().values_list("question")
    return dict(asked.annotate(times=models.Count("pk", distinct=True)))


@dataclass(slots=True)
class _Read:
    """The contents of questions, read as they are wanted, each once, from the database that the quiz is from."""

    using: str | None
    contents: dict[int, Question] = field(default_factory=dict)

    def read(self, questions: set[int]) -> None:
        new = questions - self.contents.keys()
        written = Question.objects.using(self.using).prefetch_related("choices", "guides")
        rows = written.filter(pk__in=new) if new else ()
        self.contents |= {row.pk: row for row in rows}

    def placed(self, place: QuizQuestion) -> QuizQuestion | None:
        """The place with its content; None where it cannot be asked."""
        question = self.contents.get(place.question_id)
        if question is None:
            return None
        place.question = question
        place.read(guides=True)
        return None if kinds.kept(question.kind).blocking(place.content) else place


def _filled(lots: Sequence[_Lot], quiz: Quiz) -> list[QuizQuestion]:
    """What the lots give: read again only for as many as turned out to be half done."""
    reading = _Read(quiz._state.db)
    barred: set[int] = set()
    while True:
        taken = _taken(lots, barred)
        reading.read({place.question_id for place in taken})
        found = [(place, reading.placed(place)) for place in taken]
        unsound = {place.question_id for place, sound in found if sound is None}
        if not unsound:
            return taken
        barred |= unsound


def _taken(lots: Sequence[_Lot], barred: set[int]) -> list[QuizQuestion]:
    """The first of each lot, none barred and none twice."""
    taken: dict[int, QuizQuestion] = {}
    for lot in lots:
        free = (one for one in lot.candidates if one.question_id not in barred and one.question_id not in taken)
        picked: dict[int, QuizQuestion] = {}
        for place in free:
            if len(picked) == lot.wanted:
                break
            picked.setdefault(place.question_id, place)
        taken |= picked
    return list(taken.values())


def placed_again(quiz: Quiz, points: dict[int, QuizQuestion]) -> list[QuizQuestion]:
    """The sound ones of these questions as they are now; ``points``: what was asked, by question id.

    Those that stand in the quiz come in its order with its points, those that its pools may draw after them.
    """
    own = [place for place in quiz.placed() if place.question_id in points]
    rest = [place for question, place in points.items() if question not in {one.question_id for one in own}]
    return [*own, *(_filled([_Lot(len(rest), rest)], quiz) if quiz.pooled_count else [])]
