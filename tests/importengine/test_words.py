"""The texts that people read use the words of docs/contributing/writing.md."""

import doctest

import pytest

from scripts import check_words
from scripts.check_words import (
    COMMENT,
    MESSAGE,
    ROOT,
    blanked,
    checked,
    findings,
    modules,
    pages,
    prose_of,
    texts_of,
)


@pytest.mark.parametrize("page", list(pages()), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_page_uses_the_words_of_the_style_guide(page):
    assert list(findings(page.read_text("utf-8"))) == []


@pytest.mark.parametrize(
    "text",
    [
        "It stands there.",
        "Let the default stand.",
        "A blank is no value.",
        "Versions lie beside it.",
        "The first room of the house.",
        "Line one\nis read\nanew.",
    ],
)
def test_a_word_of_the_list_is_found(text):
    assert list(findings(text)) != []


@pytest.mark.parametrize(
    "text",
    [
        "There is no such row.",
        "It is no longer there.",
        "It is no\nlonger there.",
        "DEU stands for Germany.",
        "The member `beside`.",
        "```\nbeside\n```",
        "Anewgate, mushrooms and outdoors.",
    ],
)
def test_what_is_plain_english_or_code_is_left_alone(text):
    assert list(findings(text)) == []


def test_the_examples_hold():
    assert doctest.testmod(check_words).failed == 0


def test_docstrings_and_comments_use_the_words_of_the_style_guide():
    by_module = {
        module: list(findings(prose_of(module.read_text("utf-8")))) for module in modules()
    }

    assert len(by_module) > 500
    assert {module: lines for module, lines in by_module.items() if lines} == {}


def test_what_the_engine_and_the_elements_show_uses_the_words_of_the_style_guide():
    by_text = [(path.name, list(findings(text))) for path, text in checked()]

    assert len(by_text) > 1500
    assert [lines for lines in by_text if lines[1]] == []


@pytest.mark.parametrize(
    "source",
    [
        "raise Conflict('It waits for nobody here.')",
        "parser.add_argument('--x', help='Overwrite a draft somebody left.')",
        "f'{count} things are said in vain'",
        "{'help_text': 'The default stands, always.'}",
    ],
)
def test_a_word_of_the_list_is_found_in_a_string(source):
    assert list(findings(texts_of(source))) != []


def test_a_word_of_the_list_is_found_in_a_message_and_a_comment():
    source = "/** A room. */\nlet a = 1 // done anew\nexport const en = {a: 'Nobody knows.'}"

    assert len(list(findings(blanked(source, COMMENT)))) == 2
    assert len(list(findings(blanked(source, MESSAGE, 1)))) == 1
