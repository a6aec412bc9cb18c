"""A question as an editor writes it as a whole: its texts, its choices by their keys, its tags and guides."""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext as _

from .. import copying, exchange, history, kinds, lint, words
from ..content import ChoiceContent, QuestionContent, clean
from ..exceptions import Refusal
from ..exchange.planning import LONGEST_TITLE
from ..formats.source import LONGEST_NAME
from ..kinds import Problem
from ..kinds.numerals import canonical as canonical_number
from ..models import Question, Revision, sharing
from ..models.question import is_plain_object, new_choice_key, new_question_key
from .rows import Sent, Wrong, lock, log, refuse, refuse_stale, remove

_WORDS = ("title", "prompt", "explanation")
_NAMED = ("guides", "tags")
_CHOICE_WORDS = ("text", "match", "feedback")
_CHOICE_PLAIN = ("right", "weight", "part", "keeps_place")


def read(questions: models.QuerySet[Question]) -> models.QuerySet[Question]:
    """With all that belongs to each, whatever their number: four queries."""
    return questions.prefetch_related("choices", "guides", "tags")


# What is wrong, and what is odd -------------------------------------------------------------------------------


def problems_of(content: QuestionContent) -> list[Problem]:
    """What keeps a question as written from being asked, as its kind says, and what is odd about it."""
    kind = kinds.kept(content.kind)
    if content.choices and not kind.uses_choices:
        return [Problem(_("This kind of question has no choices. Delete them."), "choices")]
    return kind.problems(kind.complete(content))


def warnings_of(question: Question) -> list[lint.Warning]:
    """What is odd about a stored question. A query each for choices and guides not fetched along."""
    guides = {guide.slug: guide.get_absolute_url() for guide in question.guides.all()}
    return lint.warnings(question.written(tags=False), guides=guides)


def check_key(key: str) -> None:
    """Files hold no longer names than these. Raises ValidationError."""
    if any(len(name) > LONGEST_NAME for name in key.split("/")):
        message = _("A namespace and a name have at most %(count)s characters each.")
        raise ValidationError(message, params={"count": LONGEST_NAME})


def spelt(value: str) -> str:
    """A number that is accepted in the one spelling that is stored; what is no number, its kind refuses."""
    value = value.strip()
    with suppress(Refusal):
        return canonical_number(value) if value else ""
    return value


# Writing ------------------------------------------------------------------------------------------------------


@transaction.atomic
def create(sent: Sent, *, by: Any) -> Question:
    """Store a new question. Raises ValidationError."""
    key = sent.get("key") or new_question_key()
    start = QuestionContent(key=key, kind=sent["kind"])
    refuse(_faults_of_key(key))
    content = _changed(start, sent, known=None)
    refuse(_faults_of_tags(by, start, content))
    _refuse_wrong(content)
    return _stored(content, None, by, is_new=True)


@transaction.atomic
def edit(question: Question, sent: Sent, *, by: Any, seen: str | None = None) -> Question:
    """Change what was sent of a question; what an attempt was asked stays as it was.

    Of a text the languages that were sent are changed. ``choices`` are the whole list: those whose key is there
    already keep what was not sent of them, new ones get a key. ``seen`` is the digest of the state that was edited.

    Raises ValidationError; Refusal: ``stale``, ``gone``.
    """
    lock(question)
    there = exchange.canonical(history.current(question))
    refuse_stale(there.digest, seen)
    if sent.get("key", there.key) != there.key:
        refuse({"key": [_("Files name a question by its key, for good.")]})
    known = {choice.key for choice in there.choices}
    content = _changed(there, sent, known=known)
    refuse(_faults_of_tags(by, there, content))
    _refuse_wrong(content)
    if content.digest != there.digest:
        return _stored(content, there, by)
    return read(Question.objects.all()).get(pk=question.pk)


@transaction.atomic
def delete(question: Question, *, by: Any, seen: str | None = None) -> None:
    """Delete a question: quizzes ask it no longer, attempts stay whole. Raises Refusal: ``stale``, ``gone``."""
    lock(question)
    refuse_stale(exchange.canonical(history.current(question)).digest, seen)
    remove(question, by=by)


@transaction.atomic
def copy(question: Question, *, by: Any) -> Question:
    """The same question under a key of its own, in no quiz."""
    made = copying.copy_of_question(question, by=by)
    log(by, made, is_new=True)
    return made


@transaction.atomic
def restore(revision: Revision, *, by: Any, seen: str | None = None) -> Question:
    """Make a question what it was. Raises Refusal: ``stale``, ``gone``, ``unsound`` where that cannot be asked."""
    question = revision.question
    lock(question)
    there = exchange.canonical(history.current(question))
    refuse_stale(there.digest, seen)
    history.restore(revision, by=by)
    if exchange.canonical(history.current(question)).digest != there.digest:
        log(by, question, _("Brought back an earlier state."))
    return read(Question.objects.all()).get(pk=question.pk)


