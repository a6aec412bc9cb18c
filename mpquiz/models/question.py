"""What editors write: questions, their choices, and the tags that say what they are about."""

import hashlib
import unicodedata
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils.crypto import get_random_string
from django.utils.translation import gettext_lazy as _

from .. import kinds, words
from ..content import ChoiceContent, QuestionContent, is_storable
from .guide import Guide

SITE_NAMESPACE = "site"
"""The namespace of what was written in admin, not brought by a file."""

_key_validator = RegexValidator(
    r"^[a-z0-9-]+/[a-z0-9-]+\Z", _("A key is namespace/name, in small Latin letters, digits and hyphens.")
)


def is_plain_object(value: object) -> None:
    """Validator: an object of JSON that every database keeps. Raises ValidationError."""
    if not isinstance(value, dict):
        raise ValidationError(_('Names with values are expected, such as {"size": 3}.'))
    if not is_storable(value):
        raise ValidationError(
            _("Something in here cannot be stored: a number too large, signs that are no text, or too many levels.")
        )


_KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def new_question_key() -> str:
    """A key for a question written in admin."""
    return f"{SITE_NAMESPACE}/{get_random_string(10, _KEY_LETTERS)}"


def new_choice_key() -> str:
    """A key for a choice written in admin. Random, so that none is ever given to a second choice."""
    return get_random_string(8, _KEY_LETTERS)


def tag_key(name: str) -> str:
    """What makes two names one tag: not capitals, not spaces, on no database more than that.

    A unique name would leave to each database's collation which Arabic letters are alike.
    """
    return hashlib.sha256(" ".join(unicodedata.normalize("NFC", name).split()).casefold().encode()).hexdigest()


class Tag(models.Model):
    """What questions are about: the category of an imported file, or a word of the editor's."""

    name = models.CharField(_("name"), max_length=200, help_text=_("A tag within another: Algebra/Vectors."))
    key = models.CharField(max_length=64, unique=True, editable=False)
    description = models.TextField(_("description"), blank=True, help_text=_("Markdown."))

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("tag")
        verbose_name_plural = _("tags")

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> None:
        self.key = tag_key(self.name)
        super().save(*args, **kwargs)

    def clean(self) -> None:
        """Refuse a second tag that reads the same."""
        self.key = tag_key(self.name)
        if Tag.objects.filter(key=self.key).exclude(pk=self.pk).exists():
            raise ValidationError({"name": _("There is a tag of this name already.")})


class Question(models.Model):
    """A question, which may stand in several quizzes."""

    key = models.CharField(
        _("key"),
        max_length=170,
        unique=True,
        default=new_question_key,
        validators=[_key_validator],
        help_text=_("Names the question in files, for good."),
    )
    kind = models.CharField(_("kind"), max_length=40, choices=kinds.choices, default="single")
    title = models.CharField(
        _("title"), max_length=200, blank=True, help_text=_("What editors call it; learners do not see it.")
    )
    prompt = models.TextField(_("prompt"), blank=True, help_text=_("Markdown."))
    explanation = models.TextField(
        _("explanation"), blank=True, help_text=_("Markdown. Shown after the answer, whatever it was.")
    )
    settings = models.JSONField(_("settings"), default=dict, blank=True, validators=[is_plain_object])
    guides = models.ManyToManyField(Guide, verbose_name=_("guides"), blank=True, related_name="questions")
    tags = models.ManyToManyField(Tag, verbose_name=_("tags"), blank=True, related_name="questions")
    imported = models.CharField(max_length=64, blank=True, editable=False)  # digest at the last import
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("question")
        verbose_name_plural = _("questions")

    def __str__(self) -> str:
        return words.read(self, "title").plain or words.read(self, "prompt").plain[:120] or self.key

    def clean(self) -> None:
        """A field that an editor emptied means no settings."""
        self.settings = self.settings or {}

    def written(self, *, guides: bool = True, tags: bool = True) -> QuestionContent:
        """The content as the editor wrote it. A query each for choices, guides and tags not fetched along."""
        return QuestionContent(
            key=self.key,
            kind=self.kind,
            title=words.of(self, "title"),
            prompt=words.of(self, "prompt"),
            choices=tuple(choice.content() for choice in self.choices.all()),
            explanation=words.of(self, "explanation"),
            guides=tuple(guide.slug for guide in self.guides.all()) if guides else (),
            tags=tuple(tag.name for tag in self.tags.all()) if tags else (),
            settings=self.settings,
        )

    def content(self, *, guides: bool = True) -> QuestionContent:
        """The content as it is asked: with what the kind supplies, without the tags."""
        return kinds.kept(self.kind).complete(self.written(guides=guides, tags=False))


class Choice(models.Model):
    """An option that the editor wrote. ``key`` names it for good, so that answers survive any new order."""

    question = models.ForeignKey(Question, models.CASCADE, related_name="choices")
    key = models.SlugField(max_length=40, editable=False, default=new_choice_key)
    place = models.PositiveIntegerField(_("place"), default=0)
    text = models.TextField(_("text"), blank=True, help_text=_("Markdown within a line."))
    match = models.TextField(
        _("match"), blank=True, help_text=_("What belongs to the text, where pairs are matched.")
    )
    value = models.CharField(
        _("value"), max_length=100, blank=True, help_text=_("A number: 3.14, 3.14:0.01 (give or take), 3..5, or *.")
    )
    part = models.SlugField(_("gap"), max_length=20, blank=True, help_text=_("The name of the gap it belongs to: 1."))
    right = models.BooleanField(_("right"), default=False)
    weight = models.DecimalField(
        _("weight"),
        max_digits=8,
        decimal_places=7,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(-1)), MaxValueValidator(Decimal(1))],
        help_text=_("Share of the points, -1 to 1. Empty: as the kind of question reckons."),
    )
    keeps_place = models.BooleanField(
        _("keeps its place"), default=False, help_text=_("Also where choices are shuffled: for “None of the above”.")
    )
    feedback = models.TextField(_("feedback"), blank=True, help_text=_("Markdown. Shown to whoever chose this."))

    class Meta:
        constraints = [models.UniqueConstraint(fields=["question", "key"], name="mpquiz_choice_key")]
        ordering = ["place", "pk"]
        verbose_name = _("choice")
        verbose_name_plural = _("choices")

    def __str__(self) -> str:
        return words.read(self, "text").plain or self.key

    def content(self) -> ChoiceContent:
        return ChoiceContent(
            key=self.key,
            text=words.of(self, "text"),
            right=self.right,
            weight=self.weight,
            feedback=words.of(self, "feedback"),
            match=words.of(self, "match"),
            value=self.value,
            part=self.part,
            keeps_place=self.keeps_place,
        )
