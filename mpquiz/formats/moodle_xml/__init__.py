"""Moodle's XML format of questions."""

from .reading import parse
from .writing import render

__all__ = ["parse", "render"]
