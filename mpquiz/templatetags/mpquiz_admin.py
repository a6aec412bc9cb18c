"""Tags of our pages of admin."""

import json
import re
from dataclasses import dataclass

import django
from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from .. import kinds, words
from ..admin.languages import own_name
from ..translations import NEUTRAL

register = template.Library()


@dataclass(frozen=True, slots=True)
class WritingLanguage:
    """A language that texts are written in, as a button names it."""

    code: str
    name: str
    dir: str


@register.simple_tag
def writing_languages() -> list[WritingLanguage]:
    """The languages that texts have fields for, in the host's order."""
    return [WritingLanguage(code, own_name(code), words.direction(code)) for code in words.languages()]


@register.simple_tag
def neutral_texts() -> str:
    """The regular expression of texts that need no translation, for the script that counts what is missing."""
    return NEUTRAL


@register.simple_tag
def accepting_kinds() -> str:
    """``kinds.accepting`` as JSON, for the same script."""
    return json.dumps(kinds.accepting())


@register.simple_block_tag
def breadcrumbs(content: SafeString) -> SafeString:
    """The way to a page, as admin of this Django marks it up: a list since 6.1. Each step within is an ``li``."""
    if django.VERSION >= (6, 1):
        return format_html('<ol class="breadcrumbs">{}</ol>', content)
    steps = re.split(r"</?li(?: [^>]*)?>", content)  # of our own: in texts these signs are escaped
    joined = " › ".join(filter(None, map(str.strip, steps)))
    return format_html('<div class="breadcrumbs">{}</div>', mark_safe(joined))  # noqa: S308
