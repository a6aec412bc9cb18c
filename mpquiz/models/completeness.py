"""How much of the texts is there in each language, of questions and of quizzes: counted by the database."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add, or_
from typing import Any

from django.db import models
from django.db.models import Case, Exists, IntegerField, OuterRef, Q, Sum, Value, When
from django.db.models.functions import Coalesce
from django.db.models.lookups import In

from .. import kinds, words
from ..content import QuizContent, Where
from ..translations import NEUTRAL, State, Texts, is_wanted, lacking_in
from .placing import Pool, QuizLanguage, QuizQuestion
from .question import Choice, Question, Tag, tag_key

_QUESTION = ("prompt", "explanation")
_CHOICE = ("text", "match", "feedback")


def _there(name: str, language: str) -> Q:
    return Q(**{f"{words.attribute(name, language)}__gt": ""})


def _wanted(name: str, languages: Iterable[str] | None = None) -> Q:
    """The rows that have such a text in words, in one of the languages (of all by default)."""
    known = words.languages() if languages is None else languages
    worded = (_there(name, la) & ~Q(**{f"{words.attribute(name, la)}__regex": NEUTRAL}) for la in known)
    return reduce(or_, worded, Q(pk__in=()))


class _PartKind(models.Func):
    """What the settings of a question say that a part is. The name of the part goes into a path as it is."""

    arity = 2
    output_field = models.TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **_extra: Any) -> Any:
        template = "JSON_EXTRACT(%(expressions)s || '\".kind')"
        return self.as_sql(compiler, connection, template=template, arg_joiner=", '$.parts.\"' || ")

    def as_mysql(self, compiler: Any, connection: Any, **_extra: Any) -> Any:
        template = "JSON_UNQUOTE(JSON_EXTRACT(%(expressions)s, '\".kind')))"
        return self.as_sql(compiler, connection, template=template, arg_joiner=", CONCAT('$.parts.\"', ")

    def as_postgresql(self, compiler: Any, connection: Any, **_extra: Any) -> Any:
        template = "JSONB_EXTRACT_PATH_TEXT(%(expressions)s, 'kind')"
        return self.as_sql(compiler, connection, template=template, arg_joiner=", 'parts', ")


def _accepted() -> Q:
    """The choices that are answers which are typed and accepted, as their kind says."""
    named = Q(question__kind__in=kinds.accepting(), part__regex=r"^[-_A-Za-z0-9]+$")
    told = Case(
        When(named, then=_PartKind("question__settings", "part")), default=Value(""), output_field=models.TextField()
    )
    kind_of_part = Coalesce(told, Value(""), output_field=models.TextField())
    found = Q(pk__in=())
    for name, offering in kinds.accepting().items():
        own = Q(question__kind=name)
        found |= own & ~Q(In(kind_of_part, offering)) if offering else own
    return found


def _of_another(language: str) -> Q:
    """The accepted answers of other languages alone."""
    return _accepted() & ~_there("text", language) & _wanted("text")


def _excused(language: str) -> Q:
    """The choices that need nothing in a language: answers of another, where some right one is accepted in it."""
    beside = Choice.objects.filter(question=OuterRef("question"), part=OuterRef("part"), right=True).order_by()
    right = Exists(beside.filter(_there("text", language)))
    return _of_another(language) & Q(right)


def _lacking(name: str, language: str) -> Q:
    others = [other for other in words.languages() if other != language]
    return ~_there(name, language) & _wanted(name, others)


def _count(names: Sequence[str], *conditions: Q) -> Any:
    """How many of these texts a row has that are wanted; ``conditions`` holds one for each of them beside that."""
    parts: list[Any] = [
        Case(When(condition & _wanted(name), then=1), default=0, output_field=IntegerField())
        for name, condition in zip(names, conditions, strict=True)
    ]
    return reduce(add, parts)


def _counts(names: Sequence[str]) -> list[Any]:
    """How many are wanted, and how many of them are there in each language."""
    there = (_count(names, *(_there(name, language) for name in names)) for language in words.languages())
    return [_count(names, *(Q() for _name in names)), *there]


def _excusable() -> list[Any]:
    """For each language how many texts of answers of others lack, then for each how many right answers it has."""
    languages = words.languages()
    lacking = (
        _count(_CHOICE, *(_of_another(language) & ~_there(name, language) for name in _CHOICE))
        for language in languages
    )
    right = (Case(When(_there("text", la) & Q(right=True), then=1), default=0) for la in languages)
    return [*lacking, *right]


def _texts(wanted: int, *there: int) -> Texts:
    return Texts(wanted, dict(zip(words.languages(), there, strict=True)))


# Questions -----------------------------------------------------------------------------------------------------


def of_questions(questions: Q) -> dict[int, Texts]:
    """{question id: its texts} of the questions that are so. Two queries."""
    rows = Question.objects.filter(questions).order_by()
    own = {pk: _texts(*counts) for pk, *counts in rows.values_list("pk", *_counts(_QUESTION))}
    # By parts, so that what a right answer excuses is seen without asking for it anew at each choice.
    choices = Choice.objects.filter(question__in=rows.values("pk")).order_by().values("question", "part")
    columns = {f"count_{number}": Sum(count) for number, count in enumerate([*_counts(_CHOICE), *_excusable()])}
    known = len(words.languages())
    for question, wanted, *counts in choices.annotate(**columns).values_list("question", *columns):
        there, lacking, right = (counts[start : start + known] for start in (0, known, 2 * known))
        if question in own:
            excused = (one if some else 0 for one, some in zip(lacking, right, strict=True))
            own[question] += _texts(wanted, *map(add, there, excused))
    return own


def _questions(own: Iterable[Q], of_choices: Iterable[Q]) -> Q:
    """The questions that are so in one of their own texts, or in one of a choice."""
    choices = Choice.objects.filter(reduce(or_, of_choices)).order_by().values("question")
    return reduce(or_, own) | Q(pk__in=choices)


def lacks(language: str) -> Q:
    """The questions that lack a text in a language which another language has."""
    excused = _excused(language)
    return _questions(
        (_lacking(name, language) for name in _QUESTION),
        (_lacking(name, language) & ~excused for name in _CHOICE),
    )


def _has_part(language: str) -> Q:
    return _questions(
        (_there(name, language) & _wanted(name) for name in _QUESTION),
        (*(_there(name, language) & _wanted(name) for name in _CHOICE), _excused(language)),
    )


def mixed() -> Q:
    """The questions that no language has whole, and of which several have parts."""
    languages = words.languages()
    pairs = [(one, other) for number, one in enumerate(languages) for other in languages[number + 1 :]]
    parts = reduce(or_, (_has_part(one) & _has_part(other) for one, other in pairs), Q(pk__in=()))
    return reduce(lambda found, language: found & lacks(language), languages, parts)


# Quizzes -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Completeness:
    """The texts of a quiz: its own words, and those of each question that it may ask, by id."""

    own: Texts = field(default_factory=Texts)
    questions: Mapping[int, Texts] = field(default_factory=dict)

    @property
    def whole(self) -> Texts:
        return sum(self.questions.values(), self.own)

    def having(self, state: State, language: str) -> list[int]:
        """The ids of the questions that are in this state in a language."""
        return [pk for pk, texts in self.questions.items() if texts.state(language) is state]

    def is_half(self, language: str) -> bool:
        """Whether the quiz's own words or a question of it are half translated in a language."""
        return self.own.state(language) is State.HALF or bool(self.having(State.HALF, language))


