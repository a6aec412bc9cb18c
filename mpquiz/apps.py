"""mpquiz as Django knows it."""

from django.apps import AppConfig
from django.db.models.signals import pre_migrate
from django.utils.translation import gettext_lazy as _


class MpquizConfig(AppConfig):
    name = "mpquiz"
    verbose_name = _("Quizzes")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from . import checks, sign_in, translated_migrations

        checks.register_all()
        pre_migrate.connect(
            translated_migrations.add_missing_language_columns,
            sender=self,
            dispatch_uid="mpquiz.add_missing_language_columns",
        )
        user_logged_in.connect(sign_in.claim_attempts, dispatch_uid="mpquiz.claim_attempts")
