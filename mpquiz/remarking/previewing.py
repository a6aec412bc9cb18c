"""Who would change if a question were marked anew, and by how much. Nothing is written."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..models import Policy, Quiz
from .asking import Asked, Subject, checked, key_of, policies_for, stored
from .marks import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a rule would do. All numbers but ``aside``, ``running`` and ``stored`` are of attempts that count.

    ``changes`` are the attempts whose score or maximum changes. ``unmarkable`` answers do not fit the question as it
    is now and keep their mark, as those do that are marked ``by_hand``. ``aside`` is how many attempts that count for
    nothing change too, ``running`` how many have not ended and keep the old key, ``stored`` how many answers are
    stored anew, also those whose mark stays while the key shown beside them becomes another. ``fingerprint`` tells
    two states of all this apart.
    """

    policy: Policy
    asked: int
    answered: int
    changes: Sequence[Change]
    unmarkable: int
    by_hand: int
    aside: int
    running: int
    stored: int
    fingerprint: str

    @property
    def better(self) -> int:
        return sum(change.direction > 0 for change in self.changes)

    @property
    def worse(self) -> int:
        return sum(change.direction < 0 for change in self.changes)

    @property
    def same(self) -> int:
        """Attempts that reach the same share of their points as before."""
        return self.asked - self.better - self.worse

    @property
    def newly_passed(self) -> int:
        return sum(change.newly_passed for change in self.changes)

    @property
    def newly_failed(self) -> int:
        return sum(change.newly_failed for change in self.changes)


def preview(quiz: Quiz, question: Subject, policy: str) -> Preview:
    """Who would change by a rule. Writes nothing; six queries, however many attempts there are.

    Raises Refusal: ``no_key`` (the question was deleted before), ``changed`` (it was deleted just now).
    """
    subject = stored(question)
    rule = checked(policy, subject)
    return _told(rule, Asked.of(quiz, subject, key_of(subject)))


def previews(quiz: Quiz, question: Subject) -> list[Preview]:
    """What each rule that can be applied would do, in the queries of one. Raises Refusal("changed")."""
    subject = stored(question)
    asked = Asked.of(quiz, subject, key_of(subject))
    return [_told(policy, asked) for policy in policies_for(subject)]


def _told(policy: Policy, asked: Asked) -> Preview:
    marks = asked.marks(policy)
    counting = [mark for mark in marks if mark.counts]
    changes = [change for change in (mark.change for mark in counting) if change is not None]
    return Preview(
        policy=policy,
        asked=len(counting),
        answered=sum(mark.answer.answered_at is not None for mark in counting),
        changes=changes,
        unmarkable=sum(not mark.fits for mark in counting),
        by_hand=sum(mark.by_hand for mark in counting),
        aside=sum(not mark.counts and mark.change is not None for mark in marks),
        running=asked.running,
        stored=sum(mark.differs for mark in marks),
        fingerprint=asked.fingerprint(policy),
    )
