"""The measured import: its catalog, and the issues that it finds for each kind of bad cell."""

import json
from datetime import date
from pathlib import Path
from typing import Any

from bench.peers.generated import COLUMNS, options
from tabular.model.catalog import Catalog, Context
from tabular.protocol.plan import TransformPlan
from tabular.protocol.requests import TransformRequest

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
    "iban": "iban_check_digits",
    "country": "not_a_country",
}


def request(source: Path) -> TransformRequest:
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
    fields[10]["dropdownOptions"] = options()
    catalog = {"key": "customers", "entries": [{"id": "customer", "fields": fields}]}
    plan = TransformPlan(
        catalog=Catalog.model_validate_json(json.dumps(catalog)),
        mapping={column: f"customer.{key}" for column, key in COLUMNS.items()},
        context=Context(today=date(2026, 1, 2), region="DE"),
    )
    return TransformRequest(input=str(source), plan=plan)
