"""OpenAPI links: which calls may follow an answer."""

from typing import Any

ID = {"record_id": "$response.body#/recordId"}
SAME = {"record_id": "$request.path.record_id"}
FIRST = {"record_id": "$response.body#/items/0/recordId"}
LOOK = {**ID, "wait": 10}  # until the file is read and its rows can be looked at
HEADER = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Status"
ORDERS = (  # for the catalog `orders` of the examples
    f"{HEADER}\nA-10231,2026-02-03,Nordlicht,LX-100,2,19.90,Open\n"
    "A-10232,2026-02-30,Südwind,LX-200,one,5.00,Paid\n"  # neither a valid date nor a number
    "A-10233,2026-02-05,Nordlicht,LX-300,1,7.50,Paid\n"
)
CONTRACT = {"contract_id": "$response.body#/contractId"}
CHANGESET = {"changeset_id": "$response.body#/items/0/id"}
DELIVERY = {"delivery_id": "$response.body#/items/0/id"}
EXAMPLE = {
    "key": "links",
    "entries": [
        {
            "id": "orders",
            "fields": [
                {"key": "number", "columnType": "string", "required": True},
                {"key": "ordered_on", "columnType": "date"},
                {"key": "status", "columnType": "category", "dropdownOptions": []},
            ],
        }
    ],
}
EXAMPLE["entries"][0]["fields"][2]["dropdownOptions"] = [  # type: ignore[index]  # a literal, typed as object
    {"label": label, "type": "string", "value": label} for label in ("open", "paid")
]
LINES = "number,ordered on,status\nA1,2026-02-03,open\nA2,2026-02-30,paid\nA3,2026-02-05,oppen\n"
IMPORT = {"filename": "orders.csv", "autoMap": True}
Body = dict[str, Any]
Follow = tuple[str, dict[str, Any], Body | str | None]  # operation, parameters, body

LEAVE_OUT = {"revision": 1, "exclude": [0]}  # row numbers of revision 1; later changes are merged
_SEEN = {"revision": "$response.body#/revision"}
REPLACE = {**_SEEN, "inFields": ["orders.status"], "find": "oppen", "replace": "open"}
FIX = {**_SEEN, "field": "orders.ordered_on", "code": "not_a_date", "exclude": True}
APPLY = {"applyMode": "browser", "invalidRows": "exclude", "openQuestions": "dismiss"}
_REVIEW: list[Follow] = [  # the path to apply; read-only calls come after it
    ("imports_mapping_retrieve", ID, None),
    ("imports_rows_query_create", ID, {"view": {"filter": "all"}, "limit": 10}),
    ("imports_rows_partial_update", ID, LEAVE_OUT),
    ("questions_list", ID, None),
    ("imports_apply_create", ID, APPLY),
    ("imports_results_retrieve", ID, None),
]
_LOOK: list[Follow] = [
    ("imports_tables_retrieve", SAME, None),
    ("imports_rows_explain_retrieve", {**SAME, "row": "$response.body#/rows/0/row"}, None),
    ("imports_rows_lost_retrieve", SAME, None),
    ("imports_issues_retrieve", SAME, None),
    ("imports_left_out", SAME, None),
    ("imports_export", {**SAME, "rows": "all", "format": "csv"}, None),
]

