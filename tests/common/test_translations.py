"""The translations follow the typography of their language, with one term for one thing."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("common/wording/locale", "tabular/model/locale")
CODE = re.compile(r"`[^`]*`|\{[^{}]*\}")  # what is written for programs, and what is put in
TYPOGRAPHY = {
    "de": r"""[«»”"]|\.\.\.""",
    "fr": r"""['"“”„]|«(?!\u202f)|(?<!\u202f)[;!?»%]|[ \xa0]:|\.\.\.""",
    "es": r"""["“”„]|\.\.\.""",
}
OTHER_TERMS = {
    "de": r"\b([Bb]itte\b|Kodierung|Lieferung|Url|angewandt|nicht angenommen)",
    "fr": r"\b(url|valables?)\b",
    "es": r"\b(advertencias?|encabezado|url|vencido)\b",
}


@cache
def translations(language: str) -> tuple[str, ...]:
    """Return each translation of a language, without what is in braces or in code."""
    return tuple(CODE.sub("", text) for folder in FOLDERS for text in texts(folder, language))


def texts(folder: str, language: str) -> Iterator[str]:
    with (ROOT / folder / f"{language}.po").open("rb") as file:
        for entry in read_po(file):
            if entry.id:
                yield from entry.string if isinstance(entry.string, tuple) else [entry.string]


@pytest.mark.parametrize("language", TYPOGRAPHY)
def test_a_translation_has_the_quotes_and_spaces_of_its_language(language):
    wrong = re.compile(TYPOGRAPHY[language])

    assert [text for text in translations(language) if wrong.search(text)] == []


@pytest.mark.parametrize("language", OTHER_TERMS)
def test_a_translation_uses_the_term_that_the_elements_use(language):
    wrong = re.compile(OTHER_TERMS[language])

    assert [text for text in translations(language) if wrong.search(text)] == []
