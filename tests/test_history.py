"""What a question was: when it is recorded, what differs between two states, and bringing one back."""

from dataclasses import replace
from decimal import Decimal

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mpquiz import exchange, history
from mpquiz.content import ChoiceContent, GuideContent, PlacedQuestion, QuestionContent, QuizContent
from mpquiz.exceptions import Refusal
from mpquiz.files import SCHEME
from mpquiz.history import Change, Piece, differences
from mpquiz.history.comparing import pieces
from mpquiz.learners import Learner
from mpquiz.models import Attempt, PendingImport, Question, Revision
from mpquiz.models.importing import _referred
from tests.factories import make_guide, make_question, make_quiz, make_tag, make_user
from tests.patience import patience


def asked(*choices, prompt="Which?", **fields):
    choices = choices or (("a", "Right", True), ("b", "Wrong", False))
    rows = tuple(ChoiceContent(key=key, text={"en": text}, right=right) for key, text, right in choices)
    return QuestionContent(key="site/q", kind="single", prompt={"en": prompt}, choices=rows, **fields)


# What differs ---------------------------------------------------------------------------------------------------


def told(before, after):
    """(field, choice, language, what, pieces) of each change; what is in both stands as it is."""
    signs = {"same": "{}", "added": "+{}+", "removed": "-{}-"}
    return [
        (one.field, one.choice, one.language, one.what, "".join(signs[p.what].format(p.text) for p in one.pieces))
        for one in differences(before, after)
    ]


def test_equal_contents_do_not_differ():
    content = asked(title={"en": "T"}, tags=("b", "a"), settings={"keep_order": True})
    assert differences(content, replace(content, tags=("a", "b"), title={"en": " T "})) == []


def test_a_text_differs_by_its_words_and_in_its_language():
    before = replace(asked(), prompt={"en": "Which is right?", "ar": "أيها صواب؟"})
    after = replace(asked(), prompt={"en": "Which one is right?", "ar": "أيها هو الصواب؟"})
    assert told(before, after) == [
        ("prompt", None, "ar", "same", "أيها -صواب-+هو الصواب+؟"),
        ("prompt", None, "en", "same", "Which +one +is right?"),
    ]


def test_a_text_that_came_or_went_is_told_as_a_whole():
    before = asked(explanation={"en": "Because."})
    after = asked(explanation={"ar": "لأنه كذلك."})
    assert told(before, after) == [
        ("explanation", None, "ar", "added", "+لأنه كذلك.+"),
        ("explanation", None, "en", "removed", "-Because.-"),
    ]


def test_choices_are_told_apart_by_their_keys():
    before = asked(("a", "One", True), ("b", "Two", False), ("c", "Three", False))
    after = asked(("b", "Two", True), ("d", "Four", False), ("a", "One", False))
    assert told(before, after) == [
        ("text", 3, "en", "removed", "-Three-"),
        ("right", 1, "", "same", "-false-+true+"),
        ("text", 2, "en", "added", "+Four+"),
        ("right", 3, "", "same", "-true-+false+"),
        ("order", None, "", "same", "-1 2-+2 1+"),
    ]


def test_all_that_a_choice_holds_is_compared():
    one = ChoiceContent(key="a")
    other = ChoiceContent(
        key="a",
        text={"en": "T"},
        match={"en": "M"},
        feedback={"en": "F"},
        right=True,
        weight=Decimal("0.5"),
        value="3",
        part="1",
        keeps_place=True,
    )
    fields = ["text", "match", "right", "weight", "value", "part", "keeps_place", "feedback"]
    before, after = replace(asked(), choices=(one,)), replace(asked(), choices=(other,))
    assert [change.field for change in differences(before, after)] == fields
    assert [change.field for change in differences(after, before)] == fields


def test_a_choice_that_holds_nothing_is_told_all_the_same():
    before, after = replace(asked(), choices=()), replace(asked(), choices=(ChoiceContent(key="a"),))
    assert differences(before, after) == [Change("text", (), "added", 1)]


def test_kind_tags_guides_and_settings_are_compared():
    before = asked(tags=("a", "b"), guides=("floats",), settings={"keep_order": True, "lines": 3})
    after = replace(
        before,
        kind="multiple",
        tags=("b", "c"),
        guides=(),
        settings={"lines": 4, "notes": {"en": "Look."}, "feedback": {"right": {"en": "Well done."}}},
    )
    assert told(before, after) == [
        ("kind", None, "", "same", "-single-+multiple+"),
        ("settings.feedback.right", None, "en", "added", "+Well done.+"),
        ("settings.notes", None, "en", "added", "+Look.+"),
        ("settings.keep_order", None, "", "same", "-true-"),
        ("settings.lines", None, "", "same", "-3-+4+"),
        ("guides", None, "", "same", "-floats-"),
        ("tags", None, "", "same", "-a-+c+"),
    ]


@pytest.mark.parametrize(("was", "now"), [("", "a b"), ("a b", ""), ("a\n b", "a b"), ("أ ب ج", "أ د ج"), ("x", "x")])
def test_pieces_make_up_both_texts(was, now):
    found = pieces(was, now)
    assert "".join(one.text for one in found if one.what != "added") == was
    assert "".join(one.text for one in found if one.what != "removed") == now


