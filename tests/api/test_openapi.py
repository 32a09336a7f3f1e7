"""The OpenAPI document says how a call may end."""

import re
from pathlib import Path

import pytest
from drf_spectacular.generators import SchemaGenerator


@pytest.fixture(scope="module")
def operations() -> dict:
    paths = SchemaGenerator().get_schema(public=True)["paths"]
    return {(m, path): o for path, methods in paths.items() for m, o in methods.items()}


def test_every_call_may_be_refused_and_says_when_to_come_back(operations):
    for call, operation in operations.items():
        assert {"401", "403", "429"} <= set(operation["responses"]), call
        assert "Retry-After" in operation["responses"]["429"]["headers"], call


def test_every_call_that_names_something_may_not_find_it(operations):
    missing = [c for c, o in operations.items() if "{" in c[1] and "404" not in o["responses"]]

    assert missing == []


def test_every_name_of_an_operation_is_used_once(operations):
    names = [operation["operationId"] for operation in operations.values()]

    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize(
    "path", ["imports", "imports/{record_id}/apply", "webhooks", "webhooks/{webhook_id}/rotate"]
)
def test_a_creating_call_takes_an_idempotency_key(operations, path):
    parameters = operations["post", f"/api/import/v1/{path}"]["parameters"]

    assert "Idempotency-Key" in [parameter["name"] for parameter in parameters]


def test_the_page_about_the_api_lists_every_call_and_no_other(operations):
    page = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
    written = re.findall(r"^\| `([A-Z]+) ([^`]+)` \|", page, re.MULTILINE)
    served = {(m.upper(), path.removeprefix("/api/import/v1/")) for m, path in operations}

    assert set(written) == served
    assert len(written) == len(served)
