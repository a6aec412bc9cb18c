"""The whole road in one language of the host: write, publish, read, answer, finish. Run in a process of a host.

With ``fresh`` the tables are made first, and it is looked whether they are as the models have them.
"""

import os
import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.test import Client  # noqa: E402
from django.utils import translation  # noqa: E402

from mpquiz import words  # noqa: E402
from mpquiz.models import Attempt, Quiz  # noqa: E402
from tests.factories import learner, make_question, make_quiz, make_user  # noqa: E402
from tests.views.conftest import hidden  # noqa: E402


def main() -> None:
    languages = words.languages()
    only = languages[-1]  # the one that no default names
    question = make_question(
        {"text": {only: "Yes"}, "right": True},
        {"text": {only: "No"}},
        prompt={only: "Is it?"},
        explanation={only: "It is."},
    )
    quiz = make_quiz(question, title={only: "Only here"}, description={only: "Text"}, published=languages)
    for code in languages:
        with translation.override(code):
            read = words.read(Quiz.objects.get(), "title")
            assert (read.source, read.language, read.fallback) == ("Only here", only, code != only), (code, read)
            assert list(Quiz.objects.published()) == [quiz]
    settings.ALLOWED_HOSTS = ["*"]
    visitor = Client()
    page = visitor.get(f"/{languages[0]}/quizzes/floats/")
    assert page.status_code == 200 and "Is it?" in page.content.decode(), page.status_code
    form = hidden(page) | {"given": "1"}
    feedback = visitor.post(f"/{languages[0]}/quizzes/floats/start/", form, follow=True)
    assert feedback.status_code == 200 and "It is." in feedback.content.decode(), feedback.status_code
    result = visitor.get(f"/{languages[0]}/quizzes/attempts/{Attempt.objects.get().public_id}/")
    assert result.status_code == 200 and "Only here" in result.content.decode(), result.status_code
    admin = make_user("admin", is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(admin)
    for path in ("quiz/add/", "question/add/", "quiz/1/change/", "quiz/", "question/"):
        answer = client.get(f"/{languages[0]}/admin/mpquiz/{path}")
        assert answer.status_code == 200, (path, answer.status_code)
    attempt = Attempt.objects.start(quiz, learner(make_user()))
    attempt.answer(1, 1, language=only)
    attempt.refresh_from_db()
    assert (attempt.ended, attempt.score) == ("finished", 1)
    print("road", os.environ["HOST_LANGUAGES"])


def make_tables() -> None:
    call_command("migrate", verbosity=0)
    call_command("makemigrations", "mpquiz", check=True, dry_run=True)
    call_command("check", databases=["default"], fail_level="WARNING")


if __name__ == "__main__":
    if "fresh" in sys.argv:
        make_tables()
    main()
