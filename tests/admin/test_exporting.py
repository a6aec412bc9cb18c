"""Taking quizzes and questions out of admin as files."""

import io
import zipfile

import pytest

from mpquiz import formats
from mpquiz.formats import FORMATS
from mpquiz.models import Quiz
from tests.factories import make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


class Exporter:
    def __init__(self, client, model="quiz", language="en"):
        self.client, self.base = client, f"/{language}/admin/mpquiz/{model}/"

    def choose(self, *rows):
        """The page after the list's action."""
        data = {"action": "export", "_selected_action": [row.pk for row in rows]}
        return self.client.post(self.base, data)

    def download(self, *rows, format="yaml", language="", **more):
        ids = ",".join(str(row.pk) for row in rows)
        data = {"ids": ids, "format": format, "language": language, **more}
        return self.client.post(f"{self.base}export/", data)


@pytest.fixture
def exporter(admin):
    return Exporter(admin.client)


@pytest.fixture
def losing(monkeypatch):
    """YAML that says it cannot hold something."""
    whole = FORMATS["yaml"].render

    def render(quiz, *, log=None, **more):
        log.warn(f"<b>hints</b> of {quiz.slug}")
        return whole(quiz, log=log, **more)

    monkeypatch.setattr(FORMATS["yaml"], "render", render)


# Rights ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rights", [(), ("view_quiz",), ("view_question",), ("add_quiz", "add_question")])
def test_who_may_not_see_both_quizzes_and_questions_exports_no_quiz(staff, rights):
    exporter = Exporter(staff(*rights).client)
    quiz = make_quiz()
    assert exporter.client.get(f"{exporter.base}export/?ids={quiz.pk}").status_code == 403
    assert exporter.download(quiz).status_code == 403
    assert "Content-Disposition" not in exporter.choose(quiz)


def test_who_may_see_exports(staff):
    exporter = Exporter(staff("view_quiz", "view_question").client)
    quiz = make_quiz()
    assert exporter.choose(quiz).status_code == 200
    assert exporter.download(quiz)["Content-Disposition"] == 'attachment; filename="floats.yaml"'
    assert f"quiz/export/?ids={quiz.pk}" in exporter.client.get(f"{exporter.base}{quiz.pk}/change/").content.decode()


def test_a_learner_is_sent_to_sign_in(client):
    client.force_login(make_user())
    assert "/login/" in Exporter(client).download(make_quiz()).url


# Quizzes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_list_s_action_asks_for_format_and_language(admin, language):
    quizzes = [make_quiz(), make_quiz(slug="other")]
    page = Exporter(admin.client, language=language).choose(*quizzes)
    form = page.context_data["form"]
    assert form["ids"].value() == ",".join(str(quiz.pk) for quiz in Quiz.objects.all())
    assert [name for name, _label in form.fields["format"].choices] == [
        name for name, module in FORMATS.items() if hasattr(module, "render")
    ]
    assert " style=" not in page.content.decode().split('<div id="content"')[1].split("<svg")[0]


def test_a_quiz_is_downloaded_and_reads_as_it_was(exporter):
    answer = exporter.download(make_quiz(title={"en": "Floats", "ar": "الأعداد"}))
    assert answer["X-Content-Type-Options"] == "nosniff"
    quiz = formats.FORMATS["yaml"].parse(answer.content, language="en").quiz
    assert quiz.title == {"en": "Floats", "ar": "الأعداد"}
    assert len(quiz.questions) == 3


def test_one_language_is_downloaded(exporter):
    answer = exporter.download(make_quiz(title={"en": "Floats", "ar": "الأعداد"}), language="ar")
    assert "الأعداد" in answer.content.decode()
    assert "Floats" not in answer.content.decode()


def test_several_quizzes_come_in_a_zip_by_their_slugs(exporter):
    answer = exporter.download(make_quiz(), make_quiz(slug="other", title="Other"))
    assert answer["Content-Disposition"] == 'attachment; filename="quizzes.zip"'
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert sorted(archive.namelist()) == ["floats.yaml", "other.yaml"]
        assert "Other" in archive.read("other.yaml").decode()


def test_what_a_format_cannot_hold_is_shown_before_the_file(exporter, losing):
    quiz = make_quiz()
    page = exporter.download(quiz)
    assert page.status_code == 200
    assert "Content-Disposition" not in page
    assert "&lt;b&gt;hints&lt;/b&gt; of floats" in page.content.decode()
    seen = page.context_data["form"]["seen"].value()
    assert exporter.download(quiz, seen=seen)["Content-Disposition"] == 'attachment; filename="floats.yaml"'


def test_another_choice_is_shown_its_own_losses_first(exporter, losing):
    quiz = make_quiz()
    seen = exporter.download(quiz, language="en").context_data["form"]["seen"].value()
    assert "Content-Disposition" not in exporter.download(quiz, language="ar", seen=seen)


@pytest.mark.parametrize("ids", ["", "x", "1;2", "-1", "١", "9" * 30, "1,"])
def test_ids_that_are_none_are_refused(exporter, ids):
    page = exporter.client.post(f"{exporter.base}export/", {"ids": ids, "format": "yaml"})
    assert page.context_data["form"].errors


def test_what_is_gone_is_told(exporter):
    quiz = make_quiz()
    Quiz.objects.all().delete()
    quiz.pk = 999
    assert "not there any more" in exporter.download(quiz).content.decode()


@pytest.mark.parametrize("format", ["aiken", "exe", ""])
def test_what_is_not_written_is_refused(exporter, format):
    assert "format" in exporter.download(make_quiz(), format=format).context_data["form"].errors


@pytest.mark.parametrize("format", sorted(name for name, module in FORMATS.items() if hasattr(module, "render")))
def test_every_format_that_is_written_is_downloaded(exporter, format):
    quiz = make_quiz()
    page = exporter.download(quiz, format=format, seen=f"{format}/")
    assert page["Content-Disposition"].startswith('attachment; filename="floats.')
    assert b"Question 1?" in page.content


# Questions ------------------------------------------------------------------------------------------------


def test_questions_are_exported_from_their_list(admin, staff):
    exporter = Exporter(admin.client, "question")
    questions = [make_question(prompt=f"Question {number}?", key=f"site/q{number}") for number in (1, 2)]
    assert exporter.choose(*questions).status_code == 200
    answer = exporter.download(*questions)
    assert answer["Content-Disposition"].startswith("attachment; filename=")
    quiz = formats.FORMATS["yaml"].parse(answer.content, language="en").quiz
    assert [placed.content.prompt["en"] for placed in quiz.questions] == ["Question 1?", "Question 2?"]
    stranger = Exporter(staff("view_quiz").client, "question")
    assert stranger.download(*questions).status_code == 403
