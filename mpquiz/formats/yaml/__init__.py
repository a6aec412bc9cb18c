"""The native format: one file holds one quiz in all its languages. Schema version 1; the README describes it."""

from .reading import VERSIONS, parse
from .writing import render

__all__ = ["VERSIONS", "parse", "render"]
