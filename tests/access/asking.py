"""How each route is asked: with which rows in its address, and with what is sent; and the word for what came."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import NoReverseMatch, reverse

from mpquiz import remarking
from mpquiz.models import Policy

from .routes import Route
from .world import GIFT, OWN, World

WORDS = {400: "bad", 401: "who", 403: "no", 404: "none", 405: "never", 409: "clash", 429: "wait"}
REFUSED = {"login", "gone", "bad", "who", "no", "none", "never"}

FINISHED = {"mpquiz:report", "mpquiz:retry", "mpquiz-api:report", "mpquiz-api:result", "mpquiz-api:retry"}
"""These are asked of the attempt that is over."""

_SEARCH = {"app_label": "mpquiz", "model_name": "quizquestion", "field_name": "question", "term": "first"}
SOUGHT: Mapping[str, Callable[[World], dict[str, Any]]] = {
    "admin:autocomplete": lambda world: _SEARCH,
    "admin:mpquiz_question_find": lambda world: _SEARCH,
    "admin:mpquiz_attempt_download": lambda world: {"quiz__id__exact": world.quiz.pk},
    "mpquiz-api:staff_question_export": lambda world: {"ids": world.rows["question"].pk},
}
SENT: Mapping[str, Callable[[World], dict[str, Any]]] = {
    "mpquiz:start": lambda world: {"guest": "", "number": ""},
    "mpquiz:question": lambda world: {"given": "1"},
    "mpquiz:report": lambda world: {"note": "Wrong."},
    "mpquiz:finish": lambda world: {"confirm": "yes"},
    "mpquiz:start_over": lambda world: {"confirm": "yes"},
    "mpquiz:retry": lambda world: {"confirm": "yes"},
    "mpquiz-api:answer": lambda world: {"given": 1},
    "mpquiz-api:draft": lambda world: {"given": "Beca"},
    "mpquiz-api:flag": lambda world: {"flagged": True},
    "mpquiz-api:report": lambda world: {"note": "Wrong."},
    "mpquiz-api:staff_guide_list": lambda world: {"slug": "new", "title": {"en": "New"}},
    "mpquiz-api:staff_import": lambda world: {"text": GIFT.decode(), "format": "gift", "into": "new"},
    "mpquiz-api:staff_question_list": lambda world: {"kind": "essay", "prompt": {"en": "Why?"}},
    "mpquiz-api:staff_quiz_list": lambda world: {"slug": "new", "title": {"en": "New"}},
    "mpquiz-api:staff_quiz_remarking_policy": lambda world: {"fingerprint": _previewed(world).fingerprint},
    "mpquiz-api:staff_quiz_publish": lambda world: {"languages": ["en"]},
    "mpquiz-api:staff_waitinganswer_mark": lambda world: {"points": "1", "revision": _revision_of(world)},
    "mpquiz-api:staff_tag_list": lambda world: {"name": "New"},
    "admin:mpquiz_quiz_import": lambda world: {"text": GIFT.decode(), "format": "gift", "language": "en"},
    "admin:mpquiz_quiz_import_preview": lambda world: {"discard": "yes"},
    "admin:mpquiz_quiz_export": lambda world: _written_out(world.quiz),
    "admin:mpquiz_question_export": lambda world: _written_out(world.rows["question"]),
}


def _written_out(row: Any) -> dict[str, Any]:
    return {"ids": row.pk, "format": "yaml", "seen": "yaml/"}


def _previewed(world: World) -> remarking.Preview:
    return remarking.preview(world.quiz, world.rows["question"], Policy.LEAVE_OUT)


def _revision_of(world: World) -> int:
    return world.rows["waitinganswer"].revision


def address_of(route: Route, world: World) -> str:
    values = {name: value_of(name, route.name, world) for name in route.parameters}
    try:
        return reverse(route.name, kwargs=values)
    except NoReverseMatch:  # a route without a name: its path, filled in
        filled = route.name
        for name, value in values.items():
            filled = filled.replace(f"<path:{name}>", str(value))
        return f"/{filled}"


def value_of(parameter: str, route: str, world: World) -> Any:
    """What stands for a parameter in the address of a route."""
    rows = world.rows
    if parameter in ("pk", "object_id"):
        return _row_of(route, world).pk
    return {
        "attempt": rows["finished" if route in FINISHED else "attempt"].public_id,
        "position": 3 if route == "mpquiz-api:draft" else 1,
        "state": rows["revision"].pk,
        "slug": rows["guide"].slug if "guide" in route else world.quiz.slug,
        "asked": f"q{rows['question'].pk}",
        "policy": Policy.LEAVE_OUT.value,
        "question": rows["question"].pk,
        "quiz": world.quiz.pk,
        "public_id": rows["import"].public_id,
    }[parameter]


def _row_of(route: str, world: World) -> Any:
    if route == "admin:mpquiz_question_restore":
        return world.rows["revision"]
    marks = ("mpquiz_{}_", "mpquiz/{}/", "staff_{}")
    found = [name for name in world.rows if any(mark.format(name) in route for mark in marks)]
    return world.rows[found[0]]


def ask(role: str, method: str, route: Route, world: World) -> str:
    """The word for what came, with what is wrong about it.

    ``+wrote``: something was written although it was refused, or by a GET. ``+told``: the words of a quiz are read by
    somebody whose admin or API has no such quiz.
    """
    address = address_of(route, world)
    if route.name in SOUGHT:
        address += f"?{urlencode(SOUGHT[route.name](world))}"
    with CaptureQueriesContext(connection) as queries:
        client = world.client(role)
        response: Any = getattr(client, method.lower())(address, **_body(route, method, world))
    said = _word(response)
    wrote = _writes(queries) and (said in REFUSED or method == "GET")
    told = role not in ("editor", "super") and _is_for_editors(address) and OWN.encode() in _read(response)
    return f"{said}{'+wrote' if wrote else ''}{'+told' if told else ''}"


def _writes(queries: CaptureQueriesContext) -> bool:
    written = [one["sql"] for one in queries if one["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    return any("django_session" not in sql for sql in written)


def _is_for_editors(address: str) -> bool:
    return "/admin/" in address or "/staff/" in address


def _read(response: Any) -> bytes:
    return response.getvalue() if response.streaming else response.content


def _body(route: Route, method: str, world: World) -> dict[str, Any]:
    if method == "GET":
        return {}
    if not route.name.startswith("mpquiz-api:"):
        return {"data": SENT.get(route.name, _as_confirmed)(world)}
    return {"data": SENT.get(route.name, _nothing)(world), "content_type": "application/json"}


def _as_confirmed(world: World) -> dict[str, Any]:
    return {"post": "yes"}


def _nothing(world: World) -> dict[str, Any]:
    return {}


def _word(response: Any) -> str:
    status = response.status_code
    if status == 403 and getattr(response, "data", {}).get("code") == "sign_in":
        return "who"
    if 300 <= status < 400:
        address = response.headers["Location"]
        return "login" if "/login/" in address else "gone" if address == reverse("admin:index") else "goes"
    if response.headers.get("Content-Disposition", "").startswith("attachment"):
        return "file"
    return "ok" if 200 <= status < 300 else WORDS.get(status, str(status))
