"""The built wheel: what it holds, and that a fresh project which only follows the README works with it.

The project installs mpquiz by the README's five steps, has a quiz in a lesson of its own, takes it by the API, and
shows the score in a view of its own. What it does is read out of README.md, so that a README which is wrong fails
here. Needs PyPI.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
STEPS = 5
EXPECTED = (
    "mpquiz/py.typed",
    "mpquiz/api/urls.py",
    "mpquiz/migrations/0001_initial.py",
    "mpquiz/management/commands/mpquiz_doctor.py",
    "mpquiz/templates/mpquiz/quiz.html",
    "mpquiz/static/mpquiz/quiz.css",
    "mpquiz/static/mpquiz/quiz.js",
    "mpquiz/locale/ar/LC_MESSAGES/django.mo",
    "mpquiz/locale/en/LC_MESSAGES/django.mo",
)
# What a stranger's site has before: the smallest base template that the README asks for, and pages of their own.
BASE = """<!doctype html><html><head><title>{% block title %}{% endblock %}</title>
{% block head %}{% endblock %}</head><body>{% block content %}{% endblock %}</body></html>
"""
LESSON = """{%% extends "base.html" %%}
{%% block head %%}%s{%% endblock %%}
{%% block content %%}<h1>A lesson</h1>
%s
{%% endblock %%}
"""
SCORE = """{% extends "base.html" %}
{% block content %}<p>{{ quiz }}: {{ result.percent }} %, {{ completed|yesno:"completed,not completed" }}</p>
{% endblock %}
"""
PAGES = """
from django.views.generic import TemplateView
from .scores import my_score

urlpatterns += i18n_patterns(
    path("lesson/", TemplateView.as_view(template_name="lesson.html")),
    path("score/<slug:slug>/", my_score),
)
"""
# What is looked at from outside; the README does the rest.
SMOKE = """
from django.test import Client
from mpquiz.models import Question, Choice, Quiz, QuizLanguage, QuizQuestion
quiz = Quiz.objects.create(slug="floats", title_en="Floats", title_ar="الأعداد", pass_mark=50, level="beginner")
question = Question.objects.create(prompt_ar="أيهما؟")
Choice.objects.create(question=question, place=1, text_ar="هذا", right=True)
Choice.objects.create(question=question, place=2, text_en="That")
QuizQuestion.objects.create(quiz=quiz, question=question, place=1)
for language in ("ar", "en"):
    QuizLanguage.objects.create(quiz=quiz, language=language)
