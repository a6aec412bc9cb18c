"""Where guides are: readings that live in the host's site."""

from typing import Any, ClassVar
from urllib.parse import quote, unquote

from django.conf import settings
from django.conf.urls.i18n import is_language_prefix_patterns_used
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import NoReverseMatch, Resolver404, get_script_prefix, get_urlconf, resolve, reverse
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from .. import words
from ..conf import conf
from ..content import ADDRESS


def is_address(value: str) -> None:
    """Validator: a path, the name of a URL or a full address. Raises ValidationError."""
    if not ADDRESS.fullmatch(value):
        raise ValidationError(_("Give a path (/guides/floats/), the name of a URL, or an address with https://."))


class GuideQuerySet(models.QuerySet["Guide"]):
    def at(self, path: str, *, site: str = "", name: str = "", slug: str = "") -> "list[Guide]":
        """The guides whose address is a page: its path, in the active language.

        ``site`` is the scheme and the host before it, ``name`` the name of its URL and ``slug`` what that was called
        with. One query; where the host has a hook, it is asked of every guide.
        """
        guides = self if conf.GUIDE_ADDRESS else self.filter(_may_lead_to(path, site, name, slug))
        return [guide for guide in guides if _path_in(guide.get_absolute_url(), site) == path]


class Guide(models.Model):
    """A reading that a quiz or a question belongs to; it lives in the host's site, this row says where."""

    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    title = models.CharField(_("title"), max_length=200, blank=True)
    address = models.CharField(
        _("address"),
        max_length=500,
        blank=True,
        validators=[is_address],
        help_text=_("A path without language prefix (/guides/floats/), the name of a URL, or a full address."),
    )
    place = models.PositiveIntegerField(_("place"), default=0, help_text=_("Guides are listed in this order."))
    imported = models.CharField(max_length=64, blank=True, editable=False)  # digest at the last import

    objects: ClassVar[Any] = GuideQuerySet.as_manager()

    class Meta:
        ordering = ["place", "slug"]
        verbose_name = _("guide")
        verbose_name_plural = _("guides")

    def __str__(self) -> str:
        return words.read(self, "title").plain or self.slug

    def get_absolute_url(self) -> str:
        """The guide's address in the active language; "" where it has none or its URL name leads nowhere."""
        if hook := conf.GUIDE_ADDRESS:
            return hook(self) or ""
        if not ADDRESS.fullmatch(self.address):
            return ""
        if "://" in self.address:
            return self.address
        if self.address.startswith("/"):
            return _localized_path(self.address)
        return _reversed(self.address, self.slug)

    def clean(self) -> None:
        """Refuse the name of a URL that leads nowhere; a host's own hook may take any."""
        is_name = ADDRESS.fullmatch(self.address) and "/" not in self.address
        if is_name and not conf.GUIDE_ADDRESS and not self.get_absolute_url():
            raise ValidationError({"address": _("There is no URL of this name that takes the slug or nothing.")})

    @property
    def title_text(self) -> words.Text:
        return words.read(self, "title")


def _localized_path(path: str) -> str:
    """The path behind the language prefix, where the site has one for it."""
    root = get_script_prefix().rstrip("/")
    prefixed = f"/{get_language()}{path}"
    if not is_language_prefix_patterns_used(get_urlconf() or settings.ROOT_URLCONF)[0]:
        return root + path
    try:
        resolve(prefixed)
    except Resolver404:
        return root + path
    return root + prefixed


def _may_lead_to(path: str, site: str, name: str, slug: str) -> models.Q:
    """The ways in which an editor may have written the address of a page."""
    local = "/" + path.removeprefix(get_script_prefix())
    written = {local, "/" + local.removeprefix(f"/{get_language()}/").lstrip("/"), site + path}
    written |= {quote(one, safe="/:%") for one in written}
    named = models.Q(address=name) & (models.Q(slug=slug) if slug else models.Q())
    return models.Q(address__in=written) | named if name else models.Q(address__in=written)


def _path_in(address: str, site: str) -> str:
    """The path of an address of this site; any other address as it is."""
    return unquote(address.removeprefix(site) if site else address)


def _reversed(name: str, slug: str) -> str:
    for kwargs in ({"slug": slug}, {}):
        try:
            return reverse(name, kwargs=kwargs)
        except NoReverseMatch:
            continue
    return ""
