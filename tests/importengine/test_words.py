"""The pages use the words of docs/contributing/writing.md."""

import doctest

import pytest

from scripts import check_words
from scripts.check_words import ROOT, findings, modules, pages, prose_of


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
    found = {module: list(findings(prose_of(module.read_text("utf-8")))) for module in modules()}

    assert len(found) > 500
    assert {module: lines for module, lines in found.items() if lines} == {}