def of_content(content: QuizContent) -> Completeness:
    """The texts of a content, whose questions are numbered from 0. No query."""
    languages = words.languages()
    questions = {
        number: Texts.of_content(placed.content, languages)
        for number, placed in enumerate(content.questions)
        if placed.content
    }
    return Completeness(Texts.of((content.title, content.description), languages), questions)


def own_texts(quiz: Any) -> Texts:
    """A quiz's own words. No query."""
    return Texts.of((words.of(quiz, name) for name in ("title", "description")), words.languages())


def of_quizzes(quizzes: Iterable[Any]) -> dict[int, Completeness]:
    """{quiz id: its texts}, those of what its pools may draw among them. At most six queries."""
    quizzes = list(quizzes)
    ids = [quiz.pk for quiz in quizzes]
    members: dict[int, dict[int, None]] = {pk: {} for pk in ids}  # in order, each once
    places = QuizQuestion.objects.filter(quiz__in=ids)
    for quiz, question in places.values_list("quiz", "question"):
        members[quiz][question] = None
    pools = list(Pool.objects.filter(quiz__in=ids).values_list("quiz", "tag"))
    drawn = _Drawn({tag for _quiz, tag in pools})
    for quiz, tag in pools:
        members[quiz] |= dict.fromkeys(drawn.questions[tag])
    asked = Q(pk__in=places.order_by().values("question")) | drawn.condition
    counted = of_questions(asked) if any(members.values()) else {}
    return {
        quiz.pk: Completeness(own_texts(quiz), {pk: counted[pk] for pk in members[quiz.pk] if pk in counted})
        for quiz in quizzes
    }


