"""Quizzes on a host's own pages: cards, a quiz taken within a lesson, progress."""

import re
from collections import Counter
from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.template import Context, Template
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation

from mpquiz import lessons
from mpquiz.models import Attempt, Guide, Quiz
from tests.factories import learner, make_essay, make_guide, make_page, make_question, make_quiz, make_user
from tests.views.conftest import text, url

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.lessons")]
LESSON = "/en/lessons/bits/"
STAGE = {"HX-Request": "true", "HX-Target": "floats-mpquiz-stage", "HX-Current-URL": f"http://testserver{LESSON}?a=1"}


@pytest.fixture
def user():
    return make_user()


@pytest.fixture
def amal(user):
    client = Client()
    client.force_login(user)
    return client


def shown(client, language="en", **asked):
    """The page of a lesson that embeds what is asked for."""
    response = client.get(f"/{language}/lessons/bits/", asked)
    assert response.status_code == 200
    return text(response)


def ids(page):
    return re.findall(r'\bid="([^"]+)"', page)


def assert_sound(page):
    """No id twice, and nothing names an id that is not there."""
    there = Counter(ids(page))
    assert [one for one, count in there.items() if count > 1] == []
    named = re.findall(r'\b(?:for|aria-labelledby|aria-describedby)="([^"]*)"', page)
    assert {one for several in named for one in several.split()} <= set(there)


def first_form(page):
    """The fields of the first form of a quiz."""
    fields = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page)
    return {name: value for name, value in fields if name != "csrfmiddlewaretoken"}


def many(kind, count=3):
    choices = {
        "single": [("One", True), "Two"],
        "multiple": [("One", True), ("Two", True), "Three"],
        "text": [{"text": "One", "right": True}],
        "number": [{"value": "1", "right": True}],
        "matching": [{"text": "Left", "match": "Right"}, {"text": "Up", "match": "Down"}],
        "ordering": [{"text": "First"}, {"text": "Second"}],
        "gaps": [{"part": "1", "text": "One", "right": True}],
        "essay": [],
    }[kind]
    prompt = "It is [[1]]." if kind == "gaps" else "What?"
    if kind == "essay":
        return [make_question(kind="essay", prompt=prompt) for _n in range(count)]
    return [make_question(*choices, kind=kind, prompt=prompt) for _n in range(count)]


# A quiz taken within a lesson ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["single", "multiple", "text", "number", "matching", "ordering", "gaps", "essay"])
def test_two_quizzes_in_one_lesson_have_ids_of_their_own(amal, user, kind):
    for slug in ("floats", "bits"):
        quiz = make_quiz(*many(kind), slug=slug)
    page = shown(amal, quiz=["floats", "bits"])
    assert page.count('<form class="mpquiz-form"') == 2
    assert_sound(page)
    Attempt.objects.start(quiz, learner(user))
    assert_sound(shown(amal, quiz=["floats", "bits"]))


def test_the_first_question_stands_in_the_lesson_in_its_language_and_direction(client):
    make_quiz(title={"en": "Floats", "ar": "الأعداد"})
    page = shown(client, "ar", quiz="floats")
    assert '<div class="mpquiz mpquiz-embedded" lang="ar" dir="rtl">' in page
    assert "Question 1?" in page
    assert 'action="/ar/quizzes/floats/start/"' in page
    assert "<style" not in page and " style=" not in page


def test_an_answer_from_a_lesson_gets_its_part_with_the_same_ids_and_leaves_the_address(amal):
    make_quiz()
    form = first_form(shown(amal, quiz="floats"))
    assert form["lesson"] == f"{LESSON}?quiz=floats"
    part = amal.post("/en/quizzes/floats/start/", form | {"given": "1"}, headers=STAGE)
    assert part.status_code == 200
    assert part["HX-Push-Url"] == "false"
    assert "<title>" not in text(part)
    assert 'id="floats-mpquiz-verdict" tabindex="-1" autofocus' in text(part)
    assert 'hx-target="closest .mpquiz-stage"' in text(part)
    assert all(one.startswith("floats-") for one in ids(text(part)))


