"""Quizzes by the API for staff: their rules, questions and pools, where they are published, and whose they are."""

import json
import re
from functools import partial
from pathlib import Path

import pytest
from django.contrib.admin.models import ADDITION, CHANGE, DELETION
from django.contrib.auth.models import Group, Permission

from mpquiz.editing import quizzes as editing
from mpquiz.exceptions import Refusal
from mpquiz.models import Accommodation, Attempt, Pool, Question, Quiz, QuizQuestion, StaleText
from tests.api.conftest import Api
from tests.factories import learner, make_guide, make_pool, make_question, make_quiz, make_tag, make_user

from .editors import RULED, editor, fields_of, noted, queries

pytestmark = pytest.mark.django_db

README = (Path(__file__).resolve().parents[3] / "README.md").read_text(encoding="utf-8")
NEW = "staff/quizzes/"
OLD = "staff/quizzes/noura-1/"


@pytest.fixture
def noura(db):
    return editor()


@pytest.fixture
def question(db):
    return bilingual("One")


@pytest.fixture
def quiz(question):
    return make_quiz(question, bilingual("Two"), slug="noura-1", title={"en": "Sums", "ar": "الجمع"}, published=())


def bilingual(name, arabic="نص"):
    texts = {"en": name, "ar": f"{arabic} {name}"}
    rows = [{"text": {"en": n, "ar": f"{n}."}, "right": n == "Right"} for n in ("Right", "Wrong")]
    return make_question(*rows, prompt=texts, explanation=texts)


def half(name="Half"):
    """A question that is half translated into Arabic."""
    return make_question({"text": "Right", "right": True}, "Wrong", prompt={"en": name, "ar": "نصف"})


def order_of(shown):
    return [(one["question"], one["points"]) for one in shown.json()["questions"]]


def state_of(quiz):
    """All that is stored of a quiz and its parts."""
    rows = (Quiz.objects.filter(pk=quiz.pk), quiz.languages.all(), quiz.places.all(), quiz.pools.all())
    return [list(some.values()) for some in rows], list(quiz.guides.all()), list(quiz.groups.all())


# Written ----------------------------------------------------------------------------------------------------

RULES = {
    "level": "advanced",
    "place": 7,
    "pass_mark": "60.00",
    "preview": False,
    "shuffle_questions": True,
    "shuffle_choices": True,
    "draw": 1,
    "feedback": "at_end",
    "layout": "all",
    "show_right_or_wrong": "close",
    "show_score": "finish",
    "show_right_answer": "never",
    "show_explanation": "finish",
    "time_limit": 30,
    "opens_at": "2030-01-01T08:00:00Z",
    "closes_at": "2030-01-02T08:00:00Z",
    "runs_past_closing": True,
    "attempts_allowed": 2,
    "wait": 60,
    "counting": "last",
    "access": "groups",
    "password": "sesame",
}


def test_a_quiz_is_made_whole_with_its_questions_and_published_in_both_languages(noura, question):
    other = bilingual("Two")
    make_guide("sums")
    make_tag("Algebra", bilingual("Drawn"))
    Group.objects.create(name="Class 1")
    sent = {
        "slug": "sums",
        "title": {"en": "Sums", "ar": "الجمع"},
        "description": {"en": "All of it.", "ar": "كله."},
        **RULES,
        "guides": ["sums"],
        "groups": ["Class 1"],
        "published": ["en", "ar"],
        "questions": [{"question": other.pk, "points": "2.50"}, {"question": question.pk}],
        "pools": [{"tag": "algebra", "count": 1, "place": 1}],
    }
    made = noura.post(NEW, sent)
    assert made.status_code == 201, made.content
    told = made.json()
    kept = {name: told[name] for name in sent if name not in ("questions", "pools")}
    assert kept == {name: value for name, value in sent.items() if name in kept}
    assert order_of(made) == [(other.pk, "2.50"), (question.pk, "1.00")]
    assert told["pools"] == [{"tag": "Algebra", "count": 1, "points": "1.00", "place": 1}]
    assert [one["key"] for one in told["questions"]] == [other.key, question.key]
    assert noura.get("staff/quizzes/sums/").json() == told
    quiz = Quiz.objects.get()
    assert (quiz.title_ar, quiz.published_languages, quiz.time_limit) == ("الجمع", ["en", "ar"], 30)
    assert noted() == [("noura", "quiz", ADDITION)]


