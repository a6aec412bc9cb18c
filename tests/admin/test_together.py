"""Two editors at one page: what the other has changed meanwhile stays, and nobody's words are overwritten unseen."""

import json
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.messages import get_messages
from django.urls import reverse

from mpquiz.admin.together import digest
from mpquiz.models import Choice, Question, Quiz
from tests.admin.conftest import Opened, errors_of
from tests.factories import make_guide, make_question, make_quiz, make_tag

pytestmark = pytest.mark.django_db


def said(page):
    return [str(message) for message in get_messages(page.wsgi_request)]


@pytest.fixture
def question():
    return make_question(
        {"text": {"en": "One", "ar": "واحد"}, "right": True}, {"text": {"en": "Two"}}, prompt={"en": "How many?"}
    )


# Fields ------------------------------------------------------------------------------------------------------------


def test_the_other_language_that_somebody_has_written_meanwhile_stays(admin, question):
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(prompt_ar="كم عددها؟")
    assert page.save(prompt_en="How many are there?").status_code == 302
    question.refresh_from_db()
    assert (question.prompt_en, question.prompt_ar) == ("How many are there?", "كم عددها؟")


def test_what_stays_is_told_by_its_name(admin, question):
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(prompt_ar="كم عددها؟")
    Choice.objects.filter(question=question, text_en="Two").update(text_ar="اثنان")
    told = said(page.save(prompt_en="How many are there?"))
    assert [one for one in told if one.startswith("Somebody else has changed this meanwhile, and it stays:")] == [
        "Somebody else has changed this meanwhile, and it stays: Prompt (العربيّة) · "
        '<bdi dir="auto">Two</bdi>: Text (العربيّة)'
    ]
    assert Choice.objects.get(question=question, text_en="Two").text_ar == "اثنان"


def test_nothing_is_told_where_nobody_else_was_there(admin, question):
    assert not any("Somebody" in one for one in said(Opened(admin, "question", question).save(prompt_en="How?")))


def test_what_both_have_changed_is_refused_with_what_it_reads_now_and_both_are_kept(admin, question):
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(prompt_en="How many, then?")
    answer = page.save(prompt_en="How many are there?", explanation_en="Count them.")
    told = (
        "Somebody has changed this meanwhile to: \u2068How many, then?\u2069. Save again to put yours in its place."
    )
    assert errors_of(answer) == {"prompt_en": [told]}
    assert page.sent["prompt_en"] == "How many are there?"
    question.refresh_from_db()
    assert (question.prompt_en, question.explanation_en) == ("How many, then?", "Because it is.")


def test_sent_again_the_editor_s_own_takes_its_place(admin, question):
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(prompt_en="How many, then?", prompt_ar="كم عددها؟")
    assert page.save(prompt_en="How many are there?").status_code == 200
    assert page.save().status_code == 302
    question.refresh_from_db()
    assert (question.prompt_en, question.prompt_ar) == ("How many are there?", "كم عددها؟")


def test_a_third_change_is_told_again(admin, question):
    page = Opened(admin, "question", question)
    for meanwhile in ("How many, then?", "How many now?"):
        Question.objects.filter(pk=question.pk).update(prompt_en=meanwhile)
        assert meanwhile in str(errors_of(page.save(prompt_en="How many are there?")))


def test_what_both_have_changed_alike_is_nothing_to_tell(admin, question):
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(prompt_en="How many are there?")
    assert page.save(prompt_en="How many are there?\r\n").status_code == 302


def test_a_text_that_was_emptied_meanwhile_is_told(admin, question):
    Question.objects.filter(pk=question.pk).update(explanation_en="Two.")
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(explanation_en="")
    [told] = errors_of(page.save(explanation_en="Two of them."))["explanation_en"]
    assert told == "Somebody has emptied this meanwhile. Save again to put yours in its place."


def test_a_choice_that_both_have_changed_is_refused_at_its_field(admin, question):
    page = Opened(admin, "question", question)
    Choice.objects.filter(question=question, text_en="Two").update(text_en="2")
    assert list(errors_of(page.save(choices__1__text_en="Three"))) == ["choices-1-text_en"]
    assert page.save().status_code == 302
    assert list(question.choices.values_list("text_en", flat=True)) == ["One", "Three"]


def test_the_right_answer_that_somebody_has_moved_meanwhile_stays_there(admin, question):
    page = Opened(admin, "question", question)
    question.choices.filter(text_en="One").update(right=False)
    question.choices.filter(text_en="Two").update(right=True)
    assert page.save(prompt_en="How many are there?").status_code == 302
    assert list(question.choices.values_list("text_en", "right")) == [("One", False), ("Two", True)]


