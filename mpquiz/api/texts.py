"""A text as JSON: what is written, as HTML, in which language it really is, and whether that is a fallback."""

from typing import Any

from rest_framework import serializers

from ..words import Text


def told(text: Text, *, inline: bool = False) -> dict[str, Any] | None:
    """A text as one reader gets it; None where there is none in any language.

    ``text`` is Markdown (or plain, as typed), ``html`` is safe to show. Within a line it has no blocks, unless it
    holds a sound, which a line cannot.
    """
    if not text:
        return None
    return {
        "text": text.source,
        "html": str(text.inline if inline and not text.files else text.html),
        "lang": text.language,
        "dir": text.dir,
        "fallback": text.fallback,
    }


class TextSerializer(serializers.Serializer[Any]):
    """A text of paragraphs, as ``told`` makes it."""

    inline = False

    text = serializers.CharField(read_only=True)
    html = serializers.CharField(read_only=True)
    lang = serializers.CharField(read_only=True)
    dir = serializers.ChoiceField(choices=["ltr", "rtl", "auto"], read_only=True)
    fallback = serializers.BooleanField(read_only=True)

    def to_representation(self, text: Text) -> Any:
        return told(text, inline=self.inline)


class LineSerializer(TextSerializer):
    """A text within a line: a title, a choice."""

    inline = True
