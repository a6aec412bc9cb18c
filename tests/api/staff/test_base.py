"""What staff may do with guides, tags, questions and quizzes alike: rights, states, errors by place, lists."""

import json

import pytest
from django.contrib.admin.models import ADDITION, CHANGE, DELETION
from django.contrib.auth import get_user_model
from django.template.base import Template
from django.test.utils import instrumented_test_render

from mpquiz.models import Guide, Question, Quiz, Tag
from tests.api.conftest import Api, address
from tests.factories import make_guide, make_question, make_quiz, make_tag, make_user

from .editors import editor, fields_of, noted, queries

pytestmark = pytest.mark.django_db

MODELS = {"guides": Guide, "tags": Tag, "questions": Question, "quizzes": Quiz}
NEW = {
    "guides": {"slug": "new", "title": {"en": "New", "ar": "جديد"}},
    "tags": {"name": "New"},
    "questions": {"kind": "essay", "prompt": {"en": "Why?", "ar": "لماذا؟"}},
    "quizzes": {"slug": "new", "title": {"en": "New", "ar": "جديد"}},
}
WORDS = {"guides": "title", "tags": "description", "questions": "prompt", "quizzes": "title"}
LISTS = [f"staff/{what}/" for what in MODELS]


@pytest.fixture
def noura(db):
    return editor()


@pytest.fixture
def rows(db):
    """{what: its address} of one row of each."""
    question = make_question()
    return {
        "guides": f"staff/guides/{make_guide('old').slug}/",
        "tags": f"staff/tags/{make_tag('Old').pk}/",
        "questions": f"staff/questions/{question.pk}/",
        "quizzes": f"staff/quizzes/{make_quiz(question, slug='old').slug}/",
    }


def stored():
    return {what: list(model.objects.order_by("pk").values()) for what, model in MODELS.items()}


def many(what, count):
    guide, tag = Guide.objects.first() or make_guide(), Tag.objects.first() or make_tag("sums")
    for number in range(count):
        name = f"row-{count}-{number}"
        if what == "guides":
            make_guide(name)
        elif what == "tags":
            make_tag(name)
        else:
            question = make_question(guides=[guide])
            question.tags.add(tag)
            if what == "quizzes":
                make_quiz(question, slug=name, guides=[guide])


# Rights -----------------------------------------------------------------------------------------------------


def asked(what, path):
    """(method, address, body, the rights that it takes) of each thing that can be done with a row."""
    model = MODELS[what]._meta.model_name
    change = (f"change_{model}",)
    yield "get", f"staff/{what}/", None, (f"view_{model}",)
    yield "get", path, None, (f"view_{model}",)
    yield "post", f"staff/{what}/", NEW[what], (f"add_{model}",)
    yield "patch", path, {WORDS[what]: {"ar": "نص"}}, change
    if what == "quizzes":
        yield "get", f"{path}completeness/", None, ("view_quiz",)
        yield "post", f"{path}copy/", {}, ("view_quiz", "add_quiz")
        for verb, sent in (("publish", {"languages": []}), ("unpublish", {}), ("archive", {}), ("unarchive", {})):
            yield "post", f"{path}{verb}/", sent, change
    if what == "questions":
        yield "post", f"{path}copy/", {}, ("view_question", "add_question")
        yield "get", f"{path}history/", None, ("view_question",)
    yield "delete", path, None, (f"delete_{model}",)


def ask(api, method, path, body):
    return getattr(api, method)(path) if body is None else getattr(api, method)(path, body)


@pytest.mark.parametrize("what", MODELS)
def test_each_thing_takes_its_own_rights_and_no_more(rows, what):
    strangers = [(Api(), (401, 403)), (Api(make_user("learner")), (403,))]
    strangers.append((Api(make_user("idle", is_staff=True)), (403,)))
    for method, path, body, rights in list(asked(what, rows[what])):
        before = stored()
        others = {one for model in MODELS.values() for one in rights_of(model)} - set(rights)
        if rights[0].startswith("view_"):  # to change implies to view
            others.discard(rights[0].replace("view_", "change_"))
        near = editor(f"near-{method}-{path}", *others)
        for api, refused in [*strangers, (near, (403,))]:
            assert ask(api, method, path, body).status_code in refused, (method, path)
        assert stored() == before
        exact = editor(f"exact-{method}-{path}", *rights)
        assert ask(exact, method, path, body).status_code < 300, (method, path)


