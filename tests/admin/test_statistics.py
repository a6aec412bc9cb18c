"""The pages of statistics: who sees them, what they tell, and in how many queries."""

import re

import pytest
from django.urls import reverse
from django.utils import translation

from mpquiz.models import Question
from tests.factories import make_guide, make_question, make_quiz, make_user
from tests.statistics.taken import Given, by_guests, taken

pytestmark = pytest.mark.django_db
RIGHTS = ("view_quiz", "view_attempt", "view_guide")


def address(quiz, language="en"):
    with translation.override(language):
        return reverse("admin:mpquiz_quiz_statistics", args=[quiz.pk])


def page(editor, quiz, reader="en", **query):
    answer = editor.client.get(address(quiz, reader), query)
    assert answer.status_code == 200
    return answer


def two_languages(count=1, **fields):
    """A quiz of questions in both languages."""
    questions = [
        make_question(
            {"text": {"en": "Two", "ar": "اثنان"}, "right": True},
            {"text": {"en": "Three", "ar": "ثلاثة"}},
            {"text": {"en": "`4 < 5`", "ar": "`4 < 5`"}},
            prompt={"en": f"How many, {n}?", "ar": f"كم، {n}؟"},
        )
        for n in range(count)
    ]
    return make_quiz(*questions, title={"en": "Floats", "ar": "الأعداد"}, **fields)


def answered(quiz, count=40):
    """Some attempts in each language, which differ."""
    rows = [
        [Given(int(n % 3 > 0), "en" if n % 2 else "ar") for _q in range(quiz.places.count())] for n in range(count)
    ]
    by_guests(quiz, rows)
    return quiz


# Rights -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rights", [(), ("view_quiz",), ("view_attempt",), ("change_quiz", "view_question")])
def test_who_may_not_view_quizzes_and_attempts_is_refused(staff, rights):
    editor, quiz = staff(*rights), two_languages()
    assert editor.client.get(address(quiz)).status_code == 403
    if "change_quiz" in rights:
        assert "/statistics/" not in editor.page("quiz", quiz).content.decode()


def test_who_may_view_both_is_led_there_from_the_page_of_the_quiz(staff):
    editor, quiz = staff(*RIGHTS), two_languages()
    assert f'href="{address(quiz)}"' in editor.page("quiz", quiz).content.decode()
    html = page(editor, quiz).content.decode()
    assert "To the question" not in html
    assert reverse("admin:mpquiz_question_change", args=[quiz.questions.get().pk]) not in html


@pytest.mark.parametrize("name", ["mpquiz_quiz_statistics", "mpquiz_guide_missed", "mpquiz_guide_statistics"])
def test_a_learner_and_a_visitor_are_sent_to_sign_in(client, name):
    row = make_guide() if "guide" in name else two_languages()
    where = reverse(f"admin:{name}", args=[] if name == "mpquiz_guide_statistics" else [row.pk])
    for _once in range(2):
        answer = client.get(where)
        assert (answer.status_code, "/login/" in answer["Location"]) == (302, True)
        client.force_login(make_user(f"learner{_once}"))


def own_alone(user, quizzes, doing):
    """A host's rule: results of the quizzes named after the editor, and every quiz to change."""
    return quizzes.filter(slug__startswith="own") if doing == "results" else quizzes


def test_to_an_editor_of_other_quizzes_it_is_not_there(staff, settings):
    settings.MPQUIZ = {**settings.MPQUIZ, "MAY_EDIT": own_alone}
    editor = staff(*RIGHTS, "view_question")
    guide = make_guide()
    own, other = (answered(two_languages(slug=slug)) for slug in ("own", "other"))
    for quiz in (own, other):
        quiz.questions.get().guides.set([guide])
    assert editor.client.get(address(own)).status_code == 200
    assert editor.client.get(address(other)).status_code == 404
    assert "/statistics/" in editor.page("quiz", own).content.decode()
    assert "/statistics/" not in editor.page("quiz", other).content.decode()
    rows = editor.client.get(reverse("admin:mpquiz_guide_missed", args=[guide.pk])).context_data["rows"]
    assert {row.of.question.pk: row.of.n for row in rows} == {own.questions.get().pk: 40, other.questions.get().pk: 0}


def test_a_host_that_narrows_the_quizzes_narrows_their_statistics(admin, monkeypatch):
    from django.contrib.admin import site

    from mpquiz.models import Quiz

    kind = type(site.get_model_admin(Quiz))
    quizzes = kind.get_queryset
    monkeypatch.setattr(kind, "get_queryset", lambda self, request: quizzes(self, request).filter(slug="mine"))
    assert admin.client.get(address(two_languages(slug="mine"))).status_code == 200
    assert admin.client.get(address(two_languages(slug="theirs"))).status_code == 404