def test_a_lesson_goes_on_to_the_result_by_its_parts_alone(amal):
    make_quiz()
    form = first_form(shown(amal, quiz="floats"))
    part = amal.post("/en/quizzes/floats/start/", form | {"given": "1"}, headers=STAGE)
    for given in ("1", "2"):
        following = re.search(r'hx-get="([^"]+)"', text(part))[1]
        part = amal.get(following, headers=STAGE)
        assert part["HX-Push-Url"] == "false"
        part = amal.post(following, {"given": given}, headers=STAGE)
    part = amal.get(re.search(r'hx-get="([^"]+)"', text(part))[1], headers=STAGE)
    assert part["HX-Push-Url"] == "false"
    assert "<html" not in text(part)
    assert 'id="floats-mpquiz-outcome" tabindex="-1"' in text(part)
    assert text(part).count('hx-target="closest .mpquiz-stage"') == 2
    again = amal.post(
        re.search(r'hx-post="([^"]+start-over/)"', text(part))[1], {"number": "2"}, headers=STAGE, follow=True
    )
    assert "Question 1 of 3" in text(again)
    assert 'id="floats-mpquiz-prompt"' in text(again)


def test_a_lesson_that_is_opened_again_goes_on_where_it_was(amal, user):
    quiz = make_quiz()
    Attempt.objects.start(quiz, learner(user)).answer(1, 1)
    page = shown(amal, quiz="floats")
    assert "Question 2 of 3" in page
    assert "Question 2?" in page
    assert f'action="{url(Attempt.objects.get(), 2)}"' in page


def test_a_lesson_tells_how_the_learner_stands(amal, user):
    quiz = make_quiz()
    Attempt.objects.start(quiz, learner(user)).finish()
    assert 'Your best: <bdi dir="ltr">0' in shown(amal, quiz="floats")
    Quiz.objects.update(show_score="never")
    assert "Your best" not in shown(amal, quiz="floats")


def test_a_lesson_leads_back_to_the_last_result_in_its_place(amal, user):
    """Also whoever loads it again before having asked for the result."""
    quiz = make_quiz(make_question(("One", True), "Two"), make_essay())
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, 1)
    attempt.answer(2, "Because.")
    lazily = text(amal.get("/en/quizzes/floats/embedded/", headers=STAGE))
    for page in (shown(amal, quiz="floats"), lazily):
        assert "Waiting to be marked: 1" in page
        assert f'href="{url(attempt)}" hx-get="{url(attempt)}" hx-target="closest .mpquiz-stage"' in page
        assert 'href="/en/quizzes/mine/">My quizzes</a>' in page
        assert page.index("See your last result") < page.index("Question 1 of 2")
    part = amal.get(url(attempt), headers=STAGE)
    assert part["HX-Push-Url"] == "false"
    assert "Review your answers" in text(part)
    assert "See your last result" not in Client().get(LESSON, {"quiz": "floats"}).content.decode()


def test_the_last_result_does_not_take_the_place_of_an_open_attempt(amal, user):
    quiz = make_quiz()
    last = Attempt.objects.start(quiz, learner(user))
    last.finish()
    Attempt.objects.start(quiz, learner(user)).answer(1, 1)
    page = shown(amal, quiz="floats")
    assert f'href="{url(last)}">See your last result</a>' in page
    assert "Question 2 of 3" in page


def test_a_result_that_is_held_back_is_not_told_in_a_lesson(amal, user):
    quiz = make_quiz(
        **{f"show_{line}": "never" for line in ("right_or_wrong", "score", "right_answer", "explanation")}
    )
    last = Attempt.objects.start(quiz, learner(user))
    last.finish()
    page = shown(amal, quiz="floats")
    assert "<span>Handed in</span>" in page
    assert f'href="{url(last)}"' in page
    assert "Your best" not in page


