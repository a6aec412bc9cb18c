"""Attempts in admin are read, never changed."""

import pytest

from mpquiz.models import Answer, Attempt
from tests.factories import learner, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def attempt():
    question = make_question(
        ({"text": {"en": "Five", "ar": "خمسة"}, "right": True}),
        {"text": {"en": "Six", "ar": "ستة"}},
        prompt={"en": "How many?", "ar": "كم؟"},
    )
    attempt = Attempt.objects.start(make_quiz(question, make_question()), learner(make_user()))
    attempt.answer(1, 2)
    return attempt


@pytest.mark.parametrize(("language", "told"), [("en", ["How many?", "Six", "Wrong"]), ("ar", ["كم؟", "ستة"])])
def test_an_attempt_is_read_with_its_answers_in_words(admin, attempt, language, told):
    admin.language = language
    page = admin.page("attempt", attempt)
    html = page.content.decode()
    for text in told:
        assert text in html
    assert "amal" in html
    assert 'name="_save"' not in html
    assert 'name="answers-0-position"' not in html


def test_an_attempt_is_not_added_or_changed(admin, attempt):
    assert admin.page("attempt").status_code == 403
    before = Answer.objects.values_list("given", "fraction").get(position=1)
    data = {
        "answers-TOTAL_FORMS": 1,
        "answers-INITIAL_FORMS": 1,
        "answers-0-id": 1,
        "answers-0-fraction": 1,
        "score": 9,
    }
    assert admin.client.post(admin.address("attempt", attempt), data).status_code == 403
    attempt.refresh_from_db()
    assert attempt.score == 0
    assert Answer.objects.values_list("given", "fraction").get(position=1) == before


def test_an_attempt_is_not_deleted_in_admin_even_by_a_superuser(admin, attempt):
    assert admin.client.post(admin.address("attempt", attempt, "delete"), {"post": "yes"}).status_code == 403
    assert Attempt.objects.exists()


def test_an_attempt_is_not_deleted_by_whoever_may_only_look(staff, attempt):
    reader = staff("view_attempt")
    assert reader.page("attempt", attempt).status_code == 200
    assert reader.client.post(reader.address("attempt", attempt, "delete"), {"post": "yes"}).status_code == 403


def test_what_a_learner_was_asked_is_shown_escaped(admin):
    question = make_question(("<img src=x onerror=alert(1)>", True), "No", prompt="<script>alert(1)</script> a")
    attempt = Attempt.objects.start(make_quiz(question), learner(guest="<b>"))
    attempt.answer(1, 1)
    html = admin.page("attempt", attempt).content.decode()
    assert "<script>alert" not in html
    assert "onerror=alert(1)>" not in html


def test_the_list_is_narrowed_by_quiz_end_and_trial(admin, attempt):
    quiz = attempt.quiz
    for query in ({"quiz__id__exact": quiz.pk}, {"trial__exact": 0}):
        assert list(admin.list("attempt", **query).context["cl"].result_list) == [attempt]
    for query in ({"ended__exact": "finished"}, {"trial__exact": 1}):
        assert list(admin.list("attempt", **query).context["cl"].result_list) == []


def test_an_attempt_is_found_by_its_learner(admin, attempt):
    assert list(admin.list("attempt", q="amal").context["cl"].result_list) == [attempt]
    assert list(admin.list("attempt", q="badr").context["cl"].result_list) == []


def test_the_list_takes_as_many_queries_for_thirty_as_for_three(admin, attempt, query_count):
    def start(numbers):
        for number in numbers:
            Attempt.objects.start(attempt.quiz, learner(make_user(f"learner-{number}")))

    start(range(2))
    few = query_count(lambda: admin.list("attempt"))
    start(range(2, 30))
    assert query_count(lambda: admin.list("attempt")) == few


def test_the_page_takes_as_many_queries_for_thirty_answers_as_for_three(admin, query_count):
    few, many = (
        Attempt.objects.start(make_quiz(slug=f"of-{count}", count=count), learner(make_user(f"learner-{count}")))
        for count in (3, 30)
    )
    expected = query_count(lambda: admin.page("attempt", few))
    assert query_count(lambda: admin.page("attempt", many)) == expected
