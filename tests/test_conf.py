"""Settings are read at the moment of use, and a wrong one is read as its default: the checks tell."""

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings

from mpquiz import kinds
from mpquiz.conf import DEFAULTS, TYPES, conf
from mpquiz.exceptions import Refusal


def address_of(guide):
    return f"/read/{guide.slug}/"


def may_take(learner, quiz):
    return Refusal("not_allowed", "Members only.")


def as_read():
    """What a host without rules of its own gets: its own rule refuses nobody, and names nobody who has no name."""
    read = {name: getattr(conf, name) for name in DEFAULTS}
    assert read["MAY_TAKE"](object(), object()) is None
    assert read["LEARNER_NAME"](object()) == ""
    return read | {"MAY_TAKE": None, "LEARNER_NAME": None}


def test_every_setting_has_a_property_a_default_and_a_type():
    assert set(DEFAULTS) == set(TYPES) == {name for name in dir(type(conf)) if name.isupper()}


def test_a_host_that_says_nothing_gets_the_defaults(settings):
    del settings.MPQUIZ
    assert as_read() == DEFAULTS


def test_a_setting_is_read_at_the_moment_of_use():
    with override_settings(MPQUIZ={"HTMX": False}):
        assert conf.HTMX is False
    assert conf.HTMX is True


def test_what_a_host_leaves_out_of_a_dict_is_the_default():
    with override_settings(MPQUIZ={"BLOCKS": {"content": "main"}, "THROTTLE": {"start": None}}):
        assert conf.BLOCKS == {"title": "title", "head": "head", "content": "main"}
        assert {**DEFAULTS["THROTTLE"], "start": None} == conf.THROTTLE


def test_limits_of_files_that_a_host_leaves_out_are_the_defaults():
    with override_settings(MPQUIZ={"FILES": {"LARGEST": 5}}):
        assert {**DEFAULTS["FILES"], "LARGEST": 5} == conf.FILES


@pytest.mark.parametrize("limit", [True, 0, -1, "5", 2.5])
def test_a_limit_is_a_number_from_one_on(limit):
    with override_settings(MPQUIZ={"LARGEST_IMPORT": limit}):
        assert DEFAULTS["LARGEST_IMPORT"] == conf.LARGEST_IMPORT


@pytest.mark.parametrize("hook", [address_of, f"{__name__}.address_of"])
def test_the_hook_is_given_as_itself_or_by_its_path(hook):
    with override_settings(MPQUIZ={"GUIDE_ADDRESS": hook}):
        assert conf.GUIDE_ADDRESS.__name__ == "address_of"


@pytest.mark.parametrize("hook", [may_take, f"{__name__}.may_take"])
def test_the_host_s_rule_is_given_as_itself_or_by_its_path(hook):
    with override_settings(MPQUIZ={"MAY_TAKE": hook}):
        assert conf.MAY_TAKE(None, None).code == "not_allowed"


@pytest.mark.parametrize("grace", [0, 2.5, 30])
def test_the_grace_is_a_number_of_seconds(grace):
    with override_settings(MPQUIZ={"GRACE": grace}):
        assert grace == conf.GRACE


@pytest.mark.parametrize("grace", [-1, True, "5", float("inf"), float("nan")])
def test_a_grace_that_is_no_such_number_is_the_default(grace):
    with override_settings(MPQUIZ={"GRACE": grace}):
        assert DEFAULTS["GRACE"] == conf.GRACE


def test_a_hook_that_does_not_import_is_named():
    with (
        override_settings(MPQUIZ={"GUIDE_ADDRESS": "no.such.hook"}),
        pytest.raises(ImproperlyConfigured, match=r"GUIDE_ADDRESS.*no\.such\.hook"),
    ):
        assert conf.GUIDE_ADDRESS


@pytest.mark.parametrize("given", [None, ["HTMX"], {name: object() for name in DEFAULTS}])
def test_what_has_the_wrong_type_is_read_as_the_default(given):
    with override_settings(MPQUIZ=given):
        assert as_read() == DEFAULTS


def test_a_kind_that_cannot_be_used_is_left_out_of_the_list():
    with override_settings(MPQUIZ={"KINDS": {"essay": "no.such.Essay"}}):
        assert "essay" not in dict(kinds.choices())
        with pytest.raises(ImproperlyConfigured, match="essay"):
            kinds.get("essay")
