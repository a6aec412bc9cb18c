"""Statistics: of a quiz with its questions, and of what is missed of the questions of guides."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from ... import statistics, words
from ...models import Guide
from ...statistics import GuideMisses, Which
from ..lists import Query, asked
from .base import StaffList, StaffView, first
from .statistics_serializers import (
    GuideMissesDetailSerializer,
    GuideMissesSerializer,
    QuizStatisticsSerializer,
)


class StatisticsQuery(Query):
    """``which`` attempts of each learner are counted, and of those which were read in one ``language`` alone."""

    page = page_size = None  # type: ignore[assignment]  # it is no list

    which = serializers.ChoiceField(choices=Which.values, required=False)
    language = serializers.ChoiceField(choices=[], required=False)

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        fields["language"].choices = words.languages()
        return fields


class StaffQuizStatistics(StaffView):
    """The statistics of a quiz and of each of its questions: numbers alone, nobody's name."""

    needs = {"GET": ("view_quiz", "view_attempt")}
    serializer_class = QuizStatisticsSerializer
    query_class = StatisticsQuery

    def get(self, request: Request, slug: str) -> Response:
        quiz, chosen = self.quiz(slug, "results"), asked(self, self.query_class)
        numbers = statistics.of(quiz, which=chosen.get("which", Which.FIRST), language=chosen.get("language"))
        over = statistics.over_time(quiz)
        return self.answer({"numbers": numbers, "over_time": over, "minimum": statistics.MINIMUM})


class MissedQuery(Query):
    orderings = {"place": "place", "slug": "slug"}


class StaffMissedList(StaffList):
    """The guides, each with how often the questions that are linked to it are missed."""

    needs = {"GET": ("view_guide", "view_quiz", "view_attempt")}
    serializer_class = GuideMissesSerializer
    query_class = MissedQuery

    def get(self, request: Request) -> Response:
        def missed(guides: list[Guide]) -> list[GuideMisses]:
            return list(statistics.of_guides(guides, **statistics.shown_to(request.user)))

        return self.listed(Guide.objects.all(), self.query().get("ordering", "place"), shown=missed)


class StaffGuideMissed(StaffView):
    """A guide with the questions that are linked to it, the most often missed first."""

    needs = {"GET": ("view_guide", "view_quiz", "view_attempt")}
    serializer_class = GuideMissesDetailSerializer

    def get(self, request: Request, slug: str) -> Response:
        guide = first(Guide.objects.filter(slug=slug))
        return self.answer(statistics.missed_of(guide, **statistics.shown_to(request.user)))
