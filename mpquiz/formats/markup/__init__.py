"""Words of other systems as our Markdown, and back: plain text, HTML, Moodle's auto-format, Markdown, two languages.

Everything that comes in may be hostile: the time is about linear, and what runs is left out.
"""

from .conversion import OWN, Converted, as_text, converted, from_html, from_markdown, from_moodle, from_plain, to_html
from .filling import into_words
from .languages import joined, split

__all__ = [
    "OWN",
    "Converted",
    "as_text",
    "converted",
    "from_html",
    "from_markdown",
    "from_moodle",
    "from_plain",
    "into_words",
    "joined",
    "split",
    "to_html",
]
