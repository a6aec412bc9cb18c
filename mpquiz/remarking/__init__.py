"""Marking a question of a quiz anew after its key was corrected: who would change, doing it, and undoing it.

It concerns the attempts that have ended, those past their deadline too; one that is running keeps the key of its
start, and is caught up with when the question is marked anew once more. Trials, retries and abandoned attempts are
marked anew with the others and stand in no number, since they count for nothing.

The rules exclude each other: whichever is applied last holds, so that a question which was left out counts again once
it is marked by a key. What the newest one changed can be put back.
"""

from .asking import AskedQuestion, Subject, asked_in, named, policies_for
from .marks import Change
from .previewing import Preview, preview, previews
from .storing import remark
from .telling import Correction, history
from .undoing import Undone, later_than, refuses_undo, undo

__all__ = [
    "AskedQuestion",
    "Change",
    "Correction",
    "Preview",
    "Subject",
    "Undone",
    "asked_in",
    "history",
    "later_than",
    "named",
    "policies_for",
    "preview",
    "previews",
    "refuses_undo",
    "remark",
    "undo",
]
