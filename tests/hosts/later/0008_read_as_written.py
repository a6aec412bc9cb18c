"""As it is."""

from importlib import import_module

Migration = import_module("mpquiz.migrations.0008_read_as_written").Migration
