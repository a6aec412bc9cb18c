"""Writing what was planned, in batches."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import models
from django.utils import timezone

from .. import words
from ..content import ChoiceContent, QuestionContent, digest
from ..models import Choice, Guide, Question, Quiz, QuizQuestion, Tag
from ..models.quiz import tag_key
from ..words import Words
from .batches import create, delete, matching, update
from .planning import Plan


def store(plan: Plan) -> Quiz:
    _store_guides(plan)
    _store_tags(plan)
    _store_questions(plan)
    return _store_quiz(plan)


def _write(row: models.Model, name: str, texts: Words) -> None:
    """Every language's column, so that a text taken out of the file is taken out of the row."""
    for language in words.languages():
        setattr(row, words.attribute(name, language), texts.get(language, ""))


def _columns(*names: str) -> list[str]:
    return [words.attribute(name, language) for name in names for language in words.languages()]


def _last_place(rows: models.QuerySet[Any]) -> int:
    return rows.aggregate(last=models.Max("place"))["last"] or 0


# Guides and tags -----------------------------------------------------------------------------------------------


def _store_guides(plan: Plan) -> None:
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
    create(Guide, new)
    update(Guide, old, [*_columns("title"), "address", "imported"])
    plan.guides |= {row.slug: row for row in matching(Guide.objects.all(), "slug", [row.slug for row in new])}


def _store_tags(plan: Plan) -> None:
    new = {tag_key(name): name for name in plan.of("tag", "created")}
    create(Tag, [Tag(name=name, key=key) for key, name in sorted(new.items())], again=True)
    plan.tags |= {row.key: row for row in matching(Tag.objects.all(), "key", new)}
    changed = []
    for content in plan.content.known_tags:
        row = plan.tags[tag_key(content.name)]
        there = words.of(row, "description")
        told = {**there, **content.description} if plan.mode.force else {**content.description, **there}
        if told != there:
            _write(row, "description", told)
            changed.append(row)
    update(Tag, changed, _columns("description"))


# Questions -----------------------------------------------------------------------------------------------------


def _store_questions(plan: Plan) -> None:
    created, updated = plan.of("question", "created"), plan.of("question", "updated")
    contents = {placed.key: placed.content for placed in plan.content.questions if placed.content}
    create(Question, [_question_row(plan, Question(key=key), contents[key]) for key in contents if key in created])
    plan.questions |= {row.key: row for row in matching(Question.objects.all(), "key", created)}
    changed = [_question_row(plan, plan.questions[key], contents[key]) for key in contents if key in updated]
    columns = [*_columns("title", "prompt", "explanation"), "kind", "settings", "imported", "updated_at"]
    update(Question, changed, columns)
    _mark_unchanged(plan)
    written = {plan.questions[key].pk: contents[key] for key in contents if key in created | updated}
    old = {row.pk: list(row.choices.all()) for row in changed}
    _store_choices(written, old)
    _store_named(plan, written, [row.pk for row in changed])


def _question_row(plan: Plan, row: Question, content: QuestionContent) -> Question:
    for name in ("title", "prompt", "explanation"):
        _write(row, name, getattr(content, name))
    row.kind, row.settings, row.updated_at = content.kind, dict(content.settings), timezone.now()
    if row.pk is None or not plan.mode.by_hand:
        row.imported = plan.digests[row.key]
    return row


def _mark_unchanged(plan: Plan) -> None:
    """What reads as the file has it counts as imported, whoever wrote it."""
    if plan.mode.by_hand:
        return
    rows = [plan.questions[key] for key in plan.of("question", "unchanged")]
    stale = [row for row in rows if row.imported != plan.digests[row.key]]
    for row in stale:
        row.imported = plan.digests[row.key]
    update(Question, stale, ["imported"])


