from django import template
from django.template import Context
from django.urls import translate_url
from django.utils.translation import get_language

register = template.Library()


@register.simple_tag(takes_context=True)
def same_page_in(context: Context, language: str) -> str:
    """The address of this very page in another language, with its query string."""
    here = context["request"].get_full_path()
    there = translate_url(here, language)
    if there != here:
        return there
    # No such page (404): what follows the prefix may be missing in that language too, and says so there.
    prefix = f"/{get_language()}/"
    return f"/{language}/" + here.removeprefix(prefix) if here.startswith(prefix) else f"/{language}/"


@register.simple_tag(takes_context=True)
def address_in(context: Context, language: str) -> str:
    """The one full address of this very page in a language, for search engines: no query string."""
    request = context["request"]
    return request.build_absolute_uri(translate_url(request.path, language))
