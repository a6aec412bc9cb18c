"""The queue of answers to be marked: who sees it, what stands in it, how one is marked and the next comes."""

import re
from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.utils import timezone

from mpquiz.models import Answer, Attempt, QuestionVersion, WaitingAnswer
from tests.admin.conftest import Editor
from tests.factories import learner, make_essay, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db
MODEL = "waitinganswer"


@pytest.fixture
def quiz():
    settings = {"notes": {"en": "Look for the *exponent*.", "ar": "ابحث عن الأس."}}
    essay = make_essay({"en": "Why eight bits?", "ar": "لماذا ثمانية؟"}, settings=settings)
    quiz = make_quiz(essay, make_question())
    quiz.places.filter(place=1).update(points=3)
    return quiz


def hand_in(quiz, name, text="Because."):
    """The essay of a new learner."""
    attempt = Attempt.objects.start(quiz, learner(make_user(name)))
    attempt.answer(1, text)
    return WaitingAnswer.objects.get(attempt=attempt, position=1)


@pytest.fixture
def essay(quiz):
    return hand_in(quiz, "amal")


@pytest.fixture
def marker(staff):
    return staff("change_waitinganswer")


def listed(page):
    return list(page.context_data["cl"].result_list)


def mark(editor, answer, query="", **typed):
    """Fill in the page of an answer as it is now and send it."""
    form = {"points": "2", "comment": "", "revision": str(answer.revision), **typed}
    address = editor.address(MODEL, answer) + query
    return editor.client.post(address, {name: value for name, value in form.items() if value is not None})


def html(page):
    return page.content.decode()


# Who may --------------------------------------------------------------------------------------------------------


def test_a_learner_is_sent_to_sign_in(client, essay):
    for who in (None, essay.attempt.user):
        if who is not None:
            client.force_login(who)
        editor = Editor(client)
        assert editor.list(MODEL).status_code == 302
        assert editor.page(MODEL, essay).status_code == 302
        assert "login" in mark(editor, essay)["Location"]
    assert Answer.objects.waiting().exists()


@pytest.mark.parametrize("permissions", [(), ("change_attempt", "view_attempt", "change_quiz", "change_question")])
def test_staff_without_the_right_to_mark_are_refused(staff, essay, permissions):
    editor = staff(*permissions)
    assert editor.list(MODEL).status_code == 403
    assert editor.page(MODEL, essay).status_code == 403
    assert mark(editor, essay).status_code == 403
    assert Answer.objects.waiting().exists()


def test_whoever_may_only_look_reads_and_does_not_mark(staff, essay):
    reader = staff("view_waitinganswer")
    assert listed(reader.list(MODEL)) == [essay]
    page = reader.page(MODEL, essay)
    assert "Because." in html(page)
    assert 'name="points"' not in html(page)
    assert mark(reader, essay).status_code == 403
    assert Answer.objects.waiting().exists()


def test_the_right_to_mark_is_all_it_takes(marker, essay):
    assert listed(marker.list(MODEL)) == [essay]
    assert mark(marker, essay).status_code == 302
    essay.refresh_from_db()
    assert (essay.mark, essay.marked_by.username) == (2, "staff")


def test_who_may_see_no_attempts_reads_no_name_and_finds_none(staff, essay):
    marker = staff("change_waitinganswer")
    for query in ({}, {"q": "amal"}, {"q": "zzz"}):
        page = marker.list(MODEL, **query)
        assert listed(page) == [essay]
        assert "A learner" in html(page)
        assert "<bdi>amal" not in html(page)
        assert 'id="searchbar"' not in html(page)
    page = html(marker.page(MODEL, essay))
    assert "A learner" in page
    assert "amal" not in page
    teacher = staff("change_waitinganswer", "view_attempt", name="teacher")
    assert listed(teacher.list(MODEL, q="zzz")) == []
    assert "<bdi>amal" in html(teacher.list(MODEL, q="amal"))
    assert "amal" in html(teacher.page(MODEL, essay))


def test_nothing_is_added_or_deleted(admin, essay):
    assert admin.page(MODEL).status_code == 403
    assert admin.client.post(admin.address(MODEL, essay, "delete"), {"post": "yes"}).status_code == 403
    assert 'name="action"' not in html(admin.list(MODEL))


def test_the_queue_has_its_own_entry_in_the_index(marker, essay):
    assert "Answers to be marked" in html(marker.client.get("/en/admin/"))


# The queue ------------------------------------------------------------------------------------------------------


def test_the_queue_is_what_waits_with_the_oldest_first(admin, quiz, essay):
    second = hand_in(quiz, "badr")
    Answer.objects.filter(pk=essay.pk).update(answered_at=timezone.now())
    done = hand_in(quiz, "done")
    done.attempt.mark_by_hand(1, Decimal(1), by=make_user("teacher"))
    left = hand_in(quiz, "left")
    left.attempt.abandon()
    Attempt.objects.start(quiz, learner(make_user("not-yet")))
    assert listed(admin.list(MODEL)) == [second, essay]
    assert listed(admin.list(MODEL, state="marked")) == [done]


