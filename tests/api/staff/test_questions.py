"""Questions by the API for staff: every kind, choices by their keys, copies, history, and whose they are."""

from decimal import Decimal

import pytest
from django.contrib.admin.models import ADDITION, CHANGE

from mpquiz.models import Answer, Attempt, Question, Revision, StaleText
from tests.api.conftest import Api
from tests.factories import learner, make_guide, make_question, make_quiz, make_tag, make_user

from .editors import RULED, editor, fields_of, noted, queries

pytestmark = pytest.mark.django_db

NEW = "staff/questions/"


@pytest.fixture
def noura(db):
    return editor()


@pytest.fixture
def question(db):
    return make_question(
        {"text": {"en": "Two", "ar": "اثنان"}, "right": True, "feedback": {"en": "Yes"}},
        {"text": {"en": "Three", "ar": "ثلاثة"}},
        {"text": {"en": "Four", "ar": "أربعة"}},
        prompt={"en": "One and one?", "ar": "واحد وواحد؟"},
    )


def at(question, tail=""):
    return f"staff/questions/{question.pk}/{tail}"


def choices_of(shown):
    return [(one["key"], one["text"]["en"], one["right"]) for one in shown.json()["choices"]]


def both(english, arabic):
    return {"en": english, "ar": arabic}


# Kinds ------------------------------------------------------------------------------------------------------

