"""The history of a question in admin: what saving records, what the pages tell, and bringing a state back."""

import re

import pytest
from django.contrib.admin.models import LogEntry

from mpquiz import history
from mpquiz.learners import Learner
from mpquiz.models import Attempt, Question, Revision
from tests.admin.conftest import told
from tests.factories import make_guide, make_question, make_quiz, make_tag, make_user

pytestmark = pytest.mark.django_db


def page_of(editor, question, **query):
    return editor.client.get(editor.address("question", question, view="history"), query)


def restore_address(editor, revision):
    base = editor.address("question", revision.question, view="history")
    return f"{base}{revision.pk}/"


def bring_back(editor, revision, **sent):
    address = restore_address(editor, revision)
    page = editor.client.get(address)
    return editor.client.post(address, {"seen": page.context_data["seen"], **sent})


def sources(question):
    return [row.source for row in Revision.objects.of(question).order_by("pk")]


def changed(question, *prompts):
    """A question that had each of these prompts, one after the other."""
    for prompt in prompts:
        Question.objects.filter(pk=question.pk).update(prompt_en=prompt)
        history.record(question)
    return question


# Recording ------------------------------------------------------------------------------------------------------


def test_saving_records_what_was_and_what_is(admin):
    question = make_question()
    admin.save("question", question, prompt_en="How many?", choices__1__text_en="Two")
    was, now = Revision.objects.of(question).order_by("pk")
    assert (was.source, was.by) == ("found", None)
    assert (now.source, now.by.username) == ("edited", "admin")
    assert was.written.prompt == {"en": "Which is right?"}
    assert now.written.prompt == {"en": "How many?"}
    assert [choice.text["en"] for choice in now.written.choices] == ["Right", "Two", "Worse"]
    assert now.written == Question.objects.get().written()


def test_choices_tags_and_guides_alone_are_recorded(admin):
    question, guide, tag = make_question(), make_guide(), make_tag("Algebra")
    admin.save("question", question, choices__2__DELETE="on")
    admin.save("question", question, guides=[guide.pk])
    admin.save("question", question, tags=[tag.pk])
    contents = [row.written for row in Revision.objects.of(question).order_by("pk")]
    assert [(len(one.choices), one.guides, one.tags) for one in contents] == [
        (3, (), ()),
        (2, (), ()),
        (2, ("floats",), ()),
        (2, ("floats",), ("Algebra",)),
    ]


def test_a_new_question_is_recorded(admin):
    typed = {"choices__0__text_en": "One", "choices__0__right": "on", "choices__1__text_en": "Two"}
    admin.save("question", prompt_en="How many?", **typed)
    assert sources(Question.objects.get()) == ["edited"]


def test_saving_what_it_is_already_adds_nothing(admin):
    question = make_question()
    admin.save("question", question, prompt_en="How many?")
    admin.save("question", question)
    assert sources(question) == ["found", "edited"]


def test_what_is_refused_is_not_recorded(admin):
    question = make_question()
    admin.save("question", question, prompt_en="")
    assert sources(question) == []


def test_of_two_editors_at_once_both_are_told(admin):
    """Both have the page of the same state; the second one's texts hold, and the first one's can be brought back."""
    question = make_question()
    admin.save("question", question, prompt_en="The first one's?")
    admin.save("question", question, prompt_en="The second one's?")
    prompts = [row.written.prompt["en"] for row in Revision.objects.of(question).order_by("pk")]
    assert prompts == ["Which is right?", "The first one's?", "The second one's?"]


def test_saving_takes_as_many_queries_for_many_states(admin, query_count):
    question = changed(make_question(), "One?")
    few = query_count(lambda: admin.save("question", question, prompt_en="Two?"), 302)
    changed(question, *(f"Number {number}?" for number in range(20)))
    assert query_count(lambda: admin.save("question", question, prompt_en="Three?"), 302) == few


# The page -------------------------------------------------------------------------------------------------------


def test_the_page_tells_what_each_state_changed(admin):
    question = changed(make_question(), "Which is right?", "Which one is right?")
    page = page_of(admin, question)
    html = page.content.decode()
    assert re.search(r'<ins><span class="mpquiz-unseen"[^>]*>added: </span>one </ins>', html)
    assert '<dd lang="en" dir="ltr">' in html
    assert "The first state that was recorded." in html
    assert [state.is_now for state in page.context_data["states"]] == [True, False]
    assert html.count("/history/") >= 1


def test_texts_have_their_own_language_and_direction(admin):
    question = make_question(prompt={"ar": "كم عددها؟"})
    history.record(question)
    Question.objects.update(prompt_ar="كم عدد الأسطر؟")
    history.record(question)
    assert '<dd lang="ar" dir="rtl">' in page_of(admin, question).content.decode()


def test_what_was_written_is_escaped(admin):
    question = changed(make_question(), "One", "<script>alert(1)</script>")
    assert "<script>alert" not in page_of(admin, question).content.decode()


