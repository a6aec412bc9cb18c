"""What is stored about one person: counted, told to them, and erased.

A person is a ``Learner``: a user, who may also be staff, or a guest's token. ``holdings`` says where their data
stand; a test finds whatever model or column is not among them. The log of the admin and sessions are the host's.
"""

from .erasing import before_deletion, erase, forget_session
from .exporting import export, write
from .holdings import held
from .retention import let_go_of_guests, let_go_of_learners

__all__ = [
    "before_deletion",
    "erase",
    "export",
    "forget_session",
    "held",
    "let_go_of_guests",
    "let_go_of_learners",
    "write",
]