PROMPT = both("How many?", "كم؟")
KINDS = {
    "single": {"choices": [{"text": both("Two", "اثنان"), "right": True}, {"text": both("Three", "ثلاثة")}]},
    "multiple": {
        "choices": [
            {"text": both("Two", "اثنان"), "right": True, "weight": "0.5000000"},
            {"text": both("2", "٢"), "right": True, "weight": "0.5000000"},
            {"text": both("Three", "ثلاثة"), "weight": "-1.0000000", "keeps_place": True},
        ]
    },
    "true_false": {"choices": [{"text": both("True", "صواب"), "right": True}, {"text": both("False", "خطأ")}]},
    "text": {"choices": [{"text": both("Two", "اثنان"), "right": True}], "settings": {"strict": True}},
    "number": {"choices": [{"value": "3.14:0.01", "right": True, "feedback": both("Close.", "قريب.")}]},
    "matching": {
        "choices": [
            {"text": both("One", "واحد"), "match": both("1", "١")},
            {"text": both("Two", "اثنان"), "match": both("2", "٢")},
        ]
    },
    "ordering": {"choices": [{"text": both("First", "أول")}, {"text": both("Second", "ثانٍ")}]},
    "gaps": {
        "prompt": both("One is [[1]].", "الواحد هو [[1]]."),
        "choices": [{"text": both("1", "١"), "right": True, "part": "1"}],
    },
    "essay": {"settings": {"longest": 500, "notes": both("Read well.", "اقرأ جيدًا.")}},
    "page": {},
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_of_each_kind_is_written_and_read_in_both_languages(noura, kind):
    sent = {
        "kind": kind,
        "prompt": PROMPT,
        "explanation": both("So.", "هكذا."),
        "title": both("T", "ع"),
        **KINDS[kind],
    }
    made = noura.post(NEW, sent)
    assert made.status_code == 201, made.content
    told, stored = made.json(), Question.objects.get()
    assert told == noura.get(at(stored)).json()
    for name, value in sent.items():
        if name == "choices":
            pairs = zip(value, told["choices"], strict=True)
            assert [{name: shown[name] for name in one} for one, shown in pairs] == value
        else:
            assert told[name] == value
    assert (told["problems"], stored.created_at is not None) == ([], True)
    assert noura.patch(at(stored), told).json()["revision"] == told["revision"]


@pytest.mark.parametrize(
    ("kind", "change", "places"),
    [
        ("single", {"choices": [{"text": {"en": "Two"}, "right": True}]}, ["choices"]),
        ("single", {"choices": [{"text": {"en": "Two"}}, {"text": {"en": "Three"}}]}, ["choices"]),
        (
            "single",
            {"choices": [{"text": {"en": "Two"}, "right": True}, {"text": {"en": "3"}, "right": True}, {}]},
            ["choices.2.text", "choices.1.right"],
        ),
        ("multiple", {"choices": [{"text": {"en": "2"}, "right": True, "weight": "-1"}, {}]}, ["choices.1.text"]),
        ("text", {"choices": []}, ["choices"]),
        ("text", {"choices": [{"text": {"en": " "}, "right": True}]}, ["choices.0.text"]),
        ("number", {"choices": [{"value": "many", "right": True}, {"value": "2"}]}, ["choices.0.value"]),
        ("matching", {"choices": [{"text": {"en": "One"}, "match": {"en": "1"}}, {}]}, ["choices.1.match"]),
        ("ordering", {"choices": [{"text": {"en": "One"}}]}, ["choices"]),
        ("gaps", {"prompt": {"en": "No gap.", "ar": "لا فراغ."}}, ["prompt"]),
        ("gaps", {"prompt": {"en": "No gap."}}, ["prompt"]),
        ("essay", {"settings": {"longest": 0}}, ["settings"]),
        ("essay", {"choices": [{"text": {"en": "One"}}]}, ["choices"]),
        ("page", {"prompt": {"en": "", "ar": ""}}, ["prompt"]),
    ],
)
def test_what_keeps_a_question_from_being_asked_is_refused_at_its_place(noura, kind, change, places):
    sent = {"kind": kind, "prompt": PROMPT, **KINDS[kind]}
    found = fields_of(noura.post(NEW, {**sent, **change}))
    assert set(places) <= set(found)
    assert not Question.objects.exists()
    made = noura.post(NEW, sent)
    path, before = f"{NEW}{made.json()['id']}/", Question.objects.get().written()
    assert fields_of(noura.patch(path, change)) == found
    assert Question.objects.get().written() == before
    assert len(noted()) == Revision.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "places"),
    [
        ({"choices": [{}, {}, {"text": {"ar": 3}}]}, ["choices.2.text.ar"]),
        (
            {"choices": [{"text": {"fr": "Deux"}}, {"feedback": {"ar": ["x"]}}]},
            ["choices.0.text.fr", "choices.1.feedback.ar"],
        ),
        ({"choices": [{"right": "perhaps"}, 7]}, ["choices.0.right", "choices.1"]),
        ({"choices": [{"colour": "red"}]}, ["choices.0.colour"]),
        ({"choices": [{"weight": "2"}]}, ["choices.0.weight"]),
        ({"choices": [{"weight": "NaN"}]}, ["choices.0.weight"]),
        ({"choices": [{"key": "no key"}]}, ["choices.0.key"]),
        ({"choices": [{"part": "no part"}, {"value": "1" * 101}]}, ["choices.0.part", "choices.1.value"]),
        ({"choices": {}}, ["choices"]),
        ({"choices": None}, ["choices"]),
        ({"choices": [{}] * 201}, ["choices"]),
        ({"title": {"ar": "x" * 201}}, ["title.ar"]),
        ({"kind": "riddle"}, ["kind"]),
        ({"kind": 3}, ["kind"]),
        ({"settings": [1]}, ["settings"]),
        ({"settings": "x"}, ["settings"]),
        ({"settings": None}, ["settings"]),
        ({"settings": {"notes": {"fr": "Lisez.", "en": "Read."}}}, ["settings.notes"]),
        ({"guides": ["nowhere"]}, ["guides"]),
        ({"guides": "floats"}, ["guides"]),
        ({"guides": [["floats"]]}, ["guides.0"]),
        ({"tags": ["Nothing"]}, ["tags"]),
        ({"key": "other/key"}, ["key"]),
        ({"revision": 3.5}, []),
    ],
)
def test_what_cannot_be_used_is_told_at_its_place_and_nothing_is_half_done(noura, question, change, places):
    before = question.written()
    answer = noura.patch(at(question), {"prompt": {"en": "Changed?"}, **change})
    assert answer.status_code in (400, 409)
    assert list(answer.json().get("fields", [])) == places
    assert Question.objects.get().written() == before
    assert not noted()


@pytest.mark.parametrize("key", ["no slash", "Capitals/key", "a/b/c", "site/" + "x" * 100, 3, "ا/ب"])
def test_a_key_that_files_cannot_hold_is_none(noura, key):
    assert fields_of(noura.post(NEW, {"kind": "page", "prompt": PROMPT, "key": key})) == ["key"]