def test_a_new_quiz_is_a_draft_unless_it_says_otherwise(noura):
    made = noura.post(NEW, {"slug": "sums", "title": {"ar": "الجمع"}}).json()
    assert (made["published"], made["questions"], made["title"]) == ([], [], {"en": "", "ar": "الجمع"})
    assert (made["feedback"], made["access"], made["preview"]) == ("at_once", "everyone", True)


WRONG = [
    ({"slug": "no slug"}, ["slug"]),
    ({"slug": "mine"}, ["slug"]),
    ({"slug": "x" * 81}, ["slug"]),
    ({"title": {"ar": "x" * 201}}, ["title.ar"]),
    ({"title": {"en": "", "ar": ""}}, ["title"]),
    ({"level": "hard"}, ["level"]),
    ({"pass_mark": "101"}, ["pass_mark"]),
    ({"pass_mark": "NaN"}, ["pass_mark"]),
    ({"time_limit": 0}, ["time_limit"]),
    ({"draw": 0, "wait": -1}, ["draw", "wait"]),
    ({"attempts_allowed": 2**63}, ["attempts_allowed"]),
    ({"opens_at": "soon"}, ["opens_at"]),
    ({"opens_at": "9999-12-31T23:59:59Z"}, ["opens_at"]),
    ({"opens_at": "2030-01-02T08:00:00Z", "closes_at": "2030-01-01T08:00:00Z"}, ["closes_at"]),
    ({"show_score": "close"}, ["show_score"]),
    ({"layout": "all", "one_way": True}, ["one_way"]),
    ({"access": "groups"}, ["groups"]),
    ({"access": "friends"}, ["access"]),
    ({"groups": ["Nobody"]}, ["groups"]),
    ({"publishes_answers": True, "show_right_answer": "finish"}, ["publishes_answers"]),
    ({"guides": ["nowhere"]}, ["guides"]),
    ({"questions": [{"question": 10**9}]}, ["questions.0.question"]),
    ({"questions": [{"points": 1}]}, ["questions.0.question"]),
    ({"questions": [{"question": "one"}, 7]}, ["questions.0.question", "questions.1"]),
    ({"questions": [{"question": 2**63}]}, ["questions.0.question"]),
    ({"questions": 7}, ["questions"]),
    ({"questions": None}, ["questions"]),
    ({"questions": [{"question": 1}] * 2001}, ["questions"]),
    ({"pools": [{"tag": "Nothing"}]}, ["pools.0.tag"]),
    ({"pools": [{"count": 1}]}, ["pools.0.tag"]),
    ({"pools": [{"tag": "Algebra", "count": 0}]}, ["pools.0.count"]),
    ({"pools": [{"tag": "Algebra"}, {"tag": " ALGEBRA"}]}, ["pools.1"]),
    ({"published": ["fr"]}, ["published"]),
    ({"published": "en"}, ["published"]),
    ({"published": [["en"]]}, ["published.0"]),
    ({"although_incomplete": ["fr"]}, ["although_incomplete"]),
    ({"password": "x" * 101}, ["password"]),
]


@pytest.mark.parametrize(("change", "places"), WRONG)
def test_what_a_quiz_cannot_be_is_told_at_its_place_and_nothing_is_half_done(noura, quiz, change, places):
    make_tag("Algebra", half())
    before = state_of(quiz)
    sent = {"description": {"en": "Changed"}, "guides": [], "pools": [], **change}
    assert fields_of(noura.patch(OLD, sent)) == places
    assert (state_of(quiz), noted()) == (before, [])
    assert fields_of(noura.post(NEW, {"slug": "new", "title": {"en": "New"}, **sent})) == places
    assert Quiz.objects.count() == 1


