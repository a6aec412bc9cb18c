"""How drf-spectacular describes our views: by what they declare, and by ``statuses`` and ``examples``."""

import re
from http import HTTPStatus
from typing import Any, Literal

from django.conf import settings
from django.utils.module_loading import import_string
from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiRequest, OpenApiResponse
from rest_framework import serializers
from rest_framework.authentication import SessionAuthentication

from ... import words
from .. import languages
from ..attempt_serializers import GivenField
from ..caching import Keeping
from ..lists import ListView
from . import examples, statuses

_HEADER: Literal["header"] = "header"
_SHAPES: dict[str, dict[str, Any]] = {
    "mpquiz_number": {"type": "integer", "minimum": 1},
    "mpquiz_slug": {"type": "string", "pattern": "^[-a-zA-Z0-9_]+$"},
}
_PLACES = {
    "asked": "The name of a question that can be marked anew.",
    "attempt": "The id of an attempt.",
    "id": "The id of the row.",
    "policy": "The rule by which it is marked anew.",
    "position": "The position of a question in the attempt, from 1.",
    "slug": "The slug of the quiz or the guide.",
    "state": "The id of the state.",
}


class ErrorSerializer(serializers.Serializer[Any]):
    """Why a request was refused: ``code`` is for scripts, ``detail`` for people, in their language."""

    code = serializers.CharField()
    detail = serializers.CharField()
    fields = serializers.DictField(  # type: ignore[assignment]  # declared, so no attribute of the class
        required=False, help_text="What is wrong, by field."
    )
    parts = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The parts of an answer that are to be mended."
    )
    by_position = serializers.DictField(required=False, help_text="Refusals of several answers, by position.")
    given = GivenField(required=False, allow_null=True, help_text="Of a stale answer: what is stored.")
    sent = GivenField(required=False, allow_null=True, help_text="Of a stale answer: what was sent.")
    revision = serializers.CharField(required=False, help_text="Of what is stale: the revision that is stored.")


class GivenExtension(OpenApiSerializerFieldExtension):
    """An answer takes several shapes."""

    target_class = "mpquiz.api.attempt_serializers.GivenField"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {
            "oneOf": [
                {"type": "number", "title": "The place of a choice, from 1; or a number"},
                {"type": "string", "title": "A text; or a number as it is typed"},
                {"type": "array", "items": {}, "title": "The places of several choices"},
                {"type": "object", "additionalProperties": {}, "title": "An answer in parts, by part"},
            ]
        }


class WordsExtension(OpenApiSerializerFieldExtension):
    """A text in each language."""

    target_class = "mpquiz.api.staff.fields.WordsField"
    match_subclasses = True

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        text = {"type": "string", "maxLength": self.target.most}
        by_language = dict.fromkeys(words.languages(), text)
        return {"type": "object", "properties": by_language, "additionalProperties": False}


class LanguageExtension(OpenApiSerializerFieldExtension):
    """A language of the site."""

    target_class = "mpquiz.api.languages.LanguageField"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "string", "enum": [*words.languages(), *([""] if self.target.allow_blank else [])]}


class LanguagesExtension(OpenApiSerializerFieldExtension):
    """Several of them."""

    target_class = "mpquiz.api.staff.fields.LanguagesField"

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        return {"type": "array", "items": {"type": "string", "enum": list(words.languages())}}


