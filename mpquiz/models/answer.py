"""What a learner is asked at a position of an attempt, and what was given."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.formats import number_format
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from .. import kinds, words
from ..content import QuestionContent, digest
from ..exceptions import ManyRefused, Refusal
from ..kinds.base import ERASED, FRACTION_PLACES, TALLY_LENGTH, exact
from ..kinds.essay import notes_in
from ..rules import Sight
from .placing import QuizQuestion
from .question import Question
from .version import FromWritten, QuestionVersion


def fingerprint(content: QuestionContent) -> str:
    """A keyed fingerprint of what a learner sees of a question before answering. Tells nothing of the key."""
    return salted_hmac(
        "mpquiz.seen", digest(kinds.kept(content.kind).visible(content)), algorithm="sha256"
    ).hexdigest()


CHANGED = _("This question was changed after you opened the page. Here it is anew.")


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """The answer to question 1 that starts an attempt, with the fingerprint of the question it was given to."""

    given: object
    seen: str

    def cleaned(self, content: QuestionContent) -> Any:
        """The value to store as the answer to this very question, in whose own order the choices were seen.

        Raises Refusal: ``changed``, ``bad_answer``.
        """
        if not constant_time_compare(fingerprint(content), self.seen):
            raise Refusal("changed", CHANGED)
        return _cleaned(self.given, content, kinds.kept(content.kind).order(content, shuffle=False))


@dataclass(frozen=True, slots=True)
class AllAnswers:
    """The answers that start an attempt of which all questions stand on one page.

    ``given`` is by position, ``seen`` the fingerprint of all questions as they were shown. What has no gap is handed
    in at once; else the attempt stays open, so that the learner can be asked.
    """

    given: Mapping[int, object]
    seen: str

    @property
    def is_whole(self) -> bool:
        return not any(map(is_empty, self.given.values()))

    def cleaned(self, contents: Sequence[QuestionContent]) -> dict[int, Any]:
        """{position: the value to store} of what was answered of these very questions, which stand on one page.

        Raises Refusal: ``changed``; ManyRefused.
        """
        if not constant_time_compare(fingerprint_of_all(contents), self.seen):
            raise Refusal("changed", _("The questions were changed after you opened the page. Here they are anew."))
        values, refused = {}, {}
        for position, content in enumerate(contents, 1):
            given = self.given.get(position)
            if is_empty(given):
                continue
            try:
                order = kinds.kept(content.kind).order(content, shuffle=False)
                values[position] = _cleaned(given, content, order, partly=True)
            except Refusal as refusal:
                refused[position] = refusal
        if refused:
            raise ManyRefused(refused)
        return values


def fingerprint_of_all(contents: Iterable[QuestionContent]) -> str:
    """A keyed fingerprint of what a learner sees of all questions before answering. Tells nothing of the keys."""
    return salted_hmac("mpquiz.seen.all", "\n".join(map(fingerprint, contents)), algorithm="sha256").hexdigest()


def _cleaned(given: object, content: QuestionContent, order: Sequence[str], *, partly: bool = False) -> Any:
    """A raw value, or a form that holds it, as it is stored. Raises Refusal("bad_answer")."""
    kind = kinds.kept(content.kind)
    if isinstance(given, kinds.Submitted):
        given = kind.given_in(given.data)
    return kind.clean_partly(given, content, order) if partly else kind.clean(given, content, order)


def is_empty(given: object) -> bool:
    """Whether a raw value says nothing: no choice, no text."""
    if isinstance(given, kinds.Submitted):
        return given.is_empty
    if isinstance(given, str):
        return not given.strip()
    return given is None or given == [] or given == {}


class AnswerQuerySet(models.QuerySet["Answer"]):
    def with_content_at(self, position: int) -> "AnswerQuerySet":
        """The answers, of which the one at ``position`` carries the content it asks, in one query."""
        at_position = models.When(position=position, then=models.F("version__content"))
        return self.annotate(asked=models.Case(at_position, output_field=models.JSONField()))

    def with_content_of_drafts(self) -> "AnswerQuerySet":
        """The answers, of which those that wait as drafts carry their content, in one query."""
        draft = models.Q(draft__isnull=False, answered_at=None)
        content = models.When(draft, then=models.F("version__content"))
        return self.annotate(asked=models.Case(content, output_field=models.JSONField()))

    def with_content_of_next(self) -> "AnswerQuerySet":
        """The answers, of which the first one not given yet and the pages carry their content, in one query."""
        first = self.filter(asks=True, answered_at=None).order_by("position").values("pk")[:1]
        next_or_page = models.Q(pk=models.Subquery(first)) | models.Q(asks=False)
        content = models.When(next_or_page, then=models.F("version__content"))
        return self.annotate(asked=models.Case(content, output_field=models.JSONField()))

    def with_still_asked(self) -> "AnswerQuerySet":
        """With ``still_asked``: whether the question is in the quiz of its attempt to this day."""
        places = QuizQuestion.objects.filter(
            quiz=models.OuterRef("attempt__quiz"), question=models.OuterRef("question")
        )
        return self.annotate(still_asked=models.Exists(places))

    def languages_of(self, attempts: "Iterable[Any]") -> dict[int, list[str]]:
        """{attempt's id: the languages in which its answers were given, in the host's order}. One query."""
        given = self.filter(attempt__in=[attempt.pk for attempt in attempts]).exclude(language="").order_by()
        found: dict[int, set[str]] = defaultdict(set)
        for attempt, language in given.values_list("attempt", "language").distinct():
            found[attempt].add(language)
        order = {language: place for place, language in enumerate(words.languages())}
        return {one: sorted(some, key=lambda code: order.get(code, len(order))) for one, some in found.items()}

    def waiting(self) -> "AnswerQuerySet":
        """The answers that a person must mark; what was left out, or abandoned, waits for nobody."""
        given = self.filter(attempt__waiting__gt=0, answered_at__isnull=False, left_out=False)
        return given.filter(fraction=None, awarded=None)

    def marked_by_hand(self) -> "AnswerQuerySet":
        return self.filter(awarded__isnull=False)


class Answer(models.Model):
    """What a learner is asked at a position of an attempt, and what was given."""

    TAKEN: Sequence[str] = (
        "given",
        "tally",
        "language",
        "fraction",
        "marked_with",
        "answered_at",
        "marked_at",
        "draft",
        "revision",
    )
    MARKED: Sequence[str] = (
        "awarded",
        "fraction",
        "comment",
        "marked_by",
        "marked_with",
        "marked_at",
        "revision",
    )

    attempt = models.ForeignKey("mpquiz.Attempt", models.CASCADE, related_name="answers", db_index=False)
    position = models.PositiveIntegerField(_("position"))
    points = models.DecimalField(_("points"), max_digits=6, decimal_places=2)
    version = models.ForeignKey(QuestionVersion, models.PROTECT, related_name="answers")
    question = models.ForeignKey(Question, models.SET_NULL, null=True, related_name="answers")
    order = models.JSONField(default=list)  # keys of the choices as shown
    asks = models.BooleanField(default=True)  # False: a page to read, nothing to answer
    given = models.JSONField(null=True)
    tally = models.CharField(max_length=TALLY_LENGTH, blank=True)  # what statistics count it as, told by the kind
    # The quiz in whose statistics of first attempts it counts; NULL where it does not. Set when the attempt closes,
    # so that counting choices over an index alone needs no attempt.
    counted_in = models.ForeignKey("mpquiz.Quiz", models.PROTECT, null=True, related_name="+", db_index=False)
    # What was written and not handed in yet, of an answer that cannot be taken back once it is.
    draft = models.JSONField(null=True)
    flagged = models.BooleanField(_("flagged"), default=False)  # by the learner, to come back to it
    left_out = models.BooleanField(_("left out"), default=False)  # by whoever marked anew: its points count nowhere
    language = models.CharField(_("language"), max_length=20, blank=True)
    # The points that a person gave, exactly; NULL where none has marked it.
    awarded = models.DecimalField(_("points"), max_digits=6, decimal_places=2, null=True)
    # The share of the points that was earned; NULL until marked, and where there is no point to earn a share of.
    fraction = models.DecimalField(
        _("fraction"), max_digits=FRACTION_PLACES + 1, decimal_places=FRACTION_PLACES, null=True
    )
    marked_with = models.ForeignKey(QuestionVersion, models.PROTECT, null=True, related_name="marked_answers")
    answered_at = models.DateTimeField(_("answered"), null=True)
    marked_at = models.DateTimeField(_("marked"), null=True)
    marked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", verbose_name=_("marked by")
    )
    comment = models.TextField(_("comment"), blank=True)  # of whoever marked it, for the learner
    revision = models.PositiveIntegerField(default=0)

    objects = FromWritten.from_queryset(AnswerQuerySet)()

    asked: Any  # the content as JSON, where the query brought it

    class Meta:
        base_manager_name = "objects"
        constraints = [models.UniqueConstraint(fields=["attempt", "position"], name="mpquiz_one_answer")]
        # PostgreSQL has two more, which only it can read by alone: see the migration that makes them.
        indexes = [
            models.Index(fields=["counted_in", "question", "tally", "language"], name="mpquiz_tally"),
            models.Index(fields=["attempt", "language"], name="mpquiz_read_in"),
        ]
        ordering = ["position"]
        verbose_name = _("answer")
        verbose_name_plural = _("answers")

    def __str__(self) -> str:
        return f"{self.attempt_id}/{self.position}"

    @cached_property
    def content(self) -> QuestionContent:
        """The content as it was asked."""
        asked = getattr(self, "asked", None)
        return QuestionContent.from_json(self.version.content if asked is None else asked)

    @property
    def kind(self) -> kinds.Kind:
        """The kind, which knows what the learner saw."""
        return kinds.kept(self.content.kind, kinds.Seen(self.content, self.language))

    @property
    def prompt(self) -> words.Text:
        return words.pick(self.content.prompt)

    @property
    def mark(self) -> Decimal:
        """The points earned, exact; 0 while not marked, and where it was left out."""
        if self.left_out:
            return Decimal(0)
        return self.points * (self.fraction or 0) if self.awarded is None else self.awarded

    @property
    def worth(self) -> Decimal:
        """The points that could be earned: none where it was left out."""
        return Decimal(0) if self.left_out else self.points

    @property
    def state(self) -> str:
        """How it stands.

        "page" (nothing to answer), "open" (not answered), "waiting" (for a person to mark it), "marked" (there were
        no points to earn), "right", "partly" or "wrong".
        """
        if not self.asks:
            return "page"
        if self.answered_at is None:
            return "open"
        if self.fraction is None:
            return "waiting" if self.awarded is None and not self.left_out else "marked"
        return {Decimal(1): "right", Decimal(0): "wrong"}.get(self.fraction, "partly")

    @property
    def is_drafted(self) -> bool:
        """Whether a text was kept that becomes the answer when the attempt ends."""
        return self.draft is not None and self.answered_at is None

    @property
    def is_erased(self) -> bool:
        """Whether what was given was taken out, since its learner was erased; its mark stays."""
        return self.given == ERASED

    @property
    def is_impersonal(self) -> bool:
        """Whether what was given tells nothing of its learner, by the question as asked or as it was marked."""
        if self.is_erased:
            return True
        contents = [self.content]
        if self.marked_with is not None and self.marked_with_id != self.version_id:
            contents.append(QuestionContent.from_json(self.marked_with.content))
        return any(kinds.kept(one.kind).is_impersonal(one, self.given) for one in contents)

    @property
    def missed(self) -> bool:
        """Whether it can be practised again: not all points were earned, and the question is still there."""
        there = self.question_id is not None and self.kind.scores
        return there and self.state in ("open", "partly", "wrong")

    @property
    def by_hand(self) -> bool:
        """Whether it was given and a person marks it."""
        given = self.answered_at is not None and not self.is_erased
        return given and self.kind.mark(self.content, self.given) is None

    def cleaned(self, given: object, *, partly: bool = False) -> Any:
        """A raw value (or a form that holds it) as it is stored. Raises Refusal.

        ``partly``: it can still be changed, so that parts of it may be missing.
        """
        if isinstance(given, FirstAnswer):
            return given.cleaned(self.content)
        return _cleaned(given, self.content, self.order, partly=partly)

    def take(self, value: Any, language: str | None, *, at: datetime | None = None) -> None:
        """Take a cleaned value and mark it, now or as of a moment. Does not save."""
        self.given, self.answered_at = value, at or timezone.now()
        self.tally = self.kind.tally(self.content, value)[:TALLY_LENGTH]
        self.language = language or words.current_language()
        self.fraction = self.kind.mark(self.content, value)
        marked = self.fraction is not None
        self.marked_with_id, self.marked_at = (self.version_id, self.answered_at) if marked else (None, None)
        self.draft = None
        self.revision += 1

    def take_back(self) -> None:
        """Be as if nothing had been given. Does not save."""
        self.given = self.fraction = self.marked_with_id = self.answered_at = self.marked_at = None
        self.language = self.tally = ""
        self.revision += 1

    def hand_in_draft(self, at: datetime) -> bool:
        """What was written and not handed in is the answer, once the attempt is closed. Does not save.

        Returns whether there was any.
        """
        if not self.is_drafted:
            return False
        self.take(self.draft, self.language, at=at)
        return True

    def award(self, points: Decimal, comment: str, by: Any) -> None:
        """Take the mark of a person. Does not save. Raises Refusal("bad_mark") where there are no such points."""
        if not (points.is_finite() and 0 <= points <= self.points and points == round(points, 2)):
            message = _("Give from 0 to %(most)s points, with two decimal places at most.")
            raise Refusal("bad_mark", message % {"most": number_format(self.points.normalize() + 0)})
        self.awarded, self.comment, self.marked_by = points, comment, by
        self.fraction = exact(Fraction(points) / Fraction(self.points)) if self.points else None
        self.marked_with_id, self.marked_at = self.version_id, timezone.now()
        self.revision += 1

    def was_awarded(self, points: Decimal, comment: str, by: Any) -> bool:
        """Whether this is the very mark that it has."""
        return (self.awarded, self.comment, self.marked_by_id) == (points, comment, by.pk)

    # What a learner may see of it: whatever shows one asks ``sight`` ----------------------------------------

    @property
    def sight(self) -> Sight:
        """What of this answer its learner may see now."""
        return self.attempt.sight_of(answered=self.answered_at is not None)

    @property
    def seen_state(self) -> str:
        """The state as the learner may know it: "given" where it must not be told how it went."""
        state = self.state
        return state if state in ("page", "open", "waiting") or self.sight.right_or_wrong else "given"

    @property
    def key_content(self) -> QuestionContent:
        """The content whose key is shown: of a later marking where it fits what was shown, else as it was asked."""
        if self.marked_with_id in (None, self.version_id) or self.marked_with is None:
            return self.content
        later = QuestionContent.from_json(self.marked_with.content)
        gone = set(self.order) - {choice.key for choice in later.choices}
        if gone and "right" not in self.kind.choice_fields:
            return self.content
        # What was shown and is there no more is shown all the same; it can be right no longer.
        shown = (replace(one, right=False, weight=None) for one in self.content.choices if one.key in gone)
        return replace(later, choices=(*later.choices, *shown))

    @property
    def shown(self) -> Any:
        """What the kind's template lays out: the right answer only where ``reveals`` lets it."""
        if self.reveals:
            return self.kind.answered(self.key_content, self.order, self._legible)
        return self.kind.asked(self.content, self.order)

    @property
    def entered(self) -> kinds.Entered:
        """What was given, or is being written, as the form holds it."""
        given = self.draft if self.is_drafted else self._legible
        return kinds.Entered() if given is None else self.kind.entered(self.content, self.order, given)

    @property
    def sendable(self) -> Any:
        """What was given, or is being written, as a script sends it; None where nothing was."""
        given = self.draft if self.is_drafted else self._legible
        return None if given is None else self.kind.sendable(self.content, self.order, given)

    @property
    def sent(self) -> Any:
        """What was given, as a script sends it; None where nothing was yet, or nothing is left to read."""
        return None if self.is_drafted else self.sendable

    @property
    def settled(self) -> "Answer | None":
        """This answer, once it stands or its attempt is over; None while it can be given, and for a page to read."""
        stands = self.answered_at is not None and not self.attempt.changeable
        return self if self.asks and (stands or not self.attempt.is_open) else None

    @property
    def mark_shown(self) -> Decimal | None:
        """The points that it earned; None where they must not be seen, or are not known yet."""
        sight = self.sight
        known = self.awarded is not None or (sight.right_or_wrong and self.state != "waiting")
        return self.mark if self.asks and sight.score and known else None

    @property
    def comment_shown(self) -> str:
        """What whoever marked it says to the learner, where it may be seen."""
        return self.comment if self.sight.score else ""

    @property
    def told(self) -> list[words.Text]:
        """What was given, in words, with nothing of how it went."""
        return [] if self._legible is None else self.kind.in_words(self.content, self.given)

    @property
    def _legible(self) -> Any:
        """What was given; None where there is nothing to read."""
        return None if self.is_erased else self.given

    @property
    def explanation(self) -> words.Text:
        """The editor's explanation; empty where it must not be seen."""
        return words.pick(self.key_content.explanation if self.sight.explanation else {})

    @property
    def said(self) -> list[words.Text]:
        """What the editor says to this answer and to its outcome, only where it may be known."""
        sight = self.sight
        if not (sight.right_or_wrong and sight.explanation) or self.answered_at is None or self.is_erased:
            return []
        outcome = words.pick(self.key_content.outcome_feedback(self.state))
        return [*self.kind.said(self.key_content, self.given), *([outcome] if outcome else [])]

    @property
    def may_be_reported(self) -> bool:
        """Whether its learner may say that something is wrong with the question: with the feedback or the review."""
        if not self.asks or self.attempt.for_editor:
            return False
        return not self.attempt.is_open or (self.answered_at is not None and not self.attempt.changeable)

    @property
    def reported(self) -> Any:
        """What its learner said is wrong with it, None if nothing. A query unless ``report`` was fetched along."""
        return getattr(self, "report", None)

    @property
    def reveals(self) -> bool:
        """Whether the learner may see the right answer beside theirs."""
        sight = self.sight
        return sight.right_answer and sight.right_or_wrong


class WaitingAnswer(Answer):
    """An answer as whoever marks sees it: a model of its own in admin, with rights of its own."""

    class Meta:
        proxy = True
        default_permissions = ("view", "change")
        ordering = ["answered_at", "pk"]
        verbose_name = _("answer to be marked")
        verbose_name_plural = _("answers to be marked")

    def __str__(self) -> str:
        return words.pick(self.content.prompt).plain[:120]

    @property
    def notes(self) -> words.Text:
        """What the editor says to whoever marks."""
        return words.pick(notes_in(self.content))
