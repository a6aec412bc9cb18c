"""Two editors change the same rows at the same moment: neither takes back what the other has written."""

from django.test import Client

from mpquiz.models import Question, Quiz
from tests.admin.conftest import Editor, Opened
from tests.factories import make_question, make_quiz, make_user
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


def bilingual_draft(slug):
    texts = {"en": "Yes", "ar": "نعم"}
    question = make_question(
        {"text": texts, "right": True}, {"text": {"en": "No", "ar": "لا"}}, prompt=texts, explanation=texts
    )
    return make_quiz(question, slug=slug, title=texts, description=texts, published=())


def test_what_is_published_in_two_languages_at_once_is_published_in_both(rounds):
    user = make_user("admin", is_staff=True, is_superuser=True)
    one, other = an_editor(user), an_editor(user)
    address = one.address("quiz", view="changelist")
    for number, jitter in rounds:
        quizzes = [bilingual_draft(f"quiz-{number}-{place}") for place in range(5)]
        chosen = {"_selected_action": [str(quiz.pk) for quiz in quizzes]}
        together(
            lambda chosen=chosen: one.client.post(address, {"action": "publish_en", **chosen}),
            lambda chosen=chosen: other.client.post(address, {"action": "publish_ar", **chosen}),
            jitter=jitter,
        )
        assert [Quiz.objects.get(pk=quiz.pk).published_languages for quiz in quizzes] == [["en", "ar"]] * 5


def test_questions_that_are_put_into_a_quiz_at_once_stand_in_it_once_and_in_one_order(rounds):
    for number, jitter in rounds:
        shared, mine, yours = ([make_question() for _question in range(4)] for _list in range(3))
        quiz = make_quiz(slug=f"quiz-{number}")
        found = quiz.places.count()
        together(
            lambda quiz=quiz, some=[*shared, *mine]: quiz.append(some),
            lambda pk=quiz.pk, some=[*yours, *shared]: Quiz.objects.get(pk=pk).append(some),
            jitter=jitter,
        )
        assert list(quiz.places.values_list("place", flat=True)) == list(range(1, found + 13))
