"""Moodle XML that is meant to harm: refused or read, never obeyed, and nothing that hangs."""

import base64
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mpquiz.exceptions import FormatError
from mpquiz.formats.moodle_xml import parse
from tests.patience import patience

from .moodle import answer, document, file, only, png, question, read, text

QUIZ = "<quiz><question type='description'><name><text>{}</text></name></question></quiz>"
IMAGE = '<img src="@@PLUGINFILE@@/a.png" alt="A">'
BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


def patiently(data: bytes):
    with patience():
        return parse(data, language="en")


@pytest.mark.parametrize(
    ("doctype", "body"),
    [
        ('<!DOCTYPE quiz [<!ENTITY x SYSTEM "file:///etc/hostname">]>', "&x;"),
        ('<!DOCTYPE quiz [<!ENTITY x SYSTEM "http://127.0.0.1:9/">]>', "&x;"),
        (f'<!DOCTYPE quiz [<!ENTITY a0 "ha">{BOMB}]>', "&a9;"),
        ('<!DOCTYPE quiz [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>', ""),
        (f'<!DOCTYPE quiz [<!ENTITY a "{"a" * 50_000}">]>', "&a;" * 50_000),
        ('<!DOCTYPE quiz [<!ATTLIST quiz x CDATA "y">]>', ""),
        ('<!DOCTYPE quiz SYSTEM "http://127.0.0.1:9/quiz.dtd">', ""),
        ("<!DOCTYPE quiz>", ""),
    ],
    ids=["file", "address", "bomb", "parameter", "quadratic", "attribute", "dtd", "bare"],
)
def test_entities_and_document_types_are_refused_with_their_line(doctype: str, body: str):
    tracemalloc.start()
    parsed = patiently(f'<?xml version="1.0"?>\n{doctype}\n{QUIZ.format(body)}'.encode())
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert parsed.quiz is None
    assert [entry.line for entry in parsed.report.errors] == [2]
    assert peak < 50_000_000


def test_an_entity_that_nobody_declared_is_refused():
    parsed = parse(QUIZ.format("&secret;").encode(), language="en")
    assert [entry.line for entry in parsed.report.errors] == [1]


def test_xinclude_and_processing_instructions_do_nothing():
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/hostname" parse="text"/>'
    parsed = read('<?xml-stylesheet href="http://127.0.0.1:9/"?>' + question("description", include))
    assert parsed.quiz.questions[0].content.prompt == {"en": "Prompt?"}


@pytest.mark.parametrize("start", ["<quiz>", "<quiz><question type='description'>", ""])
def test_deep_nesting_is_refused(start: str):
    parsed = patiently((start + "<a>" * 100_000).encode())
    assert parsed.quiz is None


LONG = {
    "an attribute": f'<question type="{"x" * 1_000_000}"></question>',
    "a name": question("description", name="n" * 1_000_000),
    "many elements": question("description", "<a/>" * 100_000),
    "many unknown ones": "".join(f"<a{n}/>" for n in range(50_000)),
    "braces": question("cloze", prompt="{1:SA:=x}" + "{1:SA:" * 150_000),
    "tildes": question("cloze", prompt="{1:MC:=x" + "~" * 90_000 + "}"),
    "links": question("description", prompt='"@@PLUGINFILE@@/' * 60_000),
    "open tags": question("description", prompt="<img src=" * 100_000),
    "data": question("description", prompt="data:image/png;base64," * 40_000),
    "brackets": question("cloze", prompt="[[1" * 100_000 + "{1:SA:=x}"),
    "markdown": question("description", prompt=text("questiontext", "![](" * 30_000, form="markdown")),
    "spans": question("description", prompt='<span lang="en" class="multilang">' * 25_000),
    "base64": question("description", prompt=text("questiontext", "x", more=file("x.png", b"\0" * 1_000_000))),
    "points": question("description", f"<defaultgrade>{'9' * 1_000_000}</defaultgrade>"),
    "a number": question("numerical", answer("1" * 1_000_000, 100)),
    "answers": question("multichoice", *(answer(str(n), 100) for n in range(10_000))),
}


