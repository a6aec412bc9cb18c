"""The page of a quiz and the POST that starts."""

import re

import pytest
from django.contrib.auth.models import Permission
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import translation

from mpquiz.models import Attempt, QuizLanguage
from tests.factories import learner, make_guide, make_question, make_quiz, make_user
from tests.views.conftest import hidden, text, url

pytestmark = pytest.mark.django_db
PAGE = "/en/quizzes/floats/"
START = "/en/quizzes/floats/start/"


def test_the_page_opens_on_the_first_question(amal, quiz):
    page = amal.get(PAGE)
    assert page.status_code == 200
    assert "Question 1 of 3" in text(page)
    assert f'action="{START}"' in text(page)
    assert set(hidden(page)) == {"number", "seen"}


def test_the_page_is_private_and_not_kept(amal, quiz):
    page = amal.get(PAGE)
    assert {"private", "no-cache"} <= set(page["Cache-Control"].replace(" ", "").split(","))
    assert "HX-Request" in page["Vary"]


def test_the_page_says_what_the_quiz_is_about(amal):
    guide = make_guide("floats", "Floats")
    make_quiz(guides=[guide], level="advanced", description="Some *words*.")
    page = text(amal.get(PAGE))
    assert "Quiz linked to a guide" in page
    assert "Advanced level" in page
    assert "<em>words</em>" in page
    assert 'href="/guides/floats/"' in page


def test_the_first_answer_starts_the_attempt_and_leads_to_its_feedback(amal, quiz, user):
    answered = amal.post(START, hidden(amal.get(PAGE)) | {"given": "2"})
    attempt = Attempt.objects.get()
    assert (answered.status_code, answered["Location"]) == (303, url(attempt, 1))
    assert (attempt.user, attempt.answers.get(position=1).state) == (user, "wrong")
    assert "Not this one" in text(amal.get(answered["Location"]))


def test_the_same_start_again_lands_in_the_same_attempt(amal, quiz):
    form = hidden(amal.get(PAGE)) | {"given": "2"}
    first = amal.post(START, form)
    Attempt.objects.get().finish()
    assert amal.post(START, form)["Location"] == first["Location"]
    assert Attempt.objects.count() == 1


def test_a_visitor_s_two_presses_of_one_button_are_one_guest(quiz):
    form = hidden(Client().get(PAGE)) | {"given": "1"}
    assert "guest" in form
    assert Client().post(START, form)["Location"] == Client().post(START, form)["Location"]


def test_looking_at_pages_makes_no_session(client, quiz):
    for path in ("/en/quizzes/", PAGE, "/en/quizzes/mine/"):
        assert client.get(path).status_code == 200
    assert not Session.objects.exists()
    assert "sessionid" not in client.cookies


@pytest.mark.parametrize(
    "given", [{}, {"given": "9"}, {"given": "x"}, {"given": ["1", "2"]}, {"given": ["1"] * 10_000}]
)
def test_a_start_with_no_answer_says_so_at_the_question_and_starts_nothing(settings, client, quiz, given):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = None
    form = hidden(client.get(PAGE))
    page = client.post(START, form | given)
    assert page.status_code == 400
    assert 'id="mpquiz-error"' in text(page)
    assert 'aria-describedby="mpquiz-error"' in text(page)
    assert hidden(page) == form
    assert not Attempt.objects.exists()
    assert not Session.objects.exists()


def test_ten_thousand_choices_are_refused(client, quiz):
    assert client.post(START, hidden(client.get(PAGE)) | {"given": ["1"] * 10_000}).status_code == 400
    assert not Attempt.objects.exists()


def test_a_first_question_edited_meanwhile_is_shown_anew_with_the_reason(amal, quiz):
    form = hidden(amal.get(PAGE)) | {"given": "1"}
    question = quiz.questions.first()
    question.prompt_en = "Edited?"
    question.save()
    page = amal.post(START, form)
    assert page.status_code == 409
    assert "Edited?" in text(page)
    assert "This question was changed" in text(page)
    assert " checked" not in text(page)
    assert hidden(page)["seen"] != form["seen"]
    assert not Attempt.objects.exists()


