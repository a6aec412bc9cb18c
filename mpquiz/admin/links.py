"""Names for the rows that tie quizzes and questions to guides and tags: pages of deletion show them."""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ..models import Question, Quiz


def _name(through: Any, owner: str, name: str | Promise, plural: str | Promise) -> None:
    """Give an automatic model of Django's words of ours, in place of ``quiz-guide relationship``."""
    through._meta.verbose_name = name
    through._meta.verbose_name_plural = plural
    through.__str__ = lambda row: str(getattr(row, owner))


_name(Quiz.guides.through, "quiz", _("guide of a quiz"), _("guides of quizzes"))
_name(Question.guides.through, "question", _("guide of a question"), _("guides of questions"))
_name(Question.tags.through, "question", _("tag of a question"), _("tags of questions"))
