"""Guides and tags by the API for staff."""

import pytest

from mpquiz.models import Guide, Quiz, StaleText, Tag
from tests.factories import make_guide, make_pool, make_question, make_quiz, make_tag

from .editors import editor, fields_of, noted

pytestmark = pytest.mark.django_db


@pytest.fixture
def noura(db):
    return editor()


# Guides -----------------------------------------------------------------------------------------------------


def test_a_guide_is_written_in_both_languages(noura):
    sent = {"slug": "sums", "title": {"en": "Sums", "ar": "الجمع"}, "address": "/sums/", "place": 3}
    made = noura.post("staff/guides/", sent)
    assert made.status_code == 201
    assert {name: made.json()[name] for name in sent} == sent
    guide = Guide.objects.get()
    assert (guide.title_en, guide.title_ar, guide.address, guide.place) == ("Sums", "الجمع", "/sums/", 3)
    assert noura.patch("staff/guides/sums/", {"place": 4}).json()["place"] == 4


@pytest.mark.parametrize(
    ("change", "places"),
    [
        ({"slug": "no slug"}, ["slug"]),
        ({"slug": "x" * 81}, ["slug"]),
        ({"slug": ""}, ["slug"]),
        ({"slug": None}, ["slug"]),
        ({"title": {"ar": "x" * 201}}, ["title.ar"]),
        ({"title": {"en": "", "ar": ""}}, ["title"]),
        ({"address": "x" * 201}, ["address"]),
        ({"address": "javascript:alert(1)"}, ["address"]),
        ({"place": -1}, ["place"]),
        ({"place": 1.5}, ["place"]),
        ({"place": 2**63}, ["place"]),
        ({"place": "many", "title": {"fr": "Sommes"}}, ["title.fr", "place"]),
    ],
)
def test_what_a_guide_cannot_be_is_told_at_its_place(noura, change, places):
    assert fields_of(noura.post("staff/guides/", {"slug": "sums", "title": {"en": "Sums"}, **change})) == places
    assert not Guide.objects.exists()
    make_guide("sums")
    before = Guide.objects.values().get()
    answer = noura.patch("staff/guides/sums/", {"title": {"en": "Changed"}, **change})
    assert set(fields_of(answer)) <= set(places)
    assert (Guide.objects.values().get(), noted()) == (before, [])


def test_a_guide_needs_a_slug_and_a_title_and_keeps_its_slug_for_good(noura):
    make_guide("sums")
    assert fields_of(noura.post("staff/guides/", {"title": {"en": "Sums"}})) == ["slug"]
    assert fields_of(noura.post("staff/guides/", {"slug": "more"})) == ["title"]
    assert fields_of(noura.post("staff/guides/", {"slug": "sums", "title": {"en": "Sums"}})) == ["slug"]
    assert fields_of(noura.patch("staff/guides/sums/", {"slug": "other"})) == ["slug"]
    assert noura.patch("staff/guides/sums/", {"slug": "sums"}).status_code == 200


def test_a_guide_that_is_deleted_leaves_quizzes_and_questions(noura):
    guide = make_guide("sums")
    question = make_question(guides=[guide])
    quiz = make_quiz(question, guides=[guide])
    assert noura.delete("staff/guides/sums/").status_code == 204
    assert (quiz.guides.count(), question.guides.count(), Quiz.objects.count()) == (0, 0, 1)


def test_guides_are_found_by_title_in_each_language_and_by_slug(noura):
    make_guide("sums", {"en": "Adding", "ar": "الجمع"})
    make_guide("products", {"ar": "الضرب"}, place=1)

    def slugs(**query):
        return [row["slug"] for row in noura.get("staff/guides/", **query).json()["results"]]

    assert slugs() == slugs(ordering="place") == slugs(ordering="-slug") == ["sums", "products"]
    assert slugs(search="الجمع") == slugs(search="adding") == slugs(search="sum") == ["sums"]
    assert slugs(search="الضرب") == ["products"]
    assert slugs(search="%") == slugs(search="nothing") == []


# Tags -------------------------------------------------------------------------------------------------------


def test_a_tag_is_written_and_its_questions_follow_its_name(noura):
    made = noura.post("staff/tags/", {"name": "Sums", "description": {"en": "Adding.", "ar": "جمع."}})
    assert made.status_code == 201
    tag = Tag.objects.get()
    question = make_question()
    question.tags.add(tag)
    path = f"staff/tags/{tag.pk}/"
    assert noura.patch(path, {"name": "Algebra/Sums"}).json()["description"] == {"en": "Adding.", "ar": "جمع."}
    assert noura.get(f"staff/questions/{question.pk}/").json()["tags"] == ["Algebra/Sums"]
    assert noura.get("staff/questions/", tag="Algebra/sums").json()["count"] == 1


@pytest.mark.parametrize(
    ("change", "places"),
    [
        ({"name": ""}, ["name"]),
        ({"name": "x" * 201}, ["name"]),
        ({"name": None}, ["name"]),
        ({"name": " taken "}, ["name"]),
        ({"description": {"fr": "Sommes"}}, ["description.fr"]),
        ({"key": "x"}, ["key"]),
    ],
)
def test_what_a_tag_cannot_be_is_told_at_its_place(noura, change, places):
    make_tag("Taken")
    tag = make_tag("Sums")
    assert fields_of(noura.post("staff/tags/", {"name": "New", **change})) == places
    assert fields_of(noura.patch(f"staff/tags/{tag.pk}/", {"description": {"en": "New"}, **change})) == places
    assert list(Tag.objects.values_list("name", "description_en")) == [("Sums", None), ("Taken", None)]
    assert not noted()


def test_a_tag_from_which_a_quiz_draws_stays(noura):
    tag, other = make_tag("Sums", make_question()), make_tag("Other")
    make_pool(make_quiz(), tag)
    answer = noura.delete(f"staff/tags/{tag.pk}/")
    assert (answer.status_code, answer.json()["code"]) == (409, "in_use")
    assert noura.delete(f"staff/tags/{other.pk}/").status_code == 204
    assert list(Tag.objects.all()) == [tag]
    assert len(noted()) == 1


def test_tags_are_found_by_name(noura):
    make_tag("Algebra")
    make_tag("جبر")
    assert [row["name"] for row in noura.get("staff/tags/", search="جب").json()["results"]] == ["جبر"]
    assert [row["name"] for row in noura.get("staff/tags/", ordering="-id").json()["results"]] == ["جبر", "Algebra"]


# Translations -----------------------------------------------------------------------------------------------


def test_a_translation_is_to_be_checked_after_its_original_was_changed(noura):
    make_guide("sums", {"en": "Sums", "ar": "الجمع"})
    tag = noura.post("staff/tags/", {"name": "Sums", "description": {"en": "Adding.", "ar": "جمع."}}).json()
    assert not StaleText.objects.exists()
    noura.patch("staff/guides/sums/", {"title": {"en": "Adding"}})
    noura.patch(f"staff/tags/{tag['id']}/", {"description": {"ar": "الجمع."}})
    marks = {(*one.owned_by[:1], one.name, one.language) for one in StaleText.objects.all()}
    assert marks == {("guide", "title", "ar"), ("tag", "description", "en")}
    noura.patch("staff/guides/sums/", {"title": {"ar": "جمع"}})
    assert {one.owned_by[0] for one in StaleText.objects.all()} == {"tag"}