def test_a_first_question_moved_meanwhile_is_shown_anew(amal, quiz):
    form = hidden(amal.get(PAGE)) | {"given": "1"}
    quiz.places.filter(place=1).update(place=9)
    page = amal.post(START, form)
    assert page.status_code == 409
    assert "Question 2?" in text(page)


def test_a_quiz_unpublished_meanwhile_is_closed(amal, quiz):
    form = hidden(amal.get(PAGE)) | {"given": "1"}
    QuizLanguage.objects.all().delete()
    page = amal.post(START, form)
    assert page.status_code == 404
    assert "This quiz is not open." in text(page)
    assert not Attempt.objects.exists()


def test_a_quiz_emptied_meanwhile_is_closed(amal, quiz):
    form = hidden(amal.get(PAGE)) | {"given": "1"}
    quiz.questions.all().delete()
    page = amal.post(START, form)
    assert page.status_code == 403
    assert "no questions yet" in text(page)


def test_a_question_half_done_is_not_asked(amal):
    make_quiz(make_question("Only one"), make_question(prompt="Sound?"))
    page = text(amal.get(PAGE))
    assert "Question 1 of 1" in page
    assert "Sound?" in page


def test_a_quiz_without_questions_says_so_and_has_no_form(amal):
    make_quiz(make_question("Only one"))
    page = amal.get(PAGE)
    assert page.status_code == 200
    assert "no questions yet" in text(page)
    assert "<form" not in text(page)


@pytest.mark.parametrize("fields", [{"shuffle_choices": True}, {"preview": False}])
def test_a_quiz_that_cannot_be_read_before_has_a_start_button(amal, fields):
    make_quiz(**fields)
    page = amal.get(PAGE)
    assert 'name="given"' not in text(page)
    assert set(hidden(page)) == {"number"}
    started = amal.post(START, hidden(page))
    assert started["Location"] == url(Attempt.objects.get(), 1)


def test_the_preview_is_there_only_where_the_quiz_allows_it(amal, quiz):
    assert "Question 3?" in text(amal.get(PAGE))
    quiz.preview = False
    quiz.save()
    assert "Question 3?" not in text(amal.get(PAGE))


def test_an_open_attempt_goes_on_at_its_next_question(amal, attempt):
    attempt.answer(1, 1)
    page = text(amal.get(PAGE))
    assert "Continue" in page
    assert "Question 2 of 3" in page
    assert f'action="{url(attempt, 2)}"' in page
    assert f'action="{url(attempt, "start-over")}"' in page


@pytest.mark.parametrize("number", ["", "x", "-1", "9" * 50, "٣"])
def test_a_number_that_is_none_is_no_harm(amal, quiz, number):
    assert amal.post(START, {"number": number}).status_code == 303


@pytest.mark.parametrize("nonce", ["", "x", "a:b:c", "ا" * 1000])
def test_a_forged_nonce_makes_a_new_guest(client, quiz, nonce):
    form = hidden(client.get(PAGE)) | {"given": "1", "guest": nonce}
    assert client.post(START, form).status_code == 303


def test_the_address_that_starts_leads_back_when_it_is_only_opened(amal, quiz):
    response = amal.get(START)
    assert (response.status_code, response.url) == (302, PAGE)
    assert not Attempt.objects.exists()


def test_a_draft_is_not_there(amal):
    make_quiz(published=())
    assert amal.get(PAGE).status_code == 404
    assert amal.post(START, {}).status_code == 404


def test_staff_see_a_draft_with_a_notice_and_may_try_it(client):
    make_quiz(published=())
    editor = make_user("editor", is_staff=True)
    editor.user_permissions.add(Permission.objects.get(codename="view_quiz"))
    client.force_login(editor)
    page = client.get(PAGE)
    assert "Draft: only staff see this page." in text(page)
    client.post(START, hidden(page) | {"given": "1"})
    assert Attempt.objects.get().trial


