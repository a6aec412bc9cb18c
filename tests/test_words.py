"""Which language a reader gets, and Markdown to HTML that is safe to show."""

import re

import pytest
from django.utils import translation
from django.utils.safestring import SafeString
from hypothesis import given, settings
from hypothesis import strategies as st

from mpquiz import files, formulas, markdown, words
from tests.factories import make_quiz
from tests.patience import patience

BOTH = {"en": "Floats", "ar": "أعداد"}


def read(texts, language=None):
    text = words.pick(texts, language)
    return text.source, text.language, text.fallback


# Languages ----------------------------------------------------------------------------------------------------


def test_the_languages_are_those_of_the_host_in_its_order():
    assert words.languages() == ["en", "ar"]


@pytest.mark.parametrize(
    ("texts", "language", "found"),
    [
        (BOTH, "ar", ("أعداد", "ar", False)),
        (BOTH, "en", ("Floats", "en", False)),
        ({"en": "Floats"}, "ar", ("Floats", "en", True)),
        ({"ar": "أعداد"}, "en", ("أعداد", "ar", True)),
        ({"en": "  ", "ar": "أعداد"}, "en", ("أعداد", "ar", True)),
        ({"fr": "Flottants"}, "ar", ("Flottants", "fr", True)),
        ({"fr": "Flottants", "en": "Floats"}, "ar", ("Floats", "en", True)),
        (BOTH, "ar-eg", ("أعداد", "ar", False)),
        ({"ar-eg": "أعداد"}, "ar-eg", ("أعداد", "ar-eg", False)),
        (BOTH, "fr", ("Floats", "en", True)),
        ({}, "ar", ("", "", False)),
        ({"en": " \n"}, "ar", ("", "", False)),
        ({"en": "\n Floats \n"}, "en", ("Floats", "en", False)),
    ],
)
def test_a_reader_gets_their_language_else_the_fallbacks_else_any(texts, language, found):
    assert read(texts, language) == found


def test_the_active_language_is_the_reader_s():
    with translation.override("ar"):
        assert words.current_language() == "ar"
        assert read(BOTH)[1] == "ar"
    with translation.override("ar-eg"):
        assert words.current_language() == "ar"
    with translation.override("fr"):
        assert words.current_language() == "en"
    with translation.override(None):
        assert words.current_language() == "en"


@pytest.mark.parametrize(
    ("language", "found"),
    [("ar", "rtl"), ("ar-eg", "rtl"), ("he", "rtl"), ("en", "ltr"), ("pt-br", "ltr"), ("tlh", "ltr"), ("", "ltr")],
)
def test_the_direction_of_a_language(language, found):
    assert words.direction(language) == found


def test_the_element_s_direction_is_that_of_the_language_really_read():
    assert words.pick({"en": "Floats"}, "ar").dir == "ltr"
    assert words.pick({"ar": "أعداد"}, "en").dir == "rtl"


def test_columns_are_named_as_modeltranslation_names_them():
    assert words.attribute("title", "ar") == "title_ar"
    assert words.attribute("title", "pt-br") == "title_pt_br"


@pytest.mark.django_db
@pytest.mark.parametrize("active", ["en", "ar"])
def test_a_row_is_read_in_every_language_whichever_is_active(active):
    quiz = make_quiz(title={"ar": "أعداد", "en": " "}, count=1)
    with translation.override(active):
        quiz.refresh_from_db()
        assert words.of(quiz, "title") == {"ar": "أعداد"}
        assert words.read(quiz, "title").plain == "أعداد"
        assert words.of(quiz, "description") == {}