def test_points_are_told_at_their_question(noura, quiz, question):
    sent = [{"question": question.pk, "points": points} for points in ("-1", "10000", "0.001", "many")]
    assert fields_of(noura.patch(OLD, {"questions": sent})) == [f"questions.{index}.points" for index in range(4)]
    sent = [{"question": question.pk}, {"question": question.pk}]
    assert fields_of(noura.patch(OLD, {"questions": sent})) == ["questions.1"]


def test_a_slug_is_changed_unless_a_file_names_the_quiz_by_it(noura, quiz):
    make_quiz(slug="taken")
    assert fields_of(noura.patch(OLD, {"slug": "taken"})) == ["slug"]
    assert noura.patch(OLD, {"slug": "noura-2"}).json()["slug"] == "noura-2"
    Quiz.objects.filter(pk=quiz.pk).update(imported="x" * 64)
    assert fields_of(noura.patch("staff/quizzes/noura-2/", {"slug": "noura-3"})) == ["slug"]


def test_the_walk_in_the_readme_does_what_it_says(noura):
    walk = README.partition("**Staff: editing.**")[2].partition("```shell\n")[2].partition("```")[0]
    steps = re.findall(r"send ([A-Z]+) (\S+) '(.+?)'(?=\s)", walk)
    answers = []
    for method, path, body in steps:
        known = {"'$id'": answers[0].json()["id"], "$id": answers[0].json()["id"]} if answers else {}
        for name, value in known.items():
            path, body = path.replace(name, str(value)), body.replace(name, str(value))
        answers.append(getattr(noura, method.lower())(f"staff/{path}", json.loads(body)))
    assert [one.status_code for one in answers] == [201, 201, 200, 200, 400]
    assert fields_of(answers[-1]) == ["choices.0.value"]
    quiz = Quiz.objects.published("ar").get()
    assert (quiz.published_languages, quiz.title_ar, quiz.places.get().points) == (["en", "ar"], "الأنصاف", 2)


# Its parts --------------------------------------------------------------------------------------------------


def test_the_list_of_questions_is_put_in_order_and_rows_that_stay_keep_what_was_not_sent(noura, quiz, question):
    first, second = quiz.places.all()
    QuizQuestion.objects.filter(pk=first.pk).update(points=3)
    third = bilingual("Three")
    ids = [second.question_id, third.pk, first.question_id]
    shown = noura.patch(OLD, {"questions": [{"question": pk} for pk in ids]})
    assert order_of(shown) == list(zip(ids, ["1.00", "1.00", "3.00"], strict=True))
    assert {first.pk, second.pk} < set(quiz.places.values_list("pk", flat=True))
    assert order_of(noura.patch(OLD, {"questions": [{"question": third.pk, "points": 2}]})) == [(third.pk, "2.00")]
    assert order_of(noura.patch(OLD, {"questions": []})) == []
    assert Question.objects.count() == 3


def test_pools_stand_where_they_are_told_else_at_the_end(noura, quiz):
    for name in ("Algebra", "Vectors"):
        make_tag(name, bilingual(name))
    sent = [{"tag": "Vectors", "count": 2, "points": "0.50"}, {"tag": "Algebra", "place": 0}]
    shown = noura.patch(OLD, {"pools": sent})
    assert shown.json()["pools"] == [
        {"tag": "Algebra", "count": 1, "points": "1.00", "place": 0},
        {"tag": "Vectors", "count": 2, "points": "0.50", "place": 2},
    ]
    ids = list(Pool.objects.values_list("pk", flat=True))
    assert noura.patch(OLD, {"pools": sent}).status_code == 200
    assert list(Pool.objects.values_list("pk", flat=True)) == ids
    assert len(noted()) == 1
    assert noura.patch(OLD, {"pools": []}).json()["pools"] == []


