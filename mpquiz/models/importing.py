"""A file that an editor uploaded or pasted and has not confirmed yet."""

import uuid
import zlib
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Any, ClassVar, Self

from django.conf import settings
from django.db import models, transaction
from django.db.models.functions import Cast
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from .. import files, words
from .editing import Revision
from .question import Choice, Question, Tag
from .quiz import Quiz
from .version import FromWritten, QuestionVersion

KEPT = timedelta(days=1)
"""How long an upload waits for its confirmation."""


class PendingImportQuerySet(models.QuerySet["PendingImport"]):
    def of(self, user: Any) -> Self:
        """What a user uploaded: nobody else's is ever seen."""
        return self.filter(user=user.pk)

    def stale(self) -> Self:
        """Those that nobody will confirm any more."""
        return self.filter(created_at__lt=timezone.now() - KEPT)

    def purge(self) -> None:
        """Forget the stale ones."""
        for upload in self.stale():
            upload.discard()

    def keep(self, data: bytes, **fields: Any) -> "PendingImport":
        """Keep an upload until it is confirmed."""
        return self.create(data=zlib.compress(data), **fields)


class PendingImport(models.Model):
    """An upload with how it is to be read. In the database: it holds answers, and the next worker must find it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=200, blank=True)
    format = models.CharField(max_length=40)
    language = models.CharField(max_length=20)
    encoding = models.CharField(max_length=40, blank=True)
    into = models.SlugField(max_length=80, blank=True)
    force = models.BooleanField(default=False)
    data = models.BinaryField()  # compressed; empty once confirmed
    files = models.JSONField(default=list)  # names in the storage, to be taken out if nothing refers to them
    created_at = models.DateTimeField(auto_now_add=True)
    confirmed_at = models.DateTimeField(null=True)
    quiz = models.ForeignKey(Quiz, models.SET_NULL, null=True, related_name="+")  # what it became

    objects: ClassVar[Any] = FromWritten.from_queryset(PendingImportQuerySet)()

    class Meta:
        base_manager_name = "objects"
        verbose_name = _("import to be confirmed")
        verbose_name_plural = _("imports to be confirmed")

    def __str__(self) -> str:
        return self.name or str(self.public_id)

    @property
    def upload(self) -> bytes:
        """The file as it came."""
        return zlib.decompress(self.data)

    def discard(self) -> None:
        """Forget the upload, and the files that came with it and nothing else refers to."""
        self.delete()
        wanted = set(self.files)
        for name in wanted - _referred(wanted):
            files.remove(name)

    @transaction.atomic
    def confirm(self, store: Callable[[], Quiz]) -> Quiz | None:
        """Have it stored, once: whoever confirms again gets the same quiz, None where that is gone since.

        What ``store`` raises leaves it unconfirmed. The UPDATE is lock and check in one.
        """
        waiting = PendingImport.objects.filter(pk=self.pk, confirmed_at=None)
        if not waiting.update(confirmed_at=timezone.now()):
            self.refresh_from_db(fields=["quiz", "confirmed_at"])
            return self.quiz
        self.quiz = store()
        self.data = b""
        self.save(update_fields=["quiz", "data"])
        return self.quiz


def _referred(names: Iterable[str]) -> set[str]:
    """Those of the files that a stored text, what a learner was asked or another upload refers to."""
    wanted = set(names)
    if not wanted:
        return set()
    found = {name for upload in PendingImport.objects.values_list("files", flat=True) for name in upload}
    found |= {name for text in _texts_with_files() for name in files.names_in(text)}
    return wanted & found


_TEXTS: tuple[tuple[type[models.Model], tuple[str, ...]], ...] = (
    (Quiz, ("description",)),
    (Tag, ("description",)),
    (Question, ("prompt", "explanation")),
    (Choice, ("text", "match", "feedback")),
)
_JSON: tuple[tuple[type[models.Model], str], ...] = (
    (Question, "settings"),
    (QuestionVersion, "content"),
    (Revision, "content"),
)


def _texts_with_files() -> Iterator[str]:
    for model, names in _TEXTS:
        columns = [words.attribute(name, language) for name in names for language in words.languages()]
        holding = models.Q(*((f"{column}__contains", files.SCHEME) for column in columns), _connector=models.Q.OR)
        for row in model._default_manager.filter(holding).values_list(*columns).iterator():
            yield from filter(None, row)
    for model, column in _JSON:
        rows = model._default_manager.annotate(plain=Cast(column, models.TextField()))
        yield from rows.filter(plain__contains=files.SCHEME).values_list("plain", flat=True).iterator()