# Markdown -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("One *two* **three**", "<p>One <em>two</em> <strong>three</strong></p>"),
        ("`x < 1`", '<p><code dir="ltr">x &lt; 1</code></p>'),
        ("```python\nx = 1\n```", '<pre dir="ltr"><code>x = 1\n</code></pre>'),
        ("    x = 1", '<pre dir="ltr"><code>x = 1\n</code></pre>'),
        ("# Title", "<p><strong>Title</strong></p>"),
        ("Title\n=====", "<p><strong>Title</strong></p>"),
        ("a  \nb", "<p>a<br>\nb</p>"),
        ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
        ("![alt](/media/a.png)", '<p><img src="/media/a.png" alt="alt"></p>'),
        ("[a](https://example.com)", '<p><a href="https://example.com" rel="noopener noreferrer">a</a></p>'),
        ("[a](/guides/)", '<p><a href="/guides/" rel="noopener noreferrer">a</a></p>'),
        ("[a](mailto:a@example.com)", '<p><a href="mailto:a@example.com" rel="noopener noreferrer">a</a></p>'),
        ("a < b & c", "<p>a &lt; b &amp; c</p>"),
        ("سؤال عن `x`", '<p>سؤال عن <code dir="ltr">x</code></p>'),
        ("", ""),
    ],
)
def test_markdown_becomes_html(source, html):
    assert words.to_html(source).strip() == html


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("**a** `b`", '<strong>a</strong> <code dir="ltr">b</code>'),
        ("[a](https://example.com)", "a"),
        ("# a", "# a"),
        ("- a", "- a"),
        ("<b>a</b>", "<b>a</b>"),
        ("<p>a</p>", "a "),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b <br>"),
    ],
)
def test_within_a_line_there_are_no_blocks_and_no_links(source, html):
    assert words.to_inline(source) == html


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("**a** `x<y>` [b](/c)", "a x<y> b"),
        ("one\n\ntwo", "one two"),
        ("a &amp; b", "a & b"),
        ("![alt](/a.png) b", "alt b"),
    ],
)
def test_plain_text_has_no_markup(source, plain):
    assert words.to_plain(source) == plain


def test_plain_text_is_escaped_by_a_template_and_html_is_not():
    assert not isinstance(words.to_plain("a"), SafeString)
    assert isinstance(words.to_html("a"), SafeString)
    assert isinstance(words.to_inline("a"), SafeString)


_EVIL = [
    "<script>alert(1)</script>",
    "<ScRiPt/x>alert(1)</sCrIpT>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<a href='javascript:alert(1)'>a</a>",
    "[a](javascript:alert(1))",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java&#115;cript:alert(1))",
    "[a](&#1;javascript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x)",
    "<javascript:alert(1)>",
    "![a](javascript:alert(1))",
    '[a](/b "x" onclick=alert(1))',
    '[a](/b "\\" onclick=\\"alert(1)")',
    "![a](https://example.com/pixel.png)",
    "![a](//example.com/pixel.png)",
    "![a](/\\example.com/pixel.png)",
    "![a](\\\\example.com/pixel.png)",
    "![a](data:image/svg+xml,<svg onload=alert(1)>)",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "`<img src=x onerror=alert(1)>`",
    "```\n</code></pre><script>alert(1)</script>\n```",
    '```"><script>alert(1)</script>\nx\n```',
    "<style>*{display:none}</style>",
    "<iframe src=//example.com></iframe>",
    "<base href=//example.com>",
    "[a]: javascript:alert(1)\n\n[a]",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
    "<!-- --!><script>alert(1)</script> -->",
    "<b onclick='alert(1)' style='x' class=\"y\">a</b>",
    "<span lang='x\"><script>' dir='up'>a</span>",
    "<table><tr><td colspan='1' onclick='x'>a</td></tr></table>",
    "<table><script>alert(1)</script></table>",
    "<table>\n<td>\n</table>",
    r"$\href{javascript:alert(1)}{x}$",
    r"$\text{<script>alert(1)</script>}$",
    r"$x<img src=x onerror=alert(1)>$",
    '$"><script>alert(1)</script>$',
    "[a](mpquiz:javascript:alert(1))",
    "![a](mpquiz:../../secret.png)",
    f'src="mpquiz:{"a" * 40}.png"',
]

