"""What the sample files promise to their readers, read as plain YAML."""

import re

import pytest
import yaml

from mpquiz import kinds
from mpquiz.kinds.places import names_others
from project import guides
from project.settings import BASE_DIR

SAMPLES = {
    file.stem: yaml.safe_load(file.read_text(encoding="utf-8"))
    for file in (BASE_DIR / "project" / "samples").glob("*.yaml")
}
WHOLE = ["mixed-precision", "tensors-in-code", "one-of-each", "exam"]
CODE = re.compile(r"```.*?```|`[^`]*`|\$[^$]*\$|\[\[\w+\]\]", re.DOTALL)


def texts(sample):
    """(where, words) of each text of a sample."""
    yield "title", sample["quiz"]["title"]
    yield "description", sample["quiz"]["description"]
    for guide in sample["guides"]:
        yield guide["slug"], guide["title"]
    for question in sample["questions"]:
        for name in ("prompt", "explanation"):
            if name in question:
                yield f"{question['key']}/{name}", question[name]
        for choice in question.get("choices", ()):
            for name in ("text", "match", "feedback"):
                if name in choice:
                    yield f"{question['key']}/{choice['key']}/{name}", choice[name]


@pytest.mark.parametrize("name", WHOLE)
def test_whole_in_both_languages(name):
    partial = [where for where, words in texts(SAMPLES[name]) if set(words) != {"en", "ar"}]
    assert partial == []


def test_the_third_one_is_partly_translated_in_each_way():
    missing = [({"en", "ar"} - set(words), where) for where, words in texts(SAMPLES["floating-point"])]
    for kind in ("prompt", "text", "explanation"):
        assert {language for gap, where in missing if where.endswith(kind) for language in gap} == {
            "en",
            "ar",
        }


def test_mixed_precision_asks_eight_questions_that_teach():
    questions = SAMPLES["mixed-precision"]["questions"]
    assert len(questions) == 8
    for question in questions:
        assert len(question["choices"]) == 4
        assert question["explanation"]
        assert any("feedback" in choice for choice in question["choices"] if not choice.get("right"))


def test_the_right_choice_has_no_usual_place():
    questions = SAMPLES["mixed-precision"]["questions"]
    places = [[choice.get("right", False) for choice in question["choices"]].index(True) for question in questions]
    assert {places.count(place) for place in range(4)} == {2}


def test_one_quiz_has_every_kind_once():
    asked = [question["kind"] for question in SAMPLES["one-of-each"]["questions"]]
    assert sorted(asked) == sorted(kinds.names())


def test_the_exam_is_one_and_its_pool_has_questions_to_draw():
    exam = SAMPLES["exam"]
    assert (exam["quiz"]["feedback"], exam["quiz"]["time_limit"]) == ("at_end", 15)
    [pool] = exam["quiz"]["pools"]
    questions = [question for sample in SAMPLES.values() for question in sample["questions"]]
    drawn = [one for one in questions if pool["tag"] in one.get("tags", ()) and one["kind"] != "page"]
    assert len(drawn) > pool["count"]


def test_a_choice_that_names_the_others_stands_last_and_stays_there():
    found = []
    for sample in SAMPLES.values():
        for question in sample["questions"]:
            for choice in question.get("choices", ()):
                if any(names_others(text, language) for language, text in choice.get("text", {}).items()):
                    found.append(question["key"])
                    assert choice is question["choices"][-1] and choice.get("keeps_place"), question["key"]
    assert found == ["exam-exactly-half", "exam-first-sign"]


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("name", ["mixed-precision", "tensors-in-code"])
def test_the_right_choice_is_not_told_by_its_length(name, language):
    singles = [question for question in SAMPLES[name]["questions"] if question["kind"] == "single"]
    longest = 0
    for question in singles:
        lengths = {choice["key"]: len(choice["text"][language]) for choice in question["choices"]}
        right = next(choice["key"] for choice in question["choices"] if choice.get("right"))
        longest += lengths[right] == max(lengths.values())
    assert longest <= len(singles) / 2


@pytest.mark.parametrize("name", SAMPLES)
def test_arabic_keeps_its_own_punctuation_and_leaves_code_in_code(name):
    for where, words in texts(SAMPLES[name]):
        running = CODE.sub("", words.get("ar", ""))
        assert not re.search(r"[,;?%+<>=/]|\d-\d", running), where


@pytest.mark.parametrize("name", SAMPLES)
def test_every_guide_has_a_page_with_the_same_title(name):
    for guide in SAMPLES[name]["guides"]:
        assert guide["address"] == f"/guides/{guide['slug']}/"
        for language, title in guide["title"].items():
            assert guides.read(guide["slug"], language).title == title
