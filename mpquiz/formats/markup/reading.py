"""HTML of any sort as blocks."""

import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

from django.utils.translation import gettext as _

from ... import files, words
from .formulas import placed, sound, with_math
from .mending import CODE, CONTAINERS, MEDIA, STYLES, TITLES, is_too_deep, literal, mended, noted, stripped
from .pieces import Attributes, Block, Break, Code, Edge, Image, Math, Piece, Style, tidied

Address = Callable[[str], str | None]
"""What becomes of the address of an image or a link; None leaves out the link and keeps its words."""

MOST_CONTAINERS = 40
MOST_STYLES = 10
"""Our renderer shows what stands in each other no deeper than these make it."""

_LINKED = re.compile(r"(?:https?://|mailto:|mpquiz:|[/?#.]|[^:/?#]*(?:[/?#]|$))", re.I)
_NO_BREAK = re.compile(r"(?<=\d)\xa0(?=\S)|(?<=«)\xa0|\xa0(?=[:;!?»%])|(?P<other>\xa0)")


class Page:
    """HTML, read. ``blocks`` is what it shows, ``left_out`` the elements that no text holds, ``remote`` the addresses
    of images that do not come with it.

    ``language`` is the language of the words: a span that only says so again is dropped.
    """

    def __init__(self, html: str, *, language: str = "", address: Address | None = None) -> None:
        self.left_out = noted(html)
        self.blocks: list[Block] = []
        self.remote: list[str] = []
        html = literal(html)
        if "<" not in html:
            self.blocks = _plain(unescape(html))
            return
        try:
            self._read(html, _Builder(language, address))
        except _TooDeep:
            self.left_out.append(_("markup that is nested too deeply"))
            self.blocks = _plain(stripped(html))

    def _read(self, html: str, builder: "_Builder") -> None:
        if is_too_deep(html):
            raise _TooDeep
        builder.feed(mended(html))
        builder.close()
        self.blocks, self.remote = builder.finished(), list(dict.fromkeys(builder.remote))
        self.left_out += builder.left_out


class _TooDeep(Exception):
    """Elements stand in each other as no person writes them."""


def _plain(text: str) -> list[Block]:
    pieces = placed(tidied(with_math(_breakable(text))))
    return [Block("p", pieces=pieces)] if pieces else []


def _breakable(text: str) -> str:
    """No-break spaces only where they keep a number, a unit or a sign at its place; editors put them anywhere."""
    return _NO_BREAK.sub(lambda found: " " if found["other"] else found[0], text) if "\xa0" in text else text


