"""What `make lint` finds in the texts that people read, by docs/contributing/writing.md."""

import doctest
from collections import Counter

import pytest

from scripts import check_words
from scripts.check_words import (
    COMMENT,
    MESSAGE,
    blanked,
    checked,
    findings,
    texts_of,
)


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


def test_pages_modules_messages_and_settings_are_checked():
    by_kind = Counter(path.suffix for path, _ in checked())

    assert by_kind[".md"] > 40
    assert by_kind[".py"] > 1000
    assert by_kind[".ts"] > 100


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
