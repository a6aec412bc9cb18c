"""The results of a quiz in admin: the list of its attempts, and each read as its learner saw it."""

import csv
import io
import struct
from datetime import timedelta

import openpyxl
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from mpquiz import result_tables, spreadsheets
from mpquiz.admin.languages import own_name
from mpquiz.models import Attempt, Question, Quiz
from mpquiz.rules import EVERYTHING
from tests.admin.conftest import Editor
from tests.factories import learner, make_essay, make_page, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db

TWO = {"text": {"en": "Two", "ar": "اثنان"}, "right": True}
THREE = {"text": {"en": "Three", "ar": "ثلاثة"}}


def bilingual(**fields):
    """Two questions of two choices, in both languages."""
    fields.setdefault("pass_mark", 50)
    questions = [
        make_question(
            TWO, THREE, prompt={"en": f"Question {n}?", "ar": f"السؤال {n}؟"}, explanation={"en": "So it is."}
        )
        for n in (1, 2)
    ]
    return make_quiz(*questions, **fields)


def taken(quiz, name, *given, language="en", finish=True):
    attempt = Attempt.objects.start(quiz, learner(make_user(name)))
    for position, one in enumerate(given, 1):
        attempt.answer(position, one, language=language)
    if finish:
        attempt.finish()
    attempt.refresh_from_db()
    return attempt


def listed(editor, quiz, **query):
    page = editor.list("attempt", quiz__id__exact=quiz.pk, **query)
    assert page.status_code == 200
    return list(page.context_data["cl"].result_list)


def read(editor, attempt, language="en"):
    return editor.client.get(f"/{language}/admin/mpquiz/attempt/{attempt.pk}/read/")


# The list ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_page_of_a_quiz_leads_to_its_results(admin, language):
    admin.language = language
    quiz, other = bilingual(), make_quiz(slug="other")
    attempt = taken(quiz, "amal", 1, 1)
    taken(other, "badr", 1)
    address = admin.page("quiz", quiz).context_data["results_url"]
    page = admin.client.get(address)
    assert list(page.context_data["cl"].result_list) == [attempt]
    html = page.content.decode()
    for told in ("amal", "2\xa0/\xa02", f"/{language}/admin/mpquiz/attempt/{attempt.pk}/read/"):
        assert told in html
    if language == "en":
        assert "Results: Floating point" in html


def test_results_are_narrowed_by_state(admin):
    quiz = bilingual()
    done, running = taken(quiz, "done", 1, 1), taken(quiz, "running", finish=False)
    late, left = taken(quiz, "late", finish=False), taken(quiz, "left", finish=False)
    left.abandon()
    Attempt.objects.filter(pk=late.pk).update(deadline=timezone.now() - timedelta(minutes=1))
    for state, expected in (("open", [running]), ("finished", [done]), ("time_up", [late]), ("abandoned", [left])):
        assert listed(admin, quiz, state=state) == expected
    assert len(listed(admin, quiz, state="nonsense")) == 4


def test_results_are_narrowed_by_whether_they_passed_as_each_of_them_says(admin):
    quiz = bilingual(pass_mark="50.01")
    good, bad, half = taken(quiz, "good", 1, 1), taken(quiz, "bad", 2, 2), taken(quiz, "half", 1, 2)
    running, left = taken(quiz, "running", 1, finish=False), taken(quiz, "left", 1, finish=False)
    left.abandon()
    Quiz.objects.update(pass_mark=None)
    quiz.refresh_from_db()
    free = taken(quiz, "free", 1, 1)  # started once the quiz had no pass mark
    rows = {one.pk: one for one in Attempt.objects.all()}
    assert {one for one in rows.values() if one.passed} == {good}
    assert {one for one in rows.values() if one.passed is False} == {bad, half}
    assert listed(admin, quiz, passed="yes") == [good]
    assert listed(admin, quiz, passed="no") == [half, bad]
    assert len(listed(admin, quiz)) == 6
    assert free.passed is running.passed is None