client = Client(headers={"host": "localhost"})
page = client.get("/ar/quizzes/floats/").content.decode()
assert "أيهما؟" in page and "تحقّق من الإجابة" in page and 'dir="rtl"' in page, page
number, seen, guest = (page.split(f'name="{name}" value="')[1].split('"')[0] for name in ("number", "seen", "guest"))
form = {"number": number, "seen": seen, "guest": guest, "given": "1"}
answer = client.post("/ar/quizzes/floats/start/", form, follow=True)
assert answer.status_code == 200 and "إجابة صحيحة" in answer.content.decode(), answer.content.decode()
assert client.get("/en/quizzes/").status_code == 200
"""
IN_LESSON = """
import re
from django.test import Client
client = Client(headers={"host": "localhost"})
page = client.get("/ar/lesson/").content.decode()
assert "<h1>A lesson</h1>" in page and "أيهما؟" in page and "mpquiz/quiz.css" in page, page
form = re.search(r'<form[^>]*action="([^"]+)"[^>]*>(.*?)</form>', page, re.DOTALL)
fields = dict(re.findall(r'<input type="hidden" name="(\\w+)" value="([^"]*)"', form[2]))
answer = client.post(form[1].replace("&amp;", "&"), fields | {"given": "2"}, follow=True).content.decode()
assert "الأعداد" in answer and "/ar/lesson/" in answer, answer
assert "أيهما؟" in client.get("/ar/lesson/").content.decode()
"""
BY_API = """
from django.contrib.auth.models import User
from django.test import Client
client = Client(headers={"host": "localhost", "accept-language": "ar"})
client.force_login(User.objects.create_user("amal"))
assert "0" not in client.get("/en/score/floats/").content.decode().partition("<p>")[2]
quizzes = client.get("/api/v1/quizzes/").json()
assert [one["slug"] for one in quizzes["results"]] == ["floats"], quizzes
door = client.get("/api/v1/quizzes/floats/start/").json()
attempt = client.post("/api/v1/quizzes/floats/start/", {"number": door["number"]}, content_type="application/json")
assert attempt.status_code == 201, attempt.content
address = attempt.json()["url"]
asked = client.get(f"{address}questions/1/")
shown = asked.json()["shown"]["choices"]
assert [sorted(one) for one in shown] == [["place", "text"]] * 2 and "أيهما؟" in asked.content.decode(), asked.content
taken = client.post(f"{address}questions/1/answer/", {"given": 1}, content_type="application/json")
assert taken.status_code == 200, taken.content
assert client.get(address).json()["state"] == "finished"
score = client.get("/en/score/floats/").content.decode()
assert "Floats: 100 %, completed" in score, score
"""


def run(*command: str, cwd: Path, environment: dict[str, str] | None = None) -> str:
    """What a command says. Ends everything where it fails."""
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}\n{done.stderr}")
    return done.stdout


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


# What the README says ---------------------------------------------------------------------------------------


def section(title: str) -> str:
    if f"\n## {title}\n" not in README:
        sys.exit(f"README.md has no section {title!r}.")
    return README.split(f"\n## {title}\n")[1].split("\n## ")[0]


def blocks(title: str) -> list[tuple[str, str]]:
    """The code blocks (language, code) of a section."""
    found = re.findall(r"^ *```(\w+)\n(.*?)^ *```", section(title), re.MULTILINE | re.DOTALL)
    return [(language, re.sub(r"^ {3}", "", code, flags=re.MULTILINE)) for language, code in found]


def steps() -> list[tuple[str, str]]:
    """The code blocks of the section on installing."""
    found = blocks("Install into an existing site")
    if len(found) != STEPS:
        sys.exit(f"README.md: {len(found)} code blocks in the section on installing, {STEPS} expected.")
    return found


def block_with(title: str, text: str) -> str:
    """The one code block of a section in which a text stands."""
    found = [code for _language, code in blocks(title) if text in code]
    if len(found) != 1:
        sys.exit(f"README.md: {len(found)} code blocks with {text!r} in the section {title!r}, 1 expected.")
    return found[0]


def tag(start: str) -> str:
    """The line of the section on embedding that begins so."""
    return re.findall(rf"`({re.escape(start)}[^`]*)`", section("Embedding"))[0]


# A stranger's project ---------------------------------------------------------------------------------------


def fresh_site(wheel: Path, into: Path) -> tuple[str, Path]:
    """A project as startproject makes it, with the README's steps done to it: its Python, its directory."""
    run(sys.executable, "-m", "venv", str(into / "venv"), cwd=into)
    python = str(into / "venv/bin/python")
    (install, apps, settings, urls, migrate) = steps()
    assert install[1].strip() == "pip install mpquiz", install
    assert migrate[1].strip() == "python manage.py migrate", migrate
    run(python, "-m", "pip", "install", "--quiet", str(wheel), cwd=into)
    run(python, "-m", "django", "startproject", "site_of_a_stranger", cwd=into)
    site = into / "site_of_a_stranger"
    package = site / "site_of_a_stranger"
    templates = site / "templates"
    templates.mkdir()
    (templates / "base.html").write_text(BASE)
    written = (package / "settings.py").read_text().replace("'DIRS': []", "'DIRS': [BASE_DIR / 'templates']")
    database = '\nDATABASES["default"]["OPTIONS"] = {"transaction_mode": "IMMEDIATE"}\n'
    (package / "settings.py").write_text(f"{written}\n{apps[1]}\n{settings[1]}{database}")
    (package / "urls.py").write_text((package / "urls.py").read_text() + "\n" + urls[1])
    run(python, "manage.py", "migrate", cwd=site)
    run(python, "manage.py", "check", "--fail-level", "WARNING", cwd=site)
    run(python, "manage.py", "makemigrations", "--check", "--dry-run", cwd=site)
    run(python, "manage.py", "shell", "-c", SMOKE, cwd=site)
    return python, site


def joined_to_a_course(python: str, site: Path) -> None:
    """The site has a quiz in its lesson, the API, and the score in its own view."""
    package, templates = site / "site_of_a_stranger", site / "templates"
    head = block_with("Embedding", "{% mpquiz_js %}")
    (templates / "lesson.html").write_text(LESSON % (head, tag('{% take_quiz "floats" %}')))
    (templates / "my_score.html").write_text(SCORE)
    (package / "scores.py").write_text(block_with("Your course's own rules", "def my_score("))
    api = block_with("API", 'include("mpquiz.api.urls")')
    (package / "urls.py").write_text("\n".join([(package / "urls.py").read_text(), PAGES, api]))
    run(python, "manage.py", "shell", "-c", IN_LESSON, cwd=site)
    run(python, "manage.py", "shell", "-c", BY_API, cwd=site)
    walk(python, site, block_with("API", "/start/"))
    run(python, "manage.py", "mpquiz_doctor", cwd=site)


def walk(python: str, site: Path, commands: str) -> None:
    """The README's walk through the API, with curl, against the quiz of this site."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        here = f"127.0.0.1:{free.getsockname()[1]}"
    commands = commands.replace("127.0.0.1:8000", here).replace("floating-point", "floats")
    server = subprocess.Popen(
        [python, "manage.py", "runserver", "--noreload", here],
        cwd=site,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        run("curl", "--silent", "--retry", "20", "--retry-connrefused", f"http://{here}/api/v1/", cwd=site)
        path = f"{Path(python).parent}:{os.environ['PATH']}"
        told = run("bash", "-euc", commands, cwd=site, environment={**os.environ, "PATH": path})
    finally:
        server.terminate()
        server.wait()
    wanted = ('"count":1', "أيهما؟", '"verdict":"Not this one"', '"percent":0,"passed":false')
    if not all(text in told for text in wanted):
        sys.exit(f"README.md: the walk through the API told\n{told}")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        wheel = build(Path(folder))
        check_contents(wheel)
        joined_to_a_course(*fresh_site(wheel, Path(folder)))
    print(
        "The wheel is whole; by the README alone it is installed, has a quiz in a lesson, is taken by API and scored."
    )


if __name__ == "__main__":
    main()
