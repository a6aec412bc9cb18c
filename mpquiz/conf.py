"""The settings of a host: one dict ``MPQUIZ = {…}``, read at the moment of use."""

from collections.abc import Callable, Mapping
from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.module_loading import import_string

DEFAULTS: Mapping[str, Any] = {
    "BASE_TEMPLATE": "mpquiz/site.html",
    "BLOCKS": {"title": "title", "head": "head", "content": "content"},
    "GUIDE_ADDRESS": None,
    "HTMX": True,
    "KINDS": {},
    "THROTTLE": {"start": "120/min", "answer": "1200/min"},
}
TYPES: Mapping[str, tuple[Any, str]] = {
    "BASE_TEMPLATE": (str, "the name of a template"),
    "BLOCKS": (dict, "a dict {role: block name}"),
    "GUIDE_ADDRESS": ((str, Callable, type(None)), "a dotted path, a callable or None"),
    "HTMX": (bool, "True or False"),
    "KINDS": (dict, "a dict {name: dotted path}"),
    "THROTTLE": (dict, "a dict {'start' or 'answer': rate}"),
}


def given() -> Any:
    """What the host wrote, as it stands; ``checks`` says what is wrong with it."""
    return getattr(settings, "MPQUIZ", {})


def fits(name: str, value: object) -> bool:
    """Whether a value is of the type that the setting has."""
    return isinstance(value, TYPES[name][0])


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
    def THROTTLE(self) -> Mapping[str, str | None]:
        """{"start" | "answer": rate as DRF writes it ("60/min"), or None} for guests, per address."""
        return {**DEFAULTS["THROTTLE"], **_get("THROTTLE")}


def _imported(name: str, value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return import_string(value)
    except ImportError as error:
        raise ImproperlyConfigured(f"MPQUIZ[{name!r}]: {value!r} cannot be imported: {error}") from error


conf = Settings()
