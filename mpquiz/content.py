"""The one plain shape of a question: what an editor wrote, a file holds, a learner was asked.

Frozen dataclasses, words as ``{language: Markdown}``, to and from plain JSON, and a digest that tells two
contents apart. No database here.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from math import isfinite
from typing import Any, Self

from .rules import Access, Counting, Feedback, Layout, Moment, Review
from .words import Words

Json = dict[str, Any]
Where = tuple[str | int, ...]
"""Where words stand in a question: ``("prompt",)``, ``("choices", 2, "text")``, ``("settings", "notes")``."""

_WORDS = ("title", "prompt", "explanation")
_CHOICE_WORDS = ("text", "match", "feedback")
_SETTINGS_WORDS = (("feedback", "right"), ("feedback", "partly"), ("feedback", "wrong"), ("notes",))

ADDRESS = re.compile(r"https?://[^\s/]\S*|/(?!/)\S*|[\w:.-]+")
"""What the address of a guide may be: a full address, a path, or the name of a URL. Never ``javascript:…``."""

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""What no text that is stored may hold: NUL and half of a pair of surrogates, which PostgreSQL refuses in JSON."""
DEEPEST = 20
"""How many levels a value may have that is stored as JSON: MariaDB reads 31, those around it included."""
_BITS = 1024  # of a whole number: as many as a floating point number can stand for


def clean(words: Mapping[str, str | None]) -> dict[str, str]:
    """Words without the empty ones, trimmed, in one order, so that equal words have equal JSON.

    A browser sends the line breaks of a text field as CR LF; here they are LF, whoever wrote them.
    """
    trimmed = {language: _trim(text or "") for language, text in words.items()}
    return {language: trimmed[language] for language in sorted(trimmed) if trimmed[language]}


