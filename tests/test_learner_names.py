"""What a learner is called where staff read it: in admin, in tables for a spreadsheet, in a gradebook."""

import re
from decimal import Decimal
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz.learners import name_columns, name_of
from mpquiz.models import Accommodation, Attempt, Report
from mpquiz.result_tables import ResultTable
from tests.factories import learner, make_essay, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db
README = Path(__file__).resolve().parents[1] / "README.md"


def initials(user):
    return f"{user.first_name[:1]}. {user.last_name}"


@pytest.fixture
def named(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "LEARNER_NAME": "tests.test_learner_names.initials"}


def nada(number=""):
    return make_user(f"nada{number}", first_name="Nada", last_name=f"Saleh{number}")


def test_a_learner_is_called_by_their_full_name_or_else_by_their_username():
    assert name_of(nada()) == "Nada Saleh"
    assert name_of(make_user("plain")) == "plain"


def test_a_host_says_otherwise(named):
    assert name_of(nada()) == "N. Saleh"


def test_the_rule_in_the_readme_names_a_learner(settings):
    [code] = re.findall(r"^def register_name.*?(?=^```)", README.read_text(encoding="utf-8"), re.M | re.S)
    written: dict = {}
    exec(code, written)
    settings.MPQUIZ = {**settings.MPQUIZ, "LEARNER_NAME": written["register_name"]}
    assert name_of(nada()) == "Saleh, Nada"
    assert name_of(make_user("plain")) == "plain"


def test_a_name_that_says_nothing_is_the_username(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "LEARNER_NAME": lambda user: ""}
    assert name_of(nada()) == "nada"


def test_a_user_model_without_full_names_is_enough():
    class Bare:
        def get_username(self):
            return "bare"

    assert name_of(Bare()) == "bare"


def test_a_guest_and_an_erased_learner_have_no_name(named):
    quiz = make_quiz()
    guest = Attempt.objects.start(quiz, learner(guest="token"))
    assert guest.learner_name == "Guest"
    assert Attempt(quiz=quiz).learner_name == "Erased"


def test_an_accommodation_is_for_a_name_or_a_group(named):
    quiz, group = make_quiz(), Group.objects.create(name="Evening")
    theirs = [Accommodation(quiz=quiz, user=nada()), Accommodation(quiz=quiz, group=group)]
    assert [one.named for one in theirs] == ["N. Saleh", "Evening"]
    assert str(theirs[0]) == "N. Saleh: Floating point"


def test_admin_says_the_name_wherever_it_names_a_learner(named, admin_client):
    quiz = make_quiz(make_essay(), make_question(), feedback="at_end")
    user = nada()
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, "Because.")
    attempt.answer(2, 2)
    attempt.finish()
    Report.objects.file(attempt, 2, "It is wrong.", language="en")
    Accommodation.objects.create(quiz=quiz, user=user, time_factor=Decimal("1.5"))
    waiting = attempt.answers.get(position=1)
    for page in (
        "attempt/",
        f"attempt/?quiz__id__exact={quiz.pk}",
        f"attempt/{attempt.pk}/change/",
        f"attempt/{attempt.pk}/read/",
        "waitinganswer/",
        f"waitinganswer/{waiting.pk}/change/",
        "report/",
        "accommodation/",
    ):
        html = admin_client.get(f"/en/admin/mpquiz/{page}").content.decode()
        assert "N. Saleh" in html, page


def test_whoever_would_change_by_marking_anew_is_named(named, admin_client):
    question = make_question(("A", True), "B")
    quiz = make_quiz(question)
    Attempt.objects.start(quiz, learner(nada())).answer(1, 2)
    question.choices.filter(key="a").update(right=False)
    question.choices.filter(key="b").update(right=True)
    chosen = {"question": f"q{question.pk}", "policy": "new_key"}
    page = admin_client.get(f"/en/admin/mpquiz/remarking/quiz/{quiz.pk}/", chosen)
    assert "N. Saleh" in page.content.decode()


def test_a_table_for_a_spreadsheet_says_it(named):
    quiz = make_quiz(count=1)
    Attempt.objects.start(quiz, learner(nada())).answer(1, 1)
    [[row]] = ResultTable(quiz, quiz.attempts.select_related("user"), by_question=False).chunks()
    assert row[0] == "N. Saleh"


@pytest.mark.parametrize("page", ["attempt/?q={}", "waitinganswer/?q={}", "accommodation/?q={}"])
def test_a_learner_is_found_by_what_they_are_called(admin_client, page):
    quiz = make_quiz(make_essay())
    for user in (nada(), make_user("other", first_name="Omar", last_name="Badr")):
        attempt = Attempt.objects.start(quiz, learner(user))
        attempt.answer(1, "Because.")
        Accommodation.objects.create(quiz=quiz, user=user)
    for words in ("Saleh", "nada", "Nada Saleh"):
        html = admin_client.get(f"/en/admin/mpquiz/{page.format(words)}").content.decode()
        assert "Nada Saleh" in html
        assert "Omar" not in html


def test_only_columns_that_the_user_model_has_are_searched():
    assert name_columns("user") == ["user__username", "user__first_name", "user__last_name"]


@pytest.mark.parametrize("page", ["attempt/", "waitinganswer/", "accommodation/", "report/"])
def test_names_take_no_query_for_each_learner(named, admin_client, page):
    quiz = make_quiz(make_essay(), make_question(), feedback="at_end")

    def queries(count):
        for number in range(count):
            attempt = Attempt.objects.start(quiz, learner(nada(f"{count}-{number}")))
            attempt.answer(1, "Because.")
            attempt.finish()
            Report.objects.file(attempt, 2, "It is wrong.", language="en")
            Accommodation.objects.create(quiz=quiz, user=attempt.user)
        with CaptureQueriesContext(connection) as captured:
            assert f"N. Saleh{count}-0" in admin_client.get(f"/en/admin/mpquiz/{page}").content.decode()
        return len(captured)

    assert queries(1) == queries(8)
