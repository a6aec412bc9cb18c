"""Tags and pools by the API, where MAY_EDIT says whose quizzes are: what a pool draws is nobody else's."""

import pytest

from mpquiz.models import Attempt, Question, Quiz, Tag
from tests.factories import learner, make_page, make_pool, make_question, make_quiz, make_tag, make_user

from .editors import RULED, editor, fields_of

pytestmark = pytest.mark.django_db

NEW = {
    "kind": "single",
    "prompt": {"en": "Own?"},
    "choices": [{"text": {"en": "a"}, "right": True}, {"text": {"en": "b"}}],
}
NO_POOL = "Some questions of the tag “{}” are other editors'. Choose another tag."
NO_QUESTION = "Quizzes of other editors draw from the tag “{}”. Choose another tag."


@pytest.fixture(autouse=True)
def ruled(settings):
    settings.MPQUIZ = settings.MPQUIZ | RULED


@pytest.fixture
def noura(db):
    return editor()


@pytest.fixture
def secret(db):
    """A question of another's quiz."""
    question = make_question(("Right", True), "Wrong", prompt="Secret?")
    make_quiz(question, slug="samir-1")
    return question


@pytest.fixture
def exam(db):
    """Another's quiz, which draws from the tag Drawn."""
    quiz = make_quiz(make_question(prompt="Samir's?"), slug="samir-exam")
    make_pool(quiz, make_tag("Drawn", make_question(prompt="Free?")), count=9)
    return quiz


def pool_of(api, tag, slug="noura-x"):
    return api.post("staff/quizzes/", {"slug": slug, "title": {"en": "X"}, "pools": [{"tag": tag, "count": 5}]})


def bring(api, *, pools="[]", tags="[]", **sent):
    text = (
        "mpquiz: 1\nnamespace: noura\nquiz:\n  slug: noura-y\n  title: {en: Y}\n"
        f"  pools: {pools}\n"
        "questions:\n  - key: a\n    kind: single\n    prompt: {en: Own?}\n"
        f"    tags: {tags}\n"
        "    choices: [{text: {en: a}, right: true}, {text: {en: b}}]\n"
    )
    return api.post("staff/import/", {"text": text, "format": "yaml", **sent})


# Drawing from what others have --------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["Algebra", "Algebra/Vectors"])
def test_no_pool_draws_what_its_editor_may_not_see(noura, secret, tag):
    make_tag(tag, secret)
    make_tag("Algebra") if tag != "Algebra" else None
    answer = pool_of(noura, "Algebra")
    assert fields_of(answer) == ["pools.0.tag"]
    assert answer.json()["fields"]["pools.0.tag"] == [NO_POOL.format("Algebra")]
    assert not Quiz.objects.filter(slug="noura-x").exists()
    assert pool_of(editor("samir"), "Algebra", "samir-x").status_code == 201


def test_a_pool_draws_one_s_own_and_what_is_in_no_quiz(noura, secret):
    own = make_question(prompt="Own?")
    make_quiz(own, slug="noura-1")
    make_tag("Algebra", own, make_question(prompt="Free?"))
    page = make_page()
    make_quiz(page, slug="samir-2")
    page.tags.set(Tag.objects.all())
    assert pool_of(noura, "Algebra").status_code == 201


def test_a_pool_that_was_there_already_stays(noura, secret):
    quiz = make_quiz(slug="noura-1")
    make_pool(quiz, make_tag("Algebra", secret))
    assert noura.patch("staff/quizzes/noura-1/", {"pools": [{"tag": "Algebra", "count": 7}]}).status_code == 200
    assert quiz.pools.get().count == 7


def test_a_trial_draws_what_its_editor_may_see_and_learners_are_asked_all(noura, secret):
    free = make_question(prompt="Free?")
    quiz = make_quiz(slug="noura-1", count=1)
    make_pool(quiz, make_tag("Algebra", secret, free), count=5)
    assert noura.post("quizzes/noura-1/start/", {"trial": True}).status_code in (200, 201)
    trial = Attempt.objects.get(trial=True)
    asked = set(trial.answers.values_list("question__prompt_en", flat=True))
    assert asked == {"Question 1?", "Free?"}
    told = noura.get(f"staff/attempts/{trial.public_id}/")
    assert (told.status_code, "Secret?" in told.content.decode()) == (200, False)
    assert Attempt.objects.start(quiz, learner(make_user("hala"))).answers.count() == 3


def test_a_tag_is_not_renamed_into_a_pool_or_out_of_one(noura, secret, exam):
    make_pool(make_quiz(slug="noura-1"), make_tag("Mine"))
    hidden, own, drawn = make_tag("Algebra", secret), make_tag("Own", make_question()), Tag.objects.get(name="Drawn")
    for tag, name in ((hidden, "Mine/Algebra"), (own, "Drawn/Own"), (drawn, "Other")):
        answer = noura.patch(f"staff/tags/{tag.pk}/", {"name": name})
        assert fields_of(answer) == ["name"]
    assert noura.patch(f"staff/tags/{own.pk}/", {"name": "Mine/Own"}).status_code == 200
    assert noura.patch(f"staff/tags/{drawn.pk}/", {"name": "DRAWN"}).status_code == 200


