"""mpquiz as Django knows it."""

from django.apps import AppConfig, apps
from django.db.models.signals import pre_delete, pre_migrate
from django.utils.translation import gettext_lazy as _


class MpquizConfig(AppConfig):
    name = "mpquiz"
    verbose_name = _("Quizzes")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from django.contrib.auth import get_user_model
        from django.contrib.auth.signals import user_logged_in

        from . import checks, privacy, sign_in, translated_migrations

        checks.register_all()
        pre_migrate.connect(
            translated_migrations.add_missing_language_columns,
            sender=self,
            dispatch_uid="mpquiz.add_missing_language_columns",
        )
        user_logged_in.connect(sign_in.claim_attempts, dispatch_uid="mpquiz.claim_attempts")
        for model in apps.get_models():  # a proxy of the user model tells of its deletions by its own name
            if issubclass(model, get_user_model()):
                pre_delete.connect(privacy.before_deletion, sender=model, dispatch_uid="mpquiz.before_deletion")
