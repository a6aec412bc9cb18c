from decimal import Decimal

from django.utils.translation import gettext_lazy as _

from mpquiz.exceptions import Refusal
from mpquiz.kinds import Kind, Problem


class Year(Kind):
    """A year; each year off takes a tenth away."""

    name, label, template = "year", _("year"), "course/year.html"
    choice_fields = ("value",)  # what an editor fills in for each choice

    def problems(self, content):
        found = super().problems(content)  # the prompt is missing
        if [choice.value.isdecimal() for choice in content.choices] != [True]:
            found.append(Problem(_("Give one choice: the year."), "choices"))
        return found

    def clean(self, given, content, order):
        if not (isinstance(given, str) and given.strip().isdecimal() and len(given) <= 10):
            raise Refusal("bad_answer", _("Write a year in digits."))
        return str(int(given))  # plain JSON, which is stored

    def mark(self, content, given):
        off = abs(int(given) - int(content.choices[0].value))
        return max(Decimal(0), 1 - Decimal(off) / 10)

    def asked(self, content, order):
        return None  # nothing but the prompt is shown before the answer

    def answered(self, content, order, given):
        return {"given": given, "right": content.choices[0].value}
