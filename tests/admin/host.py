"""Run by test_hosts in a process of its own: an editor at work on a host of other languages, given as an argument."""

import os
import sys

import django
from django.conf import settings
from django.test.utils import setup_test_environment

LANGUAGES = sys.argv[1].split(",")
TEXTS = {"ar": "كم بتًا؟", "en": "How many bits?", "fr": "Combien de bits ?"}


def main():
    set_up()
    from django.test import Client

    from mpquiz.models import Question, Quiz
    from tests.admin.conftest import Editor, errors_of
    from tests.factories import make_user

    client = Client()
    client.force_login(make_user("admin", is_staff=True, is_superuser=True))
    editor = Editor(client, LANGUAGES[0])
    last = LANGUAGES[-1]
    choices = {f"choices__0__text_{last}": "16", "choices__0__right": "on", f"choices__1__text_{last}": "8"}

    html = editor.page("question").content.decode()
    widgets = [part.split('"')[0] for part in html.split('name="prompt_')[1:]]
    assert widgets == [language.replace("-", "_") for language in LANGUAGES], widgets

    refused = editor.save("question", **choices)
    assert list(errors_of(refused)) == [f"prompt_{LANGUAGES[0]}"], errors_of(refused)

    editor.save("question", **choices, **{f"prompt_{last}": TEXTS[last]})
    question = Question.objects.get()
    assert question.written().prompt == {last: TEXTS[last]}
    assert TEXTS[last] in editor.list("question").content.decode()

    typed = {f"title_{last}": TEXTS[last], "slug": "bits", "published": LANGUAGES, "places__0__question": question.pk}
    editor.save("quiz", **typed)
    assert Quiz.objects.get().published_languages == LANGUAGES
    assert TEXTS[last] in editor.list("quiz").content.decode()


def set_up():
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    settings.LANGUAGES = [(language, language) for language in LANGUAGES]
    settings.LANGUAGE_CODE = LANGUAGES[0]
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
    django.setup()
    setup_test_environment()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


if __name__ == "__main__":
    main()