_TAG = re.compile(r"<(/?)([a-zA-Z][^\s/>]*)([^>]*)>")
_ATTRIBUTE = re.compile(r'\s([a-zA-Z-]+)="([^"]*)"')
_MAY = {
    "a": {"href", "title", "rel"},
    "bdi": {"lang", "dir"},
    "code": {"dir"},
    "p": {"dir"},
    "pre": {"dir"},
    "img": {"src", "alt", "title"},
    "ol": {"start"},
    "span": {"lang", "dir"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    **formulas.ATTRIBUTES,
}
_TAGS = {"br", "hr", "em", "strong", "ul", "li", "blockquote", "b", "i", "u", "s", "del", "sub", "sup", *_MAY}
_TAGS |= {"ruby", "rt", "rp", "table", "caption", "thead", "tbody", "tfoot", "tr"}


def check_safe(html):
    """Only our tags with our attributes, no address that runs or tells a stranger, no stray sign of a tag."""
    for _, tag, rest in _TAG.findall(html):
        assert tag in _TAGS
        attributes = dict(_ATTRIBUTE.findall(rest))
        assert set(attributes) <= _MAY.get(tag, set())
        assert not _ATTRIBUTE.sub("", rest).strip()
        if "href" in attributes and (scheme := re.match(r"\s*([^/?#]*):", attributes["href"])):
            assert scheme[1].lower() in {"http", "https", "mailto"}
        if "src" in attributes:
            assert re.match(r"/(?![/\\])", attributes["src"])
    assert "<" not in _TAG.sub("", html)


@pytest.mark.parametrize("source", _EVIL)
def test_nothing_evil_comes_through(source):
    check_safe(words.to_html(source))
    check_safe(words.to_inline(source))


_PIECES = st.sampled_from(
    [*_EVIL, "<", ">", '"', "'", "`", "```\n", "](", "![", "[", ")", "\n", "    ", "&", "&#x", "\\", "*"]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES | st.text(max_size=5), max_size=6).map("".join))
def test_nothing_evil_comes_through_in_any_mixture(source):
    check_safe(words.to_html(source))
    check_safe(words.to_inline(source))


def test_images_of_the_host_s_own_store_are_shown(settings):
    settings.MEDIA_URL = "https://cdn.example.com/media/"
    assert 'src="https://cdn.example.com/media/a.png"' in words.to_html("![own](https://cdn.example.com/media/a.png)")
    assert "src" not in words.to_html("![other](https://cdn.example.org/a.png)")


def test_a_text_is_rendered_once():
    markdown._html.cache_clear()
    words.pick({"en": "once"}, "en").html  # noqa: B018
    words.pick({"en": "once"}, "ar").html  # noqa: B018
    assert (markdown._html.cache_info().misses, markdown._html.cache_info().hits) == (1, 1)


@pytest.mark.parametrize(
    "source", ["[" * 20_000, "*a " * 50_000, "`" * 200_000, "> " * 50_000, "<" * 100_000, "![](" * 15_000]
)
def test_a_hostile_text_is_rendered(source):
    with patience():
        words.to_html(source)
        words.to_inline(source)


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("2024. Review", "2024. Review"),
        ("> 0.5", "> 0.5"),
        ("- 5", "- 5"),
        ("# C", "# C"),
        ("---", "---"),
        ("![A tree](/media/tree.png)", "A tree"),
        ("*one* `two`", "one two"),
        ("First\n\nsecond", "First second"),
    ],
)
def test_a_line_of_plain_text_loses_nothing_that_the_page_shows(source, plain):
    assert words.to_plain(source) == plain


