"""The settings of a host: one dict ``MPQUIZ = {…}``, read at the moment of use."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.functional import Promise
from django.utils.module_loading import import_string

DEFAULTS: Mapping[str, Any] = {
    "BASE_TEMPLATE": "mpquiz/site.html",
    "BLOCKS": {"title": "title", "head": "head", "content": "content"},
    "FILES": {
        "LARGEST": 5_000_000,
        "PIXELS": 25_000_000,
        "TYPES": ("gif", "jpg", "png", "webp", "mp3", "ogg", "wav", "pdf"),
    },
    "GRACE": 5,
    "GUIDE_ADDRESS": None,
    "HTMX": True,
    "KINDS": {},
    "LARGEST_IMPORT": 25_000_000,
    "LEARNER_NAME": None,
    "MAY_EDIT": None,
    "MAY_TAKE": None,
    "RETENTION": {"guests": None, "learners": None},
    "SITE_NAME": "",
    "THROTTLE": {
        "api": "600/min",
        "start": "120/min",
        "answer": "1200/min",
        "password": "20/min",
        "report": "10/min",
    },
}
TYPES: Mapping[str, tuple[Any, str]] = {
    "BASE_TEMPLATE": (str, "the name of a template"),
    "BLOCKS": (dict, "a dict {role: block name}"),
    "FILES": (dict, "a dict {'LARGEST', 'PIXELS' or 'TYPES': limit}"),
    "GRACE": (float, "a number of seconds, 0 or more"),
    "GUIDE_ADDRESS": ((str, Callable, type(None)), "a dotted path, a callable or None"),
    "HTMX": (bool, "True or False"),
    "KINDS": (dict, "a dict {name: dotted path}"),
    "LARGEST_IMPORT": (int, "a number of bytes"),
    "LEARNER_NAME": ((str, Callable, type(None)), "a dotted path, a callable or None"),
    "MAY_EDIT": ((str, Callable, type(None)), "a dotted path, a callable or None"),
    "MAY_TAKE": ((str, Callable, type(None)), "a dotted path, a callable or None"),
    "RETENTION": (dict, "a dict {'guests' or 'learners': a number of days, or None}"),
    "SITE_NAME": ((str, Promise), "a text, or a lazily translated one"),
    "THROTTLE": (dict, "a dict {'api', 'start', 'answer', 'password' or 'report': rate}"),
}


LONGEST_RETENTION = 36_500
"""Days: a hundred years."""


def given() -> Any:
    """What the host wrote, as it stands; ``checks`` says what is wrong with it."""
    return getattr(settings, "MPQUIZ", {})


def fits(name: str, value: object) -> bool:
    """Whether a value is of the type that the setting has."""
    kind = TYPES[name][0]
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
    return is_limit(value) if kind is int else isinstance(value, kind)


def is_limit(value: object) -> bool:
    """Whether a value is a whole number from 1 on; True is none."""
    return type(value) is int and value > 0


def is_retention(value: Any) -> bool:
    """Whether a value is a number of days after which something is let go of."""
    return is_limit(value) and value <= LONGEST_RETENTION


def _get(name: str) -> Any:
    """The host's value; the default where it is of the wrong type, so that the checks live to tell."""
    host = given()
    value = host.get(name, DEFAULTS[name]) if isinstance(host, dict) else DEFAULTS[name]
    return value if fits(name, value) else DEFAULTS[name]


class Settings:
    """Each property is named as its key in ``MPQUIZ``, so that a search finds both."""

    @property
    def BASE_TEMPLATE(self) -> str:
        """The template that mpquiz's pages extend."""
        return _get("BASE_TEMPLATE")

    @property
    def BLOCKS(self) -> Mapping[str, str]:
        """{role: the host's block name} for the roles title, head and content."""
        return {**DEFAULTS["BLOCKS"], **_get("BLOCKS")}

    @property
    def FILES(self) -> Mapping[str, Any]:
        """What a file in a text may be: at most ``LARGEST`` bytes, an image at most ``PIXELS``, one of ``TYPES``."""
        return {**DEFAULTS["FILES"], **_get("FILES")}

    @property
    def GRACE(self) -> float:
        """Seconds after the deadline within which an answer that was on its way is still taken."""
        return _get("GRACE")

    @property
    def GUIDE_ADDRESS(self) -> Callable[..., str | None] | None:
        """The host's hook ``(guide) -> address or None``, given by dotted path or as a callable.

        Raises ImproperlyConfigured where the path does not import.
        """
        return _imported("GUIDE_ADDRESS", _get("GUIDE_ADDRESS"))

    @property
    def HTMX(self) -> bool:
        """Whether our pages load htmx; a host that loads its own says False."""
        return _get("HTMX")

    @property
    def KINDS(self) -> Mapping[str, str]:
        """{name: dotted path} of the kinds that the host adds."""
        return _get("KINDS")

    @property
    def LARGEST_IMPORT(self) -> int:
        """The most bytes that a file of questions may have."""
        return _get("LARGEST_IMPORT")

    @property
    def LEARNER_NAME(self) -> Callable[[Any], str]:
        """The host's rule ``(user) -> str`` for what a learner is called, by dotted path or as a callable.

        Raises ImproperlyConfigured where the path does not import.
        """
        return _imported("LEARNER_NAME", _get("LEARNER_NAME")) or _full_name

    @property
    def MAY_EDIT(self) -> Callable[..., Any] | None:
        """The host's rule ``(user, quizzes, doing) -> quizzes``, by dotted path or as a callable; None: no rule.

        It narrows a queryset of quizzes to those that an editor may "change", or whose "results" they may see.
        Raises ImproperlyConfigured where the path does not import.
        """
        return _imported("MAY_EDIT", _get("MAY_EDIT"))

    @property
    def MAY_TAKE(self) -> Callable[..., Any]:
        """The host's rule ``(learner, quiz) -> Refusal or None``, by dotted path or as a callable.

        Raises ImproperlyConfigured where the path does not import.
        """
        return _imported("MAY_TAKE", _get("MAY_TAKE")) or _everybody

    @property
    def RETENTION(self) -> Mapping[str, int | None]:
        """{"guests" | "learners": after how many silent days the commands of each night let go of them}.

        None: never. What is no such number is read as None, so that a mistake deletes nothing.
        """
        days = {**DEFAULTS["RETENTION"], **_get("RETENTION")}
        return {name: value if is_retention(value) else None for name, value in days.items()}

    @property
    def SITE_NAME(self) -> str | Promise:
        """What previews of shared links call the site (``og:site_name``); "" where they need not."""
        return _get("SITE_NAME")

    @property
    def THROTTLE(self) -> Mapping[str, str | None]:
        """{"api" | "start" | "answer" | "password" | "report": rate as DRF writes it ("60/min"), or None}.

        Of one address: starts and answers of guests, the passwords of quizzes that anybody tries, and the reports of
        questions. Requests to the API are counted for each user, and for guests by their address.
        """
        return {**DEFAULTS["THROTTLE"], **_get("THROTTLE")}


def _everybody(learner: Any, quiz: Any) -> None:
    """What a host without a rule of its own asks of a learner."""


def _full_name(user: Any) -> str:
    """What a host without a rule of its own calls a learner; a user model may know no full names."""
    return user.get_full_name() if hasattr(user, "get_full_name") else ""


def _imported(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return import_string(value)
    except ImportError as error:
        raise ImproperlyConfigured(f"MPQUIZ[{name!r}]: {value!r} cannot be imported: {error}") from error


conf = Settings()
