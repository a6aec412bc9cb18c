"""What search engines find beside the quizzes: the pages that stand in every language."""

from typing import Any

from django.contrib.sitemaps import Sitemap
from django.urls import reverse

from . import guides


class PageSitemap(Sitemap):
    i18n = True
    alternates = True

    def items(self) -> list[tuple[str, dict[str, Any]]]:
        fixed = [(name, {}) for name in ("home", "guide_list", "mpquiz:quiz_list")]
        return [*fixed, *(("guide", {"slug": slug}) for slug in guides.SLUGS)]

    def location(self, item: tuple[str, dict[str, Any]]) -> str:
        name, kwargs = item
        return reverse(name, kwargs=kwargs)
