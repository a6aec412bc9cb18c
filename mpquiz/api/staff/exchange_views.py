"""Files brought in and taken out, by the verbs and with the reports of admin."""

from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from ... import exchange, importing
from ...content import QuizContent
from ...editing.bringing import bring_for, may_join
from ...editing.taking import Taken, take, type_of, writers
from ...formats import Entry
from ...importing import NATIVE
from ..languages import LanguageField
from ..lists import Query, asked
from ..parsing import Parser
from .base import StaffView
from .exchange_serializers import (
    BroughtSerializer,
    EntrySerializer,
    ExportSerializer,
    ImportSerializer,
    how_to_read,
)

MOST_QUESTIONS = 1000
_CSRF = "csrfmiddlewaretoken"


class StaffImport(StaffView):
    """A file of questions: what would come of it, and storing it."""

    needs = {"POST": ("add_quiz", "add_question")}
    parser_classes = [Parser, MultiPartParser]
    serializer_class = BroughtSerializer
    body_class = ImportSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        joins = self.request is not None and may_join(self.request.user)
        return super().get_serializer_context() | {"joins": joins}

    def body(self, *, partly: bool = False) -> dict[str, Any]:
        if not self.request.FILES:
            return super().body(partly=partly)
        data: Any = self.request.data
        sent = {name: value for name, value in data.items() if name != _CSRF}
        serializer = ImportSerializer(data=sent, context=self.get_serializer_context())
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def handle_exception(self, exc: Exception) -> Response:
        """Django cuts a body off whose texts are too large; files are let through, and measured."""
        if isinstance(exc, RequestDataTooBig):
            exc = ValidationError({"text": [_("This text is too large. Send it as a file.")]})
        return super().handle_exception(exc)

    def post(self, request: Request) -> Response:
        """Store a file, all of it or, with an error, nothing (400 ``not_imported``); ``dry_run`` only tells."""
        sent = self.body()
        how = how_to_read(sent)
        upload = importing.read(how.pop("data"), **how)
        options = {name: sent[name] for name in ("force", "dry_run")}
        brought, wrong = bring_for(request.user, upload, name=how["name"], **options)
        if wrong:
            return self._refused(wrong, brought.warnings)
        return self.answer(brought, 201 if brought.loaded and _is_new(brought.loaded) and brought.quiz else 200)

    def _refused(self, wrong: list[Entry], warnings: Any) -> Response:
        told = {"code": "not_imported", "detail": _("Nothing was stored: see the errors.")}
        lists = {"errors": wrong, "warnings": warnings}
        return Response(told | {name: EntrySerializer(some, many=True).data for name, some in lists.items()}, 400)


def _is_new(loaded: exchange.Loaded) -> bool:
    return any(item.what == "quiz" for item in loaded.created)


# Out --------------------------------------------------------------------------------------------------------


class ExportQuery(Query):
    """``as`` is the format; ``download`` brings the file itself."""

    page = page_size = None  # type: ignore[assignment]  # it is no list

    language = LanguageField(required=False)
    download = serializers.BooleanField(required=False)

    def get_fields(self) -> dict[str, Any]:
        return super().get_fields() | {"as": serializers.ChoiceField(choices=writers(), required=False)}


class ChosenQuery(ExportQuery):
    """``ids`` are those of questions: ``3,5``."""

    ids = serializers.RegexField(r"^[0-9]{1,18}(,[0-9]{1,18})*$", max_length=20_000)

    def validate_ids(self, text: str) -> list[int]:
        ids = list(dict.fromkeys(map(int, text.split(","))))
        if len(ids) > MOST_QUESTIONS:
            raise ValidationError(_("At most %(most)s questions at once.") % {"most": MOST_QUESTIONS})
        return ids


class ExportView(StaffView):
    """A file, with what its format cannot hold."""

    serializer_class = ExportSerializer
    query_class: type[Query] = ExportQuery

    def query(self) -> dict[str, Any]:
        return {"as": NATIVE, **asked(self, self.query_class)}

    def taken(self, content: QuizContent, asked: dict[str, Any]) -> HttpResponseBase:
        taken = take([content], asked["as"], language=asked.get("language"))
        if asked.get("download"):
            return _file(taken, asked["as"])
        [(name, data)] = taken.files.items()
        return self.answer({"name": name, "text": data.decode(), "losses": taken.losses})


def _file(taken: Taken, format: str) -> HttpResponse:
    [(name, data)] = taken.files.items()
    headers = {
        "Content-Type": type_of(format),
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(data, headers=headers)


class StaffQuizExport(ExportView):
    """A quiz as a file."""

    needs = {"GET": ("view_quiz",)}

    def get(self, request: Request, slug: str) -> HttpResponseBase:
        """The file as text, with what was lost; with ``?download=true`` the file itself."""
        asked, quiz = self.query(), self.quiz(slug)
        return self.taken(exchange.dump(quiz, whole=asked["as"] != NATIVE), asked)


class StaffQuestionExport(ExportView):
    """Questions as a file."""

    needs = {"GET": ("view_question",)}
    query_class = ChosenQuery

    def get(self, request: Request) -> HttpResponseBase:
        """Those of the ``ids``, in their order, all of them or, where one is not there, none."""
        asked = self.query()
        found = self.questions().in_bulk(asked["ids"])
        if len(found) < len(asked["ids"]):
            raise NotFound
        return self.taken(exchange.dump_questions(found[pk] for pk in asked["ids"]), asked)