class _Builder(HTMLParser):
    def __init__(self, language: str, address: Address | None) -> None:
        super().__init__(convert_charrefs=True)
        self.language = language
        self.address = address
        self.remote: list[str] = []
        self.left_out: list[str] = []
        self.containers = [Block("document")]
        self.paragraph: Block | None = None
        self.apart = False
        self.styles: list[Style] = []
        self.ends: list[tuple[str, Callable[[], None]]] = []
        self.code: list[str] | None = None
        self.pre: list[str] | None = None
        self.silent = False
        self.unseen: list[str] = []
        self.sources: list[str] = []

    def finished(self) -> list[Block]:
        self._end_paragraph()
        return self.containers[0].blocks

    # What the parser meets -----------------------------------------------------------------------------------

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag in ("br", "hr", "img", "source"):
            self._void(tag, attributes)
            return
        end: Callable[[], None] = _nothing
        if tag in MEDIA or tag == "math":
            end = self._start_silence(tag, attributes)
        elif not self.silent and self.pre is None:
            end = self._start(tag, attributes)
        self.ends.append((tag, end))

    def handle_endtag(self, tag: str) -> None:
        while self.ends:
            name, end = self.ends.pop()
            end()
            if name == tag:
                return

    def handle_data(self, data: str) -> None:
        if self.silent:
            self.unseen.append(data)
        elif self.pre is not None:
            self.pre.append(data)
        elif self.code is not None:
            self.code.append(data)
        elif self.paragraph is not None or not data.isspace() or "\xa0" in data:
            self._add(*with_math(_breakable(data)))

    # Elements ------------------------------------------------------------------------------------------------

    def _start(self, tag: str, attributes: dict[str, str]) -> Callable[[], None]:
        if tag in CODE:
            return self._start_code()
        if tag in STYLES or tag == "a":
            return self._start_style(self._style(tag, attributes))
        if tag == "pre":
            return self._start_pre()
        if tag in CONTAINERS:
            return self._start_container(tag, attributes)
        self._end_paragraph()
        self.apart = tag == "p"
        if tag not in TITLES:
            return self._end_paragraph
        return self._start_title()

    def _start_title(self) -> Callable[[], None]:
        end_style = self._start_style(Style("strong"))

        def end() -> None:
            self._end_paragraph()
            end_style()

        return end

    def _void(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "source":
            self.sources.append(attributes.get("src", ""))
        elif self.silent:
            return
        elif self.pre is not None or self.code is not None:
            self.handle_data({"br": "\n"}.get(tag, attributes.get("alt", "")))
        elif tag == "br":
            if self.paragraph is not None:
                self._add(Break())
        elif tag == "hr":
            self._end_paragraph()
            self._home().blocks.append(Block("hr"))
        else:
            self._image(attributes)

    def _image(self, attributes: dict[str, str]) -> None:
        alt, source = attributes.get("alt", ""), attributes.get("src", "").strip()
        address = self._mapped(source)
        if address is not None and not address.startswith(files.SCHEME):
            self.remote.append(address[:200])
        if address is None or address.startswith("data:"):
            self._add(alt)
        else:
            self._add(Image(alt, address, attributes.get("title", "")))

    def _mapped(self, source: str) -> str | None:
        """The address that the text shall have; None where there shall be none."""
        return self.address(source) if self.address and source else source or None

    def _style(self, tag: str, attributes: dict[str, str]) -> Style | None:
        """How words are marked; None where they read the same without."""
        if tag == "a":
            return self._link(attributes)
        name = STYLES[tag]
        kept = _direction(attributes, self.language) if name in ("span", "bdi") else ()
        return Style(name, kept) if kept or name not in ("span",) else None

    def _link(self, attributes: dict[str, str]) -> Style | None:
        address = self._mapped(attributes.get("href", "").strip())
        if not address or not _LINKED.match(address):
            return None
        title = attributes.get("title", "")
        return Style("a", (("href", address), *((("title", title),) if title else ())))

    def _start_style(self, style: Style | None) -> Callable[[], None]:
        if style is None or len(self.styles) >= MOST_STYLES or self._is_open(style):
            return _nothing
        self.styles.append(style)
        if self.paragraph is not None:
            self.paragraph.pieces.append(Edge(style, True))
        return self._end_style

    def _is_open(self, style: Style) -> bool:
        return style.name not in ("span", "bdi") and any(one.name == style.name for one in self.styles)

    def _end_style(self) -> None:
        style = self.styles.pop()
        if self.paragraph is not None:
            self.paragraph.pieces.append(Edge(style, False))

    def _start_code(self) -> Callable[[], None]:
        if self.code is not None:
            return _nothing
        self.code = []
        return self._end_code

    def _end_code(self) -> None:
        self._flush_code()
        self.code = None

    def _flush_code(self) -> None:
        if self.code:
            text = re.sub(r"[ \t\n\r\f\xa0]+", " ", "".join(self.code))
            self.code = []
            if text.strip():
                self._add(Code(text))
            else:
                self._add(text)

    def _start_pre(self) -> Callable[[], None]:
        self._end_paragraph()
        self.pre = []
        return self._end_pre

    def _end_pre(self) -> None:
        text = "".join(self.pre or ()).replace("\xa0", " ").removesuffix("\n")
        self.pre = None
        if text.strip():
            self._home().blocks.append(Block("pre", pieces=[text]))

    def _start_container(self, tag: str, attributes: dict[str, str]) -> Callable[[], None]:
        self._end_paragraph()
        home = self.containers[-1] if tag not in ("blockquote", "ul", "ol", "table") else self._home()
        if tag == "li" and home.name not in ("ul", "ol"):
            return self._end_paragraph
        if len(self.containers) > MOST_CONTAINERS:
            raise _TooDeep
        kept = tuple((name, value) for name, value in sorted(attributes.items()) if value.strip())
        block = Block(tag, kept)
        home.blocks.append(block)
        self.containers.append(block)
        return lambda: self._end_container(home)

    def _end_container(self, home: Block) -> None:
        self._end_paragraph()
        block = self.containers.pop()
        if block.name not in ("li", "td", "th") and block.empty:
            home.blocks.pop()

    def _start_silence(self, tag: str, attributes: dict[str, str]) -> Callable[[], None]:
        """What stands within is not shown as it is: another text for old browsers, or the signs of a formula."""
        if self.silent:
            return _nothing
        self.silent, self.unseen, self.sources = True, [], [attributes.get("src", "")]
        return (lambda: self._end_math(attributes)) if tag == "math" else (lambda: self._end_media(tag, attributes))

    def _end_math(self, attributes: dict[str, str]) -> None:
        self.silent = False
        if tex := sound(attributes.get("alttext", "")):
            self._add(Math(tex))
        else:
            self.left_out.append("math")
            self._add(" ".join("".join(self.unseen).split()))

    def _end_media(self, tag: str, attributes: dict[str, str]) -> None:
        self.silent = False
        source = next((one.strip() for one in self.sources if one.strip()), "")
        said = " ".join("".join(self.unseen).split())
        readable = said if "@@" not in said and files.SCHEME not in said else ""
        named = attributes.get("title") or readable or _file_name(source)
        end = self._start_style(self._link({"href": source}))
        self._add(named or (_("Sound") if tag == "audio" else _("Video")))
        end()

    # Where things go -----------------------------------------------------------------------------------------

    def _home(self) -> Block:
        """The block that what comes now belongs to; bare words of a list are an item of it."""
        home = self.containers[-1]
        if home.name not in ("ul", "ol"):
            return home
        home.blocks.append(Block("li"))
        return home.blocks[-1]

    def _add(self, *pieces: Piece) -> None:
        if self.paragraph is None:
            self.paragraph = Block("p", apart=self.apart)
            self.paragraph.pieces += [Edge(style, True) for style in self.styles]
        self.paragraph.pieces += pieces

    def _end_paragraph(self) -> None:
        self._flush_code()
        self.apart = False
        if self.paragraph is None:
            return
        paragraph, self.paragraph = self.paragraph, None
        paragraph.pieces += [Edge(style, False) for style in reversed(self.styles)]
        paragraph.pieces = placed(tidied(paragraph.pieces))
        if paragraph.pieces:
            self._home().blocks.append(paragraph)


def _nothing() -> None:
    pass


def _direction(attributes: dict[str, str], language: str) -> Attributes:
    """What a span tells that its surroundings do not: another language or direction."""
    kept = []
    code = attributes.get("lang", "").strip().lower().replace("_", "-")
    if re.fullmatch(r"[a-z]{2,3}(-[a-z0-9]{1,8}){0,3}", code) and code.split("-")[0] != language.split("-")[0]:
        kept.append(("lang", code))
    side = attributes.get("dir", "").strip().lower()
    if side in ("ltr", "rtl", "auto") and (kept or not language or side != words.direction(language)):
        kept.append(("dir", side))
    return tuple(kept)


def _file_name(address: str) -> str:
    """The last part of an address for people to read; "" where it is none."""
    if address.startswith((files.SCHEME, "data:")):
        return ""
    try:
        return unquote(urlsplit(address).path.rsplit("/", 1)[-1])
    except ValueError:
        return ""
