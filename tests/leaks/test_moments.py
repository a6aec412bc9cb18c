"""Moments that few attempts have: before the start, a trial, a retry, an open attempt beside one that is known."""

from datetime import timedelta

import pytest

from mpquiz.models import Accommodation, Attempt
from mpquiz.rules import Sight
from tests.factories import learner, make_user
from tests.leaks.doors import (
    ALL,
    ANSWERS,
    IN_PLACE,
    PAGE,
    assert_nothing_leaks,
    before_and_after,
    doors,
    sent,
    signed_in,
)
from tests.leaks.test_exams import LINES
from tests.leaks.worlds import NOTHING, SHAPES, answered, make_world

pytestmark = pytest.mark.django_db
NEVER = {f"show_{line}": "never" for line in LINES}
AT_FINISH = {f"show_{line}": "finish" for line in LINES}
EVERYTHING = Sight(right_or_wrong=True, score=True, right_answer=True, explanation=True)


def same(found, world, seen=NOTHING):
    for name, (one, other) in before_and_after(found, world, seen).items():
        assert one == other, name
    return found


@pytest.mark.parametrize(
    ("kind", "who"),
    [(kind, who) for n, kind in enumerate(SHAPES) for m, who in enumerate(("user", "visitor")) if ALL or n % 2 == m],
)
@pytest.mark.parametrize("rules", [{"layout": "all"}, {"feedback": "at_end"}, {"layout": "all", "preview": False}])
def test_before_the_start_nothing_tells_the_key(browser, rules, kind, who):
    """The page of all questions, the preview, and what a start that is refused is answered."""
    world = make_world(kind, **rules)
    if who == "user":
        signed_in(browser, make_user())
    cookies = dict(browser.cookies.items())

    def ask(method, address, form=None, headers=None):
        """As a browser that was nowhere before: an answer to a visitor may set a cookie."""
        browser.cookies.clear()
        browser.cookies.update(cookies)
        return sent(getattr(browser, method)(address, form, headers=headers))

    seen = _hidden(browser, "all")
    odd = {"all": seen, "q2-given": ["77", "x"], "q2-given-1": "77", "q2-revision": "0", "number": "1"}
    found = {
        "page": lambda: ask("get", PAGE),
        "in place": lambda: ask("get", PAGE, headers=IN_PLACE),
        "odd": lambda: ask("post", f"{PAGE}start/", odd),
        "odd in place": lambda: ask("post", f"{PAGE}start/", odd, headers=IN_PLACE),
        "changed": lambda: ask("post", f"{PAGE}start/", {**odd, "all": "0" * 64}),
        "list": lambda: ask("get", "/en/quizzes/"),
    }
    same(found, world)
    if seen and kind != "text":  # whatever is typed is a text
        assert found["odd"]()[0] == 400
        assert not Attempt.objects.exists()


def _hidden(browser, name):
    page = browser.get(PAGE).content.decode()
    return page.partition(f'name="{name}" value="')[2].partition('"')[0]


@pytest.mark.parametrize(
    "mode", [{}, {"layout": "all"}, *([{"feedback": "at_end"}, {"one_way": True}] if ALL else [])]
)
def test_a_trial_tells_staff_no_more_than_learners_see(browser, mode):
    """Staff may look into the quiz in admin; the pages of learners show them what learners see."""
    world = make_world("single", **mode, **NEVER)
    world.quiz.languages.all().delete()  # a draft
    staff = signed_in(browser, make_user("staff", is_staff=True, is_superuser=True))
    trial = Attempt.objects.start(world.quiz, staff, trial=True)
    assert_nothing_leaks(browser, staff, world, NOTHING, trial, without=["1: discard"])
    answered(trial, world, one_way=bool(mode.get("one_way")))
    assert_nothing_leaks(browser, staff, world, NOTHING, trial, without=["1: discard"])
    trial.finish()
    assert_nothing_leaks(browser, staff, world, NOTHING, trial, without=["1: discard"])


