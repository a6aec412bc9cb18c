"""What reads alike in one language and differs in another: how an answer is kept tells nothing of which is right."""

import json
from decimal import Decimal
from itertools import permutations
from typing import Any

import pytest

from mpquiz import privacy
from mpquiz.models import Attempt, Question
from tests.factories import make_question, make_quiz, make_user
from tests.leaks.conftest import undone
from tests.leaks.doors import signed_in

pytestmark = pytest.mark.django_db

KEY = "lesson/alike"
PAGE = "/en/quizzes/attempts/{}/1/"
API = "/api/v1/attempts/{}/questions/1/"
SENT: dict[str, list[dict[str, str]]] = {
    "matching": [dict(zip("123", places, strict=True)) for places in (*permutations("123"), "111", "222", "333")],
    "ordering": [dict(zip("123", places, strict=True)) for places in permutations("123")],
}
WORDS = ({"en": "Same", "ar": "الأول"}, {"en": "Same", "ar": "الثاني"}, {"en": "Other", "ar": "الثالث"})


def _asked(kind: str, key: tuple[int, ...]) -> Question:
    """A question of which these words, in this order, are right."""
    words = [WORDS[place] for place in key]
    if kind == "ordering":
        rows: list[Any] = [{"text": text} for text in words]
    else:
        rows = [
            {"text": f"Left {place}", **{f"match_{language}": text for language, text in one.items()}}
            for place, one in enumerate(words, 1)
        ]
    return make_question(*rows, kind=kind, prompt="Which?", explanation=None, key=KEY)


def _told(browser: Any, user: Any, kind: str, key: tuple[int, ...], language: str, mode: dict[str, Any]) -> list[Any]:
    """All that a learner is told who tries every answer, in a world in which these words are right."""
    with undone():
        quiz = make_quiz(_asked(kind, key), **mode)
        amal = signed_in(browser, user)
        attempt = Attempt.objects.start(quiz, amal)
        found = []
        for sent in SENT[kind]:
            answer = browser.post(
                f"{API.format(attempt.public_id)}answer/?lang={language}", {"given": sent}, "application/json"
            )
            assert answer.json()["question"]["given"] == sent
            found.append(_without_ids(answer.content.decode(), attempt))
            fields = {f"given-{name}": place for name, place in sent.items()}
            browser.post(PAGE.format(attempt.public_id).replace("/en/", f"/{language}/"), {**fields, "to": "1"})
            for address in (API, PAGE, PAGE.replace("/en/", "/ar/"), f"{API}?lang=ar"):
                found.append(_without_ids(browser.get(address.format(attempt.public_id)).content.decode(), attempt))
        attempt.finish()
        for address in ("/en/quizzes/attempts/{}/", "/ar/quizzes/attempts/{}/", "/api/v1/attempts/{}/result/"):
            found.append(_without_ids(browser.get(address.format(attempt.public_id)).content.decode(), attempt))
        return [*found, _without_ids(json.dumps(privacy.export(amal)), attempt)]


def _without_ids(text: str, attempt: Attempt) -> str:
    return text.replace(str(attempt.public_id), "id")


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("kind", list(SENT))
def test_every_answer_is_told_as_it_was_sent_whatever_is_right(browser, clock, kind, language):
    user = make_user()
    mode = {f"show_{line}": "never" for line in ("right_or_wrong", "score", "right_answer", "explanation")}
    mode["feedback"] = "at_end"
    one, other = (_told(browser, user, kind, key, language, mode) for key in ((0, 1, 2), (1, 2, 0)))
    assert one == other


@pytest.mark.parametrize(("language", "score"), [("en", "0.6666667"), ("ar", "0")])
def test_what_read_alike_counts_in_the_language_it_was_read_in(browser, language, score):
    quiz = make_quiz(_asked("matching", (0, 1, 2)), feedback="at_end")
    attempt = Attempt.objects.start(quiz, signed_in(browser, make_user()))
    answer = attempt.answers.get()
    kept = {"a": "b", "b": "a", "c": "a"}
    sent = answer.kind.sendable(answer.content, answer.order, kept)
    attempt.answer(1, sent, language=language)
    attempt.finish()
    attempt.refresh_from_db()
    assert attempt.score == Decimal(score)
    assert attempt.answers.get().given == kept