def _store_choices(written: Mapping[int, QuestionContent], old: Mapping[int, list[Choice]]) -> None:
    """Rows stay by their key, so that what refers to a choice still finds it."""
    rows = {(pk, choice.key): choice for pk, choices in old.items() for choice in choices}
    wanted = {
        (pk, choice.key): (place, choice)
        for pk, content in written.items()
        for place, choice in enumerate(content.choices, 1)
    }
    delete(Choice.objects.all(), "pk", [row.pk for name, row in rows.items() if name not in wanted])
    kept = [_choice_row(rows[name], *wanted[name]) for name in wanted if name in rows]
    columns = [*_columns("text", "match", "feedback"), "place", "right", "weight", "value", "part"]
    update(Choice, kept, columns)
    new = [(Choice(question_id=pk, key=key), wanted[pk, key]) for pk, key in wanted if (pk, key) not in rows]
    create(Choice, [_choice_row(row, *values) for row, values in new])


def _choice_row(row: Choice, place: int, content: ChoiceContent) -> Choice:
    for name in ("text", "match", "feedback"):
        _write(row, name, getattr(content, name))
    row.place, row.right, row.weight = place, content.right, content.weight
    row.value, row.part = content.value, content.part
    return row


def _store_named(plan: Plan, written: Mapping[int, QuestionContent], old: list[int]) -> None:
    """The guides and tags that questions name; ``old`` are the questions that may name some already."""
    guides, tags = Question.guides.through, Question.tags.through
    delete(guides.objects.all(), "question", old)
    delete(tags.objects.all(), "question", old)
    of_guides = [(pk, plan.guides[slug].pk) for pk, content in written.items() for slug in content.guides]
    of_tags = [(pk, plan.tags[tag_key(name)].pk) for pk, content in written.items() for name in content.tags]
    create(guides, [guides(question_id=pk, guide_id=guide) for pk, guide in of_guides])
    create(tags, [tags(question_id=pk, tag_id=tag) for pk, tag in of_tags])


# The quiz ------------------------------------------------------------------------------------------------------


def _store_quiz(plan: Plan) -> Quiz:
    content, quiz = plan.content, plan.quiz
    mark = digest(content.to_json())
    if quiz is not None and not plan.of("quiz", "created", "updated"):
        if plan.of("quiz", "unchanged") and quiz.imported != mark and not plan.mode.by_hand:
            quiz.imported = mark
            quiz.save(update_fields=["imported"])
        return quiz
    if quiz is None:
        quiz = Quiz(slug=content.slug, namespace=content.namespace, place=_last_place(Quiz.objects.all()) + 1)
    _write(quiz, "title", content.title)
    _write(quiz, "description", content.description)
    for name in ("level", "pass_mark", "shuffle_choices", "preview"):
        setattr(quiz, name, getattr(content, name))
    if plan.quiz is None or not plan.mode.by_hand:
        quiz.imported = mark
    quiz.save()
    quiz.guides.set([plan.guides[slug] for slug in content.guides])
    quiz.publish(content.published)
    _store_places(plan, quiz)
    return quiz


def _store_places(plan: Plan, quiz: Quiz) -> None:
    wanted = {placed.key: (place, placed.points) for place, placed in enumerate(plan.content.questions, 1)}
    rows = plan.places
    delete(quiz.places.all(), "pk", [row.pk for key, row in rows.items() if key not in wanted])
    kept = [_place_row(rows[key], *wanted[key]) for key in wanted if key in rows]
    update(QuizQuestion, [row for row, moved in kept if moved], ["place", "points"])
    new = [(QuizQuestion(quiz=quiz, question=plan.questions[key]), wanted[key]) for key in wanted if key not in rows]
    create(QuizQuestion, [_place_row(row, *values)[0] for row, values in new])


def _place_row(row: QuizQuestion, place: int, points: Decimal) -> tuple[QuizQuestion, bool]:
    """The row at its place, and whether that is another than before."""
    moved = (row.place, row.points) != (place, points)
    row.place, row.points = place, points
    return row, moved
