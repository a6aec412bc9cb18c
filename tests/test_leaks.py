"""Before the answer, nothing that leaves the server depends on the key.

Each page is rendered twice, with other key flags, weights, feedback and explanation and everything else the same:
the bytes of body and headers are equal, with nothing masked.
"""

import re
from collections import Counter
from decimal import Decimal

import pytest
from django.http import response as django_response
from django.middleware import csrf
from django.test import Client

from mpquiz import learners
from mpquiz.models import Answer, Attempt, Choice, Question, QuestionVersion
from tests.factories import learner, make_guide, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db
PAGE = "/en/quizzes/floats/"
IN_LESSON = {"HX-Request": "true", "HX-Target": "floats-mpquiz-stage", "HX-Current-URL": "http://testserver/en/a/"}
WAYS = [{}, {"HX-Request": "true"}, IN_LESSON]


@pytest.fixture(autouse=True)
def fixed_secrets(monkeypatch):
    """What differs between two answers to one browser by chance: masks of the token, nonces, the clock."""
    monkeypatch.setattr(csrf, "_mask_cipher_secret", lambda secret: secret * 2)
    monkeypatch.setattr(csrf, "_unmask_cipher_token", lambda token: token[:32])
    monkeypatch.setattr(learners, "new_nonce", lambda: "nonce")
    monkeypatch.setattr(django_response.time, "time", lambda *_: 1_800_000_000.0)


@pytest.fixture
def user():
    return make_user()


@pytest.fixture(params=["user", "visitor"])
def someone(request, user):
    client = Client()
    client.cookies["csrftoken"] = "a" * 32
    if request.param == "user":
        client.force_login(user)
    return client


def three(kind, **fields):
    guide = make_guide()
    questions = [
        make_question(("One", True), "Two", "Three", prompt=f"Question {n}?", kind=kind, guides=[guide])
        for n in range(1, 4)
    ]
    return make_quiz(*questions, guides=[guide], pass_mark=50, **fields)


def change_the_key():
    """Other right choices, weights, feedback and explanation, in the editors' rows and in what was frozen."""
    for question in Question.objects.all():
        last = question.choices.count()
        for choice in question.choices.all():
            right = choice.place == last
            feedback = {"feedback_en": f"Feedback {choice.place}.", "feedback_ar": "."}
            weight = Decimal(1) if right else Decimal("-0.5")
            Choice.objects.filter(pk=choice.pk).update(right=right, weight=weight, **feedback)
        Question.objects.filter(pk=question.pk).update(explanation_en="Something else.", explanation_ar="غيره.")
        content = Question.objects.get(pk=question.pk).content()
        version = QuestionVersion.objects.create(question=question, digest=content.digest, content=content.to_json())
        Answer.objects.filter(question=question).update(version=version)
        Answer.objects.filter(question=question, marked_with__isnull=False).update(marked_with=version)


def sent(response):
    return response.status_code, sorted(response.headers.items()), response.cookies.output(), response.content


def assert_equal_whatever_the_key(ask):
    ask()  # the first one may set the cookies that both then carry
    before = sent(ask())
    change_the_key()
    assert sent(ask()) == before


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("kind", ["single", "multiple", "true_false"])
def test_the_quiz_page_and_its_preview_tell_nothing(someone, kind, language):
    if kind == "true_false":
        make_quiz(make_question(("Yes", True), "No", kind=kind))
    else:
        three(kind)
    assert_equal_whatever_the_key(lambda: someone.get(f"/{language}/quizzes/floats/"))


@pytest.mark.urls("tests.lessons")
@pytest.mark.parametrize("started", [False, True])
@pytest.mark.parametrize("kind", ["single", "multiple"])
def test_a_lesson_with_the_quiz_in_it_tells_nothing(someone, user, kind, started):
    quiz = three(kind)
    if started:
        begun(someone, user, quiz)
    asked = {"quiz": "floats", "card": "floats", "progress": "", "guide": "floats"}

    def ask():
        lesson, part = someone.get("/en/lessons/floats/", asked), someone.get(f"{PAGE}embedded/", headers=IN_LESSON)
        return sent(lesson), sent(part)

    ask()
    before = ask()
    change_the_key()
    assert ask() == before


@pytest.mark.parametrize("fields", [{"shuffle_choices": True}, {"preview": False}])
def test_the_page_with_a_start_button_tells_nothing(someone, fields):
    three("single", **fields)
    assert_equal_whatever_the_key(lambda: someone.get(PAGE))


def test_the_list_tells_nothing(someone):
    three("single")
    assert_equal_whatever_the_key(lambda: someone.get("/en/quizzes/"))


