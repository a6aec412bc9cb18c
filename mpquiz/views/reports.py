"""A learner's word that something is wrong with a question, from its feedback and from the review."""

from django.http import Http404, HttpRequest, HttpResponse

from .. import lessons, logs, pages, throttling, words
from ..exceptions import Refusal
from ..learners import Learner
from ..models import Answer, Attempt, Report
from .answering import HttpResponseSeeOther, in_place, leads_back, of_learner, refused, rendered

_PART = "mpquiz/_report.html"


@of_learner
@leads_back
def report(request: HttpRequest, attempt: Attempt, position: int) -> HttpResponse:
    try:
        throttling.check(request, throttling.ReportThrottle)
        filed = Report.objects.file(
            attempt, position, request.POST.get("note", ""), language=words.current_language()
        )
    except Refusal as refusal:
        logs.refused(refusal, Learner.of(request), attempt=attempt, position=position)
        return _not_filed(request, attempt, position, refusal)
    if in_place(request):
        return _stays(rendered(request, _PART, _context(request, attempt, filed.answer) | {"thanks": True}))
    back = pages.result_url(attempt) if _place(request) == "review" else pages.question_url(attempt, position)
    return HttpResponseSeeOther(f"{back}?notice=reported#mpquiz-report-{position}")


def _not_filed(request: HttpRequest, attempt: Attempt, position: int, refusal: Refusal) -> HttpResponse:
    answer = attempt.answers.select_related("report").filter(position=position).first()
    if answer is None:
        raise Http404
    context = _context(request, attempt, answer) | {"note": request.POST.get("note", "")}
    if in_place(request):
        return _stays(refused(request, _PART, refusal, context))
    return refused(request, "mpquiz/report.html", refusal, context)


def _context(request: HttpRequest, attempt: Attempt, answer: Answer | None) -> dict[str, object]:
    within = lessons.within(request, attempt.quiz)
    return {"attempt": attempt, "answer": answer, "place": _place(request), "ids": f"{within}-" if within else ""}


def _place(request: HttpRequest) -> str:
    """The page from which it was sent, and to which it leads back."""
    return "review" if request.POST.get("place") == "review" else "question"


def _stays(response: HttpResponse) -> HttpResponse:
    """A part of ours, as our script knows them; the address stays."""
    response["HX-Push-Url"] = "false"
    return response
