"""Deleting quizzes, questions and tags: what it means is said in numbers, and what learners did stays whole."""

import re

import pytest
from django.db.models import ProtectedError

from mpquiz.models import (
    Accommodation,
    Answer,
    Attempt,
    Policy,
    Pool,
    Question,
    QuestionVersion,
    Quiz,
    QuizQuestion,
    Remarking,
    Tag,
)
from tests.admin.conftest import words_said
from tests.factories import learner, make_pool, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db

EDITOR = ("view_quiz", "change_quiz", "delete_quiz", "view_question", "delete_question", "view_tag", "delete_tag")


def start(quiz, name, **more):
    return Attempt.objects.start(quiz, learner(name if not isinstance(name, str) else make_user(name)), **more)


def finished(quiz, name, *, right=0):
    attempt = start(quiz, name)
    for position in range(1, right + 1):
        attempt.answer(position, 1)
    attempt.finish()
    return attempt


@pytest.fixture
def taken():
    """Finished and practised by amal, running for badr and a guest, tried by staff, abandoned by carim."""
    quiz = make_quiz()
    amal = make_user("amal")
    attempt = finished(quiz, amal, right=1)
    attempt.retry(learner(amal), number=2).finish()
    start(quiz, "badr")
    Attempt.objects.start(quiz, learner(guest="guest"))
    start(quiz, make_user("editor", is_staff=True, is_superuser=True), trial=True).finish()
    start(quiz, "carim").abandon()
    return quiz


@pytest.fixture
def tried():
    """A quiz in which there is nothing but trials, one of them marked anew."""
    quiz = make_quiz()
    staff = make_user("editor", is_staff=True, is_superuser=True)
    attempt = start(quiz, staff, trial=True)
    attempt.finish()
    start(quiz, staff, trial=True)
    version = QuestionVersion.objects.first()
    row = Remarking.objects.create(quiz=quiz, policy=Policy.FULL_MARKS, version=version)
    row.remarks.create(
        answer=attempt.answers.first(), old_score=0, old_maximum=3, new_score=1, new_maximum=3, revision=1
    )
    return quiz


def numbers(html):
    """What the page says was done in each quiz."""
    pairs = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", html)
    return {name: int(count) for name, count in pairs}


def asking(admin, model, row):
    page = admin.client.get(admin.address(model, row, "delete"))
    assert page.status_code == 200
    return page.content.decode()


def deleting(admin, model, row):
    return admin.client.post(admin.address(model, row, "delete"), {"post": "yes"})


def asking_for(admin, model, *rows, **more):
    """The page that the list's action shows, or what it does once it was confirmed."""
    data = {"action": "delete_selected", "_selected_action": [row.pk for row in rows], **more}
    return admin.client.post(admin.address(model, view="changelist"), data)


# A quiz that was taken ----------------------------------------------------------------------------------


def test_a_quiz_that_was_taken_is_not_deleted_and_the_page_says_in_numbers_why(admin, taken):
    html = asking(admin, "quiz", taken)
    assert "A quiz that was taken is not deleted" in html
    assert numbers(html) == {
        "Attempts": 5,
        "Learners": 4,
        "Running now": 2,
        "Results that count": 1,
        "Practice of missed questions": 1,
        "Trials by staff": 1,
    }
    before = list(Answer.objects.order_by("pk").values())
    assert deleting(admin, "quiz", taken).status_code == 200
    assert list(Answer.objects.order_by("pk").values()) == before


def test_the_page_offers_to_archive_instead_and_its_button_does(admin, taken):
    form = asking(admin, "quiz", taken).split('method="post" action="/en/admin/mpquiz/quiz/">')[1]
    sent = dict(re.findall(r'name="(action|_selected_action)" value="(\w+)"', form.split("</form>")[0]))
    assert sent == {"action": "archive", "_selected_action": str(taken.pk)}
    page = admin.client.post("/en/admin/mpquiz/quiz/", sent, follow=True)
    assert words_said(page) == ["1 quiz is archived."]
    taken.refresh_from_db()
    assert taken.archived
    assert "Archive instead" not in asking(admin, "quiz", taken)
    assert "It is in the archive already." in asking(admin, "quiz", taken)


def test_whoever_may_not_change_quizzes_is_offered_no_archive(staff, taken):
    html = asking(staff("view_quiz", "delete_quiz"), "quiz", taken)
    assert "A quiz that was taken is not deleted" in html
    assert "Archive instead" not in html