def test_two_quizzes_are_taken_in_turns_by_one_guest(client):
    for slug in ("floats", "bits"):
        make_quiz(slug=slug)
    page = shown(client, quiz=["floats", "bits"])
    for slug, part in zip(("floats", "bits"), page.split("Before ")[1:], strict=True):
        client.post(
            f"/en/quizzes/{slug}/start/",
            first_form(part) | {"given": "1"},
            headers={**STAGE, "HX-Target": f"{slug}-mpquiz-stage"},
        )
    assert Attempt.objects.count() == 2
    assert len(set(Attempt.objects.values_list("guest", flat=True))) == 1


def test_a_lesson_of_a_host_that_loads_htmx_itself_gets_no_second(client, settings):
    make_quiz()
    assert shown(client, quiz="floats").count("htmx-2") == 1
    settings.MPQUIZ = {**settings.MPQUIZ, "HTMX": False}
    page = shown(client, quiz="floats")
    assert "htmx-2" not in page
    assert "htmx-config" not in page
    assert "mpquiz/quiz.js" in page


def test_a_quiz_stands_once_on_a_page(client):
    make_quiz()
    page = shown(client, quiz=["floats", "floats"])
    assert_sound(page)
    assert page.count('<form class="mpquiz-form"') == 1
    assert 'href="#floats-mpquiz-title"' in page


def test_an_answer_that_is_refused_says_so_within_the_lesson(amal):
    make_quiz()
    form = first_form(shown(amal, quiz="floats"))
    part = amal.post("/en/quizzes/floats/start/", form, headers=STAGE)
    assert part.status_code == 400
    assert part["HX-Push-Url"] == "false"
    assert 'id="floats-mpquiz-error"' in text(part)
    assert "<html" not in text(part)
    assert not Attempt.objects.exists()


def test_a_quiz_that_closed_meanwhile_says_so_within_the_lesson(amal):
    make_quiz()
    form = first_form(shown(amal, quiz="floats"))
    Quiz.objects.update(closes_at=timezone.now() - timedelta(hours=1))
    part = amal.post("/en/quizzes/floats/start/", form | {"given": "1"}, headers=STAGE)
    assert part.status_code == 403
    assert "<html" not in text(part)
    assert "This quiz closed on" in text(part)
    assert_sound(text(part) + '<i id="floats-mpquiz-title">')


def test_the_target_of_another_quiz_is_no_lesson_of_this_one(amal, user):
    attempt = Attempt.objects.start(make_quiz(), learner(user))
    part = amal.get(url(attempt, 1), headers={**STAGE, "HX-Target": "bits-mpquiz-stage"})
    assert 'id="mpquiz-prompt"' in text(part)
    assert "bits-" not in text(part)


def test_a_report_from_a_lesson_keeps_its_ids(amal, user):
    attempt = Attempt.objects.start(make_quiz(), learner(user))
    attempt.answer(1, 1)
    target = {**STAGE, "HX-Target": "floats-mpquiz-report-1"}
    part = amal.post(url(attempt, "1/report"), {"note": "Wrong.", "place": "question"}, headers=target)
    assert part.status_code == 200
    assert 'id="floats-mpquiz-report-1"' in text(part)
    assert_sound(text(part))


def test_a_stranger_gets_nothing_of_an_attempt_in_a_lesson(user):
    attempt = Attempt.objects.start(make_quiz(), learner(user))
    stranger = Client()
    stranger.force_login(make_user("stranger"))
    assert stranger.get(url(attempt, 1), headers=STAGE).status_code == 404
    assert stranger.get(url(attempt), headers=STAGE).status_code == 404
    assert "Question 1 of 3" in shown(stranger, quiz="floats")
    visitor = Client().get(url(attempt, 1), headers=STAGE)
    assert visitor["HX-Redirect"].startswith("/accounts/login/?next=/en/quizzes/attempts/")


# Without JavaScript -------------------------------------------------------------------------------------------


