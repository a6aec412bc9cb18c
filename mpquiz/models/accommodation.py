"""What single learners or groups are granted in a quiz: extra time, extra attempts, other dates.

Below stand the columns that fetch it along with quizzes and attempts, so that no page asks for it once more.
"""

from collections.abc import Iterable
from copy import copy
from decimal import Decimal
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from ..learners import Learner, name_of
from ..rules import NOTHING_GRANTED, Granted, is_in_calendar

MOST_TIME = Decimal(10)
"""How many times the time limit somebody can be granted (WCAG 2.2.1 asks for ten)."""


class AccommodationQuerySet(models.QuerySet["Accommodation"]):
    def of_user(self, user: Any) -> "AccommodationQuerySet":
        """Those for a user or for one of their groups."""
        own = models.Q(user=user)
        return self.filter(own | models.Q(group__in=user.groups.all()) if hasattr(user, "groups") else own)

    def granted(self, user: Any) -> Granted:
        """All that a user is granted by these: call it as ``quiz.accommodations.granted(user)``. One query."""
        return reduce(or_, (one.granted for one in self.of_user(user)), NOTHING_GRANTED)

    def granted_each(self, users: Iterable[int]) -> dict[int, Granted]:
        """{user id: what they are granted} for those of ``users`` who are granted anything. Two queries."""
        users = set(users)
        found: dict[int, Granted] = {}
        of_groups: dict[int, Granted] = {}
        for one in self.filter(models.Q(user__in=users) | models.Q(group__isnull=False)):
            if one.user_id is not None:
                found[one.user_id] = one.granted
            elif one.group_id is not None:
                of_groups[one.group_id] = one.granted
        for user, group in _members(users, of_groups):
            found[user] = found.get(user, NOTHING_GRANTED) | of_groups[group]
        return found


def _members(users: Iterable[int], groups: Iterable[int]) -> Iterable[tuple[int, int]]:
    """The pairs (user, group) of those users who are in one of the groups."""
    model = get_user_model()
    if not (groups := list(groups)) or not hasattr(model, "groups"):
        return ()
    return model._default_manager.filter(pk__in=users, groups__in=groups).values_list("pk", "groups")


class Accommodation(models.Model):
    """What one learner, or each member of a group, is granted in a quiz."""

    quiz = models.ForeignKey("mpquiz.Quiz", models.CASCADE, verbose_name=_("quiz"), related_name="accommodations")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="mpquiz_accommodations",
        verbose_name=_("learner"),
    )
    group = models.ForeignKey(
        "auth.Group",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="mpquiz_accommodations",
        verbose_name=_("group"),
    )
    time_factor = models.DecimalField(
        _("time factor"),
        max_digits=4,
        decimal_places=2,
        default=Decimal(1),
        validators=[MinValueValidator(Decimal(1)), MaxValueValidator(MOST_TIME)],
        help_text=_("How many times the time limit: 1.25 is a quarter more, at most 10."),
    )
    no_time_limit = models.BooleanField(_("no time limit"), default=False)
    extra_attempts = models.PositiveIntegerField(
        _("extra attempts"), default=0, validators=[MaxValueValidator(1000)], help_text=_("Beyond those allowed.")
    )
    opens_at = models.DateTimeField(
        _("opens"), null=True, blank=True, validators=[is_in_calendar], help_text=_("Instead of the quiz's own time.")
    )
    closes_at = models.DateTimeField(
        _("closes"),
        null=True,
        blank=True,
        validators=[is_in_calendar],
        help_text=_("Instead of the quiz's own time."),
    )
    note = models.TextField(_("note"), blank=True, help_text=_("Why; only staff see it."))
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = AccommodationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["quiz", "user"],
                name="mpquiz_granted_user",
                violation_error_message=_("This learner has an accommodation in this quiz already."),
            ),
            models.UniqueConstraint(
                fields=["quiz", "group"],
                name="mpquiz_granted_group",
                violation_error_message=_("This group has an accommodation in this quiz already."),
            ),
        ]
        ordering = ["quiz", "pk"]
        verbose_name = _("accommodation")
        verbose_name_plural = _("accommodations")

    def __str__(self) -> str:
        return f"{self.named}: {self.quiz}" if self.user_id or self.group_id else str(self.quiz)

    def unnamed(self) -> "Accommodation":
        """The same as logs call it, which are kept longer than it is: without the learner."""
        row = copy(self)
        row.user = None
        return row

    @property
    def named(self) -> str:
        """For whom it is."""
        return str(self.group) if self.user is None else name_of(self.user)

    def clean(self) -> None:
        """For a learner or for a group, and dates in their order."""
        if (self.user_id is None) == (self.group_id is None):
            raise ValidationError(_("Name either a learner or a group."))
        if self.opens_at and self.closes_at and self.opens_at >= self.closes_at:
            raise ValidationError({"closes_at": _("The closing time is after the opening time.")})

    @property
    def granted(self) -> Granted:
        return Granted(self.time_factor, self.no_time_limit, self.extra_attempts, self.opens_at, self.closes_at)


# Fetched along with quizzes and attempts ---------------------------------------------------------------------

_COLUMN = "granted_{}"
_GENEROUS: dict[str, Any] = {
    "time_factor": models.Max,
    "extra_attempts": models.Max,
    "opens_at": models.Min,
    "closes_at": models.Max,
}


def _accommodations(quiz: str) -> Any:
    """Those of the quiz that the outer row names."""
    return Accommodation.objects.filter(quiz=models.OuterRef(quiz)).order_by()


def granted_columns(learner: Learner, *, quiz: str) -> dict[str, Any]:
    """The columns ``granted_…`` for a learner who is signed in; ``quiz``: where the outer row names the quiz."""
    if learner.user is None:
        return {}
    theirs = _accommodations(quiz).of_user(learner.user)
    columns: dict[str, Any] = {
        _COLUMN.format(name): models.Subquery(theirs.values("quiz").annotate(most=most(name)).values("most"))
        for name, most in _GENEROUS.items()
    }
    return columns | {_COLUMN.format("no_time_limit"): models.Exists(theirs.filter(no_time_limit=True))}


def granted_in(row: Any) -> Granted | None:
    """What the columns of a row say; None where they were not fetched along."""
    found = {name: row.__dict__.get(_COLUMN.format(name)) for name in (*_GENEROUS, "no_time_limit")}
    if found["no_time_limit"] is None:
        return None
    return Granted(**{name: value for name, value in found.items() if value is not None})


def last_closing(*, quiz: str) -> models.Subquery:
    """The latest closing time that anybody was granted."""
    latest = _accommodations(quiz).values("quiz").annotate(last=models.Max("closes_at")).values("last")
    return models.Subquery(latest, output_field=models.DateTimeField())


def in_group(learner: Learner, *, quiz: str) -> Any:
    """Whether a learner is in one of the quiz's groups."""
    user = learner.user
    if user is None or not hasattr(user, "groups"):
        return models.Value(False)
    return models.Exists(user.groups.filter(mpquiz_quizzes=models.OuterRef(quiz)))


def score_shown(now: Any) -> models.Q:
    """The attempts whose score their learner may see once they are finished, as ``Review.sight`` says of one."""
    running = models.Exists(_accommodations("quiz").filter(closes_at__gt=now))
    at_once = models.Q(quiz__show_score__in=("answer", "finish"))
    return at_once | (models.Q(quiz__show_score="close", quiz__closes_at__lte=now) & ~models.Q(running))