# HTML that is kept ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "html"),
    [
        ("H<sub>2</sub>O, x<sup>2</sup>", "<p>H<sub>2</sub>O, x<sup>2</sup></p>"),
        (
            "<u>a</u> <s>b</s> <del>c</del> <i>d</i> <em>e</em>",
            "<p><u>a</u> <s>b</s> <del>c</del> <i>d</i> <em>e</em></p>",
        ),
        ("a<br>b<br/>c", "<p>a<br>b<br>c</p>"),
        ("Vec<T>, List<B>, <details>", "<p>Vec&lt;T&gt;, List&lt;B&gt;, &lt;details&gt;</p>"),
        ("the tag <b> is bold", "<p>the tag &lt;b&gt; is bold</p>"),
        ("the end </b> of it", "<p>the end &lt;/b&gt; of it</p>"),
        ("<b>one\n\ntwo</b>", "<p>&lt;b&gt;one</p>\n<p>two&lt;/b&gt;</p>"),
        ("**<u>a**</u>", "<p><strong>&lt;u&gt;a</strong>&lt;/u&gt;</p>"),
        ("<u><s>a</u></s>", "<p><u>&lt;s&gt;a</u>&lt;/s&gt;</p>"),
        ("<b>*a*</b>", "<p><b><em>a</em></b></p>"),
        ("`<b>a</b>`", '<p><code dir="ltr">&lt;b&gt;a&lt;/b&gt;</code></p>'),
        ('<span lang="ar" dir="rtl">نص</span>', '<p><span lang="ar" dir="rtl">نص</span></p>'),
        ('<bdi>نص</bdi> <span dir="up" class="x">a</span>', "<p><bdi>نص</bdi> <span>a</span></p>"),
        ("<p>a</p>", "<p>&lt;p&gt;a&lt;/p&gt;</p>"),
        ("<td>a</td>", "<p>&lt;td&gt;a&lt;/td&gt;</p>"),
        ("<table>\n<tr><td>a</td></tr>", "<p>&lt;table&gt;\n&lt;tr&gt;&lt;td&gt;a&lt;/td&gt;&lt;/tr&gt;</p>"),
        ("<table>\n\n</table>", "<p>&lt;table&gt;</p>\n<p>&lt;/table&gt;</p>"),
    ],
)
def test_a_few_tags_are_kept_where_they_are_closed(source, html):
    assert words.to_html(source).strip() == html


@pytest.mark.parametrize("before", ["", "text\n", "- a\n  - b\n"])
def test_a_table_is_kept_and_its_cells_are_markdown(before):
    table = (
        '<table class="x"><caption>C</caption>\n<tr><th scope="row">**a**</th><td colspan="2">`b`</td></tr>\n</table>'
    )
    html = words.to_html(f"{before}{table}\nafter")
    assert "<table><caption>C</caption>" in html
    assert '<th scope="row"><strong>a</strong></th><td colspan="2"><code dir="ltr">b</code></td>' in html
    assert html.strip().endswith("</tbody></table><p>after</p>") or before.startswith("-")


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("H<sub>2</sub>O", "H2O"),
        ("Vec<T> <b>", "Vec<T> <b>"),
        ("<table>\n<tr><td>a</td><td>b</td></tr>\n</table>", "a b"),
        ("a $x^2$ b", "a x^2 b"),
        (r"$$\frac{a}{b} < 1$$", r"\frac{a}{b} < 1"),
        ("![the sum $x$ of `a`](/a.png)", "the sum x of a"),
    ],
)
def test_plain_text_of_kept_html_and_formulas(source, plain):
    assert words.to_plain(source) == plain


# Formulas -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "html"),
    [
        (
            "ما قيمة $x$؟",
            '<p>ما قيمة <bdi dir="ltr"><math display="inline" alttext="x"><mrow><mi>x</mi></mrow></math></bdi>؟</p>',
        ),
        (
            "$$x$$",
            '<p dir="ltr"><bdi dir="ltr"><math display="block" alttext="x"><mrow><mi>x</mi></mrow></math></bdi></p>',
        ),
        ("$5 and $6", "<p>$5 and $6</p>"),
        ("5$ and 6$", "<p>5$ and 6$</p>"),
        ("$ x $", "<p>$ x $</p>"),
        (r"\$x\$", "<p>$x$</p>"),
        ("`$x$`", '<p><code dir="ltr">$x$</code></p>'),
        ("    $$x$$", '<pre dir="ltr"><code>$$x$$\n</code></pre>'),
        (r"$\frac{a$", r'<p><code dir="ltr">\frac{a</code></p>'),
        (r"$\undefined{x}$", r'<p><code dir="ltr">\undefined{x}</code></p>'),
        (r"$\frac{a}$", r'<p><code dir="ltr">\frac{a}</code></p>'),
        (r"$x^$", r'<p><code dir="ltr">x^</code></p>'),
        (r"$\left( x$", r'<p><code dir="ltr">\left( x</code></p>'),
        (r"$}{$", '<p><code dir="ltr">}{</code></p>'),
        (r"$\def\a{b}\a$", r'<p><code dir="ltr">\def\a{b}\a</code></p>'),
    ],
)
def test_formulas_are_shown_from_the_left(source, html):
    assert words.to_html(source).strip() == html


