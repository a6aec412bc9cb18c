"""Extra time, extra attempts and other dates: who grants them, to whom, and what becomes of running attempts."""

from datetime import timedelta

import pytest
from django.contrib import admin as django_admin
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.utils import timezone

from mpquiz.models import Accommodation, Attempt
from tests.admin.conftest import errors_of, told
from tests.factories import learner, make_quiz, make_user

pytestmark = pytest.mark.django_db

ALL = ("view_accommodation", "add_accommodation", "change_accommodation", "delete_accommodation")
SEEING = ("view_quiz", "view_user")


def grant(quiz, **fields):
    return Accommodation.objects.create(quiz=quiz, **fields)


def test_a_learner_is_granted_more_time_extra_attempts_and_other_dates(admin):
    quiz, amal = make_quiz(), make_user("amal")
    typed = {"time_factor": "1.5", "extra_attempts": "2", "closes_at_0": "2030-01-02", "closes_at_1": "08:00"}
    admin.save("accommodation", quiz=quiz.pk, user=amal.pk, **typed)
    granted = quiz.accommodations.granted(amal)
    assert (granted.time_factor, granted.extra_attempts, granted.closes_at.year) == (1.5, 2, 2030)


def test_a_group_is_granted_what_each_member_gets(admin):
    quiz, amal = make_quiz(), make_user("amal")
    group = Group.objects.create(name="Class 3")
    amal.groups.add(group)
    admin.save("accommodation", quiz=quiz.pk, group=group.pk, no_time_limit="on")
    assert quiz.accommodations.granted(amal).no_time_limit


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({}, "__all__"),
        ({"user": "amal", "group": "group"}, "__all__"),
        ({"user": "amal", "time_factor": "0.5"}, "time_factor"),
        ({"user": "amal", "time_factor": "11"}, "time_factor"),
        ({"user": "amal", "quiz": ""}, "quiz"),
        ({"user": "999"}, "user"),
        ({"user": "x"}, "user"),
    ],
)
def test_what_is_no_accommodation_is_refused(admin, typed, field):
    there = {"amal": make_user("amal").pk, "group": Group.objects.create(name="Class 3").pk}
    sent = {"quiz": make_quiz().pk} | {name: there.get(value, value) for name, value in typed.items()}
    assert field in errors_of(admin.save("accommodation", **sent))
    assert not Accommodation.objects.exists()


def test_a_learner_has_one_in_a_quiz(admin):
    quiz, amal = make_quiz(), make_user("amal")
    grant(quiz, user=amal)
    errors = errors_of(admin.save("accommodation", quiz=quiz.pk, user=amal.pk))
    assert errors["__all__"] == ["This learner has an accommodation in this quiz already."]


# Running attempts ---------------------------------------------------------------------------------------


def test_running_attempts_get_a_later_deadline_and_the_editor_hears_how_many(admin):
    quiz = make_quiz(time_limit=10)
    group = Group.objects.create(name="Class 3")
    attempts = []
    for name in ("amal", "badr", "carim"):
        user = make_user(name)
        attempts.append(Attempt.objects.start(quiz, learner(user)))
        if name != "carim":
            user.groups.add(group)
    before = [attempt.deadline for attempt in attempts]
    said = told(admin, admin.save("accommodation", quiz=quiz.pk, group=group.pk, time_factor="2"))
    assert said == ["2 running attempts have got a later deadline."]
    for attempt in attempts:
        attempt.refresh_from_db()
    ten = timedelta(minutes=10)
    assert [attempt.deadline for attempt in attempts] == [before[0] + ten, before[1] + ten, before[2]]


def test_nothing_is_said_where_nobody_gets_more_time(admin):
    quiz, amal = make_quiz(time_limit=10), make_user("amal")
    Attempt.objects.start(quiz, learner(amal))
    assert told(admin, admin.save("accommodation", quiz=quiz.pk, user=amal.pk, extra_attempts="1")) == []


def test_taking_an_accommodation_away_cuts_nobody_short(admin):
    quiz, amal = make_quiz(time_limit=10), make_user("amal")
    row = grant(quiz, user=amal, time_factor=3)
    attempt = Attempt.objects.start(quiz, learner(amal))
    before = attempt.deadline
    admin.save("accommodation", row, time_factor="1")
    admin.client.post(admin.address("accommodation", row, "delete"), {"post": "yes"})
    attempt.refresh_from_db()
    assert attempt.deadline == before
    assert not Accommodation.objects.exists()


# The list and the way there -----------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "ar"])
def test_its_pages_open_in_both_languages(admin, language):
    row = grant(make_quiz(), user=make_user("amal"), time_factor=1.25)
    admin.language = language
    for page in (admin.page("accommodation"), admin.page("accommodation", row), admin.list("accommodation")):
        assert page.status_code == 200
        assert f'<html lang="{language}"' in page.content.decode()


def test_the_list_says_who_gets_what_where(admin):
    quiz = make_quiz()
    grant(quiz, user=make_user("<amal>"), time_factor=1.25, extra_attempts=2)
    grant(quiz, group=Group.objects.create(name="Class 3"), no_time_limit=True, closes_at=timezone.now())
    html = admin.list("accommodation").content.decode()
    assert '<bdi dir="auto">&lt;amal&gt;</bdi>' in html
    assert '<bdi dir="auto">Class 3</bdi> (group)' in html
    assert "1.25 times the time · 2 extra attempts" in html
    assert "no time limit · closes " in html


