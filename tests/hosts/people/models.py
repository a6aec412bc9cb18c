"""A host's own user, whose key is a UUID."""

import uuid

from django.contrib.auth.models import AbstractUser
from django.db import models


class Person(AbstractUser):
    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
