"""Who takes what, in the tests of attempts."""

import pytest

from tests.factories import learner, make_quiz, make_user


@pytest.fixture
def amal():
    return learner(make_user())


@pytest.fixture
def quiz():
    return make_quiz()