def rights_of(model):
    return [f"{ability}_{model._meta.model_name}" for ability in ("add", "change", "delete", "view")]


def test_a_superuser_may_all_and_whoever_may_change_may_read(rows):
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    for what, path in rows.items():
        reader = editor(f"reader-{what}", f"change_{MODELS[what]._meta.model_name}")
        assert reader.get(path).status_code == root.get(path).status_code == 200
        assert reader.get(f"staff/{what}/").status_code == 200
    for path in reversed(rows.values()):
        assert root.delete(path).status_code == 204


def test_a_user_who_is_no_longer_active_or_of_the_staff_may_nothing(noura, rows):
    user = get_user_model().objects.get(username="noura")
    for left in ({"is_staff": False}, {"is_staff": True, "is_active": False}):
        get_user_model().objects.filter(pk=user.pk).update(**left)
        assert {noura.get(path).status_code for path in rows.values()} <= {401, 403}


def test_a_browser_s_session_needs_its_token(rows):
    editor()
    guarded = Api(get_user_model().objects.get(username="noura"), checks_csrf=True)
    before = stored()
    for what, path in rows.items():
        for answer in (
            guarded.post(f"staff/{what}/", NEW[what]),
            guarded.patch(path, {}),
            guarded.delete(path),
        ):
            assert (answer.status_code, answer.json()["code"]) == (403, "csrf")
    assert stored() == before


# States -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", MODELS)
def test_what_was_read_may_be_sent_back_whole_and_changes_nothing(noura, rows, what):
    before, shown = stored(), noura.get(rows[what])
    again = noura.patch(rows[what], shown.json())
    assert (again.status_code, again.json(), again["ETag"]) == (200, shown.json(), shown["ETag"])
    assert noura.patch(rows[what], {}).status_code == 200
    assert (stored(), noted()) == (before, [])


@pytest.mark.parametrize("what", MODELS)
def test_a_state_that_is_not_the_last_changes_nothing(noura, rows, what):
    seen = noura.get(rows[what])
    assert seen["ETag"] == f'"{seen.json()["revision"]}"'
    other = noura.patch(rows[what], {WORDS[what]: {"ar": "أولًا"}})
    assert other["ETag"] == noura.get(rows[what])["ETag"] != seen["ETag"]
    before, mine = stored(), {WORDS[what]: {"ar": "ثانيًا"}}
    by_header = noura.patch(rows[what], mine, **{"If-Match": seen["ETag"]})
    by_body = noura.patch(rows[what], {**mine, "revision": seen.json()["revision"]})
    deleted = noura.delete(rows[what], **{"If-Match": seen["ETag"]})
    for tag in ('""', "x", "é"):
        assert noura.patch(rows[what], mine, **{"If-Match": tag}).status_code == 412
    assert [one.json()["code"] for one in (by_header, by_body, deleted)] == ["stale"] * 3
    assert [one.status_code for one in (by_header, by_body, deleted)] == [412, 409, 412]
    assert (stored(), len(noted())) == (before, 1)
    after = noura.patch(rows[what], mine, **{"If-Match": f"W/{other['ETag']}"})
    assert (after.status_code, after.json()[WORDS[what]]["ar"]) == (200, "ثانيًا")
    assert noura.patch(rows[what], {WORDS[what]: {"ar": "ثالثًا"}}, **{"If-Match": "*"}).status_code == 200


@pytest.mark.parametrize("what", MODELS)
def test_the_state_does_not_depend_on_the_reader_s_language(noura, rows, what):
    assert noura.get(rows[what], lang="ar")["ETag"] == noura.get(rows[what])["ETag"]


