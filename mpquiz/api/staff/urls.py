"""The staff's addresses, under ``v1/staff/``."""

from django.urls import include, path
from django.urls.resolvers import URLPattern, URLResolver

from . import content_views as content
from . import quiz_views as quizzes

_quiz: list[URLPattern | URLResolver] = [
    path("", quizzes.StaffQuizView.as_view(), name="staff_quiz"),
    path("archive/", quizzes.StaffQuizArchive.as_view(), name="staff_quiz_archive"),
    path("completeness/", quizzes.StaffQuizCompleteness.as_view(), name="staff_quiz_completeness"),
    path("copy/", quizzes.StaffQuizCopy.as_view(), name="staff_quiz_copy"),
    path("publish/", quizzes.StaffQuizPublish.as_view(), name="staff_quiz_publish"),
    path("unarchive/", quizzes.StaffQuizArchive.as_view(archived=False), name="staff_quiz_unarchive"),
    path("unpublish/", quizzes.StaffQuizUnpublish.as_view(), name="staff_quiz_unpublish"),
]

_question: list[URLPattern | URLResolver] = [
    path("", content.StaffQuestionView.as_view(), name="staff_question"),
    path("copy/", content.StaffQuestionCopy.as_view(), name="staff_question_copy"),
    path("history/", content.StaffQuestionHistory.as_view(), name="staff_question_history"),
    path("history/<int:state>/restore/", content.StaffQuestionRestore.as_view(), name="staff_question_restore"),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("guides/", content.StaffGuideList.as_view(), name="staff_guide_list"),
    path("guides/<slug:slug>/", content.StaffGuideView.as_view(), name="staff_guide"),
    path("questions/", content.StaffQuestionList.as_view(), name="staff_question_list"),
    path("questions/<int:pk>/", include(_question)),
    path("quizzes/", quizzes.StaffQuizList.as_view(), name="staff_quiz_list"),
    path("quizzes/<slug:slug>/", include(_quiz)),
    path("tags/", content.StaffTagList.as_view(), name="staff_tag_list"),
    path("tags/<int:pk>/", content.StaffTagView.as_view(), name="staff_tag"),
]
