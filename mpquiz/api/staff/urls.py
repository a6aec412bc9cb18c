"""The staff's addresses, under ``v1/staff/``."""

from django.urls import include, path
from django.urls.resolvers import URLPattern, URLResolver

from . import exchange_views as exchange
from . import guide_views as guides
from . import marking_views as marking
from . import question_views as questions
from . import quiz_views as quizzes
from . import remarking_views as remarking
from . import report_views as reports
from . import result_views as results
from . import statistics_views as statistics

_quiz: list[URLPattern | URLResolver] = [
    path("", quizzes.StaffQuizView.as_view(), name="staff_quiz"),
    path("archive/", quizzes.StaffQuizArchive.as_view(), name="staff_quiz_archive"),
    path("completeness/", quizzes.StaffQuizCompleteness.as_view(), name="staff_quiz_completeness"),
    path("copy/", quizzes.StaffQuizCopy.as_view(), name="staff_quiz_copy"),
    path("export/", exchange.StaffQuizExport.as_view(), name="staff_quiz_export"),
    path("publish/", quizzes.StaffQuizPublish.as_view(), name="staff_quiz_publish"),
    path("remarking/", remarking.StaffQuizRemarking.as_view(), name="staff_quiz_remarking"),
    path(
        "remarking/<str:asked>/",
        remarking.StaffQuizRemarkingAsked.as_view(),
        name="staff_quiz_remarking_asked",
    ),
    path(
        "remarking/<str:asked>/<str:policy>/",
        remarking.StaffQuizRemarkingPolicy.as_view(),
        name="staff_quiz_remarking_policy",
    ),
    path("results/", results.StaffQuizResults.as_view(), name="staff_quiz_results"),
    path("statistics/", statistics.StaffQuizStatistics.as_view(), name="staff_quiz_statistics"),
    path("unarchive/", quizzes.StaffQuizArchive.as_view(archived=False), name="staff_quiz_unarchive"),
    path("unpublish/", quizzes.StaffQuizUnpublish.as_view(), name="staff_quiz_unpublish"),
]

_question: list[URLPattern | URLResolver] = [
    path("", questions.StaffQuestionView.as_view(), name="staff_question"),
    path("copy/", questions.StaffQuestionCopy.as_view(), name="staff_question_copy"),
    path("history/", questions.StaffQuestionHistory.as_view(), name="staff_question_history"),
    path(
        "history/<mpquiz_number:state>/restore/",
        questions.StaffQuestionRestore.as_view(),
        name="staff_question_restore",
    ),
]

urlpatterns: list[URLPattern | URLResolver] = [
    path("answers/waiting/", marking.StaffWaitingList.as_view(), name="staff_waitinganswer_list"),
    path("answers/waiting/<mpquiz_number:pk>/", marking.StaffWaitingView.as_view(), name="staff_waitinganswer"),
    path(
        "answers/waiting/<mpquiz_number:pk>/mark/",
        marking.StaffWaitingMark.as_view(),
        name="staff_waitinganswer_mark",
    ),
    path("attempts/<str:attempt>/", results.StaffAttemptView.as_view(), name="staff_attempt"),
    path("guides/", guides.StaffGuideList.as_view(), name="staff_guide_list"),
    path("guides/<mpquiz_slug:slug>/", guides.StaffGuideView.as_view(), name="staff_guide"),
    path("guides/<mpquiz_slug:slug>/missed/", statistics.StaffGuideMissed.as_view(), name="staff_guide_missed"),
    path("import/", exchange.StaffImport.as_view(), name="staff_import"),
    path("missed/", statistics.StaffMissedList.as_view(), name="staff_missed_list"),
    path("questions/", questions.StaffQuestionList.as_view(), name="staff_question_list"),
    path("questions/export/", exchange.StaffQuestionExport.as_view(), name="staff_question_export"),
    path("questions/<mpquiz_number:pk>/", include(_question)),
    path("quizzes/", quizzes.StaffQuizList.as_view(), name="staff_quiz_list"),
    path("quizzes/<mpquiz_slug:slug>/", include(_quiz)),
    path("remarkings/", remarking.StaffRemarkingList.as_view(), name="staff_remarking_list"),
    path("remarkings/<mpquiz_number:pk>/", remarking.StaffRemarkingView.as_view(), name="staff_remarking"),
    path("remarkings/<mpquiz_number:pk>/undo/", remarking.StaffRemarkingUndo.as_view(), name="staff_remarking_undo"),
    path("reports/", reports.StaffReportList.as_view(), name="staff_report_list"),
    path("reports/<mpquiz_number:pk>/", reports.StaffReportView.as_view(), name="staff_report"),
    path("reports/<mpquiz_number:pk>/settle/", reports.StaffReportSettle.as_view(), name="staff_report_settle"),
    path("tags/", guides.StaffTagList.as_view(), name="staff_tag_list"),
    path("tags/<mpquiz_number:pk>/", guides.StaffTagView.as_view(), name="staff_tag"),
]
