"""What each operation answers with: how it goes well, and with which codes it is refused."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

Codes = tuple[str, ...]
Refused = Mapping[int, Codes]

_START: Refused = {
    403: ("closed", "not_allowed", "password", "no_attempts_left", "wait"),
    409: ("a code of the site's own rule",),
}
_CLOSED: Codes = ("finished", "time_up")
_ANSWER: Codes = ("answered", "not_in_order", *_CLOSED)
_ATTEMPT = "mpquiz.api.attempt_serializers.AttemptDetailSerializer"
_QUESTION = "mpquiz.api.staff.serializers.QuestionDetailSerializer"
_QUIZ = "mpquiz.api.staff.quiz_serializers.QuizSerializer"
_REMARKING = "mpquiz.api.staff.remarking_serializers.RemarkingDetailSerializer"
_WRITTEN: Codes = ("text/plain", "application/xml")
_TABLES: Codes = ("text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
_STAFF: Refused = {403: ("permission_denied",)}
_EDITED: Refused = {**_STAFF, 409: ("gone", "stale"), 412: ("stale",)}


@dataclass(frozen=True)
class Told:
    """How an operation goes: ``good`` is {status: a serializer's path}, ``refused`` is {status: codes}.

    "" is the view's own serializer, None is no body; ``files``: the media types of what it sends as a file.
    """

    good: Mapping[int, str | None] = field(default_factory=lambda: {200: ""})
    refused: Refused = field(default_factory=dict)
    files: Codes = ()


_OPERATIONS: Mapping[tuple[str, str], Told] = {
    ("QuestionView", "GET"): Told(refused={404: ("not_in_attempt",), 409: ("not_in_order",)}),
    ("ResultView", "GET"): Told(refused={409: ("not_finished",)}),
    ("StartView", "POST"): Told({200: _ATTEMPT, 201: _ATTEMPT}, _START),
    ("StartOverView", "POST"): Told({200: _ATTEMPT, 201: _ATTEMPT}, _START),
    ("RetryView", "POST"): Told({200: _ATTEMPT, 201: _ATTEMPT}, _START),
    ("DiscardView", "POST"): Told({204: None}, {403: ("not_allowed",)}),
    ("FinishView", "POST"): Told(),
    ("HandInView", "POST"): Told(refused={400: ("bad_answer",), 409: _CLOSED}),
    ("AnswerView", "POST"): Told(
        refused={400: ("bad_answer",), 404: ("not_in_attempt",), 409: ("stale", *_ANSWER)},
    ),
    ("DraftView", "POST"): Told(
        refused={400: ("bad_answer",), 404: ("not_in_attempt",), 409: ("not_kept", *_ANSWER)},
    ),
    ("FlagView", "POST"): Told(refused={404: ("not_in_attempt",), 409: _CLOSED}),
    ("LeaveView", "POST"): Told(refused={404: ("not_in_attempt",), 409: _CLOSED}),
    ("ReportView", "POST"): Told(
        refused={400: ("bad_note",), 404: ("not_in_attempt",), 409: ("too_early", "settled")},
    ),
    # The staff's --------------------------------------------------------------------------------------------
    ("StaffView", "GET"): Told(refused=_STAFF),
    ("StaffView", "POST"): Told(refused=_EDITED),
    ("StaffView", "PATCH"): Told(refused=_EDITED),
    ("StaffView", "DELETE"): Told({204: None}, _EDITED),
    ("StaffList", "POST"): Told({201: ""}, _STAFF),
    ("StaffQuestionList", "POST"): Told({201: _QUESTION}, _STAFF),
    ("StaffQuestionCopy", "POST"): Told({201: ""}, _STAFF),
    ("StaffQuestionRestore", "POST"): Told(refused={**_EDITED, 409: ("changed", "unsound", *_EDITED[409])}),
    ("StaffQuizList", "POST"): Told({201: _QUIZ}, _STAFF),
    ("StaffQuizCopy", "POST"): Told({201: ""}, _STAFF),
    ("StaffQuizView", "DELETE"): Told(
        {204: None}, {**_EDITED, 403: ("permission_denied", "not_allowed"), 409: ("taken", *_EDITED[409])}
    ),
    ("StaffTagView", "DELETE"): Told({204: None}, {**_EDITED, 409: ("in_use", *_EDITED[409])}),
    ("StaffQuizRemarkingAsked", "GET"): Told(refused={**_STAFF, 409: ("changed",)}),
    ("StaffQuizRemarkingPolicy", "GET"): Told(refused={**_STAFF, 409: ("no_key", "changed")}),
    ("StaffQuizRemarkingPolicy", "POST"): Told(
        {201: _REMARKING}, {**_STAFF, 409: ("no_key", "unchanged", "changed")}
    ),
    ("StaffRemarkingUndo", "POST"): Told(refused={**_STAFF, 409: ("undone", "not_newest")}),
    ("StaffQuizResults", "GET"): Told(refused=_STAFF, files=_TABLES),
    ("StaffReportSettle", "POST"): Told(refused=_STAFF),
    ("StaffWaitingMark", "POST"): Told(refused={400: ("bad_mark",), **_STAFF, 409: ("marked", "not_by_hand")}),
    ("ExportView", "GET"): Told(refused=_STAFF, files=_WRITTEN),
    ("StaffQuestionExport", "GET"): Told(refused={**_STAFF, 404: ("not_found",)}, files=_WRITTEN),
    ("StaffImport", "POST"): Told({200: "", 201: ""}, {400: ("not_imported",), **_STAFF, 409: ("changed",)}),
}


def told(view: Any, method: str) -> Told:
    """What is said of a view's method; of a view that is a host's own, what is said of ours beneath."""
    names = [one.__name__ for one in type(view).__mro__]
    found = [_OPERATIONS[name, method] for name in names if (name, method) in _OPERATIONS]
    return found[0] if found else Told()


def refusals(view: Any, method: str, *, has_place: bool) -> dict[int, Codes]:
    """{status: codes} of all refusals of an operation; ``has_place``: something in its address may not be there."""
    own = told(view, method).refused
    shared = dict(_shared(method, has_place=has_place))
    return {status: (*shared.get(status, ()), *own.get(status, ())) for status in sorted({*shared, *own})}


def _shared(method: str, *, has_place: bool) -> Iterator[tuple[int, Codes]]:
    """What every view may answer."""
    writes = method not in ("GET", "DELETE")
    yield 400, ("invalid", "parse_error") if writes else ("invalid",)
    yield 401, ("sign_in", "authentication_failed")
    yield 403, ("sign_in", "authentication_failed", *(() if method == "GET" else ("csrf",)))
    if has_place:
        yield 404, ("not_found",)
    yield 406, ("not_acceptable",)
    if writes:
        yield 413, ("too_large",)
        yield 415, ("unsupported_media_type",)
    yield 429, ("throttled",)
    yield 503, ("unavailable",)
