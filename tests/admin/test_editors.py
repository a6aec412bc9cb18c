"""The host's rule MAY_EDIT says whose quiz is whose: an id changed in an address never shows another's."""

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.urls import reverse

from mpquiz.models import Accommodation, Attempt, Question, Quiz
from mpquiz.models.editors import questions_of
from tests.admin.conftest import Editor, errors_of
from tests.factories import learner, make_essay, make_guide, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db

RULED = {"MAY_EDIT": "tests.admin.test_editors.quizzes_of"}


def quizzes_of(user, quizzes, doing):
    """An editor's quizzes begin with their name; the results of those that end in "-shared" are theirs to see too."""
    theirs = quizzes.filter(slug__startswith=user.get_username())
    return theirs if doing == "change" else theirs | quizzes.filter(slug__endswith="-shared")


@pytest.fixture
def ruled(settings):
    settings.MPQUIZ = {**settings.MPQUIZ, **RULED}


@pytest.fixture
def noura(client, ruled):
    """A browser of an editor who may do everything, in her own quizzes."""
    user = make_user("noura", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="mpquiz"))
    client.force_login(user)
    return Editor(client)


@pytest.fixture
def own():
    return make_quiz(make_question(prompt="Own question?"), slug="noura-1", title="Own quiz")


@pytest.fixture
def other():
    return make_quiz(make_question(prompt="Strange question?"), slug="samir-1", title="Strange quiz")


def listed(editor, model, **query):
    return set(editor.list(model, **query).context_data["cl"].queryset)


def test_an_editor_sees_and_changes_the_quizzes_that_the_rule_leaves(noura, own, other):
    assert listed(noura, "quiz") == {own}
    assert noura.save("quiz", own, title_en="Renamed").status_code == 302
    own.refresh_from_db()
    assert own.title_en == "Renamed"


@pytest.mark.parametrize("view", ["change", "delete", "history"])
def test_another_editors_quiz_is_not_there(noura, own, other, view):
    answer = noura.client.get(noura.address("quiz", other, view))
    assert answer.status_code in (302, 404)
    assert noura.client.post(noura.address("quiz", other, view), {"title_en": "x", "post": "yes"}).status_code in (
        302,
        404,
    )
    assert Quiz.objects.get(pk=other.pk).title_en == "Strange quiz"


def test_of_a_quiz_whose_results_alone_are_theirs_the_page_is_to_read(noura):
    shared = make_quiz(slug="samir-shared", title="Shared")
    page = noura.page("quiz", shared)
    assert (page.status_code, page.context_data["has_change_permission"]) == (200, False)
    assert noura.client.post(noura.address("quiz", shared), {"title_en": "x"}).status_code == 403
    data = {"action": "archive", "_selected_action": [shared.pk]}
    noura.client.post(noura.address("quiz", view="changelist"), data)
    assert not Quiz.objects.get(pk=shared.pk).archived


def test_an_action_reaches_none_of_anothers(noura, own, other):
    data = {"action": "archive", "_selected_action": [own.pk, other.pk]}
    noura.client.post(noura.address("quiz", view="changelist"), data)
    assert list(Quiz.objects.filter(archived=True)) == [own]


def test_questions_are_seen_with_their_quizzes_and_those_of_none_by_all(noura, own, other):
    free = make_question(prompt="Free?")
    assert listed(noura, "question") == {own.questions.get(), free}
    assert noura.page("question", other.questions.get()).status_code == 302
    assert noura.page("question", free).context_data["has_change_permission"]


def test_a_question_that_stands_in_anothers_quiz_too_is_to_read(noura, own, other):
    own.places.create(question=other.questions.get(), place=2)
    page = noura.page("question", other.questions.get())
    assert (page.status_code, page.context_data["has_change_permission"]) == (200, False)


def test_anothers_question_is_neither_found_nor_taken_by_its_id(noura, own, other):
    address = reverse("admin:autocomplete")
    asked = {"app_label": "mpquiz", "model_name": "quizquestion", "field_name": "question", "term": "question"}
    found = noura.client.get(address, asked).json()["results"]
    assert [one["text"] for one in found] == ["Own question?"]
    answer = noura.save("quiz", own, places__1__question=str(other.questions.get().pk), places__1__points="1")
    assert "places-1-question" in errors_of(answer)


def test_attempts_and_marking_are_those_at_quizzes_whose_results_are_theirs(noura, own, other):
    shared = make_quiz(make_essay(), slug="samir-shared")
    mine, strange, read = (
        Attempt.objects.start(quiz, learner(make_user(quiz.slug))) for quiz in (own, other, shared)
    )
    read.answer(1, "Because.")
    assert listed(noura, "attempt") == {mine, read}
    assert noura.page("attempt", strange).status_code == 302
    assert [one.attempt for one in listed(noura, "waitinganswer")] == [read]


def test_anothers_essay_is_not_marked(noura):
    strange = make_quiz(make_essay(), slug="samir-2")
    attempt = Attempt.objects.start(strange, learner(make_user()))
    attempt.answer(1, "Because.")
    address = reverse("admin:mpquiz_waitinganswer_change", args=[attempt.answers.get().pk])
    assert noura.client.post(address, {"points": "1", "revision": "1"}).status_code == 404


