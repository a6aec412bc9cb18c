"""Every page lies behind its language, /en/… or /ar/…; LocaleMiddleware leads there. The API names its own."""

from django.conf.urls.i18n import i18n_patterns
from django.contrib import admin
from django.contrib.auth.views import LoginView, LogoutView
from django.contrib.sitemaps.views import sitemap
from django.urls import include, path

from mpquiz.sitemaps import QuizSitemap

from . import views
from .sitemaps import PageSitemap

urlpatterns = [
    path("robots.txt", views.robots),
    path("sitemap.xml", sitemap, {"sitemaps": {"pages": PageSitemap, "quizzes": QuizSitemap}}, name="sitemap"),
    path("api/", include("mpquiz.api.urls")),
]
urlpatterns += i18n_patterns(
    path("", views.home, name="home"),
    path("guides/", views.guide_list, name="guide_list"),
    path("guides/<slug:slug>/", views.guide, name="guide"),
    path("gradebook/", views.grades, name="gradebook"),
    path("quizzes/", include("mpquiz.urls")),
    path(
        "sign-in/",
        LoginView.as_view(template_name="sign_in.html", redirect_authenticated_user=True),
        name="sign_in",
    ),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("admin/", admin.site.urls),
)
