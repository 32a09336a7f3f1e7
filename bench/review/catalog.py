"""The catalog of the workload, and its fields in file order."""

from typing import Any

CATALOG: dict[str, Any] = {
    "key": "orders",
    "title": "Orders",
    "entries": [
        {
            "id": "o",
            "fields": [
                {"key": "customer", "required": True, "validations": [{"validate": "unique"}]},
                {"key": "first"},
                {"key": "last"},
                {"key": "email", "columnType": "email"},
                {"key": "phone", "columnType": "phone"},
                {"key": "ordered", "columnType": "date", "required": True},
                {
                    "key": "delivered",
                    "columnType": "date",
                    "validations": [{"validate": "compare", "op": "gte", "column": "ordered"}],
                },
                {"key": "amount", "columnType": "float"},
                {"key": "quantity", "columnType": "int"},
                {"key": "active", "columnType": "boolean"},
                {"key": "category"},
                {"key": "iban", "columnType": "iban"},
                {"key": "country", "columnType": "country_code_alpha_2"},
                {"key": "note"},
            ],
        }
    ],
}
KEYS = [field["key"] for field in CATALOG["entries"][0]["fields"]]
