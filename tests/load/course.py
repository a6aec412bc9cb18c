"""The quizzes that are taken and who takes them."""

from typing import Any

from django.contrib.auth import get_user_model

from mpquiz.models import Question
from tests.factories import make_question, make_quiz

LENGTH = 20


def questions() -> list[Question]:
    """Twenty of them: most with one right choice, some with several, some to be typed."""
    return [_question(number) for number in range(1, LENGTH + 1)]


def _question(number: int) -> Question:
    words = {
        "prompt": {"en": f"What is **{number}** `{number}+1`?", "ar": f"ما هو **{number}**؟"},
        "explanation": {"en": "Because *it is*.", "ar": "لأنه كذلك."},
    }
    if number % 7 == 0:
        return make_question(("seven", True), kind="text", **words)
    texts = [{"en": f"Choice {place}", "ar": f"الخيار {place}"} for place in range(1, 5)]
    choices = [{"text": text, "right": place == 1} for place, text in enumerate(texts)]
    if number % 5 == 0:
        choices[3]["right"] = True
        return make_question(*choices, kind="multiple", **words)
    return make_question(*choices, **words)


def course() -> None:
    """A quiz that opens on its first question, an exam, and one that may be taken once; all ask the same."""
    asked = questions()
    titles = {"en": "Load", "ar": "حمل"}
    exam = {"feedback": "at_end", "shuffle_choices": True, "shuffle_questions": True, "pass_mark": 50}
    make_quiz(*asked, slug="steady", title=titles, pass_mark=50)
    make_quiz(*asked, slug="exam", title=titles, time_limit=30, **exam)
    make_quiz(*asked, slug="wave", title=titles, attempts_allowed=1, **exam)


def users(count: int) -> list[Any]:
    """So many users who can sign in. Their password is that of ``make_user``, hashed once."""
    model = get_user_model()
    first = model.objects.create_user("learner-0", password="secret")
    model.objects.bulk_create(
        model(username=f"learner-{number}", password=first.password) for number in range(1, count)
    )
    return list(model.objects.filter(username__startswith="learner-").order_by("pk"))
