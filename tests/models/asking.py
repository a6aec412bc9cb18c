"""The first answer as a page sends it, and the code of a refusal."""

import pytest

from mpquiz.exceptions import Refusal
from mpquiz.models import FirstAnswer
from mpquiz.models.attempt import fingerprint


def first_answer(quiz, given=1):
    return FirstAnswer(given=given, seen=fingerprint(quiz.placed()[0].content))


def refused(call, *args, **kwargs):
    with pytest.raises(Refusal) as caught:
        call(*args, **kwargs)
    return caught.value.code
