"""Kinds are found by their stored name, a host's own too."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from mpquiz import kinds
from mpquiz.formats import yaml
from mpquiz.kinds.single import Single
from tests.formats.test_yaml import ONE


class Guess(Single):
    """A host's own kind: whatever is chosen is right."""

    name = "guess"
    label = "a guess"

    def mark(self, content, given):
        return 1


@pytest.fixture
def guess(settings):
    settings.MPQUIZ = {"KINDS": {"guess": "tests.kinds.test_registry.Guess"}}


def test_ours_are_found_by_name():
    assert {"single", "multiple", "true_false", "text"} <= set(kinds.names())
    assert [kinds.get(name).name for name in kinds.names()] == kinds.names()


@pytest.mark.usefixtures("guess")
def test_a_host_adds_a_kind_by_its_path():
    assert kinds.get("guess").mark(None, "a") == 1
    assert kinds.names()[-1] == "guess"
    assert ("guess", "a guess") in kinds.choices()


def test_a_host_replaces_one_of_ours(settings):
    settings.MPQUIZ = {"KINDS": {"single": "tests.kinds.test_registry.Guess"}}
    assert kinds.get("single").mark(None, "a") == 1
    assert kinds.names().count("single") == 1


@pytest.mark.parametrize("path", ["nowhere.Kind", "tests.kinds.test_registry.Nothing", "nodots"])
def test_a_path_that_leads_nowhere_is_told(settings, path):
    settings.MPQUIZ = {"KINDS": {"guess": path}}
    with pytest.raises(ImproperlyConfigured, match=path):
        kinds.get("guess")


def test_a_name_without_a_kind_is_told():
    with pytest.raises(ImproperlyConfigured, match="riddle"):
        kinds.get("riddle")


@pytest.mark.usefixtures("guess")
def test_a_native_file_may_hold_a_host_s_kind():

    assert (
        yaml.parse(ONE.replace("single", "guess").encode(), language="en").quiz.questions[0].content.kind == "guess"
    )
