"""As it is."""

from importlib import import_module

Migration = import_module("mpquiz.migrations.0002_kinds_and_tags").Migration