def test_staff_without_the_right_see_no_draft(client):
    make_quiz(published=())
    client.force_login(make_user("editor", is_staff=True))
    assert client.get(PAGE).status_code == 404


def test_an_archived_quiz_is_not_there(amal):
    make_quiz(archived=True)
    assert amal.get(PAGE).status_code == 404


def test_a_quiz_in_another_language_says_where_it_is(amal):
    make_quiz(published=["ar"], title={"ar": "الفاصلة العائمة"})
    page = amal.get(PAGE)
    assert page.status_code == 404
    assert 'href="/ar/quizzes/floats/" lang="ar" hreflang="ar" dir="rtl"' in text(page)
    assert '<h1 class="mpquiz-title" lang="ar" dir="rtl">' in text(page)
    assert amal.get("/ar/quizzes/floats/").status_code == 200


def test_no_quiz_is_not_there(amal):
    assert amal.get("/en/quizzes/nothing/").status_code == 404
    assert amal.post("/en/quizzes/nothing/start/").status_code == 404


def test_two_languages_of_texts_say_which_they_are(amal):
    first = make_question(
        {"text": {"en": "None", "ar": "لا شيء"}, "right": True},
        {"text": {"en": "One", "ar": "واحد"}},
        {"text": {"en": "Only here"}},
        prompt="How many bits has a sign?",
    )
    whole = make_question(
        {"text": {"ar": "نعم", "en": "Yes"}, "right": True}, {"text": {"ar": "لا", "en": "No"}}, prompt={"ar": "هل؟"}
    )
    english = make_question(prompt="Wholly English?")
    make_quiz(first, whole, english, title={"ar": "البت"})
    page = text(amal.get("/ar/quizzes/floats/"))
    assert '<article class="mpquiz" lang="ar" dir="rtl">' in page
    assert '<div class="mpquiz-prompt" id="mpquiz-prompt" lang="en" dir="ltr"><p>How many bits' in page
    assert '<bdi lang="ar" dir="rtl">لا شيء</bdi>' in page
    assert '<bdi lang="en" dir="ltr">Only here</bdi>' in page
    assert '<div lang="ar" dir="rtl"><p>هل؟</p>' in page
    assert '<div lang="en" dir="ltr"><p>Wholly English?</p>' in page


def test_an_arabic_text_on_an_english_page_says_so(amal):
    make_quiz(make_question(prompt={"ar": "هل؟"}), title={"ar": "البت"})
    page = text(amal.get(PAGE))
    assert '<article class="mpquiz" lang="en" dir="ltr">' in page
    assert '<h1 class="mpquiz-title" lang="ar" dir="rtl">البت</h1>' in page
    assert 'id="mpquiz-prompt" lang="ar" dir="rtl"' in page


def test_the_list_shows_what_is_published_here_and_how_the_learner_stands(amal, user, quiz):
    make_quiz(slug="arabic", title="Arabic only", published=["ar"], count=1)
    make_quiz(slug="draft", title="Draft", published=(), count=1)
    other = make_quiz(slug="other", title="Other", count=2)
    done = Attempt.objects.start(other, learner(user))
    done.answer(1, 1)
    done.answer(2, 2)
    Attempt.objects.start(quiz, learner(user))
    page = text(amal.get("/en/quizzes/"))
    assert "Floating point" in page
    assert "Continue" in page
    assert 'Your best: <bdi dir="ltr">50\N{NO-BREAK SPACE}%</bdi>' in page
    assert "Arabic only" not in page
    assert "Draft" not in page
    assert "3 questions" in page


