"""Storing a quiz and taking it out: what an editor changed is kept, nothing is doubled, an error stores nothing."""

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from django.contrib.auth.models import Group
from django.db import DatabaseError, IntegrityError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone, translation
from hypothesis import HealthCheck, given, settings

from mpquiz import exchange, files, words
from mpquiz.content import (
    ChoiceContent,
    GuideContent,
    PlacedQuestion,
    PoolContent,
    QuestionContent,
    QuizContent,
    TagContent,
    digest,
)
from mpquiz.exchange import batches, loading, storing
from mpquiz.formats import yaml
from mpquiz.learners import Learner
from mpquiz.models import (
    Accommodation,
    Attempt,
    Choice,
    Guide,
    Pool,
    Question,
    Quiz,
    QuizLanguage,
    QuizQuestion,
    Tag,
)
from mpquiz.rules import Review
from tests import strategies
from tests.factories import make_guide, make_pool, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db

FLOATS = GuideContent(slug="floats", title={"en": "Floats", "ar": "الأعداد"}, address="/guides/floats/")


def question(name, prompt="Which?", *, namespace="book", **fields):
    fields.setdefault("guides", ("floats",))
    texts = ({"en": "Right", "ar": "صواب"}, {"en": "Wrong"})
    choices = tuple(
        ChoiceContent(key=key, text=text, right=key == "a") for key, text in zip("ab", texts, strict=True)
    )
    fields.setdefault("choices", choices)
    prompts = {"en": prompt} if isinstance(prompt, str) else prompt
    return QuestionContent(key=f"{namespace}/{name}", kind="single", prompt=prompts, **fields)


def placed(*contents):
    return tuple(PlacedQuestion(key=content.key, content=content) for content in contents)


def quiz(*contents, **fields):
    fields.setdefault("title", {"en": "Title", "ar": "عنوان"})
    fields.setdefault("published", ("en", "ar"))
    fields.setdefault("guides", ("floats",))
    fields.setdefault("known_guides", (FLOATS,))
    contents = contents or (question("one"), question("two", "Two?"))
    fields.setdefault("questions", placed(*contents))
    return QuizContent(slug=fields.pop("slug", "quiz"), namespace=fields.pop("namespace", "book"), **fields)


def load(content, **options):
    loaded = exchange.load(content, **options)
    assert loaded.errors == ()
    return loaded


def refused(content):
    before = everything()
    loaded = exchange.load(content)
    assert loaded.errors and loaded.quiz is None
    assert everything() == before
    return [(error.item.what, error.item.name) for error in loaded.errors]


def names(items):
    return [f"{item.what} {item.name}" for item in items]


def everything():
    """Each row of each table as it stands."""
    models = (Guide, Tag, Quiz, QuizLanguage, QuizQuestion, Pool, Question, Choice)
    throughs = (Quiz.guides.through, Question.guides.through, Question.tags.through)
    with connection.cursor() as cursor:
        tables = {}
        for model in (*models, *throughs):
            table = connection.ops.quote_name(model._meta.db_table)
            cursor.execute(f"SELECT * FROM {table} ORDER BY id")
            tables[table] = cursor.fetchall()
        return tables


def change(row, **columns):
    for name, value in columns.items():
        setattr(row, name, value)
    row.save()


# Storing ------------------------------------------------------------------------------------------------------


def test_a_new_quiz_is_stored_whole():
    content = quiz(question("one", {"en": "Which?", "ar": "أي؟"}), level="advanced", pass_mark=Decimal("62.5"))
    loaded = load(content)
    assert names(loaded.created) == ["guide floats", "question book/one", "quiz quiz"]
    row = Quiz.objects.get()
    assert row == loaded.quiz
    assert (row.title_ar, row.level, row.pass_mark) == ("عنوان", "advanced", Decimal("62.5"))
    assert row.published_languages == ["en", "ar"]
    stored = row.questions.get()
    assert stored.prompt_ar == "أي؟"
    assert [(choice.key, choice.right, choice.text_ar) for choice in stored.choices.all()] == [
        ("a", True, "صواب"),
        ("b", False, ""),
    ]
    assert [guide.address for guide in stored.guides.all()] == ["/guides/floats/"]


def test_what_is_dumped_equals_what_was_loaded():
    content = quiz(
        question("one", explanation={"ar": "لأن"}, settings={"size": [1, None]}),
        question("two", "Two?", guides=()),
        description={"en": "Short."},
        shuffle_choices=True,
        preview=False,
        pass_mark=Decimal(70),
    )
    assert exchange.dump(load(content).quiz) == content


