"""Moodle's text format: read by the rules of Moodle's reader (``question/format/gift/format.php``), and written."""

from .reading import parse
from .writing import render

__all__ = ["parse", "render"]
