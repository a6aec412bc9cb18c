"""What statistics count of the answers that were there before.

Apart from the columns' own migration: PostgreSQL alters no table in whose rows it has just changed a foreign key.
"""

from django.db import migrations

_AT_ONCE = 2000


def _count_first_attempts(apps, schema_editor):
    """Have the answers of each learner's first attempt that counts, count in its quiz."""
    Attempt, Answer = apps.get_model("mpquiz", "Attempt"), apps.get_model("mpquiz", "Answer")
    using = schema_editor.connection.alias
    counted = Attempt.objects.using(using).filter(open=None, trial=False, retry_of=None).exclude(ended="abandoned")
    first: dict = {}
    rows = counted.order_by("number").values_list("pk", "quiz", "user", "guest")
    for pk, quiz, user, guest in rows.iterator(chunk_size=_AT_ONCE):
        first.setdefault((quiz, user, guest, None if user or guest else pk), pk)
    by_quiz: dict = {}
    for (quiz, *_owner), pk in first.items():
        by_quiz.setdefault(quiz, []).append(pk)
    answers = Answer.objects.using(using).filter(asks=True)
    for quiz, pks in by_quiz.items():
        for start in range(0, len(pks), _AT_ONCE):
            answers.filter(attempt__in=pks[start : start + _AT_ONCE]).update(counted_in=quiz)


def _tally(apps, schema_editor):
    """What was chosen, by the keys of the choices; what was typed counts from the next answer on."""
    answers = apps.get_model("mpquiz", "Answer").objects.using(schema_editor.connection.alias)
    given = answers.filter(answered_at__isnull=False, version__content__kind__in=["single", "true_false", "multiple"])
    rows = []
    for answer in given.only("given").iterator(chunk_size=_AT_ONCE):
        keys = answer.given if isinstance(answer.given, list) else [answer.given]
        answer.tally = " ".join(map(str, keys))[:200]
        rows.append(answer)
        if len(rows) == _AT_ONCE:
            answers.bulk_update(rows, ["tally"])
            rows = []
    answers.bulk_update(rows, ["tally"])


class Migration(migrations.Migration):
    dependencies = [("mpquiz", "0005_editors")]

    operations = [
        migrations.RunPython(_count_first_attempts, migrations.RunPython.noop, elidable=True),
        migrations.RunPython(_tally, migrations.RunPython.noop, elidable=True),
    ]
