"""A file of others beside a quiz that is there: the same course in another language, the same file again, or more."""

from .joined import Joined, join
from .matching import Unlike

__all__ = ["Joined", "Unlike", "join"]
