"""Each wrong setting is named by its check's id, with what to do, and a clean host is left in peace."""

import re
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.conf import global_settings
from django.core.checks import run_checks
from django.template.backends.django import DjangoTemplates
from django.test import override_settings

from mpquiz import checks, translated_migrations
from mpquiz.kinds import Single
from tests import settings as host

pytestmark = pytest.mark.django_db  # Django 6.1's own checks of JSON columns ask the database


class Renamed(Single):
    name = "other"


class Homeless(Single):
    name = "homeless"
    template = "nowhere.html"


def not_a_kind():
    """A callable that is no kind."""


def address_of(guide):
    """A host's hook."""


def members_only(learner, quiz):
    """A host's rule."""


class Members:
    """A host's rule that is made anew for each learner."""

    def __init__(self, learner, quiz):
        self.learner, self.quiz = learner, quiz


def found(*, databases=None):
    """What the registered checks of mpquiz say."""
    messages = [one for one in run_checks(databases=databases) if one.id and one.id.startswith("mpquiz.")]
    assert all(one.hint for one in messages)
    return messages


def ids(messages):
    return [one.id.removeprefix("mpquiz.") for one in messages]


def said(messages):
    return " ".join(f"{one.msg} {one.hint}" for one in messages)


def test_the_readme_tells_of_every_check():
    readme = (host.BASE_DIR.parent / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Checks")[1].split("## ")[0]
    number = re.compile(r"\b[EW]0\d\d\b")
    assert number.findall(section) == number.findall(checks.__doc__)


def test_a_clean_host_is_left_in_peace():
    assert found() == []


def test_a_clean_database_is_left_in_peace():
    assert found(databases=["default"]) == []


# The site -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["django.contrib.admin"], ["E001"]),
        (["django.contrib.admin", "modeltranslation"], ["E002"]),
        (["modeltranslation", "django.contrib.admin"], []),
        (["modeltranslation"], []),
    ],
)
def test_modeltranslation_stands_before_the_admin(monkeypatch, names, expected):
    monkeypatch.setattr(apps, "get_app_configs", lambda: [SimpleNamespace(name=name) for name in names])
    assert ids(checks.modeltranslation()) == expected


@override_settings(USE_I18N=False)
def test_translations_are_on():
    assert ids(found()) == ["E003"]


def without(part):
    return [one for one in host.MIDDLEWARE if part not in one]


class OurLocaleMiddleware(checks.import_string(checks._LOCALE)):
    """A host's own."""


@pytest.mark.parametrize(
    ("middleware", "expected"),
    [
        (without("SessionMiddleware"), ["E004"]),
        (without("AuthenticationMiddleware"), ["E004"]),
        (without("LocaleMiddleware"), ["W002"]),
        ([checks._LOCALE, *without("LocaleMiddleware")], ["W003"]),
        ([*without("LocaleMiddleware"), checks._LOCALE], ["W003"]),
        ([*without("LocaleMiddleware"), f"{__name__}.OurLocaleMiddleware"], ["W003"]),
        ([f"{__name__}.OurLocaleMiddleware" if "Locale" in one else one for one in host.MIDDLEWARE], []),
        (["no.such.Middleware", *host.MIDDLEWARE], []),
    ],
)
def test_the_middleware_tells_learners_and_languages_apart(middleware, expected):
    with override_settings(MIDDLEWARE=middleware):
        assert ids([*checks.middleware(), *checks.locale()]) == expected


@override_settings(MIDDLEWARE=without("LocaleMiddleware"), LANGUAGES=[("en", "English")])
def test_one_language_needs_no_locale_middleware():
    assert found() == []


@override_settings(INSTALLED_APPS=[app for app in host.INSTALLED_APPS if app != "django_htmx"])
def test_htmx_is_served_where_pages_ask_for_it():
    assert ids(found()) == ["W006"]
    with override_settings(MPQUIZ={"HTMX": False}):
        assert found() == []


def test_a_language_that_django_does_not_know_is_named(monkeypatch):
    monkeypatch.setattr("mpquiz.words.languages", lambda: ["en", "tlh"])
    messages = found()
    assert ids(messages) == ["W008"]
    assert "'tlh'" in said(messages)


def test_a_host_chooses_its_languages(monkeypatch):
    monkeypatch.setattr("mpquiz.words.languages", lambda: [code for code, _name in global_settings.LANGUAGES])
    assert ids(found()) == ["W009"]


