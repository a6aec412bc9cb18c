"""What learners did is read from the database that is written, by whatever road it is come to. No table changes."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [
        ("mpquiz", "0007_publishes_answers"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="answer",
            options={
                "base_manager_name": "objects",
                "ordering": ["position"],
                "verbose_name": "answer",
                "verbose_name_plural": "answers",
            },
        ),
        migrations.AlterModelOptions(
            name="attempt",
            options={
                "base_manager_name": "objects",
                "ordering": ["-started_at", "-pk"],
                "verbose_name": "attempt",
                "verbose_name_plural": "attempts",
            },
        ),
        migrations.AlterModelOptions(
            name="pendingimport",
            options={
                "base_manager_name": "objects",
                "verbose_name": "import to be confirmed",
                "verbose_name_plural": "imports to be confirmed",
            },
        ),
        migrations.AlterModelOptions(
            name="questionversion",
            options={
                "base_manager_name": "objects",
                "verbose_name": "version of a question",
                "verbose_name_plural": "versions of questions",
            },
        ),
        migrations.AlterModelOptions(
            name="remark",
            options={
                "base_manager_name": "objects",
                "default_permissions": (),
                "ordering": ["pk"],
                "verbose_name": "re-marked answer",
                "verbose_name_plural": "re-marked answers",
            },
        ),
        migrations.AlterModelOptions(
            name="remarking",
            options={
                "base_manager_name": "objects",
                "default_permissions": (),
                "ordering": ["-at", "-pk"],
                "verbose_name": "re-marking",
                "verbose_name_plural": "re-markings",
            },
        ),
        migrations.AlterModelOptions(
            name="report",
            options={
                "base_manager_name": "objects",
                "default_permissions": ("view", "change"),
                "ordering": ["settled_at", "created_at", "pk"],
                "verbose_name": "report of a question",
                "verbose_name_plural": "reports of questions",
            },
        ),
        migrations.AlterModelOptions(
            name="revision",
            options={
                "base_manager_name": "objects",
                "default_permissions": (),
                "ordering": ["-pk"],
                "verbose_name": "state of a question",
                "verbose_name_plural": "states of questions",
            },
        ),
    ]
