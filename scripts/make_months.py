"""
Write ``tabular/values/locale/months.json`` from the month names of the Unicode CLDR.

Loading sixteen locales only to check whether a word is a month takes a third of a second.
"""

from __future__ import annotations

import json
from pathlib import Path

from babel import Locale

from tabular.values.locales import LANGUAGES
from tabular.values.months import plain

TARGET = Path(__file__).resolve().parent.parent / "tabular/values/locale/months.json"


def main() -> None:
    """Write the file."""
    months = names()
    TARGET.write_text(json.dumps(months, ensure_ascii=False, indent=0) + "\n", "utf-8")
    print(f"{TARGET.name}: {len(months)} names of {len(LANGUAGES)} languages")


def names() -> dict[str, int]:
    """Return the numbers of months by their names, full and short; the first language counts."""
    numbers: dict[str, int] = {}
    for language in LANGUAGES:
        months = Locale(language).months
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                for number, name in months[context][width].items():
                    numbers.setdefault(plain(name), int(number))
    return numbers


if __name__ == "__main__":
    main()
