"""Small makers of what the tests are about. Texts are given per language, as an editor writes them."""

from typing import Any

from django.contrib.auth import get_user_model

from mpquiz import words
from mpquiz.content import key_at
from mpquiz.learners import Learner
from mpquiz.models import Choice, Guide, Pool, Question, Quiz, QuizLanguage, QuizQuestion, Tag


def texts(name: str, value: str | dict[str, str] | None) -> dict[str, str]:
    """The columns of a translated field: a plain string is English."""
    given = {"en": value} if isinstance(value, str) else value or {}
    return {words.attribute(name, language): text for language, text in given.items()}


def make_user(username: str = "amal", **fields: Any) -> Any:
    return get_user_model().objects.create_user(username, password="secret", **fields)


def make_guide(slug: str = "floats", title: Any = "Floats", **fields: Any) -> Guide:
    fields.setdefault("address", f"/guides/{slug}/")
    return Guide.objects.create(slug=slug, **texts("title", title), **fields)


def make_question(
    *choices: Any,
    prompt: Any = "Which is right?",
    explanation: Any = "Because it is.",
    kind: str = "single",
    guides: Any = (),
    **fields: Any,
) -> Question:
    """A question; a choice is ``"text"`` (wrong), ``("text", True)`` or a dict of the row's values."""
    question = Question.objects.create(
        kind=kind, **texts("prompt", prompt), **texts("explanation", explanation), **fields
    )
    for place, choice in enumerate(choices or (("Right", True), "Wrong", "Worse"), 1):
        add_choice(question, place, choice)
    question.guides.set(guides)
    return question


def make_essay(prompt: Any = "Why?", **fields: Any) -> Question:
    """A question that a person marks."""
    fields.setdefault("explanation", None)
    return Question.objects.create(
        kind="essay", **texts("prompt", prompt), **texts("explanation", fields.pop("explanation")), **fields
    )


def make_page(prompt: Any = "Read this.", **fields: Any) -> Question:
    """A page to read between the questions."""
    return Question.objects.create(kind="page", **texts("prompt", prompt), **fields)


def add_choice(question: Question, place: int, choice: Any) -> Choice:
    if isinstance(choice, str):
        choice = {"text": choice}
    elif isinstance(choice, tuple):
        choice = {"text": choice[0], "right": choice[1]}
    row = {"key": key_at(place - 1), **choice}
    columns = texts("text", row.pop("text", None)) | texts("feedback", row.pop("feedback", None))
    return Choice.objects.create(question=question, place=place, **columns, **row)


def make_quiz(
    *questions: Question,
    slug: str = "floats",
    title: Any = "Floating point",
    published: Any = ("en", "ar"),
    guides: Any = (),
    count: int = 3,
    **fields: Any,
) -> Quiz:
    """A quiz of the given questions, else of ``count`` made ones whose right choice is the first."""
    fields.update(texts("description", fields.pop("description", None)))
    quiz = Quiz.objects.create(slug=slug, **texts("title", title), **fields)
    for place, question in enumerate(
        questions or [make_question(prompt=f"Question {n}?") for n in range(1, count + 1)], 1
    ):
        QuizQuestion.objects.create(quiz=quiz, question=question, place=place)
    for language in published:
        QuizLanguage.objects.create(quiz=quiz, language=language)
    quiz.guides.set(guides)
    return quiz


def make_tag(name: str, *questions: Question) -> Tag:
    """A tag that these questions have."""
    tag = Tag.objects.create(name=name)
    tag.questions.set(questions)
    return tag


def make_pool(quiz: Quiz, tag: Tag, *, count: int = 1, place: int = 99, **fields: Any) -> Pool:
    """A pool of a quiz, which asks after the quiz's own questions."""
    return Pool.objects.create(quiz=quiz, tag=tag, count=count, place=place, **fields)


def learner(user: Any = None, *, guest: str = "") -> Learner:
    """The learner of a user, or a guest."""
    return Learner(user=user, guest=guest)
