"""The addresses of the API: ``path("api/", include("mpquiz.api.urls"))``. The version stands in the path."""

from django.urls import include, path
from django.urls.resolvers import URLPattern, URLResolver

from . import converters as converters  # which the addresses name
from . import schema, views

app_name = "mpquiz-api"

_question: list[URLPattern | URLResolver] = [
    path("", views.QuestionView.as_view(), name="question"),
    path("answer/", views.AnswerView.as_view(), name="answer"),
    path("draft/", views.DraftView.as_view(), name="draft"),
    path("flag/", views.FlagView.as_view(), name="flag"),
    path("leave/", views.LeaveView.as_view(), name="leave"),
    path("report/", views.ReportView.as_view(), name="report"),
]

_attempt: list[URLPattern | URLResolver] = [
    path("", views.AttemptView.as_view(), name="attempt"),
    path("discard/", views.DiscardView.as_view(), name="discard"),
    path("finish/", views.FinishView.as_view(), name="finish"),
    path("hand-in/", views.HandInView.as_view(), name="hand_in"),
    path("result/", views.ResultView.as_view(), name="result"),
    path("retry/", views.RetryView.as_view(), name="retry"),
    path("start-over/", views.StartOverView.as_view(), name="start_over"),
    path("questions/<mpquiz_number:position>/", include(_question)),
]

_learners: list[URLPattern | URLResolver] = [
    path("", views.RootView.as_view(), name="root"),
    path("attempts/", views.AttemptList.as_view(), name="attempt_list"),
    path("attempts/<str:attempt>/", include(_attempt)),
    path("guides/", views.GuideList.as_view(), name="guide_list"),
    path("guides/<mpquiz_slug:slug>/", views.GuideView.as_view(), name="guide"),
    path("progress/", views.ProgressList.as_view(), name="progress"),
    path("quizzes/", views.QuizList.as_view(), name="quiz_list"),
    path("quizzes/<mpquiz_slug:slug>/", views.QuizView.as_view(), name="quiz"),
    path("quizzes/<mpquiz_slug:slug>/start/", views.StartView.as_view(), name="start"),
]

urlpatterns = [
    path("v1/", include([*_learners, *schema.addresses()])),
    path("v1/staff/", include("mpquiz.api.staff.urls")),
]
