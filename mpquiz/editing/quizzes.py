"""A quiz as an editor writes it as a whole: its rules, its list of questions, its pools, where it is published."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.contrib.auth.models import Group
from django.db import models, transaction
from django.utils.translation import gettext as _

from .. import copying, words
from ..exceptions import Refusal
from ..models import Guide, Pool, Question, Quiz, QuizQuestion, Tag, sharing
from ..models.editors import questions_of
from ..models.staleness import record
from . import publishing
from .rows import Sent, Wrong, faults_in, lock, log, nameless, put, refuse, refuse_stale, revision_of, save_new
from .rules import contradictions

_OF_PUBLICATION = {"published", "questions", "pools"}
"""What may leave a quiz published with nothing to ask."""


def read(quizzes: models.QuerySet[Quiz]) -> models.QuerySet[Quiz]:
    """With all that belongs to each, whatever their number: eight queries."""
    return quizzes.prefetch_related("languages", "guides", "groups", "places__question", "pools__tag")


def revision(quiz: Quiz) -> str:
    """A digest of all that an editor wrote in a quiz that was ``read``, its list of questions too."""
    return revision_of(
        quiz,
        sorted(guide.slug for guide in quiz.guides.all()),
        sorted(group.name for group in quiz.groups.all()),
        sorted([row.language, row.although_incomplete] for row in quiz.languages.all()),
        [[place.question_id, str(place.points)] for place in quiz.places.all()],
        [[pool.tag_id, pool.count, str(pool.points), pool.place] for pool in quiz.pools.all()],
    )


@transaction.atomic
def create(sent: Sent, *, by: Any) -> Quiz:
    """Store a new quiz. Raises ValidationError; Refusal: ``stale`` where what it names is gone."""
    quiz = Quiz()
    put(quiz, sent)
    _refuse_wrong(quiz, sent, by=by)
    save_new(quiz)
    _hold(sent)
    _put_parts(quiz, sent)
    log(by, quiz, is_new=True)
    return quiz


@transaction.atomic
def edit(quiz: Quiz, sent: Sent, *, by: Any, seen: str | None = None) -> Quiz:
    """Change what was sent of a quiz; attempts that run keep the rules and the questions of their start.

    ``questions`` and ``pools`` are whole lists, the questions in their order. ``seen`` is the revision that was
    edited.

    Raises ValidationError; Refusal: ``stale``, ``gone``.
    """
    lock(quiz)
    quiz = read(Quiz.objects.all()).get(pk=quiz.pk)
    refuse_stale(revision(quiz), seen)
    slug = quiz.slug
    edited = put(quiz, sent)
    _refuse_wrong(quiz, sent, by=by, slug=slug)
    if edited.old or _changes_parts(quiz, sent):
        quiz.save()
        _hold(sent)
        record([edited])
        _put_parts(quiz, sent)
        log(by, quiz)
    return quiz


@transaction.atomic
def copy(quiz: Quiz, *, by: Any) -> Quiz:
    """A draft with the same questions, pools and rules."""
    made = copying.copy_of_quiz(quiz, by=by)
    log(by, made, is_new=True)
    return made


@transaction.atomic
def publish(
    quiz: Quiz, languages: Iterable[str], although: Collection[str], *, by: Any, seen: str | None = None
) -> Quiz:
    """Publish it in these languages too. Raises ValidationError; Refusal: ``stale``, ``gone``."""
    lock(quiz)
    rows = {row.language: row.although_incomplete for row in quiz.languages.all()}
    said = {*although, *(language for language, incomplete in rows.items() if incomplete)}
    published = [language for language in words.languages() if language in {*rows, *languages}]
    return edit(quiz, {"published": published, "although_incomplete": sorted(said)}, by=by, seen=seen)


@transaction.atomic
def unpublish(quiz: Quiz, languages: Collection[str] | None, *, by: Any, seen: str | None = None) -> Quiz:
    """Publish it no longer in these languages, or in none at all. Raises as ``publish``."""
    lock(quiz)
    kept = [la for la in quiz.published_languages if languages is not None and la not in languages]
    return edit(quiz, {"published": kept}, by=by, seen=seen)


@transaction.atomic
def archive(quiz: Quiz, *, archived: bool, by: Any, seen: str | None = None) -> Quiz:
    """Offer it no longer, or again, whatever else is wrong with it. Raises Refusal: ``stale``, ``gone``."""
    lock(quiz)
    quiz = read(Quiz.objects.all()).get(pk=quiz.pk)
    refuse_stale(revision(quiz), seen)
    if quiz.archived != archived:
        quiz.archived = archived
        quiz.save(update_fields=["archived", "updated_at"])
        log(by, quiz)
    return quiz


# What is wrong ------------------------------------------------------------------------------------------------


def _refuse_wrong(quiz: Quiz, sent: Sent, *, by: Any, slug: str = "") -> None:
    wrong = faults_in(quiz)
    renamed = quiz.imported and slug != quiz.slug
    message = _("A file brought this quiz, and names it by its slug: it keeps it.")
    refuse(
        wrong,
        {"slug": [message]} if renamed else {},
        nameless(quiz),
        _contradicting(quiz, sent, wrong),
        _twice("questions", [one["question"].pk for one in sent.get("questions", ())], _there_already()),
        _not_theirs(quiz, sent, by),
        _twice("pools", [one["tag"].pk for one in sent.get("pools", ())], _drawn_already()),
    )
    if sent.keys() & _OF_PUBLICATION:
        refuse(_unpublishable(quiz, sent, by))


def _there_already() -> str:
    return _("The question is in this quiz already.")


def _drawn_already() -> str:
    return _("The quiz draws from this tag already.")


def _contradicting(quiz: Quiz, sent: Sent, unknown: Collection[str]) -> Wrong:
    """Each field once, where two rules speak of it."""
    there = quiz.groups.all() if quiz.pk else ()

    def value(name: str) -> Any:
        return list(sent.get("groups", there)) if name == "groups" else getattr(quiz, name)

    wrong: Wrong = {}
    for field, message in contradictions(value, unknown):
        wrong.setdefault(field, []).append(message)
    return wrong


def _twice(name: str, ids: Sequence[int], message: str) -> Wrong:
    return {f"{name}.{index}": [message] for index, one in enumerate(ids) if one in ids[:index]}


def _not_theirs(quiz: Quiz, sent: Sent, by: Any) -> Wrong:
    """New pools that would draw what the editor may not see. One query, where the host has a rule."""
    there = {pool.tag_id for pool in quiz.pools.all()} if quiz.pk else set()
    new = [one["tag"].name for one in sent.get("pools", ()) if one["tag"].pk not in there]
    barred = sharing.not_for_pools(by, new)
    names = [one["tag"].name for one in sent.get("pools", ())]
    return {f"pools.{names.index(name)}.tag": [sharing.no_pool_of(name)] for name in barred}


def _unpublishable(quiz: Quiz, sent: Sent, by: Any) -> Wrong:
    before = quiz.published_languages if quiz.pk else []
    published = sent.get("published", before)
    rows = quiz.languages.all() if quiz.pk else ()
    although = sent.get("although_incomplete", [row.language for row in rows if row.although_incomplete])
    return publishing.refusals(
        quiz,
        questions=_questions(quiz, sent),
        tags=_tags(quiz, sent),
        published=published,
        newly=[language for language in published if language not in before],
        although=although,
        among=questions_of(by, Question.objects.all()),
    )


def _questions(quiz: Quiz, sent: Sent) -> models.QuerySet[Question]:
    if "questions" in sent:
        ids = [one["question"].pk for one in sent["questions"]]
    else:
        ids = [place.question_id for place in quiz.places.all()] if quiz.pk else []
    return Question.objects.filter(pk__in=ids).prefetch_related("choices")


def _tags(quiz: Quiz, sent: Sent) -> list[Tag]:
    if "pools" in sent:
        return [one["tag"] for one in sent["pools"]]
    return [pool.tag for pool in quiz.pools.all()] if quiz.pk else []


# Its parts ----------------------------------------------------------------------------------------------------


def _changes_parts(quiz: Quiz, sent: Sent) -> bool:
    """Whether anything that was sent of its parts is otherwise than what is there. No query: it was ``read``."""
    there = {
        "guides": {guide.pk for guide in quiz.guides.all()},
        "groups": {group.pk for group in quiz.groups.all()},
        "questions": [(place.question_id, place.points) for place in quiz.places.all()],
        "pools": {(pool.tag_id, pool.count, pool.points, pool.place) for pool in quiz.pools.all()},
        "published": set(quiz.published_languages),
        "although_incomplete": {row.language for row in quiz.languages.all() if row.although_incomplete},
    }
    return any(there[name] != one for name, one in _parts_in(quiz, sent))


def _parts_in(quiz: Quiz, sent: Sent) -> Iterator[tuple[str, Any]]:
    """What its parts are to be, as ``_put_parts`` puts them."""
    yield from ((name, {row.pk for row in sent[name]}) for name in ("guides", "groups") if name in sent)
    points = {place.question_id: place.points for place in quiz.places.all()}
    if "questions" in sent:
        yield "questions", [_placed(one, points) for one in sent["questions"]]
    if "pools" in sent:
        last = len(sent.get("questions", points))
        yield "pools", {_drawn(one, last) for one in sent["pools"]}
    published = set(sent.get("published", quiz.published_languages))
    yield "published", published
    if "although_incomplete" in sent:
        yield "although_incomplete", published & set(sent["although_incomplete"])


def _placed(one: Mapping[str, Any], points: Mapping[int, Any]) -> tuple[int, Any]:
    pk = one["question"].pk
    return pk, one.get("points", points.get(pk, 1))


def _drawn(one: Mapping[str, Any], last: int) -> tuple[Any, ...]:
    pool = _pool(one, last)
    return pool.tag_id, pool.count, pool.points, pool.place


def _hold(sent: Sent) -> None:
    """Nobody deletes what it names before this is stored. A query for each list that is sent.

    Raises Refusal("stale") where somebody has.
    """
    named = {
        Question: [one["question"] for one in sent.get("questions", ())],
        Tag: [one["tag"] for one in sent.get("pools", ())],
        Guide: sent.get("guides", ()),
        Group: sent.get("groups", ()),
    }
    for model, rows in named.items():
        ids = {row.pk for row in rows}
        held = model._default_manager.select_for_update().filter(pk__in=ids).order_by("pk")
        if ids and len(held.values_list("pk", flat=True)) < len(ids):
            raise Refusal("stale", _("Something that it names was deleted meanwhile. Read it again."))


def _put_parts(quiz: Quiz, sent: Sent) -> None:
    for name in ("guides", "groups"):
        if name in sent:
            getattr(quiz, name).set(sent[name])
    if "questions" in sent:
        _put_places(quiz, sent["questions"])
    if "pools" in sent:
        _put_pools(quiz, sent["pools"])
    if "published" in sent or "although_incomplete" in sent:
        quiz.publish(sent.get("published", quiz.published_languages), although=sent.get("although_incomplete"))


def _put_places(quiz: Quiz, wanted: Sequence[Mapping[str, Any]]) -> None:
    """Questions that stand in it keep their row, in the place that the list gives them."""
    rows = {place.question_id: place for place in QuizQuestion.objects.filter(quiz=quiz)}
    kept, new = [], []
    for place, one in enumerate(wanted, 1):
        row = rows.pop(one["question"].pk, None)
        if row is None:
            new.append(QuizQuestion(quiz=quiz, question=one["question"], place=place, points=one.get("points", 1)))
        else:
            row.place, row.points = place, one.get("points", row.points)
            kept.append(row)
    QuizQuestion.objects.filter(pk__in=[row.pk for row in rows.values()]).delete()
    QuizQuestion.objects.bulk_update(kept, ["place", "points"], batch_size=100)
    QuizQuestion.objects.bulk_create(new, batch_size=500)


def _put_pools(quiz: Quiz, wanted: Sequence[Mapping[str, Any]]) -> None:
    """All anew; one of which no place is named stands after the last question."""
    last = QuizQuestion.objects.filter(quiz=quiz).count()
    Pool.objects.filter(quiz=quiz).delete()
    Pool.objects.bulk_create(_pool(one, last, quiz=quiz) for one in wanted)


def _pool(one: Mapping[str, Any], last: int, **owner: Quiz) -> Pool:
    return Pool(**{"place": last, **{name: value for name, value in one.items() if value is not None}}, **owner)
