"""What learners say is wrong with questions, settled by whoever looked at it."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from ..models import Report
from .rows import log


@transaction.atomic
def settle(reports: Sequence[Report], *, by: Any) -> int:
    """Settle those that are open, and note who did; how many they were."""
    settled = [report for report in reports if Report.objects.filter(pk=report.pk).settle(by)]
    for report in settled:
        log(by, report, _("Settled."))
    return len(settled)
