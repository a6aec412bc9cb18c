"""The pools of a quiz, edited on its page."""

import re

import pytest

from mpquiz.editing.asking import tagged
from mpquiz.models import Attempt, Pool, Quiz, Tag
from tests.admin.conftest import errors_of, told
from tests.factories import learner, make_page, make_pool, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db


def questions(count):
    return [make_question(prompt=f"Drawn {number}?") for number in range(count)]


def places(quiz):
    return [(str(pool.tag), pool.count, pool.place) for pool in quiz.pools.select_related("tag")]


def there(page):
    """What the column of a page says of how many questions each pool's tag has."""
    html = page.content.decode()
    return [cell.strip() for cell in re.findall(r'<td class="field-there">\s*<p>(.*?)</p>', html, re.DOTALL)]


def test_a_pool_is_added_and_stands_after_the_last_question(admin):
    quiz, tag = make_quiz(), make_tag("Algebra", *questions(3))
    admin.save("quiz", quiz, pools__0__tag=tag.pk, pools__0__count="2", pools__0__points="1.5")
    assert places(quiz) == [("Algebra", 2, 3)]
    assert quiz.pools.get().points == 1.5


@pytest.mark.parametrize(("typed", "place"), [("0", 0), ("2", 2), ("", 3), ("40", 40)])
def test_a_pool_stands_after_the_question_that_was_named(admin, typed, place):
    quiz, tag = make_quiz(), make_tag("Algebra", *questions(1))
    admin.save("quiz", quiz, pools__0__tag=tag.pk, pools__0__place=typed)
    assert places(quiz) == [("Algebra", 1, place)]
    asked = Attempt.objects.start(quiz, learner(make_user())).answers.values_list("question__prompt_en", flat=True)
    assert list(asked).index("Drawn 0?") == min(place, 3)


def test_a_pool_keeps_its_place_while_questions_are_numbered_anew(admin):
    quiz = make_quiz()
    make_pool(quiz, make_tag("Algebra", *questions(1)), place=1)
    admin.save("quiz", quiz, places__0__place="3", places__2__place="1")
    assert places(quiz) == [("Algebra", 1, 1)]


def test_a_pool_is_changed_and_taken_out(admin):
    quiz = make_quiz()
    make_pool(quiz, make_tag("Algebra", *questions(4)))
    admin.save("quiz", quiz, pools__0__count="4")
    assert places(quiz) == [("Algebra", 4, 99)]
    admin.save("quiz", quiz, pools__0__DELETE="on")
    assert places(quiz) == []


def test_a_blank_row_is_no_pool(admin):
    assert admin.save("quiz", make_quiz(), pools__0__place="7").status_code == 302
    assert not Pool.objects.exists()


@pytest.mark.parametrize(
    ("typed", "field"),
    [({"pools__0__count": "0"}, "pools-0-count"), ({"pools__0__points": "-1"}, "pools-0-points")],
)
def test_what_is_no_pool_is_refused_at_its_field(admin, typed, field):
    tag = make_tag("Algebra", *questions(1))
    assert list(errors_of(admin.save("quiz", make_quiz(), pools__0__tag=tag.pk, **typed))) == [field]


def test_a_tag_is_drawn_from_once_a_quiz(admin):
    tag = make_tag("Algebra", *questions(1))
    quiz = make_quiz()
    make_pool(quiz, tag)
    errors = errors_of(admin.save("quiz", quiz, pools__1__tag=tag.pk))
    assert errors.keys() & {"pools", "pools-1-__all__"}  # which of them is up to Django
    assert quiz.pools.count() == 1


def test_a_pool_of_another_quiz_is_not_reached_through_this_one(admin):
    quiz, other = make_quiz(), make_quiz(slug="other")
    make_pool(quiz, make_tag("Logic", *questions(2)))
    theirs = make_pool(other, make_tag("Algebra", *questions(2)))
    for sent in ({"pools__0__count": "2"}, {"pools__0__DELETE": "on"}):
        admin.save("quiz", quiz, pools__0__id=theirs.pk, **sent)
        assert places(other) == [("Algebra", 1, 99)]


# How many there are -------------------------------------------------------------------------------------


def test_a_tag_holds_the_questions_of_the_tags_within_it_each_once():
    first, second, third = questions(3)
    page = make_page()
    algebra = make_tag("Algebra", first, page)
    make_tag("algebra/Vectors", first, second)
    make_tag("Algebra/Vectors/Plane", third)
    make_tag("Algebraic", *questions(1))
    make_tag("Algebra/Empty")
    empty = make_tag("Nothing")
    found = tagged([algebra, empty])
    assert found[algebra.pk].questions == {first.pk, second.pk, third.pk}
    assert set(found[algebra.pk].within) == {"algebra/Vectors", "Algebra/Vectors/Plane"}
    assert found[empty.pk].questions == frozenset()
    assert tagged([]) == {}


