"""Who may do what in admin: Django's own permissions, where a part has the rights of its whole."""

import pytest

from mpquiz.models import Quiz
from tests.admin.conftest import Editor
from tests.factories import make_guide, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db

MODELS = ["guide", "quiz", "question", "attempt"]


@pytest.mark.parametrize("model", MODELS)
def test_a_stranger_and_a_learner_are_sent_to_sign_in(client, model):
    assert Editor(client).list(model).status_code == 302
    client.force_login(make_user())
    assert Editor(client).list(model).status_code == 302


@pytest.mark.parametrize("model", MODELS)
def test_staff_without_permissions_are_refused(staff, model):
    editor = staff()
    assert editor.list(model).status_code == 403
    assert editor.page(model).status_code == 403


def test_an_editor_of_quizzes_only_edits_their_questions_too(staff):
    editor = staff("view_quiz", "change_quiz")
    quiz = make_quiz()
    assert editor.save("quiz", quiz, places__0__place="3", places__2__place="1").status_code == 302
    assert [place.question.prompt_en for place in quiz.places.all()] == ["Question 3?", "Question 2?", "Question 1?"]
    assert editor.page("question", quiz.questions.first()).status_code == 403
    assert editor.page("quiz").status_code == 403


def test_an_editor_who_may_only_add_adds_a_quiz_with_questions(staff):
    question = make_question()
    typed = {"title_en": "New", "slug": "new", "places__0__question": question.pk}
    assert staff("add_quiz").save("quiz", **typed).status_code == 302
    assert list(Quiz.objects.get().questions.all()) == [question]


def test_who_may_only_look_changes_nothing(staff):
    reader = staff("view_quiz", "view_question", "view_guide")
    quiz = make_quiz()
    for model, row in (("quiz", quiz), ("question", quiz.questions.first()), ("guide", make_guide())):
        page = reader.page(model, row)
        assert page.status_code == 200
        assert 'name="_save"' not in page.content.decode()
        assert reader.client.post(reader.address(model, row), {}).status_code == 403


def test_the_archive_action_is_for_who_may_change(staff):
    quiz = make_quiz()
    reader = staff("view_quiz")
    data = {"action": "archive", "_selected_action": [quiz.pk]}
    reader.client.post(reader.address("quiz", view="changelist"), data)
    quiz.refresh_from_db()
    assert not quiz.archived