@pytest.mark.parametrize("headers", WAYS, ids=["page", "in place", "in a lesson"])
@pytest.mark.parametrize("given", [[], ["9"], ["1", "2"]])
def test_a_start_with_no_answer_tells_nothing(someone, given, headers):
    three("single")
    seen = re.search(r'name="seen" value="(\w+)"', someone.get(PAGE).content.decode())[1]
    form = {"number": "1", "seen": seen, "given": given}
    assert someone.post(f"{PAGE}start/", form).status_code == 400
    assert_equal_whatever_the_key(lambda: someone.post(f"{PAGE}start/", form, headers=headers))


@pytest.mark.parametrize("headers", WAYS, ids=["page", "in place", "in a lesson"])
@pytest.mark.parametrize("kind", ["single", "multiple"])
@pytest.mark.parametrize("position", [1, 3])
def test_a_question_of_an_attempt_tells_nothing(someone, user, kind, position, headers):
    attempt = begun(someone, user, three(kind))
    address = f"/en/quizzes/attempts/{attempt.public_id}/{position}/"
    assert someone.get(address).status_code == 200
    assert_equal_whatever_the_key(lambda: someone.get(address, headers=headers))


@pytest.mark.parametrize("headers", WAYS, ids=["page", "in place", "in a lesson"])
@pytest.mark.parametrize("given", [[], ["9"], ["1", "3"]])
def test_a_refused_answer_tells_nothing(someone, user, given, headers):
    attempt = begun(someone, user, three("single"))
    address = f"/en/quizzes/attempts/{attempt.public_id}/2/"
    assert someone.post(address, {"given": given}).status_code == 400
    assert_equal_whatever_the_key(lambda: someone.post(address, {"given": given}, headers=headers))


def test_the_quiz_page_with_an_open_attempt_tells_nothing(someone, user):
    begun(someone, user, three("single"))
    assert_equal_whatever_the_key(lambda: someone.get(PAGE))


@pytest.mark.parametrize("verb", ["finish", "start-over"])
def test_asking_to_finish_and_to_start_over_tells_nothing(someone, user, verb):
    attempt = begun(someone, user, three("single"))
    address = f"/en/quizzes/attempts/{attempt.public_id}/{verb}/"
    assert_equal_whatever_the_key(lambda: someone.post(address, {"number": "2"}))


def test_feedback_does_depend_on_the_key(someone, user):
    """The measure itself: after the answer the bytes differ."""
    attempt = begun(someone, user, three("single"))
    attempt.answer(1, 1)
    address = f"/en/quizzes/attempts/{attempt.public_id}/1/"
    before = sent(someone.get(address))
    change_the_key()
    assert sent(someone.get(address)) != before


@pytest.mark.parametrize("headers", WAYS, ids=["page", "in place", "in a lesson"])
@pytest.mark.parametrize("kind", ["text", "number"])
def test_a_typed_answer_s_question_tells_nothing_of_what_is_accepted(someone, user, kind, headers):
    accepted = [{"text": "One", "value": "1", "right": True}, {"text": "Two", "value": "2"}]
    quiz = make_quiz(*(make_question(*accepted, prompt=f"Question {n}?", kind=kind) for n in (1, 2)))
    attempt = begun(someone, user, quiz)
    address = f"/en/quizzes/attempts/{attempt.public_id}/2/"

    def ask():
        return [
            *sent(someone.get(PAGE)),
            *sent(someone.get(address, headers=headers)),
            *sent(someone.post(address, {"given": ""}, headers=headers)),
        ]

    ask()
    before = ask()
    Choice.objects.filter(place=1).update(text_en="A longer answer*", value="-3.5:0.1")
    change_the_key()
    assert ask() == before


def begun(someone, user, quiz):
    """An attempt of whoever asks."""
    if "sessionid" in someone.cookies:
        return Attempt.objects.start(quiz, learner(user))
    someone.post(f"{PAGE}start/", {"number": "1"})
    return Attempt.objects.get()


def test_over_many_shuffled_attempts_the_place_tells_nothing(client, user):
    choices = [{"text": f"Choice {n}", "right": n == 1} for n in range(1, 5)]
    make_quiz(make_question(*choices), shuffle_choices=True)
    client.force_login(user)
    places: Counter[str] = Counter()
    for number in range(1, 201):
        page = client.post(f"{PAGE}start/", {"number": str(number)}, follow=True).content.decode()
        shown = re.findall(r'name="given" value="(\d)".*?>(Choice \d)<', page)
        assert [place for place, _text in shown] == ["1", "2", "3", "4"]
        places[next(place for place, text in shown if text == "Choice 1")] += 1
        Attempt.objects.get(open=True).finish()
    assert set(places) == {"1", "2", "3", "4"}
    # 50 expected of 200; outside of 20 to 80 less than once in a million runs
    assert all(20 <= count <= 80 for count in places.values()), places
