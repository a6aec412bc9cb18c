"""The first tables. Translated columns follow the host's languages: see ``mpquiz.translated_migrations``."""

import uuid
from decimal import Decimal

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import mpquiz.kinds
import mpquiz.models.guide
import mpquiz.models.question
import mpquiz.models.quiz
from mpquiz.translated_migrations import translated


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Guide",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("slug", models.SlugField(max_length=80, unique=True, verbose_name="slug")),
                *translated("title", models.CharField(blank=True, max_length=200, verbose_name="title")),
                (
                    "address",
                    models.CharField(
                        blank=True,
                        help_text="A path without language prefix (/guides/floats/), the name of a URL, or a full address.",
                        validators=[mpquiz.models.guide.is_address],
                        max_length=500,
                        verbose_name="address",
                    ),
                ),
                (
                    "place",
                    models.PositiveIntegerField(
                        default=0, help_text="Guides are listed in this order.", verbose_name="place"
                    ),
                ),
                ("imported", models.CharField(blank=True, editable=False, max_length=64)),
            ],
            options={
                "verbose_name": "guide",
                "verbose_name_plural": "guides",
                "ordering": ["place", "slug"],
            },
        ),
        migrations.CreateModel(
            name="Attempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("public_id", models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ("guest", models.CharField(blank=True, db_index=True, max_length=64, null=True)),
                ("number", models.PositiveIntegerField(verbose_name="number")),
                ("open", models.BooleanField(default=True, null=True, verbose_name="open")),
                ("title", models.JSONField(default=dict)),
                ("rules", models.JSONField(default=dict)),
                ("maximum", models.DecimalField(decimal_places=2, max_digits=10, verbose_name="maximum")),
                (
                    "score",
                    models.DecimalField(decimal_places=9, default=Decimal("0"), max_digits=17, verbose_name="score"),
                ),
                ("deadline", models.DateTimeField(blank=True, null=True, verbose_name="deadline")),
                ("started_at", models.DateTimeField(default=django.utils.timezone.now, verbose_name="started")),
                ("finished_at", models.DateTimeField(blank=True, null=True, verbose_name="finished")),
                (
                    "ended",
                    models.CharField(
                        blank=True,
                        choices=[("finished", "Finished"), ("time_up", "Time was up"), ("abandoned", "Abandoned")],
                        max_length=20,
                        verbose_name="how it ended",
                    ),
                ),
                ("trial", models.BooleanField(default=False, verbose_name="trial")),
                ("revision", models.PositiveIntegerField(default=0)),
                (
                    "retry_of",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="retries",
                        to="mpquiz.attempt",
                        verbose_name="retry of",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="mpquiz_attempts",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="learner",
                    ),
                ),
            ],
            options={
                "verbose_name": "attempt",
                "verbose_name_plural": "attempts",
                "ordering": ["-started_at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Question",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "key",
                    models.CharField(
                        default=mpquiz.models.question.new_question_key,
                        help_text="Names the question in files, for good.",
                        max_length=170,
                        unique=True,
                        validators=[
                            django.core.validators.RegexValidator(
                                "^[a-z0-9-]+/[a-z0-9-]+\\Z",
                                "A key is namespace/name, in small Latin letters, digits and hyphens.",
                            )
                        ],
                        verbose_name="key",
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=mpquiz.kinds.choices, default="single", max_length=40, verbose_name="kind"
                    ),
                ),
                *translated("prompt", models.TextField(blank=True, help_text="Markdown.", verbose_name="prompt")),
                *translated(
                    "explanation",
                    models.TextField(
                        blank=True,
                        help_text="Markdown. Shown after the answer, whatever it was.",
                        verbose_name="explanation",
                    ),
                ),
                (
                    "settings",
                    models.JSONField(
                        validators=[mpquiz.models.question.is_plain_object],
                        blank=True,
                        default=dict,
                        verbose_name="settings",
                    ),
                ),
                ("imported", models.CharField(blank=True, editable=False, max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "guides",
                    models.ManyToManyField(
                        blank=True, related_name="questions", to="mpquiz.guide", verbose_name="guides"
                    ),
                ),
            ],
            options={
                "verbose_name": "question",
                "verbose_name_plural": "questions",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="QuestionVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("digest", models.CharField(max_length=64)),
                ("content", models.JSONField()),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                (
                    "question",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="versions",
                        to="mpquiz.question",
                    ),
                ),
            ],
            options={
                "verbose_name": "version of a question",
                "verbose_name_plural": "versions of questions",
            },
        ),
        migrations.CreateModel(
            name="Answer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField(verbose_name="position")),
                ("points", models.DecimalField(decimal_places=2, max_digits=6, verbose_name="points")),
                ("order", models.JSONField(default=list)),
                ("given", models.JSONField(null=True)),
                ("language", models.CharField(blank=True, max_length=20, verbose_name="language")),
                ("fraction", models.DecimalField(decimal_places=7, max_digits=8, null=True, verbose_name="fraction")),
                ("answered_at", models.DateTimeField(null=True, verbose_name="answered")),
                ("marked_at", models.DateTimeField(null=True, verbose_name="marked")),
                ("revision", models.PositiveIntegerField(default=0)),
                (
                    "attempt",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="answers", to="mpquiz.attempt"
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="answers",
                        to="mpquiz.question",
                    ),
                ),
                (
                    "marked_with",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="marked_answers",
                        to="mpquiz.questionversion",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers",
                        to="mpquiz.questionversion",
                    ),
                ),
            ],
            options={
                "verbose_name": "answer",
                "verbose_name_plural": "answers",
                "ordering": ["position"],
            },
        ),
        migrations.CreateModel(
            name="Quiz",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "slug",
                    models.SlugField(
                        max_length=80, unique=True, validators=[mpquiz.models.quiz.not_reserved], verbose_name="slug"
                    ),
                ),
                ("namespace", models.SlugField(default="site", editable=False, max_length=80)),
                *translated("title", models.CharField(blank=True, max_length=200, verbose_name="title")),
                *translated(
                    "description", models.TextField(blank=True, help_text="Markdown.", verbose_name="description")
                ),
                (
                    "level",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("beginner", "Beginner level"),
                            ("intermediate", "Intermediate level"),
                            ("advanced", "Advanced level"),
                        ],
                        max_length=20,
                        verbose_name="level",
                    ),
                ),
                (
                    "pass_mark",
                    models.DecimalField(
                        blank=True,
                        decimal_places=2,
                        help_text="Percent of the points. Empty: the quiz is neither passed nor failed.",
                        max_digits=5,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(Decimal("0")),
                            django.core.validators.MaxValueValidator(Decimal("100")),
                        ],
                        verbose_name="pass mark",
                    ),
                ),
                (
                    "shuffle_choices",
                    models.BooleanField(
                        default=False,
                        help_text="Each attempt shows the choices in an order of its own.",
                        verbose_name="shuffle choices",
                    ),
                ),
                (
                    "preview",
                    models.BooleanField(
                        default=True,
                        help_text="All questions can be read, without answers, before the start.",
                        verbose_name="preview",
                    ),
                ),
                (
                    "place",
                    models.PositiveIntegerField(
                        default=0, help_text="Quizzes are listed in this order.", verbose_name="place"
                    ),
                ),
                (
                    "archived",
                    models.BooleanField(
                        default=False,
                        help_text="No longer offered; attempts and results stay.",
                        verbose_name="archived",
                    ),
                ),
                ("imported", models.CharField(blank=True, editable=False, max_length=64)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "guides",
                    models.ManyToManyField(
                        blank=True, related_name="quizzes", to="mpquiz.guide", verbose_name="guides"
                    ),
                ),
            ],
            options={
                "verbose_name": "quiz",
                "verbose_name_plural": "quizzes",
                "ordering": ["place", "pk"],
            },
        ),
        migrations.AddField(
            model_name="attempt",
            name="quiz",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="attempts",
                to="mpquiz.quiz",
                verbose_name="quiz",
            ),
        ),
        migrations.CreateModel(
            name="QuizLanguage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("language", models.CharField(max_length=20, verbose_name="language")),
                ("published_at", models.DateTimeField(auto_now_add=True)),
                (
                    "quiz",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="languages", to="mpquiz.quiz"
                    ),
                ),
            ],
            options={
                "verbose_name": "publication",
                "verbose_name_plural": "publications",
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="QuizQuestion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveIntegerField(default=0, verbose_name="place")),
                (
                    "points",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("1"),
                        max_digits=6,
                        validators=[django.core.validators.MinValueValidator(Decimal("0"))],
                        verbose_name="points",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="places",
                        to="mpquiz.question",
                        verbose_name="question",
                    ),
                ),
                (
                    "quiz",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="places", to="mpquiz.quiz"
                    ),
                ),
            ],
            options={
                "verbose_name": "question of the quiz",
                "verbose_name_plural": "questions of the quiz",
                "ordering": ["place", "pk"],
            },
        ),
        migrations.AddField(
            model_name="quiz",
            name="questions",
            field=models.ManyToManyField(related_name="quizzes", through="mpquiz.QuizQuestion", to="mpquiz.question"),
        ),
        migrations.CreateModel(
            name="Choice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "key",
                    models.SlugField(default=mpquiz.models.question.new_choice_key, editable=False, max_length=40),
                ),
                ("place", models.PositiveIntegerField(default=0, verbose_name="place")),
                *translated(
                    "text", models.TextField(blank=True, help_text="Markdown within a line.", verbose_name="text")
                ),
                ("right", models.BooleanField(default=False, verbose_name="right")),
                (
                    "weight",
                    models.DecimalField(
                        blank=True,
                        decimal_places=7,
                        help_text="Share of the points, -1 to 1. Empty: as the kind of question reckons.",
                        max_digits=8,
                        null=True,
                        validators=[
                            django.core.validators.MinValueValidator(Decimal("-1")),
                            django.core.validators.MaxValueValidator(Decimal("1")),
                        ],
                        verbose_name="weight",
                    ),
                ),
                *translated(
                    "feedback",
                    models.TextField(
                        blank=True, help_text="Markdown. Shown to whoever chose this.", verbose_name="feedback"
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="choices", to="mpquiz.question"
                    ),
                ),
            ],
            options={
                "verbose_name": "choice",
                "verbose_name_plural": "choices",
                "ordering": ["place", "pk"],
                "constraints": [models.UniqueConstraint(fields=("question", "key"), name="mpquiz_choice_key")],
            },
        ),
        migrations.AddConstraint(
            model_name="questionversion",
            constraint=models.UniqueConstraint(fields=("question", "digest"), name="mpquiz_version_once"),
        ),
        migrations.AddConstraint(
            model_name="answer",
            constraint=models.UniqueConstraint(fields=("attempt", "position"), name="mpquiz_one_answer"),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(fields=("quiz", "user", "number"), name="mpquiz_user_number"),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(fields=("quiz", "guest", "number"), name="mpquiz_guest_number"),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(fields=("quiz", "user", "open"), name="mpquiz_user_open"),
        ),
        migrations.AddConstraint(
            model_name="attempt",
            constraint=models.UniqueConstraint(fields=("quiz", "guest", "open"), name="mpquiz_guest_open"),
        ),
        migrations.AddConstraint(
            model_name="quizlanguage",
            constraint=models.UniqueConstraint(fields=("quiz", "language"), name="mpquiz_one_publication"),
        ),
        migrations.AddConstraint(
            model_name="quizquestion",
            constraint=models.UniqueConstraint(
                fields=("quiz", "question"),
                name="mpquiz_question_once_a_quiz",
                violation_error_message="The question is in this quiz already.",
            ),
        ),
    ]
