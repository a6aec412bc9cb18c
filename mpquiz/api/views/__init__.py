"""The learners' endpoints: each fetches, calls one verb and answers."""

from .guides import GuideList, GuideView

__all__ = ["GuideList", "GuideView"]
