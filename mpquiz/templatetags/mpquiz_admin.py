"""Tags of our pages of admin."""

from dataclasses import dataclass

from django import template

from .. import words
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
