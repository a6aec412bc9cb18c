"""The pools of a quiz: so many questions of a tag are drawn for each attempt."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .. import kinds
from ..models import Pool, Question, Quiz, QuizQuestion, Tag
from .languages import in_its_own_direction
from .parts import PartForm, TableInline, WholeFormSet, tell_picker

_MOST_NAMES = 3
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


class PoolForm(PartForm):
    class Meta:
        labels = {"place": _("After question"), "count": _("How many")}
        help_texts = {
            "tag": _("The tags within it are drawn from too: Algebra/Vectors within Algebra."),
            "place": _("Its number in the quiz. 0: before the first. Empty: after the last."),
        }

    def clean_place(self) -> int | None:  # type: ignore[override]  # none: after the last
        return self.cleaned_data["place"]


class PoolFormSet(WholeFormSet):
    """Sees the whole quiz: what is published has something to ask, in itself or in its pools."""

    def get_form_kwargs(self, index: int | None) -> dict[str, Any]:
        kwargs = super().get_form_kwargs(index)
        is_new = index is None or index >= self.initial_form_count()
        return kwargs | ({"initial": {"place": None}} if is_new else {})

    def add_fields(self, form: Any, index: int | None) -> None:
        super().add_fields(form, index)
        tell_picker(form, "tag")

    def clean(self) -> None:
        super().clean()
        if any(self.errors):
            return
        there = self.there()
        for form in there:
            if form.cleaned_data.get("place") is None:
                form.instance.place = self.whole.own_rows
        published = self.whole.is_valid() and self.whole.cleaned_data.get("published")
        if published and self.whole.asks_itself is False and not _any_sound(form.instance.tag for form in there):
            self.whole.add_error("published", _("Publish it once it has a question that can be asked."))
        elif published:
            self.whole.refuse_half(form.instance.tag_id for form in there)


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


def _any_sound(tags: Iterable[Tag]) -> bool:
    ids = frozenset().union(*(one.questions for one in tagged(tags).values()))
    rows = Question.objects.filter(pk__in=ids).prefetch_related("choices")
    return any(map(is_sound, rows.iterator(chunk_size=_READ_AT_ONCE)))


class PoolsInline(TableInline):
    model = Pool
    form = PoolForm
    formset = PoolFormSet  # type: ignore[assignment]  # it is a WholeFormSet
    template = "admin/mpquiz/quiz/pools.html"
    fields = ["tag", "count", "points", "place", "there"]
    readonly_fields = ["there"]
    picked = "tag"
    blank_rows = (1, 1)

    quiz: Quiz | None = None

    def get_formset(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> Any:
        self.quiz = obj
        self.classes = [] if self._tagged else ["collapse"]
        return super().get_formset(request, obj, **kwargs)

    @cached_property
    def _tagged(self) -> dict[int, Tagged]:
        """What each pool of the quiz may draw, by its tag."""
        pools = self.quiz.pools.select_related("tag") if self.quiz is not None else ()
        return tagged(pool.tag for pool in pools)

    @admin.display(description=_("questions there"))
    def there(self, pool: Pool) -> SafeString | str:
        """How many questions the tag has, those of tags within it among them."""
        if pool.tag_id not in self._tagged:
            return self.get_empty_value_display()
        found = self._tagged[pool.tag_id]
        count = number_format(len(found.questions))
        if not found.within:
            return count
        names = [in_its_own_direction(name) for name in found.within[:_MOST_NAMES]]
        if len(found.within) > _MOST_NAMES:
            names.append(format_html("{}", "…"))
        listed = format_html_join(", ", "{}", ((name,) for name in names))
        return format_html(gettext("{count}, those of {tags} among them"), count=count, tags=listed)
