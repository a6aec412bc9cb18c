"""What an import takes and tells, and what an export tells."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from ...conf import conf
from ...editing.bringing import VERDICTS, printable, refuses_target
from ...formats import FORMATS
from ...formats.source import ENCODINGS
from ...importing import Brought
from ..languages import LanguageField
from .fields import Body

PASTED = "utf-8"
"""The encoding of a text, whatever its own declaration says."""


class ImportSerializer(Body):
    """A ``file`` (as multipart/form-data) or a ``text``, and how it is read; what is not said is recognised."""

    file = serializers.FileField(required=False, max_length=1000)
    text = serializers.CharField(required=False, trim_whitespace=False, max_length=100_000_000)
    format = serializers.ChoiceField(choices=list(FORMATS), required=False, allow_blank=True)
    language = LanguageField(required=False, allow_blank=True, help_text=_("Of texts for which the file names none."))
    encoding = serializers.ChoiceField(choices=list(ENCODINGS), required=False, allow_blank=True)
    into = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=80,
        help_text=_("The slug of a quiz that is there, which the file joins and fills, or a new slug."),
    )
    force = serializers.BooleanField(default=False, help_text=_("Overwrite what an editor changed since."))
    dry_run = serializers.BooleanField(default=False, help_text=_("Store nothing, only tell what would come."))

    def validate_file(self, file: UploadedFile) -> UploadedFile:
        if (file.size or 0) > conf.LARGEST_IMPORT:
            limit = f"{conf.LARGEST_IMPORT / 1_000_000:g}"
            raise ValidationError(_("The file is larger than %(limit)s MB. Split it.") % {"limit": limit})
        return file

    def validate_into(self, slug: str) -> str:
        if slug and (wrong := refuses_target(slug, joins=self.context["joins"])):
            raise ValidationError(wrong)
        return slug

    def validate_force(self, force: bool) -> bool:
        if force and not self.context["joins"]:
            raise ValidationError(_("You may add quizzes, not change them. Choose a new slug."))
        return force

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if ("file" in sent) == bool(sent.get("text", "").strip()):
            raise ValidationError(_("Send either a file or a text."))
        return sent


def how_to_read(sent: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, as ``importing.read`` takes it."""
    file = sent.get("file")
    return {
        "data": file.read() if file else sent["text"].replace("\r\n", "\n").encode(),
        "name": printable(file.name) if file else "",
        "encoding": sent.get("encoding") or None if file else PASTED,
        **{name: sent.get(name) or None for name in ("format", "language", "into")},
    }


class EntrySerializer(serializers.Serializer[Any]):
    """Something about a file; ``line`` counts from 1, null where no line can be named."""

    message = serializers.CharField(read_only=True)
    line = serializers.IntegerField(read_only=True, allow_null=True)


class ItemSerializer(serializers.Serializer[Any]):
    """What becomes of a quiz, question, guide or tag; ``detail`` says more of it in words."""

    what = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)
    verdict = serializers.ChoiceField(choices=list(VERDICTS), read_only=True)
    detail = serializers.CharField(read_only=True)


class BroughtSerializer(serializers.Serializer[Brought]):
    """What came and what was done, or after a dry run would be; ``report`` is the whole of it in words."""

    dry_run = serializers.BooleanField(read_only=True)
    format = serializers.CharField(read_only=True)
    quiz = serializers.CharField(source="content.slug", read_only=True)
    report = serializers.ListField(child=serializers.CharField(), source="lines", read_only=True)
    items = serializers.SerializerMethodField()
    warnings = EntrySerializer(many=True, read_only=True)

    def get_items(self, brought: Brought) -> list[dict[str, Any]]:
        return [dict(ItemSerializer(one).data) for one in _items(brought)]


def _items(brought: Brought) -> Iterator[dict[str, str]]:
    for verdict in VERDICTS:
        for item in getattr(brought.loaded, verdict, ()):
            detail = brought.details.get((verdict, item), "")
            yield {"what": item.what, "name": item.name, "verdict": verdict, "detail": detail}


class ExportSerializer(serializers.Serializer[Any]):
    """A file as text, and what its format cannot hold."""

    name = serializers.CharField(read_only=True)
    text = serializers.CharField(read_only=True)
    losses = EntrySerializer(many=True, read_only=True)
