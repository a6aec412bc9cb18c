"""The built wheel: what it holds, and that a fresh project which only follows the README's five steps works with it.

The steps are read out of README.md, so that a README which is wrong fails here. Needs PyPI.
"""

import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STEPS = 5
EXPECTED = (
    "mpquiz/py.typed",
    "mpquiz/migrations/0001_initial.py",
    "mpquiz/templates/mpquiz/quiz.html",
    "mpquiz/static/mpquiz/quiz.css",
    "mpquiz/static/mpquiz/quiz.js",
    "mpquiz/locale/ar/LC_MESSAGES/django.mo",
    "mpquiz/locale/en/LC_MESSAGES/django.mo",
)
# What the fresh site needs to be looked at from outside; the README's steps do the rest.
SMOKE = """
from django.test import Client
from mpquiz.models import Question, Choice, Quiz, QuizLanguage, QuizQuestion
quiz = Quiz.objects.create(slug="first", title_en="First", title_ar="الأول")
question = Question.objects.create(prompt_ar="أيهما؟")
Choice.objects.create(question=question, place=1, text_ar="هذا", right=True)
Choice.objects.create(question=question, place=2, text_en="That")
QuizQuestion.objects.create(quiz=quiz, question=question, place=1)
QuizLanguage.objects.create(quiz=quiz, language="ar")
client = Client(headers={"host": "localhost"})
page = client.get("/ar/quizzes/first/").content.decode()
assert "أيهما؟" in page and "تحقّق من الإجابة" in page and 'dir="rtl"' in page, page
number, seen, guest = (page.split(f'name="{name}" value="')[1].split('"')[0] for name in ("number", "seen", "guest"))
form = {"number": number, "seen": seen, "guest": guest, "given": "1"}
answer = client.post("/ar/quizzes/first/start/", form, follow=True)
assert answer.status_code == 200 and "إجابة صحيحة" in answer.content.decode(), answer.content.decode()
assert client.get("/en/quizzes/").status_code == 200
"""


def run(*command: str, cwd: Path) -> None:
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")


def build(into: Path) -> Path:
    """The wheel of what git tracks, built in a copy."""
    copy = into / "source"
    run("git", "-c", "safe.directory=*", "clone", "--quiet", str(ROOT), str(copy), cwd=into)
    run(sys.executable, "-m", "build", "--wheel", "--outdir", str(into), str(copy), cwd=into)
    return next(into.glob("*.whl"))


def check_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    strangers = [name for name in names if not re.match(r"mpquiz(-[\d.]+\.dist-info)?/", name)]
    missing = [name for name in EXPECTED if name not in names]
    if strangers or missing:
        sys.exit(f"The wheel holds {strangers} and lacks {missing}.")


def steps() -> list[tuple[str, str]]:
    """The code blocks (language, code) of the README's section on installing."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Install into an existing site")[1].split("\n## ")[0]
    blocks = re.findall(r"^ *```(\w+)\n(.*?)^ *```", section, re.MULTILINE | re.DOTALL)
    if len(blocks) != STEPS:
        sys.exit(f"README.md: {len(blocks)} code blocks in the section on installing, {STEPS} expected.")
    return [(language, re.sub(r"^ {3}", "", code, flags=re.MULTILINE)) for language, code in blocks]


def fresh_site(wheel: Path, into: Path) -> None:
    """A project as startproject makes it, with the README's steps done to it and nothing else."""
    run(sys.executable, "-m", "venv", str(into / "venv"), cwd=into)
    python = str(into / "venv/bin/python")
    (install, apps, settings, urls, migrate) = steps()
    assert install[1].strip() == "pip install mpquiz", install
    assert migrate[1].strip() == "python manage.py migrate", migrate
    run(python, "-m", "pip", "install", "--quiet", str(wheel), cwd=into)
    run(python, "-m", "django", "startproject", "site_of_a_stranger", cwd=into)
    site = into / "site_of_a_stranger"
    package = site / "site_of_a_stranger"
    # A stranger has a base template; the smallest one that the README asks for.
    templates = site / "templates"
    templates.mkdir()
    (templates / "base.html").write_text(
        "<!doctype html><html><head><title>{% block title %}{% endblock %}</title>"
        "{% block head %}{% endblock %}</head><body>{% block content %}{% endblock %}</body></html>"
    )
    written = (package / "settings.py").read_text().replace("'DIRS': []", "'DIRS': [BASE_DIR / 'templates']")
    database = '\nDATABASES["default"]["OPTIONS"] = {"transaction_mode": "IMMEDIATE"}\n'
    (package / "settings.py").write_text(f"{written}\n{apps[1]}\n{settings[1]}{database}")
    (package / "urls.py").write_text((package / "urls.py").read_text() + "\n" + urls[1])
    run(python, "manage.py", "migrate", cwd=site)
    run(python, "manage.py", "check", "--fail-level", "WARNING", cwd=site)
    run(python, "manage.py", "makemigrations", "--check", "--dry-run", cwd=site)
    run(python, "manage.py", "shell", "-c", SMOKE, cwd=site)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        check_contents(wheel)
        fresh_site(wheel, Path(folder))
    print("The wheel is whole, and the README's five steps work with it.")


if __name__ == "__main__":
    main()