def test_what_was_deleted_at_this_moment_is_named_by_no_quiz(quiz):
    user, tag, guide, group = make_user(), make_tag("Gone"), make_guide("gone"), Group.objects.create(name="Gone")
    named = {"questions": [{"question": bilingual("Gone")}], "pools": [{"tag": tag}], "guides": [guide]}
    named |= {"groups": [group]}
    for sent in ({name: value} for name, value in named.items()):
        row = next(iter(sent.values()))[0]
        row = next(iter(row.values())) if isinstance(row, dict) else row
        type(row).objects.filter(pk=row.pk).delete()
        before = state_of(quiz)
        access = {"access": "groups"} if "groups" in sent else {}
        for store in (partial(editing.edit, quiz), editing.create):
            new = {"slug": "new", "title": {"en": "New"}} if store is editing.create else {}
            with pytest.raises(Refusal) as refused:
                store({**sent, **access, **new}, by=user)
            assert refused.value.code == "stale"
        assert (state_of(quiz), Quiz.objects.count(), noted()) == (before, 1, [])


def test_the_same_request_again_changes_nothing(noura, quiz, question):
    make_guide("sums")
    Group.objects.create(name="Class 1")
    make_tag("Algebra", bilingual("Drawn"))
    sent = {
        **RULES,
        "title": {"ar": "جمع"},
        "guides": ["sums"],
        "groups": ["Class 1"],
        "questions": [{"question": question.pk, "points": "2"}],
        "pools": [{"tag": "Algebra"}],
        "published": ["ar", "en", "ar"],
        "although_incomplete": ["ar"],
    }
    first = noura.patch(OLD, sent)
    assert first.status_code == 200, first.content
    before = state_of(quiz)
    again = noura.patch(OLD, sent)
    assert (again.status_code, again.json(), again["ETag"]) == (200, first.json(), first["ETag"])
    assert (state_of(quiz), noted()) == (before, [("noura", "quiz", CHANGE)])


@pytest.mark.parametrize(
    "change",
    [
        {"questions": []},
        {"pools": []},
        {"guides": []},
        {"groups": [], "access": "everyone"},
        {"published": ["en"]},
        {"although_incomplete": []},
        {"description": {"en": "Other"}},
        {"password": "other"},
    ],
)
def test_each_part_belongs_to_the_state(noura, quiz, change):
    make_pool(quiz, make_tag("Algebra", bilingual("Drawn")))
    quiz.guides.add(make_guide())
    quiz.groups.add(Group.objects.create(name="Class 1"))
    Quiz.objects.filter(pk=quiz.pk).update(access="groups")
    quiz.publish(["en", "ar"], although=["ar"])
    seen = noura.get(OLD)["ETag"]
    changed = noura.patch(OLD, change)
    assert changed["ETag"] != seen
    before = state_of(quiz)
    assert noura.patch(OLD, {"questions": [], "place": 5}, **{"If-Match": seen}).status_code == 412
    for verb in ("publish", "unpublish", "archive", "unarchive"):
        body = {"languages": ["ar"]} if "publish" in verb else {}
        assert noura.post(f"{OLD}{verb}/", body, **{"If-Match": seen}).json()["code"] == "stale"
    assert (state_of(quiz), len(noted())) == (before, 1)


def test_an_edit_marks_translations_to_be_checked_as_admin_does(noura, quiz):
    noura.patch(OLD, {"title": {"en": "Adding"}})
    assert [(one.quiz_id, one.name, one.language) for one in StaleText.objects.all()] == [(quiz.pk, "title", "ar")]
    noura.patch(OLD, {"title": {"ar": "جمع"}})
    assert not StaleText.objects.exists()


def test_attempts_that_run_keep_the_rules_and_questions_of_their_start(noura, quiz, question):
    quiz.publish(["en"])
    attempt = Attempt.objects.start(quiz, learner(make_user()))
    assert noura.patch(OLD, {"time_limit": 1, "questions": [{"question": question.pk}]}).status_code == 200
    attempt.refresh_from_db()
    assert (attempt.deadline, attempt.answers.count()) == (None, 2)


# Published --------------------------------------------------------------------------------------------------


