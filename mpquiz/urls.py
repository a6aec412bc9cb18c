"""The addresses of mpquiz. A quiz whose slug is ``mine`` or ``attempts`` would not be reached."""

from django.urls import path

from . import views

app_name = "mpquiz"
urlpatterns = [
    path("", views.quiz_list, name="quiz_list"),
    path("mine/", views.my_quizzes, name="my_quizzes"),
    path("attempts/<str:attempt>/", views.result, name="result"),
    path("attempts/<str:attempt>/<int:position>/", views.question, name="question"),
    path("attempts/<str:attempt>/summary/", views.summary, name="summary"),
    path("attempts/<str:attempt>/seconds/", views.seconds, name="seconds"),
    path("attempts/<str:attempt>/discard/", views.discard, name="discard"),
    path("attempts/<str:attempt>/finish/", views.finish, name="finish"),
    path("attempts/<str:attempt>/start-over/", views.start_over, name="start_over"),
    path("attempts/<str:attempt>/retry/", views.retry, name="retry"),
    path("<slug:slug>/", views.quiz, name="quiz"),
    path("<slug:slug>/start/", views.start, name="start"),
]
