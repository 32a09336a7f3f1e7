"""The measured import: its file, its catalog, and the expected findings."""

import json
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

from tabular.model.catalog import Catalog, Context
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import TransformRequest

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
TYPES = {
    "email": "email",
    "phone": "phone",
    "ordered": "date",
    "delivered": "date",
    "amount": "float",
    "quantity": "int",
    "active": "boolean",
    "category": "category",
    "iban": "iban",
    "country": "country_code_alpha_2",
}
OURS_BY_TRUTH = {
    "unique": "unique",
    "required": "required",
    "email": "not_an_email",
    "phone": "not_a_phone_number",
    "date": "not_a_date",
    "compare": "compare",
    "number": "not_a_number",
    "int": "not_a_whole_number",
    "boolean": "not_a_boolean",
    "category": "unknown_option",
    "category_fuzzy": "option_guessed",
    "iban": "iban_check_digits",
    "country": "not_a_country",
}


def generate(sets: Path, rows: int, folder: Path) -> Path:
    """Write a file with this many rows, and its expected findings."""
    target = folder / f"rows-{rows}.csv"
    command = [sys.executable, str(sets / "perf" / "generate.py"), str(rows), str(target)]
    subprocess.run([*command, "--truth", f"{target}.json"], check=True)
    return target


def truth_of(file: Path) -> dict[str, int]:
    """Return the number of each kind of bad cell."""
    counts: dict[str, int] = json.loads(Path(f"{file}.json").read_text("utf-8"))
    return counts


def options(sets: Path) -> list[dict[str, Any]]:
    """Return the 20 options of the category, with the spellings in the file."""
    sys.path.insert(0, str(sets / "perf"))
    import generate as generator  # type: ignore[import-not-found]  # a script of the test sets

    return [
        {"label": names[0], "type": "string", "value": value, "alternativeMatches": names[1:]}
        for value, names in generator.CATS.items()
    ]


def request(sets: Path, source: Path) -> TransformRequest:
    """Return the request of the transform job. source: the text as read."""
    rules: dict[str, list[dict[str, Any]]] = {
        "id": [
            {"validate": "required"},
            {"validate": "unique"},
            {"validate": "regex", "regex": "^K[0-9]{8}$"},
        ],
        "last": [{"validate": "required"}],
        "delivered": [{"validate": "compare", "op": "gte", "column": "ordered"}],
    }
    fields: list[dict[str, Any]] = [
        {"key": key, "columnType": TYPES.get(key, "string"), "validations": rules.get(key, [])}
        for key in COLUMNS.values()
    ]
    fields[10]["dropdownOptions"] = options(sets)
    catalog = {"key": "customers", "entries": [{"id": "customer", "fields": fields}]}
    plan = TransformPlan(
        catalog=Catalog.model_validate_json(json.dumps(catalog)),
        mapping={column: f"customer.{key}" for column, key in COLUMNS.items()},
        context=Context(today=date(2026, 1, 2), region="DE"),
    )
    return TransformRequest(input=str(source), plan=plan)
