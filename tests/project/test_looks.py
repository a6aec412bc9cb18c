"""The course site in three looks, by templates of the same names alone."""

import re

import pytest
from django.core.exceptions import ImproperlyConfigured

from project import looks
from tests.factories import make_quiz

pytestmark = [pytest.mark.usefixtures("course_site"), pytest.mark.django_db]

SIGNS = {
    "plain": "project/site.css",
    "bootstrap": "looks/bootstrap/look.css",
    "tailwind": "looks/tailwind/tailwind.css",
}


def look_of(page):
    """Which looks' stylesheets a page links."""
    html = page.content.decode()
    inline = r"<style|\sstyle=|\son\w+=|<script(?![^>]*\s(?:src=|type=\"application/ld))"
    assert not re.search(inline, html)
    assert not re.search(r"<(?:script|link rel=\"stylesheet)[^>]*https?:", html)
    return [look for look, sheet in SIGNS.items() if sheet in html]


@pytest.mark.parametrize("look", looks.LOOKS)
def test_a_look_is_chosen_by_the_address_and_remembered(client, look):
    make_quiz()
    assert look_of(client.get(f"/ar/quizzes/?look={look}")) == [look]
    for path in ("", "quizzes/", "quizzes/floats/", "quizzes/mine/", "sign-in/", "guides/", "guides/tensors/"):
        page = client.get(f"/en/{path}")
        assert page.status_code == 200
        assert look_of(page) == [look], path
        assert f'href="?look={look}" rel="nofollow" aria-current="true"' in page.content.decode()
    assert "Cookie" in page["Vary"]
    assert page["Content-Security-Policy"] == "default-src 'self'"


def test_of_two_readers_each_has_their_own(client, db):
    from django.test import Client

    client.get("/en/?look=tailwind")
    other = Client()
    for _ in range(2):
        assert look_of(client.get("/en/")) == ["tailwind"]
        assert look_of(other.get("/en/")) == ["plain"]


def test_a_site_may_have_another_look_from_the_start(client, settings):
    settings.LOOK = "bootstrap"
    assert look_of(client.get("/en/")) == ["bootstrap"]
    assert look_of(client.get("/en/?look=plain")) == ["plain"]


@pytest.mark.parametrize("asked", ["", "nonsense", "../../templates", "plain/../bootstrap", "\x00"])
def test_a_look_that_there_is_not_is_passed_over(client, asked):
    page = client.get("/en/", {"look": asked})
    assert look_of(page) == ["plain"]
    assert not page.cookies


def test_a_look_that_a_site_misspells_is_named(settings):
    settings.LOOK = "bootsrap"
    with pytest.raises(ImproperlyConfigured, match="bootsrap"):
        looks.chosen(lambda request: None)


def test_bootstrap_reads_from_the_right_in_arabic(client):
    client.get("/en/?look=bootstrap")
    assert "bootstrap.rtl.min.css" in client.get("/ar/").content.decode()
    assert "bootstrap.min.css" in client.get("/en/").content.decode()


@pytest.mark.parametrize("look", looks.LOOKS)
def test_search_engines_are_told_the_same_in_every_look(client, look):
    client.get(f"/en/?look={look}")
    for path in ("", "guides/", "guides/tensors/", "quizzes/"):
        page = client.get(f"/en/{path}").content.decode()
        assert re.search(rf'rel="canonical" href="[^"?]*/en/{path}"', page), path
        assert 'hreflang="ar"' in page


@pytest.mark.parametrize(("look", "sign"), [("bootstrap", "row-cols-md-2"), ("tailwind", "sm:grid-cols-2")])
def test_a_folder_among_the_templates_is_all_that_a_site_of_one_look_needs(client, settings, look, sign):
    make_quiz()
    assert "mpquiz-cards" in client.get("/en/quizzes/").content.decode()
    [templates] = settings.TEMPLATES
    options = {name: value for name, value in templates["OPTIONS"].items() if name != "loaders"}
    folders = [looks.FOLDER / look, *templates["DIRS"]]
    settings.TEMPLATES = [templates | {"DIRS": folders, "OPTIONS": options, "APP_DIRS": True}]
    page = client.get("/en/quizzes/")
    assert sign in page.content.decode()
    assert look_of(page) == [look]