# The settings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected", "words"),
    [
        (["BASE_TEMPLATE"], ["E005"], "not a dict"),
        ({"BASE_TEMPLATES": "x"}, ["E006"], "'BASE_TEMPLATE'"),
        ({"htmx": True}, ["E006"], "'HTMX'"),
        ({"colour": "red"}, ["E006"], "There are: BASE_TEMPLATE, BLOCKS"),
        ({"BASE_TEMPLATE": None}, ["E005"], "BASE_TEMPLATE"),
        ({"HTMX": "yes"}, ["E005"], "HTMX"),
        ({"KINDS": ["x"]}, ["E005"], "KINDS"),
        ({"BLOCKS": "content"}, ["E005"], "BLOCKS"),
        ({"THROTTLE": None}, ["E005"], "THROTTLE"),
        ({"GUIDE_ADDRESS": 3}, ["E005"], "GUIDE_ADDRESS"),
        ({"BLOCKS": {"contents": "main"}}, ["E006"], "'content'"),
        ({"THROTTLE": {"answers": "1/s"}}, ["E006"], "'answer'"),
        ({"RETENTION": 90}, ["E005"], "RETENTION"),
        ({"RETENTION": {"guest": 90}}, ["E006"], "'guests'"),
        ({"RETENTION": {"guests": 0}}, ["E005"], "36500"),
        ({"RETENTION": {"guests": True}}, ["E005"], "True"),
        ({"RETENTION": {"learners": 40_000}}, ["E005"], "for ever"),
        ({"RETENTION": {"guests": 90, "learners": None}}, [], ""),
        ({"FILES": 5}, ["E005"], "FILES"),
        ({"FILES": {"LARGEST": 0}}, ["E005"], "'LARGEST'"),
        ({"FILES": {"PIXELS": True}}, ["E005"], "'PIXELS'"),
        ({"FILES": {"SIZE": 5}}, ["E006"], "There are: LARGEST"),
        ({"FILES": {"TYPES": "png"}}, ["E005"], "a list of gif"),
        ({"FILES": {"TYPES": ["png", "svg"]}}, ["E006"], "'svg'"),
        ({"FILES": {"TYPES": ["png"], "LARGEST": 5}}, [], ""),
        ({"LARGEST_IMPORT": "5 MB"}, ["E005"], "a number of bytes"),
        ({"KINDS": {"x": "no.such.Kind"}}, ["E007"], "cannot be imported"),
        ({"KINDS": {"x": 3}}, ["E007"], "no dotted path"),
        ({"KINDS": {"x": f"{__name__}.not_a_kind"}}, ["E007"], "no kind of question"),
        ({"KINDS": {"x": "mpquiz.kinds.Kind"}}, ["E007"], "lacks its name, label, template"),
        ({"KINDS": {"x": f"{__name__}.Renamed"}}, ["E007"], "calls itself 'other'"),
        ({"KINDS": {"homeless": f"{__name__}.Homeless"}}, ["E007"], "nowhere.html"),
        ({"KINDS": {"other": f"{__name__}.Renamed"}}, [], ""),
        ({"GUIDE_ADDRESS": "no.such.hook"}, ["E008"], "cannot be imported"),
        ({"GUIDE_ADDRESS": "tests.settings.SECRET_KEY"}, ["E008"], "cannot be called"),
        ({"GUIDE_ADDRESS": f"{__name__}.address_of"}, [], ""),
        ({"GUIDE_ADDRESS": f"{__name__}.not_a_kind"}, ["E012"], "with a guide"),
        ({"LEARNER_NAME": 3}, ["E005"], "LEARNER_NAME"),
        ({"LEARNER_NAME": "no.such.name"}, ["E008"], "a user"),
        ({"LEARNER_NAME": "tests.test_learner_names.initials"}, [], ""),
        ({"LEARNER_NAME": f"{__name__}.members_only"}, ["E012"], "with a user"),
        ({"MAY_TAKE": 3}, ["E005"], "MAY_TAKE"),
        ({"MAY_TAKE": "no.such.rule"}, ["E008"], "a learner and a quiz"),
        ({"MAY_TAKE": "tests.settings.SECRET_KEY"}, ["E008"], "cannot be called"),
        ({"MAY_TAKE": f"{__name__}.members_only"}, [], ""),
        ({"MAY_TAKE": f"{__name__}.Members"}, [], ""),
        ({"MAY_TAKE": f"{__name__}.not_a_kind"}, ["E012"], "with a learner and a quiz"),
        ({"MAY_EDIT": f"{__name__}.members_only"}, ["E012"], "with a user, quizzes and"),
        ({"MAY_EDIT": "tests.admin.test_editors.quizzes_of"}, [], ""),
        ({"MAY_EDIT": "course.rules.none"}, ["E008"], "cannot be imported"),
        ({"GUIDE_ADDRESS": f"{__name__}.members_only"}, ["E012"], "with a guide"),
        ({"MAY_TAKE": "builtins.max"}, [], ""),
        ({"GRACE": "5"}, ["E005"], "GRACE"),
        ({"GRACE": -1}, ["E005"], "0 or more"),
        ({"GRACE": True}, ["E005"], "GRACE"),
        ({"GRACE": float("inf")}, ["E005"], "GRACE"),
        ({"GRACE": float("nan")}, ["E005"], "GRACE"),
        ({"GRACE": 0}, [], ""),
        ({"GRACE": 2.5}, [], ""),
        ({"GRACE": 60}, [], ""),
        ({"GRACE": 5000}, ["W010"], "in seconds"),
        ({"THROTTLE": {"start": "often"}}, ["E009"], "often"),
        ({"THROTTLE": {"start": "5/"}}, ["E009"], "5/"),
        ({"THROTTLE": {"start": "5/fortnight"}}, ["E009"], "fortnight"),
        ({"THROTTLE": {"start": 5}}, ["E009"], "60/min"),
        ({"THROTTLE": {"start": None}}, [], ""),
    ],
)
def test_a_wrong_setting_is_named(given, expected, words):
    with override_settings(MPQUIZ=given):
        messages = found()
    assert ids(messages) == expected
    assert words in said(messages)


