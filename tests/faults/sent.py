"""The forms that a fault meets on their way: an answer, a start that brings one, an exam's answer, the last one."""

from collections.abc import Callable
from dataclasses import dataclass

from mpquiz.models import Answer
from tests.load.browser import Fields, Form, Page
from tests.load.learners import Learner

from .account import Account
from .site import Site, attempt_in, stored


@dataclass(frozen=True)
class Sent:
    """A form as a learner sends it, and sends it again."""

    what: str
    learner: Learner
    form: Form
    fields: Fields
    find: Callable[[], Answer | None]

    @property
    def answer(self) -> Answer | None:
        """The answer that it brings, as it is stored now."""
        found = self.find()
        return found if found is not None and found.answered_at is not None else None

    def again(self, account: Account) -> Page:
        """Send it again: it is taken, stands there once, and its page can be read."""
        answer = self.learner.post(self.form.action, self.fields, "POST retry")
        taken = answer.status == 303 and "notice" not in answer.location
        account.expect("sent again, it is taken", taken, f"{self.what}: {answer.status} {answer.location}")
        page = self.learner.follow(answer, "GET after retry")
        account.expect("the page after it can be read", page.status == 200, f"{self.what}: {page.status}")
        there = self.answer
        once = there is not None and there.revision == 1
        account.expect("it is stored once", once, f"{self.what}: {there} {there and there.revision}")
        return page


def sent(here: Site, number: int) -> Sent:
    """One kind after the other, by users and guests in turn."""
    learner = here.learner(guest=number // 4 % 2 == 1)
    return (_answer, _start, _exam, _last)[number % 4](learner)


def _answer(learner: Learner) -> Sent:
    page = learner.begin("steady", learner.open("steady"))
    return _of_page("answer", learner, learner.browser.get(page.next, "GET question"))


def _exam(learner: Learner) -> Sent:
    return _of_page("exam answer", learner, learner.begin("exam", learner.open("exam")))


def _of_page(what: str, learner: Learner, page: Page) -> Sent:
    form = page.question
    assert form is not None, page
    fields = form.hidden + learner.given(form) + ([("to", "next")] if form.changeable else [])
    attempt, position = attempt_in(form.action), int(form.action.rstrip("/").rpartition("/")[2])
    return Sent(what, learner, form, fields, lambda: stored(attempt, position))


def _start(learner: Learner) -> Sent:
    return _starting("start", learner, "steady")


def _last(learner: Learner) -> Sent:
    return _starting("start, answer and end in one", learner, "short")


def typed(here: Site, number: int) -> Sent:
    """A start with a short answer of some length, by users and guests in turn."""
    text = " ".join(["seven and more than that"] * (1 + number % 3))
    return _starting("typed", here.learner(guest=number % 2 == 1), "typed", given=[("given", text)])


def _starting(what: str, learner: Learner, slug: str, *, given: Fields | None = None) -> Sent:
    form = learner.open(slug).form("/start/")
    assert form is not None
    # A guest's token stands in the form before it stands anywhere else.
    guest = dict(form.hidden).get("guest", "").partition(":")[0]
    owner = {"guest": guest} if guest else {"user__username": learner.browser.username}
    its = {f"attempt__{column}": value for column, value in owner.items()}

    def find() -> Answer | None:
        return Answer.objects.filter(attempt__quiz__slug=slug, position=1, **its).first()

    return Sent(what, learner, form, form.hidden + (given or learner.given(form)), find)
