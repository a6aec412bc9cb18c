"""The gradebook of the course site: a view of a host's own, over the public functions alone."""

import inspect
import re
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext

from project import views
from tests.factories import learner, make_essay, make_question, make_quiz, make_user
from tests.test_gradebook import take

pytestmark = [pytest.mark.usefixtures("course_site"), pytest.mark.django_db]

README = Path(__file__).resolve().parents[2] / "README.md"


@pytest.fixture
def teacher(client):
    """A browser of staff who may see results."""
    user = make_user("teacher", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_attempt"))
    client.force_login(user)
    return client


def cells(page):
    """The words of the table, row by row."""
    rows = re.findall(r"<tr>(.*?)</tr>", page.content.decode(), re.S)
    found = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in rows]
    return [[" ".join(re.sub(r"<[^>]*>", "", cell).replace("\xa0", " ").split()) for cell in row] for row in found]


def test_staff_read_learners_by_quizzes_with_what_counts(teacher):
    passed, essay = make_quiz(slug="a", pass_mark=50, count=2), make_quiz(make_question(), make_essay(), slug="b")
    amal, badr = make_user("amal", first_name="Amal", last_name="Salem"), make_user("badr")
    take(passed, amal, 1, 1)
    take(passed, badr, 2, 2)
    take(essay, badr, 1, "Because.")
    page = teacher.get("/en/gradebook/")
    assert cells(page)[1:] == [
        ["Amal Salem", "100 % passed", "–"],
        ["badr", "0 % not passed", "50 % 1 answer to be marked"],
    ]


def test_a_result_leads_to_the_attempts_behind_it(teacher):
    quiz, amal = make_quiz(count=1), make_user()
    attempt = take(quiz, amal, 1)
    take(quiz, make_user("badr"), 1)
    address = re.search(r'<td><a href="([^"]+)"', teacher.get("/en/gradebook/").content.decode())[1]
    listed = teacher.get(address.replace("&amp;", "&"))
    assert list(listed.context_data["cl"].result_list) == [attempt]


def test_learners_and_strangers_are_shown_nothing(client):
    take(make_quiz(count=1), make_user("amal"), 1)
    assert client.get("/en/gradebook/").headers["Location"] == "/en/sign-in/?next=/en/gradebook/"
    for user in (make_user("stranger"), make_user("staff", is_staff=True)):
        client.force_login(user)
        answer = client.get("/en/gradebook/")
        assert answer.status_code == 403
        assert "amal" not in answer.content.decode()


def test_an_editor_reads_results_of_their_own_quizzes_alone(teacher, settings):
    mine, other = make_quiz(slug="mine", count=1), make_quiz(slug="other", title="Secret", count=1)
    take(mine, make_user("amal"), 1)
    take(other, make_user("badr"), 1)
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": only_mine}
    html = teacher.get("/en/gradebook/").content.decode()
    assert "amal" in html and "badr" not in html and "Secret" not in html


def only_mine(user, quizzes, doing):
    return quizzes.filter(slug="mine") if doing == "results" else quizzes


def test_what_does_not_count_brings_nobody_into_the_gradebook(teacher):
    quiz = make_quiz()
    quiz.attempts.model.objects.start(quiz, learner(make_user("amal"))).abandon()
    assert "Nobody has a result yet." in teacher.get("/en/gradebook/").content.decode()


def test_fifty_learners_stand_on_a_page(teacher):
    quiz = make_quiz(count=1)
    for number in range(51):
        take(quiz, make_user(f"user-{number:02}"), 1)
    first, second = (teacher.get("/en/gradebook/", {"page": number}) for number in (1, 2))
    assert [row[0] for row in cells(first)[1:]] == [f"user-{number:02}" for number in range(50)]
    assert [row[0] for row in cells(second)[1:]] == ["user-50"]
    assert 'rel="next" href="?page=2"' in first.content.decode()
    assert 'rel="prev" href="?page=1"' in second.content.decode()
    assert cells(teacher.get("/en/gradebook/", {"page": "nonsense"})) == cells(first)


def test_many_learners_and_quizzes_take_as_many_queries_as_one(teacher):
    def queries(count):
        quizzes = [make_quiz(slug=f"{count}-{number}", count=1) for number in range(count)]
        for number in range(count):
            user = make_user(f"user-{count}-{number}")
            for quiz in quizzes:
                take(quiz, user, 1)
        with CaptureQueriesContext(connection) as captured:
            assert teacher.get("/en/gradebook/").status_code == 200
        return len(captured)

    assert queries(1) == queries(6) <= 8


def test_the_view_in_the_readme_is_the_one_of_the_site():
    """Without its annotations, which a reader can do without."""
    code = inspect.getsource(views.grades).replace(": HttpRequest) -> HttpResponse", ")")
    assert code in README.read_text(encoding="utf-8")
