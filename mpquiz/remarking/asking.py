"""What was asked in a quiz: the questions that can be marked anew, and the answers to one of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import models, router
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from .. import words
from ..content import QuestionContent
from ..exceptions import Refusal
from ..models import Answer, Attempt, Policy, Question, QuestionVersion, Quiz
from ..models.record import Ended
from .keys import Judged, Key
from .marks import Mark, full, kept, left_out

Subject = Question | QuestionVersion
"""What is marked anew: a question, or any version of one that was deleted since."""

_BY_A_KEY = (Policy.NEW_KEY, Policy.EITHER_KEY)
_IN_EARNEST = models.Q(attempt__trial=False, attempt__retry_of=None)
_COUNTING = _IN_EARNEST & ~models.Q(attempt__ended=Ended.ABANDONED)


def changed() -> Refusal:
    return Refusal("changed", _("Something changed since you looked: here are the numbers anew."))


# The question -----------------------------------------------------------------------------------------------


def policies_for(subject: Subject) -> list[Policy]:
    """The rules by which it can be marked anew: a question that was deleted has no key any more."""
    return [policy for policy in Policy if isinstance(subject, Question) or policy not in _BY_A_KEY]


def checked(policy: str, subject: Subject) -> Policy:
    """The rule, where it can be applied. Raises Refusal("no_key") where there is no key to mark by."""
    rule = Policy(policy)
    if rule not in policies_for(subject):
        raise Refusal("no_key", _("This question was deleted, so there is no key to mark it by."))
    return rule


def stored(question: Subject) -> Subject:
    """The question as it is stored now, with its choices and guides; a version only where its question is gone.

    Raises Refusal("changed") where it was deleted meanwhile.
    """
    if isinstance(question, QuestionVersion) and question.question_id is None:
        return question
    ident: Any = question.pk if isinstance(question, Question) else question.question_id
    written = Question.objects.using(router.db_for_write(Question)).prefetch_related("choices", "guides")
    with suppress(Question.DoesNotExist):
        return written.get(pk=ident)
    raise changed()


def key_of(subject: Subject) -> Key | None:
    return Key(subject.content()) if isinstance(subject, Question) else None


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question that ended attempts of a quiz were asked: ``count`` of those that count."""

    subject: Subject
    count: int

    @property
    def is_deleted(self) -> bool:
        return isinstance(self.subject, QuestionVersion)

    @property
    def text(self) -> words.Text:
        return text_of(self.subject)

    @property
    def name(self) -> str:
        """What an address calls it; ``named`` finds it again."""
        return f"{'v' if self.is_deleted else 'q'}{self.subject.pk}"


def named(quiz: Quiz, name: str) -> Subject | None:
    """What a name in an address means, if this quiz has asked it."""
    kind, number = name[:1], name[1:]
    if kind not in ("q", "v") or not (number.isdecimal() and len(number) < 18):
        return None
    asked: Any = Answer.objects.filter(attempt__quiz=quiz)
    if kind == "q":
        return Question.objects.filter(pk=number, answers__in=asked).distinct().first()
    rows: Any = QuestionVersion.objects.filter(pk=number, question=None, answers__in=asked).distinct()
    found: QuestionVersion | None = rows.first()
    return found


def text_of(subject: Subject) -> words.Text:
    """What editors call a question, else its prompt."""
    if isinstance(subject, Question):
        return words.read(subject, "title") or words.read(subject, "prompt")
    return words.pick(subject.content.get("title") or subject.content["prompt"])


def asked_in(quiz: Quiz) -> list[AskedQuestion]:
    """The questions that can be marked anew, in the order in which attempts ask them. Four queries."""
    finished = Attempt.objects.filter(quiz=quiz).finished()
    ended: Any = Answer.objects.filter(attempt__quiz=quiz, attempt__in=finished, asks=True)
    numbers = {"count": models.Count("pk", filter=_COUNTING), "first": models.Min("position")}
    live = ended.exclude(question=None).order_by().values("question").annotate(**numbers)
    counts = {row["question"]: row["count"] for row in live.order_by("first", "question")}
    questions = Question.objects.in_bulk(list(counts))
    found = [AskedQuestion(questions[ident], count) for ident, count in counts.items() if ident in questions]
    gone = ended.filter(question=None).order_by().values("version").annotate(**numbers)
    return found + _deleted({row["version"]: row["count"] for row in gone.order_by("first", "version")})


def _deleted(counts: dict[int, int]) -> list[AskedQuestion]:
    """The questions whose versions these are, each by the newest of them."""
    versions: dict[Any, Any] = QuestionVersion.objects.in_bulk(list(counts))
    by_key: dict[str, list[QuestionVersion]] = defaultdict(list)
    for ident in counts:
        by_key[versions[ident].content["key"]].append(versions[ident])
    return [
        AskedQuestion(max(some, key=lambda version: version.pk), sum(counts[version.pk] for version in some))
        for some in by_key.values()
    ]


