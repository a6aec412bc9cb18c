"""The rules of a quiz on its page: what contradicts itself is refused where it is mended, what is odd is said."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import Group
from django.utils import timezone

from mpquiz.admin.oddities import oddities
from mpquiz.models import Attempt, Quiz
from tests.admin.conftest import errors_of, told
from tests.factories import learner, make_page, make_pool, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db

DATES = {"opens_at_0": "2030-01-01", "opens_at_1": "08:00", "closes_at_0": "2030-01-02", "closes_at_1": "08:00"}
MOMENTS = ("show_right_or_wrong", "show_score", "show_right_answer", "show_explanation")


def folded(page):
    """The names of the parts of the page that are folded away."""
    return {str(part.name) for part in page.context_data["adminform"] if part.is_collapsible}


def test_every_rule_is_stored(admin):
    group = Group.objects.create(name="Class 3")
    quiz = make_quiz()
    typed = {
        "shuffle_questions": "on",
        "draw": "2",
        "shuffle_choices": "on",
        "feedback": "at_end",
        "layout": "one",
        "one_way": "on",
        "show_right_or_wrong": "finish",
        "show_score": "finish",
        "show_right_answer": "close",
        "show_explanation": "never",
        "time_limit": "30",
        "runs_past_closing": "on",
        "attempts_allowed": "2",
        "wait": "60",
        "counting": "average",
        "access": "groups",
        "groups": [str(group.pk)],
        "password": "سر",
        **DATES,
    }
    assert admin.save("quiz", quiz, **typed).status_code == 302
    quiz.refresh_from_db()
    stored = {name: str(getattr(quiz, name)) for name in typed if hasattr(quiz, name) and name != "groups"}
    assert stored == {name: {"on": "True"}.get(typed[name], typed[name]) for name in stored}
    assert len(stored) == 17
    assert quiz.opens_at == datetime(2030, 1, 1, 8, tzinfo=UTC)
    assert quiz.closes_at == datetime(2030, 1, 2, 8, tzinfo=UTC)
    assert list(quiz.groups.all()) == [group]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({**DATES, "opens_at_0": "2030-01-02"}, "closes_at"),
        ({**DATES, "opens_at_0": "2030-01-03"}, "closes_at"),
        ({"access": "groups"}, "groups"),
        ({"show_right_or_wrong": "close"}, "show_right_or_wrong"),
        ({"show_explanation": "close"}, "show_explanation"),
        ({"layout": "all", "one_way": "on"}, "one_way"),
        ({"publishes_answers": "on", "show_right_answer": "finish"}, "publishes_answers"),
        ({"publishes_answers": "on", "show_right_answer": "never"}, "publishes_answers"),
        ({"time_limit": "0"}, "time_limit"),
        ({"time_limit": "999999999"}, "time_limit"),
        ({"draw": "0"}, "draw"),
        ({"attempts_allowed": "0"}, "attempts_allowed"),
        ({"feedback": "sometimes"}, "feedback"),
        ({"show_score": "later"}, "show_score"),
        ({"closes_at_0": "soon", "show_score": "close"}, "closes_at"),
    ],
)
def test_rules_that_contradict_each_other_are_refused_at_their_field(admin, typed, field):
    assert list(errors_of(admin.save("quiz", make_quiz(), **typed))) == [field]


def test_groups_without_the_rule_that_asks_for_them_are_refused(admin):
    group = Group.objects.create(name="Class 3")
    quiz = make_quiz()
    for access in ("everyone", "signed_in"):
        page = admin.save("quiz", quiz, access=access, groups=[str(group.pk)])
        assert list(errors_of(page)) == ["groups"]
    assert not quiz.groups.exists()


def test_what_is_seen_after_the_closing_goes_with_a_closing_time(admin):
    assert admin.save("quiz", make_quiz(), show_right_answer="close", **DATES).status_code == 302


# The page -----------------------------------------------------------------------------------------------


PARTS = {"Questions and order", "How it is taken", "What learners see", "Time", "Attempts", "Who may take it"}


def test_the_page_of_a_practice_quiz_is_short(admin):
    assert folded(admin.page("quiz")) >= PARTS
    assert folded(admin.page("quiz", make_quiz())) >= PARTS


@pytest.mark.parametrize(
    ("rule", "part"),
    [
        ({"draw": 2}, "Questions and order"),
        ({"preview": False}, "How it is taken"),
        ({"publishes_answers": True}, "How it is taken"),
        ({"pass_mark": 50}, "How it is taken"),
        ({"show_explanation": "never"}, "What learners see"),
        ({"time_limit": 5}, "Time"),
        ({"runs_past_closing": True}, "Time"),
        ({"counting": "last"}, "Attempts"),
        ({"password": "x"}, "Who may take it"),
        ({"access": "signed_in"}, "Who may take it"),
    ],
)
def test_a_part_in_which_something_is_set_is_open(admin, rule, part):
    assert PARTS - folded(admin.page("quiz", make_quiz(**rule))) == {part}


def test_what_was_typed_is_in_sight_when_something_else_is_refused(admin):
    assert not PARTS & folded(admin.save("quiz", make_quiz(), slug="", time_limit="30"))


@pytest.mark.parametrize("language", ["en", "ar"])
def test_what_learners_see_is_a_table_each_of_whose_buttons_has_a_name(admin, language):
    admin.language = language
    html = admin.page("quiz", make_quiz(show_score="finish")).content.decode()
    [table] = re.findall(r'<table aria-labelledby="[^"]+">.*?</table>', html, re.DOTALL)
    assert table.count('<th scope="col">') == table.count('<th scope="row">') == 4
    buttons = re.findall(r'<label for="(\w+)">\s*<input type="radio"[^>]* id="(\w+)"[^>]*>(.*?)</label>', table)
    assert len(buttons) == 16
    assert all(named == own for named, own, _said in buttons)
    assert len({said for _named, _own, said in buttons}) == 16
    assert len(re.findall("checked", table)) == 4
    assert re.search(r'name="show_score" value="finish"[^>]*checked', table)


@pytest.mark.parametrize("model", ["quiz", "accommodation"])
def test_both_boxes_of_a_date_have_a_name(admin, model):
    html = admin.page(model).content.decode()
    for name in ("Opens: Date", "Opens: Time", "Closes: Date", "Closes: Time"):
        assert html.count(f'aria-label="{name}"') == 1


def test_a_line_of_the_table_says_what_is_wrong_with_it(admin):
    html = admin.save("quiz", make_quiz(), show_score="close").content.decode()
    table = html.split('<table aria-labelledby="')[1].split("</table>")[0]
    assert "The quiz never closes." in table


def test_whoever_may_only_look_reads_the_rules_but_not_the_password(staff):
    quiz = make_quiz(password="open-sesame", time_limit=45, show_score="close", closes_at=timezone.now())
    page = staff("view_quiz").page("quiz", quiz)
    html = page.content.decode()
    assert page.status_code == 200
    assert "open-sesame" not in html
    assert '<div class="readonly">45</div>' in html
    assert "After the quiz has closed" in html
    assert 'type="radio"' not in html


def test_whoever_may_change_the_quiz_reads_the_password(staff):
    editor = staff("view_quiz", "change_quiz")
    assert "open-sesame" in editor.page("quiz", make_quiz(password="open-sesame")).content.decode()


def test_a_quiz_that_was_there_before_there_were_rules_is_saved_unchanged(admin):
    quiz = make_quiz()
    before = Quiz.objects.filter(pk=quiz.pk).values().get()
    assert admin.save("quiz", quiz).status_code == 302
    after = Quiz.objects.filter(pk=quiz.pk).values().get()
    assert {name for name in before if before[name] != after[name]} == {"updated_at"}


# What is said after saving ------------------------------------------------------------------------------


def test_a_practice_quiz_is_saved_without_a_word_of_warning(admin):
    assert told(admin, admin.save("quiz", make_quiz(shuffle_choices=True))) == []


@pytest.mark.parametrize("limit", [{"attempts_allowed": "1"}, {"wait": "5"}, {"time_limit": "5"}])
def test_limits_that_guests_can_get_around_are_told_once(admin, limit):
    quiz = make_quiz(slug="open")
    assert ["firm only" in said for said in told(admin, admin.save("quiz", quiz, **limit))] == [True]
    assert told(admin, admin.save("quiz", quiz, **limit, access="signed_in")) == []


@pytest.mark.parametrize(
    ("review", "early"),
    [
        ({"show_right_or_wrong": "finish"}, ["right answer", "explanation"]),
        ({"show_right_or_wrong": "never", "show_explanation": "never"}, ["right answer"]),
        (dict.fromkeys(MOMENTS, "finish"), []),
    ],
)
def test_what_is_seen_too_early_is_told(admin, review, early):
    said = told(admin, admin.save("quiz", make_quiz(), **review))
    assert len(said) == len(early)
    for name, one in zip(early, said, strict=True):
        assert f"“{name}” is set to be seen before “right or wrong”" in one


def test_a_draw_of_more_than_there_is_is_told(admin):
    quiz = make_quiz(make_question(), make_question("Only one"), make_page())
    [said] = told(admin, admin.save("quiz", quiz, draw="2"))
    assert "2 questions are to be drawn, and 1 that can be asked stands in the quiz" in said
    assert told(admin, admin.save("quiz", quiz, draw="1")) == []


ABOVE = [("Three", True), "Four", {"text": {"en": "None of the above", "ar": "لا شيء مما سبق"}}]


def test_choices_that_name_others_by_place_are_told_with_their_questions(admin):
    found = make_question(*ABOVE, prompt="How <many>?")
    kept = make_question(*ABOVE[:2], {"text": "None of the above", "keeps_place": True})
    fixed = make_question(*ABOVE, settings={"keep_order": True})
    quiz = make_quiz(found, kept, fixed, shuffle_choices=True, published=("en",))
    [said] = told(admin, admin.save("quiz", quiz))
    assert "in 1 question" in said
    assert (
        f'<a href="/en/admin/mpquiz/question/{found.pk}/change/"><bdi dir="auto">How &lt;many&gt;?</bdi></a>' in said
    )
    quiz.shuffle_choices = False
    quiz.save()
    assert told(admin, admin.save("quiz", quiz)) == []


def test_they_are_told_in_pools_too_and_no_more_than_five_are_named(admin):
    tag = make_tag("Counting", *(make_question(*ABOVE, prompt=f"Q{n}?") for n in range(7)))
    quiz = make_quiz(shuffle_choices=True, published=("en",))
    make_pool(quiz, tag, count=2)
    [said] = told(admin, admin.save("quiz", quiz))
    assert "in 7 questions" in said
    assert said.count("<a ") == 5


def test_whoever_may_not_see_questions_gets_no_links_to_them(staff):
    editor = staff("view_quiz", "change_quiz")
    quiz = make_quiz(make_question(*ABOVE), shuffle_choices=True, published=("en",))
    [said] = told(editor, editor.save("quiz", quiz))
    assert "<a " not in said


def test_what_is_said_takes_as_many_queries_for_thirty_questions_as_for_three(django_assert_num_queries):
    def made(slug, count):
        quiz = make_quiz(slug=slug, count=count, shuffle_choices=True, draw=50, time_limit=5)
        make_pool(quiz, make_tag(slug, *(make_question(*ABOVE) for _ in range(count))), count=50)
        return quiz

    for quiz in (made("few", 3), made("many", 30)):
        with django_assert_num_queries(7):
            assert len(oddities(quiz, lambda question: "")) == 4


def test_running_attempts_are_told_when_a_quiz_is_saved(admin):
    quiz = make_quiz()
    Attempt.objects.start(quiz, learner(make_user("amal")))
    Attempt.objects.start(quiz, learner(make_user("badr"))).finish()
    [said] = told(admin, admin.save("quiz", quiz))
    assert said.startswith("1 attempt is running. It keeps the rules")


# The list -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ({}, ""),
        ({"time_limit": 1}, "1 minute"),
        ({"time_limit": 30, "opens_at": -1}, "30 minutes · open"),
        ({"closes_at": 1}, "open"),
        ({"opens_at": -2, "closes_at": -1}, "closed"),
        ({"opens_at": 1, "closes_at": 2}, "opens "),
    ],
)
def test_the_list_shows_time_limit_and_dates(admin, rule, shown):
    now = timezone.now()
    fields = {name: value if name == "time_limit" else now + timedelta(hours=value) for name, value in rule.items()}
    make_quiz(**fields)
    [cell] = re.findall(r'<td class="field-exam">(.*?)</td>', admin.list("quiz").content.decode())
    assert cell.startswith(shown) if shown.endswith(" ") else cell == shown
