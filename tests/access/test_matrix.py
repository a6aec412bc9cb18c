"""Who may ask what: every route with each of its methods, asked by everybody, against the table ``matrix.txt``."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import transaction
from django.urls import get_resolver

from .asking import ask
from .routes import Route, routes_of
from .world import ROLES, RULED, make_world

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).with_name("matrix.txt")
OURS = ("mpquiz:", "mpquiz-api:", "admin:mpquiz_", "en/admin/mpquiz/", "admin:autocomplete")
Cell = tuple[str, str]


def rows() -> dict[Cell, dict[str, str]]:
    """{(method, route): {role: what is expected}}, as the table says."""
    lines = [line.split() for line in TABLE.read_text().splitlines() if line.strip() and not line.startswith("#")]
    heads, *rest = lines
    assert tuple(heads[2:]) == ROLES
    found = {(method, name): dict(zip(ROLES, cells, strict=True)) for method, name, *cells in rest}
    assert len(found) == len(rest), "a row stands twice"
    return found


def routes() -> dict[Cell, Route]:
    """{(method, route): route} of what is mpquiz's."""
    return {(method, route.name): route for route in _ours() for method in route.methods}


def _ours() -> Iterator[Route]:
    return (route for route in routes_of(get_resolver().url_patterns) if route.name.startswith(OURS))


def test_every_route_has_a_row_and_every_row_a_route():
    assert sorted(set(routes()) - set(rows())) == [], "routes without a row"
    assert sorted(set(rows()) - set(routes())) == [], "rows without a route"


@pytest.mark.parametrize("role", ROLES)
def test_everybody_is_answered_as_the_table_says(role, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED, "THROTTLE": dict.fromkeys(("api", "start", "answer", "report"))}
    world, expected, wrong = make_world(), rows(), {}
    for cell, route in routes().items():
        with transaction.atomic():
            found = ask(role, cell[0], route, world)
            transaction.set_rollback(True)
        if found not in expected[cell][role].split("/"):
            wrong[cell] = f"{found}, not {expected[cell][role]}"
    assert wrong == {}