@pytest.mark.parametrize("name", LONG)
def test_what_is_long_does_not_hang(name: str):
    assert patiently(document(LONG[name]))


def test_script_in_an_answer_reaches_no_text():
    content = only(
        question(
            "multichoice",
            answer(
                'ok<script>alert(1)</script><img src="x" onerror="alert(1)">', 100, "<svg onload=alert(1)>no</svg>"
            ),
            answer('<a href="javascript:alert(1)">two</a><iframe src="https://evil.example"></iframe>'),
            prompt='<p onclick="alert(1)">Which?</p>',
        )
    )
    everything = str(content)
    for evil in ("script", "onerror", "onload", "onclick", "javascript:", "iframe"):
        assert evil not in everything


def test_a_large_file_with_images_is_kept_small():
    images = [png((n, n, n), 8) + b"\0" * 40_000 for n in range(20)]
    parts = [
        question("description", name=f"Q{n}", prompt=text("questiontext", IMAGE, more=file("a.png", data)))
        for n, data in enumerate(images)
    ]
    data = document(*parts)
    tracemalloc.start()
    parsed = patiently(data)
    _now, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(parsed.files) == 20
    print(f"{len(data) / 1e6:.1f} MB, at most {peak / 1e6:.1f} MB more")
    assert peak < 12 * len(data)


def test_the_same_image_a_thousand_times_is_kept_once():
    part = text("questiontext", IMAGE, more=file("a.png", png()))
    parsed = read(*(question("description", name=f"Q{n}", prompt=part) for n in range(200)))
    assert len(parsed.files) == 1


def test_broken_base64_of_any_sort_is_told():
    for data in ("A", "AAA", "====", "%%%", "é", base64.b64encode(b"x").decode() * 3):
        broken = f'<file name="a.png" path="/" encoding="base64">{data}</file>'
        parsed = read(question("description", prompt=text("questiontext", IMAGE, more=broken)))
        assert parsed.quiz is not None
        assert parsed.files == {}


_SCRAPS = st.sampled_from(
    [
        *(
            "<quiz>",
            "</quiz>",
            "<question type='cloze'>",
            "<question type='numerical'>",
            "</question>",
            "<questiontext>",
        ),
        *(
            "</questiontext>",
            "<text>",
            "</text>",
            "<answer fraction='50'>",
            "</answer>",
            "<![CDATA[",
            "]]>",
            "<!--",
            "-->",
        ),
        *(
            "{1:SA:=a}",
            "{1:MC:~a~=b#",
            "{9:NM:=1:x}",
            "~%",
            "#",
            "\\}",
            "@@PLUGINFILE@@/a",
            "&amp;",
            "&#1;",
            "&x;",
            "\0",
        ),
        *(
            "<question type='category'><category><text>$a$//b",
            "<name>",
            "</name>",
            "<file name='a' encoding='base64'>",
        ),
        *(
            "</file>",
            "<single>",
            "false",
            "<subquestion>",
            "</subquestion>",
            "صح",
            "\u202e",
            "\ud7ff",
            "\n",
            " ",
            "1e99",
        ),
        *(
            "<tags><tag>",
            "<defaultgrade>NaN</defaultgrade>",
            "<span lang='en' class='multilang'>",
            "</span>",
            "{mlang ar}",
        ),
    ]
)


@settings(deadline=None)
@given(st.lists(_SCRAPS | st.text(max_size=5), max_size=30), st.sampled_from(["utf-8", "utf-16", "cp1256"]))
def test_whatever_comes_is_read_or_refused_with_a_report(scraps: list[str], encoding: str):
    data = "".join(scraps).encode(encoding, "replace")
    inside = document(question("cloze", prompt=data.decode("utf-8", "replace")))
    for whole in (data, b"<quiz>" + data + b"</quiz>", inside):
        parsed = parse(whole, language="en")
        assert (parsed.quiz is None) == bool(parsed.report.errors)
        assert all(entry.line is None or entry.line >= 1 for entry in parsed.report.errors)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_bytes_of_any_sort_raise_nothing(data: bytes):
    try:
        parse(data, language="ar")
    except FormatError:
        pytest.fail("parse reports what it refuses")
