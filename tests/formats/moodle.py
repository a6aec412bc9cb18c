"""Small makers of Moodle XML, for the tests of its reader."""

import base64
import io
from typing import Any

from PIL import Image

from mpquiz.content import QuestionContent
from mpquiz.formats import Parsed
from mpquiz.formats.moodle_xml import parse


def png(colour: str = "red", size: int = 2) -> bytes:
    data = io.BytesIO()
    Image.new("RGB", (size, size), colour).save(data, "PNG")
    return data.getvalue()


def file(name: str, data: bytes, path: str = "/") -> str:
    return f'<file name="{name}" path="{path}" encoding="base64">{base64.b64encode(data).decode()}</file>'


def text(tag: str, html: str, *, more: str = "", form: str = "html") -> str:
    return f'<{tag} format="{form}"><text><![CDATA[{html}]]></text>{more}</{tag}>'


def answer(html: str, fraction: Any = 0, feedback: str = "", more: str = "", form: str = "html") -> str:
    said = text("feedback", feedback)
    return f'<answer fraction="{fraction}" format="{form}"><text><![CDATA[{html}]]></text>{said}{more}</answer>'


def question(sort: str, *parts: str, name: str = "Name", prompt: str = "Prompt?") -> str:
    named = f"<name><text><![CDATA[{name}]]></text></name>"
    asked = prompt if prompt.startswith("<questiontext") else text("questiontext", prompt)
    return f'<question type="{sort}">{named}\n{asked}\n' + "\n".join(parts) + "</question>"


def category(path: str, info: str = "") -> str:
    told = text("info", info) if info else ""
    return f'<question type="category"><category><text>{path}</text></category>{told}</question>'


def document(*questions: str) -> bytes:
    """A file: its first question begins in line 3."""
    return '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n{}\n</quiz>\n'.format("\n".join(questions)).encode()


def read(*questions: str, language: str = "en") -> Parsed:
    return parse(document(*questions), language=language)


def only(*questions: str, language: str = "en") -> QuestionContent:
    """The content of a file's one question."""
    parsed = read(*questions, language=language)
    assert parsed.quiz is not None, parsed.report.errors
    [placed] = parsed.quiz.questions
    assert placed.content is not None
    return placed.content


def warnings(parsed: Parsed) -> list[str]:
    return [entry.message for entry in parsed.report.warnings]


def errors(parsed: Parsed) -> list[tuple[int | None, str]]:
    return [(entry.line, entry.message) for entry in parsed.report.errors]
