"""What a host has set up wrong, each with an id and what to do."""


def register_all() -> None:
    """Register the checks with Django."""
