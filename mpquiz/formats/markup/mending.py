"""HTML of any sort made well-formed, of few elements, by a browser's parser (html5ever, by nh3)."""

import re
from html import unescape

import nh3

from ... import files

DEEPEST = 100
MOST = 5000

STYLES = {
    "b": "strong",
    "bdo": "bdi",
    "cite": "em",
    "dfn": "em",
    "i": "em",
    "ins": "u",
    "strike": "s",
    "var": "em",
} | {name: name for name in ("strong", "em", "u", "s", "del", "sub", "sup", "ruby", "rt", "rp", "span", "bdi")}
CODE = {"code", "kbd", "samp", "tt"}
TITLES = {"h1", "h2", "h3", "h4", "h5", "h6", "dt", "legend", "summary"}
PARAGRAPHS = {"p", "div", "section", "article", "header", "footer", "main", "nav", "aside", "address", "center"} | {
    *("figure", "figcaption", "dl", "dd", "details", "fieldset", "form", "hgroup"),
    *TITLES,
}
CONTAINERS = {"blockquote", "ul", "ol", "li", "table", "caption", "thead", "tbody", "tfoot", "tr", "td", "th"}
MEDIA = {"audio", "video"}
_TAGS = {*STYLES, *CODE, *PARAGRAPHS, *CONTAINERS, *MEDIA, "a", "br", "hr", "img", "math", "pre", "source"}
_GONE = {"script", "style", "iframe", "title", "template", "svg", "select", "textarea", "button", "canvas"} | {
    *("noframes", "noembed", "frameset", "xmp", "xml"),
}
_KEPT = {
    "a": {"href", "title"},
    "audio": {"src", "title"},
    "video": {"src", "title"},
    "source": {"src"},
    "img": {"src", "alt", "title"},
    "math": {"alttext"},
    "ol": {"start"},
    "bdi": {"lang", "dir"},
    "bdo": {"lang", "dir"},
    "span": {"lang", "dir"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
_OTHERS = (
    "abbr acronym applet area b base basefont bgsound big blink body col colgroup data datalist dir embed "
    "font frame head hgroup html image input isindex keygen label link listing map mark marquee menu meta "
    "meter nav nobr noscript object optgroup option output param path plaintext picture portal progress q rb "
    "rbc rtc search slot small spacer time track var wbr annotation mi mn mo mrow msup msub mfrac msqrt "
    "mtext semantics mtable mtr mtd mover munder mstyle mspace nolink tex"
)
_HTML = {*_TAGS, *_GONE, *_OTHERS.split()}
_SCHEMES = {"http", "https", "mailto", "data", files.SCHEME.rstrip(":")}
_NOTED = re.compile(
    r"<(script|iframe|object|embed|applet|form|input|select|textarea|button|svg|canvas|frame|frameset|portal)\b", re.I
)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9-]*)")
_ANY_TAG = re.compile(r"<[a-zA-Z/!?][^<>]*>?")
# The end of these may be left out, and a browser ends them by itself.
_UNNESTED = {"p", "li", "dt", "dd", "tr", "td", "th", "br", "hr", "img", "input", "source", "col", "option", "wbr"}
_OPEN = re.compile(r"</?(?P<name>[a-zA-Z][a-zA-Z0-9]*)(?![\w:.-])(?P<rest>[^<>\"'=]*)(?P<more>[>\"'=])?")
_TEX = re.compile(r"<tex>([^<]*)</tex>|\[tex\]([^\[]*)\[/tex\]", re.I)


def is_too_deep(html: str) -> bool:
    """Whether elements stand in each other as no person writes them; a browser's parser is slow at it.

    Ends that end nothing may hide the depth, so that the number of elements has a limit too.
    """
    depth = found = 0
    for closing, name in _TAG.findall(html):
        if name.lower() not in _UNNESTED:
            depth = max(0, depth - 1) if closing else depth + 1
            found += not closing
        if depth > DEEPEST or found > MOST:
            return True
    return False


def stripped(html: str) -> str:
    """The words of HTML without its tags, whatever they are."""
    return unescape(_ANY_TAG.sub(" ", html))


def _literal(found: re.Match[str]) -> str:
    is_tag = found["name"].lower() in _HTML and found["more"]
    return found[0] if is_tag else f"&lt;{found[0][1:]}"


def mended(html: str) -> str:
    """Well-formed HTML of the elements above. It may be hostile, but not too deep."""
    return nh3.clean(
        _TEX.sub(_delimited, html),
        tags=_TAGS,
        clean_content_tags=_GONE,
        attributes=_KEPT,
        url_schemes=_SCHEMES,
        link_rel=None,
    )


def _delimited(found: re.Match[str]) -> str:
    return rf"\({found[1] or found[2] or ''}\)"


def literal(html: str) -> str:
    """A sign of less that begins no element of HTML as a reference: ``List<T>``, ``a<b``.

    A browser would hide what follows.
    """
    return _OPEN.sub(_literal, html)


def noted(html: str) -> list[str]:
    """The elements that are more than words, by name."""
    return list(dict.fromkeys(name.lower() for name in _NOTED.findall(html)))