@pytest.mark.parametrize(
    ("score", "maximum", "mark"),
    [("0.57", "1", "57"), ("0.07", "1", "7"), ("1.999999999", "3", "66.66"), ("1.999999999", "3", "66.67")],
)
def test_the_database_reckons_as_exactly_as_the_attempt(admin, score, maximum, mark):
    attempt = taken(bilingual(pass_mark=mark), "amal", 1, 1)
    Attempt.objects.update(score=score, maximum=maximum)
    attempt = Attempt.objects.get()
    assert attempt.passed is not None
    assert listed(admin, attempt.quiz, passed="yes") == ([attempt] if attempt.passed else [])
    assert listed(admin, attempt.quiz, passed="no") == ([] if attempt.passed else [attempt])


def test_while_an_answer_waits_nobody_has_failed(admin):
    quiz = make_quiz(make_question(), make_essay(), pass_mark=90)
    attempt = taken(quiz, "amal", 1, "Because.")
    assert attempt.waiting == 1
    assert listed(admin, quiz, passed="no") == []


def test_results_are_narrowed_by_the_language_that_was_read(admin):
    quiz = bilingual()
    english, arabic = taken(quiz, "english", 1, 2), taken(quiz, "arabic", 1, 2, language="ar")
    both = Attempt.objects.start(quiz, learner(make_user("both")))
    both.answer(1, 1, language="en")
    both.answer(2, 1, language="ar")
    assert listed(admin, quiz, language="en") == [both, english]
    assert listed(admin, quiz, language="ar") == [both, arabic]
    html = admin.list("attempt", quiz__id__exact=quiz.pk, language="en").content.decode()
    column = [cell.split("</td>")[0] for cell in html.split('<td class="field-languages_read">')[1:]]
    assert [("English" in cell, own_name("ar") in cell) for cell in column] == [(True, True), (True, False)]
    assert '<bdi lang="ar" dir="rtl">' in column[0]


def test_results_are_narrowed_by_day_trial_and_name(admin):
    quiz = bilingual()
    old, new = taken(quiz, "old", 1), taken(quiz, "new", 1)
    Attempt.objects.filter(pk=old.pk).update(started_at="2026-03-01T23:30:00Z")
    Attempt.objects.filter(pk=new.pk).update(started_at="2026-03-02T00:00:00Z", trial=True)
    assert listed(admin, quiz, **{"from": "2026-03-02"}) == [new]
    assert listed(admin, quiz, to="2026-03-01") == [old]
    assert listed(admin, quiz, **{"from": "2026-03-01", "to": "2026-03-02"}) == [new, old]
    for odd in ("yesterday", "2026-02-31", "0001-01-01", "9999-12-31", ""):
        assert admin.list("attempt", **{"from": odd, "to": odd}).status_code == 200
    assert listed(admin, quiz, trial__exact=1) == [new]
    assert listed(admin, quiz, q="old") == [old]
    form = admin.list("attempt", quiz__id__exact=quiz.pk, q="old", **{"from": "2026-03-01"}).content.decode()
    form = form.split('<form class="mpquiz-days"')[1].split("</form>")[0]
    assert f'name="quiz__id__exact" value="{quiz.pk}"' in form
    assert 'name="from" value="2026-03-01"' in form


def test_results_are_sorted_by_any_column_of_a_quiz(admin):
    quiz = bilingual()
    first, second = taken(quiz, "zaynab", 1, 1), taken(quiz, "amal", 2, 2)
    Attempt.objects.filter(pk=first.pk).update(finished_at=first.started_at + timedelta(hours=1))
    Attempt.objects.filter(pk=second.pk).update(started_at=first.started_at - timedelta(days=1))
    Attempt.objects.filter(pk=second.pk).update(finished_at=first.started_at)
    columns = admin.list("attempt", quiz__id__exact=quiz.pk).context_data["cl"].list_display
    for name, lower in (("learner", second), ("started_at", second), ("took", first), ("result", second)):
        rising = listed(admin, quiz, o=columns.index(name))
        assert (name, rising[0]) == (name, lower)
        assert listed(admin, quiz, o=f"-{columns.index(name)}") == rising[::-1]
    assert listed(admin, quiz) == [second, first]  # the newest first


def test_all_attempts_offer_no_sorting_that_would_look_at_each(admin):
    taken(bilingual(), "amal", 1)
    assert "sortable" not in admin.list("attempt").content.decode()


