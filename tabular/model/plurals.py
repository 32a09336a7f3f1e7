"""The forms of a counted noun in each language, as the Unicode CLDR names and chooses them."""

from collections.abc import Sequence
from decimal import Decimal

TWO = ("one", "other")
FORMS = {  # in the order in which catalogues write them; the last one is for everything else
    "ar": ("zero", "one", "two", "few", "many", "other"),
    "he": ("one", "two", "other"),
    "ja": ("other",),
    "pl": ("one", "few", "many"),
}


def form_for(number: int | Decimal, language: str, forms: Sequence[str]) -> str:
    """
    Return the form of a translation that a number needs; a single form is for every number.

    >>> [form_for(n, "pl", ("wiersz", "wiersze", "wierszy")) for n in (1, 2, 5, 22)]
    ['wiersz', 'wiersze', 'wierszy', 'wiersze']
    >>> [form_for(n, "fr", ("ligne", "lignes")) for n in (0, 1, 2)]
    ['ligne', 'ligne', 'lignes']
    """
    if len(forms) == 1:
        return forms[0]
    category = _category(number, language)
    names = FORMS.get(language, TWO)
    return forms[names.index(category) if category in names else -1]


def _category(number: int | Decimal, language: str) -> str:
    if language == "en":  # without a catalogue, and without loading one
        return "one" if number == 1 else "other"
    from babel import Locale

    return Locale(language).plural_form(number)