def test_the_list_says_who_what_and_how_it_begins(admin, quiz):
    attempt = Attempt.objects.start(quiz, learner(guest="token"))
    Attempt.objects.update(trial=True)
    attempt.answer(1, "*لأن* البت\n" + "الأول " * 50)
    page = html(admin.list(MODEL))
    assert "Guest (Trial)" in page
    assert '<bdi lang="en" dir="ltr">Why eight bits?</bdi>' in page
    assert '<bdi lang="en" dir="ltr">Floating point</bdi>' in page
    assert '<bdi dir="auto">*لأن* البت الأول' in page
    assert "…</bdi>" in page


def test_the_list_says_what_is_practice(admin, quiz, essay):
    attempt = essay.attempt
    attempt.mark_by_hand(1, Decimal(1), by=make_user("teacher"))
    attempt.finish()
    attempt.retry(learner(attempt.user), number=2).answer(1, "Better.")
    assert "<bdi>amal</bdi> (Practice)" in html(admin.list(MODEL))


def test_the_list_is_narrowed_by_quiz_and_question_with_how_many_wait(admin, quiz, essay):
    hand_in(quiz, "badr")
    other_quiz = make_quiz(make_essay("How?"), slug="other", title={"ar": "أخرى"})
    other = hand_in(other_quiz, "other")
    page = admin.list(MODEL)
    assert "Floating point (2)" in html(page)
    assert "أخرى (1)" in html(page)
    assert "How? (1)" in html(page)
    assert listed(admin.list(MODEL, quiz=other_quiz.pk)) == [other]
    assert listed(admin.list(MODEL, question=other.question_id)) == [other]
    for nothing in ("x", "-1", "9" * 40, "٣"):
        assert listed(admin.list(MODEL, quiz=nothing)) == []
    assert listed(admin.list(MODEL, q="badr"))[0].attempt.user.username == "badr"


def test_the_list_takes_as_many_queries_for_thirty_as_for_three(admin, quiz, query_count):
    for number in range(3):
        hand_in(quiz, f"learner-{number}")
    few = query_count(lambda: admin.list(MODEL))
    for number in range(3, 30):
        hand_in(quiz, f"learner-{number}")
        make_quiz(make_essay(), slug=f"more-{number}")
    assert query_count(lambda: admin.list(MODEL)) == few
    assert few <= 12


def test_the_page_takes_as_many_queries_for_thirty_as_for_three(admin, quiz, query_count):
    first, *_others = [hand_in(quiz, f"learner-{number}") for number in range(3)]
    few = query_count(lambda: admin.page(MODEL, first))
    for number in range(3, 30):
        hand_in(quiz, f"learner-{number}")
    assert query_count(lambda: admin.page(MODEL, first)) == few
    assert few <= 6


# One answer -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", ["Why eight bits?", "<em>exponent</em>"]), ("ar", ["لماذا ثمانية؟", "ابحث عن الأس."])],
)
def test_the_page_shows_prompt_notes_and_text_each_in_its_direction(admin, quiz, language, told):
    admin.language = language
    answer = hand_in(quiz, "amal", "لأن <b>البت</b>\nالأول")
    page = html(admin.page(MODEL, answer))
    for words in told:
        assert words in page
    assert 'mpquiz-written" lang="" dir="auto">لأن &lt;b&gt;البت&lt;/b&gt;\nالأول</div>' in page
    assert "From 0 to 3." in page or language == "ar"


@pytest.mark.parametrize("notes", [{"en": 5}, {"en": None}, "Look.", ["Look."], None, 5])
def test_the_page_opens_whatever_stands_for_notes_in_a_question_of_before(admin, notes):
    answer = hand_in(make_quiz(make_essay()), "amal")
    before = answer.version.content | {"settings": {"notes": notes}}
    QuestionVersion.objects.filter(pk=answer.version_id).update(content=before)
    page = admin.page(MODEL, answer)
    assert page.status_code == 200
    assert "mpquiz-notes" not in html(page)
    assert mark(admin, answer, points="1").status_code == 302


@pytest.mark.parametrize("what", ["a question that marks itself", "not answered", "abandoned", "no such answer"])
def test_what_a_person_does_not_mark_is_not_there(admin, quiz, essay, what):
    attempt = essay.attempt
    if what == "a question that marks itself":
        attempt.answer(2, 1)
        essay = WaitingAnswer.objects.get(attempt=attempt, position=2)
    elif what == "not answered":
        essay = WaitingAnswer.objects.get(attempt=Attempt.objects.start(quiz, learner(guest="x")), position=1)
    elif what == "abandoned":
        attempt.abandon()
    else:
        essay.pk = 10**9
    assert admin.page(MODEL, essay).status_code == 404
    assert mark(admin, essay).status_code == 404


@pytest.mark.parametrize("pk", ["x", "9" * 40, "1 OR 1"])
def test_an_id_that_is_none_is_not_there(admin, essay, pk):
    assert admin.client.get(f"/en/admin/mpquiz/waitinganswer/{pk}/change/").status_code == 404


