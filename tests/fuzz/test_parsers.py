"""Whatever bytes come, a parser tells what is wrong with them, each thing with its line, and never falls over.

Seconds for each parser: MPQUIZ_FUZZ_SECONDS (2 by default, 60 in the gate, 600 in .ci/long). A failure prints the
seed and the bytes, so that they can become a case of their own.
"""

import os
import random
import re
import time

import pytest

from mpquiz.formats import FORMATS, recognised
from tests.patience import patience

SECONDS = float(os.environ.get("MPQUIZ_FUZZ_SECONDS", "2"))
SEED = int(os.environ.get("MPQUIZ_FUZZ_SEED", time.time_ns() % 1_000_000_007))

SEEDS = {
    "gift": [
        "// [id:a] [tag:b]\n::Name::[html]Which <b>one</b>? {=%50%right#yes ~%-25%wrong#no ####why}\n\n",
        "$CATEGORY: $course$/top/A/B\n\nهل؟ {TRUE#لا#نعم}\n\nHow many? {#=3:1#near =%50%3..5 ~#else}\n\n",
        "Match {=a -> b =c -> d = -> e}\n\nEssay {}\n\nOnly words\\n\\{ \\= \\~ \\# \\: \\\\ \n\n"
        "{mlang en}A{mlang}{mlang ar}ب{mlang} {=x}",
    ],
    "aiken": ["What is it?\nA. One\nB) Two\nANSWER: B\n\n", "ما هو؟\nأ. واحد\nب) اثنان\nالإجابة: ب\n\n"],
    "yaml": [
        "mpquiz: 1\nnamespace: a\nquiz:\n  slug: b\n  title: {en: T, ar: ت}\nquestions:\n"
        "  - key: c\n    kind: single\n    prompt: P\n    choices:\n      - text: R\n        right: true\n"
        "      - text: W\n"
        "  - key: d\n    kind: gaps\n    prompt: 'x [[1]]'\n    settings: {parts: {'1': {kind: number}}}\n"
        "    choices: [{part: '1', value: '3', right: true}]\n",
        "mpquiz: 1\nnamespace: a\nquiz:\n  slug: b\n  title: T\n  draw: 1\n  feedback: at_end\n  time_limit: 30\n"
        "  review: {score: finish, right_answer: close}\n  opens_at: 2026-01-31T08:00+03:00\n"
        "  closes_at: 2026-02-01 08:00:30.5Z\n  access: groups\n"
        "  pools:\n    - tag: A/B\n      count: 3\n      points: 0.5\n      after: 1\n"
        "questions:\n  - {key: c, kind: essay, prompt: P}\n",
    ],
    "moodle_xml": [
        '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n<question type="category"><category><text>$course$/A</text>'
        "</category></question>\n"
        '<question type="multichoice"><name><text>N</text></name><questiontext format="html"><text><![CDATA[<p>Q '
        '<img src="@@PLUGINFILE@@/a.png" alt="x">\\(x^2\\)</p>]]></text><file name="a.png" encoding="base64">'
        'iVBORw0KGgo=</file></questiontext><answer fraction="100"><text>a</text><feedback><text>f</text></feedback>'
        "</answer>"
        '<answer fraction="-33.3"><text>b</text></answer><single>true</single></question>\n'
        '<question type="cloze"><name><text>C</text></name><questiontext format="html"><text>x {1:MC:=a~%50%b#f} '
        "{2:NM:=3:1} {1:SA:=y~*}</text></questiontext></question>\n"
        '<question type="matching"><name><text>M</text></name><questiontext><text>m</text></questiontext>'
        "<subquestion><text>l</text><answer><text>r</text></answer></subquestion><subquestion><text>k</text><answer>"
        "<text>s</text></answer></subquestion></question>\n</quiz>\n",
    ],
}
SIGNS = [
    *"{}=~#:\\\"'<>&[]()%$*-+.,;|!?/@^_`\n\r\t \0",
    "->", "####", "::", "//", "\n\n", "$CATEGORY:", "{T}", "{#", "..", "%50%", "[html]", "[[1]]", "]]>", "<![CDATA[",
    "<span lang=\"ar\" class=\"multilang\">", "</span>", "{mlang ar}", "{mlang}", "\\(", "\\)", "$$", "&amp;",
    "&#x0;",
    "&x;", "<!--", "-->", "<question type=\"cloze\">", "</question>", "<file>", "ANSWER:", "A.", "ا", "٣",
    "\u200f",
    "\u2067", "\ufeff", "\ud7ff", "😀", "- ", ": ", "|\n", ">-\n", "&a ", "*a", "!!python/object:x ", "---\n", "\x85",
    "\u2028", "x" * 300, "9" * 120, "1e999", "-0", "NaN",
]  # fmt: skip
_ENDS = re.compile(b"\r\n|\r|\n|\xc2\x85|\xe2\x80[\xa8\xa9]")
RAW = [b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xc3", b"\x00", b"\xd3\xc4"]


def mutated(chance, seeds):
    """A seed with pieces taken out, doubled, moved and put in."""
    text = chance.choice(seeds) * chance.choice((1, 1, 1, 3))
    for _step in range(chance.randint(1, 12)):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice((1, 2, 5, 30)))
        text = chance.choice(
            (
                text[:at] + chance.choice(SIGNS) * chance.choice((1, 1, 2, 40)) + text[at:],
                text[:at] + text[end:],
                text[:end] + text[at:],
                text[:at] + chance.choice(SIGNS) + text[end:],
            )
        )
    data = text.encode("utf-8", "surrogatepass")
    if chance.random() < 0.2:
        at = chance.randrange(len(data) + 1)
        data = data[:at] + chance.choice(RAW) + data[at:]
    return data


