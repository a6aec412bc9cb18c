"""What a question was: each state that somebody saved, what differs between two, and bringing one back."""

from .comparing import Change, Piece, differences
from .recording import current, keep_found, record
from .restoring import Restored, lost_by, restore

__all__ = ["Change", "Piece", "Restored", "current", "differences", "keep_found", "lost_by", "record", "restore"]
