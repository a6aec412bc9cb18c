"""A host's kind of question."""

from mpquiz.kinds import Kind


class Open(Kind):
    """Asks for a text and has no choices."""

    name = "open"
    label = "free text"
    template = "none.html"
