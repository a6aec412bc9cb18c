"""A file that an editor uploaded or pasted and has not confirmed yet."""

import uuid
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

KEPT = timedelta(days=1)
"""How long an upload waits for its confirmation."""


class PendingImportQuerySet(models.QuerySet["PendingImport"]):
    def stale(self) -> "PendingImportQuerySet":
        """Those that nobody will confirm any more."""
        return self.filter(created_at__lt=timezone.now() - KEPT)


class PendingImport(models.Model):
    """An upload with how it is to be read. In the database: it holds answers, and the next worker must find it."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    name = models.CharField(max_length=200, blank=True)
    format = models.CharField(max_length=40)
    language = models.CharField(max_length=20)
    encoding = models.CharField(max_length=40, blank=True)
    into = models.SlugField(max_length=80, blank=True)
    data = models.BinaryField()
    files = models.JSONField(default=list)  # what the preview put into the storage, to be taken out if discarded
    created_at = models.DateTimeField(auto_now_add=True)

    objects = PendingImportQuerySet.as_manager()

    class Meta:
        verbose_name = _("import to be confirmed")
        verbose_name_plural = _("imports to be confirmed")

    def __str__(self) -> str:
        return self.name or str(self.public_id)