def test_a_quiz_is_published_and_unpublished_language_by_language(noura, quiz):
    def published(verb, body):
        answer = noura.post(f"{OLD}{verb}/", body)
        assert answer.status_code == 200, answer.content
        return answer.json()["published"]

    assert published("publish", {"languages": ["ar"]}) == ["ar"]
    assert published("publish", {"languages": ["en"]}) == ["en", "ar"]
    before = state_of(quiz)
    assert published("publish", {"languages": ["ar", "en", "ar"]}) == ["en", "ar"]
    assert published("publish", {"languages": []}) == ["en", "ar"]
    assert published("unpublish", {"languages": []}) == ["en", "ar"]
    assert (state_of(quiz), len(noted())) == (before, 2)
    assert published("unpublish", {"languages": ["ar"]}) == ["en"]
    assert published("unpublish", {"languages": ["ar"]}) == ["en"]
    assert published("unpublish", {}) == []
    assert published("unpublish", {}) == []
    assert noted() == [("noura", "quiz", CHANGE)] * 4


def test_half_a_translation_is_published_only_where_the_editor_says_so(noura, quiz, question):
    some = half()
    noura.patch(OLD, {"questions": [{"question": question.pk}, {"question": some.pk}]})
    refused = noura.post(f"{OLD}publish/", {"languages": ["en", "ar"]})
    assert fields_of(refused) == ["published"]
    assert some.key in refused.json()["fields"]["published"][0]
    assert fields_of(noura.patch(OLD, {"published": ["ar"]})) == ["published"]
    assert not quiz.languages.exists()
    told = noura.post(f"{OLD}publish/", {"languages": ["en", "ar"], "although_incomplete": ["ar"]}).json()
    assert (told["published"], told["although_incomplete"]) == (["en", "ar"], ["ar"])
    again = noura.post(f"{OLD}publish/", {"languages": ["en"]}).json()
    assert (again["published"], again["although_incomplete"]) == (["en", "ar"], ["ar"])
    assert noura.patch(OLD, {"place": 3}).status_code == 200


@pytest.mark.parametrize("sent", [{}, {"languages": ["fr"]}, {"languages": "ar"}, {"languages": None}])
def test_languages_that_are_none_are_told(noura, quiz, sent):
    assert fields_of(noura.post(f"{OLD}publish/", sent)) == ["languages"]
    if sent:
        assert fields_of(noura.post(f"{OLD}unpublish/", sent)) == ["languages"]


def test_a_quiz_with_nothing_to_ask_is_not_published(noura):
    quiz = make_quiz(make_question("Neither", "nor"), slug="noura-1", published=())
    for answer in (noura.post(f"{OLD}publish/", {"languages": ["en"]}), noura.patch(OLD, {"published": ["en"]})):
        assert fields_of(answer) == ["published"]
    new = {"slug": "new", "title": {"en": "New"}, "published": ["en"]}
    assert fields_of(noura.post(NEW, new)) == ["published"]
    assert (quiz.published_languages, Quiz.objects.count()) == ([], 1)
    quiz.append([bilingual("Sound")])
    noura.post(f"{OLD}publish/", {"languages": ["en"]})
    assert fields_of(noura.patch(OLD, {"questions": []})) == ["published"]
    make_tag("Algebra", bilingual("Drawn"))
    assert noura.patch(OLD, {"questions": [], "pools": [{"tag": "Algebra"}]}).status_code == 200


def test_a_quiz_is_archived_whatever_else_is_wrong_with_it(noura, quiz):
    Quiz.objects.filter(pk=quiz.pk).update(title_en="", title_ar="", draw=0)
    before = len(noted())
    for _time in range(2):
        assert noura.post(f"{OLD}archive/").json()["archived"] is True
    for _time in range(2):
        assert noura.post(f"{OLD}unarchive/").json()["archived"] is False
    assert len(noted()) == before + 2
    assert fields_of(noura.post(f"{OLD}archive/", {"archived": False})) == ["archived"]