def test_words_are_never_parted():
    assert pieces("كتابه", "كتابها") == (Piece("كتابه", "removed"), Piece("كتابها", "added"))


def test_two_long_texts_are_not_compared_word_with_word():
    was, now = "a b " * 50_000, "b a " * 50_000
    with patience():
        found = pieces(f"Begin {was}", f"Begin {now}")
    assert found[0] == Piece("Begin ", "same")


def test_the_middle_of_what_is_in_both_is_left_out():
    long = Piece("word " * 100, "same")
    assert len(long.short) < 130
    assert replace(long, what="added").short == long.text


# Recording ------------------------------------------------------------------------------------------------------


def states(question):
    """(source, who, prompt) of each, oldest first."""
    rows = Revision.objects.of(question).order_by("pk").select_related("by")
    return [(row.source, row.by and row.by.username, row.written.prompt.get("en")) for row in rows]


@pytest.mark.django_db
def test_a_state_is_recorded_once():
    question, user = make_question(), make_user()
    history.record(question, by=user)
    history.record(question, by=user)
    assert states(question) == [("edited", "amal", "Which is right?")]
    assert Revision.objects.get().written == question.written()
    assert Revision.objects.get().digest == question.written().digest


@pytest.mark.django_db
def test_what_was_before_is_kept_with_its_time():
    question = make_question()
    history.keep_found(question)
    history.keep_found(question)
    [found] = Revision.objects.of(question)
    assert (found.source, found.by, found.at) == ("found", None, question.updated_at)


@pytest.mark.django_db
def test_what_another_program_wrote_is_found():
    question = make_question()
    history.record(question)
    Question.objects.update(prompt_en="Otherwise?")
    history.keep_found(question)
    assert states(question) == [("edited", None, "Which is right?"), ("found", None, "Otherwise?")]


@pytest.mark.django_db
def test_what_is_stored_counts_and_not_the_row_in_hand():
    question = make_question()
    question.prompt_en = "Typed and not stored"
    history.keep_found(question)
    assert states(question) == [("found", None, "Which is right?")]


# Imports --------------------------------------------------------------------------------------------------------


def quiz(*contents):
    placed = tuple(PlacedQuestion(key=one.key, content=one) for one in contents)
    return QuizContent(slug="quiz", namespace="book", title={"en": "Title"}, questions=placed)


def of_book(name, prompt="Which?"):
    return replace(asked(prompt=prompt), key=f"book/{name}")


@pytest.mark.django_db
def test_an_import_records_what_it_made_and_changed():
    user = make_user()
    exchange.load(quiz(of_book("one"), of_book("two")), by=user)
    exchange.load(quiz(of_book("one", "New?"), of_book("two")))
    assert states(Question.objects.get(key="book/one")) == [
        ("imported", "amal", "Which?"),
        ("imported", None, "New?"),
    ]
    assert states(Question.objects.get(key="book/two")) == [("imported", "amal", "Which?")]


@pytest.mark.django_db
def test_an_import_keeps_what_was_there_before():
    exchange.load(quiz(of_book("one")))
    Revision.objects.all().delete()  # as before there was a history
    question = Question.objects.get()
    exchange.load(quiz(of_book("one", "New?")))
    assert states(question) == [("found", None, "Which?"), ("imported", None, "New?")]
    assert Revision.objects.of(question).earliest("pk").at == question.updated_at


@pytest.mark.django_db
def test_an_import_that_fails_or_is_dry_records_nothing():
    exchange.load(quiz(of_book("one")), dry_run=True)
    exchange.load(quiz(replace(of_book("one"), prompt={})))
    assert not Revision.objects.exists()


@pytest.mark.django_db
def test_an_import_takes_as_many_queries_for_many_questions():
    def taken(count, prompt):
        with CaptureQueriesContext(connection) as queries:
            assert not exchange.load(quiz(*(of_book(f"q{n}", prompt) for n in range(count)))).errors
        return len(queries)

    made = taken(60, "Which?")
    Question.objects.all().delete()
    assert taken(2, "Which?") <= made
    Question.objects.all().delete()
    few = [taken(2, "Which?"), Revision.objects.all().delete() and taken(2, "New?")]
    many = [taken(60, "New?"), Revision.objects.all().delete() and taken(60, "Newer?")]
    assert many[1] == few[1]


@pytest.mark.django_db
def test_a_file_that_only_a_state_refers_to_stays():
    name = "0" * 40 + ".png"
    question = make_question(prompt=f"![x]({SCHEME}{name})")
    history.record(question)
    Question.objects.update(prompt_en="No file")
    assert PendingImport.objects.count() == 0
    assert _referred([name]) == {name}


