"""The queue of what learners say is wrong with questions."""

import pytest

from mpquiz.models import Attempt, Question, Quiz, Report
from tests.admin.conftest import Editor, words_said
from tests.factories import learner, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db
EDITOR = ("view_question", "change_question")


def reported(quiz, name="amal", note="Wrong.", position=1, language="en"):
    user = make_user(name)
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(position, 1)
    return Report.objects.file(attempt, position, note, language=language)


def listed(editor, **query):
    page = editor.list("report", **query)
    assert page.status_code == 200
    return list(page.context_data["cl"].result_list)


def settle(editor, *reports):
    data = {"action": "settle", "_selected_action": [report.pk for report in reports]}
    return editor.client.post(editor.address("report", view="changelist"), data)


@pytest.fixture
def quiz():
    return make_quiz(make_question(prompt={"en": "How many?", "ar": "كم؟"}), make_question())


def test_the_open_ones_come_first_and_of_those_the_oldest(admin, quiz):
    first, second, third = (reported(quiz, name) for name in ("one", "two", "three"))
    settle(admin, first)
    assert listed(admin) == [second, third, first]
    assert listed(admin, state="open") == [second, third]
    assert listed(admin, state="settled") == [first]


def test_a_report_tells_question_quiz_language_and_who(admin, quiz):
    reported(quiz, note="<b>العدد</b> خطأ", language="ar")
    html = admin.list("report").content.decode()
    for told in ('<bdi dir="auto">&lt;b&gt;العدد', "كم؟", "Floating point", 'lang="ar"', "amal"):
        assert told in html
    page = admin.page("report", Report.objects.get()).content.decode()
    assert '<div class="mpquiz-written" dir="auto">&lt;b&gt;العدد&lt;/b&gt; خطأ</div>' in page
    assert f"/admin/mpquiz/attempt/{Attempt.objects.get().pk}/read/" in page
    assert "amal" in page
    assert 'value="Settle this report"' in page


def test_reports_are_narrowed_by_quiz_language_and_question(admin, quiz):
    other = make_quiz(slug="other", count=1)
    one, two, three = (
        reported(quiz, "one"),
        reported(quiz, "two", position=2, language="ar"),
        reported(other, "three", note="So it is"),
    )
    assert listed(admin, quiz__id__exact=other.pk) == [three]
    assert listed(admin, language="ar") == [two]
    assert listed(admin, question__id__exact=one.question_id) == [one]
    assert listed(admin, question__id__exact="x") == []
    assert listed(admin, q="So it") == [three]


def test_what_is_chosen_is_settled_once_and_by_whom(admin, quiz):
    one, two = reported(quiz, "one"), reported(quiz, "two")
    settle(admin, one)
    before = Report.objects.get(pk=one.pk)
    page = admin.client.get(settle(admin, one, two)["Location"])
    assert words_said(page)[-1] == "1 report is settled."
    after = Report.objects.get(pk=one.pk)
    assert (after.settled_at, after.settled_by.username) == (before.settled_at, "admin")
    assert Report.objects.get(pk=two.pk).settled_at is not None
    history = admin.client.get(admin.address("report", one, "history")).content.decode()
    assert "Settled." in history
    assert "Settle this report" not in admin.page("report", one).content.decode()


def test_the_page_of_a_question_lists_its_open_reports(admin, quiz):
    one, two, other = (
        reported(quiz, "one", note="First."),
        reported(quiz, "two", note="Second."),
        reported(quiz, "three", position=2, note="Elsewhere."),
    )
    settle(admin, one)
    html = admin.page("question", two.question).content.decode()
    assert "1 learner says that something is wrong" in html
    assert admin.address("report", two) in html
    assert "First." not in html
    assert "Elsewhere." not in html
    settle(admin, two, other)
    assert "mpquiz-reports" not in admin.page("question", two.question).content.decode()


def test_no_page_takes_more_queries_for_thirty_than_for_three(admin, quiz, query_count):
    question = quiz.questions.first()
    pages = [lambda: admin.list("report"), lambda: admin.page("question", question)]
    for number in range(3):
        reported(quiz, f"learner-{number}")
    few = [query_count(page) for page in pages]
    for number in range(3, 30):
        reported(quiz, f"learner-{number}")
    assert [query_count(page) for page in pages] == few