def test_a_question_that_is_unsound_as_both_have_it_is_refused(admin, question):
    page = Opened(admin, "question", question)
    question.choices.filter(text_en="Two").update(right=True)
    question.choices.filter(text_en="One").update(right=False)
    page.sent.pop("choices-0-right")  # this editor takes the tick away, too, and gives it to no other
    answer = page.save(kind="single", choices__0__right=None)
    assert answer.status_code == 302
    assert list(question.choices.values_list("right", flat=True)) == [False, True]


def test_guides_and_tags_that_somebody_has_given_meanwhile_stay(admin, question):
    page = Opened(admin, "question", question)
    question.guides.add(make_guide())
    question.tags.add(make_tag("Sums"))
    assert page.save(prompt_en="How many are there?").status_code == 302
    assert (question.guides.count(), question.tags.count()) == (1, 1)


def test_settings_that_somebody_has_changed_meanwhile_stay(admin, question):
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(settings={"keep_order": True})
    assert page.save(prompt_en="How many are there?").status_code == 302
    question.refresh_from_db()
    assert question.settings == {"keep_order": True}


def test_a_quiz_that_was_published_meanwhile_stays_so_and_keeps_its_rules(admin, question):
    quiz = make_quiz(question, published=())
    page = Opened(admin, "quiz", quiz)
    quiz.publish(["en"])
    Quiz.objects.filter(pk=quiz.pk).update(
        pass_mark=Decimal(80), opens_at=datetime(2026, 1, 2, 3, 4, 5, 678, tzinfo=UTC), shuffle_choices=True
    )
    assert page.save(title_en="Renamed").status_code == 302
    quiz = Quiz.objects.get(pk=quiz.pk)
    assert (quiz.title_en, quiz.published_languages, quiz.pass_mark) == ("Renamed", ["en"], 80)
    assert quiz.opens_at == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert quiz.shuffle_choices


@pytest.mark.parametrize(("model", "field"), [("guide", "title_en"), ("tag", "name")])
def test_guides_and_tags_are_guarded_too(admin, model, field):
    row = make_guide() if model == "guide" else make_tag("Sums")
    page = Opened(admin, model, row)
    type(row).objects.filter(pk=row.pk).update(**{field: "Theirs"})
    assert list(errors_of(page.save(**{field: "Mine"}))) == [field]
    assert page.save().status_code == 302
    row.refresh_from_db()
    assert getattr(row, field) == "Mine"


def test_what_stays_is_not_told_as_changed_in_the_history(admin, question):
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(prompt_ar="كم عددها؟")
    page.save(title_en="Counting")
    assert json.loads(LogEntry.objects.latest("pk").change_message) == [{"changed": {"fields": ["Title (English)"]}}]


# Rows --------------------------------------------------------------------------------------------------------------


TORN = "Somebody has added, deleted or moved rows here meanwhile. What you typed is still on this page."


@pytest.mark.parametrize("what", ["added", "deleted", "moved"])
def test_choices_that_were_added_deleted_or_moved_meanwhile_are_told_and_nothing_is_stored(admin, what):
    question = make_question(("One", True), "Two", "Three", prompt="How many?")
    page = Opened(admin, "question", question)
    if what == "added":
        question.choices.create(text_en="Four", place=4)
    elif what == "deleted":
        question.choices.filter(text_en="Three").delete()
    else:
        question.choices.filter(text_en="One").update(place=9)
    before = list(question.choices.values_list("text_en", "place"))
    answer = page.save(prompt_en="How many are there?", choices__1__text_en="Twenty")
    assert TORN in str(answer.context_data["inline_admin_formsets"][0].formset.non_form_errors())
    assert 'href="" target="_blank"' in answer.content.decode()
    assert (page.sent["prompt_en"], page.sent["choices-1-text_en"]) == ("How many are there?", "Twenty")
    question.refresh_from_db()
    assert question.prompt_en == "How many?"
    assert list(question.choices.values_list("text_en", "place")) == before


def test_a_choice_that_was_changed_meanwhile_is_deleted_once_the_editor_knows(admin):
    question = make_question(("One", True), "Two", "Three", prompt="How many?")
    page = Opened(admin, "question", question)
    question.choices.filter(text_en="Three").update(text_en="Thirty")
    answer = page.save(choices__2__DELETE="on")
    [told] = answer.context_data["inline_admin_formsets"][0].formset.non_form_errors()
    assert (
        told == "Somebody has changed what you delete here: \u2068Thirty\u2069. Save again to delete it all the same."
    )
    assert question.choices.count() == 3
    assert page.save(choices__2__DELETE="on").status_code == 302
    assert list(question.choices.values_list("text_en", flat=True)) == ["One", "Two"]


