"""What editors write: guides, quizzes, questions and their choices."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.conf.urls.i18n import is_language_prefix_patterns_used
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models, transaction
from django.urls import NoReverseMatch, Resolver404, get_script_prefix, get_urlconf, resolve, reverse
from django.utils.crypto import get_random_string
from django.utils.functional import cached_property
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from .. import kinds, words
from ..conf import conf
from ..content import ADDRESS, ChoiceContent, QuestionContent
from ..exceptions import Refusal
from ..learners import Learner

SITE_NAMESPACE = "site"
"""The namespace of what was written in admin, not brought by a file."""

_key_validator = RegexValidator(
    r"^[a-z0-9-]+/[a-z0-9-]+\Z", _("A key is namespace/name, in small Latin letters, digits and hyphens.")
)


def is_address(value: str) -> None:
    """Validator: a path, the name of a URL or a full address. Raises ValidationError."""
    if not ADDRESS.fullmatch(value):
        raise ValidationError(_("Give a path (/guides/floats/), the name of a URL, or an address with https://."))


def is_plain_object(value: object) -> None:
    """Validator: an object of JSON, without the NaN that Python alone would take. Raises ValidationError."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ValidationError(_('Names with values are expected, such as {"size": 3}.'))


_KEY_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
RESERVED_SLUGS = ("attempts", "mine")
"""What stands in the addresses of other pages (``urls.py``)."""


def not_reserved(slug: str) -> None:
    """Validator: a quiz of such a slug could not be reached. Raises ValidationError."""
    if slug in RESERVED_SLUGS:
        raise ValidationError(_("“%(slug)s” stands in other addresses. Choose another."), params={"slug": slug})


def new_question_key() -> str:
    """A key for a question written in admin."""
    return f"{SITE_NAMESPACE}/{get_random_string(10, _KEY_LETTERS)}"


def new_choice_key() -> str:
    """A key for a choice written in admin. Random, so that none is ever given to a second choice."""
    return get_random_string(8, _KEY_LETTERS)


class Level(models.TextChoices):
    BEGINNER = "beginner", _("Beginner level")
    INTERMEDIATE = "intermediate", _("Intermediate level")
    ADVANCED = "advanced", _("Advanced level")


class Guide(models.Model):
    """A reading that a quiz or a question belongs to; it lives in the host's site, this row says where."""

    slug = models.SlugField(_("slug"), max_length=80, unique=True)
    title = models.CharField(_("title"), max_length=200, blank=True)
    address = models.CharField(
        _("address"),
        max_length=500,
        blank=True,
        validators=[is_address],
        help_text=_("A path without language prefix (/guides/floats/), the name of a URL, or a full address."),
    )
    place = models.PositiveIntegerField(_("place"), default=0, help_text=_("Guides are listed in this order."))
    imported = models.CharField(max_length=64, blank=True, editable=False)  # digest at the last import

    class Meta:
        ordering = ["place", "slug"]
        verbose_name = _("guide")
        verbose_name_plural = _("guides")

    def __str__(self) -> str:
        return words.read(self, "title").plain or self.slug

    def get_absolute_url(self) -> str:
        """The guide's address in the active language; "" where it has none or its URL name leads nowhere."""
        if hook := conf.GUIDE_ADDRESS:
            return hook(self) or ""
        if not ADDRESS.fullmatch(self.address):
            return ""
        if "://" in self.address:
            return self.address
        if self.address.startswith("/"):
            return _localized_path(self.address)
        return _reversed(self.address, self.slug)

    def clean(self) -> None:
        """Refuse the name of a URL that leads nowhere; a host's own hook may take any."""
        is_name = ADDRESS.fullmatch(self.address) and "/" not in self.address
        if is_name and not conf.GUIDE_ADDRESS and not self.get_absolute_url():
            raise ValidationError({"address": _("There is no URL of this name that takes the slug or nothing.")})

    @property
    def title_text(self) -> words.Text:
        return words.read(self, "title")


