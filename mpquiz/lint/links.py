"""Links that lead nowhere in this site. Addresses elsewhere are not asked."""

from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.urls import Resolver404, get_script_prefix, resolve
from django.utils.translation import gettext_lazy as _

from .reading import Question, Warning, told


def dead_guides(question: Question) -> Iterator[Warning]:
    nowhere = _("The guide %(guide)s has no address, or one that leads nowhere.")
    dead = _("The guide %(guide)s is at %(address)s, and there is no such page in this site.")
    for slug in question.content.guides:
        address = None if question.guides is None else question.guides.get(slug)
        if address == "":
            yield Warning(told(nowhere, guide=slug), "guides")
        elif address is not None and is_dead(address):
            yield Warning(told(dead, guide=slug, address=address), "guides")


def dead_links(question: Question) -> Iterator[Warning]:
    message = _("There is no such page in this site: %(address)s")
    for passage in question.passages:
        for address in dict.fromkeys(passage.links):
            if is_dead(address, passage.language):
                yield passage.warning(told(message, address=address))


def is_dead(address: str, language: str = "") -> bool:
    """Whether it is a path of this site that no view of it takes; with a language, neither behind its prefix."""
    path = unquote(urlsplit(address).path) if address.startswith("/") and not address.startswith("//") else ""
    root = get_script_prefix()
    if not path.startswith(root) or _is_stored(address):
        return False
    within = "/" + path.removeprefix(root)
    slashed = within if within.endswith("/") or not settings.APPEND_SLASH else f"{within}/"
    prefixed = (f"/{language}{one}" for one in (within, slashed) if language)
    return not any(map(_resolves, dict.fromkeys((within, slashed, *prefixed))))


def _is_stored(address: str) -> bool:
    stores = (settings.MEDIA_URL or "", settings.STATIC_URL or "")
    return any(len(store) > 1 and address.startswith(store) for store in stores)


def _resolves(path: str) -> bool:
    try:
        resolve(path)
    except Resolver404:
        return False
    return True
