"""Every way to what a learner did: the pages, their parts, what a script is told, and what a press is answered."""

import difflib
import itertools
import json
import os
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.template import RequestContext, Template
from django.test import Client, RequestFactory

from mpquiz import privacy
from mpquiz.learners import Learner
from mpquiz.models import Attempt
from mpquiz.rules import Sight
from tests.leaks.conftest import undone
from tests.leaks.worlds import ESSAY, OPEN, SHAPES, World

PAGE = "/en/quizzes/floats/"
IN_PLACE = {"HX-Request": "true"}
IN_LESSON = {
    **IN_PLACE,
    "HX-Target": "floats-mpquiz-stage",
    "HX-Current-URL": "http://testserver/en/lesson/",
}
GUEST = "mpquiz_guest"
ALL = os.environ.get("MPQUIZ_LEAKS") == "all"
PART = 1 if ALL else 6
POSITIONS = (1, 2, 3, 5, OPEN, ESSAY)

PRESSES = (
    "the same again in place",
    "another in place",
    "the same again in a lesson",
    "another in a lesson",
    "the same again by API",
    "another by API",
    "another by API from an old window",
    "whole by API from an old window",
)
ANSWERS = [f"1: {press}" for press in PRESSES]
"""The presses that are told how it went where the question has no answer yet and feedback comes at once."""

Door = Callable[[], Any]


_SESSION = re.compile(r"sessionid=\w+")
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def sent(response: Any) -> tuple[Any, ...]:
    """All that leaves the server; of attempts and sessions only that they have an id, which is drawn by lot."""
    headers = sorted((name, _ID.sub("id", value)) for name, value in response.headers.items())
    cookies = _SESSION.sub("sessionid=id", response.cookies.output())
    return response.status_code, headers, cookies, _ID.sub("id", response.content.decode())


def signed_in(client: Client, user: Any) -> Learner:
    """The learner of this browser: a user; a guest where there is none."""
    if user is not None:
        client.force_login(user)
        return Learner(user=user)
    session = client.session
    session[GUEST] = "token"
    session.save()
    return Learner(guest="token")


def doors(client: Client, learner: Learner, world: World, *attempts: Attempt) -> dict[str, Door]:
    """{what is asked for: ask for it}. What a press stores is undone before anybody can see it."""
    found = {**_of_everybody(client, learner, len(attempts) + 1), **_of_everybody_by_api(client, len(attempts) + 1)}
    for number, attempt in enumerate(attempts, 1):
        own = {**_pages(client, attempt), **_presses(client, world, attempt), **_by_api(client, world, attempt)}
        found |= {f"{number}: {name}": door for name, door in own.items()}
    return found


def ask(found: Mapping[str, Door]) -> dict[str, Any]:
    """{what was asked for: what was sent}."""
    told = {}
    for name, door in found.items():
        with undone():
            told[name] = door()
    return told


def assert_nothing_leaks(
    client: Client,
    learner: Learner,
    world: World,
    seen: Sight,
    *attempts: Attempt,
    unanswered: Sight | None = None,
    without: Collection[str] = (),
) -> None:
    """Turn the world as far as it may not be seen: not a byte of any answer is another.

    For the gate every third door is tried, other ones each time: each of them at some moment of every attempt.
    ``without``: the doors that are not tried, since what they do lets more be seen.
    """
    found = doors(client, learner, world, *attempts)
    turn = next(vars(client).setdefault("turns", itertools.count()))
    tried = [name for name in found if name not in without]
    found = {name: found[name] for number, name in enumerate(tried) if (number + turn) % PART == 0}
    for name, (one, other) in before_and_after(found, world, seen, unanswered).items():
        assert one == other, f"{name}\n{_difference(one, other)}"


def before_and_after(
    found: Mapping[str, Door], world: World, seen: Sight, unanswered: Sight | None = None
) -> dict[str, tuple[Any, Any]]:
    """{what was asked for: what was sent in the one world and in the other}."""
    with undone():
        before = ask(found)
        world.turn(seen, unanswered=seen if unanswered is None else unanswered)
        after = ask(found)
    return {name: (told, after[name]) for name, told in before.items()}


def _difference(one: Any, other: Any) -> str:
    lines = [str(told).replace("\\n", "\n").splitlines() for told in (one, other)]
    return "\n".join(list(difflib.unified_diff(*lines, lineterm="", n=0))[:30])


