"""As it is."""

from importlib import import_module

Migration = import_module("mpquiz.migrations.0006_counted_answers").Migration
