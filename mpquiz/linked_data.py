"""A quiz as schema.org describes it, in the language that is really shown.

It says what may be read before the start (``quiz.shows_questions_before_start``), and of the key nothing, unless the
quiz says that it is told (``quiz.shows_answers_before_start``). https://schema.org/Quiz, https://schema.org/Question
"""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from . import kinds
from .content import QuestionContent
from .models import Guide, Quiz
from .words import Text

Json = dict[str, Any]
Absolute = Callable[[str], str]
"""Makes an address absolute: ``request.build_absolute_uri``."""

_ESCAPES = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\N{LINE SEPARATOR}\N{PARAGRAPH SEPARATOR}"}
"""What could end the element that the JSON stands in, or be read as a line break by a script."""


def of_quiz(
    quiz: Quiz, guides: Iterable[Guide], questions: Iterable[QuestionContent], *, address: str, absolute: Absolute
) -> Json:
    """A quiz all of whose own questions may be read; its ``address`` is absolute."""
    title = quiz.title_text
    readings = [guide for guide in guides if guide.title_text]
    asked = (content for content in questions if kinds.kept(content.kind).asks)
    return _filled(
        {
            "@context": "https://schema.org",
            "@type": "Quiz",
            "url": address,
            "name": title.plain or quiz.slug,
            "inLanguage": title.language,
            "description": _beside(title, quiz.description_text),
            "learningResourceType": "quiz",
            "educationalLevel": quiz.level,
            "isAccessibleForFree": True,
            "about": [_reading(guide, absolute) for guide in readings],
            "assesses": [_beside(title, guide.title_text) for guide in readings],
            "hasPart": [question(content, answers=quiz.shows_answers_before_start) for content in asked],
        }
    )


def _reading(guide: Guide, absolute: Absolute) -> Json:
    address = guide.get_absolute_url()
    return _filled({**_text("LearningResource", guide.title_text, "name"), "url": address and absolute(address)})


def question(content: QuestionContent, *, answers: bool) -> Json:
    """A question with what it offers; ``answers``: with what is right told apart."""
    kind = kinds.kept(content.kind)
    offered = kind.offered(content)
    right = kind.right_answers(content) if answers else []
    wrong = [text for text in offered if text not in right]
    return _filled(
        {
            **_text("Question", kind.readable(content), "text"),
            "eduQuestionType": kind.edu_type,
            "suggestedAnswer": _answers(wrong),
            "acceptedAnswer": _answers(right),
        }
    )


def escaped(value: Json) -> SafeString:
    """JSON for within ``<script type="application/ld+json">``."""
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return mark_safe(plain.translate(_ESCAPES))  # noqa: S308  nothing is left that HTML could read


def _answers(texts: Sequence[Text]) -> list[Json]:
    return [_text("Answer", text, "text") for text in texts]


def _text(what: str, text: Text, name: str) -> Json:
    return _filled({"@type": what, name: text.plain, "inLanguage": text.language})


def _beside(other: Text, text: Text) -> str | Json:
    """A text that stands beside another; its language is said where it is not the other's."""
    if text.language in ("", other.language):
        return text.plain
    return {"@value": text.plain, "@language": text.language}


def _filled(value: Json) -> Json:
    """Without what is not there."""
    return {name: one for name, one in value.items() if one not in ("", [], None)}
