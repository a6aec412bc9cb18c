"""Writing what was planned, in batches."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from .. import words
from ..content import ChoiceContent, QuestionContent, QuizContent, digest
from ..models import Choice, Guide, Pool, Question, Quiz, QuizQuestion, Revision, Tag
from ..models.editing import Found
from ..models.question import tag_key
from ..models.staleness import Edited, record
from ..words import Words
from .batches import Changes, create, delete, matching
from .dumping import PLAIN
from .planning import Plan

Values = dict[str, Any]


def store(plan: Plan) -> Quiz:
    _store_guides(plan)
    _store_tags(plan)
    store_questions(plan)
    return _store_quiz(plan)


def _columns(name: str, texts: Words) -> Values:
    """Every language's column, so that a text taken out of the file is taken out of the row."""
    return {words.attribute(name, language): texts.get(language, "") for language in words.languages()}


def _last_place(rows: models.QuerySet[Any]) -> int:
    return rows.aggregate(last=models.Max("place"))["last"] or 0


# Guides and tags -----------------------------------------------------------------------------------------------


def _store_guides(plan: Plan) -> None:
    new, changes = [], Changes(Guide)
    place = _last_place(Guide.objects.all()) if plan.of("guide", "created") else 0
    kept = plan.of("guide", "kept")
    for content in plan.content.known_guides:
        if content.slug in kept:
            continue
        mark = digest(content.to_json())
        values = {**_columns("title", content.title), "address": content.address, "imported": mark}
        if row := plan.guides.get(content.slug):
            changes.put(row, values)
        else:
            place += 1
            new.append(Guide(slug=content.slug, place=place, **values))
    create(Guide, new)
    changes.store()
    plan.guides |= {row.slug: row for row in matching(Guide.objects.all(), "slug", [row.slug for row in new])}


def _store_tags(plan: Plan) -> None:
    new = {tag_key(name): name for name in plan.of("tag", "created")}
    create(Tag, [Tag(name=name, key=key) for key, name in sorted(new.items())], again=True)
    plan.tags |= {row.key: row for row in matching(Tag.objects.all(), "key", new)}
    changes = Changes(Tag)
    for content in plan.content.known_tags:
        row = plan.tags[tag_key(content.name)]
        there = words.of(row, "description")
        told = {**there, **content.description} if plan.mode.force else {**content.description, **there}
        if told != there:
            changes.put(row, _columns("description", told))
    changes.store()


# Questions -----------------------------------------------------------------------------------------------------


def store_questions(plan: Plan) -> None:
    """Write them, and what they were and are into their history."""
    created, updated = plan.of("question", "created"), plan.of("question", "updated")
    rows = [plan.questions[key] for key in sorted(updated)]
    Revision.objects.record_found({row.pk: Found(row.written(), row.updated_at) for row in rows})
    contents = {placed.key: placed.content for placed in plan.content.questions if placed.content}
    new = [Question(key=key, **_question_values(contents[key])) for key in contents if key in created]
    for row in () if plan.mode.source == Revision.Source.EDITED else new:
        row.imported = plan.digests[row.key]
    create(Question, new)
    plan.questions |= {row.key: row for row in matching(Question.objects.all(), "key", created)}
    changed = {plan.questions[key].pk: contents[key] for key in contents if key in updated}
    _change_questions(plan, contents)
    old = {plan.questions[key].pk: list(plan.questions[key].choices.all()) for key in updated}
    written = changed | {plan.questions[key].pk: contents[key] for key in contents if key in created}
    _store_choices(written, old)
    _store_named(plan, written, list(changed))
    Revision.objects.record(written, by=plan.mode.by, source=plan.mode.source)


def _change_questions(plan: Plan, contents: Mapping[str, QuestionContent]) -> None:
    """What reads as the file has it counts as imported too, whoever wrote it."""
    changes, now = Changes(Question), timezone.now()
    for key in plan.of("question", "updated"):
        changes.put(plan.questions[key], {**_question_values(contents[key]), "updated_at": now})
    changes.store()
    marks = Changes(Question)
    for key in () if plan.mode.by_hand else plan.of("question", "updated", "unchanged"):
        marks.put(plan.questions[key], {"imported": plan.digests[key]})
    marks.store()