def _of_everybody(client: Client, learner: Learner, number: int) -> dict[str, Door]:
    return {
        "quiz page": _get(client, PAGE),
        "quiz page in Arabic": _get(client, "/ar/quizzes/floats/"),
        "list": _get(client, "/en/quizzes/"),
        "my quizzes": _get(client, "/en/quizzes/mine/"),
        "export of a person": lambda: _ID.sub("id", json.dumps(privacy.export(learner))),
        "guide": lambda: _on_a_page(learner, "{% quizzes_of_guide 'guide-2' %}"),
        "guide of a page": lambda: _on_a_page(learner, "{% quizzes_of_page %}"),
        "card": lambda: _on_a_page(learner, "{% quiz_card 'floats' %}"),
        "progress": lambda: _on_a_page(learner, "{% quiz_progress %}"),
        "lesson": lambda: _on_a_page(learner, "{% take_quiz 'floats' %}"),
        "lesson, lazy": lambda: _on_a_page(learner, "{% take_quiz 'floats' lazy=True %}"),
        "brought to a lesson": _get(client, f"{PAGE}embedded/", IN_LESSON),
        "start in a lesson": _post(client, f"{PAGE}start/", {"number": number, "lesson": "/en/lesson/"}, IN_LESSON),
        "start": _post(client, f"{PAGE}start/", {"number": number}),
        "start without a number": _post(client, f"{PAGE}start/", {"guest": "nonce"}),
        "start with an answer to something else": _post(
            client, f"{PAGE}start/", {"number": number, "seen": "0" * 64, "given": "1"}
        ),
        "start with all answers to something else": _post(
            client, f"{PAGE}start/", {"number": number, "all": "0" * 64, "q2-given": "1", "q2-revision": "0"}
        ),
    }


def _on_a_page(learner: Learner, tags: str) -> str:
    request: Any = RequestFactory().get("/guides/guide-2/")
    request.META["CSRF_COOKIE"] = "a" * 32
    request.user = learner.user or AnonymousUser()
    request.session = {GUEST: learner.guest}
    return _ID.sub("id", Template("{% load mpquiz %}" + tags).render(RequestContext(request, {})))


def _pages(client: Client, attempt: Attempt) -> dict[str, Door]:
    here = f"/en/quizzes/attempts/{attempt.public_id}/"
    found = {f"question {one}": _get(client, f"{here}{one}/") for one in POSITIONS}
    found |= {f"question {one} in place": _get(client, f"{here}{one}/", IN_PLACE) for one in (2, OPEN)}
    found |= {f"question {one} in a lesson": _get(client, f"{here}{one}/", IN_LESSON) for one in (2, 3, OPEN)}
    found["result in a lesson"] = _get(client, here, IN_LESSON)
    found["question 2 in Arabic"] = _get(client, f"/ar/quizzes/attempts/{attempt.public_id}/2/")
    found |= {name: _get(client, f"{here}{name}/") for name in ("summary", "seconds")}
    return {**found, "result": _get(client, here), "result with a notice": _get(client, f"{here}?notice=finished")}


def _presses(client: Client, world: World, attempt: Attempt) -> dict[str, Door]:
    """Presses that tell nothing of an answer given only now: those again, others, what is refused or only asked."""
    here, number = f"/en/quizzes/attempts/{attempt.public_id}/", attempt.number + 1
    same, other = world.form(2), world.form(3, other=True)
    stale = {**world.form(2, other=True), "revision": "77", "to": "next"}
    found = {
        "the same again": _post(client, f"{here}2/", {**same, "to": "next"}),
        "the same again in place": _post(client, f"{here}2/", same, IN_PLACE),
        "the same again in a lesson": _post(client, f"{here}2/", {**same, "lesson": "/en/lesson/"}, IN_LESSON),
        "another in a lesson": _post(client, f"{here}3/", other, IN_LESSON),
        "another": _post(client, f"{here}3/", {**other, "to": "next"}),
        "another in place": _post(client, f"{here}3/", other, IN_PLACE),
        "another from an old window": _post(client, f"{here}2/", stale),
        "nothing": _post(client, f"{here}{OPEN}/", {"to": "next"}),
        "nonsense": _post(client, f"{here}{OPEN}/", {"given": ["77", "x"], "given-77": "1", "to": "next"}),
        "nonsense in place": _post(client, f"{here}{OPEN}/", {"given": ["77", "x"], "given-77": "1"}, IN_PLACE),
        "a flag": _post(client, f"{here}{OPEN}/", {"flag": "1"}),
        "saved": _post(client, f"{here}{OPEN}/", {**world.form(OPEN), "save": "1"}),
        "saved text": _post(client, f"{here}{ESSAY}/", {"given": "Text.", "save": "1"}),
        "saved whole": _post(client, f"{here}1/", {**world.form(2, scoped=True), "q2-revision": "1", "save": "1"}),
        "whole from an old window": _post(
            client, f"{here}1/", {**world.form(3, other=True, scoped=True), "q3-revision": "77"}
        ),
        "whole, not complete": _post(client, f"{here}1/", {f"q{OPEN}-revision": "0", "to": "finish"}),
        "finish?": _post(client, f"{here}finish/", {}),
        "start over in a lesson?": _post(client, f"{here}start-over/", {"number": number}, IN_LESSON),
        "retry in a lesson?": _post(client, f"{here}retry/", {"number": number}, IN_LESSON),
        "start over?": _post(client, f"{here}start-over/", {"number": number}),
        "retry?": _post(client, f"{here}retry/", {"number": number}),
        "discard": _post(client, f"{here}discard/", {}),
        "a report": _post(client, f"{here}2/report/", {"note": "Wrong."}),
        "a report in place": _post(client, f"{here}2/report/", {"note": "Wrong.", "place": "review"}, IN_PLACE),
        "a report of what is open": _post(client, f"{here}{OPEN}/report/", {"note": "Wrong."}),
        "an empty report in place": _post(client, f"{here}3/report/", {"note": " "}, IN_PLACE),
    }
    return found