def test_a_running_attempt_goes_on_after_its_quiz_was_archived(admin, taken):
    attempt = Attempt.objects.get(user__username="badr")
    admin.client.post("/en/admin/mpquiz/quiz/", {"action": "archive", "_selected_action": taken.pk})
    for position in (1, 2, 3):
        attempt.answer(position, 1)
    attempt.refresh_from_db()
    assert (attempt.ended, attempt.percent) == ("finished", 100)


def test_the_list_s_action_deletes_no_quiz_that_was_taken_nor_any_chosen_with_it(admin, taken):
    other = make_quiz(slug="other")
    html = asking_for(admin, "quiz", taken, other).content.decode()
    assert numbers(html)["Attempts"] == 5
    assert html.count("<dl ") == 1
    asking_for(admin, "quiz", taken, other, post="yes")
    assert Quiz.objects.count() == 2


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_pages_that_refuse_open_in_both_languages(admin, taken, language):
    admin.language = language
    assert asking(admin, "quiz", taken)
    assert asking_for(admin, "quiz", taken).status_code == 200


def test_the_page_that_refuses_takes_as_many_queries_for_many_attempts(admin, taken, query_count):
    few = query_count(lambda: admin.client.get(admin.address("quiz", taken, "delete")))
    for number in range(20):
        Attempt.objects.start(taken, learner(guest=f"guest-{number}"))
    assert query_count(lambda: admin.client.get(admin.address("quiz", taken, "delete"))) == few


# A quiz that nobody took --------------------------------------------------------------------------------


def test_a_quiz_that_nobody_took_is_deleted_without_its_questions(admin):
    quiz = make_quiz()
    assert "Questions of the quiz: 3" in re.sub(r"\s+", " ", asking(admin, "quiz", quiz))
    deleting(admin, "quiz", quiz)
    assert not Quiz.objects.exists()
    assert Question.objects.count() == 3


def test_trials_are_deleted_along_with_their_quiz_and_the_page_says_how_many(admin, tried):
    assert "Trials by staff: 2" in re.sub(r"\s+", " ", asking(admin, "quiz", tried))
    assert deleting(admin, "quiz", tried).status_code == 302
    assert not Quiz.objects.exists()
    assert not Attempt.objects.exists()
    assert not Remarking.objects.exists()


def test_the_list_s_action_deletes_trials_along(admin, tried):
    other = make_quiz(slug="other")
    asking_for(admin, "quiz", tried, other, post="yes")
    assert not Quiz.objects.exists()
    assert not Attempt.objects.exists()


@pytest.mark.parametrize("way", [deleting, lambda admin, model, row: asking_for(admin, model, row, post="yes")])
def test_an_attempt_that_starts_between_question_and_answer_stops_it_whole(admin, tried, way, monkeypatch):
    """A learner starts once the page has looked, and before the rows are deleted."""
    deleted = Attempt.objects.none().__class__.delete

    def delete_late(rows):
        if not Attempt.objects.filter(trial=False).exists():
            start(tried, "amal")
        return deleted(rows)

    monkeypatch.setattr(Attempt.objects.none().__class__, "delete", delete_late)
    answer = way(admin, "quiz", tried)
    assert answer.status_code == 302
    page = admin.client.get(answer.headers["Location"])
    assert ["came into use" in one for one in words_said(page)] == [True]
    assert Quiz.objects.exists()
    assert Attempt.objects.filter(trial=True).count() == 2


def test_accommodations_are_deleted_along_only_by_whoever_may(staff):
    quiz = make_quiz()
    Accommodation.objects.create(quiz=quiz, user=make_user("amal"))
    editor = staff(*EDITOR)
    html = asking(editor, "quiz", quiz)
    assert "permission to delete" in html
    assert "amal" not in html
    assert deleting(editor, "quiz", quiz).status_code == 403
    assert Accommodation.objects.exists()


def test_whoever_may_not_delete_quizzes_is_refused(staff):
    quiz = make_quiz()
    reader = staff("view_quiz", "change_quiz")
    assert reader.client.get(reader.address("quiz", quiz, "delete")).status_code == 403
    asking_for(reader, "quiz", quiz, post="yes")
    assert Quiz.objects.exists()


def test_the_page_that_asks_takes_as_many_queries_for_thirty_questions_as_for_three(admin, query_count):
    few, many = make_quiz(), make_quiz(slug="many", count=30)
    expected = query_count(lambda: admin.client.get(admin.address("quiz", few, "delete")))
    assert query_count(lambda: admin.client.get(admin.address("quiz", many, "delete"))) == expected


# A question ---------------------------------------------------------------------------------------------


