"""What stands for a row in an address. What can be none is a row that is not there: 404 in JSON, as for any other."""

import re

from django.core.validators import slug_re
from django.urls import register_converter


class SlugConverter:
    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return value if slug_re.match(value) else ""

    def to_url(self, value: str) -> str:
        return value


class NumberConverter:
    regex = "[^/]+"

    def to_python(self, value: str) -> int:
        return int(value) if re.fullmatch("[0-9]{1,18}", value) else 0

    def to_url(self, value: int) -> str:
        return str(value)


register_converter(SlugConverter, "mpquiz_slug")
register_converter(NumberConverter, "mpquiz_number")
