"""Say what is wrong with this installation, and what to do. Ends with code 1 where something is broken."""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from ... import doctor


class Command(BaseCommand):
    help = "Say what is wrong with this installation of mpquiz, and what to do about it."
    requires_system_checks = ()  # it runs ours itself, and tells more than they do

    def add_arguments(self, parser: CommandParser) -> None:
        names = [ailment.name for ailment in doctor.AILMENTS]
        parser.add_argument("--json", action="store_true", help="tell it to a program")
        parser.add_argument(
            "--skip",
            action="append",
            default=[],
            choices=names,
            metavar="NAME",
            help=f"do not look for this (may be given several times): {', '.join(names)}",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        findings = list(doctor.examine(skip=options["skip"]))
        broken = any(one.broken for one in findings)
        if options["json"]:
            told = {"healthy": not broken, "findings": [asdict(one) for one in findings]}
            self.stdout.write(json.dumps(told, ensure_ascii=False, indent=2))
        else:
            self._say(findings)
        if broken:
            sys.exit(1)

    def _say(self, findings: Sequence[doctor.Finding]) -> None:
        for one in findings:
            style, word = (self.style.ERROR, "Broken") if one.broken else (self.style.WARNING, "Worth a look")
            self.stdout.write(style(f"{word} ({one.ailment}): {one.what}"))
            self.stdout.write(f"    Where: {one.where}\n    To do: {one.remedy}\n")
        count = sum(one.broken for one in findings)
        looks = len(findings) - count
        self.stdout.write(f"{count} broken, {looks} worth a look." if findings else "Nothing is wrong.")
