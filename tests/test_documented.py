"""What hosts may set and replace stands in the README, and nothing else does."""

import re
from pathlib import Path

import pytest

from mpquiz.conf import DEFAULTS

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = ROOT / "mpquiz" / "templates" / "mpquiz"
README = (ROOT / "README.md").read_text(encoding="utf-8")
LOOKS = README.partition("## Make it look like yours")[2].partition("\n## ")[0]
"""The section on looks."""


def in_table(heading: str) -> set[str]:
    """What the first column of a table of that section names."""
    table = LOOKS.partition(f"| {heading} |")[2].partition("\n\n")[0]
    return {name for first in re.findall(r"^\|([^|]+)\|", table, re.M) for name in re.findall(r"`([^`]+)`", first)}


def test_every_variable_of_the_stylesheet_is_told_and_no_other():
    sheets = "".join(file.read_text(encoding="utf-8") for file in (ROOT / "mpquiz" / "static").rglob("*.css"))
    assert in_table("variable") == set(re.findall(r"^\s*(--mpquiz-[\w-]+):", sheets, re.M))
    assert in_table("variable") >= set(re.findall(r"var\((--mpquiz-[\w-]+)", sheets))


def test_every_template_of_the_learner_s_pages_is_told_and_no_other():
    assert in_table("in `mpquiz/`") == {str(file.relative_to(TEMPLATES)) for file in TEMPLATES.rglob("*.html")}


def test_every_block_is_told_and_no_other():
    pages = "".join(file.read_text(encoding="utf-8") for file in TEMPLATES.rglob("*.html"))
    blocks = set(re.findall(r"{% (?:host)?block (\w+)", pages))
    assert set(DEFAULTS["BLOCKS"]) <= blocks
    assert in_table("block") == blocks


def test_every_setting_is_told_and_no_other():
    table = README.partition("## Settings")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `([A-Z_]+)` \|", table, re.M)) == set(DEFAULTS)


@pytest.mark.parametrize("look", ["bootstrap", "tailwind"])
def test_a_look_replaces_only_templates_that_there_are(look):
    folder, own = ROOT / "project" / "looks" / look, ROOT / "project" / "templates"
    there = {str(file.relative_to(TEMPLATES.parent)) for file in TEMPLATES.rglob("*.html")}
    there |= {str(file.relative_to(own)) for file in own.rglob("*.html")}
    replaced = {str(file.relative_to(folder)) for file in folder.rglob("*.html")}
    assert "base.html" in replaced
    assert replaced <= there


def test_tailwind_s_stylesheet_was_built_after_the_last_change_of_a_class():
    css = (ROOT / "project" / "static" / "looks" / "tailwind" / "tailwind.css").read_text(encoding="utf-8")
    built = css.replace("\\", "")
    for file in (ROOT / "project" / "looks" / "tailwind").rglob("*.html"):
        used = set(" ".join(re.findall(r'class="([^"{]*)"', file.read_text(encoding="utf-8"))).split())
        missing = [name for name in used if f".{name}" not in built]
        assert [name for name in missing if not name.startswith(("mpquiz-", "site-", "page"))] == [], file.name


def test_no_stylesheet_asks_another_site():
    sheets = list((ROOT / "project" / "static").rglob("*.css"))
    assert len(sheets) == 5
    for file in sheets:
        assert not re.search(r"@import|url\(\s*(?![\"']?data:)", file.read_text(encoding="utf-8")), file.name
