"""What more kinds of question need: pairs, numbers, gaps, marking by a person; titles and tags; uploads to confirm."""

import uuid

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from mpquiz.translated_migrations import add_translated, translated


class Migration(migrations.Migration):
    dependencies = [
        ("mpquiz", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Tag",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "name",
                    models.CharField(
                        help_text="A tag within another: Algebra/Vectors.", max_length=200, verbose_name="name"
                    ),
                ),
                ("key", models.CharField(editable=False, max_length=64, unique=True)),
                *translated(
                    "description", models.TextField(blank=True, help_text="Markdown.", verbose_name="description")
                ),
            ],
            options={"verbose_name": "tag", "verbose_name_plural": "tags", "ordering": ["name", "pk"]},
        ),
        migrations.CreateModel(
            name="PendingImport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("name", models.CharField(blank=True, max_length=200)),
                ("format", models.CharField(max_length=40)),
                ("language", models.CharField(max_length=20)),
                ("encoding", models.CharField(blank=True, max_length=40)),
                ("into", models.SlugField(blank=True, max_length=80)),
                ("force", models.BooleanField(default=False)),
                ("data", models.BinaryField()),
                ("files", models.JSONField(default=list)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("confirmed_at", models.DateTimeField(null=True)),
                (
                    "quiz",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="mpquiz.quiz"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name": "import to be confirmed",
                "verbose_name_plural": "imports to be confirmed",
            },
        ),
        *add_translated(
            "question",
            "title",
            models.CharField(
                blank=True,
                help_text="What editors call it; learners do not see it.",
                max_length=200,
                verbose_name="title",
            ),
        ),
        migrations.AddField(
            "question",
            "tags",
            models.ManyToManyField(blank=True, related_name="questions", to="mpquiz.tag", verbose_name="tags"),
        ),
        *add_translated(
            "choice",
            "match",
            models.TextField(
                blank=True, help_text="What belongs to the text, where pairs are matched.", verbose_name="match"
            ),
        ),
        migrations.AddField(
            "choice",
            "value",
            models.CharField(
                blank=True,
                help_text="A number: 3.14, 3.14:0.01 (give or take), 3..5, or *.",
                max_length=100,
                verbose_name="value",
            ),
        ),
        migrations.AddField(
            "choice",
            "part",
            models.SlugField(
                blank=True, help_text="The name of the gap it belongs to: 1.", max_length=20, verbose_name="gap"
            ),
        ),
        migrations.AddField(
            "attempt", "waiting", models.PositiveIntegerField(default=0, verbose_name="waiting to be marked")
        ),
        migrations.AddField("answer", "asks", models.BooleanField(default=True)),
        migrations.AddField(
            "answer",
            "marked_by",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
                verbose_name="marked by",
            ),
        ),
        migrations.AddField("answer", "comment", models.TextField(blank=True, verbose_name="comment")),
    ]