def test_what_lacks_is_told_by_language_and_place(noura, quiz, question):
    some = half()
    noura.patch(OLD, {"questions": [{"question": question.pk}, {"question": some.pk}], "description": {"ar": "وصف"}})
    told = noura.get(f"{OLD}completeness/").json()
    assert told["half"] == {"en": True, "ar": True}
    assert told["wanted"] > told["there"]["ar"] > 0
    assert [one["question"] for one in told["lacking"]] == [None, some.pk]
    assert told["lacking"][0]["where"] == {"en": ["description"], "ar": []}
    assert told["lacking"][1] == {
        "question": some.pk,
        "key": some.key,
        "where": {"en": [], "ar": ["explanation", "choices.0.text", "choices.1.text"]},
    }


# Copied and deleted -------------------------------------------------------------------------------------------


def test_a_copy_is_a_draft_with_the_same_parts(noura, quiz):
    make_pool(quiz, make_tag("Algebra", bilingual("Drawn")))
    quiz.publish(["en"])
    copy = noura.post(f"{OLD}copy/")
    assert copy.status_code == 201
    told, shown = copy.json(), noura.get(OLD)
    assert (told["slug"], told["published"], told["title"]["en"]) == ("noura-1-copy", [], "Sums (copy)")
    assert order_of(copy) == order_of(shown)
    assert told["pools"] == shown.json()["pools"]
    assert noted() == [("noura", "quiz", ADDITION)]
    assert fields_of(noura.post(f"{OLD}copy/", {"slug": "mine"})) == ["slug"]


def test_a_quiz_that_was_taken_stays_and_trials_go_with_theirs(noura, quiz):
    quiz.publish(["en"])
    taken = Attempt.objects.start(quiz, learner(make_user()))
    answer = noura.delete(OLD)
    assert (answer.status_code, answer.json()["code"]) == (409, "taken")
    assert (Quiz.objects.count(), noted()) == (1, [])
    Attempt.objects.filter(pk=taken.pk).update(trial=True)
    assert noura.delete(OLD).status_code == 204
    assert (Attempt.objects.count(), Question.objects.count()) == (0, 2)
    assert noted() == [("noura", "quiz", DELETION)]


def test_what_was_granted_in_a_quiz_is_deleted_by_whoever_may(quiz):
    Accommodation.objects.create(quiz=quiz, user=make_user())
    api = editor("samir", "delete_quiz")
    answer = api.delete(OLD)
    assert (answer.status_code, answer.json()["code"]) == (403, "not_allowed")
    assert editor("noura").delete(OLD).status_code == 204


# Lists ------------------------------------------------------------------------------------------------------


def test_the_list_is_searched_in_each_language_and_narrowed(noura, quiz):
    quiz.publish(["ar"])
    make_quiz(slug="other", title={"en": "100%"}, published=["en"], level="advanced", place=1, archived=True)
    make_quiz(slug="draft", title={"ar": "مسودة"}, published=(), place=2)

    def slugs(**query):
        return [row["slug"] for row in noura.get(NEW, **query).json()["results"]]

    assert slugs() == slugs(ordering="place") == ["noura-1", "other", "draft"]
    assert (
        slugs(search="الجمع") == slugs(search="sum") == slugs(search="noura") == slugs(published="ar") == ["noura-1"]
    )
    assert (
        slugs(search="0%") == slugs(level="advanced") == slugs(archived="true") == slugs(published="en") == ["other"]
    )
    assert slugs(published="none") == ["draft"]
    assert slugs(archived="false", ordering="-place") == ["draft", "noura-1"]
    for name, value in (("published", "fr"), ("level", "hard"), ("archived", "perhaps")):
        assert fields_of(noura.get(NEW, **{name: value})) == [name]
    assert "password" not in noura.get(NEW).json()["results"][0]