def test_a_question_without_states_says_so(admin):
    assert "No state of this question was recorded yet" in page_of(admin, make_question()).content.decode()


def test_what_was_changed_unrecorded_is_said(admin):
    question = changed(make_question(), "One?")
    assert "in a way that is not recorded" not in page_of(admin, question).content.decode()
    Question.objects.update(prompt_en="Otherwise?")
    assert "in a way that is not recorded" in page_of(admin, question).content.decode()


def test_the_log_of_admin_stays(admin):
    question = make_question()
    admin.save("question", question, prompt_en="How many?")
    assert LogEntry.objects.count() == 1
    assert LogEntry.objects.get().get_change_message() in page_of(admin, question).content.decode()


def test_any_two_are_compared(admin):
    question = changed(make_question(), "One?", "Two?", "Three?")
    first, _second, third = Revision.objects.of(question).order_by("pk")
    for one, other in ((first, third), (third, first)):
        compared = page_of(admin, question, one=one.pk, other=other.pk).context_data["compared"]
        assert (compared["before"], compared["after"]) == (first, third)
        [change] = compared["changes"]
        assert change.pieces == [("removed", "One"), ("added", "Three"), ("same", "?")]


def test_two_that_are_none_are_not_compared(admin):
    question, other = changed(make_question(), "One?"), changed(make_question(), "Two?")
    [mine], [its] = Revision.objects.of(question), Revision.objects.of(other)
    for one, two in ((mine.pk, its.pk), (mine.pk, mine.pk), ("x", mine.pk), ("²", "1"), ("9" * 40, mine.pk)):
        assert page_of(admin, question, one=one, other=two).context_data["compared"] is None


def test_many_states_are_paged(admin):
    question = changed(make_question(), *(f"Number {number}?" for number in range(25)))
    first, last = page_of(admin, question), page_of(admin, question, page=2)
    assert [len(page.context_data["states"]) for page in (first, last)] == [20, 5]
    assert first.context_data["states"][-1].changes != []
    assert first.context_data["states"][-1].changes is not None
    assert last.context_data["states"][-1].changes is None
    assert "in a way that is not recorded" not in last.content.decode()


def test_the_page_takes_as_many_queries_for_many_states(admin, query_count):
    question, other = changed(make_question(), "One?", "Two?"), make_question()
    changed(other, *(f"Number {number}?" for number in range(45)))
    few = query_count(lambda: page_of(admin, question))
    assert query_count(lambda: page_of(admin, other)) <= few + 1  # the state before the first one of the next page


# Bringing back --------------------------------------------------------------------------------------------------


def test_a_state_is_brought_back_once_it_was_looked_at(admin):
    question = changed(make_question(), "One?", "Two?")
    first = Revision.objects.of(question).earliest("pk")
    page = admin.client.get(restore_address(admin, first))
    assert [change.pieces for change in page.context_data["changes"]] == [
        [("removed", "Two"), ("added", "One"), ("same", "?")]
    ]
    assert "csrfmiddlewaretoken" in page.content.decode()
    answer = bring_back(admin, first)
    assert answer.headers["Location"] == admin.address("question", question)
    assert told(admin, answer) == []
    question.refresh_from_db()
    assert question.prompt_en == "One?"
    last = Revision.objects.of(question).latest("pk")
    assert (last.source, last.by.username) == ("restored", "admin")
    assert LogEntry.objects.get().get_change_message() == "Brought back an earlier state."


def test_looking_changes_nothing(admin):
    question = changed(make_question(), "One?", "Two?")
    admin.client.get(restore_address(admin, Revision.objects.of(question).earliest("pk")))
    question.refresh_from_db()
    assert question.prompt_en == "Two?"
    assert len(sources(question)) == 2


def test_what_it_is_already_is_said(admin):
    question = changed(make_question(), "One?")
    page = admin.client.get(restore_address(admin, Revision.objects.get()))
    assert "already what it was then" in page.content.decode()
    assert sources(question) == ["edited"]


def test_what_changed_meanwhile_is_shown_first(admin):
    question = changed(make_question(), "One?", "Two?")
    first = Revision.objects.of(question).earliest("pk")
    seen = admin.client.get(restore_address(admin, first)).context_data["seen"]
    changed(question, "Three?")
    answer = admin.client.post(restore_address(admin, first), {"seen": seen})
    assert answer.status_code == 409
    assert "The question was changed meanwhile." in answer.content.decode()
    assert [change.pieces[0] for change in answer.context_data["changes"]] == [("removed", "Three")]
    question.refresh_from_db()
    assert question.prompt_en == "Three?"


def test_without_what_was_seen_nothing_is_brought_back(admin):
    question = changed(make_question(), "One?", "Two?")
    first = Revision.objects.of(question).earliest("pk")
    assert admin.client.post(restore_address(admin, first)).status_code == 409


