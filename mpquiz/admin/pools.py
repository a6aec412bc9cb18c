"""The pools of a quiz: so many questions of a tag are drawn for each attempt."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.formats import number_format
from django.utils.functional import cached_property
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ..editing.asking import Tagged, any_sound, tagged
from ..models import Pool, Quiz, sharing
from .languages import in_its_own_direction
from .parts import PartForm, TableInline, WholeFormSet, tell_picker

_MOST_NAMES = 3


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

    editor: Any = None

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
        if not self._may_draw(there):
            return
        for form in there:
            if form.cleaned_data.get("place") is None:
                form.instance.place = self.whole.own_rows
        published = self.whole.is_valid() and self.whole.cleaned_data.get("published")
        if published and self.whole.asks_itself is False and not any_sound(form.instance.tag for form in there):
            self.whole.add_error("published", _("Publish it once it has a question that can be asked."))
        elif published:
            self.whole.refuse_half(form.instance.tag_id for form in there)

    def _may_draw(self, there: list[Any]) -> bool:
        """Whether the editor may see what the pools draw whose tag is new."""
        new = {form.instance.tag.name: form for form in there if form.is_new or "tag" in form.changed_data}
        barred = sharing.not_for_pools(self.editor, new)
        for name in barred:
            new[name].add_error("tag", sharing.no_pool_of(name))
        return not barred


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
        formset: Any = super().get_formset(request, obj, **kwargs)
        formset.editor = request.user
        return formset

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
