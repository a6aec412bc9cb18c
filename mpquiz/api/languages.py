"""The language of an answer: ``?lang=``, else the one that the site has chosen for this request. And of a text."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from .. import words

PARAMETER = "lang"


def language_of(request: HttpRequest) -> str:
    """The language to answer in; one that is asked for and unknown is refused by ``check``, in the site's."""
    asked = request.GET.get(PARAMETER, "").lower()
    if asked in words.languages():
        return asked
    return translation.get_language() or settings.LANGUAGE_CODE


def check(request: HttpRequest) -> None:
    """Raises ValidationError where a language is asked for that no text has."""
    if PARAMETER in request.GET and request.GET[PARAMETER].lower() not in words.languages():
        raise ValidationError({PARAMETER: unknown().detail})


def unknown() -> ValidationError:
    """That there is no such language, and which there are."""
    return ValidationError(
        _("There is no such language here. There are: %(known)s.") % {"known": ", ".join(words.languages())}
    )


class LanguageField(serializers.CharField):
    """A language of the site."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=20, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        code = super().to_internal_value(data)
        if code and code not in words.languages():
            raise unknown()
        return code