def _localized_path(path: str) -> str:
    """The path behind the language prefix, where the site has one for it."""
    root = get_script_prefix().rstrip("/")
    prefixed = f"/{get_language()}{path}"
    if not is_language_prefix_patterns_used(get_urlconf() or settings.ROOT_URLCONF)[0]:
        return root + path
    try:
        resolve(prefixed)
    except Resolver404:
        return root + path
    return root + prefixed


def _reversed(name: str, slug: str) -> str:
    for kwargs in ({"slug": slug}, {}):
        try:
            return reverse(name, kwargs=kwargs)
        except NoReverseMatch:
            continue
    return ""


class QuizQuerySet(models.QuerySet["Quiz"]):
    def published(self, language: str | None = None) -> "QuizQuerySet":
        """The quizzes that learners are offered in a language (the active one by default)."""
        language = words.nearest(language) if language else words.current_language()
        return self.filter(archived=False, languages__language=language)

    def listed(self) -> "QuizQuerySet":
        """With what a list shows: ``question_count`` (pages to read are none), and the guides fetched along."""
        asking = ~models.Q(places__question__kind__in=kinds.without_answer())
        count = models.Count("places", filter=asking, distinct=True)
        return self.annotate(question_count=count).prefetch_related("guides")

    def with_offered(self) -> "QuizQuerySet":
        """With ``offered``: whether each is published in the active language, in the same query."""
        rows = QuizLanguage.objects.filter(quiz=models.OuterRef("pk"), language=words.current_language())
        return self.annotate(offered=models.Exists(rows))

    def of_guide(self, slug: str) -> "QuizQuerySet":
        """The quizzes that name a guide, themselves or in one of their questions."""
        named = models.Q(guides__slug=slug) | models.Q(questions__guides__slug=slug)
        return self.filter(pk__in=Quiz.objects.filter(named).values("pk"))