def test_a_key_names_one_question_for_good(noura):
    sent = {"kind": "page", "prompt": PROMPT, "key": "own/key"}
    assert noura.post(NEW, sent).json()["key"] == "own/key"
    assert fields_of(noura.post(NEW, sent)) == ["key"]
    assert Question.objects.count() == 1


# Choices ----------------------------------------------------------------------------------------------------


def test_choices_keep_their_keys_in_another_order_and_what_was_not_sent_of_them(noura, question):
    pks = {one.key: one.pk for one in question.choices.all()}
    sent = [
        {"key": "c", "right": True},
        {"text": both("Five", "خمسة")},
        {"key": "a", "right": False, "text": {"en": "2"}},
    ]
    shown = noura.patch(at(question), {"choices": sent})
    new = shown.json()["choices"][1]["key"]
    assert choices_of(shown) == [("c", "Four", True), (new, "Five", False), ("a", "2", False)]
    assert shown.json()["choices"][2]["text"] == {"en": "2", "ar": "اثنان"}
    assert shown.json()["choices"][2]["feedback"] == {"en": "Yes", "ar": ""}
    assert {one.key: one.pk for one in question.choices.all() if one.key != new} == {"c": pks["c"], "a": pks["a"]}
    back = noura.patch(at(question), {"choices": [{"key": key} for key in ("a", new, "c")]})
    assert [key for key, _text, _right in choices_of(back)] == ["a", new, "c"]


def test_a_choice_s_key_is_given_to_no_other(noura, question):
    for keys, places in ((["a", "x"], ["choices.1.key"]), (["a", "b", "a"], ["choices.2.key"])):
        assert fields_of(noura.patch(at(question), {"choices": [{"key": key} for key in keys]})) == places
    other = make_question({"key": "other", "text": "Mine", "right": True}, "Wrong")
    assert fields_of(noura.patch(at(question), {"choices": [{"key": "a"}, {"key": "other"}]})) == ["choices.1.key"]
    assert other.choices.count() == 2


def test_weights_are_exact(noura):
    sent = {
        "kind": "multiple",
        "prompt": PROMPT,
        "choices": [{"text": {"en": str(number)}, "right": True, "weight": "0.3333333"} for number in range(3)],
    }
    assert noura.post(NEW, sent).status_code == 201
    assert {one.weight for one in Question.objects.get().choices.all()} == {Decimal("0.3333333")}


def test_a_number_is_stored_in_one_spelling(noura):
    made = noura.post(NEW, {"kind": "number", "prompt": PROMPT, "choices": [{"value": " ٣٫١٤ ", "right": True}]})
    assert made.json()["choices"][0]["value"] == "3.14"


def test_what_is_odd_is_told_and_refuses_nothing(noura):
    choices = [{"text": {"en": "Two"}, "right": True}, {"text": {"en": "All of the above"}}]
    told = noura.post(NEW, {"kind": "single", "prompt": {"en": "One and one?"}, "choices": choices}).json()
    assert "choices.1" in {one["place"].rpartition(".")[0] for one in told["warnings"]}
    assert all(one["detail"] and one["code"] for one in told["warnings"])


def test_a_question_that_cannot_be_asked_says_why_when_it_is_read(noura):
    half = make_question({"text": "Two"}, {"text": {}}, prompt={"ar": "كم؟"})
    told = noura.get(at(half)).json()
    assert [(one["code"], one["place"]) for one in told["problems"]] == [
        ("problem", "choices.1.text"),
        ("problem", "choices"),
    ]


# Guides, tags, languages --------------------------------------------------------------------------------------


def test_guides_and_tags_are_named_and_one_that_is_not_sent_again_is_taken_out(noura, question):
    for slug in ("sums", "floats"):
        make_guide(slug)
    make_tag("Algebra/Sums")
    shown = noura.patch(at(question), {"guides": ["sums", "floats", "sums"], "tags": ["algebra/sums"]}).json()
    assert (sorted(shown["guides"]), shown["tags"]) == (["floats", "sums"], ["Algebra/Sums"])
    shown = noura.patch(at(question), {"guides": ["floats"], "tags": []}).json()
    assert (shown["guides"], shown["tags"]) == (["floats"], [])