@pytest.mark.parametrize("format", sorted(SEEDS))
def test_whatever_comes_is_read_or_refused_with_its_line(format):
    chance = random.Random(SEED)
    end, count = time.monotonic() + SECONDS, 0
    while time.monotonic() < end or count < 50:
        count += 1
        data = mutated(chance, SEEDS[format])
        recognised(data)
        try:
            parsed = FORMATS[format].parse(data, language=chance.choice(("en", "ar")))
        except Exception as error:
            pytest.fail(f"seed {SEED}, file {count}: {error!r} at {data!r}")
        assert (parsed.quiz is None) == bool(parsed.report.errors), data
        for entry in parsed.report.errors:
            assert entry.message, data
            assert entry.line is not None, (entry.message, data)
        lines = len(_ENDS.findall(data)) + 2  # what is missing at the end may be told of the line after it
        for entry in (*parsed.report.warnings, *parsed.report.errors):
            assert entry.line is None or 1 <= entry.line <= lines, (entry, data)
    print(f"{format}: {count} files, seed {SEED}")


LONG = ["{", "~", "=", "}", "\\", "<", "$", "&", "[", "#", "-> ", "::", "{=a", "<b>", "{mlang en}", "\\(", "*", "`"]


@pytest.mark.parametrize("unit", LONG)
@pytest.mark.parametrize("format", sorted(SEEDS))
def test_a_long_line_does_not_hang(format, unit):
    head = {"gift": "Q ", "aiken": "", "yaml": "mpquiz: 1\nnamespace: ", "moodle_xml": MARKUP[0]}[format]
    tail = {"moodle_xml": MARKUP[1], "gift": " {=a ~b}"}.get(format, "\n")
    size = 60_000 if unit == "{=a" else 300_000  # the one that takes longest
    with patience():
        FORMATS[format].parse((head + unit * (size // len(unit)) + tail).encode(), language="en")


MARKUP = (
    '<quiz><question type="essay"><name><text>N</text></name><questiontext format="html"><text><![CDATA[',
    "]]></text></questiontext></question></quiz>",
)