# Its answers ------------------------------------------------------------------------------------------------


def _answers(quiz: Quiz, subject: Subject) -> Any:
    """All answers to a question in a quiz; of one that was deleted, those to each of its versions."""
    asked = Answer.objects.filter(attempt__quiz=quiz, asks=True)
    if isinstance(subject, Question):
        return asked.filter(question=subject)
    return asked.filter(question=None, version__content__key=subject.content["key"])


def closed_ids(quiz: Quiz, subject: Subject) -> list[int]:
    """The ids, in order, of the closed attempts that were asked a question."""
    closed = Attempt.objects.filter(quiz=quiz, open=None, pk__in=_answers(quiz, subject).values("attempt"))
    return list(closed.order_by("pk").values_list("pk", flat=True))


@dataclass(frozen=True)
class Asked:
    """The answers to a question in ended attempts, each knowing its attempt and its content.

    ``versions`` are by id those that were asked or marked by, ``running`` is how many attempts have not ended.
    """

    answers: Sequence[Answer]
    key: Key | None
    versions: dict[int, QuestionVersion]
    running: int

    @classmethod
    def of(cls, quiz: Quiz, subject: Subject, key: Key | None, *, only: Iterable[int] | None = None) -> "Asked":
        """Those of all ended attempts, or of ``only`` the ones with these ids. Three queries."""
        attempts = Attempt.objects.filter(quiz=quiz)
        answers = _answers(quiz, subject)
        rows = answers.filter(attempt__in=attempts.finished()).select_related("attempt")
        rows = list(rows.defer("attempt__title", "comment").order_by("attempt_id", "position"))
        if only is not None:
            wanted = set(only)
            rows = [answer for answer in rows if answer.attempt_id in wanted]
        running = answers.filter(_IN_EARNEST, attempt__in=attempts.unfinished()).count()
        return cls(rows, key, _acquainted(rows, quiz), running)

    def marks(self, policy: Policy) -> list[Mark]:
        """What a rule makes of each."""
        if policy == Policy.LEAVE_OUT:
            return [left_out(answer) for answer in self.answers]
        if policy == Policy.FULL_MARKS:
            return [full(answer) for answer in self.answers]
        return [self._by_key(answer, either=policy == Policy.EITHER_KEY) for answer in self.answers]

    def _by_key(self, answer: Answer, *, either: bool) -> Mark:
        judged = self._judged[answer.pk]
        if answer.awarded is not None:
            return kept(answer, by_hand=True)
        if not judged.fits:
            return kept(answer, fits=answer.answered_at is None)
        if answer.answered_at is None:
            return kept(answer, rekeyed=self._shows_another_key(answer))
        if judged.fraction is None:
            return kept(answer, by_hand=True)
        fraction = max(judged.fraction, answer.fraction or judged.fraction) if either else judged.fraction
        return Mark(answer, fraction, None, left_out=False, rekeyed=self._shows_another_key(answer))

    @cached_property
    def _judged(self) -> dict[int, Judged]:
        """{id of an answer: what the key says of it}."""
        key = self.key
        if key is None:
            return {}
        return {
            answer.pk: Judged(key.fits(answer)) if answer.answered_at is None else key.judge(answer)
            for answer in self.answers
        }

    def _shows_another_key(self, answer: Answer) -> bool:
        shown = self.versions[answer.marked_with_id or answer.version_id]
        return self.key is not None and shown.digest != self.key.digest

    def fingerprint(self, policy: Policy) -> str:
        """Another one as soon as one more attempt ends, an answer is marked or, by a key, the question is edited."""
        key = self.key.digest if self.key is not None and policy in _BY_A_KEY else ""
        states = (f"{answer.pk}:{answer.revision}" for answer in self.answers)
        value = "\n".join([policy, key, *states])
        return salted_hmac("mpquiz.remarking", value, algorithm="sha256").hexdigest()


def _acquainted(answers: Iterable[Answer], quiz: Quiz) -> dict[int, QuestionVersion]:
    """The versions, by id, that were asked or marked by, once each answer knows its content and how it ended."""
    ids = {version for answer in answers for version in (answer.version_id, answer.marked_with_id) if version}
    versions: dict[Any, Any] = QuestionVersion.objects.in_bulk(ids)
    contents = {ident: QuestionContent.from_json(version.content) for ident, version in versions.items()}
    for answer in answers:
        answer.content = contents[answer.version_id]  # read once, not for each answer
        answer.attempt.quiz = quiz
        answer.attempt.as_ended([answer])
    return versions