def test_the_page_of_a_quiz_leads_to_its_own(admin):
    quiz, other = make_quiz(), make_quiz(slug="other")
    mine = grant(quiz, user=make_user("amal"))
    grant(other, user=make_user("badr"))
    address = f"/en/admin/mpquiz/accommodation/?quiz__id__exact={quiz.pk}"
    assert f'<a href="{address}">Accommodations (1)</a>' in admin.page("quiz", quiz).content.decode()
    assert list(admin.client.get(address).context_data["cl"].result_list) == [mine]


def test_a_new_one_is_for_the_quiz_that_the_list_was_narrowed_to(admin):
    quiz = make_quiz()
    listed = admin.list("accommodation", quiz__id__exact=quiz.pk).content.decode()
    assert f"_changelist_filters=quiz__id__exact%3D{quiz.pk}" in listed
    page = admin.client.get(admin.address("accommodation"), {"_changelist_filters": f"quiz__id__exact={quiz.pk}"})
    assert page.context_data["adminform"].form["quiz"].value() == str(quiz.pk)
    odd = admin.client.get(admin.address("accommodation"), {"_changelist_filters": "quiz__id__exact=x"})
    assert odd.status_code == 200


def test_the_list_takes_as_many_queries_for_thirty_as_for_three(admin, query_count):
    quiz = make_quiz()
    for number in range(3):
        grant(quiz, user=make_user(f"learner-{number}"))
    few = query_count(lambda: admin.list("accommodation"))
    for number in range(3, 30):
        grant(quiz, user=make_user(f"learner-{number}"))
    assert query_count(lambda: admin.list("accommodation")) == few


def test_one_is_found_by_its_learner_or_group(admin):
    quiz = make_quiz()
    amal = grant(quiz, user=make_user("amal"))
    group = grant(quiz, group=Group.objects.create(name="Class 3"))
    assert list(admin.list("accommodation", q="ama").context_data["cl"].result_list) == [amal]
    assert list(admin.list("accommodation", q="class").context_data["cl"].result_list) == [group]


def test_where_users_cannot_be_searched_their_number_is_asked_for(admin, monkeypatch):
    users = django_admin.site.get_model_admin(get_user_model())
    monkeypatch.setattr(type(users), "search_fields", ())
    quiz, amal = make_quiz(), make_user("amal")
    html = admin.page("accommodation").content.decode()
    assert 'class="vForeignKeyRawIdAdminField"' in html
    assert 'data-field-name="group"' in html
    admin.save("accommodation", quiz=quiz.pk, user=str(amal.pk))
    assert Accommodation.objects.get().user == amal


def test_where_users_have_no_admin_their_number_is_asked_for(admin, monkeypatch):
    monkeypatch.delitem(django_admin.site._registry, get_user_model())
    quiz, amal = make_quiz(), make_user("amal")
    admin.save("accommodation", quiz=quiz.pk, user=str(amal.pk))
    assert Accommodation.objects.get().user == amal
    assert "amal" in admin.list("accommodation").content.decode()


# Rights -------------------------------------------------------------------------------------------------


def test_whoever_has_the_rights_and_may_see_quizzes_and_users_grants(staff):
    editor = staff(*ALL, *SEEING)
    quiz, amal = make_quiz(), make_user("amal")
    assert editor.save("accommodation", quiz=quiz.pk, user=amal.pk).status_code == 302
    assert "Accommodations (1)" in editor.page("quiz", quiz).content.decode()


@pytest.mark.parametrize("rights", [(), ALL, (*ALL, "view_quiz"), (*ALL, "view_user"), (*SEEING, "change_quiz")])
def test_to_anybody_else_there_are_none(staff, rights):
    quiz, amal = make_quiz(), make_user("amal")
    row = grant(quiz, user=amal, note="Reads slowly")
    stranger = staff(*rights)
    pages = [
        stranger.page("accommodation"),
        stranger.page("accommodation", row),
        stranger.list("accommodation"),
        stranger.client.get(stranger.address("accommodation", row, "delete")),
        stranger.client.get(stranger.address("accommodation", row, "history")),
        stranger.client.post(stranger.address("accommodation", row, "delete"), {"post": "yes"}),
        stranger.client.post(stranger.address("accommodation"), {"quiz": quiz.pk, "user": amal.pk}),
    ]
    assert [page.status_code for page in pages] == [403] * len(pages)
    assert Accommodation.objects.count() == 1
    if "view_quiz" in rights:
        assert "Accommodations" not in stranger.page("quiz", quiz).content.decode()


def test_whoever_may_only_look_grants_nothing(staff):
    row = grant(make_quiz(), user=make_user("amal"))
    reader = staff("view_accommodation", *SEEING)
    assert 'name="_save"' not in reader.page("accommodation", row).content.decode()
    assert reader.client.post(reader.address("accommodation", row), {"time_factor": "9"}).status_code == 403


@pytest.mark.parametrize("field", ["quiz", "user", "group"])
def test_autocomplete_tells_no_names_to_whoever_may_not_see_them(staff, field):
    make_quiz()
    make_user("amal")
    query = {"term": "", "app_label": "mpquiz", "model_name": "accommodation", "field_name": field}
    assert staff(*ALL).client.get("/en/admin/autocomplete/", query).status_code == 403
