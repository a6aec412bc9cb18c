"""What the course site tells search engines of its own pages and of its quizzes."""

import re
from io import StringIO
from xml.etree import ElementTree

import pytest
from django.core.management import call_command
from django.test import Client

from mpquiz.models import Quiz
from project.management.commands.demo import Command

pytestmark = [pytest.mark.usefixtures("course_site"), pytest.mark.django_db]
SITE = "http://testserver"
LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def read(path):
    response = Client().get(path)
    assert response.status_code == 200, path
    return response.content.decode()


def test_robots_are_led_to_the_sitemap_and_from_there_to_pages_that_name_themselves():
    call_command(Command(), no_serve=True, stdout=StringIO())
    assert read("/robots.txt") == f"User-agent: *\nDisallow:\n\nSitemap: {SITE}/sitemap.xml\n"
    found = [one.text for one in ElementTree.fromstring(read("/sitemap.xml")).iter(LOC)]
    assert f"{SITE}/ar/guides/tensors/" in found
    quizzes = [one for one in found if re.search(r"/quizzes/[\w-]+/$", one)]
    everyone = Quiz.objects.filter(access="everyone", password="")
    assert quizzes and len(quizzes) == sum(len(quiz.published_languages) for quiz in everyone)
    for address in found:
        page = read(address.removeprefix(SITE))
        assert re.findall(r'<link rel="canonical" href="([^"]+)">', page) == [address]
        assert f'<link rel="alternate" hreflang="ar" href="{SITE}/ar/' in page


@pytest.mark.parametrize("path", ["/en/sign-in/", "/en/quizzes/mine/"])
def test_pages_of_one_s_own_name_no_address(path):
    assert 'rel="canonical"' not in read(path)
