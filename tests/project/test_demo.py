import os
import re
import socket
import subprocess
import sys
from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.utils import translation

from mpquiz.models import Choice, Guide, Question, Quiz
from project.management.commands.demo import Command
from project.settings import BASE_DIR

pytestmark = pytest.mark.usefixtures("course_site")


@pytest.fixture
def demo(db):
    call_command(Command(), no_serve=True, stdout=StringIO())


def counts():
    return {model.__name__: model.objects.count() for model in (Guide, Quiz, Question, Choice, get_user_model())}


# The command --------------------------------------------------------------------------------------------


@pytest.mark.host
def test_demo_in_a_fresh_place_and_again(tmp_path):
    environ = os.environ | {
        "DATABASE_URL": f"sqlite:///{tmp_path}/demo.sqlite3",
        "DJANGO_SETTINGS_MODULE": "project.settings",
    }
    command = [sys.executable, "manage.py", "demo", "--no-serve"]
    for _ in range(2):
        done = subprocess.run(command, cwd=BASE_DIR, env=environ, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        assert "http://127.0.0.1:8000/ar/quizzes/" in done.stdout
        assert re.search("editor.*editor-demo", done.stdout)


def test_demo_twice_makes_nothing_twice(demo):
    first = counts()
    assert first["Quiz"] == 5
    assert first["User"] == 2
    call_command(Command(), no_serve=True, stdout=StringIO())
    assert counts() == first


def test_demo_leaves_what_an_editor_changed(demo):
    question = Question.objects.get(key="handbook/autocast")
    question.prompt_ar = "نص من المحرر"
    question.save()
    user = get_user_model().objects.get(username="editor")
    user.set_password("changed since")
    user.save()

    call_command(Command(), no_serve=True, stdout=StringIO())

    question.refresh_from_db()
    user.refresh_from_db()
    assert question.prompt_ar == "نص من المحرر"
    assert user.check_password("changed since")


def test_editor_may_edit_quizzes_and_nothing_else(demo):
    editor = get_user_model().objects.get(username="editor")
    assert editor.is_staff and not editor.is_superuser
    assert editor.has_perms(["mpquiz.add_quiz", "mpquiz.change_question", "mpquiz.view_attempt"])
    assert not editor.has_perm("auth.change_user")


def test_a_taken_port_is_said_at_once():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"port {port}"):
            call_command(Command(), port=port)


# The site -----------------------------------------------------------------------------------------------


def switch(response):
    """The address behind the language switch."""
    return re.search(r'class="site-language" href="([^"]+)"', response.content.decode())[1].replace("&amp;", "&")


@pytest.mark.parametrize(("accepted", "target"), [("ar", "/ar/"), ("ar-EG,en;q=0.5", "/ar/"), ("fr", "/en/")])
def test_the_root_leads_to_the_readers_language(client, accepted, target):
    response = client.get("/", headers={"accept-language": accepted})
    assert response.status_code == 302
    assert response["Location"] == target


@pytest.mark.parametrize(
    "page",
    ["", "guides/", "guides/tensors/", "quizzes/", "quizzes/mixed-precision/", "sign-in/?next=/en/a%26b"],
)
def test_language_switch_stays_on_the_page(client, demo, page):
    there = switch(client.get(f"/en/{page}"))
    assert there == f"/ar/{page}"
    arabic = client.get(there)
    assert arabic.status_code == 200
    assert '<html lang="ar" dir="rtl">' in arabic.content.decode()
    assert switch(arabic) == f"/en/{page}"


def test_language_switch_on_a_page_that_is_not_there(client, db):
    response = client.get("/ar/nothing/?a=1")
    assert response.status_code == 404
    assert "الصفحة غير موجودة" in response.content.decode()
    assert switch(response) == "/en/nothing/?a=1"


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Mixed-precision training"), ("ar", "التدريب بالدقة المختلطة")]
)
def test_guide_page_carries_the_cards_of_its_quizzes(client, demo, language, title):
    page = client.get(f"/{language}/guides/mixed-precision/").content.decode()
    assert f"<h1>{title}</h1>" in page
    assert f'href="/{language}/quizzes/mixed-precision/"' in page
    assert f'href="/{language}/quizzes/tensors-in-code/"' in page


def test_an_unknown_guide_is_not_found(client, db):
    assert client.get("/en/guides/alchemy/").status_code == 404


def test_sign_in_page_in_arabic(client, db):
    page = client.get("/ar/sign-in/").content.decode()
    for words in ("تسجيل الدخول", "اسم المستخدم", "كلمة المرور"):
        assert words in page


def test_sign_in_and_out(client, demo):
    response = client.post("/ar/sign-in/", {"username": "learner", "password": "learner-demo"}, follow=True)
    assert response.redirect_chain == [("/ar/quizzes/mine/", 302)]
    assert "learner" in response.content.decode()
    assert client.get("/ar/sign-out/").status_code == 405
    assert client.post("/ar/sign-out/").url == "/ar/"
    assert "تسجيل الخروج" not in client.get("/ar/").content.decode()


def test_admin_speaks_arabic(client, demo):
    client.login(username="editor", password="editor-demo")
    page = client.get("/ar/admin/").content.decode()
    assert 'dir="rtl"' in page


@pytest.mark.parametrize("path", ["/en/", "/ar/guides/tensors/", "/ar/quizzes/", "/en/sign-in/", "/en/nothing/"])
def test_a_strict_policy_on_every_page_and_nothing_inline(client, demo, path):
    response = client.get(path)
    assert response["Content-Security-Policy"] == "default-src 'self'"
    page = response.content.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", page)


def test_site_words_are_all_translated():
    catalog = (BASE_DIR / "locale" / "ar" / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")
    used = {
        text
        for file in (BASE_DIR / "project").rglob("*.html")
        for text in re.findall(r'{% translate "([^"]+)" %}', file.read_text(encoding="utf-8"))
    }
    assert used
    with translation.override("ar"):
        assert [text for text in used if translation.gettext(text) == text] == []
    assert "fuzzy" not in catalog


def test_the_error_page_needs_nothing(rf):
    from django.views.defaults import server_error

    with translation.override("ar"):
        page = server_error(rf.get("/ar/")).content.decode()
    assert '<html lang="ar" dir="rtl">' in page
    assert "حدث خطأ ما" in page


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize(
    ("guide", "quizzes"),
    [
        ("floating-point", ["floating-point"]),
        ("tensors", ["tensors-in-code", "one-of-each"]),
        ("mixed-precision", []),
    ],
)
def test_quizzes_are_taken_within_the_guides(client, demo, language, guide, quizzes):
    page = client.get(f"/{language}/guides/{guide}/").content.decode()
    assert re.findall(r'id="([\w-]+)-mpquiz-stage"', page) == quizzes
    assert page.count('class="mpquiz-form"') == len(quizzes)
    assert "[quiz]" not in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_the_list_of_guides_tells_how_far_a_learner_has_got(client, demo):
    client.login(username="learner", password="learner-demo")
    page = client.get("/en/guides/").content.decode()
    assert "0 of 5 quizzes done" in page
    assert page.count('class="mpquiz-card mpquiz-quiz"') == 1
