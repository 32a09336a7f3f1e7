"""The naive loop: row by row, cell by cell, in Python."""

import csv
import re
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

from bench.peers.generated import COUNTRIES, FALSE, OPTIONS, TRUE

EMAIL = re.compile(r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$")
NUMBER = re.compile(r"^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?( €)?$")
PHONE = re.compile(r"^[+0-9()/ -]{7,20}$")
DATE = re.compile(r"^(\d{2})\.(\d{2})\.(\d{4})$")
TRUTH = {**dict.fromkeys(TRUE, True), **dict.fromkeys(FALSE, False)}


def check_rows(file: Path) -> tuple[int, int]:
    """Convert and check every row, without stdnum, phonenumbers or fuzzy options. Rows, issues."""
    spellings = {spelling: value for value, names in OPTIONS.items() for spelling in names}
    seen: dict[str, int] = {}
    issues: list[tuple[int, str]] = []
    rows: list[tuple[Any, ...]] = []
    with file.open(encoding="utf-8", newline="") as lines:
        reader = csv.reader(lines, delimiter=";")
        next(reader)
        for number, row in enumerate(reader):
            typed = _typed(row, spellings)
            issues += [(number, code) for code in _codes(row, typed)]
            if seen.setdefault(row[0], number) != number:
                issues.append((number, "unique"))
            rows.append(typed)
    return len(rows), len(issues)


def _typed(row: list[str], spellings: dict[str, str]) -> tuple[Any, ...]:
    amount = row[7].replace(" €", "").replace(".", "").replace(",", ".")
    return (
        row[3] if EMAIL.match(row[3]) else None,
        row[4] if PHONE.match(row[4]) else None,
        _date(row[5]),
        _date(row[6]),
        Decimal(amount) if NUMBER.match(row[7]) else None,
        int(row[8]) if row[8].isdigit() else None,
        TRUTH.get(row[9].lower()),
        spellings.get(row[10]),
        _iban(row[11]),
        row[12] if row[12] in COUNTRIES else None,
    )


def _codes(row: list[str], typed: tuple[Any, ...]) -> list[str]:
    codes = ["email", "phone", "date", "date", "number", "int", "boolean", "category", "iban"]
    issue_codes = [
        code
        for code, text, value in zip([*codes, "country"], row[3:13], typed, strict=True)
        if value is None and text
    ]
    if not row[2]:
        issue_codes.append("required")
    if typed[2] and typed[3] and typed[3] < typed[2]:
        issue_codes.append("compare")
    return issue_codes


def _date(text: str) -> date | None:
    match = DATE.match(text)
    try:
        return date(int(match[3]), int(match[2]), int(match[1])) if match else None
    except ValueError:
        return None


def _iban(text: str) -> str | None:
    compact = text.replace(" ", "")
    if len(compact) < 15 or not compact.isalnum():
        return None
    digits = "".join(str(int(letter, 36)) for letter in compact[4:] + compact[:4])
    return compact if int(digits) % 97 == 1 else None