def test_guides_are_for_who_may_view_all_three(staff):
    guide = make_guide()
    for rights, status in ((RIGHTS, 200), (("view_guide",), 403), (("view_guide", "view_quiz"), 403)):
        editor = staff(*rights)
        for name, args in (("mpquiz_guide_missed", [guide.pk]), ("mpquiz_guide_statistics", [])):
            assert editor.client.get(reverse(f"admin:{name}", args=args)).status_code == status
        for one in (editor.page("guide", guide), editor.list("guide")):
            assert ("/statistics/" in one.content.decode()) == (status == 200)
        editor.client.logout()
        guide.__class__._meta.apps.get_model("auth", "User").objects.filter(username="staff").delete()


# What is told -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", ["Two", "How many, 0?", "Statistics: Floats"]), ("ar", ["اثنان", "كم، 0؟"])],
)
def test_a_page_tells_of_its_quiz_in_the_language_of_its_reader(admin, language, told):
    html = page(admin, answered(two_languages()), language).content.decode()
    for one in told:
        assert one in html
    direction = "rtl" if language == "ar" else "ltr"
    assert f'<bdi lang="{language}" dir="{direction}">{told[0]}</bdi>' in html
    assert '<bdi lang="ar" dir="rtl">العربيّة</bdi>' in html
    assert "<code" in html
    assert "&lt; 5" in html


def test_nothing_on_a_page_needs_style_attributes_or_scripts_of_its_own(admin):
    html = page(admin, answered(two_languages())).content.decode().split('<div id="content-main">')[1]
    assert " style=" not in html.split("<footer")[0]
    assert "<script" not in html.split("<footer")[0]


def test_the_bars_are_as_long_as_the_shares_in_every_language(admin):
    quiz = two_languages()
    by_guests(quiz, [[Given(1, "en", "a")]] * 3 + [[Given(0, "ar", "b")]])
    for language in ("en", "ar"):
        section = page(admin, quiz, language).content.decode().split('id="q1"')[1]
        widths = re.findall(r'<rect class="mpquiz-(part|other)" width="([\d.]+)%"', section)
        assert widths[:3] == [("part", "75.00"), ("other", "25.00"), ("other", "0.00")]
        assert section.count("mpquiz-right") == 1


def test_a_chart_has_its_numbers_beside_it(admin):
    quiz = two_languages(2)
    by_guests(quiz, [[1, 1], [1, 1], [1, 0], [0, 0]])
    context = page(admin, quiz).context_data
    assert [(one.label, one.value) for one in context["histogram"]][-1] == (
        '<bdi dir="ltr">90<span class="mpquiz-up-to">–100</span></bdi>',
        '<bdi dir="ltr">2</bdi>',
    )
    assert [one.height for one in context["histogram"]] == [
        "50.00", *["0.00"] * 4, "50.00", *["0.00"] * 3, "100.00"
    ]  # fmt: skip
    assert [(row.attempts.value, row.mean.value) for row in context["over"]] == [
        ('<bdi dir="ltr">4</bdi>', '<bdi dir="ltr">62.5\xa0%</bdi>')
    ]


def test_what_is_left_out_is_told_with_how_many(admin):
    quiz = two_languages(2)
    by_guests(quiz, [[1, 0]])
    taken(quiz, [1, 1], guest="trial", trial=True)
    taken(quiz, [1, 1], guest="left", ended="abandoned")
    taken(quiz, [Given(None, "en", ""), 1], guest="waits", waiting=1)
    html = page(admin, quiz).content.decode()
    for told in (
        "1 attempt is counted.",
        "1 trial by staff",
        "1 abandoned attempt",
        "1 attempt in which answers wait",
    ):
        assert told in html
    assert "A question that was skipped counts as 0 points." in html


def test_what_is_wrong_with_a_question_is_told_in_words_with_the_choice(admin):
    quiz = two_languages()
    by_guests(quiz, [[Given(int(n > 0), "en", "ab"[n == 0])] for n in range(40)])
    section = page(admin, quiz).content.decode().split('id="q1"')[1]
    assert "Too easy: nearly all points are earned." in section
    assert 'A choice that nobody takes. <bdi class="mpquiz-named" lang="en" dir="ltr"><code' in section


def test_several_choices_that_are_named_stand_apart(admin):
    quiz = make_quiz(make_question({"text": "FP32", "right": True}, {"text": "FP16"}, {"text": "FP8"}))
    by_guests(quiz, [[Given(1, "en", "a")] for _ in range(40)])
    section = page(admin, quiz).content.decode().split('id="q1"')[1]
    assert re.search(r"nobody takes\. <bdi [^>]+>FP16</bdi> · <bdi [^>]+>FP8</bdi></li>", section)


def test_typed_answers_are_shown_escaped(admin):
    quiz = make_quiz(make_question({"text": "Paris", "right": True}, kind="text"))
    by_guests(quiz, [[Given(0, tally="<script>alert(1)</script>")]])
    html = page(admin, quiz).content.decode()
    assert "Shares of all typed answers, those of attempts that wait to be marked among them." in html
    assert "&lt;script&gt;alert(1)" in html
    assert "<script>alert" not in html


def test_a_deleted_question_is_told_as_it_was_asked(admin):
    quiz = answered(two_languages(2))
    Question.objects.order_by("pk").first().delete()
    html = page(admin, quiz).content.decode()
    assert "This question was deleted. Here is what was asked." in html
    assert "How many, 0?" in html


