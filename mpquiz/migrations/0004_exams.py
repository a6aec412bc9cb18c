"""Quizzes as exams: rules, pools, accommodations, and the record of what was marked anew."""

from decimal import Decimal

import django.core.validators
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import mpquiz.rules


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("mpquiz", "0003_marking"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="answer",
            name="draft",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="answer",
            name="flagged",
            field=models.BooleanField(default=False, verbose_name="flagged"),
        ),
        migrations.AddField(
            model_name="answer",
            name="left_out",
            field=models.BooleanField(default=False, verbose_name="left out"),
        ),
        migrations.AddField(
            model_name="attempt",
            name="reached",
            field=models.PositiveIntegerField(default=1),
        ),
        migrations.AddField(
            model_name="choice",
            name="keeps_place",
            field=models.BooleanField(
                default=False,
                help_text="Also where choices are shuffled: for “None of the above”.",
                verbose_name="keeps its place",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="access",
            field=models.CharField(
                choices=[
                    ("everyone", "Everyone, guests too"),
                    ("signed_in", "Whoever is signed in"),
                    ("groups", "Members of the groups below"),
                ],
                default="everyone",
                max_length=20,
                verbose_name="who may take it",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="attempts_allowed",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Empty: as many as a learner likes. The limit is firm for whoever is signed in.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="attempts allowed",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="closes_at",
            field=models.DateTimeField(
                blank=True, null=True, validators=[mpquiz.rules.is_in_calendar], verbose_name="closes"
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="counting",
            field=models.CharField(
                choices=[
                    ("best", "The best attempt"),
                    ("last", "The last attempt"),
                    ("first", "The first attempt"),
                    ("average", "The average of all attempts"),
                ],
                default="best",
                max_length=20,
                verbose_name="which attempt counts",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="draw",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="How many of the quiz's own questions an attempt asks, drawn by lot. Empty: all.",
                null=True,
                validators=[django.core.validators.MinValueValidator(1)],
                verbose_name="draw",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="feedback",
            field=models.CharField(
                choices=[
                    ("at_once", "At once, after each answer"),
                    ("at_end", "At the end; answers can be changed until then"),
                ],
                default="at_once",
                max_length=20,
                verbose_name="feedback",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="groups",
            field=models.ManyToManyField(
                blank=True, related_name="mpquiz_quizzes", to="auth.group", verbose_name="groups"
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="layout",
            field=models.CharField(
                choices=[("one", "One question at a time"), ("all", "All questions on one page")],
                default="one",
                max_length=20,
                verbose_name="layout",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="one_way",
            field=models.BooleanField(
                default=False,
                help_text="Questions come one after the other; nobody can go back.",
                verbose_name="one way",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="opens_at",
            field=models.DateTimeField(
                blank=True, null=True, validators=[mpquiz.rules.is_in_calendar], verbose_name="opens"
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="password",
            field=models.CharField(
                blank=True,
                help_text="Asked for at the start. Whoever may change the quiz can read it here.",
                max_length=100,
                verbose_name="password",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="runs_past_closing",
            field=models.BooleanField(
                default=False,
                help_text="Whoever has started may go on after the closing time. Else it is handed in for them then.",
                verbose_name="runs past closing",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="show_explanation",
            field=models.CharField(
                choices=[
                    ("answer", "After each answer"),
                    ("finish", "After finishing"),
                    ("close", "After the quiz has closed"),
                    ("never", "Never"),
                ],
                default="answer",
                max_length=20,
                verbose_name="explanation",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="show_right_answer",
            field=models.CharField(
                choices=[
                    ("answer", "After each answer"),
                    ("finish", "After finishing"),
                    ("close", "After the quiz has closed"),
                    ("never", "Never"),
                ],
                default="answer",
                max_length=20,
                verbose_name="right answer",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="show_right_or_wrong",
            field=models.CharField(
                choices=[
                    ("answer", "After each answer"),
                    ("finish", "After finishing"),
                    ("close", "After the quiz has closed"),
                    ("never", "Never"),
                ],
                default="answer",
                max_length=20,
                verbose_name="right or wrong",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="show_score",
            field=models.CharField(
                choices=[
                    ("answer", "After each answer"),
                    ("finish", "After finishing"),
                    ("close", "After the quiz has closed"),
                    ("never", "Never"),
                ],
                default="answer",
                max_length=20,
                verbose_name="score",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="shuffle_questions",
            field=models.BooleanField(
                default=False,
                help_text="Each attempt asks the questions in an order of its own.",
                verbose_name="shuffle questions",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="time_limit",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Minutes from the start. Empty: no limit.",
                null=True,
                validators=[
                    django.core.validators.MinValueValidator(1),
                    django.core.validators.MaxValueValidator(527040),
                ],
                verbose_name="time limit",
            ),
        ),
        migrations.AddField(
            model_name="quiz",
            name="wait",
            field=models.PositiveIntegerField(
                blank=True,
                help_text="Minutes from the end of an attempt to the start of the next. Empty: no wait.",
                null=True,
                validators=[django.core.validators.MaxValueValidator(527040)],
                verbose_name="wait between attempts",
            ),
        ),
        migrations.CreateModel(
            name="Remarking",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "policy",
                    models.CharField(
                        choices=[
                            ("new_key", "Mark by the new key"),
                            ("either_key", "Take the better of the old and the new key"),
                            ("full_marks", "Full marks for everybody"),
                            ("leave_out", "Leave the question out"),
                        ],
                        max_length=20,
                        verbose_name="rule",
                    ),
                ),
                ("reason", models.TextField(blank=True, verbose_name="reason")),
                ("at", models.DateTimeField(auto_now_add=True, verbose_name="when")),
                ("undone_at", models.DateTimeField(null=True, verbose_name="undone")),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="marked anew by",
                    ),
                ),
                (
                    "question",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="remarkings",
                        to="mpquiz.question",
                        verbose_name="question",
                    ),
                ),
                (
                    "quiz",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarkings",
                        to="mpquiz.quiz",
                        verbose_name="quiz",
                    ),
                ),
                (
                    "undone_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="undone by",
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarkings",
                        to="mpquiz.questionversion",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "verbose_name": "re-marking",
                "verbose_name_plural": "re-markings",
                "ordering": ["-at", "-pk"],
            },
        ),
        migrations.CreateModel(
            name="Accommodation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "time_factor",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("1"),
                        help_text="How many times the time limit: 1.25 is a quarter more, at most 10.",
                        max_digits=4,
                        validators=[
                            django.core.validators.MinValueValidator(Decimal("1")),
                            django.core.validators.MaxValueValidator(Decimal("10")),
                        ],
                        verbose_name="time factor",
                    ),
                ),
                ("no_time_limit", models.BooleanField(default=False, verbose_name="no time limit")),
                (
                    "extra_attempts",
                    models.PositiveIntegerField(
                        default=0,
                        help_text="Beyond those allowed.",
                        validators=[django.core.validators.MaxValueValidator(1000)],
                        verbose_name="extra attempts",
                    ),
                ),
                (
                    "opens_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Instead of the quiz's own time.",
                        null=True,
                        validators=[mpquiz.rules.is_in_calendar],
                        verbose_name="opens",
                    ),
                ),
                (
                    "closes_at",
                    models.DateTimeField(
                        blank=True,
                        help_text="Instead of the quiz's own time.",
                        null=True,
                        validators=[mpquiz.rules.is_in_calendar],
                        verbose_name="closes",
                    ),
                ),
                ("note", models.TextField(blank=True, help_text="Why; only staff see it.", verbose_name="note")),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("updated_at", models.DateTimeField(auto_now=True)),
                (
                    "group",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mpquiz_accommodations",
                        to="auth.group",
                        verbose_name="group",
                    ),
                ),
                (
                    "quiz",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="accommodations",
                        to="mpquiz.quiz",
                        verbose_name="quiz",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mpquiz_accommodations",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="learner",
                    ),
                ),
            ],
            options={
                "verbose_name": "accommodation",
                "verbose_name_plural": "accommodations",
                "ordering": ["quiz", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("quiz", "user"),
                        name="mpquiz_granted_user",
                        violation_error_message="This learner has an accommodation in this quiz already.",
                    ),
                    models.UniqueConstraint(
                        fields=("quiz", "group"),
                        name="mpquiz_granted_group",
                        violation_error_message="This group has an accommodation in this quiz already.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Pool",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "count",
                    models.PositiveIntegerField(
                        default=1, validators=[django.core.validators.MinValueValidator(1)], verbose_name="how many"
                    ),
                ),
                (
                    "points",
                    models.DecimalField(
                        decimal_places=2,
                        default=Decimal("1"),
                        max_digits=6,
                        validators=[django.core.validators.MinValueValidator(Decimal("0"))],
                        verbose_name="points for each",
                    ),
                ),
                ("place", models.PositiveIntegerField(default=0, verbose_name="place")),
                (
                    "quiz",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="pools", to="mpquiz.quiz"
                    ),
                ),
                (
                    "tag",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="pools",
                        to="mpquiz.tag",
                        verbose_name="tag",
                    ),
                ),
            ],
            options={
                "verbose_name": "pool",
                "verbose_name_plural": "pools",
                "ordering": ["place", "pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("quiz", "tag"),
                        name="mpquiz_tag_once_a_quiz",
                        violation_error_message="The quiz draws from this tag already.",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("old_fraction", models.DecimalField(decimal_places=7, max_digits=8, null=True)),
                ("old_awarded", models.DecimalField(decimal_places=2, max_digits=6, null=True)),
                ("old_left_out", models.BooleanField(default=False)),
                ("old_score", models.DecimalField(decimal_places=9, max_digits=17)),
                ("old_maximum", models.DecimalField(decimal_places=2, max_digits=10)),
                ("new_score", models.DecimalField(decimal_places=9, max_digits=17)),
                ("new_maximum", models.DecimalField(decimal_places=2, max_digits=10)),
                ("revision", models.PositiveIntegerField()),
                ("put_back", models.BooleanField(default=False)),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="remarks", to="mpquiz.answer"
                    ),
                ),
                (
                    "old_marked_with",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="mpquiz.questionversion",
                    ),
                ),
                (
                    "remarking",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="remarks", to="mpquiz.remarking"
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "verbose_name": "re-marked answer",
                "verbose_name_plural": "re-marked answers",
                "ordering": ["pk"],
                "constraints": [models.UniqueConstraint(fields=("remarking", "answer"), name="mpquiz_remarked_once")],
            },
        ),
    ]
