"""Marking by a person: the points given, the queue of what waits, and the right to mark."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("mpquiz", "0002_kinds_and_tags")]

    operations = [
        migrations.AddField(
            "answer",
            "awarded",
            models.DecimalField(decimal_places=2, max_digits=6, null=True, verbose_name="points"),
        ),
        migrations.AddIndex("attempt", models.Index(fields=["waiting"], name="mpquiz_waiting")),
        migrations.CreateModel(
            name="WaitingAnswer",
            fields=[],
            options={
                "verbose_name": "answer to be marked",
                "verbose_name_plural": "answers to be marked",
                "ordering": ["answered_at", "pk"],
                "proxy": True,
                "default_permissions": ("view", "change"),
                "indexes": [],
                "constraints": [],
            },
            bases=("mpquiz.answer",),
        ),
    ]
