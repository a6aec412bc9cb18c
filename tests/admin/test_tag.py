"""Tags: what questions are about."""

import pytest

from mpquiz.models import Tag
from tests.admin.conftest import errors_of
from tests.factories import make_question

pytestmark = pytest.mark.django_db


@pytest.fixture
def tag():
    return Tag.objects.create(name="Algebra/Vectors", description_en="Arrows", description_ar="أسهم")


def test_a_tag_is_described_in_each_language(admin, tag):
    admin.save("tag", tag, description_ar="متجهات")
    tag.refresh_from_db()
    assert (tag.description_en, tag.description_ar) == ("Arrows", "متجهات")


@pytest.mark.parametrize("name", ["Algebra/Vectors", "algebra/vectors", " Algebra/Vectors "])
def test_a_second_tag_that_reads_the_same_is_refused(admin, tag, name):
    assert list(errors_of(admin.save("tag", name=name))) == ["name"]


def test_the_list_counts_questions_and_leads_to_them(admin, tag):
    questions = [make_question(prompt=f"Vector {number}?") for number in (1, 2)]
    tag.questions.set(questions)
    make_question(prompt="Another")
    html = admin.list("tag").content.decode()
    assert '<bdi dir="auto">Algebra/Vectors</bdi>' in html
    assert f'href="/en/admin/mpquiz/question/?tags__id__exact={tag.pk}">2</a>' in html
    found = admin.list("question", tags__id__exact=tag.pk).context_data["cl"].result_list
    assert set(found) == set(questions)


@pytest.mark.parametrize("search", ["vectors", "أسهم"])
def test_a_tag_is_found_by_its_name_and_description(admin, tag, search):
    Tag.objects.create(name="Other")
    assert list(admin.list("tag", q=search).context_data["cl"].result_list) == [tag]


def test_the_list_takes_as_many_queries_for_thirty_as_for_three(admin, query_count):
    for number in range(3):
        Tag.objects.create(name=f"Tag {number}")
    few = query_count(lambda: admin.list("tag"))
    for number in range(3, 30):
        Tag.objects.create(name=f"Tag {number}").questions.add(make_question())
    assert query_count(lambda: admin.list("tag")) == few


@pytest.mark.parametrize("language", ["en", "ar"])
def test_its_pages_open_in_both_languages(admin, tag, language):
    admin.language = language
    for page in (admin.page("tag"), admin.page("tag", tag), admin.list("tag")):
        assert page.status_code == 200


def test_a_script_in_a_name_stays_text(admin):
    Tag.objects.create(name="<script>alert(1)</script>")
    assert "<script>alert" not in admin.list("tag").content.decode()
