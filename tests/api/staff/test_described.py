"""What is told of results is what the schema says of it."""

import jsonschema
import pytest

from mpquiz import remarking
from mpquiz.api.schema.views import Generator
from mpquiz.models import Attempt, Policy, Report, WaitingAnswer
from tests.api.conftest import Api
from tests.api.test_openapi import in_json_schema
from tests.factories import learner, make_essay, make_guide, make_page, make_question, make_quiz, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def world():
    """{name in an address: value} of a quiz with a question of each sort, of which everything was done once."""
    guide = make_guide()
    questions = [
        make_question(guides=[guide]),
        make_question({"text": "Paris", "right": True}, kind="text"),
        make_essay(),
        make_page(),
    ]
    quiz = make_quiz(*questions, guides=[guide], pass_mark=50)
    user = make_user()
    attempt = Attempt.objects.start(quiz, learner(user))
    for position, given in ((1, 2), (2, "Rome"), (3, "Because.")):
        attempt.answer(position, given)
    report = Report.objects.file(attempt, 1, "Wrong.", language="en")
    attempt.finish()
    done = remarking.remark(quiz, questions[0], Policy.FULL_MARKS, by=user, reason="Both.")
    Attempt.objects.start(quiz, learner(user))
    return {
        "attempts/{attempt}/": {"attempt": attempt.public_id},
        "answers/waiting/": {},
        "answers/waiting/{id}/": {"id": WaitingAnswer.objects.get(attempt=attempt, position=3).pk},
        "guides/{slug}/missed/": {"slug": guide.slug},
        "missed/": {},
        "quizzes/{slug}/remarking/": {"slug": quiz.slug},
        "quizzes/{slug}/remarking/{asked}/": {"slug": quiz.slug, "asked": f"q{questions[0].pk}"},
        "quizzes/{slug}/remarking/{asked}/{policy}/": {
            "slug": quiz.slug,
            "asked": f"q{questions[0].pk}",
            "policy": "new_key",
        },
        "quizzes/{slug}/results/": {"slug": quiz.slug},
        "quizzes/{slug}/statistics/": {"slug": quiz.slug},
        "remarkings/": {},
        "remarkings/{id}/": {"id": done.pk},
        "reports/": {},
        "reports/{id}/": {"id": report.pk},
    }


def sent(world, root):
    """(address, what is sent, status) of each verb."""
    marking = "answers/waiting/{id}/"
    waiting = root.get(f"staff/{marking}".format(**world[marking])).json()
    rule = "quizzes/{slug}/remarking/{asked}/{policy}/"
    leave_out = {**world[rule], "policy": "leave_out"}
    yield f"{marking}mark/", world[marking], {"points": "1", "revision": waiting["revision"]}, 200
    yield "remarkings/{id}/undo/", world["remarkings/{id}/"], {}, 200
    yield "reports/{id}/settle/", world["reports/{id}/"], {}, 200
    found = root.get(f"staff/{rule}".format(**leave_out)).json()["preview"]["fingerprint"]
    yield rule, leave_out, {"fingerprint": found}, 201


def closed(told):
    """A schema in which nothing is there that it does not name."""
    if isinstance(told, list):
        return [closed(one) for one in told]
    if not isinstance(told, dict):
        return told
    found = {name: closed(one) for name, one in told.items()}
    if "properties" in found and "additionalProperties" not in found:
        found["additionalProperties"] = False
    return found


def test_results_are_what_the_schema_says(world):
    schema = Generator().get_schema(None, public=True)
    components = closed(in_json_schema(schema["components"]))
    root = Api(make_user("root", is_staff=True, is_superuser=True))
    for path, values in world.items():
        operation = schema["paths"][f"/api/v1/staff/{path}"]["get"]
        shape = operation["responses"]["200"]["content"]["application/json"]["schema"]
        answer = root.get(f"staff/{path}".format(**values))
        assert answer.status_code == 200, path
        assert answer.json().get("count", 1), path
        jsonschema.validate(answer.json(), {**in_json_schema(shape), "components": components})
        assert answer.has_header("ETag") == ("ETag" in operation["responses"]["200"]["headers"]), path
    for path, values, body, status in sent(world, root):
        responses = schema["paths"][f"/api/v1/staff/{path}"]["post"]["responses"]
        shape = responses[str(status)]["content"]["application/json"]["schema"]
        answer = root.post(f"staff/{path}".format(**values), body)
        assert answer.status_code == status, (path, answer.json())
        jsonschema.validate(answer.json(), {**in_json_schema(shape), "components": components})
