"""The only bridge between content and rows: ``load`` stores a quiz, ``dump`` takes one out.

Each guide, quiz and question keeps in ``imported`` the digest of what the last import wrote. Where the row still
reads so, nobody changed it since and the next import may; where it reads otherwise an editor was there, and the
import leaves it alone and says so.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any, Literal

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from . import kinds, words
from .content import ChoiceContent, GuideContent, PlacedQuestion, QuestionContent, QuizContent, clean, digest
from .models import Choice, Guide, Question, Quiz, QuizQuestion
from .models.quiz import not_reserved
from .words import Words

What = Literal["quiz", "question", "guide"]


@dataclass(frozen=True, slots=True)
class Item:
    """A quiz or a guide by its slug, a question by its full key."""

    what: What
    name: str


@dataclass(frozen=True, slots=True)
class Mistake:
    """Why nothing was stored, and about which item of the content."""

    item: Item
    message: str


@dataclass(frozen=True, slots=True)
class Loaded:
    """What ``load`` did, or would do.

    ``kept`` was changed in admin since the last import and stays as it is there. ``removed`` questions are no longer
    in the quiz, but stay. With ``errors`` nothing was stored. ``quiz`` is None then, and after a dry run.
    """

    quiz: Quiz | None = None
    created: tuple[Item, ...] = ()
    updated: tuple[Item, ...] = ()
    unchanged: tuple[Item, ...] = ()
    kept: tuple[Item, ...] = ()
    removed: tuple[Item, ...] = ()
    errors: tuple[Mistake, ...] = ()


def load(content: QuizContent, *, force: bool = False, dry_run: bool = False) -> Loaded:
    """Store a quiz with its questions and guides, all of it or, with an error, nothing.

    An error is what only the database can tell, or a question that cannot be asked. Loading the same again changes
    nothing. What was changed in admin since is overwritten only by ``force``. Texts in a language that the host lacks
    are left out. A dry run writes nothing.
    """
    with transaction.atomic():
        plan = _Plan(_for_host(content), force)
        if dry_run or plan.errors:
            return plan.outcome(None)
        return plan.outcome(_store(plan))


def dump(quiz: Quiz) -> QuizContent:
    """The content of a stored quiz, in a fixed number of queries.

    A question of another namespace than the quiz's is referred to by its key.
    """
    places = list(quiz.places.select_related("question").prefetch_related("question__choices", "question__guides"))
    guides = {guide.pk: guide for guide in quiz.guides.all()}
    placed = []
    for place in places:
        own = place.question.key.startswith(f"{quiz.namespace}/")
        written = _canonical(place.question.written()) if own else None
        placed.append(PlacedQuestion(key=place.question.key, points=place.points, content=written))
        guides |= {guide.pk: guide for guide in place.question.guides.all() if own}
    known = sorted(guides.values(), key=lambda guide: (guide.place, guide.slug))
    return replace(
        _quiz_content(quiz, [guide.slug for guide in quiz.guides.all()]),
        questions=tuple(placed),
        known_guides=tuple(_guide_content(guide) for guide in known),
    )


# Content and rows ----------------------------------------------------------------------------------------------


def _for_host(content: QuizContent) -> QuizContent:
    """The content as the host can store it: in its languages only."""
    known = words.languages()
    return replace(
        content,
        title=_kept(content.title),
        description=_kept(content.description),
        published=tuple(language for language in known if language in content.published),
        questions=tuple(
            replace(placed, content=placed.content and _canonical(placed.content)) for placed in content.questions
        ),
        known_guides=tuple(replace(guide, title=_kept(guide.title)) for guide in content.known_guides),
    )


def _kept(texts: Words) -> dict[str, str]:
    known = words.languages()
    return {language: text for language, text in clean(texts).items() if language in known}


def _canonical(content: QuestionContent) -> QuestionContent:
    return replace(
        content,
        prompt=_kept(content.prompt),
        explanation=_kept(content.explanation),
        choices=tuple(
            replace(choice, text=_kept(choice.text), feedback=_kept(choice.feedback)) for choice in content.choices
        ),
    )


def _guide_content(guide: Guide) -> GuideContent:
    return GuideContent(slug=guide.slug, title=clean(words.of(guide, "title")), address=guide.address)


def _quiz_content(quiz: Quiz, guides: Iterable[str]) -> QuizContent:
    return QuizContent(
        slug=quiz.slug,
        namespace=quiz.namespace,
        title=clean(words.of(quiz, "title")),
        description=clean(words.of(quiz, "description")),
        level=quiz.level,
        pass_mark=quiz.pass_mark,
        published=tuple(quiz.published_languages),
        guides=tuple(guides),
        shuffle_choices=quiz.shuffle_choices,
        preview=quiz.preview,
    )


def _write(row: models.Model, name: str, texts: Words) -> None:
    """Every language's column, so that a text taken out of the file is taken out of the row."""
    for language in words.languages():
        setattr(row, words.attribute(name, language), texts.get(language, ""))