def _trim(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _decimal(value: Decimal | None) -> str | None:
    """One spelling for equal numbers: 1, 1.0 and 1.00 are all "1"."""
    return None if value is None else format(value.normalize() + 0, "f")


def _filled(**values: Any) -> Json:
    """What came with a later release stands in the JSON only where there is any, so that older digests hold."""
    return {name: value for name, value in values.items() if value}


def _moment(value: datetime | None) -> str | None:
    """One spelling for equal moments, whatever their offsets."""
    return None if value is None else value.astimezone(UTC).isoformat()


def is_storable(value: object, levels: int = DEEPEST) -> bool:
    """Whether every database keeps the value as JSON, and a page can show it."""
    if isinstance(value, dict):
        return levels > 0 and all(is_storable(one, levels - 1) for pair in value.items() for one in pair)
    if isinstance(value, list | tuple):
        return levels > 0 and all(is_storable(one, levels - 1) for one in value)
    if isinstance(value, str):
        return not UNSTORABLE.search(value)
    if isinstance(value, float):
        return isfinite(value)
    return value is None or (isinstance(value, int) and value.bit_length() <= _BITS)


def digest(value: Json) -> str:
    """64 hexadecimal digits (SHA-256) that are equal for equal JSON. Never to be shown before the answer."""
    plain = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    # A row from before ``is_storable`` was asked may hold half of a pair of surrogates, and must not fail here.
    return hashlib.sha256(plain.encode(errors="surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChoiceContent:
    """An option that the editor wrote.

    ``key`` names it within its question for good, ``weight`` is its share of the question's points (-1 to 1, None:
    as the kind reckons), ``feedback`` is for whoever chose it. What a choice is beyond that, its kind says: ``match``
    is what belongs to it (matching), ``value`` what is accepted whatever the language (a number), ``part`` the name
    of the gap that it belongs to.
    """

    key: str
    text: Words = field(default_factory=dict)
    right: bool = False
    weight: Decimal | None = None
    feedback: Words = field(default_factory=dict)
    match: Words = field(default_factory=dict)
    value: str = ""
    part: str = ""
    keeps_place: bool = False

    def to_json(self) -> Json:
        plain: Json = {
            "key": self.key,
            "text": clean(self.text),
            "right": self.right,
            "weight": _decimal(self.weight),
            "feedback": clean(self.feedback),
        }
        return plain | _filled(
            match=clean(self.match), value=self.value, part=self.part, keeps_place=self.keeps_place
        )

    @classmethod
    def from_json(cls, value: Json) -> Self:
        weight = value["weight"]
        return cls(
            key=value["key"],
            text=value["text"],
            right=value["right"],
            weight=None if weight is None else Decimal(weight),
            feedback=value["feedback"],
            match=value.get("match", {}),
            value=value.get("value", ""),
            part=value.get("part", ""),
            keeps_place=value.get("keeps_place", False),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionContent:
    """A question as written: ``guides`` are slugs, ``tags`` names, ``settings`` belong to the kind.

    ``title`` is what editors call it; learners never see it.
    """

    key: str
    kind: str
    title: Words = field(default_factory=dict)
    prompt: Words = field(default_factory=dict)
    choices: tuple[ChoiceContent, ...] = ()
    explanation: Words = field(default_factory=dict)
    guides: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    def to_json(self) -> Json:
        plain: Json = {
            "key": self.key,
            "kind": self.kind,
            "prompt": clean(self.prompt),
            "choices": [choice.to_json() for choice in self.choices],
            "explanation": clean(self.explanation),
            "guides": sorted(self.guides),
            "settings": dict(self.settings),
        }
        return plain | _filled(title=clean(self.title), tags=sorted(self.tags))

    @classmethod
    def from_json(cls, value: Json) -> Self:
        return cls(
            key=value["key"],
            kind=value["kind"],
            prompt=value["prompt"],
            choices=tuple(ChoiceContent.from_json(choice) for choice in value["choices"]),
            explanation=value["explanation"],
            guides=tuple(value["guides"]),
            settings=value["settings"],
            title=value.get("title", {}),
            tags=tuple(value.get("tags", ())),
        )

    @property
    def digest(self) -> str:
        return digest(self.to_json())

    def outcome_feedback(self, state: str) -> Words:
        """What is said to every answer that was "right", "partly" or "wrong"."""
        told = self.settings.get("feedback")
        words = told.get(state) if isinstance(told, dict) else None
        return {la: text for la, text in words.items() if isinstance(text, str)} if isinstance(words, dict) else {}

    def choice(self, key: str) -> ChoiceContent | None:
        return next((choice for choice in self.choices if choice.key == key), None)

    def words(self) -> dict[Where, Words]:
        """All words of the question by where they stand, those in its settings too."""
        found: dict[Where, Words] = {(name,): getattr(self, name) for name in _WORDS}
        for index, choice in enumerate(self.choices):
            found |= {("choices", index, name): getattr(choice, name) for name in _CHOICE_WORDS}
        return found | {("settings", *path): words for path, words in _settings_words(self.settings)}

    def with_words(self, change: Callable[[Where, Words], Words]) -> Self:
        """The question with each of its words changed; in its settings, words of no language are left out."""
        changed = {where: change(where, words) for where, words in self.words().items()}
        choices = []
        for index, choice in enumerate(self.choices):
            text, match, feedback = (changed["choices", index, name] for name in _CHOICE_WORDS)
            choices.append(replace(choice, text=text, match=match, feedback=feedback))
        title, prompt, explanation = (changed[name,] for name in _WORDS)
        settings = _with_settings_words(self.settings, changed)
        return replace(
            self, title=title, prompt=prompt, explanation=explanation, choices=tuple(choices), settings=settings
        )


def _settings_words(settings: Mapping[str, Any]) -> "list[tuple[Where, Words]]":
    found: list[tuple[Where, Words]] = []
    for path in _SETTINGS_WORDS:
        value: Any = settings
        for name in path:
            value = value.get(name) if isinstance(value, Mapping) else None
        if isinstance(value, Mapping) and all(isinstance(text, str) for text in value.values()):
            found.append((path, value))
    return found


def _with_settings_words(settings: Mapping[str, Any], changed: Mapping[Where, Words]) -> Json:
    """A copy with the words at these places; what has none left goes, and a mapping that held nothing else too."""
    copy = dict(settings)
    if isinstance(told := settings.get("feedback"), Mapping) and told:
        pairs = {name: changed.get(("settings", "feedback", name), value) for name, value in told.items()}
        copy["feedback"] = {name: value for name, value in pairs.items() if value != {}}
    if ("settings", "notes") in changed:
        copy["notes"] = changed["settings", "notes"]
    return {name: value for name, value in copy.items() if value != {} or settings[name] == {}}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedQuestion:
    """A question's place in a quiz. ``content`` is None where the quiz refers to a question kept elsewhere."""

    key: str
    points: Decimal = Decimal(1)
    content: QuestionContent | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GuideContent:
    """A reading: ``address`` is a path without language prefix, a URL name or a full address."""

    slug: str
    title: Words = field(default_factory=dict)
    address: str = ""

    def to_json(self) -> Json:
        return {"slug": self.slug, "title": clean(self.title), "address": self.address}


@dataclass(frozen=True, slots=True, kw_only=True)
class TagContent:
    """What is said of a tag. A tag within another is named by its path: ``Algebra/Vectors``."""

    name: str
    description: Words = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolContent:
    """So many questions of a tag are drawn for each attempt; ``place`` of the quiz's own questions stand before."""

    tag: str
    count: int = 1
    points: Decimal = Decimal(1)
    place: int = 0

    def to_json(self) -> list[Any]:
        return [self.tag, self.count, _decimal(self.points), self.place]


@dataclass(frozen=True, slots=True, kw_only=True)
class QuizContent:
    """A quiz with its questions and the guides they name, as a file holds it.

    ``time_limit`` and ``wait`` are in minutes, moments know their offset. ``left_behind`` names what the quiz has and
    no content carries, so that an export can say so: its password, its groups, what single learners are granted.
    """

    slug: str
    namespace: str = "site"
    title: Words = field(default_factory=dict)
    description: Words = field(default_factory=dict)
    level: str = ""
    pass_mark: Decimal | None = None
    published: tuple[str, ...] = ()
    guides: tuple[str, ...] = ()
    shuffle_choices: bool = False
    preview: bool = True
    publishes_answers: bool = False
    shuffle_questions: bool = False
    draw: int | None = None
    feedback: str = Feedback.AT_ONCE
    layout: str = Layout.ONE
    one_way: bool = False
    review: Review = field(default_factory=Review)
    time_limit: int | None = None
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    runs_past_closing: bool = False
    attempts_allowed: int | None = None
    wait: int | None = None
    counting: str = Counting.BEST
    access: str = Access.EVERYONE
    pools: tuple[PoolContent, ...] = ()
    questions: tuple[PlacedQuestion, ...] = ()
    known_guides: tuple[GuideContent, ...] = ()
    known_tags: tuple[TagContent, ...] = ()
    left_behind: tuple[str, ...] = field(default=(), compare=False)

    def to_json(self) -> Json:
        """The quiz's own words and settings with its questions' keys and points, not the questions themselves."""
        plain: Json = {
            "slug": self.slug,
            "namespace": self.namespace,
            "title": clean(self.title),
            "description": clean(self.description),
            "level": self.level,
            "pass_mark": _decimal(self.pass_mark),
            "published": sorted(self.published),
            "guides": sorted(self.guides),
            "shuffle_choices": self.shuffle_choices,
            "preview": self.preview,
            "questions": [[placed.key, _decimal(placed.points)] for placed in self.questions],
        }
        return plain | self.unusual_rules()

    def unusual_rules(self) -> Json:
        """The rules that are not as usual, as plain JSON. They came with a later release than the first digests."""
        usual = _rules(QuizContent(slug=""))
        return {name: value for name, value in _rules(self).items() if value != usual[name]}


def _rules(quiz: QuizContent) -> Json:
    review = asdict(quiz.review).items()
    return {
        "publishes_answers": quiz.publishes_answers,
        "shuffle_questions": quiz.shuffle_questions,
        "draw": quiz.draw,
        "pools": [pool.to_json() for pool in quiz.pools],
        "feedback": str(quiz.feedback),
        "layout": str(quiz.layout),
        "one_way": quiz.one_way,
        "review": {name: str(moment) for name, moment in review if moment != Moment.ANSWER},
        "time_limit": quiz.time_limit,
        "opens_at": _moment(quiz.opens_at),
        "closes_at": _moment(quiz.closes_at),
        "runs_past_closing": quiz.runs_past_closing,
        "attempts_allowed": quiz.attempts_allowed,
        "wait": quiz.wait,
        "counting": str(quiz.counting),
        "access": str(quiz.access),
    }


def key_at(index: int) -> str:
    """The key of a choice by its place, from 0: a, b, … z, aa, ab, …"""
    letters = ""
    while index >= 0:
        letters = chr(ord("a") + index % 26) + letters
        index = index // 26 - 1
    return letters