def test_a_quiz_goes_into_an_empty_database_and_comes_out_equal():
    content = quiz()
    dumped = exchange.dump(load(content).quiz)
    for model in (Quiz, Question, Guide):
        model.objects.all().delete()
    assert exchange.dump(load(dumped).quiz) == dumped


def test_what_was_written_in_admin_comes_out_too():
    guide = make_guide()
    row = make_quiz(make_question(prompt="One?", guides=[guide]), guides=[guide], published=["ar"])
    content = exchange.dump(row)
    assert content.namespace == "site"
    assert content.published == ("ar",)
    assert content.questions[0].content.prompt == {"en": "One?"}
    assert content.known_guides[0].slug == "floats"
    assert set(names(load(content).unchanged)) == {
        f"question {content.questions[0].key}",
        "guide floats",
        "quiz floats",
    }


def test_a_question_of_another_namespace_is_dumped_by_its_key_alone():
    load(quiz())
    shared = quiz(slug="other", namespace="other", questions=(PlacedQuestion(key="book/one", points=Decimal(2)),))
    assert exchange.dump(load(shared).quiz).questions == shared.questions


def test_loading_again_changes_no_row():
    content = quiz()
    first = load(content)
    before = everything()
    again = load(content)
    assert everything() == before
    assert again.quiz == first.quiz
    assert names(again.unchanged) == ["guide floats", "question book/one", "question book/two", "quiz quiz"]
    assert again.created == again.updated == again.kept == again.removed == ()


def test_the_active_language_makes_no_difference():
    content = quiz()
    with translation.override("ar"):
        load(content)
    with translation.override("en"):
        before = everything()
        load(content)
        assert everything() == before


def test_arabic_alone_is_enough():
    content = quiz(
        question(
            "one",
            {"ar": "أي؟"},
            choices=(
                ChoiceContent(key="a", text={"ar": "نعم"}, right=True),
                ChoiceContent(key="b", text={"ar": "لا"}),
            ),
        ),
        title={"ar": "عنوان"},
        published=("ar",),
    )
    row = load(content).quiz
    assert exchange.dump(row) == content
    assert str(Quiz.objects.get()) == "عنوان"


def test_signs_of_every_kind_come_back():
    odd = "😀 👩‍💻 \u200fعربي\u200e \u2067x\u2069 \t'\"\\ <b> {{ x }} {% y %} \ufeffz"
    content = quiz(question("one", odd), description={"ar": odd})
    assert exchange.dump(load(content).quiz) == content


def test_texts_in_a_language_of_another_host_are_left_out():
    content = quiz(title={"en": "Title", "fr": "Titre"}, published=("en", "fr"))
    row = load(content).quiz
    assert row.published_languages == ["en"]
    assert load(content).updated == ()


def test_new_guides_and_quizzes_stand_last():
    make_guide("first", place=7)
    make_quiz(slug="first", place=4, count=1)
    load(quiz())
    assert Guide.objects.get(slug="floats").place == 8
    assert Quiz.objects.get(slug="quiz").place == 5


# Importing again ----------------------------------------------------------------------------------------------


def test_a_changed_file_updates_what_it_changed():
    load(quiz())
    loaded = load(quiz(question("one", "New?"), question("two", "Two?"), title={"en": "New"}))
    assert names(loaded.updated) == ["question book/one", "quiz quiz"]
    assert names(loaded.unchanged) == ["guide floats", "question book/two"]
    assert Question.objects.get(key="book/one").prompt_en == "New?"
    assert Quiz.objects.get().title_en == "New"


def test_a_text_taken_out_of_the_file_is_taken_out_of_the_row():
    load(quiz())
    load(quiz(title={"ar": "عنوان"}))
    assert words.of(Quiz.objects.get(), "title") == {"ar": "عنوان"}


def test_choices_keep_their_rows_by_key():
    load(quiz(question("one")))
    rows = {choice.key: choice.pk for choice in Choice.objects.all()}
    choices = (
        ChoiceContent(key="c", text={"en": "New"}),
        ChoiceContent(key="a", text={"en": "Right again"}, right=True, weight=Decimal("1"), feedback={"ar": "نعم"}),
    )
    load(quiz(question("one", choices=choices)))
    stored = Question.objects.get()
    assert stored.written().choices == choices
    assert stored.choices.get(key="a").pk == rows["a"]
    assert not Choice.objects.filter(pk=rows["b"]).exists()


