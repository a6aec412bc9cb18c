"""The REST API: verbs, refusals and sight are those of the pages. Mounted by ``include("mpquiz.api.urls")``."""
