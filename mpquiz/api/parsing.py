"""JSON that is sent: no more of it than Django takes of any body, and no deeper than can be read."""

from collections.abc import Mapping
from io import BytesIO
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class Parser(JSONParser):
    """Raises ParseError; RequestDataTooBig by ``DATA_UPLOAD_MAX_MEMORY_SIZE``, which a stream would go around."""

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        context: Any = parser_context or {}
        body = BytesIO(context["request"].body)
        try:
            return super().parse(body, media_type, context)
        except RecursionError as error:
            raise ParseError from error