class Inspector(AutoSchema):
    """One operation: a method of an ``ApiView``."""

    @property
    def ours(self) -> Any:
        """The view, which has more than one of DRF."""
        return self.view

    @property
    def is_of_staff(self) -> bool:
        return ".staff." in type(self.view).__module__

    # Its name ---------------------------------------------------------------------------------------------

    def get_operation_id(self) -> str:
        """``get_quizzes``, ``post_attempts_by_attempt_finish``."""
        path = re.sub(r"\{(\w+)\}", r"by_\1", self.path.split("/v1/", 1)[-1])
        return re.sub(r"\W+", "_", f"{self.method.lower()}_{path}").strip("_")

    def get_tags(self) -> list[str]:
        tag = self.path.split("/v1/", 1)[-1].removeprefix("staff/").split("/")[0]
        return [f"staff: {tag}" if self.is_of_staff else tag]

    def get_summary(self) -> str:
        return re.split(r"[.:;]\s|\.$", self.get_description(), maxsplit=1)[0].replace("\n", " ").strip()

    def get_serializer_name(self, serializer: Any, direction: Any) -> str:
        name = super().get_serializer_name(serializer, direction)
        return f"Staff{name}" if ".staff." in type(serializer).__module__ else name

    # What it takes ----------------------------------------------------------------------------------------

    def _is_list_view(self, serializer: Any = None) -> bool:
        return isinstance(self.view, ListView) and self.method == "GET"

    def get_override_parameters(self) -> list[Any]:
        query = getattr(self.ours, "query_class", None) if self.method == "GET" else None
        asked: list[Any] = [] if query is None else [query]
        return [*asked, self._language(), *self._places(), *self._headers(), *self._answered_headers()]

    def _language(self) -> OpenApiParameter:
        told = "The language to answer in; by default what Accept-Language asks for."
        return OpenApiParameter(languages.PARAMETER, str, enum=list(words.languages()), description=told)

    def _places(self) -> list[OpenApiParameter]:
        names = re.findall(r"\{(\w+)\}", self.path)  # in which "id" may stand for "pk"
        written = re.findall(r"<(\w+):(\w+)>", self.path_regex)
        return [
            OpenApiParameter(
                name,
                _SHAPES.get(converter, {"type": "string"}),
                OpenApiParameter.PATH,
                required=True,
                description=_PLACES.get(known, ""),
            )
            for name, (converter, known) in zip(names, written, strict=True)
        ]

    def _headers(self) -> list[OpenApiParameter]:
        if self.method == "GET":
            return []
        name = settings.CSRF_HEADER_NAME.removeprefix("HTTP_").replace("_", "-").title().replace("Csrft", "CSRFT")
        told = "The CSRF token, for whoever is known by a session, guests too."
        token = OpenApiParameter(name, str, _HEADER, description=told)
        return [token, *self._state()]

    def _state(self) -> list[OpenApiParameter]:
        if 412 not in self._told.refused:
            return []
        told = "The ETag of what was read: where it was changed since, nothing is."
        return [OpenApiParameter("If-Match", str, _HEADER, description=told)]

    def _answered_headers(self) -> list[OpenApiParameter]:
        headers = {
            "Content-Language": ("The language of the answer.", None),
            "ETag": ("Changes with the answer; of what staff edit, its revision, for If-Match.", self._with_etag()),
            "Location": ("The address of the attempt.", [one for one in (200, 201) if self._tells_where()]),
            "Retry-After": ("Seconds to wait.", [429, 503]),
        }
        return [
            OpenApiParameter(name, str, _HEADER, response=True if when is None else when, description=told)
            for name, (told, when) in headers.items()
            if when != []
        ]

    def _with_etag(self) -> list[int]:
        if not self.is_of_staff:
            return [200] if self._is_kept() else []
        good = {} if self._is_list_view() else self._told.good
        return [status for status, name in good.items() if name is not None and _has_state(self._shown_by(name))]

    def _shown_by(self, name: str) -> Any:
        """The serializer of a path, "" for the view's own."""
        return import_string(name) if name else self.ours.serializer_class

    def _is_kept(self) -> bool:
        return self.method == "GET" and self.ours.keeping is not Keeping.NOT

    def _tells_where(self) -> bool:
        return 201 in self._told.good and not self.is_of_staff

    def get_request_serializer(self) -> Any:
        body = self.ours.body_class
        return None if body is None else OpenApiRequest(body, examples=examples.sent(body))

    def _get_request_body(self, direction: Any = "request") -> Any:
        return None if self.ours.body_class is None else super()._get_request_body(direction)

    # What it answers --------------------------------------------------------------------------------------

    @property
    def _told(self) -> statuses.Told:
        return statuses.told(self.view, self.method)

    def get_response_serializers(self) -> Any:
        good = {status: self._good(status, name) for status, name in self._told.good.items()}
        kept = {304: OpenApiResponse(description="As the reader has it already.")} if self._is_kept() else {}
        files = {(200, of): OpenApiResponse(bytes, "As a file, where one is asked for.") for of in self._told.files}
        has_place = "{" in self.path or self._is_list_view()
        refused = statuses.refusals(self.view, self.method, has_place=has_place)
        return good | files | kept | {status: _refusal(status, codes) for status, codes in refused.items()}

    def _good(self, status: int, name: str | None) -> OpenApiResponse:
        if name is None:
            return OpenApiResponse(description="Done.")
        shown = self._shown_by(name)
        return OpenApiResponse(shown, HTTPStatus(status).phrase, examples=examples.shown(shown))


def _has_state(serializer: type) -> bool:
    """Whether it tells the state of what is edited, and not the number of an answer's."""
    return isinstance(getattr(serializer, "_declared_fields", {}).get("revision"), serializers.CharField)


def _refusal(status: int, codes: statuses.Codes) -> OpenApiResponse:
    said = ", ".join(f"`{code}`" if "_" in code or code.isalpha() else code for code in codes)
    return OpenApiResponse(ErrorSerializer, f"{HTTPStatus(status).phrase}: {said}", examples=examples.refusal(codes))


class OtherAuthentication(OpenApiAuthenticationExtension):
    """A host's own way to say who asks, which nothing else describes: by what it challenges a visitor with."""

    target_class = "rest_framework.authentication.BaseAuthentication"
    match_subclasses = True
    priority = -10

    @property
    def name(self) -> str:  # type: ignore[override]
        return "cookieAuth" if self._is_session else type(self.target).__name__

    @property
    def _is_session(self) -> bool:
        return isinstance(self.target, SessionAuthentication)

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        if self._is_session:
            return {"type": "apiKey", "in": "cookie", "name": settings.SESSION_COOKIE_NAME}
        challenge = self.target.authenticate_header(auto_schema.view.request)
        if challenge:
            return {"type": "http", "scheme": challenge.split()[0].lower()}
        return {"type": "apiKey", "in": "header", "name": "Authorization"}
