"""As it is."""

from importlib import import_module

Migration = import_module("mpquiz.migrations.0007_publishes_answers").Migration
