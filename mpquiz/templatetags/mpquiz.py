"""Tags and filters of our templates, and the tags for a host's own pages, whose work is done in ``embedding``."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from decimal import ROUND_DOWN, Decimal
from typing import Any

from django import template
from django.conf import settings
from django.template.base import Parser, Token
from django.template.loader_tags import BlockNode
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from .. import embedding, words
from ..conf import conf
from ..words import Text

register = template.Library()


@register.tag
def hostblock(parser: Parser, token: Token) -> BlockNode:
    """``{% hostblock title %}…{% endhostblock %}``: a block under the name that the host's base template gives it."""
    _tag, role = token.split_contents()
    nodelist = parser.parse(("endhostblock",))
    parser.delete_first_token()
    return BlockNode(conf.BLOCKS[role], nodelist)


@register.simple_tag
def mpquiz_css() -> SafeString:
    """The link to our stylesheet, for the head of a host's page that shows anything of ours."""
    return format_html('<link rel="stylesheet" href="{}">', static("mpquiz/quiz.css"))


@register.inclusion_tag("mpquiz/_scripts.html")
def mpquiz_js() -> dict[str, Any]:
    """Our scripts, and htmx where the host loads none, for the head of a host's page in which a quiz is taken."""
    return {"htmx": conf.HTMX}


register.inclusion_tag("mpquiz/_quiz_card.html", takes_context=True)(embedding.quiz_card)
register.inclusion_tag("mpquiz/_guide_quizzes.html", takes_context=True)(embedding.quizzes_of_guide)
register.inclusion_tag("mpquiz/_guide_quizzes.html", takes_context=True)(embedding.quizzes_of_page)
register.inclusion_tag("mpquiz/_embedded.html", takes_context=True)(embedding.take_quiz)
register.inclusion_tag("mpquiz/_progress.html", takes_context=True)(embedding.quiz_progress)


@register.simple_tag
def own_attrs() -> SafeString:
    """`` lang="…" dir="…"`` of the active language, for the element around all that is ours."""
    language = get_language() or settings.LANGUAGE_CODE
    return format_html(' lang="{}" dir="{}"', language, words.direction(language))


@register.simple_tag
def text_attrs(text: Text) -> SafeString | str:
    """`` lang="…" dir="…"`` of a text, for the tag of the element that holds it."""
    return format_html(' lang="{}" dir="{}"', text.language, text.dir) if text else ""


@register.filter
def points(value: Decimal | int) -> str:
    """A number of points, rounded down to two places, without zeros at its end, as the reader writes numbers."""
    exact = Decimal(value).quantize(Decimal("0.01"), rounding=ROUND_DOWN)
    whole = exact == exact.to_integral_value()
    return number_format(int(exact) if whole else exact.normalize())


@register.simple_tag
def score(value: Decimal, maximum: Decimal) -> SafeString:
    """``6 / 8``, which reads from the left in every language."""
    return format_html(
        '<bdi dir="ltr">{}\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}{}</bdi>', points(value), points(maximum)
    )


@register.filter
def percent(value: Decimal | int) -> SafeString:
    """``75 %``, which reads from the left in every language."""
    return ltr(f"{points(value)}\N{NO-BREAK SPACE}%")


@register.filter
def ltr(value: object) -> SafeString:
    """A number with a sign, a unit or a range, kept together and read from the left."""
    return format_html('<bdi dir="ltr">{}</bdi>', value)


@register.filter
def duration(value: timedelta) -> str:
    """``4 min 12 s``, with hours from the first one on."""
    minutes, seconds = divmod(int(value.total_seconds()), 60)
    if minutes < 60:
        return _("%(minutes)d min %(seconds)d s") % {"minutes": minutes, "seconds": seconds}
    return _("%(hours)d h %(minutes)d min") % {"hours": minutes // 60, "minutes": minutes % 60}


@register.simple_tag
def current_moment() -> datetime:
    return timezone.now()


@register.filter
def moment(value: datetime) -> SafeString:
    """A moment in the server's idea of the reader's time zone; our script puts it into the reader's own."""
    return format_html(
        '<time class="mpquiz-local" datetime="{}">{}</time>', value.astimezone(UTC).isoformat(), words.when(value)
    )


@register.filter
def item(values: Mapping[Any, Any], key: Any) -> Any:
    """The value of a key that a template computes; None where it has none."""
    return values.get(key)


@register.filter
def unlocalized(value: object) -> str:
    """A value as a machine reads it, for forms and addresses: ``1000``, never ``1,000``."""
    return str(value)