def test_order_and_points_follow_the_file():
    load(quiz())
    contents = placed(question("two", "Two?"), question("one"))
    load(quiz(questions=(replace(contents[0], points=Decimal(3)), contents[1])))
    row = Quiz.objects.get()
    assert [(place.question.key, place.points) for place in row.places.all()] == [("book/two", 3), ("book/one", 1)]


def test_a_question_no_longer_in_the_file_leaves_the_quiz_and_stays():
    load(quiz())
    loaded = load(quiz(question("two", "Two?")))
    assert names(loaded.removed) == ["question book/one"]
    assert Quiz.objects.get().questions.get().key == "book/two"
    assert Question.objects.filter(key="book/one").exists()


def test_guides_of_a_question_follow_the_file():
    load(quiz())
    load(quiz(question("one", guides=()), question("two", "Two?")))
    assert not Question.objects.get(key="book/one").guides.exists()


def test_an_attempt_outlives_an_import():
    row = load(quiz()).quiz
    attempt = Attempt.objects.start(row, Learner(user=make_user()))
    load(quiz(question("one", "New?", choices=(*question("one").choices, ChoiceContent(key="c", text={"en": "C"})))))
    attempt.answer(1, 1)
    assert attempt.answers.get(position=1).content.prompt == {"en": "Which?"}


# Every kind, tags and titles ------------------------------------------------------------------------------------

SAMPLE = Path(__file__).resolve().parents[1] / "project" / "samples" / "one-of-each.yaml"


def test_a_quiz_of_every_kind_comes_out_as_it_went_in():
    parsed = yaml.parse(SAMPLE.read_bytes(), language="en")
    content = replace(parsed.quiz, known_guides=tuple(sorted(parsed.quiz.known_guides, key=lambda one: one.slug)))
    assert exchange.dump(load(content).quiz) == content
    assert load(content).updated == ()


def test_titles_and_words_in_settings_are_stored():
    content = question("one", title={"en": "One", "ar": "واحد"}, settings={"feedback": {"right": {"en": "Yes"}}})
    load(quiz(content))
    stored = Question.objects.get()
    assert (stored.title_en, stored.title_ar) == ("One", "واحد")
    assert stored.written().outcome_feedback("right") == {"en": "Yes"}


def test_words_in_settings_in_a_language_of_another_host_are_left_out():
    told = {"feedback": {"right": {"en": "Yes", "fr": "Oui"}, "wrong": {"fr": "Non"}}}
    load(quiz(question("one", settings=told)))
    assert Question.objects.get().settings == {"feedback": {"right": {"en": "Yes"}}}
    assert load(quiz(question("one", settings=told))).updated == ()


def tagged(*tags, **fields):
    return quiz(question("one", tags=tags), **fields)


def test_tags_are_made_once_whatever_their_capitals_and_spaces():
    loaded = load(quiz(question("one", tags=("Algebra", "algebra ")), question("two", "Two?", tags=("ALGEBRA",))))
    assert "tag Algebra" in names(loaded.created)
    assert [tag.name for tag in Tag.objects.all()] == ["Algebra"]
    assert Question.objects.filter(tags__name="Algebra").count() == 2
    assert load(tagged("aLgebra")).updated[0].what == "quiz"


def test_tags_of_a_question_follow_the_file():
    load(tagged("Algebra", "Vectors"))
    loaded = load(tagged("Vectors", "Sets"))
    assert names(loaded.updated) == ["question book/one"]
    assert exchange.dump(loaded.quiz).questions[0].content.tags == ("Sets", "Vectors")
    assert Tag.objects.count() == 3


def described(**description):
    return tagged("Algebra", known_tags=(TagContent(name="algebra", description=description),))


def test_what_is_said_of_a_tag_is_filled_in_and_not_overwritten():
    load(described(en="Letters."))
    assert names(load(described(en="Other.", ar="حروف.")).updated) == ["tag algebra"]
    assert words.of(Tag.objects.get(), "description") == {"en": "Letters.", "ar": "حروف."}
    assert names(load(described(en="Other.")).kept) == ["tag algebra"]
    load(described(en="Other."), force=True)
    assert words.of(Tag.objects.get(), "description") == {"en": "Other.", "ar": "حروف."}


def test_what_is_said_of_a_tag_is_dumped():
    content = described(en="Letters.")
    assert exchange.dump(load(content).quiz).known_tags == content.known_tags


