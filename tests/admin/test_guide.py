"""Guides in admin."""

import pytest

from mpquiz.models import Guide
from tests.admin.conftest import errors_of
from tests.factories import make_guide, make_question, make_quiz

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_title_in_one_language_is_enough_whichever_it_is(admin, language):
    admin.save("guide", slug="floats", **{f"title_{language}": "Floats"})
    assert Guide.objects.get().title_text.language == language


def test_a_guide_without_a_title_is_refused_at_it(admin):
    assert list(errors_of(admin.save("guide", slug="floats", title_ar=" "))) == ["title_en"]


def test_the_slug_is_given_once(admin):
    guide = make_guide()
    admin.save("guide", guide, slug="other")
    guide.refresh_from_db()
    assert guide.slug == "floats"


def test_only_a_guide_with_an_address_is_viewed_on_the_site(admin):
    assert 'href="/guides/floats/"' in admin.page("guide", make_guide()).content.decode()
    assert "View on site" not in admin.page("guide", make_guide(slug="other", address="")).content.decode()


@pytest.mark.parametrize("search", ["عائمة", "Float"])
def test_a_guide_is_found_in_any_language(admin, search):
    guide = make_guide(title={"en": "Floats", "ar": "الأعداد العائمة"})
    make_guide(slug="other", title="Other")
    assert list(admin.list("guide", q=search).context_data["cl"].result_list) == [guide]


def test_the_page_that_deletes_a_guide_names_what_names_it(admin):
    guide = make_guide()
    make_quiz(make_question(prompt="How many bits?", guides=[guide]), guides=[guide])
    html = admin.client.get(admin.address("guide", guide, "delete")).content.decode()
    assert "1 quiz belongs to it, and stays without it: " in html
    assert ">Floating point</" in html
    assert "1 question belongs to it, and stays without it." in html
    assert "relationship" not in html
