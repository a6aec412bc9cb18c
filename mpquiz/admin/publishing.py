"""Publishing the selected quizzes in a language, or in none."""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import model_ngettext
from django.db import models
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from .. import words
from ..models import Quiz
from .languages import own_name
from .pools import asks_something


class Publishing(admin.ModelAdmin):
    """The part of the quizzes' admin with an action for each language, as its list offers them."""
