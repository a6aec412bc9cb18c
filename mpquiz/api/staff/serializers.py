"""What staff read and write of guides, tags, questions and quizzes: shapes alone, the rules are ``mpquiz.editing``."""

from types import SimpleNamespace
from typing import Any

from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from ... import kinds
from ...content import DEEPEST, is_storable
from ...editing import questions as editing
from ...editing import quizzes as editing_quizzes
from ...editing.rows import revision_of
from ...exchange import canonical
from ...learners import name_of
from ...models import Guide, Question, Quiz, Tag
from ...models.question import tag_key
from .fields import Body, LanguagesField, NamesField, RowWordsField, WordsField

MOST_CHOICES, MOST_QUESTIONS, MOST_POOLS = 200, 2000, 100
_REVISION = _("The state that is edited: sent along, another's change since is not overwritten. Also as If-Match.")


def _revision() -> serializers.CharField:
    return serializers.CharField(required=False, max_length=64, help_text=_REVISION)


# Guides and tags ----------------------------------------------------------------------------------------------


class GuideSerializer(Body, serializers.ModelSerializer[Guide]):
    title = RowWordsField(most=200, required=False)
    revision = _revision()

    class Meta:
        model = Guide
        fields = ["slug", "title", "address", "place", "revision"]
        extra_kwargs = {"slug": {"validators": []}}

    def to_representation(self, guide: Guide) -> dict[str, Any]:
        return super().to_representation(_with_revision(guide, revision_of(guide)))


class TagSerializer(Body, serializers.ModelSerializer[Tag]):
    description = RowWordsField(required=False)
    revision = _revision()

    class Meta:
        model = Tag
        fields = ["id", "name", "description", "revision"]

    def to_representation(self, tag: Tag) -> dict[str, Any]:
        return super().to_representation(_with_revision(tag, revision_of(tag)))


def _with_revision(row: Any, revision: str) -> Any:
    row.revision = revision
    return row


# Questions ----------------------------------------------------------------------------------------------------


class SettingsField(serializers.JSONField):
    """An object of JSON that every database keeps."""

    def to_internal_value(self, data: Any) -> Any:
        if not is_storable(data, DEEPEST):
            raise ValidationError(
                _(
                    "Something in here cannot be stored: a number too large, signs that are no text, or too many levels."
                )
            )
        return super().to_internal_value(data)


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
    choices = ChoiceSerializer(many=True, required=False, max_length=MOST_CHOICES)
    settings = SettingsField(required=False)
    guides = NamesField(Guide.objects.all, "slug", required=False)
    tags = NamesField(Tag.objects.all, "key", key=tag_key, required=False)
    revision = _revision()
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


# Quizzes ------------------------------------------------------------------------------------------------------

_PLAIN = [
    *("level", "place", "archived", "pass_mark", "preview", "publishes_answers"),
    *("shuffle_questions", "draw", "shuffle_choices", "feedback", "layout", "one_way"),
    *("show_right_or_wrong", "show_score", "show_right_answer", "show_explanation"),
    *("time_limit", "opens_at", "closes_at", "runs_past_closing", "attempts_allowed", "wait", "counting"),
    *("access", "password"),
]


class PlaceSerializer(Body):
    """A question of a quiz by its id; its place is that in the list."""

    question = serializers.IntegerField(min_value=1, source="question_id")
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
    questions = PlaceSerializer(many=True, required=False, max_length=MOST_QUESTIONS)
    pools = PoolSerializer(many=True, required=False, max_length=MOST_POOLS)
    revision = _revision()

    class Meta:
        model = Quiz
        fields = [
            *("slug", "title", "description", "published", "although_incomplete", *_PLAIN),
            *("guides", "groups", "questions", "pools", "revision", "created_at", "updated_at"),
        ]
        read_only_fields = ["created_at", "updated_at"]
        extra_kwargs = {"slug": {"validators": []}}

    def validate_questions(self, sent: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Those that the editor sees; one query."""
        found = self.context["view"].questions().in_bulk([one["question_id"] for one in sent])
        wrong = {
            index: {"question": [_("There is no such question.")]}
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
            index: {"tag": [_("There is no “%(name)s”.") % {"name": sent[index]["tag"]}]}
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
        shown |= {"although_incomplete": incomplete, "revision": editing_quizzes.revision(quiz)}
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


class RevisionSerializer(serializers.Serializer[Any]):
    """A state of a question: what it was after somebody changed it."""

    id = serializers.IntegerField(source="pk", read_only=True)
    source = serializers.CharField(read_only=True, help_text="edited, imported, restored, or found.")
    by = serializers.SerializerMethodField()
    at = serializers.DateTimeField(read_only=True)
    content = serializers.JSONField(read_only=True)

    def get_by(self, state: Any) -> str | None:
        return None if state.by is None else name_of(state.by)