def _columns(*names: str) -> list[str]:
    return [words.attribute(name, language) for name in names for language in words.languages()]


# Planning ------------------------------------------------------------------------------------------------------


@dataclass
class _Plan:
    """What is to be written, decided before anything is."""

    content: QuizContent
    force: bool
    quiz: Quiz | None = None
    guides: dict[str, Guide] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    places: dict[str, QuizQuestion] = field(default_factory=dict)
    found: dict[str, list[Item]] = field(default_factory=dict)
    errors: list[Mistake] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._fetch()
        for guide in self.content.known_guides:
            row = self.guides.get(guide.slug)
            self._judge(Item("guide", guide.slug), row, guide.to_json(), lambda row: _guide_content(row).to_json())
        for placed in self.content.questions:
            self._judge_question(placed)
        self._judge_quiz()
        self._check_once()
        self._check_guides()

    def _fetch(self) -> None:
        content = self.content
        self.quiz = Quiz.objects.filter(slug=content.slug).first()
        self.guides = {row.slug: row for row in Guide.objects.filter(slug__in=_guide_slugs(content))}
        keys = [placed.key for placed in content.questions]
        rows = Question.objects.filter(key__in=keys).prefetch_related("choices", "guides", "places__quiz")
        self.questions = {row.key: row for row in rows}
        if self.quiz is not None:
            self.places = {place.question.key: place for place in self.quiz.places.select_related("question")}

    def _judge(self, item: Item, row: Any, new: Mapping[str, Any], read: Callable[[Any], Mapping[str, Any]]) -> str:
        verdict = self._verdict(row, digest(dict(new)), lambda: digest(dict(read(row))))
        self.found.setdefault(verdict, []).append(item)
        return verdict

    def _verdict(self, row: Any, new: str, current: Callable[[], str]) -> str:
        if row is None:
            return "created"
        now = current()
        if now == new:
            return "unchanged"
        return "updated" if self.force or now == row.imported else "kept"

    def _judge_question(self, placed: PlacedQuestion) -> None:
        item = Item("question", placed.key)
        row = self.questions.get(placed.key)
        if placed.content is None:
            if row is None:
                message = _("There is no question “%(key)s” to use. Import the file that holds it first.")
                self.errors.append(Mistake(item, message % {"key": placed.key}))
            return
        self._check_sound(item, placed.content)
        verdict = self._judge(item, row, placed.content.to_json(), lambda row: row.written().to_json())
        if verdict in ("updated", "kept") and row and not self.force:
            self._check_owner(item, row)

    def _check_sound(self, item: Item, content: QuestionContent) -> None:
        kind = kinds.get(content.kind)
        problems = [str(problem.message) for problem in kind.blocking(content)]
        if len({choice.key for choice in content.choices}) < len(content.choices):
            problems.append(_("Two of its choices have the same key."))
        self.errors += [Mistake(item, f"{item.name}: {problem}") for problem in problems]

    def _check_once(self) -> None:
        seen: set[str] = set()
        for placed in self.content.questions:
            if placed.key in seen:
                message = _("The question “%(key)s” stands in the quiz twice.")
                self.errors.append(Mistake(Item("question", placed.key), message % {"key": placed.key}))
            seen.add(placed.key)

    def _check_owner(self, item: Item, row: Question) -> None:
        """Two files that give one key to two questions would overwrite each other at each import."""
        others = [place.quiz.slug for place in row.places.all() if place.quiz.slug != self.content.slug]
        if others and item.name not in self.places:
            message = _(
                "The key “%(key)s” belongs to another question, in the quiz “%(quiz)s”. Choose another key, or "
                "refer to that question (use: %(key)s)."
            )
            self.errors.append(Mistake(item, message % {"key": item.name, "quiz": others[0]}))

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
        verdict = self._judge(item, self.quiz, self.content.to_json(), self._current_quiz)
        if verdict in ("created", "updated"):
            wanted = {placed.key for placed in self.content.questions}
            self.found["removed"] = [Item("question", key) for key in self.places if key not in wanted]

    def _current_quiz(self, quiz: Quiz) -> Mapping[str, Any]:
        placed = (PlacedQuestion(key=key, points=place.points) for key, place in self.places.items())
        content = _quiz_content(quiz, [guide.slug for guide in quiz.guides.all()])
        return replace(content, questions=tuple(placed)).to_json()

    def _check_guides(self) -> None:
        known = {*self.guides, *(guide.slug for guide in self.content.known_guides)}
        message = _("There is no guide “%(slug)s”, neither in the file nor on the site. Describe it under “guides:”.")
        for slug in _guide_slugs(self.content):
            if slug not in known:
                self.errors.append(Mistake(Item("guide", slug), message % {"slug": slug}))

    def of(self, what: What, *verdicts: str) -> set[str]:
        """The names of what was judged so."""
        return {item.name for verdict in verdicts for item in self.found.get(verdict, ()) if item.what == what}

    def outcome(self, quiz: Quiz | None) -> Loaded:
        if self.errors:
            return Loaded(errors=tuple(self.errors))
        created, updated, unchanged, kept, removed = (
            tuple(self.found.get(verdict, ())) for verdict in ("created", "updated", "unchanged", "kept", "removed")
        )
        return Loaded(quiz, created, updated, unchanged, kept, removed)


