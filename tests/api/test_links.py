"""The links of the OpenAPI document lead from a key to results, followed as a client would."""

from urllib.parse import quote, urlencode

import pytest
from jsonschema import Draft202012Validator

from tests.api.documented import openapi_document
from workflow.worker import advance

pytestmark = pytest.mark.django_db
IMPORT = (
    "getCatalogSchema saveDraft getDraft publishCatalog getCatalog getCatalogTemplate "
    "listCatalogVersions imports_create imports_retrieve imports_mapping_retrieve "
    "imports_mapping_update imports_retrieve imports_rows_query_create imports_tables_retrieve "
    "imports_rows_explain_retrieve imports_rows_lost_retrieve imports_issues_retrieve "
    "imports_left_out imports_export questions_list imports_rows_partial_update "
    "imports_undo_create imports_redo_create imports_retrieve imports_apply_create "
    "imports_retrieve imports_results_retrieve imports_history imports_results_ack_create "
    "imports_list imports_destroy"
)
CANCELLED = (
    "getCatalogSchema saveDraft publishCatalog imports_create imports_retrieve "
    "imports_rows_query_create imports_left_out imports_cancel_create"
)
EDITED = (
    "getCatalogSchema saveDraft publishCatalog listCatalogs imports_create imports_retrieve "
    "imports_rows_partial_update imports_rows_query_create imports_apply_create imports_retrieve"
)


@pytest.fixture(scope="module")
def document() -> dict:
    return openapi_document()


class Walk:
    """A client that only knows the document: each call comes from a link of an answer."""

    def __init__(self, document, client) -> None:
        self.schemas = document["components"]["schemas"]
        self.operations = {
            operation["operationId"]: (method, path, operation)
            for path, methods in document["paths"].items()
            for method, operation in methods.items()
        }
        self.client = client
        self.exchanges = {}  # operation to its request and answer, the first ones
        self.links = {}  # operation to its parameters and body, by the latest answer that links it

    def go(self, name):
        """Follow the latest link to an operation; one without a link needs no parameters."""
        method, path, operation = self.operations[name]
        parameters, body = self.links.get(name, ({}, None))
        if body is not None:
            self._check_body(operation, body)
        given = {place.split(".", 1)[1]: value for place, value in parameters.items()}
        query = {item: given[item] for item in given if f"query.{item}" in parameters}
        in_path = {item: quote(str(given[item]), safe="") for item in given if item not in query}
        address = f"{path.format(**in_path)}?{urlencode(query)}"
        sent = {} if body is None else {"data": body, "format": "json"}
        answer = getattr(self.client, method)(address, **sent)
        assert 200 <= answer.status_code < 300, (name, body, answer.content)
        answered = answer.json() if answer.get("Content-Type") == "application/json" else None
        self.exchanges.setdefault(name, exchange(body, answer.status_code, answered))
        self._learn(operation, answer.status_code, {"path": given, "answer": answered})
        if answer.status_code == 202:
            advance(answered["recordId"])
        return answered

    def _check_body(self, operation, body):
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        Draft202012Validator({**schema, "components": {"schemas": self.schemas}}).validate(body)

    def _learn(self, operation, status, call):
        for link in operation["responses"][str(status)].get("links", {}).values():
            try:
                parameters, body = (resolved(link.get(part), call) for part in PARTS)
            except (KeyError, IndexError, TypeError):
                continue  # the answer has nothing of that kind, such as a first question
            self.links[link["operationId"]] = (parameters, body)


def exchange(body, status, answered):
    """Return the example of a call."""
    call = {"status": str(status)} if body is None else {"request": body, "status": str(status)}
    return call if answered is None else {**call, "answer": answered}


PARTS = ("parameters", "requestBody")


def resolved(value, call):
    """Replace the runtime expressions of a link by their values."""
    if isinstance(value, dict):
        return {name: resolved(item, call) for name, item in value.items()}
    if isinstance(value, list):
        return [resolved(item, call) for item in value]
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    if value.startswith("$request.path."):
        return call["path"][value.removeprefix("$request.path.")]
    member = call["answer"]
    for place in value.removeprefix("$response.body#/").split("/"):
        member = member[int(place)] if isinstance(member, list) else member[place]
    return member


@pytest.mark.parametrize("names", [IMPORT, CANCELLED, EDITED], ids=["import", "cancel", "edit"])
def test_every_call_on_the_way_succeeds(document, client_of, mint_key, names):
    walk = Walk(document, client_of(mint_key(entitlements=("catalogEditor",))))

    answers = [(name, walk.go(name)) for name in names.split()]

    assert len(answers) == len(names.split())


def test_the_way_ends_with_the_rows_that_were_applied(document, client_of, mint_key):
    walk = Walk(document, client_of(mint_key(entitlements=("catalogEditor",))))

    answers = {name: walk.go(name) for name in IMPORT.split()[:-4]}

    assert answers["imports_retrieve"]["state"] == "applied"
    assert answers["imports_retrieve"]["counts"]["excluded"] > 0
    applied = answers["imports_results_retrieve"]
    assert len(applied["items"]) == applied["rowCount"] > 0
