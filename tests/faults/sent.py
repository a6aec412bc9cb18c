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

    def kept(self, account: Account, answer: Page) -> Form | None:
        """The form of a page that failed, by which what was sent can be sent again."""
        account.expect("the learner gets an error", answer.status >= 500, f"{self.what}: {answer.status}")
        form = answer.form(self.form.action)
        sent, kept = self._said(self.fields), self._said(form.hidden) if form else []
        held = answer.status == 503 and kept == sent
        told = f"{self.what}: {answer.status}, {kept} of {sent}"
        account.expect("it is 503, and keeps what was sent in a form to send it again", held, told)
        return form

    @staticmethod
    def _said(fields: Fields) -> Fields:
        return sorted(field for field in fields if field[0] != "csrfmiddlewaretoken")

    def again(self, account: Account, form: Form | None = None) -> Page:
        """Send it again, by the form of a page that failed if there is one.

        It is taken, stands there once, and its page can be read.
        """
        fields = self.fields if form is None else form.hidden
        answer = self.learner.post(self.form.action, fields, "POST retry")
        taken = answer.status == 303 and "notice" not in answer.location
        account.expect("sent again, it is taken", taken, f"{self.what}: {answer.status} {answer.location}")
        page = self.learner.follow(answer, "GET after retry")
        account.expect("the page after it can be read", page.status == 200, f"{self.what}: {page.status}")
        there = self.answer
        once = there is not None and there.revision == 1
        account.expect("it is stored once", once, f"{self.what}: {there} {there and there.revision}")
        return page


OF_ATTEMPTS = (0, 2, 4, 6)
"""The numbers of ``sent`` for answers to an attempt that is there already."""


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
