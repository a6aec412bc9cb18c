"""How much of the texts is there: counted by the database as Python reads a content."""

import random

import pytest
from django.db import connection
from django.db.models import Q
from django.test.utils import CaptureQueriesContext

from mpquiz import words
from mpquiz.kinds.essay import Essay
from mpquiz.models import Question, completeness
from mpquiz.translations import State, Texts, lacking_in
from tests.factories import make_page, make_pool, make_question, make_quiz, make_tag, texts

pytestmark = pytest.mark.django_db

BOTH = {"en": "Two", "ar": "اثنان"}


def of(question):
    return completeness.of_questions(Q(pk=question.pk))[question.pk]


def question_of(prompt, explanation=None, *choices, **fields):
    return make_question(
        *(choices or ({"text": "1", "right": True}, "2")), prompt=prompt, explanation=explanation, **fields
    )


@pytest.mark.parametrize(
    ("question", "wanted", "there"),
    [
        (lambda: question_of(BOTH), 1, (1, 1)),
        (lambda: question_of("Two"), 1, (1, 0)),
        (lambda: question_of({"ar": "اثنان"}), 1, (0, 1)),
        (lambda: question_of(BOTH, "Why"), 2, (2, 1)),
        (lambda: question_of({"en": "2", "ar": "اثنان"}), 1, (1, 1)),
        (lambda: question_of("2"), 0, (0, 0)),
        (lambda: question_of({"en": "Two", "ar": ""}), 1, (1, 0)),
        (lambda: question_of(BOTH, None, {"text": BOTH, "right": True}, "`x`"), 2, (2, 2)),
        (lambda: question_of(BOTH, None, {"text": BOTH, "right": True}, "x"), 3, (3, 2)),
        (lambda: question_of(BOTH, None, {"text": "1", "feedback": "Well done", "right": True}), 2, (2, 1)),
        (
            lambda: question_of(BOTH, None, {"text": "1", **texts("match", {"ar": "واحد"})}, kind="matching"),
            2,
            (1, 2),
        ),
        (lambda: question_of(BOTH, None, {"right": True}, {}, kind="true_false"), 1, (1, 1)),
        (lambda: question_of(BOTH, **texts("title", "What editors call it")), 1, (1, 1)),
    ],
)
def test_texts_of_a_question_are_counted(question, wanted, there):
    assert of(question()) == Texts(wanted, dict(zip(("en", "ar"), there, strict=True)))


AMMAN, ARABIC = {"text": "Amman", "right": True}, {"text": {"ar": "عمّان"}, "right": True}


@pytest.mark.parametrize(
    ("choices", "lacking"),
    [
        ([AMMAN], {"en": [], "ar": [0]}),
        ([AMMAN, ARABIC], {"en": [], "ar": []}),
        ([AMMAN, ARABIC, "Jordan"], {"en": [], "ar": []}),
        ([AMMAN, {"text": {"ar": "الأردن"}}], {"en": [], "ar": [0]}),
        ([{"text": "Amman", "feedback": "Well done", "right": True}, ARABIC], {"en": [], "ar": []}),
    ],
)
@pytest.mark.parametrize("kind", ["text", "gaps"])
def test_an_accepted_answer_needs_no_counterpart_beside_a_right_one_of_the_other_language(kind, choices, lacking):
    part = {"part": "1"} if kind == "gaps" else {}
    rows = [({"text": one} if isinstance(one, str) else one) | part for one in choices]
    made = question_of({"en": "A [[1]]", "ar": "[[1]] ب"}, None, *rows, kind=kind)
    content = made.written()
    found = {language: lacking_in(content, language) for language in words.languages()}
    assert found == {language: [("choices", index, "text") for index in some] for language, some in lacking.items()}
    for language in words.languages():
        assert of(made).lacking(language) == len(found[language])
        assert Question.objects.filter(completeness.lacks(language)).exists() is bool(found[language])


def test_what_is_offered_in_a_gap_and_what_is_told_of_any_answer_is_lacking_all_the_same():
    offered = [{"text": "Amman", "right": True, "part": "1"}, {"text": {"ar": "عمّان"}, "right": True, "part": "1"}]
    settings = {"parts": {"1": {"kind": "single"}}}
    gap = question_of({"en": "A [[1]]", "ar": "[[1]] ب"}, None, *offered, kind="gaps", settings=settings)
    assert lacking_in(gap.written(), "ar") == [("choices", 0, "text")]
    typed = question_of(BOTH, None, AMMAN, ARABIC, {"text": "*", "feedback": "Look at a map."}, kind="text")
    assert lacking_in(typed.written(), "ar") == [("choices", 2, "feedback")]
    assert (of(gap).lacking("ar"), of(typed).lacking("ar"), of(typed).lacking("en")) == (1, 1, 0)


class Word(Essay):
    """A host's kind whose choices are accepted answers."""

    name, choice_fields, accepts_texts = "word", ("text", "right"), True


@pytest.mark.parametrize(("own", "count"), [({"word": f"{__name__}.Word"}, 0), ({"word": "mpquiz.kinds.Essay"}, 1)])
def test_a_kind_of_the_host_says_whether_its_answers_are_accepted(settings, own, count):
    settings.MPQUIZ = {"KINDS": own}
    made = question_of(BOTH, None, AMMAN, ARABIC, kind="word")
    assert len(lacking_in(made.written(), "ar")) == of(made).lacking("ar") == count
    assert Question.objects.filter(completeness.lacks("ar")).count() == count


