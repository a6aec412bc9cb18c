"""Two states brought back at the same moment: the question is one of them, and its history tells which."""

from mpquiz import history
from mpquiz.models import Question, Revision
from tests.factories import make_question
from tests.races.conftest import together


def test_two_states_brought_back_at_once_are_not_mixed(rounds):
    for _number, jitter in rounds:
        question = make_question("One", ("Two", True))
        history.record(question)
        Question.objects.filter(pk=question.pk).update(prompt_en="Other?")
        question.choices.update(text_en="Other")
        history.record(question)
        first, second = Revision.objects.of(question).order_by("pk")
        Question.objects.filter(pk=question.pk).update(prompt_en="Third?")
        history.record(question)
        together(
            lambda one=first: history.restore(one, by=None),
            lambda one=second: history.restore(one, by=None),
            jitter=jitter,
        )
        now = history.current(question)
        assert now in (first.written, second.written)
        assert Revision.objects.of(question).latest("pk").written == now
