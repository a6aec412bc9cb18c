"""What a quiz asks: whether anything stands in it, or in its pools, that can be asked as it is written."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from .. import kinds
from ..models import Pool, Question, Quiz, QuizQuestion, Tag

_READ_AT_ONCE = 100


@dataclass(frozen=True, slots=True)
class Tagged:
    """The ids of the questions that a pool of a tag may draw, and the tags within it that some of them have."""

    questions: frozenset[int] = frozenset()
    within: tuple[str, ...] = ()


def tagged(tags: Iterable[Tag]) -> dict[int, Tagged]:
    """{tag id: what a pool of the tag may draw}, without pages to read. Two queries, none without tags."""
    wanted = {tag.pk: f"{tag.name}/".casefold() for tag in tags}
    if not wanted:
        return {}
    names = dict(Tag.objects.values_list("pk", "name"))
    within = {
        pk: [one for one, name in names.items() if name.casefold().startswith(start)] for pk, start in wanted.items()
    }
    asking = Question.tags.through.objects.exclude(question__kind__in=kinds.without_answer())
    members: dict[int, set[int]] = {}
    for pk, question in asking.filter(tag__in={*wanted, *chain(*within.values())}).values_list("tag", "question"):
        members.setdefault(pk, set()).add(question)
    return {
        pk: Tagged(
            frozenset().union(*(members.get(one, ()) for one in (pk, *within[pk]))),
            tuple(names[one] for one in within[pk] if one in members),
        )
        for pk in wanted
    }


def is_sound(question: Question) -> bool:
    """Whether it can be asked as it is written; a page to read asks nothing."""
    kind = kinds.kept(question.kind)
    return kind.asks and not kind.blocking(question.written(guides=False, tags=False))


def asking(quizzes: Iterable[Quiz]) -> set[int]:
    """The ids of the stored quizzes that have a question which can be asked, in themselves or in their pools.

    Seven queries at most, however many quizzes.
    """
    ids = [quiz.pk for quiz in quizzes]
    places = QuizQuestion.objects.filter(quiz__in=ids).select_related("question")
    found = {one.quiz_id for one in places.prefetch_related("question__choices") if is_sound(one.question)}
    pools = list(Pool.objects.filter(quiz__in=set(ids) - found).select_related("tag"))
    members = tagged(pool.tag for pool in pools)
    drawn = Question.objects.filter(pk__in=frozenset().union(*(one.questions for one in members.values())))
    sound = {one.pk for one in drawn.prefetch_related("choices") if is_sound(one)}
    return found | {pool.quiz_id for pool in pools if members[pool.tag_id].questions & sound}


def any_sound(tags: Iterable[Tag]) -> bool:
    """Whether pools of these tags have anything to draw."""
    ids = frozenset().union(*(one.questions for one in tagged(tags).values()))
    rows = Question.objects.filter(pk__in=ids).prefetch_related("choices")
    return any(map(is_sound, rows.iterator(chunk_size=_READ_AT_ONCE)))
