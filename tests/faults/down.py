"""A cache whose server does not answer."""

from typing import Any, NoReturn

from django.core.cache.backends.base import BaseCache


class DownCache(BaseCache):
    """Each operation fails as that of a client fails whose server is away."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def _fail(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise ConnectionError("Error 111 connecting to the cache. Connection refused.")

    get = set = add = delete = touch = clear = get_many = set_many = delete_many = has_key = incr = _fail
