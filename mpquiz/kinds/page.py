"""A page to read between the questions."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import QuestionContent
from ..exceptions import Refusal
from .base import Kind


class Page(Kind):
    """The prompt is all there is: nothing to answer, nothing scored, nothing stored for whoever read it."""

    name = "page"
    label = _("page to read")
    hint = _("A page to read between questions: the prompt is shown, nothing is asked and nothing is scored.")
    template = "mpquiz/kinds/page.html"
    asks = False
    scores = False
    lays_out_prompt = True

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> Any:
        raise Refusal("bad_answer", _("There is nothing to answer here. Go on."))

    def mark(self, content: QuestionContent, given: Any) -> Decimal:
        return Decimal(0)

    def asked(self, content: QuestionContent, order: Sequence[str]) -> None:
        return None

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> None:
        return None
