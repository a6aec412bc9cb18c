"""What editors see: translations to check, the history of questions, reports; and what statistics count."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("mpquiz", "0004_exams"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Report",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=20, verbose_name="language")),
                ("note", models.TextField(blank=True, verbose_name="note")),
                ("created_at", models.DateTimeField(auto_now_add=True, verbose_name="reported")),
                ("settled_at", models.DateTimeField(null=True, verbose_name="settled")),
            ],
            options={
                "verbose_name": "report of a question",
                "verbose_name_plural": "reports of questions",
                "ordering": ["settled_at", "created_at", "pk"],
                "default_permissions": ("view", "change"),
            },
        ),
        migrations.CreateModel(
            name="Revision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("content", models.JSONField()),
                ("digest", models.CharField(max_length=64)),
                (
                    "source",
                    models.CharField(
                        choices=[
                            ("edited", "Edited"),
                            ("imported", "Imported"),
                            ("restored", "Brought back"),
                            ("found", "As it was before"),
                        ],
                        default="edited",
                        max_length=10,
                    ),
                ),
                ("at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "state of a question",
                "verbose_name_plural": "states of questions",
                "ordering": ["-pk"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="StaleText",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=40, verbose_name="field")),
                ("language", models.CharField(max_length=20, verbose_name="language")),
                ("since", models.DateTimeField(auto_now_add=True, verbose_name="since")),
            ],
            options={
                "verbose_name": "translation to check",
                "verbose_name_plural": "translations to check",
                "ordering": ["-pk"],
                "default_permissions": ("view", "change"),
            },
        ),
        migrations.AddField(
            model_name="answer",
            name="counted_in",
            field=models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="mpquiz.quiz",
            ),
        ),
        migrations.AddField(
            model_name="answer",
            name="tally",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AddField(
            model_name="quizlanguage",
            name="although_incomplete",
            field=models.BooleanField(
                default=False,
                help_text="Learners read what is missing in another language.",
                verbose_name="although texts are missing",
            ),
        ),
        migrations.AddIndex(
            model_name="answer",
            index=models.Index(fields=["counted_in", "question", "tally", "language"], name="mpquiz_tally"),
        ),
        migrations.AddField(
            model_name="report",
            name="answer",
            field=models.OneToOneField(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="report", to="mpquiz.answer"
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="question",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="reports",
                to="mpquiz.question",
                verbose_name="question",
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="quiz",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="reports",
                to="mpquiz.quiz",
                verbose_name="quiz",
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="settled_by",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="settled by",
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="user",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="learner",
            ),
        ),
        migrations.AddField(
            model_name="report",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="mpquiz.questionversion"
            ),
        ),
        migrations.AddField(
            model_name="revision",
            name="by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="revision",
            name="question",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="revisions", to="mpquiz.question"
            ),
        ),
        migrations.AddField(
            model_name="staletext",
            name="choice",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="stale_texts",
                to="mpquiz.choice",
            ),
        ),
        migrations.AddField(
            model_name="staletext",
            name="guide",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="stale_texts",
                to="mpquiz.guide",
            ),
        ),
        migrations.AddField(
            model_name="staletext",
            name="question",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="stale_texts",
                to="mpquiz.question",
            ),
        ),
        migrations.AddField(
            model_name="staletext",
            name="quiz",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="stale_texts",
                to="mpquiz.quiz",
            ),
        ),
        migrations.AddField(
            model_name="staletext",
            name="tag",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="stale_texts",
                to="mpquiz.tag",
            ),
        ),
        migrations.AddIndex(
            model_name="report",
            index=models.Index(fields=["settled_at", "created_at"], name="mpquiz_reports"),
        ),
        migrations.AddConstraint(
            model_name="staletext",
            constraint=models.UniqueConstraint(fields=("quiz", "name", "language"), name="mpquiz_stale_quiz"),
        ),
        migrations.AddConstraint(
            model_name="staletext",
            constraint=models.UniqueConstraint(fields=("question", "name", "language"), name="mpquiz_stale_question"),
        ),
        migrations.AddConstraint(
            model_name="staletext",
            constraint=models.UniqueConstraint(fields=("choice", "name", "language"), name="mpquiz_stale_choice"),
        ),
        migrations.AddConstraint(
            model_name="staletext",
            constraint=models.UniqueConstraint(fields=("guide", "name", "language"), name="mpquiz_stale_guide"),
        ),
        migrations.AddConstraint(
            model_name="staletext",
            constraint=models.UniqueConstraint(fields=("tag", "name", "language"), name="mpquiz_stale_tag"),
        ),
    ]
