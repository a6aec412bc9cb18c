"""As it is."""

from importlib import import_module

Migration = import_module("mpquiz.migrations.0009_read_by_indexes").Migration