def test_without_javascript_the_pages_of_the_quiz_lead_back_to_the_lesson(amal):
    make_quiz(count=1)
    form = first_form(shown(amal, quiz="floats"))
    feedback = amal.post("/en/quizzes/floats/start/", form | {"given": "1"}, follow=True)
    back = f'href="{LESSON}?quiz=floats#floats-mpquiz-title">Back to the lesson</a>'
    assert back in text(feedback)
    attempt = Attempt.objects.get()
    assert back in text(amal.get(url(attempt)))
    assert 'href="/ar/lessons/bits/?quiz=floats#floats-mpquiz-title"' in text(amal.get(url(attempt, language="ar")))


def test_an_attempt_that_goes_on_in_a_lesson_leads_back_to_it(amal, user):
    attempt = Attempt.objects.start(make_quiz(), learner(user))
    form = first_form(shown(amal, quiz="floats"))
    page = amal.post(url(attempt, 1), form | {"given": "1"}, follow=True)
    assert "Back to the lesson" in text(page)
    other = Attempt.objects.start(make_quiz(slug="other"), learner(user))
    assert "Back to the lesson" not in text(amal.get(url(other, 1)))


@pytest.mark.parametrize("way", ["retry", "start-over"])
def test_what_follows_an_attempt_of_a_lesson_leads_back_to_it_too(amal, way):
    make_quiz(count=1)
    form = first_form(shown(amal, quiz="floats"))
    amal.post("/en/quizzes/floats/start/", form | {"given": "2"})
    page = amal.post(url(Attempt.objects.get(), way), {"number": "2"}, follow=True)
    assert "Question 1 of 1" in text(page)
    assert f'href="{LESSON}?quiz=floats#floats-mpquiz-title">Back to the lesson</a>' in text(page)


@pytest.mark.parametrize(
    "lesson", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "x", "/" * 301]
)
def test_only_a_path_of_this_site_leads_back(amal, lesson):
    make_quiz()
    form = first_form(shown(amal, quiz="floats"))
    page = amal.post("/en/quizzes/floats/start/", form | {"given": "1", "lesson": lesson}, follow=True)
    assert "Back to the lesson" not in text(page)


def test_a_session_keeps_few_lessons(amal, user):
    for number in range(8):
        make_quiz(slug=f"quiz-{number}")
        form = first_form(shown(amal, quiz=f"quiz-{number}"))
        amal.post(f"/en/quizzes/quiz-{number}/start/", form | {"given": "1"})
    assert len(amal.session["mpquiz_lessons"]) == 5
    newest = str(Attempt.objects.get(quiz__slug="quiz-7").public_id)
    assert newest in amal.session["mpquiz_lessons"]


# What has to be decided first ---------------------------------------------------------------------------------

TOMORROW = timezone.now() + timedelta(days=1)


@pytest.mark.parametrize(
    "rules",
    [
        {"time_limit": 30},
        {"closes_at": TOMORROW},
        {"attempts_allowed": 2},
        {"password": "secret"},
        {"feedback": "at_end"},
        {"layout": "all"},
        {"wait": 5},
    ],
    ids=lambda rules: next(iter(rules)),
)
def test_an_exam_shows_its_terms_and_is_taken_on_its_own_pages(amal, rules):
    make_quiz(**rules)
    page = shown(amal, quiz="floats")
    assert "Before you start" in page
    assert "Question 1?" not in page
    assert "hx-post" not in page
    assert_sound(page)
    form = first_form(page) | {"password": "secret"}
    started = amal.post("/en/quizzes/floats/start/", form, follow=True)
    assert "Question 1?" in text(started)
    going_on = shown(amal, quiz="floats")
    attempt = Attempt.objects.get()
    stays = not (attempt.deadline or attempt.changeable)  # nothing is to be decided any more
    assert ("Question 1?" in going_on) is stays
    assert ("Continue where you stopped." in going_on) is not stays


