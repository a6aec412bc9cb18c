"""What stands in a quiz: its publications, its questions with place and points, and the pools it draws from."""

from decimal import Decimal

from django.core.validators import MinValueValidator
from django.db import models
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from ..content import QuestionContent
from .question import Question, Tag


class QuizLanguage(models.Model):
    """A quiz is published in a language."""

    quiz = models.ForeignKey("mpquiz.Quiz", models.CASCADE, related_name="languages")
    language = models.CharField(_("language"), max_length=20)
    published_at = models.DateTimeField(auto_now_add=True)
    although_incomplete = models.BooleanField(
        _("although texts are missing"),
        default=False,
        help_text=_("Learners read what is missing in another language."),
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["quiz", "language"], name="mpquiz_one_publication")]
        ordering = ["pk"]
        verbose_name = _("publication")
        verbose_name_plural = _("publications")

    def __str__(self) -> str:
        return self.language


class QuizQuestion(models.Model):
    """A question's place and points in a quiz."""

    quiz = models.ForeignKey("mpquiz.Quiz", models.CASCADE, related_name="places")
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


class Pool(models.Model):
    """So many questions of a tag are drawn for each attempt, where the quiz's own questions stand up to ``place``."""

    quiz = models.ForeignKey("mpquiz.Quiz", models.CASCADE, related_name="pools")
    tag = models.ForeignKey(Tag, models.PROTECT, verbose_name=_("tag"), related_name="pools")
    count = models.PositiveIntegerField(_("how many"), default=1, validators=[MinValueValidator(1)])
    points = models.DecimalField(
        _("points for each"),
        max_digits=6,
        decimal_places=2,
        default=Decimal(1),
        validators=[MinValueValidator(Decimal(0))],
    )
    place = models.PositiveIntegerField(_("place"), default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["quiz", "tag"],
                name="mpquiz_tag_once_a_quiz",
                violation_error_message=_("The quiz draws from this tag already."),
            )
        ]
        ordering = ["place", "pk"]
        verbose_name = _("pool")
        verbose_name_plural = _("pools")

    def __str__(self) -> str:
        return f"{self.tag} ({self.count})"