def test_the_page_shows_how_many_questions_each_tag_has(admin):
    quiz = make_quiz()
    make_pool(quiz, make_tag("Algebra", *questions(2)))
    make_tag("Algebra/Vectors", *questions(1))
    make_pool(quiz, make_tag("Logic", *questions(5)))
    assert there(admin.page("quiz", quiz))[:2] == [
        '3, those of <bdi dir="auto">Algebra/Vectors</bdi> among them',
        "5",
    ]


def test_the_page_says_that_tags_within_are_drawn_from_too(admin):
    quiz = make_quiz()
    make_pool(quiz, make_tag("Algebra", *questions(2)))
    assert "The tags within a tag are drawn from too" in admin.page("quiz", quiz).content.decode()


def test_the_page_takes_as_many_queries_for_ten_pools_as_for_one(admin, query_count):
    few, many = make_quiz(), make_quiz(slug="many")
    make_pool(few, make_tag("One", *questions(2)))
    for number in range(10):
        make_pool(many, make_tag(f"Tag {number}", *questions(2)))
    assert query_count(lambda: admin.page("quiz", many)) == query_count(lambda: admin.page("quiz", few))


def test_pools_are_folded_away_where_there_are_none(admin):
    quiz = make_quiz()
    pools = admin.page("quiz", quiz).context_data["inline_admin_formsets"][1]
    assert pools.is_collapsible
    make_pool(quiz, make_tag("Algebra", *questions(1)))
    assert not admin.page("quiz", quiz).context_data["inline_admin_formsets"][1].is_collapsible


def test_a_tag_is_found_by_autocomplete(admin):
    tag = make_tag("Algebra")
    query = {"term": "alg", "app_label": "mpquiz", "model_name": "pool", "field_name": "tag"}
    found = admin.client.get("/en/admin/autocomplete/", query).json()["results"]
    assert found == [{"id": str(tag.pk), "text": "Algebra"}]


# Publication --------------------------------------------------------------------------------------------


def test_a_quiz_of_nothing_but_pools_is_published(admin):
    tag = make_tag("Algebra", make_question("Only one"), *questions(1))
    typed = {"title_en": "Drawn", "slug": "drawn", "published": ["en"], "pools__0__tag": tag.pk}
    assert admin.save("quiz", **typed).status_code == 302
    assert Quiz.objects.get().published_languages == ["en"]


def test_it_is_not_published_while_no_question_of_its_pools_can_be_asked(admin):
    tag = make_tag("Algebra", make_question("Only one"), make_page())
    typed = {"title_en": "Drawn", "slug": "drawn", "published": ["en"], "pools__0__tag": tag.pk}
    assert list(errors_of(admin.save("quiz", **typed))) == ["published"]
    assert not Quiz.objects.exists()


def test_taking_out_the_last_pool_of_a_published_quiz_is_refused(admin):
    quiz = Quiz.objects.create(slug="drawn", title_en="Drawn")
    make_pool(quiz, make_tag("Algebra", *questions(1)))
    quiz.publish(["en"])
    assert list(errors_of(admin.save("quiz", quiz, pools__0__DELETE="on"))) == ["published"]
    assert quiz.pools.exists()


# A pool that runs short ---------------------------------------------------------------------------------


def test_a_pool_that_draws_more_than_can_be_asked_is_told(admin):
    quiz, tag = make_quiz(), make_tag("Algebra", *questions(2), make_question("Only one"), make_page())
    [said] = told(admin, admin.save("quiz", quiz, pools__0__tag=tag.pk, pools__0__count="3"))
    assert said.startswith("The pool “Algebra” draws 3, and finds only 2")
    assert told(admin, admin.save("quiz", quiz, pools__0__count="2")) == []


def test_what_stands_in_the_quiz_itself_is_not_drawn_again(admin):
    first, second = questions(2)
    quiz = make_quiz(first)
    make_pool(quiz, make_tag("Algebra", first, second), count=2)
    [said] = told(admin, admin.save("quiz", quiz))
    assert "draws 2, and finds only 1" in said


def test_what_another_pool_may_have_drawn_is_missing_at_worst(admin):
    quiz = make_quiz()
    inner = questions(2)
    make_pool(quiz, make_tag("Algebra", *questions(2)), count=2)
    make_pool(quiz, make_tag("Algebra/Vectors", *inner), count=1)
    [said] = told(admin, admin.save("quiz", quiz))
    assert said.startswith("The pool “Algebra/Vectors” draws 1, and finds only 0")
    Tag.objects.get(name="Algebra/Vectors").questions.add(*questions(1))
    assert told(admin, admin.save("quiz", quiz)) == []
