"""Two editors save the page of one question at the same moment: neither takes back what the other has written."""

from django.test import Client

from mpquiz.models import Question
from tests.admin.conftest import Editor, Opened
from tests.factories import make_question, make_user
from tests.races.conftest import together


def an_editor(user):
    client = Client()
    client.force_login(user)
    return Editor(client)


def test_two_languages_that_are_written_at_once_are_both_kept(rounds):
    user = make_user("admin", is_staff=True, is_superuser=True)
    one, other = an_editor(user), an_editor(user)
    for number, jitter in rounds:
        question = make_question(prompt={"en": "How many?", "ar": "كم؟"})
        first, second = Opened(one, "question", question), Opened(other, "question", question)
        pages = together(
            lambda page=first, to=f"How many, {number}?": page.save(prompt_en=to),
            lambda page=second, to=f"كم {number}؟": page.save(prompt_ar=to),
            jitter=jitter,
        )
        assert [page.status_code for page in pages] == [302, 302]
        question = Question.objects.get(pk=question.pk)
        assert (question.prompt_en, question.prompt_ar) == (f"How many, {number}?", f"كم {number}؟")


def test_of_one_text_that_is_written_twice_at_once_one_editor_is_told(rounds):
    user = make_user("admin", is_staff=True, is_superuser=True)
    one, other = an_editor(user), an_editor(user)
    for _number, jitter in rounds:
        question = make_question(prompt="How many?")
        first, second = Opened(one, "question", question), Opened(other, "question", question)
        pages = together(
            lambda page=first: page.save(prompt_en="Mine?"),
            lambda page=second: page.save(prompt_en="Yours?"),
            jitter=jitter,
        )
        assert sorted(page.status_code for page in pages) == [200, 302]
