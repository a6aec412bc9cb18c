"""Tags and pools in admin, where MAY_EDIT says whose quizzes are: what a pool draws is nobody else's."""

import pytest
from django.urls import reverse

from mpquiz.models import Question, Tag
from tests.admin.conftest import errors_of
from tests.admin.test_editors import noura, other, own, ruled  # noqa: F401  # fixtures
from tests.factories import make_pool, make_question, make_quiz, make_tag

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn(other):  # noqa: F811
    """A tag from which another's quiz draws."""
    tag = make_tag("Drawn")
    make_pool(other, tag)
    return tag


def test_a_pool_of_what_the_editor_may_not_see_is_refused_at_its_field(noura, own, other):  # noqa: F811
    hidden, free = make_tag("Algebra", other.questions.get()), make_tag("Free", make_question())
    answer = noura.save("quiz", own, pools__0__tag=hidden.pk)
    assert "are other editors'" in str(errors_of(answer)["pools-0-tag"])
    assert own.pools.count() == 0
    assert noura.save("quiz", own, pools__0__tag=free.pk).status_code == 302
    make_pool(own, hidden)
    assert noura.save("quiz", own, title_en="Kept").status_code == 302
    assert own.pools.count() == 2


def test_a_tag_from_which_anothers_quiz_draws_is_not_given(noura, own, drawn):  # noqa: F811
    question = own.questions.get()
    assert "draw from the tag" in str(errors_of(noura.save("question", question, tags=[drawn.pk]))["tags"])
    data = {"action": "add_tag", "_selected_action": [question.pk], "answered": "1"}
    for tag in (drawn, make_tag("Plain")):
        noura.client.post(noura.address("question", view="changelist"), data | {"tag": tag.pk})
    assert [tag.name for tag in question.tags.all()] == ["Plain"]
    question.tags.add(drawn)
    assert noura.save("question", question, title_en="Kept").status_code == 302


def test_a_tag_is_renamed_where_no_other_editor_uses_it(noura, own, other, drawn):  # noqa: F811
    hidden, mine = make_tag("Algebra", other.questions.get()), make_tag("Mine", own.questions.get())
    for tag, name in ((hidden, "Mine/Algebra"), (mine, "Drawn/Mine"), (drawn, "Elsewhere")):
        assert "name" in errors_of(noura.save("tag", tag, name=name))
    assert noura.save("tag", mine, name="Ours").status_code == 302
    assert Tag.objects.filter(name="Ours").exists()


def test_a_copy_leaves_out_tags_and_pools_that_are_not_the_editors(noura, own, other, drawn):  # noqa: F811
    question = own.questions.get()
    question.tags.add(drawn)
    make_pool(own, make_tag("Algebra", other.questions.get()))
    for model, row in (("question", question), ("quiz", own)):
        noura.client.post(reverse(f"admin:mpquiz_{model}_copy", args=[row.pk]))
    assert Question.objects.latest("pk").tags.count() == 0
    assert type(own).objects.latest("pk").pools.count() == 0


def test_an_imported_file_gives_no_such_tag(noura, drawn):  # noqa: F811
    sent = {
        "text": "$CATEGORY: Drawn\n\n::a:: Own? {=yes ~no}",
        "format": "gift",
        "language": "en",
        "into": "noura-y",
    }
    page = noura.client.post(reverse("admin:mpquiz_quiz_import"), sent)
    assert (page.status_code, "draw from the tag" in page.content.decode()) == (200, True)


def test_a_superuser_gives_and_draws_as_before(admin, ruled, other, drawn):  # noqa: F811
    quiz = make_quiz(slug="noura-9")
    hidden = make_tag("Algebra", other.questions.get())
    assert admin.save("quiz", quiz, pools__0__tag=hidden.pk).status_code == 302
    assert admin.save("question", quiz.questions.first(), tags=[drawn.pk]).status_code == 302