def test_without_attempts_a_page_says_so(admin):
    context = page(admin, two_languages()).context_data
    assert (context["numbers"].n, context["over"], context["questions"]) == (0, [], [])


# Choosing -----------------------------------------------------------------------------------------------------


def test_which_attempts_and_which_language_are_chosen_by_links(admin):
    quiz, user = two_languages(), make_user()
    taken(quiz, [Given(0, "ar")], user=user)
    taken(quiz, [Given(1, "en")], user=user, number=2)
    chosen = page(admin, quiz, which="all", language="ar")
    assert chosen.context_data["numbers"].n == 1
    assert [link.url for link in chosen.context_data["which_links"]] == [
        f"?which={which}&language=ar" for which in ("first", "last", "highest", "all")
    ]
    for links in ("which_links", "language_links"):
        assert [str(link.name) for link in chosen.context_data[links] if link.is_current] == {
            "which_links": ["All attempts"],
            "language_links": ["العربيّة"],
        }[links]
    found = {
        which: page(admin, quiz, which=which).context_data["numbers"] for which in ("first", "last", "highest", "all")
    }
    assert {which: (one.n, one.mean) for which, one in found.items()} == {
        "first": (1, 0),
        "last": (1, 100),
        "highest": (1, 100),
        "all": (2, 50),
    }


@pytest.mark.parametrize("odd", ["", "x", "'", "\x00", "9" * 40, "first ", "<b>"])
def test_what_is_no_choice_is_as_if_it_had_not_been_sent(admin, odd):
    quiz = answered(two_languages())
    numbers = page(admin, quiz, which=odd, language=odd, page=odd, other=odd).context_data["numbers"]
    assert (numbers.which, numbers.language, numbers.n) == ("first", None, 40)
    assert admin.client.get(reverse("admin:mpquiz_guide_statistics"), {"page": odd}).status_code == 200


@pytest.mark.parametrize("odd", ["0", "-1", "x", "9" * 40])
def test_an_id_that_is_none_is_not_there(admin, odd):
    for model in ("quiz", "guide"):
        answer = admin.client.get(f"/en/admin/mpquiz/{model}/{odd}/statistics/")
        assert answer.status_code in (302, 404)  # what is no number is an id of Django's own pages
        assert answer.status_code == 404 or answer["Location"].endswith("/change/") or odd in ("x", "-1")


# Guides -------------------------------------------------------------------------------------------------------


def test_a_guide_shows_its_questions_the_most_missed_first(admin):
    guide = make_guide(title={"en": "Floats", "ar": "الأعداد"})
    quiz = make_quiz(*[make_question(prompt=f"Q{n}?", guides=[guide]) for n in range(2)])
    by_guests(quiz, [[1, 0], [1, 0], [0, 0], [1, 1]])
    where = reverse("admin:mpquiz_guide_missed", args=[guide.pk])
    assert f'href="{where}"' in admin.page("guide", guide).content.decode()
    answer = admin.client.get(where)
    assert [(str(row.of.question), row.of.n, row.of.missed) for row in answer.context_data["rows"]] == [
        ("Q1?", 4, 3),
        ("Q0?", 4, 1),
    ]
    html = answer.content.decode()
    assert "They were answered 8 times in first attempts" in html
    assert reverse("admin:mpquiz_question_change", args=[quiz.questions.last().pk]) in html
    overview = admin.client.get(reverse("admin:mpquiz_guide_statistics"))
    assert [(row.of.guide, row.of.n, row.of.missed) for row in overview.context_data["rows"]] == [(guide, 8, 4)]
    assert f'href="{where}"' in overview.content.decode()


def test_many_guides_come_on_several_pages(admin):
    for n in range(25):
        make_guide(f"guide-{n:02}")
    where = reverse("admin:mpquiz_guide_statistics")
    assert len(admin.client.get(where).context_data["rows"]) == 20
    assert len(admin.client.get(where, {"page": 2}).context_data["rows"]) == 5


# Queries ------------------------------------------------------------------------------------------------------


def test_a_hundred_questions_take_as_many_queries_as_eight(admin, query_count):
    few, many = (answered(two_languages(count, slug=f"of-{count}"), 4) for count in (8, 100))
    page(admin, few)  # what the process keeps from then on is not asked again
    counts = [query_count(lambda quiz=quiz: admin.client.get(address(quiz))) for quiz in (few, many)]
    assert counts[0] == counts[1] <= 14


def test_many_guides_take_as_many_queries_as_few(admin, query_count):
    where = reverse("admin:mpquiz_guide_statistics")

    def fill(start, stop):
        for n in range(start, stop):
            quiz = make_quiz(*[make_question(guides=[make_guide(f"g{n}{m}")]) for m in range(2)], slug=f"quiz-{n}")
            by_guests(quiz, [[1, 0]])

    fill(0, 1)
    admin.client.get(where)
    few = query_count(lambda: admin.client.get(where))
    fill(1, 8)
    assert query_count(lambda: admin.client.get(where)) == few <= 9
