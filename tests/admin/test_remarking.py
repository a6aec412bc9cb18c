"""Marking anew in admin: from the quiz's page to the rule, to whom it changes, to the log, and back."""

import re

import pytest
from django.contrib.admin import site
from django.test import Client

from mpquiz import remarking
from mpquiz.exceptions import Refusal
from mpquiz.models import Attempt, Quiz, Remark, Remarking
from tests.admin.test_deleting import finished
from tests.factories import learner, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db
EDITOR = ("view_quiz", "change_quiz", "view_question", "change_question")


@pytest.fixture
def question():
    return make_question(("A", True), "B", "C", prompt="Which?")


@pytest.fixture
def quiz(question):
    """Amal chose the first choice, Badr the second, which is found to be right."""
    quiz = make_quiz(question, make_question(prompt="Other?"), pass_mark=50)
    for name, given in (("amal", 1), ("badr", 2)):
        attempt = Attempt.objects.start(quiz, learner(make_user(name)))
        attempt.answer(1, given)
        attempt.finish()
    key_is(question, "b")
    return quiz


def key_is(question, key):
    for choice in question.choices.all():
        choice.right = choice.key == key
        choice.save()


@pytest.fixture
def editor(staff):
    return staff(*EDITOR, "view_attempt")


def address(quiz):
    return f"/en/admin/mpquiz/remarking/quiz/{quiz.pk}/"


def plain(response):
    """The words of a page, without its tags."""
    return " ".join(re.sub(r"<[^>]*>", " ", response.content.decode()).split())


def preview(editor, quiz, question, policy="new_key"):
    return editor.client.get(address(quiz), {"question": f"q{question.pk}", "policy": policy})


def sent(page, **more):
    pairs = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.content.decode())
    return {name: value for name, value in pairs if name != "csrfmiddlewaretoken"} | more


def apply(editor, quiz, question, **more):
    return editor.client.post(address(quiz), sent(preview(editor, quiz, question), **more))


def test_the_page_of_a_quiz_leads_there(editor, quiz):
    assert f'href="{address(quiz)}"' in editor.page("quiz", quiz).content.decode()
    page = plain(editor.client.get(address(quiz)))
    assert "Which? 2" in page
    assert "Other? 2" in page


def test_the_page_of_a_question_leads_to_the_quizzes_that_have_asked_it(editor, quiz, question):
    make_quiz(question, slug="never-taken")
    page = editor.page("question", question).content.decode()
    assert page.count("/admin/mpquiz/remarking/quiz/") == 1
    assert f'href="{address(quiz)}?question=q{question.pk}"' in page
    assert "Mark anew" not in editor.page("question", make_question()).content.decode()


def test_whoever_may_not_change_quizzes_is_led_nowhere_from_a_question(staff, quiz, question):
    page = staff("view_question", "change_question").page("question", question)
    assert (page.status_code, "/remarking/" in page.content.decode()) == (200, False)


@pytest.mark.parametrize("model", ["quiz", "question"])
def test_an_id_in_arabic_digits_breaks_no_link(admin, quiz, question, model):
    row = {"quiz": quiz, "question": question}[model]
    number = str(row.pk).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩"))
    response = admin.client.get(f"/en/admin/mpquiz/{model}/{number}/change/")
    assert response.status_code in (200, 302, 404)


def test_each_rule_says_what_it_would_do_and_nothing_is_written(editor, quiz, question):
    page = plain(editor.client.get(address(quiz), {"question": f"q{question.pk}"}))
    assert "Mark by the new key 1 1 0 1 1 0 0" in page
    assert "Take the better of the old and the new key 1 0 1 1 0 0 0" in page
    assert "Full marks for everybody 1 0 1 1 0 0 0" in page
    assert "Leave the question out" in page
    who = plain(preview(editor, quiz, question))
    assert "amal 1 1 / 2 0 / 2 newly failed" in who.replace("\N{NO-BREAK SPACE}", " ")
    assert "badr 1 0 / 2 1 / 2 newly passed" in who.replace("\N{NO-BREAK SPACE}", " ")
    assert not Remarking.objects.exists()
    assert Attempt.objects.get(user__username="amal").score == 1