def test_the_filter_of_quizzes_offers_some_and_the_chosen_one_alone(admin):
    quizzes = [make_quiz(slug=f"quiz-{n}", title=f"Quiz {n}", count=1) for n in range(25)]
    html = admin.list("attempt").content.decode()
    assert html.count("?quiz__id__exact=") == 20
    assert "More: choose in the list of quizzes" in html
    chosen = admin.list("attempt", quiz__id__exact=quizzes[24].pk)
    spec = chosen.context_data["cl"].filter_specs[0]
    assert [name for _value, name in spec.lookup_choices] == [quizzes[24]]


def test_the_lists_take_as_many_queries_for_forty_as_for_three(admin, query_count):
    quiz = bilingual()
    pages = [
        lambda: admin.list("attempt"),
        lambda: admin.list("attempt", quiz__id__exact=quiz.pk),
        lambda: admin.list("attempt", quiz__id__exact=quiz.pk, o="1", state="finished", language="en"),
    ]
    for number in range(3):
        taken(quiz, f"learner-{number}", 1, 2)
    few = [query_count(page) for page in pages]
    for number in range(3, 40):
        taken(quiz, f"learner-{number}", 1, 2, language="ar" if number % 2 else "en")
    assert [query_count(page) for page in pages] == few
    assert max(few) <= 9


# One attempt ------------------------------------------------------------------------------------------------


def test_an_attempt_is_read_in_the_language_of_each_answer_and_with_the_right_ones(admin):
    attempt = Attempt.objects.start(bilingual(show_right_answer="never", show_score="never"), learner(make_user()))
    attempt.answer(1, 2, language="ar")
    attempt.answer(2, 1, language="en")
    html = read(admin, attempt).content.decode()
    arabic, english = html.split('<li class="mpquiz-one">')[1:]
    assert '<div class="mpquiz mpquiz-side" lang="ar" dir="rtl">' in arabic
    assert "السؤال 1" in arabic
    assert arabic.count('data-state="wrong"') == 2
    assert arabic.count('data-state="right"') == 1
    assert "اثنان" in arabic
    assert '<div class="mpquiz mpquiz-side" lang="en" dir="ltr">' in english
    assert "Question 2?" in english
    assert "Your answer, right" in english
    assert "So it is." in english


def test_the_choices_stand_as_this_learner_saw_them(admin):
    attempt = Attempt.objects.start(bilingual(shuffle_choices=True), learner(make_user()))
    for position, order in ((1, ["b", "a"]), (2, ["a", "b"])):
        attempt.answers.filter(position=position).update(order=order)
    one, two = read(admin, attempt).content.decode().split('<li class="mpquiz-one">')[1:]
    assert one.index("Three") < one.index("Two")
    assert two.index("Two") < two.index("Three")


def test_it_is_said_what_the_learner_sees_and_the_editor_sees_all(admin):
    quiz = bilingual(show_right_answer="never", show_explanation="never")
    attempt = taken(quiz, "amal", 2, 2)
    page = read(admin, attempt)
    seen = {str(name): seen for name, seen in page.context_data["read"].seen_by_learner}
    assert seen == {"right or wrong": True, "score": True, "right answer": False, "explanation": False}
    assert "So it is." in page.content.decode()
    admin.client.force_login(attempt.user)
    own = admin.client.get(f"/en/quizzes/attempts/{attempt.public_id}/").content.decode()
    assert "So it is." not in own
    assert "Right answer" not in own


def test_what_an_editor_reads_leaves_what_its_learner_sees_as_it_was():
    attempt = taken(bilingual(show_right_answer="never"), "amal", 1)
    again = Attempt.objects.get(pk=attempt.pk)
    again.for_editor = True
    assert again.sight == EVERYTHING
    assert not Attempt.objects.get(pk=attempt.pk).sight.right_answer
    assert Attempt.for_editor is False


def test_a_question_that_was_changed_or_deleted_is_read_as_it_was_asked(admin):
    attempt = taken(bilingual(), "amal", 1, 2)
    Question.objects.update(prompt_en="Quite another?")
    Question.objects.last().delete()
    html = read(admin, attempt).content.decode()
    assert "Question 1?" in html
    assert "Question 2?" in html
    assert "Quite another?" not in html