def _get(client: Client, address: str, headers: Any = None) -> Door:
    return lambda: sent(client.get(address, headers=headers))


def _post(client: Client, address: str, form: Any, headers: Any = None) -> Door:
    return lambda: sent(client.post(address, form, headers=headers))


# By API -----------------------------------------------------------------------------------------------------

API = "/api/v1/"


def _of_everybody_by_api(client: Client, number: int) -> dict[str, Door]:
    start = f"{API}quizzes/floats/start/"
    return {
        "list by API": _get(client, f"{API}quizzes/"),
        "quiz by API": _get(client, f"{API}quizzes/floats/"),
        "quiz by API in a browser": _get(client, f"{API}quizzes/floats/", {"Accept": "text/html"}),
        "guides by API": _get(client, f"{API}guides/"),
        "guide by API": _get(client, f"{API}guides/guide-2/"),
        "progress by API": _get(client, f"{API}progress/"),
        "my quizzes by API": _get(client, f"{API}attempts/"),
        "start by API?": _get(client, start),
        "start by API": _post_json(client, start, {"number": number}),
        "start by API without a number": _post_json(client, start, {"guest": "nonce"}),
    }


def _by_api(client: Client, world: World, attempt: Attempt) -> dict[str, Door]:
    here, number = f"{API}attempts/{attempt.public_id}/", attempt.number + 1
    at = {position: f"{here}questions/{position}/" for position in (*POSITIONS, 3)}
    same, other = _given(world, 2), _given(world, 3, other=True)
    found = {f"question {one} by API": _get(client, address) for one, address in at.items()}
    found["question 2 by API in Arabic"] = _get(client, f"{at[2]}?lang=ar")
    found["question 2 by API in a browser"] = _get(client, at[2], {"Accept": "text/html"})
    found |= {"attempt by API": _get(client, here), "result by API": _get(client, f"{here}result/")}
    whole = [{"position": 3, "given": other, "revision": 77}]
    presses = {
        "the same again by API": (f"{at[2]}answer/", {"given": same}),
        "another by API": (f"{at[3]}answer/", {"given": other}),
        "another by API from an old window": (
            f"{at[2]}answer/",
            {"given": _given(world, 2, other=True), "revision": 77},
        ),
        "nothing by API": (f"{at[OPEN]}answer/", {}),
        "nonsense by API": (f"{at[OPEN]}answer/", {"given": ["77", "x"]}),
        "a flag by API": (f"{at[OPEN]}flag/", {"flagged": True}),
        "saved text by API": (f"{at[ESSAY]}draft/", {"given": "Text."}),
        "saved answer by API": (f"{at[OPEN]}draft/", {"given": _given(world, OPEN)}),
        "left by API": (f"{at[OPEN]}leave/", {}),
        "whole by API from an old window": (f"{here}hand-in/", {"answers": whole}),
        "start over by API": (f"{here}start-over/", {"number": number}),
        "retry by API": (f"{here}retry/", {"number": number}),
        "discard by API": (f"{here}discard/", {}),
        "a report by API": (f"{at[2]}report/", {"note": "Wrong."}),
        "a report by API of what is open": (f"{at[OPEN]}report/", {"note": "Wrong."}),
    }
    return found | {name: _post_json(client, address, body) for name, (address, body) in presses.items()}


def _given(world: World, position: int, *, other: bool = False) -> Any:
    """An answer as JSON has it."""
    fields = world.form(position, other=other)
    parts = {name.removeprefix("given-"): values[-1] for name, values in fields.items() if name != "given"}
    values = fields.get("given") or [""]
    return parts or (values if world.shape is SHAPES["multiple"] else values[0])


def _post_json(client: Client, address: str, body: Any) -> Door:
    return lambda: sent(client.post(address, body, content_type="application/json"))
