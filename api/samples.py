"""
The sample imports of a development engine, which the API examples refer to.

After ``manage.py setup --samples``, each call that the OpenAPI document shows with one of these ids
works exactly as written.
"""

from typing import Any

from api.links import ORDERS

CATALOG = "orders"
FILENAME = "orders.csv"
TEXT = ORDERS

SAMPLES = tuple(f"rec_{number:026}" for number in range(1, 6))
LOOKED_AT, MAPPED, FIXED, REPLACED, APPLIED = SAMPLES

_LOOKS = (
    "imports_retrieve imports_export imports_history imports_issues_retrieve imports_issues_fixes "
    "imports_catalog imports_left_out imports_references imports_duplicates "
    "imports_tables_retrieve "
    "imports_rows_explain_retrieve imports_rows_lost_retrieve imports_rows_query_create "
    "imports_rows_partial_update questions_list imports_values_retrieve"
)
PATHS: dict[str, dict[str, Any]] = {
    **{operation: {"record_id": LOOKED_AT} for operation in _LOOKS.split()},
    "imports_mapping_retrieve": {"record_id": MAPPED},
    "imports_mapping_update": {"record_id": MAPPED},
    "imports_rows_fix_create": {"record_id": FIXED},
    "imports_rows_replace_create": {"record_id": REPLACED},
    "imports_apply_create": {"record_id": APPLIED},
}
PATHS["imports_rows_explain_retrieve"] |= {"row": 0}
PATHS["imports_values_retrieve"] |= {"field": "orders.status"}

_FIRST = {"revision": 1}  # the first revision of the rows
REQUESTS: dict[str, dict[str, Any]] = {
    "imports_create": {
        "filename": FILENAME,
        "autoMap": True,
        "catalogKey": CATALOG,
        "text": TEXT,
    },
    "sessions_create": {"catalogKey": CATALOG, "scope": "acme"},
    "links_create": {"catalogKey": CATALOG, "scope": "acme", "page": {"name": "Northwind"}},
    "contracts_create": {"catalogKey": CATALOG, "title": "Orders"},
    "imports_mapping_update": {
        "mapping": {
            "Order number": "orders.order_number",
            "Ordered on": "orders.ordered_on",
            "Customer": "orders.customer",
            "Article": "orders.article",
            "Quantity": "orders.quantity",
            "Unit price": "orders.unit_price",
            "Status": "orders.status",
        },
        "remember": False,
    },
    "imports_rows_partial_update": {
        **_FIRST,
        "edits": [{"row": 1, "field": "orders.quantity", "text": "1"}],
    },
    "imports_rows_replace_create": {
        **_FIRST,
        "inFields": ["orders.customer"],
        "find": "Nordlicht",
        "replace": "Nordlicht GmbH",
    },
    "imports_rows_fix_create": {
        **_FIRST,
        "field": "orders.ordered_on",
        "code": "not_a_date",
        "exclude": True,
    },
}