def test_a_long_list_comes_a_hundred_at_a_time(client, django_assert_max_num_queries):
    for number in range(120):
        make_quiz(slug=f"quiz-{number:03}", title=f"Quiz {number:03}", place=number, count=1)
    pages = {}
    for number in ("1", "2", "99", "x"):  # beyond the last one, or no number: what is nearest
        with django_assert_max_num_queries(3):
            pages[number] = text(client.get("/en/quizzes/", {"page": number}))
    titles = {number: re.findall(r"Quiz \d{3}", page) for number, page in pages.items()}
    assert (len(titles["1"]), len(titles["2"])) == (100, 20)
    assert not set(titles["1"]) & set(titles["2"])
    assert (titles["99"], titles["x"]) == (titles["2"], titles["1"])
    assert 'rel="next" href="?page=2">Next<' in pages["1"] and 'rel="prev"' not in pages["1"]
    assert 'rel="prev" href="?page=1">Previous<' in pages["2"] and 'rel="next"' not in pages["2"]


def test_an_empty_list_says_so(client):
    assert "no quizzes in this language" in text(client.get("/en/quizzes/"))


@pytest.fixture
def partly_translated(db):
    """Eight questions: the first prompt untranslated over Arabic choices, two wholly Arabic, five English."""
    arabic = [{"text": {"ar": "خانة", "en": "A digit"}, "right": True}, {"text": {"ar": "إشارة", "en": "A sign"}}]
    first = make_question(*arabic, prompt="What does a mantissa add?")
    second, third = [make_question(*arabic, prompt={"ar": f"ما هذا {n}؟", "en": f"What is {n}?"}) for n in (2, 3)]
    others = [make_question(("A range", True), "A sum", prompt=f"What is {n}?") for n in range(4, 9)]
    return make_quiz(first, second, third, *others, title={"ar": "الفاصلة"}, published=["ar"])


def test_each_text_of_a_partly_translated_quiz_says_its_language(amal, partly_translated):
    page = text(amal.get("/ar/quizzes/floats/"))
    prompts = re.findall(r'<div lang="(\w+)" dir="(\w+)"><p>', page)
    assert prompts == [("en", "ltr"), ("ar", "rtl"), ("ar", "rtl"), *[("en", "ltr")] * 5]
    choices = re.findall(r'<li class="mpquiz-listed-one"><bdi lang="(\w+)" dir="(\w+)">', page)
    assert choices == [("ar", "rtl")] * 6 + [("en", "ltr")] * 10


def test_each_question_of_a_partly_translated_quiz_says_its_language(amal, user, partly_translated):
    with translation.override("ar"):
        attempt = Attempt.objects.start(partly_translated, learner(user))
    expected = [("en", "ar"), ("ar", "ar"), ("ar", "ar"), *[("en", "en")] * 5]
    for position, languages in enumerate(expected, 1):
        page = text(amal.get(url(attempt, position, "ar")))
        prompt = re.search(r'id="mpquiz-prompt" lang="(\w+)"', page)[1]
        choices = re.findall(r'<bdi lang="(\w+)"', page)
        assert (prompt, *choices) == (languages[0], *[languages[1]] * 2)


def test_a_plain_start_that_lands_in_an_open_attempt_goes_on_where_it_stopped(client):
    user = make_user()
    client.force_login(user)
    attempt = Attempt.objects.start(make_quiz(), learner(user))
    attempt.answer(1, 1)
    response = client.post("/en/quizzes/floats/start/", {"number": "1"})
    assert (response.status_code, response.url) == (303, f"/en/quizzes/attempts/{attempt.public_id}/2/")


def test_a_second_tab_that_starts_with_another_answer_is_told_that_the_first_counts(amal, quiz):
    form = hidden(amal.get(PAGE))
    amal.post(START, {**form, "given": "1"})
    response = amal.post(START, {**form, "given": "2"})
    assert (response.status_code, response.url.split("?")[1]) == (303, "notice=answered")
    assert "Your first answer counts" in text(amal.get(response.url))


def test_a_first_answer_to_a_question_changed_since_lands_with_the_reason(amal, quiz):
    form = hidden(amal.get(PAGE))
    question = quiz.questions.first()
    question.prompt_en = "Another?"
    question.save()
    amal.post(START, {"number": "1"})
    response = amal.post(START, {**form, "given": "1"})
    assert "was changed" in text(amal.get(response.url))
    assert Attempt.objects.get().answers.filter(answered_at=None).count() == 3
