"""How the commands about one person are told who it is."""

from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser
from django.utils.translation import gettext as _

from ..learners import Learner
from ..models import Attempt


def add_arguments(parser: CommandParser) -> None:
    who = parser.add_mutually_exclusive_group(required=True)
    who.add_argument("username", nargs="?", help="what the user signs in with")
    who.add_argument("--pk", help="the primary key of the user, instead of the name")
    who.add_argument("--guest", metavar="TOKEN", help="the token of a guest, as their session has it")


def person(*, username: str | None, pk: str | None, guest: str | None, **options: Any) -> Learner:
    """The person who was named. Raises CommandError where nobody is."""
    if guest is not None:
        if not Attempt.objects.filter(guest=guest).exists():
            raise CommandError(_("No attempt is stored of a guest with this token."))
        return Learner(guest=guest)
    users = get_user_model()._default_manager
    try:
        return Learner(user=users.get(pk=pk) if pk is not None else users.get_by_natural_key(username))
    except (get_user_model().DoesNotExist, ValidationError, ValueError, OverflowError) as error:
        raise CommandError(_("There is no user “%(name)s”.") % {"name": username or pk}) from error