@pytest.mark.parametrize(
    ("fields", "what"),
    [({"tags": ("t" * 201,)}, "tag"), ({"title": {"en": "t" * 201}}, "question")],
)
def test_what_a_column_cannot_hold_is_an_error(fields, what):
    assert refused(quiz(question("one", **fields)))[0][0] == what


# Rules --------------------------------------------------------------------------------------------------------

EXAM = {
    "publishes_answers": True,
    "shuffle_questions": True,
    "draw": 1,
    "feedback": "at_end",
    "layout": "all",
    "review": Review("finish", "never", "close", "close"),
    "time_limit": 30,
    "opens_at": datetime(2026, 1, 31, 5, tzinfo=UTC),
    "closes_at": datetime(2026, 2, 1, 5, tzinfo=UTC),
    "runs_past_closing": True,
    "attempts_allowed": 2,
    "wait": 60,
    "counting": "last",
    "access": "signed_in",
}
POOLS = (PoolContent(tag="Sets", count=2, place=1), PoolContent(tag="Algebra", points=Decimal("1.5"), place=2))


def exam(**fields):
    return quiz(**{**EXAM, "pools": POOLS, **fields})


def test_the_rules_of_an_exam_are_stored():
    row = load(exam()).quiz
    for name in EXAM.keys() - {"review"}:
        assert getattr(row, name) == EXAM[name]
    row.refresh_from_db()
    assert row.review == EXAM["review"]
    assert (row.opens_at, row.closes_at) == (EXAM["opens_at"], EXAM["closes_at"])
    pools = [(pool.tag.name, pool.count, pool.points, pool.place) for pool in row.pools.all()]
    assert pools == [("Sets", 2, 1, 1), ("Algebra", 1, Decimal("1.5"), 2)]


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(strategies.rules(2))
def test_whatever_the_rules_they_come_out_as_they_went_in(rules):
    content = quiz(**rules)
    assert exchange.dump(load(content, force=True).quiz) == content
    assert exchange.dump(Quiz.objects.get()) == content
    before = everything()
    assert "quiz quiz" in names(load(content).unchanged)
    assert everything() == before


def test_a_choice_that_keeps_its_place_goes_in_and_comes_out():
    choices = question("one").choices
    content = quiz(question("one", choices=(choices[0], replace(choices[1], keeps_place=True))))
    assert exchange.dump(load(content).quiz) == content
    assert names(load(quiz(question("one"))).updated) == ["question book/one"]
    assert not Choice.objects.filter(keeps_place=True).exists()


def test_tags_of_pools_are_made_and_found_whatever_their_capitals():
    make_tag("algebra")
    loaded = load(exam())
    assert [name for name in names(loaded.created) if name.startswith("tag")] == ["tag Sets"]
    assert [pool.tag.name for pool in loaded.quiz.pools.all()] == ["Sets", "algebra"]
    assert "quiz quiz" in names(load(exam()).unchanged)


def test_what_is_said_of_the_tag_of_a_pool_comes_along():
    content = exam(known_tags=(TagContent(name="Algebra", description={"en": "Letters."}),))
    assert exchange.dump(load(content).quiz) == content


def test_two_pools_of_one_tag_are_an_error():
    pools = (PoolContent(tag="Algebra"), PoolContent(tag=" ALGEBRA"))
    assert refused(exam(pools=pools)) == [("quiz", "quiz")]


def test_pools_stand_in_the_order_in_which_they_are_asked():
    late, early = PoolContent(tag="Algebra", place=9), PoolContent(tag="Sets")
    content = exam(pools=(late, early))
    assert exchange.dump(load(content).quiz).pools == (early, replace(late, place=2))
    assert "quiz quiz" in names(load(content).unchanged)


def test_pools_of_one_place_keep_their_order():
    first, second = (PoolContent(tag=tag, place=1) for tag in ("Sets", "Algebra"))
    for pools in ((first, second), (second, first)):
        assert exchange.dump(load(exam(pools=pools)).quiz).pools == pools


def test_the_place_of_a_pool_is_told_by_the_questions_before_it():
    """An editor may number the questions as they like."""
    row = make_quiz(count=3)
    for place, number in zip(row.places.all(), (10, 20, 30), strict=True):
        change(place, place=number)
    for name, place in (("A", 9), ("B", 10), ("C", 29), ("D", 99)):
        make_pool(row, make_tag(name), place=place)
    content = exchange.dump(row)
    assert [pool.place for pool in content.pools] == [0, 1, 2, 3]
    assert "quiz floats" in names(load(content).unchanged)
    load(replace(content, title={"en": "New"}), force=True)
    assert [pool.place for pool in row.pools.all()] == [0, 1, 2, 3]
    assert [place.place for place in row.places.all()] == [1, 2, 3]


