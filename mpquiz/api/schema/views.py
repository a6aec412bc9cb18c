"""The schema of all our endpoints, as JSON or YAML."""

from typing import Any

from drf_spectacular.drainage import reset_generator_stats
from drf_spectacular.generators import EndpointEnumerator, SchemaGenerator
from drf_spectacular.plumbing import build_root_object, normalize_result_object, sanitize_result_object
from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiJsonRenderer2, OpenApiYamlRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from ..base import ApiView, Keeping

VERSION = "1"
_DESCRIPTION = """Quizzes: read, taken and reviewed, and edited by staff.

Errors are `{"code": …, "detail": …}`. The same request again changes nothing. Texts are in the reader's language
(`?lang=`, else `Accept-Language`), each with the language that it really is in. Unsafe requests of whoever is known
by a session, guests too, carry the CSRF token that `quizzes/{slug}/start/` tells as `csrf`."""


class OwnEndpoints(EndpointEnumerator):
    """Ours alone of the host's, wherever they are mounted."""

    def should_include_endpoint(self, path: str, callback: Any) -> bool:
        ours = isinstance(getattr(callback, "cls", None), type) and issubclass(callback.cls, ApiView)
        return ours and super().should_include_endpoint(path, callback)


class Generator(SchemaGenerator):
    """The schema of our endpoints, whatever the host says of its own."""

    endpoint_inspector_cls = OwnEndpoints

    def get_schema(self, request: Any = None, public: bool = False) -> Any:
        reset_generator_stats()
        made = build_root_object(
            paths=self.parse(request, public), components=self.registry.build({}), webhooks={}, version=VERSION
        )
        made["info"] = {"title": "mpquiz", "version": VERSION, "description": _DESCRIPTION}
        return sanitize_result_object(normalize_result_object(made))


class SchemaView(ApiView):
    """What this API takes and answers, as OpenAPI 3; ``?format=yaml`` for YAML."""

    schema = None  # it does not describe itself
    renderer_classes = [OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer]
    keeping = Keeping.ANYBODY

    def get(self, request: Request) -> Response:
        generator = Generator(urlconf=getattr(request._request, "urlconf", None))
        return Response(generator.get_schema(request, public=True))