@pytest.mark.parametrize("what", MODELS)
def test_what_is_made_changed_and_deleted_stands_in_the_history_of_admin(noura, what):
    made = noura.post(f"staff/{what}/", NEW[what])
    assert made.status_code == 201
    assert made["ETag"] == f'"{made.json()["revision"]}"'
    name = made.json()["slug" if "slug" in made.json() else "id"]
    path = f"staff/{what}/{name}/"
    assert noura.get(path).json() == made.json()
    noura.patch(path, {WORDS[what]: {"ar": "نص"}})
    assert noura.delete(path).status_code == 204
    assert noura.get(path).status_code == noura.delete(path).status_code == 404
    model = MODELS[what]._meta.model_name
    assert noted() == [("noura", model, flag) for flag in (ADDITION, CHANGE, DELETION)]


# Words ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", MODELS)
def test_each_language_is_written_and_read_and_one_that_lacks_is_shown(noura, rows, what):
    field = WORDS[what]
    noura.patch(rows[what], {field: {"en": "English", "ar": ""}})
    assert noura.get(rows[what], lang="ar").json()[field] == {"en": "English", "ar": ""}
    assert noura.patch(rows[what], {field: {"ar": "  عربي\r\n"}}).json()[field] == {"en": "English", "ar": "عربي"}
    assert noura.patch(rows[what], {field: {"en": None}}).json()[field] == {"en": "", "ar": "عربي"}
    listed = noura.get(f"staff/{what}/").json()["results"][0]
    assert listed[field] == {"en": "", "ar": "عربي"}


@pytest.mark.parametrize("what", MODELS)
@pytest.mark.parametrize(
    ("texts", "place"),
    [
        ({"fr": "Français"}, ".fr"),
        ({"en": 3}, ".en"),
        ({"ar": ["نص"]}, ".ar"),
        ({"ar": "x" * 100_001}, ".ar"),
        ("Plain", ""),
        (["en"], ""),
        (None, ""),
    ],
)
def test_texts_that_are_none_are_told_at_their_language(noura, rows, what, texts, place):
    before, field = stored(), WORDS[what]
    assert fields_of(noura.patch(rows[what], {field: texts})) == [field + place]
    assert fields_of(noura.post(f"staff/{what}/", {**NEW[what], field: texts})) == [field + place]
    assert stored() == before


# What is sent -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", MODELS)
def test_a_field_that_nobody_knows_is_refused_and_one_that_is_only_read_changes_nothing(noura, rows, what):
    before = stored()
    sent = {WORDS[what]: {"ar": "نص"}, "colour": "red", "pk": 7}
    assert fields_of(noura.patch(rows[what], sent)) == ["colour", "pk"]
    assert fields_of(noura.post(f"staff/{what}/", {**NEW[what], "colour": "red"})) == ["colour"]
    read_only = {"id": 999, "created_at": "2001-01-01T00:00:00Z", "updated_at": "2001-01-01T00:00:00Z"}
    known = {name: value for name, value in read_only.items() if name in noura.get(rows[what]).json()}
    assert noura.patch(rows[what], known).status_code == 200
    assert stored() == before


@pytest.mark.parametrize("what", ["guides", "questions"])
@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ("{", 400, "parse_error"),
        ("[" * 100_000, 400, "parse_error"),
        (b'{"a": "\xff"}', 400, "parse_error"),
        ('{"a": NaN}', 400, "parse_error"),
        ('{"a": 1e999}', 400, "invalid"),
        ('{"title": {"en": "\\u0000"}}', 400, "invalid"),
        ('{"title": {"en": "\\ud800"}}', 400, "invalid"),
        ('{"a":' * 30 + "1" + "}" * 30, 400, "invalid"),
        ("[]", 400, "invalid"),
        ('"text"', 400, "invalid"),
        ("null", 400, "invalid"),
        ('{"title": {"en": "' + "x" * 3_000_000 + '"}}', 413, "too_large"),
    ],
)
def test_a_body_that_cannot_be_read_changes_nothing(noura, rows, what, body, status, code):
    before = stored()
    for method, path in (("post", f"staff/{what}/"), ("patch", rows[what])):
        answer = getattr(noura.client, method)(address(path), body, content_type="application/json")
        assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert stored() == before


@pytest.mark.parametrize("what", MODELS)
def test_a_form_is_not_taken(noura, rows, what):
    answer = noura.client.post(address(f"staff/{what}/"), NEW[what])
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert noura.client.put(address(rows[what]), {}, content_type="application/json").status_code == 405


