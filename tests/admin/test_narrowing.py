"""No list of admin is narrowed by what it does not show, and no address of one ends in an error page."""

import re
from html import unescape

import pytest
from django.contrib.admin import site
from django.urls import reverse

from mpquiz import remarking
from mpquiz.admin.narrowing import Narrowing
from mpquiz.models import Accommodation, Attempt, Quiz, Report, StaleText
from tests.factories import learner, make_essay, make_guide, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db

ADMINS = {model._meta.model_name: one for model, one in site._registry.items() if model._meta.app_label == "mpquiz"}
STRANGE = {
    "quiz": ["password__startswith", "password", "groups__id__exact", "attempts__user", "languages__language"],
    "question": ["choices__right", "quizzes__password__startswith", "reports__note__contains", "kind__startswith"],
    "guide": ["quizzes", "quizzes__slug", "questions__id__exact"],
    "tag": ["questions", "questions__id__exact"],
    "report": ["user__id__exact", "user", "answer__attempt", "note__startswith"],
    "waitinganswer": ["attempt__user", "attempt__user__username__startswith", "given", "comment__contains"],
    "attempt": ["guest__startswith", "user__password__startswith", "public_id__exact"],
    "remarking": ["reason__startswith", "by__username", "remarks__answer__attempt__user"],
    "accommodation": ["note__startswith", "user__password__startswith", "group__user"],
    "staletext": ["name", "quiz__password__startswith"],
}


@pytest.fixture
def world():
    """A row of each; quiz and learner."""
    guide, amal = make_guide(), make_user()
    question = make_question(guides=[guide])
    quiz = make_quiz(question, make_essay(), guides=[guide])
    make_tag("Algebra", question)
    attempt = Attempt.objects.start(quiz, learner(amal))
    attempt.answer(1, 2, language="en")
    attempt.answer(2, "Carefully.", language="en")
    Report.objects.file(Attempt.objects.fetched().get(pk=attempt.pk), 1, "It is wrong.", language="en")
    Accommodation.objects.create(quiz=quiz, user=amal)
    remarking.remark(quiz, question, "full_marks", by=amal)
    StaleText.objects.create(question=question, name="prompt", language="en")
    return quiz, amal


def test_no_list_of_ours_is_narrowed_by_any_column():
    assert [name for name, one in ADMINS.items() if not isinstance(one, Narrowing)] == []
    assert set(ADMINS) == set(STRANGE)


@pytest.mark.parametrize(("model", "lookup"), [(model, lookup) for model, some in STRANGE.items() for lookup in some])
def test_an_address_asks_for_no_column_that_the_list_does_not_show(admin, model, lookup):
    assert admin.list(model, **{lookup: "s"}).status_code == 400


def test_neither_a_key_nor_what_is_no_column_tells_anything(admin, world):
    for lookup in ("pk", "pk__gt", "attempt_count__gte", "nothing", "password\0"):
        answer = admin.list("quiz", **{lookup: "1"})
        assert (answer.status_code, answer.headers["Location"]) == (302, "/en/admin/mpquiz/quiz/?e=1")


def test_who_may_view_quizzes_cannot_guess_a_password(staff, world):
    reader = staff("view_quiz")
    assert {reader.list("quiz", password__startswith=guess).status_code for guess in "sx"} == {400}


@pytest.mark.parametrize("model", ADMINS)
def test_every_link_of_a_list_leads_to_a_page(admin, world, model):
    """Those of its filters, its order and its columns."""
    here = admin.address(model, view="changelist")
    html = admin.client.get(here).content.decode()
    links = {unescape(link) for link in re.findall(r'href="((?:[^"]*/mpquiz/\w+/)?\?[^"]*)"', html)}
    for link in sorted(links):
        address = f"{here}{link}" if link.startswith("?") else link
        assert admin.client.get(address).status_code == 200, address


