"""What editors put together: quizzes, where they are published, and the questions in them."""

from collections.abc import Iterable
from datetime import datetime
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models, router, transaction
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from .. import kinds, words
from ..conf import conf
from ..exceptions import Refusal
from ..learners import Learner
from ..rules import (
    NOTHING_GRANTED,
    Access,
    Counting,
    Feedback,
    Granted,
    Layout,
    Moment,
    Review,
    Rules,
    is_in_calendar,
)
from . import accommodation
from .guide import Guide
from .placing import Pool, QuizLanguage, QuizQuestion
from .question import SITE_NAMESPACE, Question

RESERVED_SLUGS = ("attempts", "mine")
"""What stands in the addresses of other pages (``urls.py``)."""


def not_reserved(slug: str) -> None:
    """Validator: a quiz of such a slug could not be reached. Raises ValidationError."""
    if slug in RESERVED_SLUGS:
        raise ValidationError(_("“%(slug)s” stands in other addresses. Choose another."), params={"slug": slug})


EDITING = ("change", "results")
"""What an editor may do with a quiz, as the host's rule ``MAY_EDIT`` is asked for it."""


def is_ruled(user: Any) -> bool:
    """Whether the host's rule says which quizzes are this editor's."""
    return conf.MAY_EDIT is not None and not getattr(user, "is_superuser", False)


class Level(models.TextChoices):
    BEGINNER = "beginner", _("Beginner level")
    INTERMEDIATE = "intermediate", _("Intermediate level")
    ADVANCED = "advanced", _("Advanced level")


def _count(rows: Any, what: Any = None) -> models.Subquery:
    """So many rows that name the quiz, counted beside it: a join would multiply with others."""
    counted = rows.filter(quiz=models.OuterRef("pk")).order_by().values("quiz")
    return models.Subquery(counted.annotate(total=what or models.Count("*")).values("total"))


def _counts() -> dict[str, Any]:
    """The columns ``own_count`` and ``pooled_count``."""
    asking = QuizQuestion.objects.exclude(question__kind__in=kinds.without_answer())
    pooled = _count(Pool.objects.all(), models.Sum("count"))
    return {"own_count": Coalesce(_count(asking), 0), "pooled_count": pooled}


def _language_columns() -> dict[str, str]:
    """{language: the column that says whether a quiz is published in it}, the host's order."""
    return {language: f"published_in_{number}" for number, language in enumerate(words.languages())}


_LONGEST = 366 * 24 * 60  # minutes: a year, so that no sum of times leaves the calendar


def _moment(name: Any) -> Any:
    return models.CharField(name, max_length=20, choices=Moment.choices, default=Moment.ANSWER)