class Quiz(models.Model):
    """A quiz: published per language, archived rather than deleted once it was taken."""

    slug = models.SlugField(_("slug"), max_length=80, unique=True, validators=[not_reserved])
    namespace = models.SlugField(max_length=80, default=SITE_NAMESPACE, editable=False)
    title = models.CharField(_("title"), max_length=200, blank=True)
    description = models.TextField(_("description"), blank=True, help_text=_("Markdown."))
    level = models.CharField(_("level"), max_length=20, blank=True, choices=Level.choices)
    pass_mark = models.DecimalField(
        _("pass mark"),
        max_digits=5,
        decimal_places=2,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal(0)), MaxValueValidator(Decimal(100))],
        help_text=_("Percent of the points. Empty: the quiz is neither passed nor failed."),
    )
    shuffle_choices = models.BooleanField(
        _("shuffle choices"), default=False, help_text=_("Each attempt shows the choices in an order of its own.")
    )
    preview = models.BooleanField(
        _("preview"), default=True, help_text=_("All questions can be read, without answers, before the start.")
    )
    guides = models.ManyToManyField(Guide, verbose_name=_("guides"), blank=True, related_name="quizzes")
    questions: "models.ManyToManyField[Question, QuizQuestion]" = models.ManyToManyField(
        "Question", through="QuizQuestion", related_name="quizzes"
    )
    place = models.PositiveIntegerField(_("place"), default=0, help_text=_("Quizzes are listed in this order."))
    archived = models.BooleanField(
        _("archived"), default=False, help_text=_("No longer offered; attempts and results stay.")
    )
    imported = models.CharField(max_length=64, blank=True, editable=False)  # digest at the last import
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = QuizQuerySet.as_manager()

    class Meta:
        ordering = ["place", "pk"]
        verbose_name = _("quiz")
        verbose_name_plural = _("quizzes")

    def __str__(self) -> str:
        return words.read(self, "title").plain or self.slug

    def get_absolute_url(self) -> str:
        return reverse("mpquiz:quiz", kwargs={"slug": self.slug})

    @property
    def title_text(self) -> words.Text:
        return words.read(self, "title")

    @property
    def description_text(self) -> words.Text:
        return words.read(self, "description")

    @property
    def published_languages(self) -> list[str]:
        """The languages it is published in, in the host's order. One query unless ``languages`` was fetched along."""
        published = {row.language for row in self.languages.all()}
        return [language for language in words.languages() if language in published]

    @transaction.atomic
    def publish(self, languages: Iterable[str]) -> None:
        """Publish it in these languages of the host and in no other; a language the host has not is left alone."""
        wanted = set(languages)
        self.languages.filter(language__in=set(words.languages()) - wanted).delete()
        there = set(self.languages.values_list("language", flat=True))
        new = [language for language in words.languages() if language in wanted - there]
        QuizLanguage.objects.bulk_create(QuizLanguage(quiz=self, language=language) for language in new)

    @cached_property
    def offered(self) -> bool:
        """Whether it is published in the active language; ``with_offered()`` fetches it along."""
        return words.current_language() in self.published_languages

    @property
    def shows_questions_before_start(self) -> bool:
        """Whether its questions may be read, never their answers, by whoever has not started."""
        return self.preview

    @property
    def opens_on_first_question(self) -> bool:
        """Whether the quiz page itself takes the first answer, since nothing has to be decided before."""
        return self.preview and not self.shuffle_choices

    def may_be_tried_by(self, learner: Learner) -> bool:
        """Whether a learner is staff who may look at quizzes that are not published."""
        user = learner.user
        may = ("mpquiz.view_quiz", "mpquiz.change_quiz")  # as in Django's admin, to change implies to view
        return bool(user and getattr(user, "is_staff", False) and any(map(user.has_perm, may)))

    def refusal(self, learner: Learner) -> Refusal | None:
        """Why this learner cannot start it now in the active language; None where nothing is against it."""
        if self.may_be_tried_by(learner):
            return None
        if self.archived or not self.offered:
            return Refusal("closed", _("This quiz is not open."))
        return None

    def placed(self, *, guides: bool = True) -> "list[QuizQuestion]":
        """Its sound questions in order, in two queries (three with the questions' guides).

        A question that an editor left half done, or of a kind that the host took away, is not asked.
        """
        along = ["question__choices", "question__guides"] if guides else ["question__choices"]
        places = self.places.select_related("question").prefetch_related(*along)
        placed = [place.read(guides=guides) for place in places]
        return [place for place in placed if not kinds.kept(place.question.kind).blocking(place.content)]


class QuizLanguage(models.Model):
    """A quiz is published in a language."""

    quiz = models.ForeignKey(Quiz, models.CASCADE, related_name="languages")
    language = models.CharField(_("language"), max_length=20)
    published_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["quiz", "language"], name="mpquiz_one_publication")]
        ordering = ["pk"]
        verbose_name = _("publication")
        verbose_name_plural = _("publications")

    def __str__(self) -> str:
        return self.language


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


class QuizQuestion(models.Model):
    """A question's place and points in a quiz."""

    quiz = models.ForeignKey(Quiz, models.CASCADE, related_name="places")
    question = models.ForeignKey(Question, models.CASCADE, verbose_name=_("question"), related_name="places")
    place = models.PositiveIntegerField(_("place"), default=0)
    points = models.DecimalField(
        _("points"),
        max_digits=6,
        decimal_places=2,
        default=Decimal(1),
        validators=[MinValueValidator(Decimal(0))],
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["quiz", "question"],
                name="mpquiz_question_once_a_quiz",
                violation_error_message=_("The question is in this quiz already."),
            )
        ]
        ordering = ["place", "pk"]
        verbose_name = _("question of the quiz")
        verbose_name_plural = _("questions of the quiz")

    def __str__(self) -> str:
        return str(self.question)

    @cached_property
    def content(self) -> QuestionContent:
        return self.question.content()

    def read(self, *, guides: bool) -> "QuizQuestion":
        """This place with its content read, with or without the guides' slugs."""
        self.content = self.question.content(guides=guides)
        return self


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
        )
