"""Exams in Chromium: the clock, texts that are saved while they are written, leaving, the map, the keyboard."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone
from playwright.sync_api import expect

from mpquiz.models import Answer, Attempt
from tests.browser.test_accessibility import complaints
from tests.browser.test_road import tab_to
from tests.factories import learner, make_essay, make_page, make_question, make_quiz, make_user

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

WHICH = {"en": "Which has the range of `FP32`?", "ar": "أيّها له مدى `FP32`؟"}
CHOICES = (
    {"text": {"en": "`bfloat16`", "ar": "`bfloat16`"}, "right": True},
    {"text": {"en": "`FP16`, which is shorter", "ar": "`FP16` وهو أقصر"}},
    {"text": {"en": "Neither", "ar": "لا هذا ولا ذاك"}},
)
WHY = {"en": "Why is that so?", "ar": "لماذا؟"}
TEXT = "Both have eight bits for the exponent."
MORE = " The fraction is shorter."


def questions():
    return (
        make_question(*CHOICES, prompt=WHICH),
        make_essay(WHY, settings={"longest": 5000}),
        make_question(*CHOICES, kind="multiple", prompt=WHICH),
    )


def an_exam(**rules):
    title = {"en": "Sixteen bits, an exam", "ar": "امتحان في 16 بتًا"}
    return make_quiz(*questions(), title=title, **{"feedback": "at_end", "time_limit": 30, **rules})


@pytest.fixture
def user(db):
    return make_user()


@pytest.fixture
def take(open_page, signed_in, user):
    """Start a quiz as the user and open a position of it. Returns the attempt and the page."""

    def take(quiz, position=1, *, seconds=None, language="en", **options):
        attempt = Attempt.objects.start(quiz, learner(user))
        if seconds is not None:
            ends_in(attempt, seconds)
        return attempt, open_page(at(attempt, position, language), cookies=signed_in(user), **options)

    return take


def ends_in(attempt, seconds):
    Attempt.objects.filter(pk=attempt.pk).update(deadline=timezone.now() + timedelta(seconds=seconds))


def at(attempt, position="", language="en"):
    return f"/{language}/quizzes/attempts/{attempt.public_id}/" + (f"{position}/" if position else "")


def given(attempt, position=2):
    answer = Answer.objects.get(attempt=attempt, position=position)
    return answer.draft if answer.given is None else answer.given


def seconds_shown(page):
    *hours, minutes, seconds = map(int, page.locator(".mpquiz-timer-left").inner_text().split(":"))
    return sum(hours) * 3600 + minutes * 60 + seconds


def left(attempt):
    attempt.refresh_from_db()
    return (attempt.deadline - timezone.now()).total_seconds()


def eventually(page, holds):
    """Wait for what a page does by itself, however busy the machine is."""
    for _try in range(150):
        if holds():
            return
        page.wait_for_timeout(100)
    assert holds()


def saved(page, words="Saved"):
    expect(page.locator(".mpquiz-saved")).to_have_text(re.compile(words), timeout=15_000)


def pass_second(page):
    """A second of a clock that is set by hand, which ends waits for the server too: it may take what it takes."""
    page.clock.run_for(1_000)
    expect(page.locator(".mpquiz-saved[data-state=saving]")).to_have_count(0)


def write(page, text):
    page.locator("textarea").press("End")
    page.locator("textarea").press_sequentially(text)


# The clock ----------------------------------------------------------------------------------------------------


def test_the_time_that_is_left_survives_a_reload(take):
    attempt, page = take(an_exam(), seconds=600)
    for _time in range(2):
        before = seconds_shown(page)
        assert before == pytest.approx(left(attempt), abs=3)
        eventually(page, lambda before=before: seconds_shown(page) < before)
        page.reload()


@pytest.mark.parametrize("wrong_by", [timedelta(days=-1), timedelta(days=1)])
def test_a_wrong_clock_of_the_reader_changes_nothing(take, wrong_by):
    attempt, page = take(an_exam(), seconds=600)
    page.clock.install(time=timezone.now() + wrong_by)
    page.reload()
    assert seconds_shown(page) == pytest.approx(left(attempt), abs=3)
    page.clock.run_for(60_000)
    assert seconds_shown(page) == pytest.approx(left(attempt) - 60, abs=3)


def test_a_clock_that_is_set_meanwhile_changes_nothing(take):
    attempt, page = take(an_exam(), seconds=600)
    asked = []
    page.on("request", lambda request: asked.append(request.url) if "/seconds/" in request.url else None)
    page.evaluate("const now = Date.now; Date.now = () => now() + 3_600_000")
    eventually(page, lambda: asked)
    page.wait_for_timeout(1_500)
    assert seconds_shown(page) == pytest.approx(left(attempt), abs=3)
    assert len(asked) == 1  # the server was asked once, since the machine may have slept


def test_after_a_sleep_the_server_is_asked(take):
    attempt, page = take(an_exam(), seconds=600)
    ends_in(attempt, 300)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".mpquiz-timer-left")).to_have_text(re.compile("^0[45]:"))


def test_the_time_can_be_hidden_and_stays_hidden(take):
    attempt, page = take(an_exam(), seconds=600)
    tab_to(page, ".mpquiz-timer button")
    page.keyboard.press("Enter")
    expect(page.locator(".mpquiz-timer-left")).to_be_hidden()
    expect(page.locator(".mpquiz-timer button")).to_have_text("Show the time")
    expect(page.locator(".mpquiz-timer button")).to_be_focused()
    page.goto(at(attempt, 2))
    expect(page.locator(".mpquiz-timer-left")).to_be_hidden()
    expect(page.locator(".mpquiz-timer-until")).to_be_visible()
    page.locator(".mpquiz-timer button").click()
    expect(page.locator(".mpquiz-timer-left")).to_be_visible()


def test_of_an_end_that_is_days_away_the_date_is_enough(take):
    _attempt, page = take(an_exam(time_limit=None, closes_at=timezone.now() + timedelta(days=3)))
    expect(page.locator(".mpquiz-timer-until time[title]")).to_be_visible()
    expect(page.locator(".mpquiz-timer-left")).to_be_hidden()
    expect(page.locator(".mpquiz-timer button")).to_be_hidden()


def test_the_digits_read_from_the_left_in_arabic(take):
    _attempt, page = take(an_exam(), seconds=3_700, language="ar")
    expect(page.locator(".mpquiz-timer-left")).to_have_text(re.compile(r"^1:0[01]:\d\d$"))
    assert page.locator(".mpquiz-timer-left").evaluate("one => getComputedStyle(one).direction") == "ltr"


LISTEN = """() => {
  window.heard = []
  const regions = document.querySelectorAll("[role=alert], [role=status], [aria-live=polite], [aria-live=assertive]")
  for (const region of regions)
    new MutationObserver(() => {
      if (region.textContent.trim()) window.heard.push([Date.now() / 1000, region.textContent.trim()])
    }).observe(region, { childList: true, characterData: true, subtree: true })
}"""


def most_within_a_minute(heard):
    return max(sum(start <= at < start + 60 for at, _words in heard) for start, _words in heard)


def test_what_is_announced_is_little_and_in_time(take):
    attempt, page = take(an_exam(), 2, seconds=150)
    attempt.refresh_from_db()
    page.clock.install(time=timezone.now())
    page.reload()
    page.evaluate(LISTEN)
    for second in range(140):
        pass_second(page)
        if second % 10 == 0:
            write(page, "x")
    ends_in(attempt, -60)
    for _second in range(10):
        pass_second(page)
    expect(page.locator("#mpquiz-alert")).to_have_text(re.compile("time is up"))
    heard = page.evaluate("window.heard")
    end = attempt.deadline.timestamp()
    warned = [(round(end - at), words) for at, words in heard if "left" in words or "time is up" in words]
    assert [words for _left, words in warned] == [
        "Two minutes are left.",
        "30 seconds are left.",
        "The time is up. What you answered is being handed in.",
    ]
    assert 110 <= warned[0][0] <= 121
    assert 20 <= warned[1][0] <= 31
    assert most_within_a_minute(heard) <= 3, heard


def test_a_warning_is_given_once_though_each_question_is_a_page_of_its_own(take):
    _attempt, page = take(an_exam(), seconds=121)
    expect(page.locator("#mpquiz-alert")).to_have_text("Two minutes are left.")
    page.locator("input[name=given]").first.check()
    page.get_by_role("button", name="Save and go on").click()
    page.locator("textarea").wait_for()
    page.wait_for_timeout(1_500)
    expect(page.locator("#mpquiz-alert")).to_be_empty()


def test_at_the_end_what_is_written_is_handed_in_and_the_result_is_shown(take, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "GRACE": 2}
    attempt, page = take(an_exam(), 2, seconds=4)
    page.locator("textarea").fill(TEXT)
    expect(page.locator("#mpquiz-alert")).to_have_text(re.compile("time is up"), timeout=8_000)
    page.wait_for_url(f"**{at(attempt)}", timeout=15_000)
    assert given(attempt) == TEXT
    attempt.refresh_from_db()
    assert not attempt.is_open
    assert page.get_by_text("The time was up").is_visible()


def test_a_choice_that_stands_at_the_end_is_taken_too(take, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "GRACE": 2}
    attempt, page = take(an_exam(), 1, seconds=4)
    page.locator("input[name=given]").first.check()
    page.wait_for_url(f"**{at(attempt)}", timeout=15_000)
    assert given(attempt, 1) == "a"


def test_time_that_is_granted_meanwhile_goes_on_being_counted(take):
    attempt, page = take(an_exam(), 2, seconds=3)
    ends_in(attempt, 600)
    expect(page.locator(".mpquiz-timer-left")).to_have_text(re.compile("^09:"), timeout=10_000)
    expect(page.locator("#mpquiz-alert")).to_be_empty()
    page.locator("textarea").fill(TEXT)
    saved(page)


def test_a_text_that_came_too_late_stays_in_sight(take, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "GRACE": 0}
    attempt, page = take(an_exam(), 2, seconds=600)
    page.route("**/2/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator("textarea").fill(TEXT)
    saved(page, "Not saved")
    ends_in(attempt, -1)
    page.unroute("**/2/")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    saved(page, "The time is up")
    page.wait_for_timeout(1_000)
    assert page.locator("textarea").input_value() == TEXT
    assert given(attempt) is None


def test_in_practice_the_clock_goes_away_with_the_last_answer(take):
    _attempt, page = take(make_quiz(count=1, time_limit=30))
    assert page.locator(".mpquiz-timer").is_visible()
    page.locator("input[name=given]").first.check()
    page.locator("form:has(input[name=given]) button").click()
    page.locator("#mpquiz-verdict").wait_for()
    expect(page.locator(".mpquiz-timer")).to_be_hidden()


# Saving -------------------------------------------------------------------------------------------------------


def revision(page, name="revision"):
    return page.locator(f"input[name={name}]").input_value()


def test_a_long_text_is_saved_while_it_is_written_and_says_so(take):
    attempt, page = take(an_exam(), 2)
    page.evaluate(LISTEN)
    write(page, TEXT)
    saved(page)
    assert (given(attempt), revision(page)) == (TEXT, "1")
    write(page, MORE)
    expect(page.locator(".mpquiz-saved")).to_be_empty()  # what is seen is not saved yet
    saved(page)
    assert (given(attempt), revision(page)) == (TEXT + MORE, "2")
    assert [words for _at, words in page.evaluate("window.heard")] == ["Saved"]  # aloud once a minute
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_url(f"**{at(attempt, 3)}")


def test_a_text_that_is_written_without_a_pause_is_saved_too(take):
    attempt, page = take(an_exam(), 2)
    page.clock.install()
    page.reload()
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
    for _second in range(20):
        write(page, "x")
        assert given(attempt) is None
        pass_second(page)
    saved(page)
    assert given(attempt) == "x" * 20  # twenty seconds after the first key


def test_in_practice_a_text_is_kept_and_is_no_answer_before_its_button_is_pressed(take):
    attempt, page = take(make_quiz(make_essay(WHY), make_question()), 1)
    write(page, TEXT)
    saved(page)
    kept = Answer.objects.get(attempt=attempt, position=1)
    assert (kept.draft, kept.given) == (TEXT, None)
    page.reload()
    assert page.locator("textarea").input_value() == TEXT
    page.locator("form:has(textarea) button").click()
    page.locator("#mpquiz-verdict").wait_for()
    assert given(attempt, 1) == TEXT


def test_on_a_page_of_all_questions_a_text_is_saved_with_what_stands_beside_it(take):
    attempt, page = take(an_exam(layout="all"))
    page.locator("input[name=q1-given]").first.check()
    write(page, TEXT)
    saved(page)
    assert (given(attempt, 1), given(attempt, 2)) == ("a", TEXT)
    assert [revision(page, f"q{position}-revision") for position in (1, 2, 3)] == ["1", "1", "0"]
    assert page.locator("textarea + .mpquiz-saved").is_visible()
    page.get_by_role("button", name="Save for now").click()
    page.get_by_text("Nothing is handed in yet").wait_for()
    assert not page.locator(".mpquiz-error, .mpquiz-stale").count()


def test_on_a_page_of_all_questions_what_cannot_be_saved_is_named(take):
    attempt, page = take(make_quiz(make_essay(WHY), make_essay(WHY, settings={"longest": 5}), layout="all"))
    page.locator("textarea").nth(1).fill("too long a text")
    page.locator("textarea").nth(0).fill(TEXT)
    saved(page, "Saved. Question 2 of 2: ")
    assert (given(attempt, 1), given(attempt, 2)) == (TEXT, None)


@pytest.mark.parametrize("how", ["no connection", "no database"])
def test_while_nothing_can_be_saved_it_is_said_and_tried_again(take, open_page, how):
    attempt, page = take(an_exam(), 2)
    tries = []

    def fail(route):
        if route.request.method != "POST":
            return route.continue_()
        tries.append(route.request.post_data)
        return route.abort() if how == "no connection" else route.fulfill(status=503, body="down")

    page.route("**/2/", fail)
    page.evaluate(LISTEN)
    write(page, TEXT)
    saved(page, "Not saved. Keep a copy")
    assert [words.split(".")[0] for _at, words in page.evaluate("window.heard")] == ["Not saved"]
    expect(page.get_by_role("button", name="Save and go on")).to_be_enabled()
    write(page, MORE)
    eventually(page, lambda: len(tries) > 1)
    page.wait_for_timeout(1_000)
    assert len(tries) <= 3  # pauses that grow
    page.unroute("**/2/")
    page.evaluate("dispatchEvent(new Event('online'))")
    saved(page, "^Saved$")
    eventually(page, lambda: given(attempt) == TEXT + MORE)
    saved(page, "^Saved$")
    assert [words.split(".")[0] for _at, words in page.evaluate("window.heard")] == ["Not saved", "Saved"]


def test_a_press_that_would_lose_the_text_says_so_first(take):
    attempt, page = take(an_exam(), 2)
    page.route("**/2/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    write(page, TEXT)
    saved(page, "Not saved")
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_timeout(500)
    assert page.locator("textarea").input_value() == TEXT
    page.unroute("**/2/")
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_url(f"**{at(attempt, 3)}")
    assert given(attempt) == TEXT


def test_a_reply_that_is_lost_makes_no_conflict_with_oneself(take):
    attempt, page = take(an_exam(), 2)
    lost = []

    def lose(route):
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch().status)
            return route.abort()
        return route.continue_()

    page.route("**/2/", lose)
    write(page, TEXT)
    saved(page, "Not saved")
    assert (lost, given(attempt)) == ([200], TEXT)
    write(page, MORE)
    eventually(page, lambda: (given(attempt), revision(page)) == (TEXT + MORE, "2"))


def test_a_button_waits_for_the_text_that_is_on_its_way(take):
    attempt, page = take(an_exam(), 2)
    slow = []

    def slowly(route):
        if "save=1" in (route.request.post_data or "") and not slow:
            slow.append(True)
            page.wait_for_timeout(1_500)
        route.continue_()

    page.route("**/2/", slowly)
    write(page, TEXT)
    expect(page.locator(".mpquiz-saved")).to_have_text("Saving…")
    write(page, MORE)
    page.get_by_role("button", name="Save and go on").dblclick()
    page.wait_for_url(f"**{at(attempt, 3)}")
    assert slow
    assert given(attempt) == TEXT + MORE


def test_what_another_window_has_changed_is_not_overwritten(take):
    attempt, page = take(an_exam(), 2)
    attempt.answer(2, "From another window.")
    write(page, TEXT)
    saved(page, "changed in another window")
    assert given(attempt) == "From another window."
    page.get_by_role("button", name="Save and go on").click()
    expect(page.locator(".mpquiz-stale")).to_contain_text("From another window.")
    assert page.locator("textarea").input_value() == TEXT
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_url(f"**{at(attempt, 3)}")
    assert given(attempt) == TEXT


def test_who_is_signed_out_meanwhile_signs_in_elsewhere_and_loses_nothing(take, user):
    attempt, page = take(an_exam(), 2)
    page.context.clear_cookies(name="sessionid")
    write(page, TEXT)
    saved(page, "Sign in again")
    other = page.context.new_page()
    other.goto("/accounts/login/")
    other.locator("[name=username]").fill(user.username)
    other.locator("[name=password]").fill("secret")
    other.locator("[type=submit], button").first.click()
    other.wait_for_load_state()
    other.close()
    saved(page, "^Saved$")
    assert given(attempt) == TEXT
    assert page.locator("textarea").input_value() == TEXT


def test_a_page_that_is_put_away_saves_first(take):
    attempt, page = take(an_exam(), 2)
    write(page, TEXT)
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator(".mpquiz-saved")).to_have_text("Saved", timeout=1_900)  # sooner than the pause
    assert given(attempt) == TEXT


def test_a_page_that_comes_back_shows_what_was_stored_meanwhile(take):
    attempt, page = take(an_exam(), 2)
    attempt.answer(2, TEXT)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("textarea")).to_have_value(TEXT)
    page.locator("textarea").fill(TEXT + MORE)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.wait_for_timeout(1_000)
    assert page.locator("textarea").input_value() == TEXT + MORE  # nothing new there: what is written stays


def test_what_is_not_saved_yet_stays_on_a_page_that_comes_back_though_another_text_is_stored(take):
    attempt, page = take(an_exam(), 2)
    page.locator("textarea").fill(TEXT)
    attempt.answer(2, "Because.")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator(".mpquiz-saved")).to_contain_text("changed in another window")
    assert page.locator("textarea").first.input_value() == TEXT
    assert given(attempt) == "Because."


def test_radios_and_the_keys_that_move_in_them_send_nothing(take):
    _attempt, page = take(an_exam(), 1)
    sent = []
    page.on("request", lambda request: sent.append(request.url))
    page.locator("input[name=given]").first.focus()
    for _time in range(3):
        page.keyboard.press("ArrowDown")
    page.wait_for_timeout(2_500)
    assert sent == []
    assert page.url.endswith("/1/")


# Leaving ------------------------------------------------------------------------------------------------------


@pytest.fixture
def asked():
    """The kinds of the dialogs that were shown; ``asked.leave`` says what is answered."""

    class Asked(list):
        leave = False

        def __call__(self, dialog):
            self.append(dialog.type)
            dialog.accept() if self.leave else dialog.dismiss()

    return Asked()


def leave(page, asked):
    """Go elsewhere, until one is there or has said to stay."""
    page.evaluate("location.assign('/en/quizzes/mine/')")
    eventually(page, lambda: page.url.endswith("/mine/") or (asked and not asked.leave))


def test_leaving_an_answer_that_is_not_saved_is_asked_about(take, asked):
    attempt, page = take(an_exam(), 1)
    page.on("dialog", asked)
    page.locator("input[name=given]").first.check()
    leave(page, asked)
    assert (asked, page.url.endswith("/1/")) == (["beforeunload"], True)
    page.get_by_role("button", name="Save and go on").click()
    page.wait_for_url(f"**{at(attempt, 2)}")
    assert asked == ["beforeunload"]  # the buttons of the form save


@pytest.mark.parametrize("button", ["Question 3", "Flag to come back", "Back$"])
def test_the_buttons_of_an_exam_save_and_ask_nothing(take, asked, button):
    attempt, page = take(an_exam(), 2)
    page.on("dialog", asked)
    page.locator("textarea").fill(TEXT)
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile(f"^{button}")).click()
    assert (asked, given(attempt)) == ([], TEXT)


def test_leaving_asks_nothing_where_nothing_would_be_lost(take, asked):
    _attempt, page = take(an_exam(), 2)
    page.on("dialog", asked)
    page.locator("textarea").fill(TEXT)
    saved(page)
    page.locator("textarea").fill("")
    page.locator("textarea").fill(TEXT)  # as it is stored
    leave(page, asked)
    assert (asked, page.url.endswith("/mine/")) == ([], True)


def test_in_practice_leaving_a_choice_asks_nothing(take, asked):
    _attempt, page = take(make_quiz(count=2))
    page.on("dialog", asked)
    page.locator("input[name=given]").first.check()
    leave(page, asked)
    assert (asked, page.url.endswith("/mine/")) == ([], True)


def test_who_leaves_all_the_same_has_their_text_saved(take, asked):
    attempt, page = take(an_exam(), 2)
    asked.leave = True
    page.on("dialog", asked)
    write(page, TEXT)
    leave(page, asked)
    assert (asked, page.url.endswith("/mine/")) == (["beforeunload"], True)
    eventually(page, lambda: given(attempt) == TEXT)


# Moments ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", r"Mar 2, 2031, 3:30\sPM \(GMT\W?\+3\W?\)"), ("ar", r"2031.*3:30.*\u2066\+3\u2069\)")],
)
def test_moments_are_told_in_the_reader_s_own_time_zone(open_page, signed_in, user, language, words):
    an_exam(closes_at=timezone.datetime(2031, 3, 2, 12, 30, tzinfo=timezone.get_default_timezone()))
    page = open_page(f"/{language}/quizzes/floats/", cookies=signed_in(user), timezone_id="Asia/Riyadh")
    time = page.locator(".mpquiz-rules time").first
    expect(time).to_have_text(re.compile(words))
    assert "12:30" in time.get_attribute("title").replace("\u200f", "")
    assert not re.search("[٠-٩]", time.inner_text())


# Looks --------------------------------------------------------------------------------------------------------


def wide(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize(
    ("language", "scheme", "width"),
    [("ar", "light", 390), ("en", "dark", 1280), ("en", "light", 320), ("ar", "dark", 1280), ("en", "light", 390)],
)
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(open_page, signed_in, user, language, scheme, width):
    user.is_staff = True
    user.save()
    user.user_permissions.add(Permission.objects.get(codename="view_quiz"))
    closes = timezone.now() + timedelta(days=1)
    exam = an_exam(password="secret", attempts_allowed=3, wait=5, closes_at=closes, slug="exam", pass_mark=50)
    whole = an_exam(layout="all", slug="whole")
    page = open_page(
        f"/{language}/quizzes/exam/",
        cookies=signed_in(user),
        color_scheme=scheme,
        width=width,
        timezone_id="Asia/Riyadh",
    )
    found = {}

    def look(name, path=None):
        if path is not None:
            page.goto(path)
        found[name] = complaints(page)
        assert wide(page) <= 0, name

    look("start")
    page.locator("[name=password]").fill("no")
    page.locator("form:has([name=password]) button").click()
    page.locator("[name=password][aria-invalid]").wait_for()
    look("wrong password")
    page.locator("[name=password]").fill("secret")
    page.locator("form:has([name=password]) button").click()
    page.locator(".mpquiz-map").wait_for()
    look("question")
    attempt = Attempt.objects.get()
    page.locator("input[name=given]").first.check()
    page.locator(".mpquiz-flag").click()
    page.locator(".mpquiz-flag[aria-pressed=true]").wait_for()
    look("flagged")
    ends_in(attempt, 121)
    page.goto(at(attempt, 2, language))
    expect(page.locator("#mpquiz-alert")).not_to_be_empty()
    look("warned")
    attempt.answer(2, "From another window.")
    write(page, TEXT)
    expect(page.locator(".mpquiz-saved[data-state=failed]")).to_be_visible(timeout=10_000)
    look("not saved")
    page.locator("#mpquiz-form .mpquiz-button").first.click()
    page.locator(".mpquiz-stale").wait_for()
    look("two values")
    look("summary", at(attempt, "summary", language))
    page.locator("form[action$='finish/'] button").first.click()
    page.locator(".mpquiz-score").wait_for()
    look("result")
    whole_attempt = Attempt.objects.start(whole, learner(user), trial=True)
    look("all on one page", at(whole_attempt, 1, language))
    write(page, TEXT)
    expect(page.locator(".mpquiz-saved[data-state=saved]")).to_be_visible(timeout=10_000)
    look("all on one page, saved")
    whole_attempt.discard()
    look("trial", f"/{language}/quizzes/whole/")
    assert exam.attempts.count() == 1
    assert {name: several for name, several in found.items() if several} == {}


def test_the_map_wraps_and_its_marks_are_large_enough(open_page, signed_in, user):
    quiz = make_quiz(count=60, feedback="at_end", time_limit=30)
    attempt = Attempt.objects.start(quiz, learner(user))
    attempt.answer(1, 1, flagged=True)
    page = open_page(at(attempt, 2), cookies=signed_in(user), width=320)
    boxes = [one.bounding_box() for one in page.locator(".mpquiz-map-one").all()]
    assert len(boxes) == 60
    assert min(min(box["width"], box["height"]) for box in boxes) >= 24
    assert wide(page) <= 0
    for selector in (".mpquiz-flag", ".mpquiz-timer button", ".mpquiz-aside button"):
        box = page.locator(selector).first.bounding_box()
        assert min(box["width"], box["height"]) >= 24, selector
    marks = page.locator(".mpquiz-map-one")
    style = "one => [getComputedStyle(one).borderBottomWidth, getComputedStyle(one, '::after').content]"
    given_one, open_one = marks.nth(0).evaluate(style), marks.nth(5).evaluate(style)
    assert given_one[0] != open_one[0]  # not by colour alone
    assert "⚑" in given_one[1]
    assert marks.nth(0).get_attribute("data-state") == "given"
    expect(marks.nth(0)).to_have_accessible_name(re.compile("1.*answered.*flagged"))
    expect(marks.nth(1)).to_have_attribute("aria-current", "step")


COVERED = """() => {
  const one = document.activeElement, box = one.getBoundingClientRect()
  const bar = document.querySelector(".mpquiz-timer").getBoundingClientRect()
  if (one === document.body || document.querySelector(".mpquiz-timer").contains(one)) return ""
  const covered = box.top >= bar.top && box.bottom <= bar.bottom
  const outside = box.bottom <= 0 || box.top >= innerHeight
  return covered || outside ? `${one.outerHTML.slice(0, 80)}: ${box.top} to ${box.bottom}, ${bar.bottom}` : ""
}"""


@pytest.mark.parametrize(("width", "height"), [(320, 256), (320, 180), (390, 500), (1280, 720)])
@pytest.mark.parametrize("layout", ["one", "all"])
def test_the_clock_covers_nothing_that_has_the_focus(take, width, height, layout):
    _attempt, page = take(an_exam(layout=layout), seconds=20)
    page.set_viewport_size({"width": width, "height": height})
    stops = 0
    for key in ("Tab", "Shift+Tab"):
        for _stop in range(40):
            page.keyboard.press(key)
            assert page.evaluate(COVERED) == "", key
            stops += page.evaluate("document.activeElement !== document.body")
            if page.evaluate("document.activeElement === document.body"):
                break
    assert stops >= 12


def test_printed_there_is_neither_clock_nor_map(take):
    _attempt, page = take(an_exam(), 2)
    page.emulate_media(media="print")
    for selector in (".mpquiz-timer", ".mpquiz-map", ".mpquiz-actions"):
        expect(page.locator(selector).first).to_be_hidden()


# The whole way ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (320, 256)])
def test_an_exam_is_taken_by_keyboard_alone_in_arabic(open_page, signed_in, user, javascript, width, height):
    an_exam()
    page = open_page("/ar/quizzes/floats/", cookies=signed_in(user), java_script_enabled=javascript)
    page.set_viewport_size({"width": width, "height": height})

    def press(selector, key="Enter"):
        tab_to(page, selector)
        with page.expect_navigation():
            page.keyboard.press(key)

    press("form[action$='start/'] button")
    tab_to(page, "input[name=given]")
    page.keyboard.press("Space")
    press(".mpquiz-flag")
    assert page.locator(".mpquiz-flag").get_attribute("aria-pressed") == "true"
    press("#mpquiz-form .mpquiz-button")
    tab_to(page, "textarea")
    page.keyboard.type(TEXT)
    press(".mpquiz-map-one[value='3']")
    tab_to(page, "input[name=given]")
    page.keyboard.press("Space")
    press("#mpquiz-form .mpquiz-button")
    assert page.url.endswith("/summary/")
    press("form[action$='finish/'] button")
    attempt = Attempt.objects.get()
    assert (attempt.ended, given(attempt, 1), given(attempt, 2), given(attempt, 3)) == ("finished", "a", TEXT, ["a"])


def test_a_page_to_read_is_passed_and_asks_nothing(take, asked):
    attempt, page = take(make_quiz(make_page("Read."), make_question(), feedback="at_end"))
    page.on("dialog", asked)
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url(f"**{at(attempt, 2)}")
    assert asked == []
