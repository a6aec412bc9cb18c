"""Bringing back a state of a question."""

from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from .. import exchange, kinds, words
from ..content import QuestionContent, clean
from ..exceptions import Refusal
from ..models import Guide, Question, Revision, Tag
from ..models.question import tag_key
from ..models.sharing import not_for_questions
from .recording import current


@dataclass(frozen=True, slots=True)
class Restored:
    """What comes back of a state, and what cannot: guides and tags that are gone or not the editor's to give, and
    languages that are not the host's."""

    content: QuestionContent
    guides: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        return not (self.guides or self.tags or self.languages)


def lost_by(revision: Revision, *, by: Any = None) -> Restored:
    """What bringing a state back would bring, on this site as it is now, ``by`` this editor. Four queries at most."""
    written = revision.written
    known = words.languages()
    guides = set(Guide.objects.filter(slug__in=written.guides).values_list("slug", flat=True))
    tags = {tag.key: tag.name for tag in Tag.objects.filter(key__in=[tag_key(name) for name in written.tags])}
    barred = not_for_questions(by, tags.values())
    if barred:
        have = set(revision.question.tags.values_list("name", flat=True)) if revision.question else set()
        tags = {key: name for key, name in tags.items() if name not in barred or name in have}
    languages = {language for texts in written.words().values() for language in clean(texts)} - set(known)
    kept = written.with_words(lambda _where, texts: {la: text for la, text in texts.items() if la in known})
    content = replace(
        kept,
        guides=tuple(slug for slug in written.guides if slug in guides),
        tags=tuple(tags[tag_key(name)] for name in written.tags if tag_key(name) in tags),
    )
    return Restored(
        content,
        tuple(slug for slug in written.guides if slug not in guides),
        tuple(name for name in written.tags if tag_key(name) not in tags),
        tuple(sorted(languages)),
    )


@transaction.atomic
def restore(revision: Revision, *, by: Any, expected: str | None = None) -> Restored:
    """Make a question what it was, as an editor would, and record that.

    Choices keep their keys, so that answers still find what was chosen; attempts are asked what they were asked.
    Raises Refusal("changed") where the question reads otherwise than ``expected`` (a digest) by now, or is gone, and
    Refusal("unsound") where what it was cannot be asked.
    """
    _lock(revision)
    question = revision.question
    now = current(question)
    if expected is not None and now.digest != expected:
        raise Refusal("changed", _("The question was changed meanwhile. Look at the difference again."))
    restored = lost_by(revision, by=by)
    content = replace(restored.content, key=now.key)
    if content.kind not in kinds.names():
        message = _("This site has no kind of question named “%(kind)s” any more.")
        raise Refusal("unsound", message % {"kind": content.kind})
    loaded = exchange.amend_question(content, now, by=by, source=Revision.Source.RESTORED)
    if loaded.errors:
        raise Refusal("unsound", " ".join(mistake.message for mistake in loaded.errors))
    return restored


def _lock(revision: Revision) -> None:
    """The first statement writes the row, so that nobody changes the question before this is done."""
    if not Question.objects.filter(pk=revision.question_id).update(key=F("key")):
        raise Refusal("changed", _("The question was deleted meanwhile."))