def _stored(content: QuestionContent, there: QuestionContent | None, by: Any, *, is_new: bool = False) -> Question:
    try:
        loaded = exchange.amend_question(content, there, by=by, source=Revision.Source.EDITED)
    except exchange.Raced as error:  # a tag was deleted at this moment, or the key was taken
        raise Refusal("stale", _("Somebody has changed this after you read it. Read it again.")) from error
    if loaded.errors:
        raise ValidationError([mistake.message for mistake in loaded.errors])
    question = read(Question.objects.all()).get(key=content.key)
    log(by, question, is_new=is_new)
    return question


def _changed(there: QuestionContent, sent: Sent, *, known: Collection[str] | None) -> QuestionContent:
    """The question with what was sent; ``known`` are the keys that its choices have, None where it is new."""
    if "settings" in sent:
        refuse(_faults_of_json(sent["settings"]))
    changes: dict[str, Any] = {name: sent[name] for name in ("kind", "settings") if name in sent}
    changes |= {name: _merged(getattr(there, name), sent[name]) for name in _WORDS if name in sent}
    changes |= {name: tuple(sent[name]) for name in _NAMED if name in sent}
    if "choices" in sent:
        refuse(_faults_of_keys(sent["choices"], known))
        changes["choices"] = tuple(_choice(there, one) for one in sent["choices"])
    changed = replace(there, **changes)
    refuse(_faults_of_settings(changed))
    return exchange.canonical(changed)


def _merged(there: words.Words, sent: Mapping[str, str]) -> dict[str, str]:
    return clean({**there, **sent})


def _choice(there: QuestionContent, sent: Sent) -> ChoiceContent:
    key = sent.get("key") or new_choice_key()
    old = there.choice(key) or ChoiceContent(key=key)
    changes: dict[str, Any] = {name: sent[name] for name in _CHOICE_PLAIN if name in sent}
    changes |= {name: _merged(getattr(old, name), sent[name]) for name in _CHOICE_WORDS if name in sent}
    if "value" in sent:
        changes["value"] = spelt(sent["value"])
    return replace(old, **changes)


# Its faults ---------------------------------------------------------------------------------------------------


def _refuse_wrong(content: QuestionContent) -> None:
    """Raises ValidationError with all that keeps it from being stored, each at its place."""
    if content.kind not in dict(kinds.choices()):
        refuse({"kind": [_("There is no such kind of question here.")]})
    refuse(_faults_of_title(content))
    refuse(_blocking(content))


def _blocking(content: QuestionContent) -> Wrong:
    wrong: Wrong = {}
    for problem in problems_of(content):
        if problem.blocks:
            wrong.setdefault(place_of(problem), []).append(problem.message)
    return wrong


def place_of(found: Problem | lint.Warning) -> str:
    """Where something is to be mended: ``prompt``, ``choices.2.text``; choices count from 0, as in JSON."""
    if found.choice is None:
        return found.field or "choices"
    return f"choices.{found.choice}.{found.field}" if found.field else f"choices.{found.choice}"


def _faults_of_key(key: str) -> Wrong:
    field = Question._meta.get_field("key")
    try:
        field.clean(key, None)
        check_key(key)
    except ValidationError as error:
        return {"key": error.messages}
    if Question.objects.filter(key=key).exists():
        return {"key": [_("There is a question of this key already.")]}
    return {}


def _faults_of_keys(choices: list[Sent], known: Collection[str] | None) -> Wrong:
    """A key names a choice for good: nobody gives it to another."""
    wrong: Wrong = {}
    seen: set[str] = set()
    for index, choice in enumerate(choices):
        key = choice.get("key")
        if key and known is not None and key not in known:
            wrong[f"choices.{index}.key"] = [_("The question has no such choice. A new one is sent without a key.")]
        elif key and key in seen:
            wrong[f"choices.{index}.key"] = [_("Two of its choices have the same key.")]
        seen.add(key or "")
    return wrong


def _faults_of_tags(by: Any, there: QuestionContent, content: QuestionContent) -> Wrong:
    barred = sharing.not_for_questions(by, [tag for tag in content.tags if tag not in there.tags])
    return {"tags": [sharing.no_question_of(name) for name in barred]} if barred else {}


def _faults_of_title(content: QuestionContent) -> Wrong:
    message = _("Its title is longer than %(most)d characters.") % {"most": LONGEST_TITLE}
    return {f"title.{la}": [message] for la, text in content.title.items() if len(text) > LONGEST_TITLE}


def _faults_of_json(settings: object) -> Wrong:
    try:
        is_plain_object(settings)
    except ValidationError as error:
        return {"settings": error.messages}
    return {}


def _faults_of_settings(content: QuestionContent) -> Wrong:
    """Texts in languages that the site has not: nobody would see them again."""
    wrong: Wrong = {}
    message = _("This site has no texts in these languages: %(names)s.")
    for where, texts in content.words().items():
        strange = sorted(set(texts) - set(words.languages()))
        if where[0] == "settings" and strange:
            wrong[".".join(map(str, where))] = [message % {"names": ", ".join(strange)}]
    return wrong
