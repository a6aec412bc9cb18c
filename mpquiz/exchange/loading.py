"""From content to rows: all of it or nothing."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from django.db import transaction

from .. import files as storage
from ..content import PlacedQuestion, QuestionContent, QuizContent, digest
from ..models.racing import anew_when_raced
from .dumping import for_host
from .outcome import Loaded, Raced
from .planning import Mode, Plan
from .storing import store, store_questions


def load(
    content: QuizContent,
    *,
    force: bool = False,
    dry_run: bool = False,
    files: Mapping[str, bytes] | None = None,
    by: Any = None,
) -> Loaded:
    """Store a quiz with its questions, guides, tags and files, all of it or, with an error, nothing.

    An error is what only the database can tell, or a question that cannot be asked. Loading the same again changes
    nothing. What was changed in admin since is overwritten only by ``force``. Texts in a language that the host lacks
    are left out. ``files`` are the bytes of files that the texts refer to, by their names. A dry run writes nothing.
    ``by`` is the user whom the history of the questions names.
    """
    return _load(content, Mode(force=force, by=by), dry_run, files)


def amend(
    content: QuizContent,
    there: QuizContent,
    *,
    dry_run: bool = False,
    files: Mapping[str, bytes] | None = None,
    by: Any = None,
) -> Loaded:
    """Store the quiz that is ``there`` with something filled in, as if an editor had done it in admin.

    The next import of the file that it came from finds it changed, and keeps it. Raises Raced where the rows read
    otherwise than ``there``.
    """
    seen = {placed.key: placed.content.digest for placed in there.questions if placed.content}
    mode = Mode(force=True, by_hand=True, seen=seen, quiz_seen=digest(there.to_json()), by=by)
    return _load(replace(content, known_guides=()), mode, dry_run, files)


@transaction.atomic
def amend_question(content: QuestionContent, there: QuestionContent | None, *, by: Any = None, source: str) -> Loaded:
    """As ``amend``, of a question alone, which is new where nothing is ``there``; its guides and tags are.

    Raises Raced, also where a tag of it is gone.
    """
    seen = {content.key: there.digest} if there else {}
    mode = Mode(force=True, by_hand=True, seen=seen, by=by, source=source)
    plan = Plan(QuizContent(slug="", questions=(PlacedQuestion(key=content.key, content=content),)), mode)
    if plan.of("tag", "created"):
        raise Raced
    if plan.of("question", "created", "updated") and not plan.errors:
        store_questions(plan)
    return plan.outcome(None)


def _load(content: QuizContent, mode: Mode, dry_run: bool, files: Mapping[str, bytes] | None) -> Loaded:
    content = for_host(content)
    if dry_run or files:  # files are not stored for a content that is refused, nor within a transaction
        plan = Plan(content, mode)
        if dry_run or plan.errors:
            return plan.outcome(None)
    with _stored(files or {}):
        return _load_whole(content, mode)


@contextmanager
def _stored(files: Mapping[str, bytes]) -> Iterator[None]:
    """The files are in the storage; those that are new only where nothing fails."""
    new = storage.store(files)
    try:
        yield
    except BaseException:
        for name in new:
            storage.remove(name)
        raise


@anew_when_raced  # another import may have stored a row of ours first
@transaction.atomic
def _load_whole(content: QuizContent, mode: Mode) -> Loaded:
    plan = Plan(content, mode)
    return plan.outcome(None if plan.errors else store(plan))
