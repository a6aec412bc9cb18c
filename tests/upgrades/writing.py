"""How ``first.json`` was made: run within a checkout of the first release, on an empty SQLite database.

    DATABASE_URL=sqlite:////tmp/first.sqlite3 DJANGO_SETTINGS_MODULE=tests.settings python writing.py > first.json

It uses that release's own verbs; what they are called now does not matter here. Each row is written as it was, by
model and column, and beside the rows stands what learners were told then: the score, the percent, passed or not.
"""

import json
import sys
from datetime import timedelta

import django

django.setup()

from django.apps import apps  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.core.serializers.json import DjangoJSONEncoder  # noqa: E402
from django.utils import timezone, translation  # noqa: E402

from mpquiz.learners import Learner  # noqa: E402
from mpquiz.models import Attempt, Question, Quiz  # noqa: E402
from tests.factories import make_guide, make_question, make_quiz  # noqa: E402


def make_site() -> None:
    call_command("migrate", verbosity=0)
    call_command("mpquiz_import", "project/samples/floating-point.yaml", stdout=sys.stderr)
    guide = make_guide("units", {"en": "Units", "ar": "الوحدات"}, address="/quizzes/")
    several = make_question(
        {"text": {"en": "Bit", "ar": "بت"}, "right": True},
        {"text": "Byte", "right": True, "feedback": {"ar": "ثمانية بتات."}},
        {"text": {"ar": "متر"}},
        prompt={"en": "Which are units of data?", "ar": "أي هذه وحدات بيانات؟"},
        kind="multiple",
        guides=[guide],
    )
    truth = make_question(
        {"right": True}, {}, prompt={"ar": "البايت ثمانية بتات."}, explanation={"ar": "هو كذلك."}, kind="true_false"
    )
    single = make_question(prompt="Which is the larger?", key="larger")
    gone = make_question(prompt="Deleted later?")
    units = make_quiz(
        several, truth, single, gone, slug="units", title={"ar": "الوحدات"}, guides=[guide], pass_mark=70
    )
    units.places.filter(question=several).update(points=3)
    make_quiz(slug="archived", title="Archived", archived=True)
    make_quiz(slug="draft", title="Draft", published=())
    learners = {name: Learner(user=User.objects.create_user(name, password="secret")) for name in ("amal", "badr")}
    learners["guest"] = Learner(guest="first-guest-token")
    learners["other"] = Learner(guest="other-guest-token")
    take(units, learners)
    Question.objects.filter(pk=gone.pk).delete()
    single.choices.filter(place=1).update(right=False, text_en="Changed after it was taken")
    single.choices.filter(place=2).update(right=True)


def take(units: Quiz, learners: dict[str, Learner]) -> None:
    start = Attempt.objects.start
    first = start(units, learners["amal"], language="ar")
    for position, given in ((1, [1, 2]), (2, 1), (3, 2), (4, 1)):
        first.answer(position, given, language="ar")
    first.retry(learners["amal"], number=2).answer(1, 1)
    second = start(units, learners["amal"], number=3)
    second.answer(1, [1, 3])
    second.start_over(learners["amal"], number=4).answer(1, [1])  # the second is abandoned, this one stays open
    late = start(units, learners["badr"])
    late.answer(2, 2)
    started, answered, up = (timezone.now() - timedelta(minutes=minutes) for minutes in (120, 90, 60))
    Attempt.objects.filter(pk=late.pk).update(started_at=started, deadline=up)
    late.answers.filter(position=2).update(answered_at=answered, marked_at=answered)
    finished = start(units, learners["guest"])
    finished.answer(1, [2, 3], language="en")
    finished.finish()
    start(units, learners["guest"]).answer(2, 1, language="en")
    floats = Quiz.objects.exclude(slug__in=("units", "archived", "draft")).get()
    start(floats, learners["other"]).answer(1, 1)


def rows() -> dict[str, list[dict[str, object]]]:
    models = [User, *apps.get_app_config("mpquiz").get_models(include_auto_created=True)]
    return {
        model._meta.label_lower: [
            {field.attname: getattr(row, field.attname) for field in model._meta.concrete_fields}
            for row in model._base_manager.order_by("pk")
        ]
        for model in models
    }


def told() -> list[dict[str, object]]:
    """What was told of each attempt."""
    names = ("public_id", "number", "ended", "is_open", "score", "maximum", "percent", "passed")
    return [{name: getattr(one, name) for name in names} for one in Attempt.objects.order_by("pk")]


def main() -> None:
    translation.activate("en")
    make_site()
    parts = {f"{label} {number}": row for label, some in rows().items() for number, row in enumerate(some)}
    parts |= {f"told {number}": one for number, one in enumerate(told())}
    lines = (f"{line(name)}: {line(value)}" for name, value in parts.items())
    print("{\n" + ",\n".join(lines) + "\n}")


def line(value: object) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


if __name__ == "__main__":
    main()
