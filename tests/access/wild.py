"""What nobody means: values of addresses and filters that a server must refuse, and never fail at."""

import re
from urllib.parse import quote

from .asking import value_of
from .routes import Route
from .world import World

VALUES = (
    *("-1", "9" * 40, "1.5", "1e9", "١", "²", "None", "\0", "a\0b", "\n", " ", "x" * 3000, "🌵", "‮", "ﷺ"),
    *("' OR 1=1 --", '"; DROP TABLE mpquiz_quiz; --', "%", "_", "{}", "[1]", "1,2", "${7*7}", "{{7*7}}", "<b>"),
)
BROKEN = ("%ED%A0%80", "%FF", "%C0%AF", "%00")
"""No UTF-8, as it stands in an address."""
QUOTED = (*map(quote, VALUES), *BROKEN)
LOOKUPS = (
    *("user__password", "user", "answers__question__key", "quiz__slug", "pk__in", "id", "is_staff", "__class__"),
    *("slug__regex", "lang__", "page__gt", "level[]", "q\0", "🌵", "x" * 300, "ordering__"),
)
"""Names that no address takes, some of which an ORM would."""


def some(values: tuple[str, ...], number: int) -> tuple[str, ...]:
    """A quarter of the values; four numbers that follow each other get all of them."""
    return values[number % 4 :: 4]


def addresses(route: Route, world: World, values: tuple[str, ...] = QUOTED) -> list[str]:
    """The addresses of a route with each of its parameters in turn being wild; the others are those of rows."""
    real = {name: quote(str(value_of(name, route.name, world))) for name in route.parameters}
    return [_filled(route, {**real, name: value}) for name in route.parameters for value in values]


def _filled(route: Route, values: dict[str, str]) -> str:
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", lambda found: values[found[1]], route.path)