@pytest.mark.parametrize(
    "rules", [{"shuffle_choices": True}, {"shuffle_questions": True}, {"preview": False}, {"one_way": True}]
)
def test_a_quiz_for_practice_that_is_not_shown_before_the_start_starts_within_the_lesson(amal, rules):
    make_quiz(**rules)
    page = shown(amal, quiz="floats")
    assert "Question 1?" not in page
    assert 'hx-post="/en/quizzes/floats/start/"' in page
    part = amal.post("/en/quizzes/floats/start/", first_form(page), headers=STAGE)
    assert part.status_code == 303
    part = amal.get(part["Location"], headers=STAGE)
    assert 'id="floats-mpquiz-prompt"' in text(part)
    assert part["HX-Push-Url"] == "false"


def test_a_page_to_read_is_read_within_the_lesson(amal):
    make_quiz(make_page("Read this."), make_question(prompt="Read?"))
    form = first_form(shown(amal, quiz="floats"))
    part = amal.post("/en/quizzes/floats/start/", form, headers=STAGE, follow=True)
    assert "Read this." in text(part)
    part = amal.get(re.search(r'hx-get="([^"]+)"', text(part))[1], headers=STAGE)
    assert "Read?" in text(part)


def test_whoever_has_to_sign_in_first_comes_back_to_the_lesson(client):
    make_quiz(access="signed_in")
    page = shown(client, quiz="floats")
    assert 'href="/accounts/login/?next=/en/lessons/bits/%3Fquiz%3Dfloats"' in page
    assert "<form" not in page
    asked = client.post("/en/quizzes/floats/start/", {"lesson": LESSON}, headers=STAGE)
    assert asked["HX-Redirect"] == f"/accounts/login/?next={LESSON}"


def test_leaving_an_open_attempt_is_asked_about_on_the_quiz_s_own_pages(amal, user):
    quiz = make_quiz()
    first = Attempt.objects.start(quiz, learner(user))
    first.answer(1, 2)
    first.finish()
    Attempt.objects.start(quiz, learner(user))
    part = amal.post(url(first, "retry"), {"number": "3"}, headers=STAGE)
    assert part["HX-Redirect"] == url(first)
    assert Attempt.objects.count() == 2


# Asked for once the lesson is there ---------------------------------------------------------------------------


def test_a_lazy_quiz_leaves_its_lesson_the_same_for_everybody(amal, client):
    make_quiz()
    page = client.get(LESSON, {"lazy": "floats"})
    assert "Vary" not in page or "Cookie" not in page["Vary"]
    assert not page.cookies
    assert "csrfmiddlewaretoken" not in text(page)
    assert shown(amal, lazy="floats") == text(page)
    assert 'hx-get="/en/quizzes/floats/embedded/" hx-trigger="load"' in text(page)
    assert 'href="/en/quizzes/floats/"' in text(page)
    assert_sound(text(page))


def test_a_lazy_quiz_is_brought_with_its_question(amal):
    make_quiz()
    part = amal.get("/en/quizzes/floats/embedded/", headers=STAGE)
    assert part["HX-Push-Url"] == "false"
    assert "no-store" in part["Cache-Control"]
    assert "<html" not in text(part)
    assert 'id="floats-mpquiz-prompt"' in text(part)
    assert first_form(text(part))["lesson"] == f"{LESSON}?a=1"


def test_the_part_of_a_lesson_leads_to_the_quiz_when_it_is_opened_by_itself(amal):
    make_quiz()
    assert amal.get("/en/quizzes/floats/embedded/")["Location"] == "/en/quizzes/floats/"
    assert amal.get("/en/quizzes/nothing/embedded/", headers=STAGE).status_code == 404
    Quiz.objects.update(archived=True)
    assert amal.get("/en/quizzes/floats/embedded/", headers=STAGE).status_code == 404


# What is not there --------------------------------------------------------------------------------------------

MISSING = ["card", "quiz", "lazy"]