def test_rules_and_pools_follow_the_file():
    load(exam())
    pools = (PoolContent(tag="Algebra", count=7), PoolContent(tag="New", place=2))
    changed = exam(time_limit=45, review=Review(), closes_at=None, pools=pools)
    assert names(load(changed).updated) == ["quiz quiz"]
    assert exchange.dump(Quiz.objects.get()) == changed
    load(quiz())
    assert exchange.dump(Quiz.objects.get()) == quiz()
    assert not Pool.objects.exists()


def edit_pool(row):
    change(row.pools.get(tag__name="Algebra"), count=9)


def add_pool(row):
    make_pool(row, make_tag("By the editor"))


@pytest.mark.parametrize(
    "edit",
    [
        lambda row: change(row, time_limit=99),
        lambda row: change(row, show_score="answer"),
        lambda row: change(row, closes_at=datetime(2026, 3, 1, tzinfo=UTC)),
        edit_pool,
        add_pool,
        lambda row: row.pools.first().delete(),
    ],
    ids=["limit", "review", "closing", "pool", "new pool", "no pool"],
)
def test_rules_and_pools_that_an_editor_changed_are_kept_unless_forced(edit):
    edit(load(exam()).quiz)
    before = exchange.dump(Quiz.objects.get())
    new = exam(time_limit=45, pools=POOLS[:1])
    assert names(load(new).kept) == ["quiz quiz"]
    assert exchange.dump(Quiz.objects.get()) == before
    assert names(load(new, force=True).updated) == ["quiz quiz"]
    assert exchange.dump(Quiz.objects.get()) == new
    assert "quiz quiz" in names(load(new).unchanged)


def test_an_exam_that_was_saved_in_admin_unchanged_is_followed_further():
    row = load(exam()).quiz
    change(row, wait=60, opens_at=row.opens_at)
    assert names(load(exam(time_limit=45)).updated) == ["quiz quiz"]


def restricted():
    row = load(exam(access="groups")).quiz
    change(row, password="sesame")
    row.groups.add(Group.objects.create(name="Evening class"))
    Accommodation.objects.create(quiz=row, user=make_user(), extra_attempts=1)
    return row


def test_what_is_of_this_site_alone_stays_and_is_told():
    row = restricted()
    content = exchange.dump(row)
    assert content.left_behind == ("password", "groups", "accommodations")
    assert "sesame" not in yaml.render(content).decode()
    load(exam(access="groups", time_limit=45), force=True)
    row.refresh_from_db()
    assert (row.password, row.groups.count(), row.accommodations.count()) == ("sesame", 1, 1)
    assert row.time_limit == 45


def test_a_quiz_that_has_nothing_of_this_site_alone_leaves_nothing_behind():
    restricted()
    assert exchange.dump(load(quiz(question("three"), slug="second")).quiz).left_behind == ()


def test_moments_of_a_host_without_time_zones_are_in_its_own_time(settings):
    settings.USE_TZ = False
    settings.TIME_ZONE = "Asia/Riyadh"
    load(exam())
    row = Quiz.objects.get()
    assert row.opens_at == datetime(2026, 1, 31, 8)
    assert timezone.is_naive(row.closes_at)
    assert exchange.dump(row) == exam()
    assert "quiz quiz" in names(load(exam()).unchanged)


def test_a_dump_with_pools_takes_as_many_queries_whatever_their_number():
    few = load(exam(slug="few", pools=POOLS[:1])).quiz
    pools = tuple(PoolContent(tag=f"Tag {number}", place=1) for number in range(10))
    more = load(exam(slug="more", pools=pools)).quiz
    assert statements(exchange.dump, few) == statements(exchange.dump, more) <= 8


# Files --------------------------------------------------------------------------------------------------------

PDF = files.of(b"%PDF-1.4 small")