def test_a_quiz_takes_as_many_queries_with_40_questions_as_with_5(noura):
    tag = make_tag("Algebra", bilingual("Drawn"))
    for count in (5, 40):
        make_pool(make_quiz(slug=f"noura-{count}", count=count, guides=[make_guide(f"g{count}")]), tag)
    for tail in ("", "completeness/"):
        few, many = (queries(noura, f"{NEW}noura-{count}/{tail}") for count in (5, 40))
        assert few == many <= 13
    assert queries(noura, f"{NEW}noura-40/", accept="text/html") == queries(
        noura, f"{NEW}noura-5/", accept="text/html"
    )


# Whose they are -----------------------------------------------------------------------------------------------


@pytest.fixture
def ruled(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}


def test_a_quiz_of_another_editor_is_not_there(noura, quiz, ruled):
    samir = editor("samir")
    before = state_of(quiz)
    asked = [samir.get(OLD), samir.patch(OLD, {"place": 9}), samir.delete(OLD), samir.get(f"{OLD}completeness/")]
    asked += [samir.post(f"{OLD}{verb}/") for verb in ("copy", "publish", "unpublish", "archive", "unarchive")]
    for answer in asked:
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert samir.get(NEW).json()["count"] == samir.get(NEW, search="noura").json()["count"] == 0
    assert (state_of(quiz), noted()) == (before, [])
    assert noura.get(NEW).json()["count"] == 1


def test_a_question_of_another_editor_is_put_into_no_quiz(noura, quiz, question, ruled):
    samir = editor("samir")
    mine = make_quiz(bilingual("Mine"), slug="samir-1")
    before = state_of(mine)
    sent = {"questions": [{"question": mine.questions.get().pk}, {"question": question.pk}]}
    refused, unknown = (
        samir.patch("staff/quizzes/samir-1/", body) for body in (sent, {"questions": [{"question": 9**9}]})
    )
    assert fields_of(refused) == ["questions.1.question"]
    assert refused.json()["fields"]["questions.1.question"] == unknown.json()["fields"]["questions.0.question"]
    assert fields_of(samir.post(NEW, {"slug": "samir-2", "title": {"en": "New"}, **sent})) == ["questions.1.question"]
    assert state_of(mine) == before
    assert set(question.quizzes.values_list("slug", flat=True)) == {"noura-1"}


def test_a_pool_names_no_question_of_another_editor(noura, quiz, ruled):
    """Also of one that draws from it, since it was there before the host's rule."""
    theirs, mine = half("Theirs"), half("Mine")
    quiz.append([theirs])
    drafted = make_quiz(mine, slug="samir-1", title={"en": "New", "ar": "جديد"}, published=[])
    drafted.places.all().delete()
    make_pool(drafted, make_tag("Algebra", theirs, mine))
    samir = editor("samir")
    refused = samir.patch("staff/quizzes/samir-1/", {"published": ["ar"]})
    assert fields_of(refused) == ["published"]
    told = refused.json()["fields"]["published"][0]
    assert mine.key in told
    assert "…" in told
    assert theirs.key not in told
    lacking = samir.get("staff/quizzes/samir-1/completeness/").json()["lacking"]
    assert [one["question"] for one in lacking] == [mine.pk]
    assert theirs.key not in samir.get("staff/quizzes/samir-1/").content.decode()


def test_whoever_may_only_see_results_reads_the_quiz_without_its_password(quiz, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": "tests.api.staff.test_quizzes.results_alone"}
    Quiz.objects.filter(pk=quiz.pk).update(password="sesame")
    api = editor("samir")
    assert api.get(OLD).json()["password"] is None
    for answer in (api.patch(OLD, {"place": 9}), api.post(f"{OLD}archive/"), api.delete(OLD)):
        assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    settings.MPQUIZ = {name: value for name, value in settings.MPQUIZ.items() if name != "MAY_EDIT"}
    assert api.get(OLD).json()["password"] == "sesame"
    assert editor("reader", "view_quiz").get(OLD).json()["password"] is None


def results_alone(user, quizzes, doing):
    return quizzes if doing == "results" else quizzes.none()


def test_a_superuser_has_all_quizzes(quiz, ruled):
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    assert root.patch(OLD, {"place": 9}).json()["place"] == 9
    assert Permission.objects.filter(user__username="root").count() == 0