# Bringing back --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_state_comes_back_whole():
    question, user = make_question(guides=[make_guide()]), make_user()
    make_tag("Algebra", question)
    history.record(question)
    was = history.current(question)
    question.choices.filter(key="b").delete()
    question.tags.clear()
    question.guides.clear()
    Question.objects.update(prompt_en="Otherwise?", kind="multiple", settings={"keep_order": True})
    restored = history.restore(Revision.objects.get(), by=user)
    assert restored.is_whole
    assert history.current(question) == was
    assert [one[:2] for one in states(question)] == [("edited", None), ("found", None), ("restored", "amal")]


@pytest.mark.django_db
def test_choices_keep_their_rows_by_key():
    question = make_question()
    history.record(question)
    ids = dict(question.choices.values_list("key", "pk"))
    question.choices.update(text_en="Changed")
    history.restore(Revision.objects.get(), by=None)
    assert dict(question.choices.values_list("key", "pk")) == ids


@pytest.mark.django_db
def test_attempts_and_their_marks_stay_as_they_were():
    question = make_question()
    attempt = Attempt.objects.start(make_quiz(question), Learner(user=make_user()))
    attempt.answer(1, 1)
    answer = attempt.answers.get()
    before = (answer.given, answer.fraction, answer.content, attempt.score)
    history.record(question)
    question.choices.filter(key="a").delete()
    question.choices.filter(key="b").update(right=True)
    history.record(question)
    history.restore(Revision.objects.earliest("pk"), by=None)
    attempt.refresh_from_db()
    answer = attempt.answers.get()
    assert (answer.given, answer.fraction, answer.content, attempt.score) == before
    assert question.choices.get(key="a").right


@pytest.mark.django_db
def test_an_import_and_then_the_state_before_it():
    exchange.load(quiz(of_book("one")))
    exchange.load(quiz(of_book("one", "New?")))
    question = Question.objects.get()
    history.restore(Revision.objects.of(question).earliest("pk"), by=None)
    assert states(question)[-1] == ("restored", None, "Which?")
    kept = exchange.load(quiz(of_book("one", "Newer?"))).kept
    assert [item.name for item in kept] == ["book/one"]


@pytest.mark.django_db
def test_what_is_gone_is_left_out_and_told():
    guide = make_guide()
    question = make_question(guides=[guide])
    tag = make_tag("Algebra", question)
    content = replace(history.current(question), prompt={"en": "Which?", "xx": "Hm?"})
    Revision.objects.record({question.pk: content})
    guide.delete()
    tag.delete()
    restored = history.restore(Revision.objects.get(), by=None)
    assert (restored.guides, restored.tags, restored.languages) == (("floats",), ("Algebra",), ("xx",))
    now = history.current(question)
    assert (now.prompt, now.guides, now.tags) == ({"en": "Which?"}, (), ())


@pytest.mark.django_db
def test_a_tag_by_another_spelling_is_the_tag():
    question = make_question()
    tag = make_tag("Algebra", question)
    history.record(question)
    tag.name = "ALGEBRA"
    tag.save()
    question.tags.clear()
    assert history.restore(Revision.objects.get(), by=None).is_whole
    assert history.current(question).tags == ("ALGEBRA",)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "broken", [{"kind": "of-a-host-that-was"}, {"choices": ()}, {"prompt": {"xx": "Only in a language that is gone"}}]
)
def test_what_cannot_be_asked_is_refused_and_changes_nothing(broken):
    question = make_question()
    before = history.current(question)
    Revision.objects.record({question.pk: replace(before, **broken)})
    with pytest.raises(Refusal) as refused:
        history.restore(Revision.objects.get(), by=None)
    assert refused.value.code == "unsound"
    assert history.current(question) == before
    assert Revision.objects.count() == 1


@pytest.mark.django_db
def test_what_was_changed_since_it_was_looked_at_is_refused():
    question = make_question()
    history.record(question)
    Question.objects.update(prompt_en="One")
    seen = history.current(question).digest
    Question.objects.update(prompt_en="Other")
    with pytest.raises(Refusal) as refused:
        history.restore(Revision.objects.get(), by=None, expected=seen)
    assert refused.value.code == "changed"
    assert history.current(question).prompt == {"en": "Other"}


@pytest.mark.django_db
def test_a_question_that_was_deleted_is_told():
    question = make_question()
    history.record(question)
    revision = Revision.objects.get()
    Question.objects.all().delete()
    with pytest.raises(Refusal) as refused:
        history.restore(revision, by=None)
    assert refused.value.code == "changed"


@pytest.mark.django_db
def test_what_it_is_already_is_not_recorded_again():
    question = make_question()
    history.record(question)
    history.restore(Revision.objects.get(), by=None)
    assert len(states(question)) == 1


@pytest.mark.django_db
def test_the_host_that_lost_a_guide_described_nowhere_gets_none():
    """A guide that is gone is not made anew from its slug."""
    known = (GuideContent(slug="floats", title={"en": "Floats"}, address="/floats/"),)
    exchange.load(replace(quiz(replace(of_book("one"), guides=("floats",))), known_guides=known))
    question = Question.objects.get()
    question.guides.all().delete()
    history.restore(Revision.objects.of(question).earliest("pk"), by=None)
    assert not question.guides.exists()