def test_anothers_questions_are_not_marked_anew(noura, own, other):
    for quiz, status in ((own, 200), (other, 404)):
        assert noura.client.get(reverse("admin:mpquiz_remarking_anew", args=[quiz.pk])).status_code == status


def test_accommodations_are_granted_in_their_own_quizzes_alone(noura, own, other):
    user = make_user("hala")
    strange = Accommodation.objects.create(quiz=other, user=user, extra_attempts=1)
    data = {"quiz": str(other.pk), "user": str(user.pk), "time_factor": "1", "extra_attempts": "2"}
    get_user_model().objects.get(username="noura").user_permissions.add(Permission.objects.get(codename="view_user"))
    assert "quiz" in errors_of(noura.client.post(noura.address("accommodation"), data))
    assert listed(noura, "accommodation") == set()
    assert noura.page("accommodation", strange).status_code == 302
    assert noura.client.post(noura.address("accommodation"), data | {"quiz": str(own.pk)}).status_code == 302


def test_a_file_that_names_anothers_quiz_is_refused_and_shows_nothing_of_it(noura, own, other):
    gift = "::q1:: Another? {=yes ~no}"
    sent = {"text": gift, "format": "gift", "language": "en"}
    refused = noura.client.post(reverse("admin:mpquiz_quiz_import"), sent | {"into": other.slug})
    assert refused.status_code == 200
    assert "another editor" in refused.content.decode()
    assert "Strange question?" not in refused.content.decode()
    assert noura.client.post(reverse("admin:mpquiz_quiz_import"), sent | {"into": own.slug}).status_code == 302


def imported(editor, text, **sent):
    return editor.client.post(reverse("admin:mpquiz_quiz_import"), {"text": text, "language": "ar", **sent})


def test_the_import_page_tells_no_key_of_anothers_quiz(noura, other):
    page = imported(noura, "::a:: س {~صواب =خطأ}", format="gift", into=other.slug)
    told = page.content.decode()
    assert "another editor" in told
    assert not any(said in told for said in ("joined to", other.questions.get().key))


def test_an_imported_file_uses_no_question_of_another(noura, own, other):
    native = "mpquiz: 1\nnamespace: noura\nquiz: {{slug: noura-y, title: {{en: Y}}}}\nquestions:\n  - use: {}\n"
    for key, status in ((other.questions.get().key, 200), (own.questions.get().key, 302)):
        answer = imported(noura, native.format(key), format="yaml")
        assert answer.status_code == status
        assert ("There is no question" in answer.content.decode()) == (status == 200)


def test_no_page_names_a_quiz_of_another(noura, own, other):
    """Neither a filter, nor what a form offers, nor what deleting a guide or a question means."""
    guide = make_guide()
    own.places.create(question=other.questions.get(), place=2)
    for quiz in (own, other):
        quiz.guides.add(guide)
    addresses = [noura.address("question", view="changelist"), reverse("admin:mpquiz_quiz_import")]
    addresses += [noura.address("guide", guide, "delete"), noura.address("question", own.questions.first(), "delete")]
    for address in addresses:
        page = noura.client.get(address).content.decode()
        assert ("Own quiz" in page, "Strange quiz" in page) == (True, False), address


def test_anothers_draft_is_not_taken_as_a_trial(noura):
    draft = make_quiz(slug="samir-3", published=())
    assert noura.client.get(reverse("mpquiz:quiz", args=[draft.slug])).status_code == 404
    assert (
        noura.client.get(reverse("mpquiz:quiz", args=[make_quiz(slug="noura-3", published=()).slug])).status_code
        == 200
    )


def test_a_superuser_may_all(admin, ruled, own, other):
    assert listed(admin, "quiz") == {own, other}
    assert admin.page("question", other.questions.get()).context_data["has_change_permission"]


def test_without_a_rule_permissions_alone_decide(staff, own, other):
    assert listed(staff("view_quiz"), "quiz") == {own, other}


def test_the_rule_takes_no_more_queries_for_many_rows(noura, query_count):
    def fill(count):
        for _one in range(count):
            number = Quiz.objects.count()
            make_quiz(make_question(prompt=f"Question {number}?"), slug=f"noura-q{number}")

    fill(2)
    few = [query_count(lambda model=model: noura.list(model)) for model in ("quiz", "question", "attempt")]
    fill(8)
    many = [query_count(lambda model=model: noura.list(model)) for model in ("quiz", "question", "attempt")]
    assert few == many


def test_whose_a_question_is_can_be_asked_in_python(ruled, own, other):
    noura = make_user("noura", is_staff=True)
    shared = make_quiz(own.questions.get(), slug="samir-4")
    rows = Question.objects.all()
    assert set(questions_of(noura, rows)) == {own.questions.get()}
    assert set(questions_of(noura, rows, doing="change")) == set()
    shared.delete()
    assert set(questions_of(noura, rows, doing="change")) == {own.questions.get()}
