"""
The file that benchmarks read: customers' orders in 14 columns, with a known number of bad cells.

``python -m bench.peers.generated ROWS FILE`` writes it, with its truth in ``FILE.json``, and the
same bytes on every machine. About two cells in a hundred of the checked columns are bad.
"""

from __future__ import annotations

import csv
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

SEED = 20_260_102
BAD = 0.02
COLUMNS = {
    "Kundennummer": "id",
    "Vorname": "first",
    "Nachname": "last",
    "E-Mail": "email",
    "Telefon": "phone",
    "Bestelldatum": "ordered",
    "Lieferdatum": "delivered",
    "Betrag": "amount",
    "Menge": "quantity",
    "Aktiv": "active",
    "Kategorie": "category",
    "IBAN": "iban",
    "Land": "country",
    "Bemerkung": "note",
}
# The 20 options of the category, each with the spellings that occur.
OPTIONS = {
    "adhesives": ("Klebstoffe", "Adhesives"),
    "bearings": ("Lager", "Bearings", "Wälzlager"),
    "cables": ("Kabel", "Cables"),
    "clamps": ("Klemmen", "Clamps"),
    "coatings": ("Lacke", "Coatings"),
    "drills": ("Bohrer", "Drills"),
    "filters": ("Filter", "Filters"),
    "fittings": ("Armaturen", "Fittings"),
    "gaskets": ("Dichtungen", "Gaskets"),
    "gloves": ("Handschuhe", "Gloves"),
    "hoses": ("Schläuche", "Hoses"),
    "ladders": ("Leitern", "Ladders"),
    "lamps": ("Leuchten", "Lamps"),
    "motors": ("Motoren", "Motors"),
    "pumps": ("Pumpen", "Pumps"),
    "ropes": ("Seile", "Ropes"),
    "screws": ("Schrauben", "Screws", "Bolzen"),
    "sensors": ("Sensoren", "Sensors", "Messfühler"),
    "switches": ("Schalter", "Switches"),
    "valves": ("Ventile", "Valves"),
}
COUNTRIES = ("DE", "AT", "CH", "FR", "IT", "ES", "PL", "NL", "GB", "Deutschland", "Austria", "FRA")
TRUE = ("ja", "yes", "true", "1", "x")
FALSE = ("nein", "no", "false", "0")
FIRST = ("Aino", "Björn", "Chloé", "Dariusz", "Elif", "Fatma", "Gökhan", "Ines", "Jürgen", "Łucja")
LAST = ("Adler", "Brandão", "Çelik", "D'Arcy", "Ek", "Førde", "Größ", "Hoang", "Ilić", "Jansen")
DOMAINS = ("example.com", "example.org", "example.net")
NOTES = ("", "ring twice", "by lorry; no ramp", 'marked "fragile"', "pay within 30 days", "gate B")
BAD_TEXTS = {
    "email": ("none", "a@@example.com", "b at example.com"),
    "phone": ("n/a", "12", "ask Ada"),
    "date": ("31.02.2025", "tomorrow", "2025-13-01"),
    "number": ("a lot", "1.2.3", "12,34,56"),
    "int": ("some", "3.5x", "7-"),
    "boolean": ("perhaps", "?"),
    "category": ("Bananas", "n.n."),
    "country": ("Atlantis", "ZZ"),
}


def options() -> list[dict[str, object]]:
    """Return the options of the category as a catalog has them."""
    return [
        {"label": names[0], "type": "string", "value": value, "alternativeMatches": names[1:]}
        for value, names in OPTIONS.items()
    ]


def generate(rows: int, folder: Path) -> Path:
    """Write a file with so many rows into a folder, if it is not there, with its truth."""
    target = folder / f"rows-{rows}.csv"
    if not target.exists():
        truth = write(rows, target)
        Path(f"{target}.json").write_text(json.dumps(truth), "utf-8")
    return target


def vocabulary() -> dict[str, object]:
    """Return the words that a program which cannot import this module needs."""
    return {
        "columns": list(COLUMNS),
        "categories": [name for names in OPTIONS.values() for name in names],
        "countries": COUNTRIES,
        "true": TRUE,
        "false": FALSE,
    }


def truth_of(file: Path) -> dict[str, int]:
    """Return the number of each kind of bad cell."""
    counts: dict[str, int] = json.loads(Path(f"{file}.json").read_text("utf-8"))
    return counts


def write(rows: int, target: Path) -> dict[str, int]:
    """Write a file; return the number of bad cells by kind."""
    truth: Counter[str] = Counter()
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";", lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(_rows(rows, truth))
    return dict(truth)


def _rows(count: int, truth: Counter[str]) -> Iterator[list[str]]:
    dice = random.Random(SEED)
    spellings = [name for names in OPTIONS.values() for name in names]

    def bad(kind: str) -> str | None:
        """Return a bad text, now and then, and count it."""
        if dice.random() >= BAD:
            return None
        truth[kind] += 1
        return dice.choice(BAD_TEXTS[kind])

    for number in range(count):
        key = number
        if number and dice.random() < BAD / 20:
            key, truth["unique"] = number - 1, truth["unique"] + 1
        last = dice.choice(LAST)
        if dice.random() < BAD:
            last, truth["required"] = "", truth["required"] + 1
        year, month, day = dice.randrange(2019, 2026), dice.randrange(1, 13), dice.randrange(1, 20)
        ordered = bad("date")
        later = day + dice.randrange(0, 9)
        if ordered is None and dice.random() < BAD:
            day, later, truth["compare"] = 28, 1, truth["compare"] + 1
        yield [
            f"K{key:08d}",
            dice.choice(FIRST),
            last,
            bad("email") or f"kunde{number}@{dice.choice(DOMAINS)}",
            bad("phone") or _phone(dice),
            ordered or f"{day:02d}.{month:02d}.{year}",
            f"{later:02d}.{month:02d}.{year}",
            bad("number") or _amount(dice),
            bad("int") or str(dice.randrange(1, 900)),
            bad("boolean") or dice.choice((*TRUE, *FALSE)),
            bad("category") or dice.choice(spellings),
            _iban(dice, truth),
            bad("country") or dice.choice(COUNTRIES),
            dice.choice(NOTES),
        ]


def _phone(dice: random.Random) -> str:
    number = f"{dice.randrange(2_000_000, 9_999_999)}"
    return dice.choice((f"+49 151 {number}", f"0151/{number}", f"0049 30 {number}"))


def _amount(dice: random.Random) -> str:
    cents = dice.randrange(100, 9_000_000)
    whole = f"{cents // 100:,}".replace(",", ".")
    return f"{whole},{cents % 100:02d}" + dice.choice(("", "", "", " €"))


def _iban(dice: random.Random, truth: Counter[str]) -> str:
    """Return a German IBAN; its check digits are wrong now and then (ISO 13616, mod 97)."""
    account = f"{dice.randrange(10**17, 10**18)}"
    digits = 98 - int(f"{account}131400") % 97
    if dice.random() < BAD:
        truth["iban"] += 1
        digits = (digits - 1) % 97 + 2
    return f"DE{digits:02d}{account}"


if __name__ == "__main__":
    counts = write(int(sys.argv[1]), Path(sys.argv[2]))
    Path(f"{sys.argv[2]}.json").write_text(json.dumps(counts), "utf-8")