def test_a_question_that_was_put_into_the_quiz_meanwhile_stays_at_its_end(admin):
    first, second, third, new = (make_question(prompt=name) for name in ("1", "2", "3", "new"))
    quiz = make_quiz(first, second)
    page = Opened(admin, "quiz", quiz)
    quiz.append([third])
    assert page.save(places__0__place="5", places__2__question=str(new.pk), places__2__place="6").status_code == 302
    assert list(quiz.places.values_list("question__prompt_en", "place")) == [("2", 1), ("1", 2), ("new", 3), ("3", 4)]


def test_a_question_that_both_have_put_into_the_quiz_is_refused_at_its_row(admin, question):
    quiz = make_quiz(make_question(prompt="Which?"))
    page = Opened(admin, "quiz", quiz)
    quiz.append([question])
    answer = page.save(places__1__question=str(question.pk))
    assert "The question is in this quiz already." in str(errors_of(answer))
    assert quiz.places.count() == 2


def test_questions_that_were_moved_meanwhile_are_told(admin):
    quiz = make_quiz(make_question(prompt="1"), make_question(prompt="2"))
    page = Opened(admin, "quiz", quiz)
    quiz.places.filter(question__prompt_en="1").update(place=7)
    assert TORN in page.save(title_en="Renamed").content.decode()


def test_points_that_somebody_has_given_meanwhile_stay(admin, question):
    quiz = make_quiz(question)
    page = Opened(admin, "quiz", quiz)
    quiz.places.update(points=3)
    assert page.save(title_en="Renamed").status_code == 302
    assert quiz.places.get().points == 3


# What is sent ------------------------------------------------------------------------------------------------------


def test_a_form_that_is_sent_by_hand_is_taken_as_it_is(admin, question):
    page = Opened(admin, "question", question)
    for name in ("seen_when_read", "choices-SEEN"):
        page.sent.pop(name)
    Question.objects.filter(pk=question.pk).update(prompt_ar="كم؟", prompt_en="Theirs")
    assert page.save(prompt_en="Mine").status_code == 302
    question.refresh_from_db()
    assert (question.prompt_en, question.prompt_ar or "") == ("Mine", "")


@pytest.mark.parametrize("sent", ["[]", "{", '{"prompt_en": 5, "kind": []}', '"x"', "[" * 100_000, '{"7": 1}'])
def test_digests_that_are_none_of_ours_guard_nothing_and_break_nothing(admin, question, sent):
    page = Opened(admin, "question", question)
    assert page.save(seen_when_read=sent, choices__SEEN=sent, prompt_en="").status_code == 200
    assert page.save(seen_when_read=sent, choices__SEEN=sent, prompt_en="Mine?").status_code == 302


def test_digests_say_nothing_that_is_not_on_the_page(admin, question):
    seen = json.loads(Opened(admin, "question", question).sent["seen_when_read"])
    assert set(map(len, seen.values())) == {12}


def test_whoever_may_only_look_gets_none(staff, question):
    html = staff("view_question").page("question", question).content.decode()
    assert "How many?" in html
    assert "seen_when_read" not in html


def test_a_preview_shows_what_the_editor_writes_though_another_has_changed_it(admin, question):
    page = Opened(admin, "question", question)
    Question.objects.filter(pk=question.pk).update(prompt_en="Theirs")
    data = {name: value for name, value in page.sent.items() if value is not None and value is not False}
    address = f"{reverse('admin:mpquiz_question_preview')}?question={question.pk}"
    html = admin.client.post(address, data | {"prompt_en": "Mine, now?"}).content.decode()
    assert "Mine, now?" in html


@pytest.mark.parametrize(
    ("stored", "sent"),
    [
        (None, ""),
        (False, None),
        ("a\nb", " a\r\nb "),
        (Decimal("1.50"), Decimal("1.5")),
        (Decimal(100), Decimal("1E+2")),
        (datetime(2026, 1, 1, 3, tzinfo=UTC), datetime.fromisoformat("2026-01-01T06:00:00+03:00")),
        (["ar", "en"], ("en", "ar")),
        ({"a": 1, "b": [2]}, {"b": [2], "a": 1}),
    ],
)
def test_what_is_stored_and_what_is_sent_back_unchanged_have_one_digest(stored, sent):
    assert digest(stored) == digest(sent)


def test_other_values_have_other_digests():
    values = ["", "a", "b", "a b", 0, 1, 2, Decimal("2.5"), [1, 2], {"a": 1}, datetime(2026, 1, 1, tzinfo=UTC)]
    assert len({digest(value) for value in values}) == len(values)