# Templates ----------------------------------------------------------------------------------------------

TEMPLATES = {
    "whole.html": "{% block title %}{% endblock %}{% block head %}{% endblock %}{% block content %}{% endblock %}",
    "child.html": '{% extends "whole.html" %}',
    "renamed.html": "{% block title %}{% endblock %}{% block head %}{% endblock %}{% block main %}{% endblock %}",
    "nested.html": '{% extends "renamed.html" %}{% block main %}{% block content %}{% endblock %}{% endblock %}',
    "unreached.html": '{% extends "renamed.html" %}{% block content %}{% endblock %}',
    "orphan.html": '{% extends "nowhere.html" %}',
    "broken.html": "{% block title %}",
    "dynamic.html": "{% extends layout %}",
    "included.html": '{% include "whole.html" %}',
}


@pytest.fixture
def templates():
    """The templates of this file, before those of the apps."""
    loaders = [
        ("django.template.loaders.locmem.Loader", TEMPLATES),
        "django.template.loaders.app_directories.Loader",
    ]
    with override_settings(
        TEMPLATES=[{"BACKEND": f"{DjangoTemplates.__module__}.DjangoTemplates", "OPTIONS": {"loaders": loaders}}]
    ):
        yield


def base_template(name, **blocks):
    with override_settings(MPQUIZ={"BASE_TEMPLATE": name, "BLOCKS": blocks}):
        return list(checks.base_template())


@pytest.mark.parametrize(
    ("name", "expected", "words"),
    [
        ("whole.html", [], ""),
        ("child.html", [], ""),
        ("nested.html", [], ""),
        ("dynamic.html", [], ""),
        ("mpquiz/site.html", [], ""),
        ("renamed.html", ["W007"], "content (content)"),
        ("unreached.html", ["W007"], "content (content)"),
        ("included.html", ["W007"], "title (title), head (head), content (content)"),
        ("nowhere.html", ["E010"], "nowhere.html"),
        ("orphan.html", ["E010"], "nowhere.html"),
        ("broken.html", ["E010"], "broken.html"),
    ],
)
def test_the_base_template_has_the_blocks_that_pages_fill(templates, name, expected, words):
    messages = base_template(name)
    assert ids(messages) == expected
    assert words in said(messages)


def test_a_host_names_its_blocks(templates):
    assert base_template("renamed.html", content="main") == []
    assert ids(base_template("whole.html", content="main")) == ["W007"]


def test_templates_of_apps_are_found():
    engine = {"BACKEND": "django.template.backends.django.DjangoTemplates"}
    with override_settings(TEMPLATES=[engine]):
        assert ids(checks.own_templates()) == ["E011"]
    with override_settings(TEMPLATES=[]):
        assert ids(checks.own_templates()) == ["E011"]
        assert ids(checks.base_template()) == ["E010"]


# The databases ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("engine", "options", "expected"),
    [
        ("sqlite3", {}, ["W004"]),
        ("sqlite3", {"transaction_mode": "DEFERRED"}, ["W004"]),
        ("sqlite3", {"transaction_mode": "immediate"}, []),
        ("mysql", {}, []),
        ("mysql", {"isolation_level": "Read Committed"}, []),
        ("mysql", {"isolation_level": "repeatable read"}, ["W005"]),
        ("mysql", {"isolation_level": None}, ["W005"]),
        ("postgresql", {}, []),
    ],
)
def test_a_database_lets_several_learners_write(monkeypatch, engine, options, expected):
    database = {"ENGINE": f"django.db.backends.{engine}", "OPTIONS": options}
    monkeypatch.setattr(checks, "settings", SimpleNamespace(DATABASES={"default": database}))
    assert ids([*checks.sqlite(), *checks.mysql()]) == expected


def test_missing_columns_are_named_where_a_database_is_asked(monkeypatch):
    missing = [("mpquiz_quiz", "title_fr"), ("mpquiz_quiz", "description_fr")]
    monkeypatch.setattr(translated_migrations, "missing_language_columns", lambda label, using: missing)
    messages = list(checks.language_columns(databases=["default"]))
    assert ids(messages) == ["W001"]
    assert "mpquiz_quiz.title_fr" in said(messages)
    assert list(checks.language_columns(databases=None)) == []
