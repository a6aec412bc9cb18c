from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.auth.views import LoginView
from django.urls import include, path

urlpatterns = [
    path("api/", include("mpquiz.api.urls")),
    path("accounts/login/", LoginView.as_view(template_name="login.html"), name="login"),
    *i18n_patterns(
        path("admin/", admin.site.urls),
        path("quizzes/", include("mpquiz.urls")),
    ),
]