def of_parts(questions: Iterable[int], tags: Iterable[int]) -> dict[int, Texts]:
    """{question id: its texts} of these questions and of what pools of these tags may draw. At most four queries."""
    return of_questions(Q(pk__in=set(questions)) | _Drawn(tags).condition)


class _Drawn:
    """What pools of tags may draw: ``questions`` has their ids by tag. Two queries, none without tags.

    A tag has the questions of the tags within it; pages to read are never drawn.
    """

    def __init__(self, tags: Iterable[int]) -> None:
        self.within = self._within(set(tags))
        self.rows = Question.tags.through.objects.exclude(question__kind__in=kinds.without_answer()).filter(
            tag__in={one for some in self.within.values() for one in some}
        )
        having: dict[int, list[int]] = {}
        for tag, question in self.rows.values_list("tag", "question") if self.within else ():
            having.setdefault(tag, []).append(question)
        self.questions = {
            pk: sorted({question for one in some for question in having.get(one, ())})
            for pk, some in self.within.items()
        }

    def _within(self, tags: set[int]) -> dict[int, list[int]]:
        names = {pk: name.casefold() for pk, name in Tag.objects.values_list("pk", "name")} if tags else {}
        return {pk: [one for one in names if one == pk or names[one].startswith(f"{names[pk]}/")] for pk in tags}

    @property
    def condition(self) -> Q:
        """The questions that are drawn."""
        return Q(pk__in=self.rows.values("question")) if self.within else Q(pk__in=())


def offered_half(question: Question) -> dict[str, list[int]]:
    """{language: ids of quizzes} that are published in a language in which a question of theirs is half translated.

    Not those of which an editor said that texts may be missing. At most five queries.
    """
    texts = of_questions(Q(pk=question.pk))[question.pk]
    half = [language for language in words.languages() if texts.state(language) is State.HALF]
    rows = QuizLanguage.objects.filter(language__in=half, although_incomplete=False, quiz__archived=False)
    asking = Q(quiz__in=question.places.order_by().values("quiz"))
    if half and question.kind not in kinds.without_answer():
        drawing = Pool.objects.filter(tag__key__in=_keys_around(question))
        asking |= Q(quiz__in=drawing.order_by().values("quiz"))
    found: dict[str, list[int]] = {}
    for language, quiz in rows.filter(asking).order_by("quiz").values_list("language", "quiz") if half else ():
        found.setdefault(language, []).append(quiz)
    return found


def _keys_around(question: Question) -> set[str]:
    """The keys of a question's tags and of those that they are within."""
    parts = [name.split("/") for name in question.tags.values_list("name", flat=True)]
    return {tag_key("/".join(path[:depth])) for path in parts for depth in range(1, len(path) + 1)}


# What lacks ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lacking:
    """A question, and where in it a text lacks, by language. ``states`` has all languages."""

    question: Question
    where: Mapping[str, Sequence[Where]]
    states: Mapping[str, State]


def lacking(questions: Iterable[int], *, among: "models.QuerySet[Question]") -> list[Lacking]:
    """Of these questions those that lack a text in some language, in their order. Two queries."""
    ids = list(questions)
    rows = among.filter(pk__in=ids).prefetch_related("choices")
    by_id = {row.pk: row for row in rows} if ids else {}
    found = (_lacking_of(by_id[pk]) for pk in ids if pk in by_id)
    return [one for one in found if any(one.where.values())]


def _lacking_of(question: Question) -> Lacking:
    content, languages = question.written(guides=False, tags=False), words.languages()
    texts = Texts.of_content(content, languages)
    return Lacking(
        question,
        {language: lacking_in(content, language) for language in languages},
        {language: texts.state(language) for language in languages},
    )


def own_lacking(quiz: Any, language: str) -> list[str]:
    """Which of a quiz's own words lack in a language that another has. No query."""
    texts = {name: words.of(quiz, name) for name in ("title", "description")}
    return [name for name, one in texts.items() if is_wanted(one) and not one.get(language)]
