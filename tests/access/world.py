"""One course site with one row of everything, and the people who ask for it."""

from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import Permission
from django.db.models import Q
from django.test import Client

from mpquiz import remarking
from mpquiz.models import (
    Accommodation,
    Attempt,
    PendingImport,
    Policy,
    Quiz,
    Report,
    Revision,
    StaleText,
    WaitingAnswer,
)
from tests.factories import learner, make_essay, make_guide, make_question, make_quiz, make_tag, make_user

ROLES = ("guest", "learner", "another", "editor", "other", "staff", "super")
"""``another`` is a learner with no attempt, ``editor`` the one of this quiz, ``other`` the editor of another quiz."""

RULED = {"MAY_EDIT": "tests.access.world.quizzes_of"}
OWN = "Sundial"
"""Stands in the texts of this quiz and its questions, and nowhere else."""
GIFT = b"::sum:: How much is 1 + 1? {=2 ~3}\n"


def quizzes_of(user: Any, quizzes: Any, doing: str) -> Any:
    """An editor's quizzes begin with their name; staff have all, so that it is permissions that they lack."""
    return quizzes if user.get_username() == "staff" else quizzes.filter(slug__startswith=user.get_username())


@dataclass
class World:
    """``rows`` by the model's name: the open attempt is "attempt", the other one "finished"."""

    quiz: Quiz
    rows: dict[str, Any]
    clients: dict[str, Client] = field(default_factory=dict)

    def client(self, role: str) -> Client:
        """A fresh browser of somebody in this role: what one request left does not reach the next."""
        fresh = Client(raise_request_exception=False)
        if role != "guest":
            fresh.cookies.update(self.clients[role].cookies)
        return fresh


def make_world() -> World:
    """Rows of the quiz ``noura-1``, and beside it ``samir-1``, which is there so that nobody is given it."""
    people = _people()
    strange = make_quiz(make_question(prompt="Strange question?"), slug="samir-1", title="Strange quiz")
    make_guide("strange", "Strange guide").quizzes.add(strange)
    quiz = _quiz()
    rows = {"quiz": quiz, "guide": quiz.guides.get(), "question": quiz.questions.get(key="first")}
    rows |= _work_of(people["learner"], quiz) | _words_about(rows["question"], quiz)
    rows["accommodation"] = Accommodation.objects.create(quiz=quiz, user=people["learner"], extra_attempts=9)
    rows["import"] = _upload_of(people["editor"])
    world = World(quiz, rows)
    for role, user in people.items():
        world.clients[role] = Client()
        world.clients[role].force_login(user)
    return world


def _people() -> dict[str, Any]:
    ours = Q(content_type__app_label="mpquiz")
    may_all = Permission.objects.filter(ours | Q(codename__in=("view_user", "view_group")))
    names = {"editor": "noura", "other": "samir", "staff": "staff"}
    people = {role: make_user(name, is_staff=True) for role, name in names.items()}
    for role in ("editor", "other"):
        people[role].user_permissions.set(may_all)
    people["super"] = make_user("root", is_staff=True, is_superuser=True)
    return {**people, "learner": make_user("amal"), "another": make_user("hala")}


def _quiz() -> Quiz:
    questions = [make_question(key=key, prompt=f"{OWN} {key}?") for key in ("first", "second")]
    essay = make_essay(f"{OWN} why?", key="essay")
    return make_quiz(*questions, essay, slug="noura-1", title=f"{OWN} quiz", guides=[make_guide()])


def _work_of(user: Any, quiz: Quiz) -> dict[str, Any]:
    """A finished attempt with an essay that waits, a report and a re-marking of it, then an open attempt."""
    finished = Attempt.objects.start(quiz, learner(user))
    finished.answer(1, 2)
    finished.answer(3, "Because.")
    report = Report.objects.file(finished, 1, "Both are right.", language="en")
    finished.finish()
    marked = remarking.remark(quiz, finished.answers.get(position=1).question, Policy.FULL_MARKS, by=None, reason="")
    attempt = Attempt.objects.start(quiz, learner(user))
    waiting = WaitingAnswer.objects.get(attempt=finished, position=3)
    return {
        "finished": finished,
        "report": Report.objects.get(pk=report.pk),
        "remarking": marked,
        "attempt": attempt,
        "waitinganswer": waiting,
    }


def _words_about(question: Any, quiz: Quiz) -> dict[str, Any]:
    Revision.objects.record({question.pk: question.written()})
    revision = Revision.objects.of(question).first()
    stale = StaleText.objects.create(quiz=quiz, name="title", language="ar")
    return {"revision": revision, "staletext": stale, "tag": make_tag("Algebra", question)}


def _upload_of(user: Any) -> PendingImport:
    return PendingImport.objects.keep(GIFT, user=user, name="new.gift", format="gift", language="en")