def test_it_is_done_logged_and_undone(editor, quiz, question):
    response = apply(editor, quiz, question, reason="The key was wrong.")
    row = Remarking.objects.get()
    assert response["Location"] == f"/en/admin/mpquiz/remarking/{row.pk}/change/"
    assert (row.policy, row.reason, row.by.username) == ("new_key", "The key was wrong.", "staff")
    assert [attempt.score for attempt in Attempt.objects.order_by("pk")] == [0, 1]
    page = editor.client.get(response["Location"])
    undo = f"/en/admin/mpquiz/remarking/{row.pk}/undo/"
    assert f'href="{undo}"' in page.content.decode()
    assert "Which?" in plain(editor.list("remarking"))
    assert "2 answers get back the marks" in plain(editor.client.get(undo))
    assert Remarking.objects.get().undone_at is None  # asking undoes nothing
    editor.client.post(undo)
    assert [attempt.score for attempt in Attempt.objects.order_by("pk")] == [1, 0]
    row.refresh_from_db()
    assert row.undone_by.username == "staff"
    assert undo not in editor.client.get(response["Location"]).content.decode()
    again = editor.client.post(undo, follow=True)
    assert "This was undone already." in plain(again)


def test_of_two_the_older_is_not_offered_to_be_undone(editor, quiz, question):
    apply(editor, quiz, question)
    first = Remarking.objects.get()
    editor.client.post(address(quiz), sent(preview(editor, quiz, question, "leave_out")))
    undo = f"/en/admin/mpquiz/remarking/{first.pk}/undo/"
    assert undo not in editor.page("remarking", first).content.decode()
    for send in (editor.client.get, editor.client.post):
        assert "Undo the later re-marking first: Leave the question out" in plain(send(undo, follow=True))
    assert not Remarking.objects.exclude(undone_at=None).exists()


def test_a_question_that_is_deleted_at_that_very_moment_is_told(editor, quiz, question, monkeypatch):
    def gone(*args, **kwargs):
        raise Refusal("changed", "Something changed since you looked.")

    form = sent(preview(editor, quiz, question))
    monkeypatch.setattr(remarking, "remark", gone)
    monkeypatch.setattr(remarking, "preview", gone)
    response = editor.client.post(address(quiz), form, follow=True)
    assert "Something changed since you looked." in plain(response)
    assert "Which question is to be marked anew?" in plain(response)


def test_what_changed_since_the_preview_is_shown_anew_and_nothing_is_done(editor, quiz, question):
    form = sent(preview(editor, quiz, question), reason="Because.")
    finished(quiz, "carim", right=1)
    response = editor.client.post(address(quiz), form)
    assert response.status_code == 409
    assert "Because." in plain(response)
    assert "here are the numbers anew" in plain(response)
    assert not Remarking.objects.exists()
    assert editor.client.post(address(quiz), sent(response)).status_code == 302


def test_a_question_that_was_deleted_can_be_given_or_left_out(editor, quiz, question):
    question.delete()
    page = editor.client.get(address(quiz)).content.decode()
    name = re.search(r"\?question=(v\d+)", page)[1]
    rules = plain(editor.client.get(address(quiz), {"question": name}))
    assert "Full marks for everybody" in rules
    assert "Mark by the new key" not in rules
    form = sent(editor.client.get(address(quiz), {"question": name, "policy": "full_marks"}))
    assert editor.client.post(address(quiz), form).status_code == 302
    assert [attempt.score for attempt in Attempt.objects.order_by("pk")] == [1, 1]


@pytest.mark.parametrize("name", ["", "q", "q0", "x1", "q" + "9" * 30, "v1'", "qا", "q٣"])
def test_a_name_that_is_none_leads_to_the_choice_of_a_question(editor, quiz, name):
    response = editor.client.get(address(quiz), {"question": name, "policy": "new_key"})
    assert response.status_code == 200
    assert "Which question is to be marked anew?" in plain(response)


def test_a_question_of_another_quiz_is_not_marked_anew_by_it(editor, quiz):
    other = make_question(prompt="Elsewhere?")
    finished(make_quiz(other, slug="other"), "carim", right=1)
    response = editor.client.post(address(quiz), {"question": f"q{other.pk}", "policy": "full_marks"})
    assert "Which question is to be marked anew?" in plain(response)
    assert not Remark.objects.exists()


