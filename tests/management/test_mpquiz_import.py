"""The import command: what it stores, says and refuses."""

import io
import sys
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from mpquiz.models import Question, Quiz
from tests.formats.test_yaml import ONE, SAMPLES

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "one.yaml"
    path.write_text(ONE)
    return path


def run(*arguments, **options):
    """(what it wrote, what it wrote to the standard error)."""
    out, err = StringIO(), StringIO()
    call_command("mpquiz_import", *map(str, arguments), stdout=out, stderr=err, no_color=True, **options)
    return out.getvalue(), err.getvalue()


def refused(*arguments):
    """(the lines of the standard error, the last word)."""
    err = StringIO()
    with pytest.raises(CommandError) as caught:
        call_command("mpquiz_import", *map(str, arguments), stderr=err, no_color=True)
    assert caught.value.returncode == 1
    assert not Quiz.objects.exists()
    return err.getvalue().splitlines(), str(caught.value)


def test_a_file_becomes_a_quiz(file):
    out, err = run(file)
    assert Quiz.objects.get().title_en == "Title"
    assert out.splitlines() == [
        "yaml: 1 question (one right choice: 1)",
        "question handbook/first: created",
        "quiz one: created",
        "The quiz is “one”. It is a draft: learners see it once it is published in admin.",
    ]
    assert err == ""


def test_again_makes_nothing_twice(file):
    run(file)
    out, _ = run(file)
    assert "2 are as the file has them." in out.splitlines()
    assert "created" not in out
    assert (Quiz.objects.count(), Question.objects.count()) == (1, 1)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_the_samples_go_in_without_a_warning_but_that_one_is_half_translated(sample):
    warned = [line.split("warning: ")[1] for line in run(sample)[1].splitlines()]
    half = {
        "en": ("not-equal-to-itself", "past-the-top", "order-of-sums"),
        "ar": ("point-one", "step-above-one", "past-the-top", "order-of-sums", "small-integers"),
    }
    where = {language: ", ".join(f"handbook/{key}" for key in keys) for language, keys in half.items()}
    told = [
        f"Published in “{language}” although texts are missing there: {some}." for language, some in where.items()
    ]
    assert warned == (told if sample.stem == "floating-point" else [])


def test_what_an_editor_changed_is_kept_unless_forced(file):
    run(file)
    Question.objects.filter(key="handbook/first").update(prompt_en="By the editor")
    file.write_text(ONE.replace("Prompt", "New"))
    out, _ = run(file)
    assert "question handbook/first: kept as changed in admin\n" in out
    assert out.endswith("What was kept is overwritten with --force.\n")
    assert Question.objects.get().prompt_en == "By the editor"
    assert "question handbook/first: updated" in run(file, force=True)[0]
    assert Question.objects.get().prompt_en == "New"


def test_a_dry_run_says_what_would_happen_and_does_nothing(file):
    out, _ = run(file, dry_run=True)
    assert "quiz one: created" in out
    assert out.endswith("This was a dry run: nothing was changed.\n")
    assert not Quiz.objects.exists()


def test_every_error_has_file_and_line_and_nothing_is_stored(file):
    file.write_text(ONE.replace("slug: one", "slug: One!").replace("kind: single", "kind: singel"))
    lines, last = refused(file)
    assert [line.split(": ")[0] for line in lines] == [f"{file}:4", f"{file}:8"]
    assert last == "2 errors; nothing was changed."


def test_what_only_the_database_knows_has_its_line_too(file):
    file.write_text(ONE + "    guides: [nowhere]\n  - use: other/none\n")
    lines, _ = refused(file)
    assert sorted(line.split(": ")[0] for line in lines) == [f"{file}:14", f"{file}:15"]


def test_warnings_are_told_with_their_line(file):
    file.write_text(ONE.replace("title: Title", "title: {en: Title, fr: Titre}"))
    _, err = run(file)
    assert err.startswith(f"{file}:5: warning: ")


def test_the_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(ONE.encode())))
    run("-", format="yaml", language="ar")
    assert Quiz.objects.get().title_ar == "Title"


def test_another_slug(file):
    run(file, into="another")
    assert Quiz.objects.get().slug == "another"
    run(file)
    assert Quiz.objects.count() == 2
    assert Question.objects.count() == 1


def test_another_encoding(file):
    file.write_bytes(ONE.replace("Prompt", "سؤال").encode("cp1256"))
    run(file, language="ar", encoding="windows-1256")
    assert Question.objects.get().prompt_ar == "سؤال"


CAPITALS = """\
::Egypt:: The capital of Egypt? {=Cairo ~Alexandria}

::Sudan:: The capital of Sudan? {=Khartoum ~Omdurman}
"""
IN_ARABIC = """\
::مصر:: عاصمة مصر؟ {=القاهرة ~الإسكندرية}

::السودان:: عاصمة السودان؟ {=الخرطوم ~أم درمان}
"""


def test_a_course_in_two_languages_becomes_one_quiz(tmp_path):
    english, arabic = tmp_path / "capitals.gift", tmp_path / "عواصم.gift"
    english.write_text(CAPITALS)
    arabic.write_text(IN_ARABIC)
    run(english, into="capitals")
    out, err = run(arabic, into="capitals", language="ar")
    assert err == ""
    assert "question capitals/q2: filled in (ar)" in out.splitlines()
    first = Quiz.objects.get().places.first().question
    assert (first.prompt_en, first.prompt_ar, first.title_ar) == ("The capital of Egypt?", "عاصمة مصر؟", "مصر")
    assert [choice.text_ar for choice in first.choices.all()] == ["القاهرة", "الإسكندرية"]


def test_the_format_is_recognised(tmp_path):
    path = tmp_path / "capitals.txt"
    path.write_text(CAPITALS)
    out, _ = run(path)
    assert out.startswith("gift: 2 questions (one right choice: 2)\n")
    assert Quiz.objects.get().slug.startswith("import-")
    assert not Quiz.objects.get().published_languages


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{folder}"], "cannot be read: Is a directory"),
        (["no-such-file.yaml"], "No such file"),
        (["{file}", "--format", "word"], "invalid choice: 'word'"),
        (["{folder}.yaml"], "cannot be read"),
    ],
)
def test_a_wrong_call_is_refused_in_words(file, arguments, message):
    (file.parent / "folder.yaml").mkdir()
    (file.parent / "folder").mkdir()
    given = [argument.format(file=file, folder=file.parent / "folder") for argument in arguments]
    assert message in refused(*given)[1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--language", "fr"], "This site has no texts in “fr”; its languages are en, ar."),
        (["--into", "Not A Slug"], "“Not A Slug” is no slug"),
        (["--encoding", "klingon"], "There is no encoding named “klingon”"),
    ],
)
def test_what_cannot_be_done_is_told_with_the_file(file, options, message):
    lines, last = refused(file, *options)
    assert len(lines) == 1
    assert lines[0].startswith(f"{file}: {message}")
    assert last == "1 error; nothing was changed."


def test_a_file_that_does_not_tell_its_format(tmp_path):
    path = tmp_path / "letter.txt"
    path.write_text("Dear all")
    lines, _ = refused(path)
    assert lines == [
        f"{path}: The format cannot be told from the name or the content. Name it: yaml, gift, moodle_xml, aiken."
    ]
