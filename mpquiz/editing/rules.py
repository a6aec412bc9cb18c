"""Rules of a quiz that contradict each other."""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ..rules import Access, Layout, Moment

MOMENTS = ("show_right_or_wrong", "show_score", "show_right_answer", "show_explanation")
"""The lines of the table of what learners see when."""

Said = tuple[str, str | Promise]
"""A field, and what is wrong with it."""

Values = Callable[[str], Any]
"""The value of a field by its name, as it would be stored."""


def contradictions(value: Values, unknown: Collection[str] = ()) -> Iterator[Said]:
    """The fields to change, each with what to do; ``unknown`` are those of which the value is not known."""
    yield from _dates(value)
    if "closes_at" not in unknown:
        yield from _moments(value)
    yield from _order(value)
    if not {"access", "groups"} & set(unknown):
        yield from _access(value)
    yield from _published(value)


def _dates(value: Values) -> Iterator[Said]:
    opens_at, closes_at = value("opens_at"), value("closes_at")
    if opens_at and closes_at and opens_at >= closes_at:
        yield "closes_at", _("The closing time is after the opening time.")


def _moments(value: Values) -> Iterator[Said]:
    if value("closes_at"):
        return
    message = _("The quiz never closes. Give it a closing time under “Time”, or choose another moment.")
    yield from ((name, message) for name in MOMENTS if value(name) == Moment.CLOSE)


def _order(value: Values) -> Iterator[Said]:
    if value("one_way") and value("layout") == Layout.ALL:
        message = _("All questions stand on one page. Take the tick out, or choose one question at a time.")
        yield "one_way", message


def _access(value: Values) -> Iterator[Said]:
    groups, by_group = value("groups"), value("access") == Access.GROUPS
    if groups and not by_group:
        yield "groups", _("Only members of these are let in once you choose so above. Else choose no group.")
    if by_group and not groups:
        yield "groups", _("Choose at least one group, or choose above who else may take it.")


def _published(value: Values) -> Iterator[Said]:
    if value("publishes_answers") and value("show_right_answer") not in (Moment.ANSWER, None):
        yield "publishes_answers", _("Learners see the right answer later, or never. Take the tick out.")
