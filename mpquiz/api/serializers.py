"""What the learners' side of the API shows and takes. No rule is here: what may be seen is asked of the models."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from ..models import Guide
from .texts import LineSerializer


class GuideSerializer(serializers.Serializer[Guide]):
    """A guide: a reading in the host's site."""

    slug = serializers.SlugField(read_only=True)
    title = LineSerializer(source="title_text", read_only=True, allow_null=True)
    address = serializers.SerializerMethodField()
    url = serializers.SerializerMethodField()

    def get_address(self, guide: Guide) -> str:
        """Where it is read; empty where it has no address."""
        return guide.get_absolute_url()

    def get_url(self, guide: Guide) -> str:
        return reverse("mpquiz-api:guide", kwargs={"slug": guide.slug})


Shown = dict[str, Any]