@pytest.mark.parametrize("kind", SHAPES)
def test_a_retry_asks_anew_without_the_key(browser, kind):
    """What was seen at the end of the first attempt does not stand in the questions of the retry."""
    world = make_world(kind, feedback="at_end", **AT_FINISH)
    amal = signed_in(browser, make_user())
    attempt = Attempt.objects.start(world.quiz, amal)
    answered(attempt, world, one_way=False)
    attempt.finish()
    retry = attempt.retry(amal, number=2)
    assert retry.answers.count() > 1
    own = [name for name in doors(browser, amal, world, attempt, retry) if name.startswith("2: question")]
    found = {name: door for name, door in doors(browser, amal, world, attempt, retry).items() if name in own}
    found["nonsense"] = lambda: sent(browser.post(_at(retry, 1), {"given": ["77", "x"], "given-77": "1"}))
    same(found, world)
    assert browser.get(_at(retry, 1)).status_code == 200


def _at(attempt, position):
    return f"/en/quizzes/attempts/{attempt.public_id}/{position}/"


@pytest.mark.parametrize("kind", SHAPES)
def test_an_open_attempt_tells_nothing_though_another_one_is_known(browser, kind):
    """The pages of the second attempt do not depend on the key, whatever the first one's result shows."""
    world = make_world(kind, feedback="at_end", **AT_FINISH)
    amal = signed_in(browser, make_user())
    first = Attempt.objects.start(world.quiz, amal)
    answered(first, world, one_way=False)
    first.finish()
    second = Attempt.objects.start(world.quiz, amal)
    answered(second, world, one_way=False)
    known = ("list", "my quizzes", "export", "guide", "card", "progress", "lesson", "quiz page", "brought")
    known += ("1:", "2: retry")
    found = {
        name: door for name, door in doors(browser, amal, world, first, second).items() if not name.startswith(known)
    }
    same(found, world)


def test_while_anybody_may_still_take_it_nobody_sees_what_is_shown_after_the_closing(browser, clock):
    """An accommodation with a later date holds the results of all others back, on every page."""
    shown = {f"show_{line}": "close" for line in LINES}
    world = make_world("single", **shown, closes_at=clock.now + timedelta(hours=1), pass_mark=50)
    later = clock.now + timedelta(hours=3)
    Accommodation.objects.create(quiz=world.quiz, user=make_user("later"), closes_at=later)
    amal = signed_in(browser, make_user())
    attempt = Attempt.objects.start(world.quiz, amal)
    answered(attempt, world, one_way=False)
    attempt.finish()
    clock.move(hours=2)
    assert_nothing_leaks(browser, amal, world, NOTHING, attempt)
    clock.move(hours=1)
    assert_nothing_leaks(browser, amal, world, EVERYTHING, attempt)
    found = {name: door for name, door in doors(browser, amal, world, attempt).items() if name in KNOWN}
    assert all(one != other for one, other in before_and_after(found, world, NOTHING).values())


KNOWN = ("1: result", "1: result in a lesson", "list", "my quizzes", "guide", "card", "lesson")


def test_results_that_are_held_back_again_are_gone_from_every_page(browser, clock):
    """What an editor hides after the fact is hidden: the table of to-day holds for what is finished."""
    world = make_world("single", pass_mark=50)
    amal = signed_in(browser, make_user())
    attempt = Attempt.objects.start(world.quiz, amal)
    answered(attempt, world, one_way=False)
    attempt.finish()
    type(world.quiz).objects.update(**NEVER)
    world.quiz.refresh_from_db()
    assert_nothing_leaks(browser, amal, world, NOTHING, attempt)


def test_another_learner_s_result_is_on_no_page(browser):
    """What others reached changes nothing of what a learner sees."""
    world = make_world("single", pass_mark=50)
    other = learner(make_user("other"))
    attempt = Attempt.objects.start(world.quiz, other)
    answered(attempt, world, one_way=False)
    attempt.finish()
    amal = signed_in(browser, make_user())
    assert_nothing_leaks(browser, amal, world, NOTHING)
    own = Attempt.objects.start(world.quiz, amal)
    found = doors(browser, amal, world, own)
    same({name: door for name, door in found.items() if name not in ANSWERS}, world)
