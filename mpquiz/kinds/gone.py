"""What stands in for a kind that the host took away while questions of it are in attempts."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext_lazy as _

from ..content import QuestionContent
from ..exceptions import Refusal
from .base import Kind, Problem


class Gone(Kind):
    """Shows the prompt and says that the rest cannot be shown; what was marked keeps its mark."""

    name = "gone"
    label = _("a kind that this site no longer has")
    template = "mpquiz/kinds/gone.html"

    def problems(self, content: QuestionContent) -> list[Problem]:
        return [Problem(_("This site no longer has this kind of question."), "kind")]

    def clean(self, given: object, content: QuestionContent, order: Sequence[str]) -> Any:
        raise Refusal("bad_answer", _("This question can no longer be answered. Go on with the others."))

    def mark(self, content: QuestionContent, given: Any) -> Decimal:
        return Decimal(0)

    def asked(self, content: QuestionContent, order: Sequence[str]) -> list[Any]:
        return []

    def answered(self, content: QuestionContent, order: Sequence[str], given: Any) -> list[Any]:
        return []
