"""What staff read of marking anew: what was asked, what each rule would do, what was done; and what they send."""

from typing import Any

from rest_framework import serializers

from ...editing.remarking import LONGEST_REASON
from ...learners import name_of
from ...models import Policy, Question, Remarking
from ...remarking import AskedQuestion, Change, Preview
from ..attempt_serializers import points
from ..serializers import Reference, RefusalSerializer, address_of
from ..texts import LineSerializer
from .fields import Body

# What was asked -----------------------------------------------------------------------------------------------


class AskedSerializer(serializers.Serializer[AskedQuestion]):
    """A question that can be marked anew: ``count`` ended attempts that count were asked it.

    ``question`` is its id, null where it was deleted: then it has no key, and is named by a version of it.
    """

    name = serializers.CharField(read_only=True)
    url = serializers.SerializerMethodField()
    question = serializers.SerializerMethodField()
    text = LineSerializer(read_only=True, allow_null=True)
    count = serializers.IntegerField(read_only=True)

    def get_url(self, one: AskedQuestion) -> str:
        return address_of("staff_quiz_remarking_asked", slug=self.context["quiz"].slug, asked=one.name)

    def get_question(self, one: AskedQuestion) -> int | None:
        return one.subject.pk if isinstance(one.subject, Question) else None


class AllAskedSerializer(serializers.Serializer[Any]):
    """The questions in the order in which attempts ask them."""

    questions = AskedSerializer(many=True, read_only=True)


# What would come of it ----------------------------------------------------------------------------------------


class PreviewSerializer(serializers.Serializer[Preview]):
    """What a rule would do, in attempts that count; ``mpquiz.remarking.Preview`` says what each number is."""

    policy = serializers.ChoiceField(choices=Policy.choices, read_only=True)
    url = serializers.SerializerMethodField()
    rule = serializers.SerializerMethodField()
    asked = serializers.IntegerField(read_only=True)
    answered = serializers.IntegerField(read_only=True)
    better = serializers.IntegerField(read_only=True)
    worse = serializers.IntegerField(read_only=True)
    same = serializers.IntegerField(read_only=True)
    newly_passed = serializers.IntegerField(read_only=True)
    newly_failed = serializers.IntegerField(read_only=True)
    unmarkable = serializers.IntegerField(
        read_only=True, help_text="Answers that cannot be marked by the key, and keep their mark."
    )
    by_hand = serializers.IntegerField(read_only=True, help_text="Answers that a person marks, and keep their mark.")
    aside = serializers.IntegerField(read_only=True, help_text="Attempts that count for nothing and change too.")
    running = serializers.IntegerField(read_only=True, help_text="Attempts that keep the old key.")
    stored = serializers.IntegerField(read_only=True, help_text="Answers that are stored anew.")
    fingerprint = serializers.CharField(read_only=True)

    def get_url(self, preview: Preview) -> str:
        where = {"slug": self.context["quiz"].slug, "asked": self.context["asked"]}
        return address_of("staff_quiz_remarking_policy", **where, policy=preview.policy)

    def get_rule(self, preview: Preview) -> str:
        """The policy, in words."""
        return str(Policy(preview.policy).label)


class RulesSerializer(serializers.Serializer[Any]):
    """A question, and what each rule by which it can be marked anew would do."""

    asked = AskedSerializer(read_only=True)
    previews = PreviewSerializer(many=True, read_only=True)


class ChangeSerializer(serializers.Serializer[Change]):
    """An attempt that would change. ``learner`` and ``attempt`` are null for whoever may not see attempts."""

    learner = serializers.SerializerMethodField()
    attempt = serializers.SerializerMethodField()
    number = serializers.IntegerField(source="attempt.number", read_only=True)
    old_score = serializers.SerializerMethodField()
    old_maximum = serializers.SerializerMethodField()
    new_score = serializers.SerializerMethodField()
    new_maximum = serializers.SerializerMethodField()
    passed_before = serializers.BooleanField(read_only=True, allow_null=True)
    passed_after = serializers.BooleanField(read_only=True, allow_null=True)

    def get_learner(self, change: Change) -> str | None:
        return self.context["names"].get(change.attempt.pk)

    def get_attempt(self, change: Change) -> str | None:
        if change.attempt.pk not in self.context["names"]:
            return None
        return address_of("staff_attempt", attempt=change.attempt.public_id)

    def get_old_score(self, change: Change) -> str:
        return points(change.old_score)

    def get_old_maximum(self, change: Change) -> str:
        return points(change.old_maximum)

    def get_new_score(self, change: Change) -> str:
        return points(change.new_score)

    def get_new_maximum(self, change: Change) -> str:
        return points(change.new_maximum)


class PreviewDetailSerializer(serializers.Serializer[Any]):
    """What a rule would do, the first of the attempts that would change, and how many more of them there are."""

    preview = PreviewSerializer(read_only=True)
    changes = ChangeSerializer(many=True, read_only=True)
    more = serializers.IntegerField(read_only=True)


class MarkAnewSerializer(Body):
    """The ``fingerprint`` of the preview that was read, and a reason, which learners read."""

    fingerprint = serializers.CharField(max_length=64)
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, allow_blank=True)


# What was done ------------------------------------------------------------------------------------------------


class RemarkingSerializer(serializers.Serializer[Remarking]):
    """A question of a quiz was marked anew, in ``changed`` answers; ``text`` names the question as it was then."""

    id = serializers.IntegerField(source="pk", read_only=True)
    url = serializers.SerializerMethodField()
    quiz = serializers.SerializerMethodField()
    question = serializers.IntegerField(
        source="question_id", read_only=True, allow_null=True, help_text="Null: it was deleted."
    )
    text = LineSerializer(read_only=True, allow_null=True)
    policy = serializers.ChoiceField(choices=Policy.choices, read_only=True)
    rule = serializers.CharField(source="get_policy_display", read_only=True)
    reason = serializers.CharField(read_only=True)
    changed = serializers.SerializerMethodField()
    at = serializers.DateTimeField(read_only=True)
    by = serializers.SerializerMethodField()
    undone_at = serializers.DateTimeField(read_only=True, allow_null=True)
    undone_by = serializers.SerializerMethodField()

    def get_url(self, row: Remarking) -> str:
        return address_of("staff_remarking", pk=row.pk)

    def get_quiz(self, row: Remarking) -> Reference:
        return {"slug": row.quiz.slug, "url": address_of("staff_quiz", slug=row.quiz.slug)}

    def get_changed(self, row: Any) -> int:
        return row.changed_count or 0

    def get_by(self, row: Remarking) -> str | None:
        return None if row.by is None else name_of(row.by)

    def get_undone_by(self, row: Remarking) -> str | None:
        return None if row.undone_by is None else name_of(row.undone_by)


class RemarkingDetailSerializer(RemarkingSerializer):
    """With why it cannot be undone; null where it can."""

    refusal = RefusalSerializer(read_only=True, allow_null=True)


class UndoneSerializer(serializers.Serializer[Any]):
    """How many answers are as they were; ``kept`` ones were marked since, and stay as they are."""

    put_back = serializers.IntegerField(read_only=True)
    kept = serializers.IntegerField(read_only=True)
    remarking = RemarkingDetailSerializer(read_only=True)
