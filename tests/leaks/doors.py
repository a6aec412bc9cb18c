"""Every way to what a learner did: the pages, their parts, what a script is told, and what a press is answered."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.template import RequestContext, Template
from django.test import Client, RequestFactory

from mpquiz.models import Attempt
from tests.leaks.conftest import undone
from tests.leaks.worlds import ESSAY, OPEN, World

PAGE = "/en/quizzes/floats/"
IN_PLACE = {"HX-Request": "true"}
POSITIONS = (1, 2, 3, 5, OPEN, ESSAY)

ANSWERS = [f"1: {press}" for press in ("the same again in place", "another in place")]
"""The presses that are told how it went where the question has no answer yet and feedback comes at once."""

Door = Callable[[], Any]


_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def sent(response: Any) -> tuple[Any, ...]:
    """All that leaves the server; of attempts only that they have an id, which is drawn by lot."""
    headers = sorted((name, _ID.sub("id", value)) for name, value in response.headers.items())
    return response.status_code, headers, response.cookies.output(), _ID.sub("id", response.content.decode())


def doors(client: Client, user: Any, world: World, *attempts: Attempt) -> dict[str, Door]:
    """{what is asked for: ask for it}. What a press stores is undone before anybody can see it."""
    found = _of_everybody(client, user, len(attempts) + 1)
    for number, attempt in enumerate(attempts, 1):
        own = {**_pages(client, attempt), **_presses(client, world, attempt)}
        found |= {f"{number}: {name}": door for name, door in own.items()}
    return found


def ask(found: Mapping[str, Door]) -> dict[str, Any]:
    """{what was asked for: what was sent}."""
    told = {}
    for name, door in found.items():
        with undone():
            told[name] = door()
    return told


def _of_everybody(client: Client, user: Any, number: int) -> dict[str, Door]:
    return {
        "quiz page": _get(client, PAGE),
        "quiz page in Arabic": _get(client, "/ar/quizzes/floats/"),
        "list": _get(client, "/en/quizzes/"),
        "my quizzes": _get(client, "/en/quizzes/mine/"),
        "guide": lambda: _quizzes_of_guide(user),
        "start": _post(client, f"{PAGE}start/", {"number": number}),
        "start without a number": _post(client, f"{PAGE}start/", {"guest": "nonce"}),
        "start with an answer to something else": _post(
            client, f"{PAGE}start/", {"number": number, "seen": "0" * 64, "given": "1"}
        ),
        "start with all answers to something else": _post(
            client, f"{PAGE}start/", {"number": number, "all": "0" * 64, "q2-given": "1", "q2-revision": "0"}
        ),
    }


def _quizzes_of_guide(user: Any) -> str:
    request = RequestFactory().get("/")
    request.user = user
    request.session = {}
    template = Template("{% load mpquiz %}{% quizzes_of_guide 'guide-2' %}")
    return template.render(RequestContext(request, {}))


def _pages(client: Client, attempt: Attempt) -> dict[str, Door]:
    here = f"/en/quizzes/attempts/{attempt.public_id}/"
    found = {f"question {one}": _get(client, f"{here}{one}/") for one in POSITIONS}
    found |= {f"question {one} in place": _get(client, f"{here}{one}/", IN_PLACE) for one in (2, OPEN)}
    found["question 2 in Arabic"] = _get(client, f"/ar/quizzes/attempts/{attempt.public_id}/2/")
    found |= {name: _get(client, f"{here}{name}/") for name in ("summary", "seconds")}
    return {**found, "result": _get(client, here), "result with a notice": _get(client, f"{here}?notice=finished")}


def _presses(client: Client, world: World, attempt: Attempt) -> dict[str, Door]:
    """Presses that tell nothing of an answer given only now: those again, others, what is refused or only asked."""
    here, number = f"/en/quizzes/attempts/{attempt.public_id}/", attempt.number + 1
    same, other = world.form(), world.form(other=True)
    stale = {**other, "revision": "77", "to": "next"}
    found = {
        "the same again": _post(client, f"{here}2/", {**same, "to": "next"}),
        "the same again in place": _post(client, f"{here}2/", same, IN_PLACE),
        "another": _post(client, f"{here}3/", {**other, "to": "next"}),
        "another in place": _post(client, f"{here}3/", other, IN_PLACE),
        "another from an old window": _post(client, f"{here}2/", stale),
        "nothing": _post(client, f"{here}{OPEN}/", {"to": "next"}),
        "nonsense": _post(client, f"{here}{OPEN}/", {"given": ["77", "x"], "given-77": "1", "to": "next"}),
        "nonsense in place": _post(client, f"{here}{OPEN}/", {"given": ["77", "x"], "given-77": "1"}, IN_PLACE),
        "a flag": _post(client, f"{here}{OPEN}/", {"flag": "1"}),
        "saved": _post(client, f"{here}{OPEN}/", {**same, "save": "1"}),
        "saved text": _post(client, f"{here}{ESSAY}/", {"given": "Text.", "save": "1"}),
        "saved whole": _post(client, f"{here}1/", {**world.form(2), "q2-revision": "1", "save": "1"}),
        "whole from an old window": _post(client, f"{here}1/", {**world.form(3, other=True), "q3-revision": "77"}),
        "whole, not complete": _post(client, f"{here}1/", {f"q{OPEN}-revision": "0", "to": "finish"}),
        "finish?": _post(client, f"{here}finish/", {}),
        "start over?": _post(client, f"{here}start-over/", {"number": number}),
        "retry?": _post(client, f"{here}retry/", {"number": number}),
        "discard": _post(client, f"{here}discard/", {}),
    }
    return found


def _get(client: Client, address: str, headers: Any = None) -> Door:
    return lambda: sent(client.get(address, headers=headers))


def _post(client: Client, address: str, form: Any, headers: Any = None) -> Door:
    return lambda: sent(client.post(address, form, headers=headers))
