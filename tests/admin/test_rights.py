"""Who may do what in admin: Django's own permissions, where a part has the rights of its whole."""

import pytest
from django.contrib.admin import site
from django.urls import reverse

from mpquiz.models import Accommodation, Attempt, Quiz
from tests.admin.conftest import Editor
from tests.factories import learner, make_guide, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db

MODELS = ["guide", "quiz", "question", "attempt", "tag", "accommodation"]


def one_of_each():
    """{model: a row of it}."""
    quiz = make_quiz(guides=[make_guide()])
    amal = make_user()
    return {
        "guide": quiz.guides.get(),
        "quiz": quiz,
        "question": quiz.questions.first(),
        "attempt": Attempt.objects.start(quiz, learner(amal)),
        "tag": make_tag("Algebra", quiz.questions.first()),
        "accommodation": Accommodation.objects.create(quiz=quiz, user=amal),
    }


@pytest.mark.parametrize("model", MODELS)
def test_a_stranger_and_a_learner_are_sent_to_sign_in(client, model):
    assert Editor(client).list(model).status_code == 302
    client.force_login(make_user())
    assert Editor(client).list(model).status_code == 302


@pytest.mark.parametrize("model", MODELS)
def test_a_learner_with_a_sound_form_changes_nothing(client, model):
    """A token that is right is no permission (CVE-2026-3226)."""
    rows = one_of_each()
    client.force_login(make_user("learner"))
    learner = Editor(client)
    addresses = [learner.address(model), learner.address(model, view="changelist")]
    addresses += [learner.address(model, rows[model], view) for view in ("change", "delete")]
    before = {model: list(type(row).objects.values()) for model, row in rows.items()}
    for address in addresses:
        for data in (
            {"post": "yes"},
            {"action": "delete_selected", "_selected_action": rows[model].pk, "post": "yes"},
        ):
            answer = client.post(address, data)
            assert (answer.status_code, "/login/" in answer.headers["Location"]) == (302, True)
    assert {model: list(type(row).objects.values()) for model, row in rows.items()} == before


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("value", ["'", '"', ")", "--", "\x00", "%00", "1 OR 1=1", "9" * 40, "-1", "x", "١"])
def test_no_filter_order_or_search_fails_whatever_is_sent(admin, model, value):
    """Neither an error page nor more than was asked for (CVE-2026-6080 and its like)."""
    one_of_each()
    names = (
        "q",
        "o",
        "p",
        "e",
        "quiz__id__exact",
        "trial__exact",
        "retry",
        "waiting",
        "published",
        "tags__id__exact",
    )
    for name in names:
        answer = admin.client.get(admin.address(model, view="changelist"), {name: value})
        assert answer.status_code in (200, 302, 400), (name, answer.status_code)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("view", ["change", "delete", "history"])
@pytest.mark.parametrize("value", ["x", "0", "-1", "9" * 40, "1 OR 1=1", "_00"])
def test_an_id_that_is_none_leads_to_no_row(admin, model, view, value):
    one_of_each()
    name = f"admin:mpquiz_{model}_{view}"
    answer = admin.client.get(reverse(name, args=[value]))
    assert answer.status_code in (302, 403, 404)  # nobody deletes an attempt, there or not


def test_staff_whom_a_host_shows_the_attempts_of_one_quiz_reach_no_other(admin, monkeypatch):
    """CVE-2022-40316: a host narrows ``get_queryset``, and every page and action keeps to it."""
    mine, theirs = (
        Attempt.objects.start(make_quiz(slug=slug, title=slug), learner(make_user(slug)))
        for slug in ("mine", "theirs")
    )
    attempts = type(site.get_model_admin(Attempt))
    all_of_them = attempts.get_queryset
    monkeypatch.setattr(
        attempts, "get_queryset", lambda self, request: all_of_them(self, request).filter(quiz=mine.quiz)
    )
    assert list(admin.list("attempt").context_data["cl"].result_list) == [mine]
    assert list(admin.list("attempt", quiz__id__exact=theirs.quiz_id).context_data["cl"].result_list) == []
    for view in ("change", "history"):
        answer = admin.client.get(admin.address("attempt", theirs, view))
        assert answer.status_code == 302
    for action in ("finish", "discard"):
        data = {"action": action, "_selected_action": [mine.pk, theirs.pk], "post": "yes", "select_across": "1"}
        admin.client.post(admin.address("attempt", view="changelist"), data)
    theirs.refresh_from_db()
    mine.refresh_from_db()
    assert (mine.open, theirs.open) == (None, True)


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
