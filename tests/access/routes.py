"""The routes of an URLconf, each with the methods that it is asked with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver

PAGE_METHODS = ("GET", "POST")
API_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Route:
    """``name`` is with its namespaces; of a route that has none, its path stands for it."""

    name: str
    parameters: tuple[str, ...]
    methods: tuple[str, ...]
    path: str
    view: Any


def routes_of(patterns: Sequence[Any], namespace: str = "", prefix: str = "") -> Iterator[Route]:
    """Every route under these patterns."""
    for one in patterns:
        path = f"{prefix}{one.pattern}"
        if isinstance(one, URLResolver):
            inner = f"{namespace}{one.namespace}:" if one.namespace else namespace
            yield from routes_of(one.url_patterns, inner, path)
        else:
            name = f"{namespace}{one.name}" if one.name else path
            yield Route(name, _parameters(one, path), _methods(one), path, one.callback)


def _parameters(pattern: URLPattern, path: str) -> tuple[str, ...]:
    return tuple(part.split(">")[0].split(":")[-1] for part in path.split("<")[1:])


def _methods(pattern: URLPattern) -> tuple[str, ...]:
    """The methods that a view of the API has; a page is asked with both of a browser's."""
    view: Any = pattern.callback
    if (actions := getattr(view, "actions", None)) is not None:
        return tuple(method for method in API_METHODS if method.lower() in actions)
    if (made := getattr(view, "cls", None)) is not None:  # a view of DRF
        return tuple(method for method in API_METHODS if hasattr(made, method.lower()))
    return PAGE_METHODS