@pytest.mark.parametrize("tag", MISSING)
@pytest.mark.parametrize("slug", ["nothing", "draft", "archived", "arabic"])
def test_what_learners_are_not_offered_shows_them_nothing_and_tells_staff(amal, tag, slug):
    make_quiz(slug="draft", published=())
    make_quiz(slug="archived", archived=True)
    make_quiz(slug="arabic", published=["ar"])
    bare = shown(amal)
    assert re.sub(r"\s|<p>Before \w+</p>", "", shown(amal, **{tag: slug})) == re.sub(r"\s", "", bare)
    staff = Client()
    staff.force_login(make_user("staff", is_staff=True))
    note = shown(staff, **{tag: slug})
    assert 'class="mpquiz mpquiz-note"' in note
    assert f"“{slug}”" in note


def test_whoever_builds_the_site_reads_what_is_not_there(client, settings):
    settings.DEBUG = True
    assert "There is no guide “nothing”" in shown(client, guide="nothing")
    assert "There is no quiz “nothing”" in shown(client, quiz="nothing")


def test_a_tag_that_needs_the_request_says_so():
    make_quiz()
    for tag in ('take_quiz "floats"', "quizzes_of_page", "quiz_progress"):
        with pytest.raises(ImproperlyConfigured, match=f"{{% {tag.split()[0]} %}} needs the request"):
            Template(f"{{% load mpquiz %}}{{% {tag} %}}").render(Context())


@pytest.mark.parametrize("tag", ['quiz_card "floats"', 'quizzes_of_guide "floats"', 'take_quiz "floats" lazy=True'])
def test_the_other_tags_do_without_the_request(tag):
    make_quiz(guides=[make_guide()])
    page = Template(f"{{% load mpquiz %}}{{% {tag} %}}").render(Context())
    assert 'href="/en/quizzes/floats/"' in page


# Cards --------------------------------------------------------------------------------------------------------


def test_a_card_shows_one_quiz_and_how_the_learner_stands(amal, user):
    quiz = make_quiz()
    make_quiz(slug="other", title="Another")
    Attempt.objects.start(quiz, learner(user)).finish()
    page = shown(amal, card="floats")
    assert '<h2 class="mpquiz-quiz-title">' in page
    assert "Your best" in page
    assert "Another" not in page


# The quizzes of this page's guide -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "slug"),
    [
        ("/lessons/bits/", "any"),
        ("/en/lessons/bits/", "any"),
        ("lesson", "bits"),
        ("http://testserver/en/lessons/bits/", "any"),
    ],
)
def test_a_page_shows_the_quizzes_of_the_guide_whose_address_it_is(client, address, slug):
    make_quiz(guides=[make_guide(slug, address=address)])
    make_quiz(slug="other", title="Another", guides=[make_guide("other", address="/lessons/other/")])
    make_quiz(slug="named", title="Named", guides=[make_guide("named", address="lesson")])
    page = shown(client, page="1")
    assert "Floating point" in page
    assert "Another" not in page and "Named" not in page


def test_a_page_in_another_language_is_the_same_guide_s(client):
    make_quiz(title={"en": "Floats", "ar": "الأعداد"}, guides=[make_guide(address="/lessons/bits/")])
    assert "الأعداد" in shown(client, "ar", page="1")


def test_a_url_without_a_slug_is_a_guide_s_address(client):
    make_quiz(guides=[make_guide("any", address="contents")])
    assert "Floating point" in text(client.get("/en/contents/?page=1"))


def test_an_address_is_read_however_its_letters_are_written():
    for number, address in enumerate(["/lessons/عدد/", "/lessons/%D8%B9%D8%AF%D8%AF/"]):
        make_guide(f"guide-{number}", address=address)
    with translation.override("ar"):
        assert [guide.slug for guide in Guide.objects.at("/lessons/عدد/")] == ["guide-0", "guide-1"]


def test_the_host_s_hook_says_where_guides_are(client, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "GUIDE_ADDRESS": lambda guide: f"/en/lessons/{guide.slug}/"}
    make_quiz(guides=[make_guide("bits", address="")])
    make_quiz(slug="other", title="Another", guides=[make_guide("other", address="")])
    page = shown(client, page="1")
    assert "Floating point" in page
    assert "Another" not in page