def test_what_is_wrong_is_told_in_the_reader_s_language_and_kept_by_nobody(noura, rows):
    for path in rows.values():
        answer = noura.patch(f"{path}?lang=ar", {"colour": "red"})
        assert answer.json()["fields"]["colour"] == ["لا يوجد حقل بهذا الاسم."]
        assert answer["Cache-Control"] == noura.get(path)["Cache-Control"] == "no-store"


@pytest.mark.parametrize("number", ["0", "9" * 19, "9" * 40])
def test_a_number_that_no_row_has_is_not_found(noura, rows, number):
    for what in ("tags", "questions"):
        for answer in (noura.get(f"staff/{what}/{number}/"), noura.patch(f"staff/{what}/{number}/", {})):
            assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


# Lists ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", MODELS)
def test_a_list_comes_in_pages_in_the_order_that_is_asked_for(noura, what):
    many(what, 3)
    listed = f"staff/{what}/"
    name = {"guides": "slug", "tags": "name", "questions": "id", "quizzes": "slug"}[what]
    first = noura.get(listed, page_size=2, ordering=f"-{name}").json()
    second = noura.get(first["next"]).json()
    names = [row[name] for page in (first, second) for row in page["results"]]
    assert names == sorted(names, reverse=True)
    assert (first["count"], len(names), second["next"]) == (MODELS[what].objects.count(), first["count"], None)
    assert noura.get(listed, page=99).json()["code"] == "no_such_page"


@pytest.mark.parametrize("what", MODELS)
@pytest.mark.parametrize(
    "query", [{"colour": "red"}, {"ordering": "title"}, {"page": "x"}, {"search": "\0"}, {"lang": "fr"}]
)
def test_a_filter_that_is_none_is_told(noura, what, query):
    assert fields_of(noura.get(f"staff/{what}/", **query)) == list(query)


@pytest.mark.parametrize("what", MODELS)
def test_a_search_for_nothing_narrows_nothing(noura, what):
    listed = f"staff/{what}/"
    assert noura.get(listed, search="").json()["count"] == noura.get(listed).json()["count"]


@pytest.mark.parametrize("what", MODELS)
def test_a_list_takes_as_many_queries_for_60_rows_as_for_10(noura, what):
    many(what, 10)
    few = queries(noura, f"staff/{what}/", page_size=100)
    many(what, 50)
    assert queries(noura, f"staff/{what}/", page_size=100) == few <= 9


# In a browser -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", MODELS)
def test_a_browser_shows_lists_and_rows_and_asks_no_more_per_row(rows, what):
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    many(what, 10)
    page = root.client.get(address(rows[what]), headers={"Accept": "text/html"})
    assert page.status_code == 200
    assert "PATCH" in page.content.decode()
    few = queries(root, f"staff/{what}/", accept="text/html", page_size=100)
    many(what, 50)
    assert queries(root, f"staff/{what}/", accept="text/html", page_size=100) == few
    for path in (rows[what], f"staff/{what}/"):
        assert root.client.options(address(path)).status_code == 200


def test_a_browser_shows_the_pages_of_verbs_too(rows):
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    pages = {"completeness/": 200, "copy/": 405, "publish/": 405, "unpublish/": 405, "archive/": 405}
    paths = {f"{rows['quizzes']}{tail}": status for tail, status in pages.items()}
    paths |= {f"{rows['questions']}history/": 200, f"{rows['questions']}copy/": 405}
    for path, status in paths.items():
        page = root.client.get(address(path), headers={"Accept": "text/html"})
        assert (page.status_code, page["Content-Type"]) == (status, "text/html; charset=utf-8")


def test_a_browser_s_form_holds_what_can_be_sent(rows, monkeypatch):
    monkeypatch.setattr(Template, "_render", instrumented_test_render)  # the page of a framework: no context_data
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    for what, path in rows.items():
        page = root.client.get(address(path), headers={"Accept": "text/html"})
        forms = [form for form in page.context["raw_data_patch_form"] if form.name == "_content"]
        sent = json.loads(forms[0].value())
        assert root.patch(path, sent).status_code == 200, what
