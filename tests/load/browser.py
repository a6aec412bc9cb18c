"""A learner's browser without scripts: cookies, forms, redirects that are followed where asked."""

import http.client
import http.cookies
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from urllib.parse import urlencode

from .figures import Figures

TIMEOUT = 60
TYPED = ("seven", "eight", "سبعة")  # where nothing is offered to choose from
Fields = list[tuple[str, str]]


@dataclass
class Form:
    """A form of a page: what it sends unseen, and what a learner chooses or writes in it."""

    action: str
    hidden: Fields = field(default_factory=list)
    choices: list[str] = field(default_factory=list)
    kind: str = ""  # of the fields that are filled in: "radio", "checkbox" or "text"

    @property
    def offered(self) -> Sequence[str]:
        """The values that can be given."""
        return TYPED if self.kind == "text" else self.choices

    @property
    def changeable(self) -> bool:
        """Whether it holds an answer of an exam, which can be changed and says which revision it saw."""
        return any(name == "revision" for name, _value in self.hidden)


class _Reader(HTMLParser):
    """The forms of a page and the address at its main button."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.inside: Form | None = None
        self.next = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "form":
            self.inside = Form(given.get("action") or "")
            self.forms.append(self.inside)
        elif tag == "a" and given.get("class") == "mpquiz-button":
            self.next = given.get("href") or ""
        elif tag in ("input", "textarea") and self.inside is not None:
            self._field(self.inside, given)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.inside = None

    def _field(self, form: Form, given: dict[str, str | None]) -> None:
        name, kind = given.get("name") or "", given.get("type") or "text"
        if kind == "hidden":
            form.hidden.append((name, given.get("value") or ""))
        elif name == "given":
            form.kind = kind if kind in ("radio", "checkbox") else "text"
            form.choices.append(given.get("value") or "")


@dataclass
class Page:
    """What came back."""

    status: int
    address: str
    location: str
    text: str
    headers: http.client.HTTPMessage

    @cached_property
    def _read(self) -> _Reader:
        reader = _Reader()
        reader.feed(self.text)
        return reader

    @property
    def next(self) -> str:
        """Where the button of a feedback leads; "" without one."""
        return self._read.next

    def form(self, ending: str) -> Form | None:
        """The form whose address ends so."""
        return next((form for form in self._read.forms if form.action.endswith(ending)), None)

    @property
    def question(self) -> Form | None:
        """The form that takes an answer, where a question waits for one."""
        return next((form for form in self._read.forms if form.kind), None)


class Browser:
    """One learner's. ``home`` is the address that a proxy would say it comes from."""

    def __init__(self, address: tuple[str, int], figures: Figures, *, home: str = "10.0.0.1") -> None:
        self.address = address
        self.figures = figures
        self.home = home
        self.cookies: dict[str, str] = {}
        self.token = ""
        self.username = ""

    def headers(self, **more: str) -> dict[str, str]:
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        return {
            "Host": f"{self.address[0]}:{self.address[1]}",
            "Cookie": cookies,
            "X-Forwarded-For": self.home,
            **more,
        }

    def get(self, path: str, what: str) -> Page:
        return self._ask("GET", path, what, b"", self.headers())

    def post(self, path: str, fields: Fields, what: str, **headers: str) -> Page:
        """Headers are named with underscores: ``HX_Request="true"``."""
        more = {name.replace("_", "-"): value for name, value in headers.items()}
        return self._ask("POST", path, what, urlencode(fields).encode(), self.headers(**FORM, **more))

    def _ask(self, method: str, path: str, what: str, body: bytes, headers: dict[str, str]) -> Page:
        begun = time.perf_counter()
        connection = http.client.HTTPConnection(*self.address, timeout=TIMEOUT)
        try:
            connection.request(method, path, body or None, headers)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        self.figures.note(what, response.status, time.perf_counter() - begun)
        for header in response.headers.get_all("Set-Cookie") or ():
            for name, morsel in http.cookies.SimpleCookie(header).items():
                self.cookies[name] = morsel.value
        return Page(response.status, path, response.headers.get("Location") or "", text, response.headers)

    def sign_in(self, username: str, password: str = "secret") -> None:
        """Through the host's own page. Raises RuntimeError where it is refused."""
        page = self.get("/accounts/login/", "GET sign-in")
        form = page.form("")
        assert form is not None, page
        who = [("username", username), ("password", password), ("next", "/en/bare/")]
        answer = self.post("/accounts/login/", [*form.hidden, *who], "POST sign-in")
        if answer.status != 302:
            raise RuntimeError(f"{username} could not sign in: {answer.status}")
        self.username = username


FORM = {"Content-Type": "application/x-www-form-urlencoded"}