def test_a_page_that_is_no_guide_s_shows_nothing(client):
    make_quiz(guides=[make_guide()])
    assert "Floating point" not in shown(client, page="1")


# Progress -----------------------------------------------------------------------------------------------------


def test_progress_counts_what_is_passed_or_finished(amal, user):
    plain = make_quiz(count=1)
    marked = make_quiz(slug="marked", pass_mark=50, count=1)
    make_quiz(slug="other", count=1)
    make_quiz(slug="draft", published=())
    assert "0 of 3 quizzes done" in shown(amal, progress="")
    Attempt.objects.start(plain, learner(user)).answer(1, 2)
    Attempt.objects.start(marked, learner(user)).answer(1, 2)
    assert "1 of 3 quizzes done" in shown(amal, progress="")
    Attempt.objects.start(marked, learner(user)).answer(1, 1)
    page = shown(amal, progress="")
    assert "2 of 3 quizzes done" in page
    assert 'value="2" max="3"' in page


def test_progress_tells_of_nothing_passed_before_the_score_is_shown(amal, user):
    quiz = make_quiz(pass_mark=50, count=1, show_score="never", show_right_or_wrong="never")
    Attempt.objects.start(quiz, learner(user)).answer(1, 1)
    assert "0 of 1 quiz done" in shown(amal, progress="")


def test_progress_is_one_s_own_and_of_a_guide(amal, user, client):
    guide = make_guide()
    quiz = make_quiz(count=1, guides=[guide])
    make_quiz(slug="other", count=1)
    Attempt.objects.start(quiz, learner(user)).answer(1, 1)
    assert "1 of 1 quiz done" in shown(amal, progress="floats")
    stranger = Client()
    stranger.force_login(make_user("stranger"))
    for other in (stranger, client):
        assert "0 of 1 quiz done" in shown(other, progress="floats")
    assert "quiz done" not in shown(amal, progress="nothing")


# Queries ------------------------------------------------------------------------------------------------------


def queries(client, **asked):
    """How many more a lesson takes with what is asked for than without."""
    counts = []
    for given in ({}, asked):
        with CaptureQueriesContext(connection) as captured:
            shown(client, **given)
        counts.append(len(captured))
    return counts[1] - counts[0]


MOST = [
    ({"card": "floats"}, 4 + 2),  # whoever is signed in is known to the bare page only where something asks
    ({"guide": "floats"}, 4 + 2),
    ({"page": "1"}, 5 + 2),
    ({"quiz": "floats"}, 5 + 2),
    ({"lazy": "floats"}, 1),
    ({"progress": ""}, 3 + 2),
    ({"progress": "floats"}, 3 + 2),
]


@pytest.mark.parametrize("count", [3, 40])
def test_no_tag_takes_more_queries_for_more_questions_quizzes_or_attempts(amal, user, count):
    guide = make_guide(address="/lessons/bits/")
    quiz = make_quiz(count=count, guides=[guide])
    for number in range(count):
        other = make_quiz(slug=f"quiz-{number}", count=1, guides=[guide])
        Attempt.objects.start(other, learner(user)).answer(1, 1)
        Attempt.objects.start(quiz, learner(user)).finish()
    for state in ("finished", "begun"):
        for asked, most in MOST:
            assert queries(amal, **asked) <= most, (state, asked)
        Attempt.objects.start(quiz, learner(user)).answer(1, 1)


def test_two_quizzes_take_twice_the_queries_of_one(amal):
    for slug in ("floats", "bits"):
        make_quiz(slug=slug, count=10)
    one, two = queries(amal, quiz="floats"), queries(amal, quiz=["floats", "bits"])
    assert two - one <= 5


def test_what_a_lesson_sends_is_read_where_it_can_be(rf):
    request = rf.get("/", headers={"HX-Current-URL": "http://testserver/en/lessons/bits/?a=1#b"})
    assert lessons.address_of(request) == "/en/lessons/bits/?a=1"
    assert lessons.address_of(rf.get("/")) == ""
