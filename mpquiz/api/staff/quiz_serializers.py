"""What staff read and write of quizzes: shapes alone, the rules are in ``mpquiz.editing``."""

from typing import Any, ClassVar

from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from ...editing import quizzes as editing
from ...models import Guide, Quiz, Tag
from ...models.question import tag_key
from .fields import Body, LanguagesField, NamesField, RowsField, RowWordsField, revision_field

MOST_QUESTIONS, MOST_POOLS = 2000, 100

_PLAIN = [
    *("level", "place", "archived", "pass_mark", "preview", "publishes_answers"),
    *("shuffle_questions", "draw", "shuffle_choices", "feedback", "layout", "one_way"),
    *("show_right_or_wrong", "show_score", "show_right_answer", "show_explanation"),
    *("time_limit", "opens_at", "closes_at", "runs_past_closing", "attempts_allowed", "wait", "counting"),
    *("access", "password"),
]


class PlaceSerializer(Body):
    """A question of a quiz by its id; its place is that in the list."""

    question = serializers.IntegerField(min_value=1, max_value=2**63 - 1, source="question_id")
    key = serializers.CharField(source="question.key", read_only=True)
    points = serializers.DecimalField(6, 2, min_value=0, required=False)

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if "question_id" not in sent:  # of a quiz that is changed in part, nothing else would say so
            raise ValidationError({"question": [self.fields["question"].error_messages["required"]]})
        return sent


class PoolSerializer(Body):
    """So many questions of a tag are drawn; ``place``: after how many of the quiz's own they stand, null: all."""

    tag = serializers.CharField(max_length=200, source="tag.name")
    count = serializers.IntegerField(min_value=1, max_value=10_000, required=False)
    points = serializers.DecimalField(6, 2, min_value=0, required=False)
    place = serializers.IntegerField(min_value=0, max_value=10_000, required=False, allow_null=True)

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if "tag" not in sent:
            raise ValidationError({"tag": [self.fields["tag"].error_messages["required"]]})
        return sent | {"tag": sent["tag"]["name"]}


class QuizListSerializer(Body, serializers.ModelSerializer[Quiz]):
    """A quiz without the list of its questions."""

    title = RowWordsField(most=200, required=False)
    description = RowWordsField(required=False)
    published = LanguagesField(source="published_languages", required=False)

    class Meta:
        model = Quiz
        fields = ["slug", "title", "description", "published", "level", "place", "archived", "opens_at", "closes_at"]


class QuizSerializer(QuizListSerializer):
    """A quiz as a whole. The password is shown to whoever may change the quiz, to nobody else."""

    although_incomplete = LanguagesField(
        required=False, help_text=_("Published in these languages although texts are missing.")
    )
    guides = NamesField(Guide.objects.all, "slug", required=False)
    groups = NamesField(Group.objects.all, "name", required=False)
    questions = RowsField(PlaceSerializer(), most=MOST_QUESTIONS, required=False)
    pools = RowsField(PoolSerializer(), most=MOST_POOLS, required=False)
    revision = revision_field()

    class Meta:
        model = Quiz
        fields = [
            *("slug", "title", "description", "published", "although_incomplete", *_PLAIN),
            *("guides", "groups", "questions", "pools", "revision", "created_at", "updated_at"),
        ]
        read_only_fields = ["created_at", "updated_at"]
        extra_kwargs: ClassVar[dict[str, Any]] = {"slug": {"validators": []}}

    def validate_questions(self, sent: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those that the editor sees; one query."""
        found = self.context["view"].questions().in_bulk([one["question_id"] for one in sent])
        wrong = {
            str(index): {"question": [_("There is no such question.")]}
            for index, one in enumerate(sent)
            if one["question_id"] not in found
        }
        if wrong:
            raise ValidationError(wrong)
        return [{"question": found[one.pop("question_id")], **one} for one in sent]

    def validate_pools(self, sent: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """One query."""
        keys = [tag_key(one["tag"]) for one in sent]
        found = {tag.key: tag for tag in Tag.objects.filter(key__in=keys)}
        wrong = {
            str(index): {"tag": [_("There is no “%(name)s”.") % {"name": sent[index]["tag"]}]}
            for index, key in enumerate(keys)
            if key not in found
        }
        if wrong:
            raise ValidationError(wrong)
        return [{**one, "tag": found[key]} for one, key in zip(sent, keys, strict=True)]

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if "published_languages" in sent:
            sent["published"] = sent.pop("published_languages")
        return sent

    def to_representation(self, quiz: Quiz) -> dict[str, Any]:
        """Of a quiz that ``editing.quizzes.read`` brought."""
        incomplete = [row.language for row in quiz.languages.all() if row.although_incomplete]
        shown: dict[str, Any] = {
            name: getattr(quiz, name) for name in (*_PLAIN, "slug", "published_languages", "created_at", "updated_at")
        }
        shown |= {"although_incomplete": incomplete, "revision": editing.revision(quiz)}
        shown |= {"guides": [guide.slug for guide in quiz.guides.all()]}
        shown |= {"groups": [group.name for group in quiz.groups.all()]}
        shown |= {"questions": quiz.places.all(), "pools": quiz.pools.all(), "row": quiz}
        told = super().to_representation(_Shown(quiz, shown))
        if not self.context["view"].may_change(quiz):
            told["password"] = None
        return told


class _Shown:
    """A quiz, where some attributes read otherwise."""

    def __init__(self, quiz: Quiz, shown: dict[str, Any]) -> None:
        self.__dict__.update(shown)
        self._quiz = quiz

    def __getattr__(self, name: str) -> Any:
        return getattr(self._quiz, name)
