"""The addresses of mpquiz. A quiz whose slug is ``mine`` or ``attempts`` would not be reached."""

from django.urls import path

from . import views
from .views.outage import survives

app_name = "mpquiz"
urlpatterns = [
    path("", survives(views.quiz_list), name="quiz_list"),
    path("mine/", survives(views.my_quizzes), name="my_quizzes"),
    path("attempts/<str:attempt>/", survives(views.result), name="result"),
    path("attempts/<str:attempt>/<int:position>/", survives(views.question), name="question"),
    path("attempts/<str:attempt>/<int:position>/report/", survives(views.report), name="report"),
    path("attempts/<str:attempt>/summary/", survives(views.summary), name="summary"),
    path("attempts/<str:attempt>/seconds/", survives(views.seconds), name="seconds"),
    path("attempts/<str:attempt>/discard/", survives(views.discard), name="discard"),
    path("attempts/<str:attempt>/finish/", survives(views.finish), name="finish"),
    path("attempts/<str:attempt>/start-over/", survives(views.start_over), name="start_over"),
    path("attempts/<str:attempt>/retry/", survives(views.retry), name="retry"),
    path("<slug:slug>/", survives(views.quiz), name="quiz"),
    path("<slug:slug>/embedded/", survives(views.embedded), name="embedded"),
    path("<slug:slug>/start/", survives(views.start), name="start"),
]
