import socket
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from mpquiz import exchange
from mpquiz.formats import yaml as native

SAMPLES = Path(__file__).resolve().parents[2] / "samples"
# Anyone can read these here: for a demo on one's own machine only.
PASSWORDS = {"editor": "editor-demo", "learner": "learner-demo"}


class Command(BaseCommand):
    help = "Set up the course site with five quizzes and two accounts, and serve it. Safe to run again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-serve", action="store_true", help="set up only")
        parser.add_argument("--addr", default="127.0.0.1", help="address to serve on (default: %(default)s)")
        parser.add_argument("--port", type=int, default=8000, help="port to serve on (default: %(default)s)")

    def handle(self, *, no_serve: bool, addr: str, port: int, **options: Any) -> None:
        if not no_serve:
            _require_free(addr, port)
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        for file in sorted(SAMPLES.glob("*.yaml")):
            self._load(file)
        for name in PASSWORDS:
            _account(name)
        self._say_where(f"http://{addr}:{port}")
        if not no_serve:
            # A reloader would start this command a second time.
            call_command("runserver", f"{addr}:{port}", use_reloader=False, skip_checks=True)

    def _load(self, file: Path) -> None:
        """What an editor changed since the last time stays, and is named."""
        parsed = native.parse(file.read_bytes(), language=settings.LANGUAGE_CODE)
        if parsed.quiz is None:
            told = [f"{file.name}:{entry.line}: {entry.message}" for entry in parsed.report.errors]
            raise CommandError("\n".join(told))
        loaded = exchange.load(parsed.quiz)
        if loaded.errors:
            told = [f"{file.name}: {error.message}" for error in loaded.errors]
            raise CommandError("\n".join(told))
        self.stdout.write(f"{file.name}: {_counted(loaded)}")
        for item in loaded.kept:
            self.stdout.write(f"  kept as changed by an editor: {item.what} {item.name}")

    def _say_where(self, site: str) -> None:
        self.stdout.write("")
        for language, name in settings.LANGUAGES:
            self.stdout.write(f"{name}: {site}/{language}/quizzes/")
        self.stdout.write(f"Administration: {site}/{settings.LANGUAGE_CODE}/admin/")
        for name, password in PASSWORDS.items():
            self.stdout.write(f"Sign in as {name} with the password {password}")


def _counted(loaded: exchange.Loaded) -> str:
    verdicts = ("created", "updated", "unchanged", "kept", "removed")
    counts = {verdict: len(getattr(loaded, verdict)) for verdict in verdicts}
    return ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)


def _require_free(addr: str, port: int) -> None:
    """Said before the work rather than after it. Raises CommandError."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(addr, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        raise CommandError(
            f"Cannot serve on {addr}, port {port}: {error.strerror}. Try another, such as --port {port + 1}."
        ) from error


def _account(name: str) -> None:
    """Made once; a password that was changed since stays changed."""
    user, new = get_user_model().objects.get_or_create(username=name, defaults={"is_staff": name == "editor"})
    if not new:
        return
    user.set_password(PASSWORDS[name])
    user.save()
    if user.is_staff:
        user.user_permissions.set(Permission.objects.filter(content_type__app_label="mpquiz"))
