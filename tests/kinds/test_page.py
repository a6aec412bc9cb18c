"""Pages to read: nothing is asked, and the prompt must be there."""

import pytest

from mpquiz import kinds
from mpquiz.content import QuestionContent
from mpquiz.exceptions import Refusal

PAGE = kinds.get("page")


def content(**prompt):
    return QuestionContent(key="book/one", kind="page", prompt=prompt)


def test_nothing_is_asked_and_nothing_scored():
    assert (PAGE.asks, PAGE.scores) == (False, False)
    assert kinds.without_answer() == ["page"]


@pytest.mark.parametrize("given", [None, "", "1", ["1"]])
def test_nothing_is_an_answer(given):
    with pytest.raises(Refusal) as caught:
        PAGE.clean(given, content(en="Read."), [])
    assert caught.value.code == "bad_answer"


def test_a_page_has_a_text():
    assert PAGE.blocking(content(ar="اقرأ.")) == []
    assert [problem.field for problem in PAGE.blocking(content())] == ["prompt"]
