"""What staff read and write of guides, tags and questions: the rules are in ``mpquiz.editing``."""

from types import SimpleNamespace
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from ... import kinds
from ...editing import questions as editing
from ...editing.rows import revision_of
from ...exchange import canonical
from ...learners import name_of
from ...models import Guide, Question, Tag
from ...models.question import tag_key
from .fields import Body, NamesField, RowsField, RowWordsField, WordsField, revision_field

MOST_CHOICES = 200

# Guides and tags ----------------------------------------------------------------------------------------------


class GuideSerializer(Body, serializers.ModelSerializer[Guide]):
    title = RowWordsField(most=200, required=False)
    revision = revision_field()

    class Meta:
        model = Guide
        fields = ["slug", "title", "address", "place", "revision"]
        extra_kwargs: ClassVar[dict[str, Any]] = {"slug": {"validators": []}}

    def to_representation(self, guide: Guide) -> dict[str, Any]:
        return super().to_representation(_with_revision(guide, revision_of(guide)))


class TagSerializer(Body, serializers.ModelSerializer[Tag]):
    description = RowWordsField(required=False)
    revision = revision_field()

    class Meta:
        model = Tag
        fields = ["id", "name", "description", "revision"]

    def to_representation(self, tag: Tag) -> dict[str, Any]:
        return super().to_representation(_with_revision(tag, revision_of(tag)))


def _with_revision(row: Any, revision: str) -> Any:
    row.revision = revision
    return row


# Questions ----------------------------------------------------------------------------------------------------


class ChoiceSerializer(Body):
    """A choice. One that the question has already is named by its ``key``, a new one has none yet."""

    key = serializers.SlugField(max_length=40, required=False)
    text = WordsField(required=False)
    right = serializers.BooleanField(required=False)
    weight = serializers.DecimalField(8, 7, min_value=-1, max_value=1, required=False, allow_null=True)
    value = serializers.CharField(max_length=100, required=False, allow_blank=True)
    part = serializers.SlugField(max_length=20, required=False, allow_blank=True)
    keeps_place = serializers.BooleanField(required=False)
    match = WordsField(required=False)
    feedback = WordsField(required=False)


class OddSerializer(serializers.Serializer[Any]):
    """Something to look at in a question, at its place; nothing is refused for it."""

    code = serializers.CharField(read_only=True)
    detail = serializers.CharField(source="message", read_only=True)
    place = serializers.SerializerMethodField()
    lang = serializers.CharField(source="language", read_only=True)

    def get_place(self, found: Any) -> str:
        return editing.place_of(found)


class QuestionSerializer(Body):
    """A question with its choices, all languages of each text, and its key."""

    id = serializers.IntegerField(read_only=True)
    key = serializers.CharField(max_length=170, required=False)
    kind = serializers.CharField(max_length=40)
    title = WordsField(required=False)
    prompt = WordsField(required=False)
    explanation = WordsField(required=False)
    choices = RowsField(ChoiceSerializer(), most=MOST_CHOICES, required=False)
    settings = serializers.JSONField(required=False)
    guides = NamesField(Guide.objects.all, "slug", required=False)
    tags = NamesField(Tag.objects.all, "key", key=tag_key, required=False)
    revision = revision_field()
    created_at = serializers.DateTimeField(read_only=True)
    updated_at = serializers.DateTimeField(read_only=True)

    def validate_kind(self, name: str) -> str:
        if name not in dict(kinds.choices()):
            known = ", ".join(dict(kinds.choices()))
            raise ValidationError(_("There is no such kind of question here: %(known)s.") % {"known": known})
        return name

    def validate_guides(self, guides: list[Guide]) -> list[str]:
        return [guide.slug for guide in guides]

    def validate_tags(self, tags: list[Tag]) -> list[str]:
        return [tag.name for tag in tags]

    def to_representation(self, question: Question) -> dict[str, Any]:
        content = canonical(question.written())
        names = ("key", "kind", "title", "prompt", "explanation", "choices", "settings", "guides", "tags")
        shown: dict[str, Any] = {name: getattr(content, name) for name in names}
        shown |= {"id": question.pk, "revision": content.digest, **self.beside(question)}
        shown |= {"created_at": question.created_at, "updated_at": question.updated_at}
        return super().to_representation(SimpleNamespace(**shown))

    def beside(self, question: Question) -> dict[str, Any]:
        """What else is told of it."""
        return {}


class QuestionDetailSerializer(QuestionSerializer):
    """With what is odd about it, and the problems for which it cannot be asked."""

    warnings = OddSerializer(many=True, read_only=True)
    problems = OddSerializer(many=True, read_only=True)

    def beside(self, question: Question) -> dict[str, Any]:
        problems = [
            SimpleNamespace(code="problem", message=one.message, field=one.field, choice=one.choice, language="")
            for one in editing.problems_of(question.written())
            if one.blocks
        ]
        return {"warnings": editing.warnings_of(question), "problems": problems}


class RevisionSerializer(serializers.Serializer[Any]):
    """A state of a question: what it was after somebody changed it."""

    id = serializers.IntegerField(source="pk", read_only=True)
    origin = serializers.CharField(source="source", read_only=True, help_text="edited, imported, restored, or found.")
    by = serializers.SerializerMethodField()
    at = serializers.DateTimeField(read_only=True)
    content = serializers.JSONField(read_only=True)

    def get_by(self, state: Any) -> str | None:
        return None if state.by is None else name_of(state.by)