def test_the_page_of_a_question_takes_one_query_for_its_reports(admin, quiz, query_count, monkeypatch):
    from mpquiz.admin.reports import ReportAdmin

    reported(quiz)
    question = quiz.questions.first()
    with_them = query_count(lambda: admin.page("question", question))
    monkeypatch.setattr(ReportAdmin, "links_from", lambda self, request, question: {})
    assert with_them - query_count(lambda: admin.page("question", question)) == 1


# Rights -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rights", [(), ("view_question",), ("view_attempt",), ("change_quiz",)])
def test_whoever_may_not_change_questions_finds_none(staff, quiz, rights):
    report = reported(quiz)
    stranger = staff(*rights)
    assert stranger.list("report").status_code == 403
    assert stranger.page("report", report).status_code == 403
    assert settle(stranger, report).status_code == 403
    assert Report.objects.open().count() == 1


def test_a_learner_is_sent_to_sign_in(client, quiz):
    report = reported(quiz)
    client.force_login(report.user)
    assert Editor(client).list("report").status_code == 302
    assert "/login/" in settle(Editor(client), report)["Location"]
    assert Report.objects.open().count() == 1


def test_names_are_only_for_whoever_may_see_attempts(staff, quiz):
    report = reported(quiz, "zaynab")
    editor = staff(*EDITOR)
    for page in (editor.list("report"), editor.page("report", report), editor.page("question", report.question)):
        assert page.status_code == 200
        assert "zaynab" not in page.content.decode()
        assert f"attempt/{report.answer.attempt_id}/" not in page.content.decode()
    settle(editor, report)
    assert not Report.objects.open().exists()


def test_a_report_is_neither_written_nor_deleted_in_admin(admin, quiz):
    report = reported(quiz)
    assert admin.page("report").status_code == 403
    assert admin.client.post(admin.address("report", report), {"note": "Fine."}).status_code == 403
    assert admin.client.post(admin.address("report", report, "delete"), {"post": "yes"}).status_code == 403
    assert Report.objects.get().note == "Wrong."


def mine(user, quizzes, doing):
    return quizzes.filter(slug="mine")


def mine_without_results(user, quizzes, doing):
    return quizzes.filter(slug="mine") if doing == "change" else quizzes.none()


def test_a_stranger_by_the_host_s_rule_finds_no_report_of_another_quiz(staff, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": mine}
    own, other = (reported(make_quiz(slug=slug, count=1), slug) for slug in ("mine", "theirs"))
    editor = staff(*EDITOR, "view_attempt")
    assert listed(editor) == [own]
    assert listed(editor, quiz__id__exact=other.quiz_id) == []
    assert editor.page("report", own).status_code == 200
    assert editor.page("report", other).status_code == 302  # Django's word for what is not there
    settle(editor, own, other)
    assert list(Report.objects.open()) == [other]


def test_names_stay_with_the_quizzes_whose_results_are_the_editor_s(staff, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": mine_without_results}
    report = reported(make_quiz(slug="mine", count=1), "zaynab")
    editor = staff(*EDITOR, "view_attempt")
    assert listed(editor) == [report]
    for page in (editor.list("report"), editor.page("report", report)):
        assert "zaynab" not in page.content.decode()


# Deleting ---------------------------------------------------------------------------------------------------


def test_reports_keep_no_question_and_no_quiz_from_being_deleted(staff, quiz):
    report = reported(quiz)
    editor = staff("view_question", "delete_question", "change_question", "view_quiz", "delete_quiz")
    answer = editor.client.post(editor.address("question", report.question, "delete"), {"post": "yes"})
    assert answer.status_code == 302
    assert not Question.objects.filter(pk=report.question_id).exists()
    assert "deleted since" in editor.list("report").content.decode()
    Attempt.objects.update(trial=True)
    answer = editor.client.post(editor.address("quiz", quiz, "delete"), {"post": "yes"})
    assert answer.status_code == 302
    assert not Quiz.objects.exists()
    assert [(row.question, row.quiz, row.answer) for row in Report.objects.all()] == [(None, None, None)]
    assert editor.list("report").status_code == 200