def test_pages_to_read_are_not_numbered(admin):
    attempt = taken(make_quiz(make_page(), make_question(prompt="First?")), "amal")
    assert [one.number for one in read(admin, attempt).context_data["read"].answers] == [None, 1]


def test_reading_takes_as_many_queries_for_thirty_questions_as_for_three(admin, query_count):
    few, many = (taken(make_quiz(slug=f"of-{n}", count=n), f"learner-{n}", 1, 2) for n in (3, 30))
    expected = query_count(lambda: read(admin, few))
    assert query_count(lambda: read(admin, many)) == expected
    assert expected <= 5


def test_what_a_learner_wrote_is_shown_escaped(admin):
    quiz = make_quiz(make_essay())
    html = read(admin, taken(quiz, "amal", "<script>alert(1)</script>")).content.decode()
    assert "&lt;script&gt;alert(1)" in html
    assert "<script>alert" not in html


# Rights -----------------------------------------------------------------------------------------------------


def test_whoever_may_not_view_attempts_reads_none(staff):
    attempt = taken(bilingual(), "amal", 1)
    stranger = staff("view_quiz", "change_quiz")
    assert read(stranger, attempt).status_code == 403
    assert stranger.list("attempt", quiz__id__exact=attempt.quiz_id).status_code == 403
    assert "results_url" not in stranger.page("quiz", attempt.quiz).context_data


def test_whoever_may_view_attempts_reads_them(staff):
    attempt = taken(bilingual(), "amal", 1)
    reader = staff("view_attempt", "view_quiz")
    assert read(reader, attempt).status_code == 200
    assert listed(reader, attempt.quiz) == [attempt]


def test_a_learner_is_sent_to_sign_in(client):
    attempt = taken(bilingual(), "amal", 1)
    client.force_login(attempt.user)
    answer = client.get(f"/en/admin/mpquiz/attempt/{attempt.pk}/read/")
    assert answer.status_code == 302
    assert "/login/" in answer["Location"]


@pytest.mark.parametrize("odd", ["0", "-1", "x", "9" * 40, "1 OR 1=1", "١"])
def test_an_id_that_is_none_is_not_there(admin, odd):
    assert admin.client.get(f"/en/admin/mpquiz/attempt/{odd}/read/").status_code == 404


def only_mine(user, quizzes, doing):
    """A host's rule: the results of one quiz, and every quiz to change."""
    return quizzes.filter(slug="mine") if doing == "results" else quizzes


