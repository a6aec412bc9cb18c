"""What an editor may want to look at in a question, whichever language it is written in. No database, no refusals.

One table of rules. A rule is a function of the question as it is read; what it yields gets its code from the table.
Each goes through a text once, or a bounded number of times, with patterns whose repetitions hold no others: so a
hostile text costs no more than a long one.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from .. import kinds
from ..content import QuestionContent
from . import choices, directions, languages, links, prompts, signs
from .reading import Question, Warning

__all__ = ["RULES", "Warning", "warnings"]

Rule = Callable[[Question], Iterator[Warning]]

RULES: Mapping[str, Rule] = {
    "odd": choices.odd,
    "names_places": choices.names_places,
    "points_at": choices.points_at,
    "labels": choices.labels,
    "gives_away": choices.gives_away,
    "negation": prompts.quiet_negation,
    "copied": languages.copied,
    "script": languages.other_script,
    "turned": directions.turned,
    "controls": signs.controls,
    "unseen_in_code": signs.unseen_in_code,
    "brackets": signs.brackets,
    "quotes": signs.quotes,
    "formula": signs.broken_formulas,
    "guide": links.dead_guides,
    "link": links.dead_links,
    "punctuation": signs.latin_punctuation,
}
"""Rules by their codes, those that weigh more first."""


def warnings(
    content: QuestionContent, *, shuffles: bool | None = None, guides: Mapping[str, str] | None = None
) -> list[Warning]:
    """What is odd about a question as it was written.

    ``shuffles``: whether a quiz shuffles its choices (None: it may). ``guides``: the address of each guide by its
    slug, "" where it has none; where left out nobody looks.
    """
    complete = kinds.kept(content.kind).complete(content)
    question = Question(complete, shuffles, guides)
    return [replace(found, code=code) for code, rule in RULES.items() for found in rule(question)]
