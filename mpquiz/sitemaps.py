"""The quizzes that anybody may take, for the host's sitemap (``django.contrib.sitemaps``)."""

from datetime import datetime
from typing import Any

from django.contrib.sitemaps import Sitemap

from . import addresses
from .models import Quiz


class QuizSitemap(Sitemap):
    """An entry for each language in which a quiz is published, naming the others; one query for all quizzes.

    Where the site has one address for all languages a quiz has one entry, without others.
    """

    i18n = True

    def items(self) -> list[Quiz]:
        quizzes = Quiz.objects.findable().order_by("pk")
        return [quiz for quiz in quizzes if quiz.published_languages and quiz.is_open_to_guests]

    def get_languages_for_item(self, item: Quiz) -> list[str]:
        try:
            return addresses.of_quiz(item).distinct
        except LookupError:  # published in no language of the site
            return []

    def lastmod(self, item: Quiz) -> datetime:
        return item.shown_changed_at

    def get_urls(self, page: int | str = 1, site: Any = None, protocol: str | None = None) -> list[dict[str, Any]]:
        """With ``alternates`` as the pages themselves name them: Django's own know nothing of single languages."""
        urls = super().get_urls(page, site, protocol)
        origin = f"{self.get_protocol(protocol)}://{self.get_domain(site)}"
        for url in urls:
            quiz, _language = url["item"]
            others = addresses.of_quiz(quiz).alternates.items()
            url["alternates"] = [{"lang_code": code, "location": f"{origin}{path}"} for code, path in others]
        return urls