def test_a_question_without_choices_is_counted_too():
    assert of(make_page(BOTH)) == Texts(1, {"en": 1, "ar": 1})


SOME = ["", "", None, "1", "`x`", "$x$", "$5", "`", "Two", "two `x`", "اثنان", "٢", "a\nb", "1\n2"]

KINDS = [
    ("single", {}),
    ("text", {}),
    ("text", {"parts": {"": {"kind": "single"}}}),
    ("number", {}),
    ("gone", {}),
    ("gaps", {}),
    ("gaps", {"parts": []}),
    ("gaps", {"parts": {"a": {"kind": "single"}, "b": {"weight": 2}}}),
    ("gaps", {"parts": {"a": {"kind": "text"}, "b": {"kind": "number"}}}),
    ("gaps", {"parts": {"a": {"kind": None}, "b": {"kind": 3}}}),
]


@pytest.fixture
def many():
    """Questions whose texts are drawn by lot, the same each time."""
    lot = random.Random(5)

    def words_of(name):
        return texts(name, {language: lot.choice(SOME) for language in words.languages()})

    for _number in range(160):
        choices = [words_of("text") | words_of("match") | words_of("feedback") for _choice in range(lot.randrange(4))]
        kind, settings = lot.choice(KINDS)
        for columns in choices:
            columns |= {
                "right": lot.random() < 0.5,
                "part": lot.choice(["a", "b", 'o"d\\']) if kind == "gaps" else "",
            }
        prompt, explanation = (words_of(name) if lot.random() < 0.7 else {} for name in ("prompt", "explanation"))
        question = Question.objects.create(kind=kind, settings=settings, **prompt, **explanation, **words_of("title"))
        for place, columns in enumerate(choices):
            question.choices.create(key=f"c{place}", place=place, **columns)
    return {question.pk: question.written() for question in Question.objects.prefetch_related("choices")}


def test_the_database_counts_as_a_content_reads(many):
    known = words.languages()
    assert completeness.of_questions(Q()) == {pk: Texts.of_content(content, known) for pk, content in many.items()}


def test_filters_find_what_is_counted(many):
    counted = completeness.of_questions(Q())
    for language in words.languages():
        found = set(Question.objects.filter(completeness.lacks(language)).values_list("pk", flat=True))
        assert found == {pk for pk, content in many.items() if lacking_in(content, language)}
        assert found == {pk for pk, one in counted.items() if one.lacking(language)}
        assert 0 < len(found) < len(many)
    mixed = set(Question.objects.filter(completeness.mixed()).values_list("pk", flat=True))
    assert mixed == {pk for pk, one in counted.items() if one.is_mixed}
    assert 0 < len(mixed) < len(many)


# Quizzes -----------------------------------------------------------------------------------------------------------


def test_a_quiz_has_its_own_words_its_questions_and_those_of_its_pools():
    both, english, page = make_question(prompt=BOTH), question_of("Two"), make_page("Read this.")
    drawn, within, other = question_of("Three"), question_of("Four"), question_of("Five")
    quiz = make_quiz(both, english, page, title=BOTH, description="Said")
    make_tag("Other", other)
    make_tag("Algebra/Vectors", within, english, make_page("Never drawn."))
    make_pool(quiz, make_tag("algebra", drawn, both))
    found = completeness.of_quizzes([quiz])[quiz.pk]
    assert found.own == Texts(2, {"en": 2, "ar": 1})
    assert set(found.questions) == {one.pk for one in (both, english, page, drawn, within)}
    assert found.whole.wanted == found.own.wanted + sum(texts.wanted for texts in found.questions.values())
    assert found.having(State.NONE, "ar") == [english.pk, page.pk, drawn.pk, within.pk]
    assert found.having(State.HALF, "ar") == [both.pk]


def test_a_quiz_of_nothing_is_whole():
    quiz = make_quiz(title="1")
    quiz.places.all().delete()
    assert completeness.of_quizzes([quiz])[quiz.pk].whole.percent("ar") == 100


@pytest.mark.parametrize("pooled", [False, True])
def test_queries_do_not_grow_with_quizzes(pooled):
    def queries(count):
        quizzes = []
        for number in range(count):
            slug = f"quiz-{count}-{number}"
            quizzes.append(make_quiz(slug=slug))
            if pooled:
                make_pool(quizzes[-1], make_tag(slug, *(make_question() for _ in range(number))))
        with CaptureQueriesContext(connection) as taken:
            assert len(completeness.of_quizzes(quizzes)) == count
        return len(taken)

    assert queries(2) == queries(12) == (6 if pooled else 4)


def test_no_quiz_takes_no_query(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert completeness.of_quizzes([]) == {}


def test_although_is_kept_where_nobody_says_it_anew():
    quiz = make_quiz(published=())

    def published():
        return dict(quiz.languages.values_list("language", "although_incomplete"))

    quiz.publish(["en", "ar"], although=["ar", "fr"])
    assert published() == {"en": False, "ar": True}
    quiz.publish(["ar"])
    assert published() == {"ar": True}
    quiz.publish(["ar", "en"], although=["en"])
    assert published() == {"ar": False, "en": True}