# Into what others draw from -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tag", ["Drawn", "Drawn/Within"])
def test_no_question_gets_a_tag_from_which_another_s_quiz_draws(noura, exam, tag):
    make_tag(tag) if tag != "Drawn" else None
    own = make_question(prompt="Own?")
    new = noura.post("staff/questions/", {**NEW, "tags": [tag]})
    changed = noura.patch(f"staff/questions/{own.pk}/", {"tags": [tag]})
    for answer in (new, changed):
        assert fields_of(answer) == ["tags"]
        assert answer.json()["fields"]["tags"] == [NO_QUESTION.format(tag)]
    samir = editor("samir")
    assert samir.patch(f"staff/questions/{own.pk}/", {"tags": [tag]}).status_code == 200
    assert noura.patch(f"staff/questions/{own.pk}/", {"tags": [tag], "title": {"en": "Kept"}}).status_code == 200


def test_a_copy_has_no_tag_from_which_another_s_quiz_draws(noura, exam):
    free = Question.objects.get(prompt_en="Free?")
    free.tags.add(make_tag("Plain"))
    copied = noura.post(f"staff/questions/{free.pk}/copy/").json()
    assert copied["tags"] == ["Plain"]
    assert editor("samir").post(f"staff/questions/{free.pk}/copy/").json()["tags"] == ["Drawn", "Plain"]


def test_a_copy_of_a_quiz_has_no_pool_of_what_its_editor_may_not_see(noura, secret):
    quiz = make_quiz(slug="noura-1")
    make_pool(quiz, make_tag("Algebra", secret))
    make_pool(quiz, make_tag("Plain", make_question()))
    assert [one["tag"] for one in noura.post("staff/quizzes/noura-1/copy/").json()["pools"]] == ["Plain"]


def test_a_state_that_is_brought_back_brings_no_such_tag(noura, exam):
    own = make_question(prompt="Own?")
    samir = editor("samir")
    samir.patch(f"staff/questions/{own.pk}/", {"tags": ["Drawn"]})
    samir.patch(f"staff/questions/{own.pk}/", {"tags": []})
    states = {tuple(one.content.get("tags", ())): one.pk for one in own.revisions.all()}
    answer = noura.post(f"staff/questions/{own.pk}/history/{states[('Drawn',)]}/restore/", {})
    assert (answer.status_code, answer.json()["tags"]) == (200, [])


# Import -------------------------------------------------------------------------------------------------------


def test_a_file_gives_no_tag_and_has_no_pool_that_is_not_the_editor_s(noura, secret, exam):
    make_tag("Algebra", secret)
    for sent, told in (
        ({"pools": "[{tag: algebra, count: 2}]"}, NO_POOL.format("algebra")),
        ({"tags": "[Drawn/New]"}, NO_QUESTION.format("Drawn/New")),
    ):
        answer = bring(noura, **sent)
        assert (answer.status_code, [one["message"] for one in answer.json()["errors"]]) == (400, [told])
    assert not Quiz.objects.filter(slug="noura-y").exists()
    assert bring(noura, tags="[Plain]", pools="[{tag: Plain, count: 1}]").status_code == 201


def test_what_a_file_gave_before_it_gives_again(noura, secret):
    sent = {"tags": "[Plain]", "pools": "[{tag: Plain, count: 1}]"}
    assert bring(noura, **sent).status_code == 201
    plain = Tag.objects.get(name="Plain")
    secret.tags.add(plain)
    make_pool(Quiz.objects.get(slug="samir-1"), plain)
    assert bring(noura, **sent).status_code == 200


def test_a_file_of_another_system_gives_no_such_tag(noura, exam):
    gift = "$CATEGORY: Drawn\n\n::a:: Own? {=yes ~no}\n"
    sent = {"text": gift, "format": "gift", "language": "en", "into": "noura-1"}
    assert noura.post("staff/import/", sent).status_code == 400
    make_quiz(slug="noura-1")
    answer = noura.post("staff/import/", sent)
    assert [one["message"] for one in answer.json()["errors"]] == [NO_QUESTION.format("Drawn")]


def test_without_a_rule_pools_and_tags_are_everybody_s(noura, secret, exam, settings):
    settings.MPQUIZ = {name: value for name, value in settings.MPQUIZ.items() if name != "MAY_EDIT"}
    make_tag("Algebra", secret)
    assert pool_of(noura, "Algebra").status_code == 201
    assert noura.post("staff/questions/", {**NEW, "tags": ["Drawn"]}).status_code == 201
