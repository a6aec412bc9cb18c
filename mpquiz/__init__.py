"""Quizzes for a Django course site, in every language of the site."""

__version__ = "0.1.0"
