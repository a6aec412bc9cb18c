"""One quiz in two worlds that differ in nothing but what a learner must not know.

A world is *turned*: another key, so that the same answers earn other marks; other explanations, feedback and
comments. What is turned is only what may not be seen just now, so that every page must stay as it was.

The answers are such that marks can move without the score: of four, the first is right and becomes wrong, the
second becomes right, the third is wrong and becomes right where the score may move too, and the fourth stays wrong
while its key moves between two things that nobody gave.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.http import QueryDict

from mpquiz import kinds
from mpquiz.content import QuestionContent
from mpquiz.kinds import Submitted
from mpquiz.models import Answer, Attempt, Question, QuestionVersion, Quiz
from mpquiz.rules import Sight
from tests.factories import add_choice, make_essay, make_guide, make_page, make_question, make_quiz

GIVEN, OTHER, ANOTHER = "given", "other", "another"
"""The keys of a question: what the learner gives is right, or something else is, or a third thing."""

ANSWERED = (2, 3, 4, 5)
"""The positions that are answered; 1 is a page to read, 6 is left open, 7 is an essay."""
OPEN, ESSAY = 6, 7
FIRST = {2: GIVEN, 3: OTHER, 4: OTHER, 5: OTHER, 6: GIVEN}
NOTHING = Sight()

Row = dict[str, Any]


@dataclass(frozen=True)
class Shape:
    """How the questions of a kind are written for each key, what is given to them, and what could be given instead.

    ``third``: there is a key besides those two, under which what is given is as wrong as under the second.
    """

    rows: Callable[[str], Sequence[Row]]
    given: Any
    other: Any
    third: bool = True
    more: Mapping[str, Any] = field(default_factory=dict)


def _choices(*right: tuple[int, ...]) -> Callable[[str], Sequence[Row]]:
    """Three choices, of which those at these indexes are right under each key."""
    keys = dict(zip((GIVEN, OTHER, ANOTHER), right, strict=False))
    names = ("One", "Two", "Three")[: 2 if len(right) == 2 else 3]
    return lambda key: [{"text": name, "right": place in keys[key]} for place, name in enumerate(names)]


def _accepted(field: str, *values: str) -> Callable[[str], Sequence[Row]]:
    found = dict(zip((GIVEN, OTHER, ANOTHER), values, strict=True))
    return lambda key: [{field: found[key], "right": True}]


def _pairs(key: str) -> Sequence[Row]:
    rights = {GIVEN: "One Two Three", OTHER: "Two Three One", ANOTHER: "Three One Two"}[key].split()
    return [{"text": f"Left {place}", "match": right} for place, right in enumerate(rights, 1)]


def _items(key: str) -> Sequence[Row]:
    return [{"text": text} for text in ("First", "Second", "Third")[:: 1 if key == GIVEN else -1]]


def _fills(key: str) -> Sequence[Row]:
    rights = {GIVEN: (0, "One"), OTHER: (1, "Two"), ANOTHER: (2, "Three")}[key]
    choices = [{"part": "1", "text": text, "right": place == rights[0]} for place, text in enumerate("ABC")]
    return [*choices, {"part": "2", "text": rights[1], "right": True}]


SHAPES: Mapping[str, Shape] = {
    "single": Shape(_choices((0,), (1,), (2,)), "a", "b"),
    "multiple": Shape(_choices((0,), (1,), (1, 2)), ["a"], ["b"]),
    "true_false": Shape(_choices((0,), (1,)), "a", "b", third=False),
    "text": Shape(_accepted("text", "One", "Two", "Three"), "One", "Nine"),
    "number": Shape(_accepted("value", "1", "2", "3"), "1", "9"),
    "matching": Shape(_pairs, {"a": "a", "b": "b", "c": "c"}, {"a": "b", "b": "c", "c": "a"}),
    "ordering": Shape(_items, ["a", "b", "c"], ["b", "a", "c"], third=False),
    "gaps": Shape(
        _fills,
        {"1": "a", "2": "One"},
        {"1": "b", "2": "Nine"},
        more={"prompt": "It is [[1]], not [[2]].", "settings": {"parts": {"1": {"kind": "single"}}}},
    ),
}


def make_world(kind: str, **rules: Any) -> "World":
    """The quiz ``floats`` with such questions, each with a guide of its own; an essay is worth three points."""
    shape = SHAPES[kind]
    guides = [make_guide(f"guide-{position}", f"Guide {position}") for position in FIRST]
    questions = [
        make_question(
            *shape.rows(GIVEN),
            **{"kind": kind, "prompt": f"Question {position}?", "guides": [guide], **shape.more},
        )
        for position, guide in zip(FIRST, guides, strict=True)
    ]
    quiz = make_quiz(make_page(), *questions, make_essay(explanation="Because."), guides=guides, **rules)
    quiz.places.filter(question__kind="essay").update(points=3)
    given, other = (
        {position: _fields(question, one) for position, question in zip(FIRST, questions, strict=True)}
        for one in (shape.given, shape.other)
    )
    for position, question in zip(FIRST, questions, strict=True):
        _write(question, shape.rows(FIRST[position]), "Feedback")
    return World(quiz, shape, given, other)


def _write(question: Question, rows: Sequence[Row], feedback: str) -> None:
    """Write these choices in the place of those that are there."""
    question.choices.all().delete()
    for place, row in enumerate(rows, 1):
        add_choice(question, place, {**row, "feedback": f"{feedback} {place}."})


def _fields(question: Question, given: Any) -> QueryDict:
    """What a form sends whose learner gives this to a question as it is written under the key GIVEN."""
    content, kind = question.content(), kinds.kept(question.kind)
    entered = kind.entered(content, kind.order(content, shuffle=False), given)
    data = QueryDict(mutable=True)
    data.setlist("given", entered.given)
    for part, value in entered.parts.items():
        data[f"given-{part}"] = value
    return data


@dataclass(frozen=True)
class World:
    """The quiz, what the learner gives to every question, and something else."""

    quiz: Quiz
    shape: Shape
    given: Mapping[int, QueryDict]
    other: Mapping[int, QueryDict]

    def form(self, position: int, *, other: bool = False, scoped: bool = False) -> dict[str, Any]:
        """The fields of an answer to a question; ``scoped``: as a form of several questions names them."""
        fields = (self.other if other else self.given)[position]
        scope = f"q{position}-" if scoped else ""
        return {f"{scope}{name}": fields.getlist(name) for name in fields}

    def turn(self, seen: Sight, *, unanswered: Sight = NOTHING) -> None:
        """Change all that may not be seen; ``unanswered`` is what may be seen of the questions without an answer."""
        questions = dict(enumerate(self.quiz.questions.order_by("places__place"), 1))
        for position, question in questions.items():
            if position == 1:
                continue
            sight = seen if position in ANSWERED else unanswered
            self._rewrite(question, position, sight)
        for attempt in Attempt.objects.all():
            self._reckon(attempt, seen)

    def _turned(self, position: int, seen: Sight) -> str:
        """The key that a question gets: the same where another one would be seen."""
        first = FIRST[position]
        if position == 5:
            stays = not self.shape.third or (seen.right_or_wrong and seen.right_answer)
            return first if stays else ANOTHER
        stays = seen.right_or_wrong or (position == 4 and seen.score)
        return first if stays else {GIVEN: OTHER, OTHER: GIVEN}[first]

    def _rewrite(self, question: Question, position: int, seen: Sight) -> None:
        if position in FIRST:
            key = self._turned(position, seen)
            told = seen.right_or_wrong and seen.explanation
            _write(question, self.shape.rows(key), "Feedback" if told else "Other feedback")
        if not seen.explanation:
            Question.objects.filter(pk=question.pk).update(explanation_en="Something else.", explanation_ar="غيره.")
        content = Question.objects.get(pk=question.pk).content()
        version, _made = QuestionVersion.objects.get_or_create(
            question=question, digest=content.digest, defaults={"content": content.to_json()}
        )
        for answer in Answer.objects.filter(question=question):
            self._give_again(answer, content, version, self.given.get(position))

    def _give_again(
        self, answer: Answer, content: QuestionContent, version: QuestionVersion, fields: QueryDict | None
    ) -> None:
        """The same learner doing the same in the other world."""
        answer.version, kind = version, kinds.kept(content.kind)
        answer.__dict__.pop("content", None)
        answer.order = kind.order(content, shuffle=False)
        if answer.marked_with_id is not None:
            answer.marked_with = version
        if answer.given is not None and fields is not None:
            answer.given = kind.clean(kind.given_in(fields), content, answer.order)
            answer.fraction = kind.mark(content, answer.given)
        answer.save()

    def _reckon(self, attempt: Attempt, seen: Sight) -> None:
        """The score that the marks make; another one, and other words of the marker, where they are not seen."""
        answers = list(attempt.answers.all())
        if not seen.score:
            for answer in (one for one in answers if one.awarded is not None):
                answer.awarded, answer.comment = Decimal(2), "Otherwise."
                answer.save()
        score = sum((answer.mark for answer in answers), Decimal(0))
        if seen.right_or_wrong and not seen.score:
            score += Decimal("0.5")
        Attempt.objects.filter(pk=attempt.pk).update(score=score)


def answered(attempt: Attempt, world: World, *, one_way: bool) -> None:
    """Answer four questions, right, wrong, wrong and wrong, and begin to write a text."""
    if one_way and attempt.changeable:
        attempt.move_on(1)
    for position in ANSWERED:
        attempt.answer(position, Submitted(world.given[position]), move_on=one_way)
    if attempt.changeable and not one_way:
        attempt.answer(ESSAY, "Half of a text.")
    elif not one_way:
        attempt.keep(ESSAY, "Half of a text.")