def _question_values(content: QuestionContent) -> Values:
    named = {name: getattr(content, name) for name in ("title", "prompt", "explanation")}
    told = {column: text for name, texts in named.items() for column, text in _columns(name, texts).items()}
    return {**told, "kind": content.kind, "settings": dict(content.settings)}


def _store_choices(written: Mapping[int, QuestionContent], old: Mapping[int, list[Choice]]) -> None:
    """Rows stay by their key, so that what refers to a choice still finds it."""
    rows = {(pk, choice.key): choice for pk, choices in old.items() for choice in choices}
    changes, new = Changes(Choice), []
    for pk, content in written.items():
        for place, choice in enumerate(content.choices, 1):
            values = {**_choice_values(choice), "place": place}
            if row := rows.pop((pk, choice.key), None):
                changes.put(row, values)
            else:
                new.append(Choice(question_id=pk, key=choice.key, **values))
    delete(Choice.objects.all(), "pk", [row.pk for row in rows.values()])
    changes.store()
    create(Choice, new)


def _choice_values(choice: ChoiceContent) -> Values:
    named = {name: getattr(choice, name) for name in ("text", "match", "feedback")}
    told = {column: text for name, texts in named.items() for column, text in _columns(name, texts).items()}
    same = ("right", "weight", "value", "part", "keeps_place")
    return told | {name: getattr(choice, name) for name in same}


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
    values = _quiz_values(content)
    edited = Edited(quiz, {name: old for name in values if (old := getattr(quiz, name)) != values[name]})
    for name, value in values.items():
        setattr(quiz, name, value)
    if plan.quiz is None or not plan.mode.by_hand:
        quiz.imported = mark
    quiz.save()
    record([edited] if plan.quiz else [])
    quiz.guides.set([plan.guides[slug] for slug in content.guides])
    quiz.publish(content.published)
    _store_places(plan, quiz)
    _store_pools(plan, quiz)
    return quiz


def _quiz_values(content: QuizContent) -> Values:
    values = _columns("title", content.title) | _columns("description", content.description)
    values |= {name: getattr(content, name) for name in PLAIN}
    values |= {f"show_{name}": moment for name, moment in asdict(content.review).items()}
    return values | {"opens_at": _moment(content.opens_at), "closes_at": _moment(content.closes_at)}


def _moment(value: datetime | None) -> datetime | None:
    """As the host's columns take it."""
    if value is None or settings.USE_TZ:
        return value
    return timezone.make_naive(value, timezone.get_default_timezone())


def _store_places(plan: Plan, quiz: Quiz) -> None:
    rows, changes, new = dict(plan.places), Changes(QuizQuestion), []
    for place, placed in enumerate(plan.content.questions, 1):
        if row := rows.pop(placed.key, None):
            changes.put(row, {"place": place, "points": placed.points})
        else:
            question = plan.questions[placed.key]
            new.append(QuizQuestion(quiz=quiz, question=question, place=place, points=placed.points))
    delete(quiz.places.all(), "pk", [row.pk for row in rows.values()])
    changes.store()
    create(QuizQuestion, new)


def _store_pools(plan: Plan, quiz: Quiz) -> None:
    """All anew where any differs: of those at one place the older row is asked first."""
    wanted = [
        {"tag_id": plan.tags[tag_key(pool.tag)].pk, "count": pool.count, "points": pool.points, "place": pool.place}
        for pool in plan.content.pools
    ]
    there = [{name: getattr(row, name) for name in ("tag_id", "count", "points", "place")} for row in plan.pools]
    if there != wanted:
        delete(Pool.objects.all(), "pk", [row.pk for row in plan.pools])
        create(Pool, [Pool(quiz=quiz, **values) for values in wanted])