def test_what_does_not_come_back_is_told_before_and_after(admin):
    guide = make_guide()
    question = changed(make_question(guides=[guide]), "One?", "Two?")
    guide.delete()
    first = Revision.objects.of(question).earliest("pk")
    assert "These guides are gone" in admin.client.get(restore_address(admin, first)).content.decode()
    [lost] = told(admin, bring_back(admin, first))
    assert lost == "These guides are gone, and do not come back: floats."


def test_what_cannot_be_asked_is_refused_in_words(admin):
    question = make_question()
    Revision.objects.record({question.pk: history.current(question)})
    row = Revision.objects.get()
    row.content["choices"] = []
    row.save()
    answer = bring_back(admin, row)
    assert answer.status_code == 409
    assert "Give at least two choices." in answer.content.decode()


def test_attempts_are_reviewed_as_they_were(admin):
    question = make_question()
    user = make_user()
    attempt = Attempt.objects.start(make_quiz(question), Learner(user=user))
    attempt.answer(1, 1)
    admin.save("question", question, choices__0__text_en="Other", prompt_en="Other?")
    bring_back(admin, Revision.objects.of(question).earliest("pk"))
    answer = attempt.answers.get()
    assert answer.content.prompt == {"en": "Which is right?"}
    assert answer.fraction == 1
    assert question.choices.get(key="a").text_en == "Right"


def test_a_state_is_of_its_question_alone(admin):
    question, other = changed(make_question(), "One?"), make_question()
    revision = Revision.objects.get()
    address = restore_address(admin, revision).replace(f"/{question.pk}/history/", f"/{other.pk}/history/")
    assert admin.client.get(address).status_code == 404


# Rights ---------------------------------------------------------------------------------------------------------


def test_whoever_may_only_see_brings_nothing_back(staff):
    question = changed(make_question(), "One?", "Two?")
    editor = staff("view_question")
    page = page_of(editor, question)
    assert page.status_code == 200
    assert "Bring back this state" not in page.content.decode()
    first = Revision.objects.of(question).earliest("pk")
    assert editor.client.get(restore_address(editor, first)).status_code == 403
    assert editor.client.post(restore_address(editor, first)).status_code == 403


def test_whoever_may_change_brings_back(staff):
    question = changed(make_question(), "One?", "Two?")
    editor = staff("change_question")
    assert bring_back(editor, Revision.objects.of(question).earliest("pk")).status_code == 302


def test_a_stranger_is_refused(staff):
    question = changed(make_question(), "One?")
    editor = staff("view_quiz")
    assert page_of(editor, question).status_code == 403
    assert editor.client.get(restore_address(editor, Revision.objects.get())).status_code in (403, 404)


def test_whoever_is_not_signed_in_is_sent_to_the_sign_in_page(admin):
    question = changed(make_question(), "One?")
    admin.client.logout()
    assert page_of(admin, question).status_code == 302
    assert admin.client.get(restore_address(admin, Revision.objects.get())).status_code == 302


def test_an_editor_of_other_quizzes_finds_no_history(staff, settings):
    question = changed(make_question(), "One?", "Two?")
    make_quiz(question)
    settings.MPQUIZ = {**getattr(settings, "MPQUIZ", {}), "MAY_EDIT": lambda user, quizzes, doing: quizzes.none()}
    editor = staff("change_question", "view_question")
    first = Revision.objects.of(question).earliest("pk")
    assert page_of(editor, question).status_code in (302, 403, 404)
    assert editor.client.get(restore_address(editor, first)).status_code == 404
    assert editor.client.post(restore_address(editor, first)).status_code == 404


# Imports --------------------------------------------------------------------------------------------------------

FILE = """\
mpquiz: 1
namespace: book
quiz: {slug: bits, title: {en: Bits}}
questions:
  - key: one
    kind: single
    prompt: {en: "%s"}
    choices: [{key: a, text: {en: "Yes"}, right: true}, {key: b, text: {en: "No"}}]
"""


def import_it(editor, prompt):
    sent = editor.client.post(
        editor.address("quiz", view="import"),
        {"format": "", "language": "en", "encoding": "", "into": "", "text": FILE % prompt},
    )
    address = sent.headers["Location"]
    seen = editor.client.get(address).context_data["seen"]
    assert editor.client.post(address, {"seen": seen, "confirm": "1"}).status_code == 302


def test_an_import_names_who_imported_and_can_be_taken_back(admin):
    import_it(admin, "How many?")
    import_it(admin, "How many are there?")
    question = Question.objects.get()
    rows = Revision.objects.of(question).order_by("pk")
    assert [(row.source, row.by.username) for row in rows] == [("imported", "admin")] * 2
    bring_back(admin, rows[0])
    question.refresh_from_db()
    assert question.prompt_en == "How many?"
    assert sources(question) == ["imported", "imported", "restored"]
