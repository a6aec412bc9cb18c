"""Ailments of what editors wrote, as far as an installation is to blame: none asks a query for each row."""

from collections.abc import Iterator
from functools import reduce
from operator import or_

from django.db.models import Q

from .. import files, kinds, words
from ..lint.links import is_dead
from ..models import Choice, Guide, Question, Quiz, QuizLanguage, Tag
from .finding import Finding, Found, listed

_TEXTS = {
    Quiz: ("title", "description"),
    Question: ("prompt", "explanation"),
    Choice: ("text", "match", "feedback"),
    Tag: ("description",),
}


def languages(using: str) -> Found:
    """A quiz is published in a language that the site no longer has."""
    rows = QuizLanguage.objects.using(using).exclude(language__in=words.languages())
    published = list(rows.order_by("pk").values_list("quiz__slug", "language"))
    if published:
        yield Finding(
            "languages",
            "Quizzes are published in languages that this site does not have: nobody reads them there.",
            listed(f"{slug} ({language})" for slug, language in published),
            "Add the language to LANGUAGES and migrate, or take these publications away in admin.",
            broken=False,
        )


def nothing_to_ask(using: str) -> Found:
    """A quiz is published and asks nothing."""
    rows = Quiz.objects.using(using).filter(archived=False, pk__in=QuizLanguage.objects.using(using).values("quiz"))
    empty = [quiz.slug for quiz in rows.listed().prefetch_related(None).order_by("pk") if not quiz.asked_count]
    if empty:
        what = "Quizzes are published that have nothing to ask: nobody can start them."
        yield Finding("nothing_to_ask", what, listed(empty), "Add questions in admin, or unpublish them.")


def guides(using: str) -> Found:
    """A guide's address leads nowhere in this site."""
    rows = Guide.objects.using(using).exclude(address="")
    dead = [guide for guide in rows if not (address := guide.get_absolute_url()) or is_dead(address)]
    if dead:
        yield Finding(
            "guides",
            "Guides have addresses that lead nowhere in this site.",
            listed(f"{guide.slug} ({guide.address})" for guide in dead),
            "Correct the address in admin: a path without language prefix, the name of a URL, or https://….",
            broken=False,
        )


def gone_kinds(using: str) -> Found:
    """Questions are of a kind that nothing here knows."""
    rows = Question.objects.using(using).exclude(kind__in=kinds.names())
    gone = sorted(set(rows.order_by().values_list("kind", flat=True).distinct()))
    if gone:
        what = "Questions are of kinds that this site does not know: quizzes leave them out."
        remedy = "Name these kinds in MPQUIZ['KINDS'], or take their questions out of the quizzes."
        yield Finding("kinds", what, listed(gone), remedy)


def lost_files(using: str) -> Found:
    """A text shows a file that the storage does not have."""
    lost = [name for name in sorted(_named(using)) if not files.is_stored(name)]
    if lost:
        what = "Texts show files that the storage does not have."
        remedy = "Bring them back from a copy, or import the file again that brought them."
        yield Finding("files", what, listed(lost), remedy)


def _named(using: str) -> set[str]:
    """The files that texts name. Only texts that name any are read."""
    return {name for text in _texts(using) for name in files.names_in(text)}


def _texts(using: str) -> Iterator[str]:
    for model, names in _TEXTS.items():
        columns = [words.attribute(name, language) for name in names for language in words.languages()]
        naming = reduce(or_, (Q(**{f"{column}__contains": files.SCHEME}) for column in columns))
        for row in model._default_manager.using(using).filter(naming).order_by().values_list(*columns).iterator():
            yield from filter(None, row)