def _guide_slugs(content: QuizContent) -> list[str]:
    """The slugs of all guides that are described or named, each once."""
    described = [guide.slug for guide in content.known_guides]
    named = [slug for placed in content.questions if placed.content for slug in placed.content.guides]
    return list(dict.fromkeys([*described, *content.guides, *named]))


# Storing -------------------------------------------------------------------------------------------------------


def _store(plan: _Plan) -> Quiz:
    _store_guides(plan)
    _store_questions(plan)
    return _store_quiz(plan)


def _last_place(rows: models.QuerySet[Any]) -> int:
    return rows.aggregate(last=models.Max("place"))["last"] or 0


def _store_guides(plan: _Plan) -> None:
    new, old = [], []
    place = _last_place(Guide.objects.all()) if plan.of("guide", "created") else 0
    kept = plan.of("guide", "kept")
    for content in plan.content.known_guides:
        row = plan.guides.get(content.slug)
        mark = digest(content.to_json())
        if content.slug in kept or (row and row.imported == mark):
            continue
        if row is None:
            place += 1
            row = Guide(slug=content.slug, place=place)
            new.append(row)
        else:
            old.append(row)
        _write(row, "title", content.title)
        row.address, row.imported = content.address, mark
    Guide.objects.bulk_create(new)
    Guide.objects.bulk_update(old, [*_columns("title"), "address", "imported"])
    if new:
        slugs = [row.slug for row in new]
        plan.guides |= {row.slug: row for row in Guide.objects.filter(slug__in=slugs)}


def _store_questions(plan: _Plan) -> None:
    created, updated = plan.of("question", "created"), plan.of("question", "updated")
    contents = {placed.key: placed.content for placed in plan.content.questions if placed.content}
    Question.objects.bulk_create(
        [_question_row(Question(key=key), contents[key]) for key in contents if key in created]
    )
    if created:
        plan.questions |= {row.key: row for row in Question.objects.filter(key__in=created)}
    changed = [_question_row(plan.questions[key], contents[key]) for key in contents if key in updated]
    columns = [*_columns("prompt", "explanation"), "kind", "settings", "imported", "updated_at"]
    Question.objects.bulk_update(changed, columns)
    _mark_unchanged(plan, contents)
    written = {plan.questions[key].pk: contents[key] for key in contents if key in created | updated}
    old = {row.pk: list(row.choices.all()) for row in changed}
    _store_choices(written, old)
    _store_named_guides(plan, written)


