"""The export command: the file that it writes is the one that goes in again."""

import stat
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from mpquiz import exchange
from mpquiz.formats import yaml
from mpquiz.models import Question, Quiz
from tests.factories import make_guide, make_question, make_quiz

pytestmark = pytest.mark.django_db


@pytest.fixture
def quiz():
    texts = {"en": "Which?", "ar": "أيهما؟"}
    return make_quiz(make_question(prompt=texts), title={"en": "Floats", "ar": "أعداد"}, guides=[make_guide()])


def run(*arguments):
    out, err = StringIO(), StringIO()
    call_command("mpquiz_export", *map(str, arguments), stdout=out, stderr=err, no_color=True)
    return out.getvalue(), err.getvalue()


def refused(*arguments):
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    return str(caught.value)


def test_the_file_goes_into_an_empty_site_and_gives_the_same(quiz, tmp_path):
    content = exchange.dump(quiz)
    run("floats", "--output", tmp_path / "floats.yaml")
    Quiz.objects.all().delete()
    Question.objects.all().delete()
    call_command("mpquiz_import", str(tmp_path / "floats.yaml"), stdout=StringIO())
    assert exchange.dump(Quiz.objects.get()) == content


def test_the_standard_output(quiz):
    out, err = run("floats")
    assert yaml.parse(out.encode(), language="en").quiz == exchange.dump(quiz)
    assert err == ""


def test_the_bytes_are_utf8_whatever_the_terminal(quiz, capfdbinary):
    call_command("mpquiz_export", "floats")
    assert capfdbinary.readouterr().out == yaml.render(exchange.dump(quiz))


def test_one_language(quiz):
    out, _ = run("floats", "--language", "ar")
    assert "title: أعداد" in out
    assert "Which?" not in out


def test_a_file_that_is_there_is_replaced_and_keeps_its_mode(quiz, tmp_path):
    path = tmp_path / "floats.yaml"
    path.write_text("old")
    path.chmod(0o640)
    run("floats", "--output", path)
    assert path.read_bytes() == yaml.render(exchange.dump(quiz))
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file_whole(quiz, tmp_path, monkeypatch):
    path = tmp_path / "floats.yaml"
    path.write_text("old")

    def full(*names):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    assert "No space left on device" in refused("floats", "--output", path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_question_kept_elsewhere_is_named_and_told(quiz):
    make_quiz(make_question(key="other/shared"), slug="mixed")
    out, err = run("mixed")
    assert "use: other/shared" in out
    assert "1 question of another namespace" in err


def test_a_format_without_references_gets_what_is_kept_elsewhere_too(quiz):
    make_quiz(make_question(prompt="Shared?", key="other/shared"), slug="mixed")
    out, err = run("mixed", "--format", "gift")
    assert "Shared?" in out
    assert "other/shared" not in err


def test_what_the_format_cannot_hold_is_told(quiz):
    make_quiz(make_question(guides=[quiz.guides.get()]), slug="guided")
    _, err = run("guided", "--format", "gift")
    assert "site/" in err


def test_a_file_that_is_gone_is_told(quiz):
    lost = "0" * 40 + ".png"
    make_quiz(make_question(prompt=f"![a](mpquiz:{lost})"), slug="pictured")
    _, err = run("pictured")
    assert lost in err


@pytest.mark.parametrize("format", ["yaml", "gift", "moodle_xml"])
def test_a_password_never_leaves_the_site_and_its_editor_is_told(quiz, format):
    Quiz.objects.update(password="sesame")
    out, err = run("floats", "--format", format)
    assert "sesame" not in out
    assert "the password" in err


def test_the_rules_of_an_exam_go_along(quiz):
    Quiz.objects.update(time_limit=30, feedback="at_end")
    assert "  feedback: at_end\n  time_limit: 30\n" in run("floats")[0]
    assert "the time limit" in run("floats", "--format", "gift")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none"], "There is no quiz with the slug “none”. There are: floats."),
        (["floats", "--language", "fr"], "its languages are en, ar"),
        (["floats", "--format", "word"], "invalid choice: 'word'"),
        (["floats", "--output", "/no/such/folder/floats.yaml"], "cannot be written: No such file"),
    ],
)
def test_a_wrong_call_is_refused_in_words(quiz, arguments, message):
    assert message in refused(*arguments)
