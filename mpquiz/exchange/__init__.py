"""The only bridge between content and rows: ``load`` stores a quiz, ``dump`` takes one out.

Each guide, quiz and question keeps in ``imported`` the digest of what the last import wrote. Where the row still
reads so, nobody changed it since and the next import may; where it reads otherwise an editor was there, and the
import leaves it alone and says so.
"""

from .dumping import canonical, dump, dump_questions, for_host
from .loading import amend, amend_question, load
from .outcome import Item, Loaded, Mistake, Raced, What

__all__ = [
    "Item",
    "Loaded",
    "Mistake",
    "Raced",
    "What",
    "amend",
    "amend_question",
    "canonical",
    "dump",
    "dump_questions",
    "for_host",
    "load",
]