def test_an_edit_marks_translations_to_be_checked_as_admin_does(noura, question):
    noura.patch(
        at(question),
        {
            "prompt": {"en": "Two and two?"},
            "choices": [{"key": "a"}, {"key": "b"}, {"key": "c", "text": {"en": "IV"}}],
        },
    )
    marks = {
        (one.question_id, one.choice and one.choice.key, one.name, one.language) for one in StaleText.objects.all()
    }
    assert marks == {(question.pk, None, "prompt", "ar"), (None, "c", "text", "ar")}
    noura.patch(at(question), {"prompt": {"ar": "اثنان واثنان؟"}})
    assert [(one.choice.key, one.language) for one in StaleText.objects.all()] == [("c", "ar")]


def test_a_kind_is_changed_with_what_it_needs(noura, question):
    assert fields_of(noura.patch(at(question), {"kind": "essay"})) == ["choices"]
    assert noura.patch(at(question), {"kind": "essay", "choices": []}).json()["kind"] == "essay"
    assert not question.choices.exists()


# Copies, history, deleting ------------------------------------------------------------------------------------


def test_a_copy_has_a_key_of_its_own_and_stands_in_no_quiz(noura, question):
    make_quiz(question)
    copy = noura.post(at(question, "copy/"))
    assert copy.status_code == 201
    assert copy["ETag"] == f'"{copy.json()["revision"]}"'
    made = Question.objects.get(pk=copy.json()["id"])
    assert (made.prompt_ar, made.quizzes.count()) == ("واحد وواحد؟", 0)
    assert made.key != question.key
    assert choices_of(copy) == choices_of(noura.get(at(question)))
    assert noted() == [("noura", "question", ADDITION)]
    assert fields_of(noura.post(at(question, "copy/"), {"key": "own/key"})) == ["key"]


def test_each_change_is_told_with_who_made_it_and_can_be_brought_back(noura, question):
    samir = editor("samir")
    samir.patch(at(question), {"prompt": both("Two and two?", "اثنان واثنان؟")})
    noura.patch(at(question), {"choices": [{"key": "a"}, {"key": "b"}]})
    states = noura.get(at(question, "history/")).json()
    assert [(one["origin"], one["by"]) for one in states["results"]] == [
        ("edited", "noura"),
        ("edited", "samir"),
        ("found", None),
    ]
    first = states["results"][-1]
    assert first["content"]["prompt"]["en"] == "One and one?"
    path = at(question, f"history/{first['id']}/restore/")
    seen = noura.get(at(question)).json()["revision"]
    assert samir.post(path, {"revision": "x"}).status_code == 409
    assert samir.post(path, **{"If-Match": '"x"'}).status_code == 412
    back = samir.post(path, {"revision": seen})
    assert (back.status_code, back["ETag"]) == (200, f'"{back.json()["revision"]}"')
    assert [key for key, _text, _right in choices_of(back)] == ["a", "b", "c"]
    assert back.json()["prompt"] == both("One and one?", "واحد وواحد؟")
    newest = noura.get(at(question, "history/")).json()["results"][0]
    assert (newest["origin"], newest["by"]) == ("restored", "samir")
    before = noted()
    assert samir.post(path).json() == noura.get(at(question)).json()
    assert (noted(), Revision.objects.count()) == (before, states["count"] + 1)


def test_a_state_of_another_question_is_not_there(noura, question):
    other = make_question(prompt="Other?")
    noura.patch(at(other), {"prompt": {"en": "Changed?"}})
    state = Revision.objects.of(other).last()
    assert noura.post(at(question, f"history/{state.pk}/restore/")).status_code == 404
    assert question.written() == Question.objects.get(pk=question.pk).written()


def test_a_state_whose_kind_is_gone_is_not_brought_back(noura, question):
    noura.patch(at(question), {"prompt": {"en": "Changed?"}})
    state = Revision.objects.of(question).last()
    Revision.objects.filter(pk=state.pk).update(content={**state.content, "kind": "riddle"})
    answer = noura.post(at(question, f"history/{state.pk}/restore/"))
    assert (answer.status_code, answer.json()["code"]) == (409, "unsound")
    assert Question.objects.get(pk=question.pk).prompt_en == "Changed?"