def test_learners_are_named_to_whoever_may_see_attempts(staff, quiz, question):
    page = plain(preview(staff(*EDITOR), quiz, question))
    assert "amal" not in page
    assert page.count("A learner") == 2


def test_it_takes_the_right_to_change_quizzes(staff, quiz, question, client):
    for stranger in (staff("view_quiz", "view_attempt").client, client):
        refused = (302, 403)
        assert stranger.get(address(quiz)).status_code in refused
        assert (
            stranger.post(address(quiz), {"question": f"q{question.pk}", "policy": "full_marks"}).status_code
            in refused
        )
        assert stranger.get("/en/admin/mpquiz/remarking/").status_code in refused
    assert not Remarking.objects.exists()


def test_whoever_may_see_no_questions_is_not_led_to_one(staff, quiz, question):
    page = staff("view_quiz", "change_quiz").client.get(address(quiz), {"question": f"q{question.pk}"})
    assert "/admin/mpquiz/question/" not in page.content.decode()
    assert "was deleted" not in plain(page)


def test_staff_whom_a_host_shows_one_quiz_mark_no_other_anew(admin, quiz, question, monkeypatch):
    """CVE-2022-40316: a host narrows ``get_queryset``, and every page of these keeps to it."""
    apply(admin, quiz, question)
    row = Remarking.objects.get()
    quizzes = type(site.get_model_admin(Quiz))
    all_of_them = quizzes.get_queryset
    monkeypatch.setattr(quizzes, "get_queryset", lambda self, request: all_of_them(self, request).exclude(pk=quiz.pk))
    form = {"question": f"q{question.pk}", "policy": "full_marks", "fingerprint": "x"}
    undo = f"/en/admin/mpquiz/remarking/{row.pk}/undo/"
    answers = [
        admin.client.get(address(quiz), form),
        admin.client.post(address(quiz), form),
        admin.client.get(undo),
        admin.client.post(undo),
    ]
    assert [answer.status_code for answer in answers] == [404] * 4
    assert list(admin.list("remarking").context_data["cl"].result_list) == []
    assert admin.page("remarking", row).status_code == 302
    assert "/remarking/quiz/" not in admin.page("question", question).content.decode()
    row.refresh_from_db()
    assert (row.undone_at, Remarking.objects.count()) == (None, 1)


def test_a_host_that_judges_each_quiz_is_asked_about_each(admin, quiz, question, monkeypatch):
    apply(admin, quiz, question)
    row = Remarking.objects.get()
    quizzes = type(site.get_model_admin(Quiz))
    monkeypatch.setattr(quizzes, "has_change_permission", lambda self, request, obj=None: obj != quiz)
    for place in (address(quiz), f"/en/admin/mpquiz/remarking/{row.pk}/undo/"):
        assert admin.client.get(place).status_code == 403
        assert admin.client.post(place, {"question": f"q{question.pk}", "policy": "full_marks"}).status_code == 403
    assert admin.page("remarking", row).status_code == 403
    assert Remarking.objects.get().undone_at is None


def test_whoever_may_only_see_a_quiz_is_offered_nothing(staff, quiz):
    assert "/remarking/" not in staff("view_quiz").page("quiz", quiz).content.decode()


def test_a_form_of_another_site_is_refused(editor, quiz, question):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = editor.client.cookies
    response = strict.post(address(quiz), {"question": f"q{question.pk}", "policy": "full_marks"})
    assert response.status_code == 403
    assert not Remarking.objects.exists()


def test_the_pages_take_the_same_queries_for_many_attempts(editor, quiz, question, django_assert_max_num_queries):
    key_is(question, "a")
    for number in range(60):
        finished(quiz, f"learner{number}", right=1)
    key_is(question, "b")
    with django_assert_max_num_queries(25):
        editor.client.get(address(quiz), {"question": f"q{question.pk}"})
    with django_assert_max_num_queries(25):
        page = preview(editor, quiz, question)
    assert "and 12 more" in plain(page)
    with django_assert_max_num_queries(20):
        editor.list("remarking")
