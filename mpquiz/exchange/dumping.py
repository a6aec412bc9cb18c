"""From rows to content."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from django.db.models import Exists, OuterRef
from django.utils import timezone

from .. import words
from ..content import GuideContent, PlacedQuestion, PoolContent, QuestionContent, QuizContent, TagContent, clean
from ..models import Accommodation, Guide, Pool, Question, Quiz, QuizQuestion, Tag
from ..words import Words
from .batches import fetch_along

OF_QUESTIONS = "questions"
"""The slug of a content that was no quiz, and the namespace where its questions are of several."""

PLAIN = (
    "level",
    "pass_mark",
    "shuffle_choices",
    "preview",
    "publishes_answers",
    "shuffle_questions",
    "draw",
    "feedback",
    "layout",
    "one_way",
    "time_limit",
    "runs_past_closing",
    "attempts_allowed",
    "wait",
    "counting",
    "access",
)
"""What a quiz's row and its content call by one name and hold as one value."""


def dump(quiz: Quiz, *, whole: bool = False) -> QuizContent:
    """The content of a stored quiz, in a number of queries that grows by 500 questions.

    A question of another namespace than the quiz's is referred to by its key, unless ``whole``.
    """
    places = list(quiz.places.select_related("question"))
    own = [place.question for place in places if whole or place.question.key.startswith(f"{quiz.namespace}/")]
    contents = _contents(own)
    named = list(quiz.guides.all())
    pools = list(quiz.pools.select_related("tag"))
    return replace(
        quiz_content(quiz, [guide.slug for guide in named], pools=pool_contents(pools, places)),
        questions=tuple(_placed(place, contents) for place in places),
        known_guides=_known_guides(own, named),
        known_tags=_known_tags(own, [pool.tag for pool in pools]),
        left_behind=tuple(_left_behind(quiz)),
    )


def dump_questions(questions: Iterable[Question]) -> QuizContent:
    """The content of questions that are no quiz, in their order; its slug is ``questions``.

    Where they are of several namespaces each gets a key in a namespace of that name.
    """
    rows = list(questions)
    contents = _contents(rows)
    namespaces = {row.key.split("/")[0] for row in rows}
    namespace = namespaces.pop() if len(namespaces) == 1 else OF_QUESTIONS
    placed: dict[str, PlacedQuestion] = {}
    for number, row in enumerate(rows, 1):
        key = f"{namespace}/{row.key.split('/')[-1]}"
        key = f"{key[:160]}-{number}" if key in placed else key
        placed[key] = PlacedQuestion(key=key, content=replace(contents[row.pk], key=key))
    return QuizContent(
        slug=OF_QUESTIONS,
        namespace=namespace,
        questions=tuple(placed.values()),
        known_guides=_known_guides(rows, ()),
        known_tags=_known_tags(rows),
    )


def _contents(rows: list[Question]) -> dict[int, QuestionContent]:
    fetch_along(rows, "choices", "guides", "tags")
    return {row.pk: canonical(row.written()) for row in rows}


def _placed(place: QuizQuestion, contents: dict[int, QuestionContent]) -> PlacedQuestion:
    return PlacedQuestion(key=place.question.key, points=place.points, content=contents.get(place.question_id))


def _known_guides(questions: Iterable[Question], named: Iterable[Guide]) -> tuple[GuideContent, ...]:
    guides = {guide.pk: guide for guide in named}
    guides |= {guide.pk: guide for question in questions for guide in question.guides.all()}
    known = sorted(guides.values(), key=lambda guide: (guide.place, guide.slug))
    return tuple(guide_content(guide) for guide in known)


def _known_tags(questions: Iterable[Question], named: Iterable[Tag] = ()) -> tuple[TagContent, ...]:
    """The tags of which something is said."""
    tags = {tag.pk: tag for tag in named}
    tags |= {tag.pk: tag for question in questions for tag in question.tags.all()}
    found = (tag_content(tag) for tag in sorted(tags.values(), key=lambda tag: (tag.name, tag.pk)))
    return tuple(tag for tag in found if tag.description)


def tag_content(tag: Tag) -> TagContent:
    return TagContent(name=tag.name, description=clean(words.of(tag, "description")))


def guide_content(guide: Guide) -> GuideContent:
    return GuideContent(slug=guide.slug, title=clean(words.of(guide, "title")), address=guide.address)


def pool_contents(pools: Iterable[Pool], places: Iterable[QuizQuestion]) -> tuple[PoolContent, ...]:
    """The pools of a quiz whose own questions stand at ``places``."""
    stand = sorted(place.place for place in places)
    return tuple(
        PoolContent(tag=pool.tag.name, count=pool.count, points=pool.points, place=bisect_right(stand, pool.place))
        for pool in pools
    )


def _left_behind(quiz: Quiz) -> Iterator[str]:
    """What stays on this site: a secret, and what is said of its own people."""
    groups = Quiz.groups.through.objects.filter(quiz=OuterRef("pk"))
    granted = Accommodation.objects.filter(quiz=OuterRef("pk"))
    has = Quiz.objects.filter(pk=quiz.pk).values_list(Exists(groups), Exists(granted)).get()
    told = {"password": bool(quiz.password), "groups": has[0], "accommodations": has[1]}
    yield from (name for name, there in told.items() if there)


def quiz_content(quiz: Quiz, guides: Iterable[str], *, pools: tuple[PoolContent, ...]) -> QuizContent:
    """The quiz's own words and settings, without its questions."""
    return QuizContent(
        slug=quiz.slug,
        namespace=quiz.namespace,
        title=clean(words.of(quiz, "title")),
        description=clean(words.of(quiz, "description")),
        published=tuple(quiz.published_languages),
        guides=tuple(guides),
        opens_at=_moment(quiz.opens_at),
        closes_at=_moment(quiz.closes_at),
        review=quiz.review,
        pools=pools,
        **{name: getattr(quiz, name) for name in PLAIN},
    )


def _moment(value: datetime | None) -> datetime | None:
    """A moment of a row; a host without time zones keeps its own time in it."""
    if value is None or timezone.is_aware(value):
        return value
    return timezone.make_aware(value, timezone.get_default_timezone())


# As the host can store it --------------------------------------------------------------------------------------


def for_host(content: QuizContent) -> QuizContent:
    """The content as the host can store it: in its languages only."""
    known = words.languages()
    return replace(
        content,
        title=kept(content.title),
        description=kept(content.description),
        published=tuple(language for language in known if language in content.published),
        pools=_in_place(content.pools, len(content.questions)),
        questions=tuple(
            replace(placed, content=placed.content and canonical(placed.content)) for placed in content.questions
        ),
        known_guides=tuple(replace(guide, title=kept(guide.title)) for guide in content.known_guides),
        known_tags=tuple(replace(tag, description=kept(tag.description)) for tag in content.known_tags),
    )


def _in_place(pools: Iterable[PoolContent], questions: int) -> tuple[PoolContent, ...]:
    """In the order in which they are asked; none stands further back than after the last question."""
    within = (replace(pool, place=min(pool.place, questions)) for pool in pools)
    return tuple(sorted(within, key=lambda pool: pool.place))


def canonical(content: QuestionContent) -> QuestionContent:
    return content.with_words(lambda _where, texts: kept(texts))


def kept(texts: Words) -> dict[str, str]:
    """Trimmed, in the host's languages, without the empty ones."""
    known = words.languages()
    return {language: text for language, text in clean(texts).items() if language in known}
