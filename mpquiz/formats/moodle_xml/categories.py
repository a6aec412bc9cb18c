"""Moodle's categories as tags of questions and back: ``$course$/top/Algebra/Vectors`` is ``Algebra/Vectors``."""

from collections.abc import Iterator

from ...content import PlacedQuestion, QuizContent, clean
from .. import markup


def tag(path: str, language: str = "") -> str:
    """The path of a category without where in Moodle it hangs. A slash within a name stays doubled.

    Of names in several languages the one in ``language`` counts, else the first.
    """
    names = [_in(language, name.replace("\0", "/")).strip() for name in path.replace("//", "\0").split("/")]
    while names and (names[0] in ("", "top") or (names[0].startswith("$") and names[0].endswith("$"))):
        names.pop(0)
    return "/".join(name for name in names if name)


def _in(language: str, name: str) -> str:
    texts = markup.split(name)
    return texts.get(language, next(iter(texts.values()))).replace("/", "//")


def path(name: str) -> str:
    """The category that a tag becomes."""
    return f"$course$/{name}"


class Plan:
    """Which tag of each question is written as its category.

    That is the first of its tags that is a path, has a description or is common to all; where a question has none,
    all tags are written as tags, since a category holds for what follows.
    """

    def __init__(self, quiz: QuizContent) -> None:
        self.described = [
            known.name for known in quiz.known_tags if clean(known.description) and _is_path(known.name)
        ]
        asked = [placed for placed in quiz.questions if placed.content is not None]
        common = set.intersection(*(set(_tags(placed)) for placed in asked)) if asked else set()
        chosen = {placed.key: self._category(placed, common) for placed in asked}
        self.categories = chosen if all(chosen.values()) else {}
        self.current: str | None = None
        self.written: set[str] = set()

    def _category(self, placed: PlacedQuestion, common: set[str]) -> str | None:
        tags = (name for name in _tags(placed) if _is_path(name))
        return next((name for name in tags if "/" in name or name in self.described or name in common), None)

    def change(self, placed: PlacedQuestion) -> str | None:
        """The category that begins with this question, None where it is the one before."""
        wanted = self.categories.get(placed.key)
        if wanted is None or wanted == self.current:
            return None
        self.current = wanted
        self.written.add(wanted)
        return wanted

    def tags(self, placed: PlacedQuestion) -> list[str]:
        """The tags of a question that are not its category."""
        return [name for name in _tags(placed) if name != self.categories.get(placed.key)]

    def left(self) -> Iterator[str]:
        """The tags with a description that were no category; after the last question they hold for none."""
        return (name for name in self.described if name not in self.written)


def _tags(placed: PlacedQuestion) -> tuple[str, ...]:
    return () if placed.content is None else placed.content.tags


def _is_path(name: str) -> bool:
    """Whether a tag comes back the same when it was written as a category."""
    return bool(name) and tag(path(name)) == name
