"""A short answer that is typed."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import ChoiceContent, QuestionContent, clean
from ..exceptions import Refusal
from ..words import Text, Written, pick
from . import spelling
from .accepted import AcceptedKind
from .base import Problem


class ShortText(AcceptedKind):
    """The stored answer is the line as it was typed. What is accepted in any language counts on a page in any other.

    ``settings["strict"]``: spelled exactly; else what ``spelling.ALIKE`` lists is alike.
    """

    name = "text"
    label = _("short answer")
    hint = _(
        "A choice for each accepted answer, as plain text; * stands for any letters. Tick it right for all the "
        'points, or give it a weight for a share. Settings: {"strict": true} wants it spelled exactly.'
    )
    template = "mpquiz/kinds/text.html"
    choice_fields = ("text", "right", "weight", "feedback")
    accepts_texts = True

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> str:
        text = given if isinstance(given, str) else ""
        if len(text) > spelling.LONGEST:
            message = _("Write a shorter answer: at most %(count)s characters.")
            raise Refusal("bad_answer", message % {"count": spelling.LONGEST})
        if not spelling.strict_form(text):
            raise Refusal("bad_answer", _("Write an answer first."))
        return spelling.tidy(text)

    def tally(self, content: QuestionContent, given: Any) -> str:
        return " ".join(given.split()).casefold()

    def fits(self, choice: ChoiceContent, given: Any, content: QuestionContent) -> bool:
        texts = clean(choice.text).values()
        return any(spelling.matches(text, given, strict=_is_strict(content)) for text in texts)

    def is_impersonal(self, content: QuestionContent, given: Any) -> bool:
        """What ``*`` stands for in an accepted answer may be anything."""
        texts = [text for choice in content.choices for text in clean(choice.text).values()]
        whole = [text for text in texts if len(spelling.pieces(text)) == 1]
        return any(spelling.matches(text, given, strict=_is_strict(content)) for text in whole)

    def is_anything(self, choice: ChoiceContent) -> bool:
        return any(map(spelling.is_anything, clean(choice.text).values()))

    def shown(self, choice: ChoiceContent) -> Text:
        text = pick(choice.text)
        return Written(spelling.readable(text.source), text.language, text.fallback)

    def unreadable(self, content: QuestionContent) -> list[Problem]:
        seen: set[tuple[str, ...]] = set()
        found = []
        for index, choice in enumerate(content.choices):
            forms = {spelling.pieces(text, strict=_is_strict(content)) for text in clean(choice.text).values()}
            if forms <= {("",)}:
                found.append(Problem(_("Write the answer in at least one language."), "text", index))
            elif forms & seen:
                found.append(Problem(_("Another answer reads the same."), "text", index, blocks=False))
            seen |= forms
        return found


def _is_strict(content: QuestionContent) -> bool:
    return content.settings.get("strict") is True
