"""What storing a content would do, decided before anything is written."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from .. import kinds
from ..content import PlacedQuestion, QuestionContent, QuizContent, TagContent, digest, is_storable
from ..models import Guide, Pool, Question, Quiz, QuizQuestion, Revision, Tag
from ..models.question import tag_key
from ..models.quiz import not_reserved
from .batches import fetch_along, matching
from .dumping import canonical, guide_content, pool_contents, quiz_content, tag_content
from .outcome import Item, Loaded, Mistake, Raced, What

LONGEST_TITLE = 200
LONGEST_TAG = 200
LONGEST_VALUE = 100
LONGEST_PART = 20


@dataclass(frozen=True, slots=True)
class Mode:
    """``force`` overwrites what was changed in admin; what is done ``by_hand`` counts as changed there itself.

    Then ``seen`` and ``quiz_seen`` are the digests of the questions, by key, and of the quiz that it was done to.
    ``by`` whom and from which ``source`` (a ``Revision.Source``) is what the questions' history tells.
    """

    force: bool = False
    by_hand: bool = False
    seen: Mapping[str, str] = field(default_factory=dict)
    quiz_seen: str = ""
    by: Any = None
    source: str = Revision.Source.IMPORTED


@dataclass
class Plan:
    content: QuizContent
    mode: Mode
    quiz: Quiz | None = None
    guides: dict[str, Guide] = field(default_factory=dict)
    tags: dict[str, Tag] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    places: dict[str, QuizQuestion] = field(default_factory=dict)
    pools: list[Pool] = field(default_factory=list)
    digests: dict[str, str] = field(default_factory=dict)
    found: dict[str, list[Item]] = field(default_factory=dict)
    errors: list[Mistake] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._fetch_tags()
        self._fetch()
        for guide in self.content.known_guides:
            row = self.guides.get(guide.slug)
            self._judge(
                Item("guide", guide.slug), row, digest(guide.to_json()), lambda row: guide_content(row).to_json()
            )
        self._judge_tags()
        for placed in self.content.questions:
            self._judge_question(placed)
        self._judge_quiz()
        self._check_once()
        self._check_pools()
        self._check_guides()

    # What is there ---------------------------------------------------------------------------------------------

    def _fetch_tags(self) -> None:
        """Tags that read the same are one: the content gets the name that is there, or the first one in the file."""
        keys = {name: tag_key(name) for name in self._tag_names()}
        self.tags = {row.key: row for row in matching(Tag.objects.all(), "key", set(keys.values()))}
        spelt = {key: row.name for key, row in self.tags.items()}
        for name, key in keys.items():
            spelt.setdefault(key, name)
        if any(spelt[key] != name for name, key in keys.items()):
            self.content = _respelt(self.content, {name: spelt[key] for name, key in keys.items()})

    def _tag_names(self) -> list[str]:
        """All that are described or named, each once."""
        described = (tag.name for tag in self.content.known_tags)
        pooled = (pool.tag for pool in self.content.pools)
        named = (tag for placed in self.content.questions if placed.content for tag in placed.content.tags)
        return list(dict.fromkeys([*described, *pooled, *named]))

    def _fetch(self) -> None:
        content = self.content
        self.quiz = Quiz.objects.filter(slug=content.slug).first()
        self.guides = {row.slug: row for row in matching(Guide.objects.all(), "slug", guide_slugs(content))}
        keys = {placed.key for placed in content.questions}
        rows = list(matching(Question.objects.all(), "key", keys))
        fetch_along(rows, "choices", "guides", "tags", "places__quiz")
        self.questions = {row.key: row for row in rows}
        if self.quiz is not None:
            self.places = {place.question.key: place for place in self.quiz.places.select_related("question")}
            self.pools = list(self.quiz.pools.select_related("tag"))

    # What becomes of each --------------------------------------------------------------------------------------

    def _judge(self, item: Item, row: Any, new: str, read: Callable[[Any], Mapping[str, Any]]) -> str:
        verdict = self._verdict(item, row, new, lambda: digest(dict(read(row))))
        self.found.setdefault(verdict, []).append(item)
        return verdict

    def _verdict(self, item: Item, row: Any, new: str, current: Callable[[], str]) -> str:
        now = "" if row is None else current()
        if self.mode.by_hand and now != self._seen(item):
            raise Raced
        if row is None:
            return "created"
        if now == new:
            return "unchanged"
        return "updated" if self.mode.force or now == row.imported else "kept"

    def _seen(self, item: Item) -> str:
        return self.mode.quiz_seen if item.what == "quiz" else self.mode.seen.get(item.name, "")

    def _judge_tags(self) -> None:
        """Tags are shared by all files: what is said of one is filled in, and overwritten only by force."""
        told = {tag.name: tag for tag in self.content.known_tags}
        for name in self._tag_names():
            verdict = self._verdict_of_tag(told.get(name, TagContent(name=name)))
            self.found.setdefault(verdict, []).append(Item("tag", name))
            if len(name) > LONGEST_TAG:
                message = _("A tag is longer than %(most)d characters: %(tag)s…")
                self.errors.append(Mistake(Item("tag", name), message % {"most": LONGEST_TAG, "tag": name[:40]}))

    def _verdict_of_tag(self, tag: TagContent) -> str:
        row = self.tags.get(tag_key(tag.name))
        if row is None:
            return "created"
        there = tag_content(row).description
        if not tag.description.items() - there.items():
            return "unchanged"
        fills = tag.description.keys() - there.keys()
        return "updated" if fills or self.mode.force else "kept"

    def _judge_question(self, placed: PlacedQuestion) -> None:
        item = Item("question", placed.key)
        row = self.questions.get(placed.key)
        if placed.content is None:
            if row is None:
                self.errors.append(Mistake(item, nothing_to_use(placed.key)))
            return
        self._check_sound(item, placed.content)
        self.digests[placed.key] = placed.content.digest
        verdict = self._judge(item, row, self.digests[placed.key], _read_question)
        if verdict in ("updated", "kept") and row and not self.mode.force:
            self._check_owner(item, row)

    def _judge_quiz(self) -> None:
        item = Item("quiz", self.content.slug)
        try:
            not_reserved(item.name)
        except ValidationError as error:
            self.errors.append(Mistake(item, error.messages[0]))
            return
        if self.quiz is not None and self.quiz.namespace != self.content.namespace:
            message = _(
                "The slug “%(slug)s” belongs to a quiz of the namespace “%(other)s”, and this file is of "
                "“%(namespace)s”. Choose another slug."
            )
            values = {"slug": item.name, "other": self.quiz.namespace, "namespace": self.content.namespace}
            self.errors.append(Mistake(item, message % values))
            return
        verdict = self._judge(item, self.quiz, digest(self.content.to_json()), self._current_quiz)
        if verdict in ("created", "updated"):
            wanted = {placed.key for placed in self.content.questions}
            self.found["removed"] = [Item("question", key) for key in self.places if key not in wanted]

    def _current_quiz(self, quiz: Quiz) -> Mapping[str, Any]:
        placed = (PlacedQuestion(key=key, points=place.points) for key, place in self.places.items())
        pools = pool_contents(self.pools, self.places.values())
        content = quiz_content(quiz, [guide.slug for guide in quiz.guides.all()], pools=pools)
        return replace(content, questions=tuple(placed)).to_json()

    # What is wrong ---------------------------------------------------------------------------------------------

    def _check_sound(self, item: Item, content: QuestionContent) -> None:
        problems = [str(problem.message) for problem in kinds.get(content.kind).blocking(content)]
        if len({choice.key for choice in content.choices}) < len(content.choices):
            problems.append(_("Two of its choices have the same key."))
        problems += _too_long(content)
        if not all(is_storable(value) for value in content.to_json().values()):
            problems.append(_("Its texts or settings hold what cannot be stored: numbers or signs that are none."))
        self.errors += [Mistake(item, f"{item.name}: {problem}") for problem in problems]

    def _check_once(self) -> None:
        seen: set[str] = set()
        for placed in self.content.questions:
            if placed.key in seen:
                message = _("The question “%(key)s” stands in the quiz twice.")
                self.errors.append(Mistake(Item("question", placed.key), message % {"key": placed.key}))
            seen.add(placed.key)

    def _check_pools(self) -> None:
        """By now tags that read the same are called the same."""
        seen: set[str] = set()
        for pool in self.content.pools:
            if pool.tag in seen:
                message = _("The quiz draws from the tag “%(tag)s” twice. Make one pool of the two.")
                self.errors.append(Mistake(Item("quiz", self.content.slug), message % {"tag": pool.tag}))
            seen.add(pool.tag)

    def _check_owner(self, item: Item, row: Question) -> None:
        """Two files that give one key to two questions would overwrite each other at each import."""
        others = [place.quiz.slug for place in row.places.all() if place.quiz.slug != self.content.slug]
        if others and item.name not in self.places:
            message = _(
                "The key “%(key)s” belongs to another question, in the quiz “%(quiz)s”. Choose another key, or "
                "refer to that question (use: %(key)s)."
            )
            self.errors.append(Mistake(item, message % {"key": item.name, "quiz": others[0]}))

    def _check_guides(self) -> None:
        known = {*self.guides, *(guide.slug for guide in self.content.known_guides)}
        message = _("There is no guide “%(slug)s”, neither in the file nor on the site. Describe it under “guides:”.")
        for slug in guide_slugs(self.content):
            if slug not in known:
                self.errors.append(Mistake(Item("guide", slug), message % {"slug": slug}))

    # What it comes to ------------------------------------------------------------------------------------------

    def of(self, what: What, *verdicts: str) -> set[str]:
        """The names of what was judged so."""
        return {item.name for verdict in verdicts for item in self.found.get(verdict, ()) if item.what == what}

    def outcome(self, quiz: Quiz | None) -> Loaded:
        if self.errors:
            return Loaded(errors=tuple(self.errors))
        created, updated, unchanged, kept, removed = (
            tuple(self.found.get(verdict, ())) for verdict in ("created", "updated", "unchanged", "kept", "removed")
        )
        return Loaded(quiz, created, updated, (), unchanged, kept, removed)


def nothing_to_use(key: str) -> str:
    message = _("There is no question “%(key)s” to use. Import the file that holds it first.")
    return message % {"key": key}


def _too_long(content: QuestionContent) -> Iterator[str]:
    """What the columns cannot hold; only some databases would say so."""
    if any(len(text) > LONGEST_TITLE for text in content.title.values()):
        yield _("Its title is longer than %(most)d characters.") % {"most": LONGEST_TITLE}
    if any(len(choice.value) > LONGEST_VALUE or len(choice.part) > LONGEST_PART for choice in content.choices):
        yield _("A number or the name of a gap is too long.")


def _read_question(row: Question) -> Mapping[str, Any]:
    return canonical(row.written()).to_json()


def _respelt(content: QuizContent, names: Mapping[str, str]) -> QuizContent:
    """The content with its tags by these names, each once."""

    def respelt(question: QuestionContent) -> QuestionContent:
        return replace(question, tags=tuple(dict.fromkeys(names[tag] for tag in question.tags)))

    return replace(
        content,
        questions=tuple(
            replace(placed, content=placed.content and respelt(placed.content)) for placed in content.questions
        ),
        known_tags=tuple(replace(tag, name=names[tag.name]) for tag in content.known_tags),
        pools=tuple(replace(pool, tag=names[pool.tag]) for pool in content.pools),
    )


def guide_slugs(content: QuizContent) -> list[str]:
    """The slugs of all guides that are described or named, each once."""
    described = [guide.slug for guide in content.known_guides]
    named = [slug for placed in content.questions if placed.content for slug in placed.content.guides]
    return list(dict.fromkeys([*described, *content.guides, *named]))