def test_several_formulas_in_a_line_are_several():
    assert words.to_html("$$a$$ or $$b$$").count("<math") == 2


def test_the_words_within_a_formula_are_words():
    assert "<mtext>عدد&lt;b&gt;</mtext>" in words.to_html(r"$\text{عدد<b>}$")


def test_a_formula_in_a_choice_stays_in_its_line():
    assert 'display="inline"' in words.to_inline("$$x$$")


def test_formulas_are_code_where_nothing_converts_them(monkeypatch):
    monkeypatch.setattr(formulas, "converter", None)
    formulas.mathml.cache_clear()
    assert markdown._markdown.render("$y+1$") == '<p><code dir="ltr">y+1</code></p>\n'
    formulas.mathml.cache_clear()


@pytest.mark.parametrize(
    "tex", ["x^" * 900, "{" * 900, r"\left(" * 300, r"\frac" * 300, "x" * 100_000, r"\sqrt" * 390]
)
def test_a_hostile_formula_does_not_hang(tex):
    with patience():
        formulas.mathml(tex)


# Files ----------------------------------------------------------------------------------------------------

PICTURE = f"{'3f' * 20}.png"
SOUND = f"{'9a' * 20}.mp3"


def test_a_file_is_shown_from_the_host_s_storage():
    html = words.to_html(f"![tree](mpquiz:{PICTURE}) [hear](mpquiz:{SOUND})")
    assert f'<img src="/media/mpquiz/{PICTURE}" alt="tree">' in html
    assert f'<a href="/media/mpquiz/{SOUND}" rel="noopener noreferrer">hear</a>' in html
    assert f'src="/media/mpquiz/{PICTURE}"' in words.to_inline(f"![tree](mpquiz:{PICTURE})")


def test_an_address_is_asked_for_at_each_time(monkeypatch):
    signed = iter(["/a?sign=1&x=2", "/a?sign=2"])
    monkeypatch.setattr(files, "address", lambda name: next(signed))
    source = f"![tree](mpquiz:{PICTURE})"
    assert 'src="/a?sign=1&amp;x=2"' in words.to_html(source)
    assert 'src="/a?sign=2"' in words.to_html(source)


@pytest.mark.parametrize("name", ["x.png", f"../{PICTURE}", f"{PICTURE}.exe", PICTURE.upper(), ""])
def test_a_wrong_name_is_a_missing_image_with_its_alt_text(name):
    assert words.to_html(f"![tree](mpquiz:{name})") == '<p><img alt="tree"></p>\n'


def test_a_storage_without_addresses_leaves_the_image_out(monkeypatch):
    monkeypatch.setattr(files, "address", lambda name: "")
    assert words.to_html(f"![tree](mpquiz:{PICTURE})") == '<p><img alt="tree"></p>\n'


def test_words_that_look_like_a_reference_are_words():
    source = f'<img src="mpquiz:{PICTURE}">'
    assert words.to_html(source).strip() == f'<p>&lt;img src="mpquiz:{PICTURE}"&gt;</p>'


def test_the_sounds_of_a_choice_are_told_beside_it():
    text = words.pick({"en": f"Hear **[this *word*](mpquiz:{SOUND})** or [that](/x)"}, "en")
    assert text.inline == "Hear <strong>this <em>word</em></strong> or that"
    assert [(file.label, file.address) for file in text.files] == [("this word", f"/media/mpquiz/{SOUND}")]
    assert words.pick({"en": "none"}, "en").files == ()