FOLLOWS: dict[tuple[str, str], list[Follow]] = {
    ("verifyLicense", "200"): [
        ("imports_create", {}, IMPORT | {"catalogKey": "orders", "text": ORDERS}),
        ("imports_list", {"state": "review"}, None),
    ],
    ("getCatalogSchema", "200"): [("saveDraft", {"key": "links"}, EXAMPLE)],
    ("saveDraft", "200"): [
        ("getDraft", {"key": "$request.path.key"}, None),
        ("publishCatalog", {"key": "$request.path.key"}, {}),
    ],
    ("publishCatalog", "200"): [
        ("getCatalog", {"key": "$request.path.key"}, None),
        ("getCatalogTemplate", {"key": "$request.path.key"}, None),
        ("listCatalogVersions", {"key": "$request.path.key"}, None),
        ("imports_create", {}, IMPORT | {"catalogKey": "$request.path.key", "text": LINES}),
    ],
    ("listCatalogs", "200"): [
        ("getCatalog", {"key": "$response.body#/items/0/key"}, None),
        ("getCatalogTemplate", {"key": "$response.body#/items/0/key"}, None),
        (
            "imports_create",
            {},
            IMPORT | {"catalogKey": "$response.body#/items/0/key", "text": ORDERS},
        ),
    ],
    ("imports_create", "202"): [("imports_retrieve", LOOK, None)],
    ("imports_retrieve", "200"): _REVIEW,
    ("imports_list", "200"): [
        ("imports_retrieve", {**FIRST, "wait": 5}, None),
        ("imports_mapping_retrieve", FIRST, None),
        ("imports_rows_query_create", FIRST, {"view": {"filter": "all"}, "limit": 10}),
        ("imports_rows_partial_update", FIRST, LEAVE_OUT),
        ("imports_apply_create", FIRST, APPLY),
    ],
    ("imports_mapping_retrieve", "200"): [
        (
            "imports_mapping_update",
            SAME,
            {"mapping": "$response.body#/proposed/mapping", "remember": False},
        )
    ],
    ("imports_mapping_update", "202"): [("imports_retrieve", LOOK, None)],
    ("imports_rows_query_create", "200"): [
        (
            "imports_rows_partial_update",
            SAME,
            {
                "revision": "$response.body#/revision",
                "exclude": ["$response.body#/rows/0/row"],
            },
        ),
        ("imports_rows_replace_create", SAME, REPLACE),
        ("imports_rows_fix_create", SAME, FIX),
        *_LOOK,
    ],
    ("imports_rows_partial_update", "200"): [
        ("imports_undo_create", SAME, {"revision": "$response.body#/revision"}),
        ("imports_rows_query_create", SAME, {}),
        ("imports_apply_create", SAME, APPLY),
    ],
    ("imports_undo_create", "200"): [
        ("imports_redo_create", SAME, {"revision": "$response.body#/revision"})
    ],
    ("imports_apply_create", "202"): [("imports_retrieve", LOOK, None)],
    ("imports_results_retrieve", "200"): [
        ("imports_history", SAME, None),
        ("imports_results_ack_create", SAME, None),
        ("imports_destroy", SAME, None),
    ],
    ("imports_left_out", "200"): [("imports_cancel_create", SAME, None)],
    ("questions_list", "200"): [
        ("questions_read", {"question_id": "$response.body#/items/0/id"}, None),
        (
            "questions_answer",
            {"question_id": "$response.body#/items/0/id"},
            {"value": "$response.body#/items/0/default"},
        ),
        ("questions_dismiss", {"question_id": "$response.body#/items/0/id"}, None),
        ("questions_dismiss_all", SAME, None),
    ],
    ("webhooks_create", "201"): [
        ("webhooks_read", {"webhook_id": "$response.body#/id"}, None),
        ("webhooks_rotate_create", {"webhook_id": "$response.body#/id"}, {}),
        ("webhooks_test_create", {"webhook_id": "$response.body#/id"}, {}),
        ("webhooks_delete", {"webhook_id": "$response.body#/id"}, None),
    ],
    ("contracts_create", "201"): [
        ("contracts_read", CONTRACT, None),
        ("contracts_diff", {**CONTRACT, "other_id": "$response.body#/contractId"}, None),
        ("contracts_check", {}, {"contractId": "$response.body#/contractId", "text": ORDERS}),
    ],
    ("contracts_check", "202"): [
        ("contracts_check_read", {"check_id": "$response.body#/checkId", "wait": 10}, None)
    ],
    ("contracts_read", "200"): [("contracts_verify", {}, "$response.body")],
    ("changesets_list", "200"): [
        ("changesets_read", CHANGESET, None),
        ("changesets_rows", CHANGESET, None),
        ("changesets_references", CHANGESET, None),
        ("changesets_proof", CHANGESET, None),
        ("changesets_revert_create", CHANGESET, {}),
    ],
    ("deliveries_list", "200"): [
        ("deliveries_read", DELIVERY, None),
        ("deliveries_redeliver_create", DELIVERY, None),
        ("deliveries_resend", DELIVERY, {"maxRowsPerDelivery": 100}),
    ],
    ("webhooks_test_create", "202"): [
        ("deliveries_read", {"delivery_id": "$response.body#/id"}, None),
        ("deliveries_list", {"webhookId": "$response.body#/webhookId"}, None),
    ],
    ("profiles_list", "200"): [
        ("profiles_read", {"profile_id": "$response.body#/items/0/id"}, None),
        ("profiles_delete", {"profile_id": "$response.body#/items/0/id"}, None),
    ],
    ("answers_list", "200"): [
        ("answers_read", {"answer_id": "$response.body#/items/0/id"}, None),
        ("answers_forget", {"answer_id": "$response.body#/items/0/id"}, None),
    ],
}


def add_links(document: dict[str, Any]) -> None:
    """Add the links to the responses they follow."""
    operations = {
        operation["operationId"]: operation
        for methods in document["paths"].values()
        for operation in methods.values()
    }
    for (name, status), follows in FOLLOWS.items():
        links = operations[name]["responses"][status].setdefault("links", {})
        for target, parameters, body in follows:
            operation = operations[target]
            link: dict[str, Any] = {
                "operationId": target,
                "parameters": _placed(operation, parameters),
                "description": operation.get("summary") or operation.get("description", ""),
            }
            if body is not None:
                link["requestBody"] = body
                if len(operation["requestBody"]["content"]) == 1:  # otherwise ambiguous
                    link["x-schemathesis"] = {"merge_body": False}
            links[f"{target}{len(links)}"] = link


def _placed(operation: dict[str, Any], parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters qualified by location, as OpenAPI requires: `path.record_id`."""
    places = {item["name"]: item["in"] for item in operation.get("parameters", ())}
    return {f"{places[name]}.{name}": value for name, value in parameters.items()}