def test_a_question_that_was_asked_is_deleted_and_its_attempt_stays_whole(noura, question):
    attempt = Attempt.objects.start(make_quiz(question), learner(make_user()))
    assert noura.delete(at(question)).status_code == 204
    assert not Question.objects.exists()
    assert (attempt.answers.count(), Answer.objects.get().question_id) == (1, None)
    assert Answer.objects.get().version.content["prompt"]["en"] == "One and one?"


def test_an_edit_changes_nothing_of_an_attempt_that_runs(noura, question):
    attempt = Attempt.objects.start(make_quiz(question), learner(make_user()))
    noura.patch(at(question), {"prompt": {"en": "Changed?"}})
    assert attempt.answers.get().version.content["prompt"]["en"] == "One and one?"


# Lists ------------------------------------------------------------------------------------------------------


def test_the_list_is_searched_in_each_language_and_narrowed(noura, question):
    guide, tag = make_guide("sums"), make_tag("Algebra/Sums", question)
    question.guides.add(guide)
    page = make_question(kind="page", prompt={"en": "100%_sure"}, key="own/page")
    make_quiz(question, slug="noura-1")

    def ids(**query):
        return [row["id"] for row in noura.get(NEW, **query).json()["results"]]

    assert ids() == [question.pk, page.pk]
    assert ids(search="واحد وواحد") == ids(search="one and") == [question.pk]
    assert ids(search="own/") == ids(search="0%_s") == ids(kind="page") == [page.pk]
    assert (ids(search="1_0"), ids(search="%")) == ([], [page.pk])
    assert ids(guide="sums") == ids(tag=" algebra/sums ") == ids(tag=tag.name) == ids(quiz="noura-1") == [question.pk]
    assert ids(guide="none") == ids(tag="none") == ids(quiz="none") == []
    assert ids(ordering="-id") == [page.pk, question.pk]
    assert fields_of(noura.get(NEW, kind="riddle")) == ["kind"]


def test_a_question_takes_as_many_queries_with_40_choices_as_with_4(noura):
    few, many = (make_question(*[("Right", True), *["Wrong"] * count]) for count in (3, 39))
    make_tag("Sums", few, many)
    assert queries(noura, at(few)) == queries(noura, at(many)) <= 8


def test_a_history_takes_as_many_queries_with_12_states_as_with_2(noura, question):
    found = []
    for count in (1, 10):
        for number in range(count):
            noura.patch(at(question), {"prompt": {"en": f"{count} and {number}?"}})
        found.append(queries(noura, at(question, "history/")))
    assert (Revision.objects.count(), found[0]) == (12, found[1])


# Whose they are -----------------------------------------------------------------------------------------------


@pytest.fixture
def ruled(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}


def test_a_question_of_another_editor_is_not_there(noura, question, ruled):
    make_quiz(question, slug="noura-1")
    samir = editor("samir")
    noura.patch(at(question), {"prompt": {"en": "Hidden?"}})
    before, state = Question.objects.get().written(), Revision.objects.first()
    for answer in (
        samir.get(at(question)),
        samir.patch(at(question), {"prompt": {"en": "Mine"}}),
        samir.delete(at(question)),
        samir.post(at(question, "copy/")),
        samir.get(at(question, "history/")),
        samir.post(at(question, f"history/{state.pk}/restore/")),
    ):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert samir.get(NEW).json()["results"] == samir.get(NEW, quiz="noura-1").json()["results"] == []
    assert samir.get(NEW, search="Hidden").json()["count"] == 0
    assert Question.objects.get().written() == before


def test_what_stands_in_another_s_quiz_too_is_read_and_copied_but_not_changed(noura, question, ruled):
    make_quiz(question, slug="noura-1")
    make_quiz(question, slug="samir-1")
    before = question.written()
    assert noura.get(at(question)).status_code == 200
    for answer in (noura.patch(at(question), {"prompt": {"en": "Mine"}}), noura.delete(at(question))):
        assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert Question.objects.get().written() == before
    assert noura.post(at(question, "copy/")).status_code == 201
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    assert root.patch(at(question), {"prompt": {"en": "All's"}}).status_code == 200


def test_what_stands_in_no_quiz_is_anybody_s(noura, question, ruled):
    assert noura.patch(at(question), {"prompt": {"en": "Mine"}}).status_code == 200
    assert editor("samir").delete(at(question)).status_code == 204
    assert [flag for _who, _what, flag in noted()][:1] == [CHANGE]
