"""Where one begins to read, by program and by browser."""

import pytest

from tests.api.conftest import Api
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_the_lists_of_learners_are_named_and_open(amal):
    told = amal.get("").json()
    assert told["staff"] is None
    assert {name: amal.get(address).status_code for name, address in told["learners"].items()} == dict.fromkeys(
        ("quizzes", "guides", "attempts", "progress"), 200
    )
    assert amal.get(told["schema"]).status_code == 200


def test_a_visitor_is_told_the_same(visitor, amal):
    assert visitor.get("").json() == amal.get("").json()


def test_staff_are_told_their_lists_too():
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    told = root.get("").json()["staff"]
    assert "answers" in told
    assert {root.get(address).status_code for address in told.values()} == {200}


def test_the_browsable_api_begins_there(visitor):
    page = visitor.client.get("/api/v1/", headers={"Accept": "text/html"}).content.decode()
    assert 'href="http://testserver/api/v1/quizzes/"' in page