def _question_row(row: Question, content: QuestionContent) -> Question:
    _write(row, "prompt", content.prompt)
    _write(row, "explanation", content.explanation)
    row.kind, row.settings = content.kind, dict(content.settings)
    row.imported, row.updated_at = content.digest, timezone.now()
    return row


def _mark_unchanged(plan: _Plan, contents: Mapping[str, QuestionContent]) -> None:
    """What reads as the file has it counts as imported, whoever wrote it."""
    rows = [plan.questions[key] for key in plan.of("question", "unchanged")]
    stale = [row for row in rows if row.imported != contents[row.key].digest]
    for row in stale:
        row.imported = contents[row.key].digest
    Question.objects.bulk_update(stale, ["imported"])


def _store_choices(written: Mapping[int, QuestionContent], old: Mapping[int, list[Choice]]) -> None:
    """Rows stay by their key, so that what refers to a choice still finds it."""
    rows = {(pk, choice.key): choice for pk, choices in old.items() for choice in choices}
    wanted = {
        (pk, choice.key): (place, choice)
        for pk, content in written.items()
        for place, choice in enumerate(content.choices, 1)
    }
    Choice.objects.filter(pk__in=[row.pk for name, row in rows.items() if name not in wanted]).delete()
    kept = [_choice_row(rows[name], *wanted[name]) for name in wanted if name in rows]
    Choice.objects.bulk_update(kept, [*_columns("text", "feedback"), "place", "right", "weight"])
    new = [(Choice(question_id=pk, key=key), wanted[pk, key]) for pk, key in wanted if (pk, key) not in rows]
    Choice.objects.bulk_create(_choice_row(row, *values) for row, values in new)


def _choice_row(row: Choice, place: int, content: ChoiceContent) -> Choice:
    _write(row, "text", content.text)
    _write(row, "feedback", content.feedback)
    row.place, row.right, row.weight = place, content.right, content.weight
    return row


def _store_named_guides(plan: _Plan, written: Mapping[int, QuestionContent]) -> None:
    through = Question.guides.through
    through.objects.filter(question__in=written).delete()
    through.objects.bulk_create(
        through(question_id=pk, guide_id=plan.guides[slug].pk)
        for pk, content in written.items()
        for slug in content.guides
    )


def _store_quiz(plan: _Plan) -> Quiz:
    content, quiz = plan.content, plan.quiz
    mark = digest(content.to_json())
    if quiz is not None and not plan.of("quiz", "created", "updated"):
        if plan.of("quiz", "unchanged") and quiz.imported != mark:
            quiz.imported = mark
            quiz.save(update_fields=["imported"])
        return quiz
    if quiz is None:
        quiz = Quiz(slug=content.slug, namespace=content.namespace, place=_last_place(Quiz.objects.all()) + 1)
    _write(quiz, "title", content.title)
    _write(quiz, "description", content.description)
    for name in ("level", "pass_mark", "shuffle_choices", "preview"):
        setattr(quiz, name, getattr(content, name))
    quiz.imported = mark
    quiz.save()
    quiz.guides.set([plan.guides[slug] for slug in content.guides])
    quiz.publish(content.published)
    _store_places(plan, quiz)
    return quiz


def _store_places(plan: _Plan, quiz: Quiz) -> None:
    wanted = {placed.key: (place, placed.points) for place, placed in enumerate(plan.content.questions, 1)}
    rows = plan.places
    quiz.places.filter(pk__in=[row.pk for key, row in rows.items() if key not in wanted]).delete()
    kept = [_place_row(rows[key], *wanted[key]) for key in wanted if key in rows]
    QuizQuestion.objects.bulk_update(kept, ["place", "points"])
    new = [(QuizQuestion(quiz=quiz, question=plan.questions[key]), wanted[key]) for key in wanted if key not in rows]
    QuizQuestion.objects.bulk_create(_place_row(row, *values) for row, values in new)


def _place_row(row: QuizQuestion, place: int, points: Decimal) -> QuizQuestion:
    row.place, row.points = place, points
    return row
