"""What lists and statistics read of a million attempts stands in indexes.

The answers of a quiz lie far apart in their table. Indexes that hold all that is read, or few of the rows, are
PostgreSQL's alone; those of the answers that count take nothing from an answer that is given, since they count later.
"""

import django.db.models.deletion
from django.db import migrations, models

_OF_POSTGRESQL = {
    "mpquiz_counted": """(counted_in_id, attempt_id)
        INCLUDE (version_id, question_id, language, tally, points, fraction, awarded, left_out)
        WHERE counted_in_id IS NOT NULL""",
    "mpquiz_by_hand": "(answered_at, id) WHERE awarded IS NOT NULL",
}


def _create(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name, definition in _OF_POSTGRESQL.items():
            schema_editor.execute(f"CREATE INDEX {name} ON mpquiz_answer {definition}")


def _drop(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        for name in _OF_POSTGRESQL:
            schema_editor.execute(f"DROP INDEX {name}")


class Migration(migrations.Migration):
    dependencies = [
        ("mpquiz", "0008_read_as_written"),
    ]

    operations = [
        migrations.AddIndex(
            model_name="answer",
            index=models.Index(fields=["attempt", "language"], name="mpquiz_read_in"),
        ),
        migrations.AlterField(
            model_name="answer",
            name="attempt",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="answers",
                to="mpquiz.attempt",
            ),
        ),
        migrations.RunPython(_create, _drop),
    ]
