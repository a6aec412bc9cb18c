"""A statement that is true or false."""

from dataclasses import replace

from django.utils import translation
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from .. import words
from ..content import QuestionContent
from .base import Problem
from .single import Single

_WORDS = (gettext_noop("True"), gettext_noop("False"))


class TrueFalse(Single):
    """Two choices; where both are left without a text, they read True and False in every language, in this order."""

    name = "true_false"
    label = _("true or false")
    hint = _("Two choices, true and false: tick the right one. Leave both texts empty and they read True and False.")
    supplies_words = True

    def complete(self, content: QuestionContent) -> QuestionContent:
        if len(content.choices) != 2 or any(choice.text for choice in content.choices):
            return content
        pairs = zip(content.choices, _WORDS, strict=True)
        return replace(content, choices=tuple(replace(choice, text=_in_all(word)) for choice, word in pairs))

    def problems(self, content: QuestionContent) -> list[Problem]:
        found = super().problems(content)
        if len(content.choices) > 2:
            found.append(Problem(_("A statement has two choices: true and false."), "choices"))
        return found


def _in_all(word: str) -> dict[str, str]:
    texts = {}
    for language in words.languages():
        with translation.override(language):
            texts[language] = gettext(word)
    return texts
