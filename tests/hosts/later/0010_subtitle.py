"""A later release: a new translated field, and an altered one."""

from django.db import migrations, models

from mpquiz.translated_migrations import add_translated, alter_translated


class Migration(migrations.Migration):
    dependencies = [("mpquiz", "0009_read_by_indexes")]

    operations = [
        *add_translated("quiz", "subtitle", models.CharField(blank=True, default="", max_length=200)),
        *alter_translated("quiz", "title", models.CharField(blank=True, max_length=250, verbose_name="title")),
    ]