def test_a_mark_is_stored_logged_and_said(admin, essay):
    response = mark(admin, essay, points="2.50", comment="Good.\r\nMore.", _save="x")
    assert response["Location"] == admin.address(MODEL, view="changelist")
    essay.refresh_from_db()
    assert (essay.mark, essay.comment, essay.state) == (Decimal("2.5"), "Good.\nMore.", "partly")
    entry = LogEntry.objects.get()
    assert (entry.object_repr, entry.change_message) == ("Why eight bits?", "Marked: 2.5 of 3.")
    assert "Marked: 2.5 of 3." in html(admin.client.get(response["Location"]))


@pytest.mark.parametrize("points", ["٢٫٥", "۲٫۵", "2,5", "+2.5", " 2.5 "])
def test_points_are_read_in_the_digits_of_any_script(admin, essay, points):
    assert mark(admin, essay, points=points).status_code == 302
    essay.refresh_from_db()
    assert essay.mark == Decimal("2.5")


def test_the_next_one_comes_within_the_filters(admin, quiz, essay):
    other = hand_in(make_quiz(make_essay(), slug="other"), "other")
    second = hand_in(quiz, "badr")
    filters = f"?_changelist_filters=quiz%3D{quiz.pk}"
    following = mark(admin, essay, filters, _next="x")
    assert following["Location"] == admin.address(MODEL, second) + filters
    last = mark(admin, second, filters, _next="x")
    assert last["Location"] == admin.address(MODEL, view="changelist") + f"?quiz={quiz.pk}"
    assert mark(admin, other, points="1", _next="x")["Location"] == admin.address(MODEL, view="changelist")


def test_whoever_skipped_one_comes_back_to_it_after_the_last(admin, quiz, essay):
    second = hand_in(quiz, "badr")
    assert mark(admin, second, _next="x")["Location"] == admin.address(MODEL, essay)


@pytest.mark.parametrize("points", ["", "x", "-1", "٣٫٠١", "3.01", "1.234", "NaN", "Infinity", "9" * 50, None])
def test_points_that_are_none_are_said_at_the_field_and_the_comment_stays(admin, essay, points):
    page = mark(admin, essay, points=points, comment="Kept words.")
    assert page.status_code == 200
    assert 'class="errorlist"' in html(page)
    assert "Kept words." in html(page)
    assert 'aria-invalid="true"' in html(page)
    assert Answer.objects.waiting().exists()


def test_the_second_marker_sees_the_mark_of_the_first_beside_their_own(admin, essay):
    essay.attempt.mark_by_hand(1, Decimal(3), by=make_user("first"), comment="Whole marks.")
    page = mark(admin, essay, points="1", comment="Mine.")
    assert page.status_code == 200
    assert "Somebody else has marked this answer" in html(page)
    assert "Whole marks." in html(page)
    assert "<bdi>first</bdi>" in html(page)
    assert "Mine.</textarea>" in html(page)
    assert WaitingAnswer.objects.get(pk=essay.pk).mark == 3
    revision = re.search(r'name="revision" value="(\d+)"', html(page))[1]
    assert mark(admin, essay, points="1", comment="Mine.", revision=revision).status_code == 302
    assert WaitingAnswer.objects.get(pk=essay.pk).mark == 1


def test_a_double_press_marks_once(admin, essay):
    for _press in range(2):
        assert mark(admin, essay).status_code == 302
    essay.refresh_from_db()
    assert essay.revision == 2


def test_a_mark_is_changed_from_its_page(admin, essay):
    mark(admin, essay, points="2", comment="First.")
    essay.refresh_from_db()
    page = html(admin.page(MODEL, essay))
    assert "Mark it anew" in page
    assert 'name="points" value="2"' in page
    mark(admin, essay, points="3", comment="Second.")
    essay.refresh_from_db()
    assert (essay.mark, essay.comment) == (3, "Second.")
    assert LogEntry.objects.count() == 2


def test_without_points_only_words_are_asked_for(admin):
    quiz = make_quiz(make_essay())
    quiz.places.update(points=0)
    answer = hand_in(quiz, "amal")
    assert 'name="points"' not in html(admin.page(MODEL, answer))
    assert mark(admin, answer, points=None, comment="Thank you.").status_code == 302
    answer.refresh_from_db()
    assert (answer.state, answer.comment) == ("marked", "Thank you.")


def test_a_form_from_elsewhere_is_refused(essay):
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("admin", is_staff=True, is_superuser=True))
    assert mark(Editor(client), essay).status_code == 403


def test_attempts_are_narrowed_by_whether_answers_wait(admin, quiz, essay):
    idle = Attempt.objects.start(quiz, learner(make_user("idle")))
    assert listed(admin.list("attempt", waiting="yes")) == [essay.attempt]
    assert listed(admin.list("attempt", waiting="no")) == [idle]
    assert len(listed(admin.list("attempt", waiting="x"))) == 2