def test_a_stranger_by_the_host_s_rule_finds_no_attempt_of_another_quiz(staff, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": only_mine}
    mine, theirs = bilingual(slug="mine"), bilingual(slug="theirs")
    own, other = taken(mine, "amal", 1), taken(theirs, "badr", 1)
    editor = staff("view_attempt", "view_quiz", "change_quiz")
    assert (read(editor, own).status_code, read(editor, other).status_code) == (200, 404)
    assert listed(editor, mine) == [own]
    assert listed(editor, theirs) == []
    assert list(editor.list("attempt").context_data["cl"].result_list) == [own]
    assert "theirs" not in editor.list("attempt", quiz__id__exact=theirs.pk).content.decode()
    assert "results_url" in editor.page("quiz", mine).context_data
    assert "results_url" not in editor.page("quiz", theirs).context_data


# Downloads --------------------------------------------------------------------------------------------------


def download(editor, quiz, format="csv", *, by_question=False, language="en", query="", **more):
    data = {"format": format, **({"by_question": "on"} if by_question else {}), **more}
    address = f"/{language}/admin/mpquiz/attempt/download/?quiz__id__exact={quiz.pk}{query}"
    return editor.client.post(address, data)


def content_of(answer):
    assert answer.status_code == 200
    assert answer.streaming, answer.content
    return b"".join(answer.streaming_content)


def rows_of(answer):
    return list(csv.reader(io.StringIO(content_of(answer).decode("utf-8-sig"), newline="")))


def test_the_list_leads_to_a_page_that_tells_how_many_rows_there_will_be(admin):
    quiz = bilingual()
    for number in range(3):
        taken(quiz, f"learner-{number}", 1)
    Attempt.objects.filter(user__username="learner-0").update(trial=True)
    assert "download_url" not in admin.list("attempt").context_data
    address = admin.list("attempt", quiz__id__exact=quiz.pk, trial__exact="0").context_data["download_url"]
    html = admin.client.get(address).content.decode()
    assert "The file will have 2 rows" in html
    assert 'data-rows="2" data-name="results-floats"' in html


def test_a_csv_has_a_row_for_each_attempt(admin):
    quiz = bilingual()
    taken(quiz, "amal", 1, 2)
    taken(quiz, "=cmd", 1, 1, language="ar")
    taken(quiz, "running", 2, finish=False)
    answer = download(admin, quiz)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="results-floats.csv"'
    heading, *rows = rows_of(answer)
    assert heading[:3] == ["Learner", "Attempt", "Started"]
    assert [[row[0], *row[4:]] for row in rows] == [
        ["amal", "Finished", "1", "2", "50", "Yes", "en", "Yes"],
        ["'=cmd", "Finished", "2", "2", "100", "Yes", "ar", "Yes"],
        ["running", "Open", "0", "2", "0", "", "en", "No"],
    ]
    assert rows[2][3] == ""


def test_guests_and_the_erased_are_named_so(admin):
    quiz = bilingual()
    Attempt.objects.start(quiz, learner(guest="token"))
    erased = taken(quiz, "amal", 1)
    erased.user.delete()
    assert [row[0] for row in rows_of(download(admin, quiz))[1:]] == ["Guest", "Erased"]


def test_the_file_has_what_the_list_was_narrowed_to(admin):
    quiz = bilingual()
    taken(quiz, "amal", 1, 1), taken(quiz, "badr", 2, 2)
    taken(make_quiz(slug="other"), "elsewhere", 1)
    assert [row[0] for row in rows_of(download(admin, quiz, query="&passed=no"))[1:]] == ["badr"]
    assert [row[0] for row in rows_of(download(admin, quiz, query="&q=amal"))[1:]] == ["amal"]
    assert [row[0] for row in rows_of(download(admin, quiz, query="&o=-4&p=2"))[1:]] == ["amal", "badr"]


def test_each_question_has_its_answer_in_words_and_its_points(admin):
    choices = {"prompt": {"en": "How *many*?", "ar": "كم؟"}}
    quiz = make_quiz(
        make_page(), make_question(TWO, THREE, **choices), make_essay("Why?"), make_question(prompt="Gone?")
    )
    attempt = taken(quiz, "amal", finish=False)
    for position, given in ((2, 2), (3, "=Because"), (4, 1)):
        attempt.answer(position, given, language="en")
    other = taken(quiz, "badr", finish=False)
    other.answer(2, 1, language="ar")
    Question.objects.get(prompt_en="Gone?").delete()
    heading, first, second = rows_of(download(admin, quiz, by_question=True))
    assert heading[11:] == ["1. How many?", "1. Points", "2. Why?", "2. Points", "3. Gone?", "3. Points"]
    assert first[11:] == ["Three", "0", "'=Because", "", "Right", "1"]
    assert second[11:] == ["Two", "1", "", "", "", ""]
    other.finish()
    assert rows_of(download(admin, quiz, by_question=True))[2][11:] == ["Two", "1", "", "0", "", "0"]
    heading, first, _second = rows_of(download(admin, quiz, by_question=True, language="ar"))
    assert (heading[11], first[11]) == ("1. كم؟", "ثلاثة")


def test_an_excel_file_reads_from_the_right_in_arabic(admin):
    quiz = bilingual()
    attempt = taken(quiz, "=1+1", 1, 2)
    for language, right in (("ar", True), ("en", None)):
        answer = download(admin, quiz, "xlsx", by_question=True, language=language)
        sheet = openpyxl.load_workbook(io.BytesIO(content_of(answer))).active
        assert sheet.sheet_view.rightToLeft is right
        assert [sheet.cell(2, column).value for column in (1, 6, 8, 9, 11)] == ["=1+1", 1, 50, True, True]
        assert sheet.cell(2, 1).data_type == "s"
        assert sheet.cell(2, 3).value == attempt.started_at.replace(tzinfo=None, microsecond=0)
    assert answer["Content-Disposition"] == 'attachment; filename="results-floats.xlsx"'


def test_a_file_keeps_its_language_whatever_is_active_while_it_is_read(admin):
    quiz = bilingual()
    taken(quiz, "amal", 1, 2)
    answer = download(admin, quiz, by_question=True)
    translation.activate("ar")
    row = rows_of(answer)[1]
    assert (row[4], row[8], row[11]) == ("Finished", "Yes", "Two")


def test_a_script_is_told_how_many_rows_are_done(admin, monkeypatch):
    monkeypatch.setattr(result_tables, "CHUNK", 2)
    quiz = bilingual()
    for number in range(5):
        taken(quiz, f"learner-{number}", 1)
    for format in ("csv", "xlsx"):
        data = content_of(download(admin, quiz, format, progress="1"))
        done, parts = [], []
        while True:
            rows, length = struct.unpack(">II", data[:8])
            if length == 2**32 - 1:
                break
            parts.append(data[8 : 8 + length])
            data = data[8 + length :]
            done.append(rows)
        assert (rows, len(data)) == (5, 8)
        assert sorted(set(done)) == [0, 2, 4, 5]
        assert done == sorted(done)
        plain = content_of(download(admin, quiz, format))
        if format == "csv":
            assert b"".join(parts) == plain
        else:
            assert openpyxl.load_workbook(io.BytesIO(b"".join(parts))).active.max_row == 6


@pytest.mark.parametrize("by_question", [False, True])
def test_a_file_takes_as_many_queries_a_chunk_however_many_rows_it_has(admin, monkeypatch, by_question):
    monkeypatch.setattr(result_tables, "CHUNK", 4)
    quiz = bilingual()

    def queries():
        with CaptureQueriesContext(connection) as found:
            content_of(download(admin, quiz, by_question=by_question))
        return len(found)

    numbers = iter(range(100))

    def more(count):
        for _time in range(count):
            taken(quiz, f"learner-{next(numbers)}", 1, 2)

    more(4)
    one = queries()
    more(4)
    two = queries()
    more(8)
    assert (two - one, queries() - two) == (2, 4)


def test_what_no_sheet_holds_is_refused_before_it_is_begun(admin, monkeypatch):
    monkeypatch.setattr(spreadsheets, "MOST_ROWS", 1)
    quiz = bilingual()
    taken(quiz, "amal", 1), taken(quiz, "badr", 1)
    page = download(admin, quiz, "xlsx")
    assert "more than a sheet of Excel holds" in page.content.decode()
    assert len(rows_of(download(admin, quiz))) == 3


@pytest.mark.parametrize("data", [{}, {"format": "exe"}])
def test_a_form_that_says_no_format_is_shown_again(admin, data):
    quiz = bilingual()
    address = f"/en/admin/mpquiz/attempt/download/?quiz__id__exact={quiz.pk}"
    page = admin.client.post(address, data)
    assert (page.status_code, page.streaming) == (200, False)
    assert page.context_data["form"].errors


@pytest.mark.parametrize("query", ["", "?quiz__id__exact=x", "?quiz__id__exact=0", "?quiz__id__exact=999"])
def test_without_a_quiz_there_is_no_file(admin, query):
    taken(bilingual(), "amal", 1)
    for ask in (admin.client.get, admin.client.post):
        assert ask(f"/en/admin/mpquiz/attempt/download/{query}").status_code == 404


def test_whoever_may_not_view_attempts_downloads_nothing(staff, client):
    quiz = bilingual()
    attempt = taken(quiz, "amal", 1)
    assert download(staff("view_quiz", "change_quiz"), quiz).status_code == 403
    client.force_login(attempt.user)
    assert "/login/" in download(Editor(client), quiz)["Location"]


def test_a_stranger_by_the_host_s_rule_downloads_nothing_of_another_quiz(staff, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": only_mine}
    mine, theirs = bilingual(slug="mine"), bilingual(slug="theirs")
    taken(mine, "amal", 1), taken(theirs, "badr", 1)
    editor = staff("view_attempt", "view_quiz", "change_quiz")
    assert download(editor, theirs).status_code == 404
    assert [row[0] for row in rows_of(download(editor, mine))[1:]] == ["amal"]