class QuizQuerySet(models.QuerySet["Quiz"]):
    def published(self, language: str | None = None) -> "QuizQuerySet":
        """The quizzes that learners are offered in a language (the active one by default)."""
        language = words.nearest(language) if language else words.current_language()
        return self.filter(archived=False, languages__language=language)

    def publish_in(self, language: str) -> None:
        """Publish them in one language more, and in those in which they are. One query, for 500 of them."""
        rows = [
            QuizLanguage(quiz_id=pk, language=language) for pk in self.order_by("pk").values_list("pk", flat=True)
        ]
        QuizLanguage.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)

    def unpublish(self) -> None:
        """Make drafts of them in all languages of the host."""
        QuizLanguage.objects.filter(quiz__in=self.order_by(), language__in=words.languages()).delete()

    def of_editor(self, user: Any, *, doing: str | None = None) -> "QuizQuerySet":
        """Those that an editor may "change", or whose "results" they may see, as the host's rule says; None: either.

        A superuser may all. Beside that rule, permissions are asked as everywhere.
        """
        if not is_ruled(user):
            return self
        rule: Any = conf.MAY_EDIT
        allowed = models.Q()
        for one in (doing,) if doing else EDITING:
            quizzes = rule(user, Quiz.objects.all(), one)
            allowed |= models.Q(pk__in=quizzes.order_by().values("pk"))
        return self.filter(allowed)

    def listed(self) -> "QuizQuerySet":
        """With what a list shows: how many questions are asked (pages to read are none), and the guides."""
        columns: dict[str, Any] = {**_counts(), "last_closing": accommodation.last_closing(quiz="pk")}
        return self.annotate(**columns).prefetch_related("guides")

    def with_languages(self) -> "QuizQuerySet":
        """With the languages in which each is published, in the same query."""
        rows = QuizLanguage.objects.filter(quiz=models.OuterRef("pk"))
        return self.annotate(
            **{name: models.Exists(rows.filter(language=language)) for language, name in _language_columns().items()}
        )

    def findable(self) -> "QuizQuerySet":
        """Those of which ``is_open_to_guests`` may hold, with what decides it and when what they ask was changed."""
        asked = QuizQuestion.objects.filter(quiz=models.OuterRef("pk")).order_by().values("quiz")
        changed = asked.annotate(last=models.Max("question__updated_at")).values("last")
        open_to_all = self.filter(archived=False, access=Access.EVERYONE, password="")
        return open_to_all.with_languages().annotate(**_counts(), questions_changed_at=models.Subquery(changed))

    def for_learner(self, learner: Learner) -> "QuizQuerySet":
        """With what decides whether a learner may start each, and how many questions it asks, in the same query."""
        columns: dict[str, Any] = {
            **accommodation.granted_columns(learner, quiz="pk"),
            **_counts(),
            "last_closing": accommodation.last_closing(quiz="pk"),
            "in_group": accommodation.in_group(learner, quiz="pk"),
        }
        return self.with_languages().annotate(**columns)

    def known_to(self, learner: Learner) -> "QuizQuerySet":
        """Those that a learner is offered in the active language or has begun; none for a visitor."""
        if not learner:
            return self.none()
        mine = {f"attempts__{name}": value for name, value in learner.owner.items()}
        begun = models.Q(pk__in=Quiz.objects.filter(**mine).order_by().values("pk"))
        offered = QuizLanguage.objects.filter(language=words.current_language()).values("quiz")
        # Attempts are asked for, so it is read where they are written.
        written = self.using(router.db_for_write(Quiz))
        return written.filter(begun | models.Q(pk__in=offered, archived=False))

    def worded(self, text: str) -> "QuizQuerySet":
        """Those whose title or description holds a text, in any language."""
        pairs = ((name, language) for name in ("title", "description") for language in words.languages())
        held = (models.Q(**{f"{words.attribute(*pair)}__icontains": text}) for pair in pairs)
        return self.filter(reduce(or_, held))

    def of_guide(self, *slugs: str) -> "QuizQuerySet":
        """The quizzes that name a guide (or one of several), themselves or in one of their questions."""
        named = models.Q(guides__slug__in=slugs) | models.Q(questions__guides__slug__in=slugs)
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
    shuffle_questions = models.BooleanField(
        _("shuffle questions"), default=False, help_text=_("Each attempt asks the questions in an order of its own.")
    )
    draw = models.PositiveIntegerField(
        _("draw"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("How many of the quiz's own questions an attempt asks, drawn by lot. Empty: all."),
    )
    feedback = models.CharField(_("feedback"), max_length=20, choices=Feedback.choices, default=Feedback.AT_ONCE)
    layout = models.CharField(_("layout"), max_length=20, choices=Layout.choices, default=Layout.ONE)
    one_way = models.BooleanField(
        _("one way"), default=False, help_text=_("Questions come one after the other; nobody can go back.")
    )
    show_right_or_wrong = _moment(_("right or wrong"))
    show_score = _moment(_("score"))
    show_right_answer = _moment(_("right answer"))
    show_explanation = _moment(_("explanation"))
    time_limit = models.PositiveIntegerField(
        _("time limit"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(_LONGEST)],
        help_text=_("Minutes from the start. Empty: no limit."),
    )
    opens_at = models.DateTimeField(_("opens"), null=True, blank=True, validators=[is_in_calendar])
    closes_at = models.DateTimeField(_("closes"), null=True, blank=True, validators=[is_in_calendar])
    runs_past_closing = models.BooleanField(
        _("runs past closing"),
        default=False,
        help_text=_("Whoever has started may go on after the closing time. Else it is handed in for them then."),
    )
    attempts_allowed = models.PositiveIntegerField(
        _("attempts allowed"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Empty: as many as a learner likes. The limit is firm for whoever is signed in."),
    )
    wait = models.PositiveIntegerField(
        _("wait between attempts"),
        null=True,
        blank=True,
        validators=[MaxValueValidator(_LONGEST)],
        help_text=_("Minutes from the end of an attempt to the start of the next. Empty: no wait."),
    )
    counting = models.CharField(
        _("which attempt counts"), max_length=20, choices=Counting.choices, default=Counting.BEST
    )
    access = models.CharField(_("who may take it"), max_length=20, choices=Access.choices, default=Access.EVERYONE)
    groups = models.ManyToManyField("auth.Group", verbose_name=_("groups"), blank=True, related_name="mpquiz_quizzes")
    password = models.CharField(
        _("password"),
        max_length=100,
        blank=True,
        help_text=_("Asked for at the start. Whoever may change the quiz can read it here."),
    )
    preview = models.BooleanField(
        _("preview"), default=True, help_text=_("All questions can be read, without answers, before the start.")
    )
    publishes_answers = models.BooleanField(
        _("publishes the right answers"),
        default=False,
        help_text=_(
            "Search engines are told which answers are right, and whoever looks can read it before answering."
        ),
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
        """The languages it is published in, in the host's order.

        One query unless ``languages`` was prefetched, none with ``with_languages()``.
        """
        columns = _language_columns()
        if all(name in self.__dict__ for name in columns.values()):
            return [language for language, name in columns.items() if self.__dict__[name]]
        published = {row.language for row in self.languages.all()}
        return [language for language in words.languages() if language in published]

    @transaction.atomic
    def publish(self, languages: Iterable[str], *, although: Iterable[str] | None = None) -> None:
        """Publish it in these languages of the host and in no other; a language the host has not is left alone.

        ``although``: in which the editor wants that although texts are missing (None: as it was said before).
        """
        self._hold()
        wanted = set(languages)
        self.languages.filter(language__in=set(words.languages()) - wanted).delete()
        there = set(self.languages.values_list("language", flat=True))
        new = [language for language in words.languages() if language in wanted - there]
        QuizLanguage.objects.bulk_create(QuizLanguage(quiz=self, language=language) for language in new)
        if although is not None:
            said = models.Q(language__in=set(although))
            self.languages.filter(said, although_incomplete=False).update(although_incomplete=True)
            self.languages.exclude(said).filter(although_incomplete=True).update(although_incomplete=False)

    @transaction.atomic
    def append(self, questions: "Iterable[Question]") -> "list[Question]":
        """Put questions at its end, with one point each; those that stand in it stay. Gives those that were put."""
        self._hold()
        there = set(self.places.values_list("question", flat=True))
        new = [question for question in dict.fromkeys(questions) if question.pk not in there]
        last = self.places.aggregate(last=models.Max("place"))["last"] or 0
        places = [QuizQuestion(quiz=self, question=one, place=place) for place, one in enumerate(new, last + 1)]
        QuizQuestion.objects.bulk_create(places)
        return new

    def _hold(self) -> None:
        """Nobody else changes what stands in it before the transaction ends. It writes, as SQLite wants it first."""
        Quiz._default_manager.filter(pk=self.pk).update(archived=models.F("archived"))

    @cached_property
    def offered(self) -> bool:
        """Whether it is published in the active language."""
        return words.current_language() in self.published_languages

    @property
    def rules(self) -> Rules:
        """The rules for whoever starts now."""
        return Rules(
            feedback=self.feedback,
            layout=self.layout,
            one_way=self.one_way,
            shuffle_questions=self.shuffle_questions,
            shuffle_choices=self.shuffle_choices,
            pass_mark=self.pass_mark,
            time_limit=None if self.time_limit is None else self.time_limit * 60,
            closes_at=None if self.runs_past_closing else self.closes_at,
            review=self.review,
        )

    @property
    def review(self) -> Review:
        """What learners see from which moment on."""
        return Review(self.show_right_or_wrong, self.show_score, self.show_right_answer, self.show_explanation)

    @cached_property
    def last_closing(self) -> datetime | None:
        """The latest closing time that anybody was granted; ``for_learner()`` fetches it along."""
        return self.accommodations.aggregate(last=models.Max("closes_at"))["last"]

    @property
    def closed_for_all(self) -> bool:
        """Whether nobody can start it any more, since its closing time and each that was granted are past."""
        if self.closes_at is None or timezone.now() < self.closes_at:
            return False
        return self.last_closing is None or self.last_closing <= timezone.now()

    @cached_property
    def own_count(self) -> int:
        """How many questions stand in it itself, pages to read not among them."""
        return self.places.exclude(question__kind__in=kinds.without_answer()).count()

    @cached_property
    def pooled_count(self) -> int | None:
        """How many questions its pools draw; None where it has no pool. ``for_learner()`` fetches it along."""
        return self.pools.aggregate(count=models.Sum("count"))["count"]

    def as_written(self) -> "Quiz":
        """This quiz as the database that is written has it now; itself, without a query, where it was read there.

        Raises Refusal("closed") where a replica had it that is behind, and it is deleted.
        """
        using = router.db_for_write(Quiz, instance=self)
        if self._state.db in (None, using):
            return self
        written = Quiz.objects.using(using).filter(pk=self.pk).first()
        if written is None:
            raise Refusal("closed", _("This quiz is not open."))
        return written

    @property
    def asked_count(self) -> int:
        """How many questions an attempt asks, if all are sound and the pools are full."""
        own = self.own_count if self.draw is None else min(self.draw, self.own_count)
        return own + (self.pooled_count or 0)

    @property
    def is_drawn(self) -> bool:
        """Whether attempts ask different questions, or the same in different orders."""
        return self.shuffle_questions or self.draw is not None or bool(self.pooled_count)

    @property
    def has_dates_or_limits(self) -> bool:
        """Whether there is anything from which a learner could be granted an exception."""
        limits = (self.time_limit, self.opens_at, self.closes_at, self.attempts_allowed)
        return any(limit is not None for limit in limits)

    @property
    def shows_questions_before_start(self) -> bool:
        """Whether its questions may be read, never their answers, by whoever has not started.

        Never where reading ahead would get around a rule: the clock, the lot, the order, or the password.
        """
        guarded = self.time_limit is not None or self.is_drawn or self.one_way or self.password
        return self.preview and not guarded

    @property
    def shows_answers_before_start(self) -> bool:
        """Whether its page tells search engines which answers are right: only where an editor said so."""
        allowed = self.publishes_answers and self.show_right_answer == Moment.ANSWER
        return allowed and self.shows_questions_before_start

    @property
    def opens_on_first_question(self) -> bool:
        """Whether the quiz page itself takes the first answer, since nothing has to be decided or said before."""
        limited = self.has_dates_or_limits or self.wait or self.access != Access.EVERYONE
        rehearsed = self.feedback == Feedback.AT_END and self.layout == Layout.ONE
        return self.shows_questions_before_start and not (limited or rehearsed or self.shuffle_choices)

    @property
    def taken_in_place(self) -> bool:
        """Whether it can be taken within a page of the host: nothing is dear, and each answer stands once given."""
        dear = self.has_dates_or_limits or self.wait or self.password
        return not (dear or self.rules.changeable)

    def may_be_tried_by(self, learner: Learner) -> bool:
        """Whether a learner is staff who may take any quiz, drafts too, as a trial."""
        user = learner.user
        may = ("mpquiz.view_quiz", "mpquiz.change_quiz")  # as in Django's admin, to change implies to view
        permitted = bool(user and getattr(user, "is_staff", False) and any(map(user.has_perm, may)))
        return permitted and self.is_of(user)

    def is_of(self, user: Any, *, doing: str | None = None) -> bool:
        """Whether it is one of those of an editor; ``doing`` as in ``of_editor``. No query without a host's rule."""
        return not is_ruled(user) or Quiz.objects.filter(pk=self.pk).of_editor(user, doing=doing).exists()

    def hidden_from(self, learner: Learner) -> bool:
        """Whether this learner is not offered it at all in the active language."""
        return (self.archived or not self.offered) and not self.may_be_tried_by(learner)

    def granted(self, learner: Learner) -> Granted:
        """What a learner is granted beyond its rules. One query unless ``for_learner()`` fetched it along."""
        if learner.user is None or not self.has_dates_or_limits:
            return NOTHING_GRANTED
        if (fetched := accommodation.granted_in(self)) is not None:
            return fetched
        return self.accommodations.granted(learner.user)

    def refusal(self, learner: Learner) -> Refusal | None:
        """Why this learner cannot start it now in the active language, whatever they did before; None: they can.

        ``Attempt.objects.refusal`` asks for the number of attempts too.
        """
        if self.archived or not self.offered:
            return Refusal("closed", _("This quiz is not open."))
        return self._refused(learner)

    def _refused(self, learner: Learner) -> Refusal | None:
        return self._shut_out(learner) or self._out_of_time(self.granted(learner)) or conf.MAY_TAKE(learner, self)

    @property
    def is_open_to_guests(self) -> bool:
        """Whether whoever comes by may take it now where it is published: what search engines are led to."""
        return not self.archived and not self.password and self._refused(Learner()) is None

    @property
    def shown_changed_at(self) -> datetime:
        """When anything of its page was changed last, as ``findable()`` fetched it along."""
        asked = self.__dict__.get("questions_changed_at") if self.shows_questions_before_start else None
        return max(self.updated_at, asked or self.updated_at)

    def _shut_out(self, learner: Learner) -> Refusal | None:
        if self.access == Access.EVERYONE:
            return None
        if learner.user is None:
            return Refusal("sign_in", _("Sign in to take this quiz."))
        if self.access == Access.GROUPS and not self._has_member(learner.user):
            return Refusal("not_allowed", _("This quiz is for certain groups, and you are in none of them."))
        return None

    def _has_member(self, user: Any) -> bool:
        if "in_group" in self.__dict__:  # fetched along
            return bool(self.__dict__["in_group"])
        return hasattr(user, "groups") and self.groups.filter(pk__in=user.groups.all()).exists()

    def _out_of_time(self, granted: Granted) -> Refusal | None:
        now = timezone.now()
        opens_at, closes_at = granted.opens_at or self.opens_at, granted.closes_at or self.closes_at
        if opens_at is not None and now < opens_at:
            return Refusal("closed", _("This quiz opens on %(when)s.") % {"when": words.when(opens_at)})
        if closes_at is not None and now >= closes_at:
            return Refusal("closed", _("This quiz closed on %(when)s.") % {"when": words.when(closes_at)})
        return None

    def admits(self, password: str) -> bool:
        """Whether this is the password, or none is asked for."""
        return not self.password or constant_time_compare(self.password.strip(), password.strip())

    def completed_by(self, user: Any) -> bool:
        """Whether a user has completed it: passed where it has a pass mark, else finished. One query."""
        return self.attempts.completed(self, Learner(user=user))

    def placed(self, *, guides: bool = True) -> "list[QuizQuestion]":
        """Its own sound questions in order, in two queries (three with the questions' guides).

        A question that an editor left half done, or of a kind that the host took away, is not asked.
        """
        along = ["question__choices", "question__guides"] if guides else ["question__choices"]
        places = self.places.select_related("question").prefetch_related(*along)
        placed = [place.read(guides=guides) for place in places]
        return [place for place in placed if not kinds.kept(place.question.kind).blocking(place.content)]
