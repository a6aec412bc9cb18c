"""Nothing of ours is untranslated, and what is compiled is what was written. Needs gettext."""

import gettext
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PLURAL_FORMS = {"ar": 6, "en": 2}
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%[sd]|\{\w*\}")

Catalogue = dict[str, list[str]]
"""{message: its translations}, one or one for each plural form; a context stands before its message and a \\x04."""

# (what is translated, beside which locale folder, into which language)
CATALOGUES = [("mpquiz", "mpquiz", "ar"), ("mpquiz", "mpquiz", "en"), ("project", ".", "ar")]
each = pytest.mark.parametrize(("sources", "folder", "language"), CATALOGUES, ids=lambda value: str(value))


@pytest.fixture(autouse=True)
def tools() -> None:
    missing = [tool for tool in ("xgettext", "msgfmt", "msgen") if not shutil.which(tool)]
    if missing:
        lacking = pytest.fail if os.environ.get("MPQUIZ_CI") else pytest.skip
        lacking(f"gettext is not installed: {', '.join(missing)}")


def path(folder: str, language: str) -> Path:
    return ROOT / folder / "locale" / language / "LC_MESSAGES" / "django.po"


def run(*command: str, cwd: Path) -> None:
    environ = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    done = subprocess.run(command, cwd=cwd, env=environ, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"


def compiled(mo: Path) -> Catalogue:
    with mo.open("rb") as file:
        raw = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
    found: dict[str, dict[int, str]] = {}
    for key, text in raw.items():
        message, form = key if isinstance(key, tuple) else (key, 0)
        found.setdefault(message, {})[form] = text
    return {message: [forms[form] for form in sorted(forms)] for message, forms in found.items() if message}


def written(folder: str, language: str, tmp_path: Path) -> Catalogue:
    run("msgfmt", "--check", "-o", str(tmp_path / "written.mo"), str(path(folder, language)), cwd=tmp_path)
    return compiled(tmp_path / "written.mo")


def extracted(sources: str, tmp_path: Path) -> Catalogue:
    """What the sources ask to be translated, as English in place of a translation."""
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / sources, copy / sources, ignore=shutil.ignore_patterns("locale", "__pycache__"))
    (copy / "locale").mkdir()
    command = [sys.executable, "-m", "django", "makemessages", "-l", "ar", "--keep-pot", "--no-wrap"]
    run(*command, cwd=copy)
    pot = copy / "locale" / "django.pot"
    pot.write_text(
        pot.read_text(encoding="utf-8").replace("nplurals=INTEGER; plural=EXPRESSION", "nplurals=2; plural=n!=1")
    )
    run("msgen", "-o", "all.po", str(pot), cwd=copy)
    run("msgfmt", "-o", "all.mo", "all.po", cwd=copy)
    return compiled(copy / "all.mo")


@each
def test_every_message_is_translated_and_no_other(sources, folder, language, tmp_path):
    asked, given = extracted(sources, tmp_path), written(folder, language, tmp_path)
    assert sorted(set(asked) - set(given)) == [], "untranslated: run makemessages"
    assert sorted(set(given) - set(asked)) == [], "no longer asked for"


@each
def test_every_plural_form_is_given(sources, folder, language, tmp_path):
    asked, given = extracted(sources, tmp_path), written(folder, language, tmp_path)
    for message, forms in asked.items():
        wanted = PLURAL_FORMS[language] if len(forms) > 1 else 1
        assert len(given.get(message, [])) == wanted, message
        assert all(text.strip() for text in given[message]), message


@each
def test_no_message_is_fuzzy(sources, folder, language):
    assert "fuzzy" not in path(folder, language).read_text(encoding="utf-8")


@each
def test_translations_keep_the_placeholders(sources, folder, language, tmp_path):
    asked, given = extracted(sources, tmp_path), written(folder, language, tmp_path)
    for message, texts in given.items():
        expected = placeholders(asked.get(message, [message]))
        assert placeholders(texts) == expected, message  # a form for one or two may leave the number out


def placeholders(texts: list[str]) -> set[str]:
    return {found for text in texts for found in PLACEHOLDER.findall(text)}


@each
def test_what_is_compiled_is_what_was_written(sources, folder, language, tmp_path):
    assert compiled(path(folder, language).with_suffix(".mo")) == written(folder, language, tmp_path)