def test_what_pages_and_hosts_link_to_narrows_a_list(admin, world):
    quiz, amal = world
    question, other = quiz.questions.get(kind="single"), make_quiz(slug="other")
    linked = [
        ("quiz", {"questions__id__exact": question.pk}, quiz),
        ("question", {"tags__id__exact": question.tags.get().pk}, question),
        ("question", {"guides__id__exact": question.guides.get().pk}, question),
        ("attempt", {"quiz__id__exact": quiz.pk, "user__id__exact": amal.pk, "trial__exact": 0}, quiz.attempts.get()),
        ("accommodation", {"quiz__id__exact": quiz.pk}, quiz.accommodations.get()),
        ("remarking", {"quiz__id__exact": quiz.pk, "policy__exact": "full_marks"}, quiz.remarkings.get()),
        ("report", {"question__id__exact": question.pk, "state": "open"}, Report.objects.get()),
    ]
    for model, query, row in linked:
        assert list(admin.list(model, **query).context_data["cl"].queryset) == [row], (model, query)
    assert list(admin.list("quiz", questions__id__exact=0).context_data["cl"].queryset) == []
    assert set(admin.list("quiz", _popup="1", _to_field="id").context_data["cl"].queryset) == {quiz, other}


def test_a_picker_of_a_host_s_opens_the_list_as_its_model_limits_it(admin, monkeypatch):
    kept = make_quiz(slug="kept")
    make_quiz(slug="other")
    monkeypatch.setattr(Quiz._meta, "related_fkey_lookups", [{"slug__startswith": "k"}, lambda: {"archived": False}])
    query = {"_to_field": "id", "_popup": "1", "slug__startswith": "k"}
    assert list(admin.list("quiz", **query).context_data["cl"].queryset) == [kept]
    assert admin.list("quiz", slug__startswith="o").status_code == 400


def test_a_filter_and_dates_of_a_host_s_own_are_taken(admin, monkeypatch):
    quiz = make_quiz()
    monkeypatch.setattr(ADMINS["quiz"], "list_filter", ["created_at"])
    monkeypatch.setattr(ADMINS["quiz"], "date_hierarchy", "created_at")
    for query in ({"created_at__gte": "2020-01-01T00:00:00Z"}, {"created_at__year": quiz.created_at.year}):
        assert list(admin.list("quiz", **query).context_data["cl"].queryset) == [quiz]
    assert admin.list("quiz", level__exact="1").status_code == 400


@pytest.mark.parametrize("model", ADMINS)
def test_no_value_in_an_address_of_a_list_ends_in_an_error(admin, world, rf, model):
    request = rf.get("/", {"quiz__id__exact": "1"})
    request.user = None
    one = ADMINS[model]
    names = {"q", "o", "p", "e", "all", "_popup", "_to_field", "_facets", *one.linked_lookups}
    for filter in one.get_list_filter(request):
        names |= set(one._parameters(filter, request))
    for name in sorted(names):
        for value in ("a\0b", "9" * 40):
            answer = admin.list(model, **{name: value})
            assert answer.status_code in (200, 302, 400), (name, value)


def test_no_search_of_a_picker_ends_in_an_error(admin, world):
    pickers = [
        ("admin:mpquiz_question_find", {"model_name": "quizquestion", "field_name": "question"}),
        ("admin:autocomplete", {"model_name": "quizquestion", "field_name": "question"}),
        ("admin:autocomplete", {"model_name": "accommodation", "field_name": "quiz"}),
    ]
    for view, picked in pickers:
        answer = admin.client.get(reverse(view), {"term": "a\0b", "app_label": "mpquiz", **picked})
        assert (answer.status_code, answer.json()["results"]) == (200, []), (view, picked)


def test_a_picker_of_questions_finds_nothing_else(admin, world):
    picked = {"app_label": "mpquiz", "model_name": "accommodation", "field_name": "quiz"}
    assert admin.client.get(reverse("admin:mpquiz_question_find"), picked).status_code == 403


def test_another_s_quiz_finds_no_question_that_stands_in_one_s_own_too(staff, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": lambda user, quizzes, doing: quizzes.filter(slug="own")}
    question = make_question()
    own, other = make_quiz(question, slug="own"), make_quiz(question, slug="other")
    editor = staff("view_question", "view_quiz")
    assert list(editor.list("question", quizzes__id__exact=own.pk).context_data["cl"].queryset) == [question]
    assert list(editor.list("question", quizzes__id__exact=other.pk).context_data["cl"].queryset) == []
    assert editor.list("question", quizzes=other.pk).status_code == 400
    assert editor.list("question", quizzes__in=other.pk).status_code == 400
