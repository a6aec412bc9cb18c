"""Shapes of what staff send: texts in several languages, names of rows, and nothing that nobody knows."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from ... import words
from ...content import UNSTORABLE
from ...exceptions import Message

_MOST_NAMES = 1000


class Body(serializers.Serializer[Any]):
    """Refuses what it does not know; what is only read may be sent back, and changes nothing."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping) and (unknown := [name for name in data if name not in self.fields]):
            raise ValidationError({str(name): [_("There is no such field.")] for name in unknown})
        return super().to_internal_value(data)


class WordsField(serializers.Field[Any, Any, Any, Any]):
    """``{"en": "…", "ar": "…"}`` with all languages of the site; an empty text takes the text of a language out."""

    def __init__(self, *, most: int = 100_000, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.most = most

    def to_internal_value(self, data: Any) -> dict[str, str]:
        if not isinstance(data, Mapping):
            raise ValidationError([_('A text for each language is expected: {"en": "…"}.')])
        texts = {language: "" if text is None else text for language, text in data.items()}
        wrong: Any = {str(one): [told] for one, text in texts.items() if (told := self._wrong(one, text))}
        if wrong:
            raise ValidationError(wrong)
        return texts

    def _wrong(self, language: Any, text: Any) -> Message | None:
        if language not in words.languages():
            return no_such_language(language)
        if not isinstance(text, str) or UNSTORABLE.search(text):
            return _("A text is expected, which every database can store.")
        return _("At most {most} characters.").format(most=self.most) if len(text) > self.most else None

    def to_representation(self, value: Mapping[str, str]) -> dict[str, str]:
        return {language: value.get(language, "") for language in words.languages()}


class RowWordsField(WordsField):
    """The same, of a row whose field has a column for each language."""

    def get_attribute(self, instance: Any) -> Any:
        return words.of(instance, str(self.field_name))


class NamesField(serializers.ListField):
    """Rows by their names: a name that no row has is refused. ``key`` makes of a name what is looked up."""

    child = serializers.CharField(max_length=200)

    def __init__(
        self, rows: Callable[[], QuerySet[Any]], column: str, *, key: Callable[[str], str] = str, **kwargs: Any
    ) -> None:
        super().__init__(max_length=_MOST_NAMES, **kwargs)
        self.rows, self.column, self.key = rows, column, key

    def to_internal_value(self, data: Any) -> list[Model]:
        names = list(dict.fromkeys(super().to_internal_value(data)))
        keys = {name: self.key(name) for name in names}
        found = {
            getattr(row, self.column): row for row in self.rows().filter(**{f"{self.column}__in": keys.values()})
        }
        if missing := [name for name in names if keys[name] not in found]:
            raise ValidationError([_("There is no “%(name)s”.") % {"name": name} for name in missing])
        return list({found[key].pk: found[key] for key in keys.values()}.values())


class RowsField(serializers.ListSerializer[Any]):
    """A whole list of what another serializer shows; ``most`` of them."""

    def __init__(self, child: serializers.Serializer[Any], *, most: int, **kwargs: Any) -> None:
        super().__init__(child=child, max_length=most, **kwargs)


class LanguagesField(serializers.ListField):
    """Languages of the site."""

    child = serializers.CharField(max_length=20)

    def to_internal_value(self, data: Any) -> list[str]:
        found = super().to_internal_value(data)
        for language in found:
            if language not in words.languages():
                raise ValidationError([no_such_language(language)])
        return found


def no_such_language(language: object) -> str:
    """That the site has no texts in it, and in which it has."""
    told = _("This site has no texts in “{language}”; its languages are {known}.")
    return told.format(language=language, known=", ".join(words.languages()))


def revision_field() -> serializers.CharField:
    """The state that is shown, and that an edit is made from."""
    told = _("The state that is edited: sent along, another's change since is not overwritten. Also as If-Match.")
    return serializers.CharField(required=False, max_length=64, help_text=told)