@pytest.fixture
def storage(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.usefixtures("storage")
def test_files_come_along_and_are_written_once():
    load(quiz(), files={PDF.name: PDF.data})
    load(quiz(), files={PDF.name: PDF.data})
    assert files.read(PDF.name) == PDF.data


@pytest.mark.usefixtures("storage")
def test_files_of_what_cannot_be_stored_are_not_kept(monkeypatch):
    def fail(plan, quiz):
        raise DatabaseError("disk full")

    exchange.load(quiz(known_guides=()), files={PDF.name: PDF.data})
    exchange.load(quiz(), dry_run=True, files={PDF.name: PDF.data})
    monkeypatch.setattr(storing, "_store_places", fail)
    with pytest.raises(DatabaseError):
        exchange.load(quiz(), files={PDF.name: PDF.data})
    assert files.read(PDF.name) is None


@pytest.mark.usefixtures("storage")
def test_a_file_that_was_there_before_stays_when_storing_fails(monkeypatch):
    def fail(plan, quiz):
        raise DatabaseError("disk full")

    files.store({PDF.name: PDF.data})
    monkeypatch.setattr(storing, "_store_places", fail)
    with pytest.raises(DatabaseError):
        exchange.load(quiz(), files={PDF.name: PDF.data})
    assert files.read(PDF.name) == PDF.data


# Others at the same time --------------------------------------------------------------------------------------


def raced(times, monkeypatch):
    """The first so many times another import stores a row of the same key first."""
    store, calls = loading.store, []

    def meet(plan):
        calls.append(plan)
        if len(calls) <= times:
            raise IntegrityError("somebody was faster")
        return store(plan)

    monkeypatch.setattr(loading, "store", meet)
    return calls


def test_whoever_was_raced_looks_again(monkeypatch):
    calls = raced(1, monkeypatch)
    assert load(quiz()).quiz == Quiz.objects.get()
    assert len(calls) == 2
    assert calls[0] is not calls[1]


def test_what_fails_again_and_again_is_no_race(monkeypatch):
    raced(5, monkeypatch)
    with pytest.raises(IntegrityError):
        exchange.load(quiz())


def test_what_is_amended_must_read_as_it_was_seen():
    row = load(quiz()).quiz
    there = exchange.dump(row)
    change(Question.objects.get(key="book/one"), prompt_ar="من المحرر")
    with pytest.raises(exchange.Raced):
        exchange.amend(there, there)
    there = exchange.dump(row)
    change(row, title_en="Meanwhile")
    with pytest.raises(exchange.Raced):
        exchange.amend(there, there)


def test_what_was_amended_counts_as_changed_in_admin():
    row = load(quiz()).quiz
    there = exchange.dump(row)
    filled = question("one", {"en": "Which?", "ar": "أي؟"})
    exchange.amend(replace(there, questions=(placed(filled)[0], there.questions[1])), there)
    assert names(load(NEW).kept) == ["question book/one"]


# Questions alone ----------------------------------------------------------------------------------------------


def test_questions_of_one_namespace_keep_their_keys():
    load(quiz(question("one", tags=("Algebra",)), known_tags=(TagContent(name="Algebra", description={"en": "A"}),)))
    content = exchange.dump_questions(Question.objects.all())
    assert (content.slug, content.namespace) == ("questions", "book")
    assert [one.key for one in content.questions] == ["book/one"]
    assert content.known_guides == (FLOATS,)
    assert content.known_tags[0].name == "Algebra"


def test_questions_of_several_namespaces_get_keys_beside_each_other():
    rows = [make_question(key=key) for key in ("a/one", "b/one", "b/two")]
    content = exchange.dump_questions(rows)
    assert [one.key for one in content.questions] == ["questions/one", "questions/one-2", "questions/two"]
    assert [one.content.key for one in content.questions] == [one.key for one in content.questions]
    assert yaml.parse(yaml.render(content), language="en").quiz == content


def test_questions_are_dumped_in_a_fixed_number_of_queries():
    few, more = [make_question() for _ in range(2)], [make_question() for _ in range(20)]
    assert statements(exchange.dump_questions, few) == statements(exchange.dump_questions, more) == 3


def test_a_whole_dump_writes_out_what_is_shared():
    row = make_quiz(make_question(key="other/shared"))
    assert exchange.dump(row).questions[0].content is None
    assert exchange.dump(row, whole=True).questions[0].content.key == "other/shared"


# What an editor changed ---------------------------------------------------------------------------------------


@pytest.fixture
def edited():
    """A loaded quiz of which an editor changed one question, the guide and the quiz."""
    load(quiz())
    change(Question.objects.get(key="book/one"), prompt_ar="من المحرر")
    change(Guide.objects.get(), title_en="By the editor")
    change(Quiz.objects.get(), pass_mark=55)


NEW = quiz(
    question("one", "New?"),
    question("two", "New two?"),
    title={"en": "New"},
    known_guides=(replace(FLOATS, address="/new/"),),
)


@pytest.mark.usefixtures("edited")
def test_what_an_editor_changed_is_kept_and_told():
    loaded = load(NEW)
    assert names(loaded.kept) == ["guide floats", "question book/one", "quiz quiz"]
    assert names(loaded.updated) == ["question book/two"]
    assert words.of(Question.objects.get(key="book/one"), "prompt") == {"en": "Which?", "ar": "من المحرر"}
    assert Question.objects.get(key="book/two").prompt_en == "New two?"
    assert (Guide.objects.get().title_en, Guide.objects.get().address) == ("By the editor", "/guides/floats/")
    assert (Quiz.objects.get().title_en, Quiz.objects.get().pass_mark) == ("Title", 55)


@pytest.mark.usefixtures("edited")
def test_it_is_kept_the_next_time_too():
    load(NEW)
    before = everything()
    assert names(load(NEW).kept) == ["guide floats", "question book/one", "quiz quiz"]
    assert everything() == before


@pytest.mark.usefixtures("edited")
def test_a_quiz_that_is_kept_keeps_its_list_of_questions():
    loaded = load(replace(NEW, questions=placed(question("three", "Three?"))))
    assert names(loaded.created) == ["question book/three"]
    assert loaded.removed == ()
    row = Quiz.objects.get()
    assert [place.question.key for place in row.places.all()] == ["book/one", "book/two"]


@pytest.mark.usefixtures("edited")
def test_force_overwrites_it():
    loaded = load(NEW, force=True)
    assert loaded.kept == ()
    assert exchange.dump(Quiz.objects.get()) == NEW
    assert names(load(NEW).unchanged) == ["guide floats", "question book/one", "question book/two", "quiz quiz"]


@pytest.mark.usefixtures("edited")
def test_a_change_that_was_taken_back_is_no_change():
    change(Question.objects.get(key="book/one"), prompt_ar="")
    assert "question book/one" in names(load(NEW).updated)


def test_a_change_that_reached_the_file_is_no_change():
    """Exported after the edit and imported again: from now on the file is followed."""
    load(quiz())
    change(Question.objects.get(key="book/one"), prompt_en="Edited?")
    exported = exchange.dump(Quiz.objects.get())
    assert "question book/one" in names(load(exported).unchanged)
    assert "question book/one" in names(load(NEW).updated)


def test_saving_a_form_unchanged_is_no_change():
    """A browser sends line breaks as CR LF, and forms keep an empty text as '' or NULL."""
    load(quiz(question("one", "Line\n\nline")))
    change(Question.objects.get(), prompt_en="Line\r\n\r\nline", prompt_ar=None, explanation_ar="")
    assert "question book/one" in names(load(quiz(question("one", "New?"))).updated)


def test_a_changed_choice_or_publication_counts_as_changed():
    load(quiz())
    change(Choice.objects.filter(question__key="book/one").first(), feedback_en="By the editor")
    QuizLanguage.objects.filter(language="ar").delete()
    assert names(load(NEW).kept) == ["question book/one", "quiz quiz"]
    assert Quiz.objects.get().published_languages == ["en"]


def test_a_question_written_in_admin_is_not_overwritten_by_its_key():
    make_question(key="book/one", prompt="By the editor")
    assert names(load(quiz()).kept) == ["question book/one"]
    assert Question.objects.get(key="book/one").prompt_en == "By the editor"


def test_an_archived_quiz_stays_archived():
    load(quiz())
    change(Quiz.objects.get(), archived=True)
    load(NEW)
    assert Quiz.objects.get().archived


# Errors -------------------------------------------------------------------------------------------------------


def test_a_guide_that_is_nowhere_is_an_error():
    assert refused(quiz(known_guides=())) == [("guide", "floats")]
    make_guide()
    load(quiz(known_guides=()))


def test_a_question_to_use_must_exist():
    missing = PlacedQuestion(key="other/none")
    assert refused(quiz(questions=(*placed(question("one")), missing))) == [("question", "other/none")]


def test_a_slug_of_another_namespace_is_an_error():
    make_quiz(slug="quiz", count=1)
    assert refused(quiz()) == [("quiz", "quiz")]


def test_a_slug_that_is_another_page_is_an_error():
    assert refused(quiz(slug="mine")) == [("quiz", "mine")]


def test_a_key_of_a_question_in_another_quiz_is_an_error():
    load(quiz())
    other = quiz(question("one", "Quite another?"), slug="second")
    assert refused(other) == [("question", "book/one")]
    load(quiz(question("one"), slug="second"))


def test_all_errors_are_told():
    missing = (PlacedQuestion(key="a/b"), PlacedQuestion(key="a/c"))
    assert refused(quiz(questions=missing, known_guides=())) == [
        ("question", "a/b"),
        ("question", "a/c"),
        ("guide", "floats"),
    ]


def test_a_question_that_cannot_be_asked_is_an_error():
    """Whatever format it came from; the error in the last question keeps all the others out too."""
    wrong = ChoiceContent(key="a", text={"en": "Only one"})
    assert refused(quiz(question("one"), question("two", choices=(wrong,)))) == [("question", "book/two")]


def test_a_key_given_twice_is_an_error():
    twice = tuple(replace(choice, key="a") for choice in question("one").choices)
    assert refused(quiz(question("one", choices=twice))) == [("question", "book/one")]
    assert refused(quiz(question("one"), question("one"))) == [("question", "book/one")]


@pytest.mark.parametrize(
    "unstorable",
    [
        {"settings": {"x": "\ud800"}},
        {"settings": {"feedback": {"wrong": {"en": "a\0"}}}},
        {"settings": {"\udfff": 1}},
        {"settings": {"x": 10**400}},
        {"explanation": {"en": "half a pair: \ud83d"}},
    ],
)
def test_what_not_every_database_keeps_is_an_error(unstorable):
    load(quiz(question("two")))
    assert refused(quiz(question("one", **unstorable), question("two"))) == [("question", "book/one")]


def test_a_failure_of_the_database_stores_nothing(monkeypatch):
    def fail(plan, quiz):
        raise DatabaseError("disk full")

    monkeypatch.setattr(storing, "_store_places", fail)
    before = everything()
    with pytest.raises(DatabaseError):
        exchange.load(quiz())
    assert everything() == before


def test_a_dry_run_tells_the_same_and_stores_nothing():
    before = everything()
    dry = exchange.load(quiz(), dry_run=True)
    assert everything() == before
    assert dry.quiz is None
    assert dry.created == load(quiz()).created
    before = everything()
    assert names(exchange.load(NEW, dry_run=True).updated) == [
        "guide floats",
        "question book/one",
        "question book/two",
        "quiz quiz",
    ]
    assert everything() == before


# Queries ------------------------------------------------------------------------------------------------------


def statements(call, *args, **kwargs):
    with CaptureQueriesContext(connection) as found:
        call(*args, **kwargs)
    return sum("SAVEPOINT" not in query["sql"] for query in found)


def many(count, prompt="Number", *, slug="quiz"):
    contents = [question(f"{slug}{number}", f"{prompt} {number}?") for number in range(count)]
    return quiz(*contents, slug=slug)


def test_the_number_of_queries_does_not_grow_with_the_questions():
    load(quiz(slug="first"))

    def counts(count, slug):
        contents = [many(count, slug=slug), many(count, slug=slug), many(count, "New", slug=slug)]
        return [statements(load, content, force=True) for content in contents]

    few, more = counts(2, "few"), counts(20, "more")
    assert few[1] == more[1] <= 12
    assert few[0] <= more[0] <= few[0] + 3  # batches
    assert few[2] <= more[2] <= few[2] + 6
    assert max(few) <= 30


def test_a_dump_takes_a_fixed_number_of_queries():
    few, more = load(many(2)).quiz, load(many(20, slug="more")).quiz
    assert statements(exchange.dump, few) == statements(exchange.dump, more) <= 8


def test_the_digest_of_an_import_is_that_of_the_row():
    content = quiz(pass_mark=Decimal("70.00"))
    load(content)
    row = Question.objects.get(key="book/one")
    assert row.imported == row.written().digest
    assert Quiz.objects.get().imported == digest(content.to_json())


def test_more_than_one_batch_is_stored_updated_and_dumped_whole(monkeypatch):
    monkeypatch.setattr(batches, "ROWS", 3)
    monkeypatch.setattr(batches, "CHANGED_ROWS", 2)
    monkeypatch.setattr(batches.batches, "__defaults__", (3,))
    for content in (many(8), many(8, "New"), replace(many(5, "New"), title={"en": "Fewer"})):
        assert exchange.dump(load(content).quiz) == content
