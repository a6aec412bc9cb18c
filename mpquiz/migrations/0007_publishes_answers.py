"""Whether a quiz tells search engines which answers are right."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("mpquiz", "0006_counted_answers")]

    operations = [
        migrations.AddField(
            model_name="quiz",
            name="publishes_answers",
            field=models.BooleanField(
                default=False,
                help_text="Search engines are told which answers are right, and whoever looks can read it before answering.",
                verbose_name="publishes the right answers",
            ),
        ),
    ]
