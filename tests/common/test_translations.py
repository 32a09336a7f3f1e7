"""The translations follow the typography of their language, with one term for one thing."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from tabular.model.sentences import FORMS, LANGUAGES, SEPARATORS, TWO, counted, translated

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("common/wording/locale", "tabular/model/locale")
CODE = re.compile(r"`[^`]*`|\{[^{}]*\}")  # what is written for programs, and what is put in
PLACE = re.compile(r"\{[A-Za-z]\w*(?:[:!][^{}]*)?\}")
COUNTS = (["{n1}"], ["{n:,}"])
TYPOGRAPHY = {
    "de": r"""[«»”"]|\.\.\.""",
    "fr": r"""['"“”„]|«(?!\u202f)|(?<!\u202f)[;!?»%]|[ \xa0]:|\.\.\.""",
    "es": r"""["“”„]|\.\.\.""",
    "it": r"""['"„]|[“«]\s|\s[”»]|\.\.\.""",
    "nl": r"""["«»„]|\.\.\.""",
    "pt": r"""["„«»]|\.\.\.""",
    "pl": r"""["“«»]|\.\.\.""",
    "ar": r"""["“”„]|[,;?](?!\d)|\.\.\.""",
    "he": r"""[«»„]|[\u0590-\u05ff]"|\.\.\.""",
    "ja": r"""["“”„«»]|[\u3040-\u9fff][,;:!?.]|\.\.\.""",
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
    for message in messages(folder, language):
        yield from forms_of(message.string)


def messages(folder: str, language: str) -> Iterator[Message]:
    with (ROOT / folder / f"{language}.po").open("rb") as file:
        yield from (entry for entry in read_po(file) if entry.id)


def forms_of(text: str | Sequence[str]) -> list[str]:
    return [text] if isinstance(text, str) else list(text)


def ids(folder: str, language: str) -> list[tuple[str, str]]:
    """Return what is translated: each context and English text, sorted."""
    return sorted((e.context or "", forms_of(e.id)[0]) for e in messages(folder, language))


def names_of(language: str) -> tuple[str, ...]:
    return FORMS.get(language, TWO)


def is_exact(language: str, form: str) -> bool:
    """Return whether a form is for one number only: it may say the number in words."""
    exact = {"zero", "one", "two"} if language in {"ar", "he"} else {"one"}
    return form in exact and language not in {"fr", "pt", "ja"}  # one form for 0 and 1, or for all


def wrong_forms(message: Message, language: str) -> list[str]:
    """Return the forms of a translation that are empty, or miss or add a place."""
    forms, names = forms_of(message.string), names_of(language)
    if len(forms) not in {1, len(names)} or (len(forms) == 1 and not isinstance(message.string, str)
            and len(names) > 1):  # fmt: skip
        return forms
    english = sorted(PLACE.findall(forms_of(message.id)[-1]))
    wrong = []
    for number, form in enumerate(forms):
        named = sorted(PLACE.findall(form))
        omitted = [place for place in english if place not in named]
        may_omit = len(forms) > 1 and is_exact(language, names[number]) and omitted in COUNTS
        if not form or (named != english and not (may_omit and set(named) <= set(english))):
            wrong.append(form)
    return wrong


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_catalogue_translates_what_the_german_does_with_its_places_in_every_form(
    language, folder
):
    wrong = {
        forms_of(message.id)[0]: forms
        for message in messages(folder, language)
        if (forms := wrong_forms(message, language))
    }

    assert wrong == {}
    assert ids(folder, language) == ids(folder, "de")


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_count_is_said_in_every_form_with_the_separators_of_the_language(language):
    thousands, _ = SEPARATORS.get(language, (",", "."))
    worded = {n: translated(counted(n, "row"), language) for n in (0, 2, 3, 5, 11, 100, 1200)}

    assert f"1{thousands}200" in worded[1200]
    assert all(worded[n] != f"{n:,} rows" for n in worded)
    words = {re.sub(r"[\d.,\s]+", "", text) for text in worded.values()}
    assert len(words) >= {"ar": 4, "pl": 2}.get(language, 1)


@pytest.mark.parametrize("language", [name for name in LANGUAGES if name in TYPOGRAPHY])
def test_a_translation_has_the_quotes_and_spaces_of_its_language(language):
    wrong = re.compile(TYPOGRAPHY[language])

    assert [text for text in translations(language) if wrong.search(text)] == []


@pytest.mark.parametrize("language", OTHER_TERMS)
def test_a_translation_uses_the_term_that_the_elements_use(language):
    wrong = re.compile(OTHER_TERMS[language])

    assert [text for text in translations(language) if wrong.search(text)] == []
