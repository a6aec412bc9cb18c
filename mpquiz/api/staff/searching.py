"""Search in texts of several languages."""

from django.db.models import Q
from rest_framework import serializers

from ... import words
from ...learners import name_columns
from ..lists import Query


def contains(names: list[str], text: str) -> Q:
    """The rows of which a translated field, in any language, holds a text."""
    found = Q(pk__in=())
    for name in names:
        for language in words.languages():
            found |= Q(**{f"{words.attribute(name, language)}__icontains": text})
    return found


def named_like(path: str, text: str) -> Q:
    """The rows whose user, to whom ``path`` leads, has a name with each of the words of a text."""
    found = Q()
    for word in text.split():
        either = Q(pk__in=())
        for column in name_columns(path):
            either |= Q(**{f"{column}__icontains": word})
        found &= either
    return found


class SearchQuery(Query):
    search = serializers.CharField(max_length=200, required=False, allow_blank=True)
