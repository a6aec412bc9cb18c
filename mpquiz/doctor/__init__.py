"""What is wrong with an installation, and what to do: ``manage.py mpquiz_doctor`` prints it.

An ailment is a function ``(alias of the database that is written) -> findings``; its docstring says what it is when
there is a finding. The sentences are English, as those of the checks are.
"""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from django.db import router

from ..models import Attempt
from . import attempts, content, database, installation, surroundings
from .finding import Finding, Found

__all__ = ["AILMENTS", "Ailment", "Finding", "examine"]


@dataclass(frozen=True, slots=True)
class Ailment:
    """What is looked for. Where a ``fatal`` one is found, none that ``asks`` the tables is looked for."""

    name: str
    look: Callable[[str], Found]
    asks: bool = False
    fatal: bool = False


AILMENTS = (
    Ailment("database", database.unreachable, fatal=True),
    Ailment("checks", installation.checks, asks=True),
    Ailment("urls", installation.urls),
    Ailment("api", installation.api),
    Ailment("static", installation.static_files),
    Ailment("catalogues", installation.catalogues),
    Ailment("clock", installation.clock),
    Ailment("cookies", installation.cookies),
    Ailment("cache", surroundings.cache),
    Ailment("sessions", surroundings.sessions),
    Ailment("storage", surroundings.storage),
    Ailment("routing", surroundings.routing),
    Ailment("migrations", database.migrations, asks=True, fatal=True),
    Ailment("languages", content.languages, asks=True),
    Ailment("nothing_to_ask", content.nothing_to_ask, asks=True),
    Ailment("guides", content.guides, asks=True),
    Ailment("kinds", content.gone_kinds, asks=True),
    Ailment("files", content.lost_files, asks=True),
    Ailment("overdue", attempts.overdue, asks=True),
    Ailment("retention", attempts.kept_too_long, asks=True),
    Ailment("promises", attempts.promised, asks=True),
)


def examine(*, skip: Collection[str] = ()) -> Iterator[Finding]:
    """All that is found, ailment by ailment, those left out that ``skip`` names. A fixed number of queries."""
    using, fatal = router.db_for_write(Attempt), False
    for ailment in AILMENTS:
        if ailment.name in skip or (fatal and ailment.asks):
            continue
        found = list(ailment.look(using))
        fatal = fatal or (ailment.fatal and bool(found))
        yield from found