def test_deleting_a_question_says_where_it_stands_and_in_how_many_attempts_it_was_asked(admin, taken):
    question = taken.questions.order_by("places__place").last()
    other = make_quiz(question, slug="other", title="<Other>")
    html = asking(admin, "question", question)
    assert "It stands in 2 quizzes, which stay and ask it no longer" in html
    assert f'<a href="/en/admin/mpquiz/quiz/{other.pk}/change/"><bdi dir="auto">&lt;Other&gt;</bdi></a>' in html
    assert "It was asked in 5 attempts, which stay whole, with their scores." in html
    assert "2 of them are running, and go on with it." in html


def test_attempts_stay_whole_without_the_question(admin, taken):
    question = taken.questions.order_by("places__place").first()
    scores = dict(Attempt.objects.values_list("pk", "score"))
    running = Attempt.objects.get(user__username="badr")
    assert deleting(admin, "question", question).status_code == 302
    assert dict(Attempt.objects.values_list("pk", "score")) == scores
    for position in (1, 2, 3):
        running.answer(position, 1)
    running.refresh_from_db()
    assert (running.ended, running.percent) == ("finished", 100)
    for attempt in Attempt.objects.all():
        assert [answer.content.prompt["en"] for answer in attempt.answers.all()]
    assert Answer.objects.filter(question=None).exists()


def test_a_question_that_nobody_was_asked_says_so(admin):
    html = asking(admin, "question", make_question())
    assert "It stands in no quiz." in html
    assert "No learner was asked it." in html


def test_questions_are_deleted_from_the_list_and_each_is_told_of(admin, taken):
    questions = list(taken.questions.all())
    html = asking_for(admin, "question", *questions).content.decode()
    assert html.count("It stands in 1 quiz, which stays and asks it no longer") == 3
    asking_for(admin, "question", *questions, post="yes")
    assert not Question.objects.exists()
    assert Attempt.objects.count() == 6


def test_the_names_of_quizzes_are_not_told_to_whoever_may_not_see_them(staff, taken):
    html = asking(staff("view_question", "delete_question"), "question", taken.questions.first())
    assert "It stands in 1 quiz," in html
    assert "Floating point" not in html


def test_asking_takes_as_many_queries_for_thirty_questions_as_for_three(admin, query_count):
    few, many = make_quiz(), make_quiz(slug="many", count=30)
    for quiz in (few, many):
        start(quiz, f"of-{quiz.slug}")
    expected = query_count(lambda: asking_for(admin, "question", *few.questions.all()))
    assert query_count(lambda: asking_for(admin, "question", *many.questions.all())) == expected


# A tag --------------------------------------------------------------------------------------------------


def test_a_tag_from_which_quizzes_draw_is_not_deleted_and_the_page_says_which(admin):
    quiz, tag = make_quiz(), make_tag("Algebra", make_question())
    make_pool(quiz, tag)
    html = asking(admin, "tag", tag)
    assert "Take its pool out of them first." in html
    assert "1 quiz draws from “Algebra”" in html
    assert f'<a href="/en/admin/mpquiz/quiz/{quiz.pk}/change/"><bdi dir="auto">Floating point</bdi></a>' in html
    assert deleting(admin, "tag", tag).status_code == 200
    page = asking_for(admin, "tag", tag, make_tag("Other"), post="yes")
    assert "1 quiz draws from “Algebra”" in page.content.decode()
    assert (Tag.objects.count(), Pool.objects.count()) == (2, 1)


def test_their_names_are_not_told_to_whoever_may_not_see_them(staff):
    tag = make_tag("Algebra")
    make_pool(make_quiz(), tag)
    html = asking(staff("view_tag", "delete_tag"), "tag", tag)
    assert "1 quiz draws from “Algebra”" in html
    assert "Floating point" not in html


def test_another_tag_is_deleted_and_its_questions_stay(admin):
    tag = make_tag("Algebra", make_question(), make_question())
    assert "2 questions have it, and stay without it." in asking(admin, "tag", tag)
    deleting(admin, "tag", tag)
    assert not Tag.objects.exists()
    assert Question.objects.count() == 2


def test_a_pool_that_comes_between_question_and_answer_keeps_the_tag(admin, monkeypatch):
    tag = make_tag("Algebra")
    quiz = make_quiz()
    deleted = Tag.delete

    def delete_late(row, *args, **kwargs):
        make_pool(quiz, tag)
        return deleted(row, *args, **kwargs)

    monkeypatch.setattr(Tag, "delete", delete_late)
    assert deleting(admin, "tag", tag).status_code == 302
    assert Tag.objects.exists()


def test_a_script_that_deletes_a_quiz_that_was_taken_fails(taken):
    with pytest.raises(ProtectedError):
        taken.delete()
    assert QuizQuestion.objects.count() == 3
