"""Long forms that are sent as one field: of more than a thousand Django takes none (DATA_UPLOAD_MAX_NUMBER_FIELDS).

``packing.js`` packs a page that has so many. Its size is bound as that of any other form.
"""

import json
from collections.abc import Iterable

from django.core.exceptions import BadRequest
from django.http import QueryDict

PACKED = "packed"


def packed(fields: Iterable[tuple[str, str]]) -> str:
    """The names and values of fields as one value."""
    return json.dumps(list(fields))


def unpacked(sent: QueryDict) -> QueryDict:
    """A form as it was filled in, whether it was packed or not. Raises BadRequest."""
    if PACKED not in sent:
        return sent
    whole = sent.copy()
    [*_others, last] = whole.pop(PACKED)
    try:
        fields = [(str(name), str(value)) for name, value in json.loads(last)]
    except (ValueError, TypeError, RecursionError) as error:
        raise BadRequest("The fields of a form were not packed as this site packs them.") from error
    for name, value in fields:
        whole.appendlist(name, value)
    return whole
