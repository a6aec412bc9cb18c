"""Examples of what is sent and answered, in English and in Arabic."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import translation
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import OpenApiExample

from ...exceptions import Message
from ...words import Text
from .. import errors
from ..texts import told

LANGUAGES = {"en": "English", "ar": "Arabic"}
_ID = "0b7f5a52-5a3c-4c6e-9f43-1f1e2b8f7c11"
_ATTEMPT = f"/api/v1/attempts/{_ID}/"
_QUIZ = {"slug": "floating-point", "url": "/api/v1/quizzes/floating-point/"}
_WORDS: Mapping[str, Mapping[str, str]] = {
    "quiz": {"en": "Floating-point numbers", "ar": "أعداد الفاصلة العائمة"},
    "about": {"en": "How computers *round*.", "ar": "كيف *تقرّب* الحواسيب الأعداد."},
    "guide": {"en": "Numbers in Python", "ar": "الأعداد في بايثون"},
    "prompt": {"en": "What is `0.1 + 0.2 == 0.3`?", "ar": "ما قيمة `0.1 + 0.2 == 0.3`؟"},
    "true": {"en": "True", "ar": "صواب"},
    "false": {"en": "False", "ar": "خطأ"},
    "why": {"en": "Neither number is stored exactly.", "ar": "لا يُخزَّن أيّ من العددين بدقّة."},
    "note": {"en": "Both choices are right.", "ar": "كلا الخيارين صحيح."},
    "essay": {"en": "Because they are binary.", "ar": "لأنّها ثنائية."},
}
_DETAILS: Mapping[str, Message] = {
    **errors._DETAILS,
    "answered": _("You have answered this question already. Your first answer counts."),
    "csrf": errors.CsrfFailed.default_detail,
    "finished": _("This attempt is finished. The answer was not taken."),
    "invalid": _("What was sent cannot be used: see the fields."),
    "not_finished": _("This attempt is not finished yet."),
    "not_in_attempt": _("That question is not in this attempt."),
    "not_in_order": _("The questions come one after the other. This one is not at its turn."),
    "password": _("Give the password of this quiz."),
    "stale": _("This answer was changed in another window after you opened this page."),
    "settled": _("Your report was looked at already. Thank you."),
    "throttled": _("Too many requests came from you. Try again soon."),
    "time_up": _("The time is up. This answer came too late and was not taken."),
    "unavailable": _("The database does not answer. Try again soon: what was sent may be stored already."),
}


def _text(name: str, language: str, *, inline: bool = False) -> Any:
    return told(Text(_WORDS[name][language], language), inline=inline)


def _quiz(language: str) -> dict[str, Any]:
    return {
        **_QUIZ,
        "title": _text("quiz", language, inline=True),
        "description": _text("about", language),
        "level": "beginner",
        "languages": list(LANGUAGES),
        "guides": [_guide(language)],
        "question_count": 1,
        "pass_mark": "70.00",
        "feedback": "at_once",
        "layout": "one",
        "one_way": False,
        "time_limit": None,
        "opens_at": None,
        "closes_at": None,
        "attempts_allowed": None,
        "wait": None,
        "counting": "best",
        "access": "everyone",
        "asks_password": False,
    }


def _guide(language: str) -> dict[str, Any]:
    title = _text("guide", language, inline=True)
    address = "/guides/numbers/"
    return {"slug": "numbers", "url": "/api/v1/guides/numbers/", "title": title, "address": address}


def _shown(language: str) -> dict[str, Any]:
    choices = enumerate(("true", "false"), 1)
    return {"choices": [{"place": place, "text": _text(name, language, inline=True)} for place, name in choices]}


def _entrance(language: str) -> dict[str, Any]:
    nothing = dict.fromkeys(("attempt", "refusal", "minutes", "opens_at", "closes_at", "attempts_left"))
    return {**nothing, "number": 1, "asks_password": False, "staff": False, "guest": "", "csrf": "vq4W…"}


def _attempt(language: str) -> dict[str, Any]:
    return {
        "id": _ID,
        "url": _ATTEMPT,
        "quiz": _QUIZ,
        "title": _text("quiz", language, inline=True),
        "number": 1,
        "state": "open",
        "trial": False,
        "practice": False,
        "started_at": "2026-03-01T09:00:00Z",
        "ended_at": None,
        "deadline": None,
        "seconds_left": None,
        "rules": {"changeable": False, "on_one_page": False, "in_order": False, "pass_mark": "70.00"},
        "sight": {"right_or_wrong": True, "score": True, "right_answer": False, "explanation": True},
        "maximum": "1",
        "score": "0",
        "percent": 0,
        "passed": False,
        "waiting": 0,
    }


def _step(state: str = "open") -> dict[str, Any]:
    url = f"{_ATTEMPT}questions/1/"
    return {"position": 1, "url": url, "asks": True, "state": state, "flagged": False, "revision": 0}


def _question(language: str, state: str = "open") -> dict[str, Any]:
    return {
        **_step(state),
        "kind": "true_false",
        "points": "1",
        "prompt": _text("prompt", language),
        "shown": _shown(language),
        "right_answer_shown": False,
        "given": None,
        "answered_at": None,
        "feedback": None,
        "reportable": False,
    }


def _answered_question(language: str) -> dict[str, Any]:
    feedback = {
        "verdict": "right",
        "mark": "1",
        "said": [],
        "explanation": _text("why", language),
        "comment": "",
        "guides": [{"slug": "numbers", "url": "/api/v1/guides/numbers/"}],
    }
    at = {"answered_at": "2026-03-01T09:01:00Z", "reportable": True}
    return {**_question(language, "right"), **at, "given": 2, "feedback": feedback, "revision": 1}


def _over(language: str) -> dict[str, Any]:
    ended = {"state": "finished", "ended_at": "2026-03-01T09:01:00Z", "score": "1", "percent": 100, "passed": True}
    return {**_attempt(language), **ended}


def _result(language: str) -> dict[str, Any]:
    return {
        "attempt": _over(language),
        "standing": 100,
        "counting": "best",
        "more_once_closed": False,
        "number": 2,
        "again": True,
        "missed": 0,
        "readings": [{"guide": _guide(language), "asked": 1, "missed": 0}],
        "history": [],
        "questions": [_answered_question(language)],
    }


def _progress(language: str) -> dict[str, Any]:
    title = _text("quiz", language, inline=True)
    told = {"state": "finished", "attempt": None, "percent": 100, "passed": True, "waiting": 0}
    return {"quiz": _QUIZ, "title": title, **told, "counting": "best", "completed": True}


def _preview(language: str) -> dict[str, Any]:
    prompt = _text("prompt", language)
    return {"kind": "true_false", "asks": True, "prompt": prompt, "shown": _shown(language)}


_SHOWN: Mapping[str, Callable[[str], Any]] = {
    "AnsweredSerializer": lambda language: {
        "question": _answered_question(language),
        "attempt": _over(language),
        "next": None,
    },
    "AttemptDetailSerializer": lambda language: {**_attempt(language), "next": 1, "questions": [_step()]},
    "AttemptSerializer": _attempt,
    "EntranceSerializer": _entrance,
    "GuideDetailSerializer": lambda language: {**_guide(language), "quizzes": [_quiz(language)]},
    "GuideSerializer": _guide,
    "ProgressSerializer": _progress,
    "QuestionSerializer": _question,
    "QuizDetailSerializer": lambda language: {**_quiz(language), "questions": [_preview(language)]},
    "QuizSerializer": _quiz,
    "ReportedSerializer": lambda language: {"note": _WORDS["note"][language], "language": language},
    "ResultSerializer": _result,
    "RootSerializer": lambda language: {
        "learners": {
            what: f"https://example.org/api/v1/{what}/" for what in ("quizzes", "guides", "attempts", "progress")
        },
        "staff": None,
        "schema": "https://example.org/api/v1/schema/",
    },
    "StepSerializer": lambda language: _step(),
}
_SENT: Mapping[str, Callable[[str], Any]] = {
    "DraftSerializer": lambda language: {"given": _WORDS["essay"][language]},
    "FlagSerializer": lambda language: {"flagged": True},
    "GivenSerializer": lambda language: {"given": 2, "language": language},
    "HandInSerializer": lambda language: {"answers": [{"position": 1, "given": 2, "revision": 0}], "finish": True},
    "NumberSerializer": lambda language: {"number": 2},
    "ReportSerializer": lambda language: {"note": _WORDS["note"][language]},
    "StartSerializer": lambda language: {"number": 1},
}


def shown(serializer: type) -> list[OpenApiExample]:
    """What is answered by a serializer."""
    return _in_each(_SHOWN.get(_name(serializer)))


def sent(serializer: type) -> list[OpenApiExample]:
    """What is sent of it."""
    return _in_each(_SENT.get(_name(serializer)))


def refusal(codes: tuple[str, ...]) -> list[OpenApiExample]:
    """How the first of these codes that is told in words is told."""
    known = [code for code in reversed(codes) if code in _DETAILS]
    return _in_each(lambda language: {"code": known[0], "detail": _worded(known[0], language)} if known else None)


def _worded(code: str, language: str) -> str:
    with translation.override(language):
        return str(_DETAILS[code])


def _name(serializer: type) -> str:
    staff = "staff." if ".staff." in serializer.__module__ else ""
    return f"{staff}{serializer.__name__}"


def _in_each(make: Callable[[str], Any] | None) -> list[OpenApiExample]:
    made = [] if make is None else [(name, make(code)) for code, name in LANGUAGES.items()]
    return [OpenApiExample(name, value) for name, value in made if value is not None]
