"""The table of operations lists everything the engine serves, and every view and tool names it."""

from pathlib import Path

import pytest
from django.urls import URLPattern, URLResolver, get_resolver

from agents.registry import TOOLS as AGENTS_TOOLS
from licensing.rights.model import DOINGS, RIGHTS, SERVER, Pages
from licensing.rights.published import published
from licensing.rights.table import OPERATIONS, TOOLS
from tests.api.documented import openapi_document

V1 = "api/import/v1/"
METHODS = ("get", "post", "put", "patch", "delete")


def served(resolver=None, prefix="") -> list[tuple[str, str, str | None]]:
    """Return every method of every route of the API, and the operation that its view names."""
    operations = []
    for pattern in (resolver or get_resolver()).url_patterns:
        address = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            operations += served(pattern, address)
        elif isinstance(pattern, URLPattern) and address.startswith(V1):
            view = pattern.callback.cls
            declared = getattr(view, "operations", {})
            operations += [
                (
                    method,
                    address,
                    declared[method.upper()].name if method.upper() in declared else None,
                )
                for method in METHODS
                if hasattr(view, method)
            ]
    return operations


def documented() -> dict[str, dict]:
    """Return the operations of the OpenAPI document by their operationId."""
    paths = openapi_document()["paths"]
    return {
        method["operationId"]: method for methods in paths.values() for method in methods.values()
    }


def members_of(schema: dict) -> dict[str, dict]:
    """Return the members in a request schema, in any of its variants."""
    if name := schema.get("$ref", "").rpartition("/")[2]:
        schema = openapi_document()["components"]["schemas"][name]
    members = dict(schema.get("properties", {}))
    for way in ("oneOf", "anyOf", "allOf"):
        for shape in schema.get(way, ()):
            members |= members_of(shape)
    return members


def sent_to(name: str) -> dict[str, dict]:
    """Return the members of an operation's request, including those of an object `context`."""
    members: dict[str, dict] = {}
    for content in documented()[name].get("requestBody", {}).get("content", {}).values():
        members |= members_of(content["schema"])
    inner = members_of(members.get("context", {}))
    return members | {f"context.{member}": shape for member, shape in inner.items()}


def test_every_address_names_its_operation():
    assert len(served()) > 100
    assert [call for call in served() if call[2] is None] == []


def test_every_view_names_the_operation_of_the_openapi_document():
    names = {name for _, _, name in served()}

    assert names - {"openapi"} == set(documented())


def test_the_table_lists_what_is_served_and_nothing_else():
    assert set(OPERATIONS) == {name for _, _, name in served()}


def test_a_view_cannot_name_what_the_table_lacks():
    from licensing.rights.checker import declares

    with pytest.raises(KeyError):
        declares(GET="imports_steal")


def test_every_tool_is_in_the_table():
    assert set(TOOLS) == {tool.name for tool in AGENTS_TOOLS}


WRITTEN_BY_PAGES = [
    n
    for n, operation in OPERATIONS.items()
    if operation.pages == Pages.BOTH and not operation.reads
]


@pytest.mark.parametrize("name", WRITTEN_BY_PAGES)
def test_every_member_that_a_page_may_send_is_classified(name):
    assert set(sent_to(name)) == set(OPERATIONS[name].members)


def test_every_need_has_a_name_that_a_host_can_say():
    needs = {need for operation in OPERATIONS.values() for need in operation.needs}
    needs |= {
        need
        for operation in OPERATIONS.values()
        for m in operation.members.values()
        for need in m.needs
    }

    assert needs - {SERVER} == (set(RIGHTS) | set(DOINGS))


def test_no_operation_is_for_full_keys_alone_by_mistake():
    for_keys_alone = {
        name for name, operation in OPERATIONS.items() if not (operation.staff or operation.is_open)
    }

    assert for_keys_alone == {
        "mcp", "verifyLicense", "sessions_list", "sessions_read", "sessions_create", "sessions_end",
        "links_list", "links_read", "links_create", "links_revoke",
        "feeds_list", "feeds_read", "feeds_create", "feeds_change", "feeds_delete",
        "feeds_test", "feeds_run", "feeds_pause", "feeds_resume", "feeds_runs",
    }  # fmt: skip


def test_every_permission_of_the_table_exists(db):
    from django.contrib.auth.models import Permission

    known = {
        f"{permission.content_type.app_label}.{permission.codename}"
        for permission in Permission.objects.select_related("content_type")
    }

    assert {operation.staff for operation in OPERATIONS.values()} - {""} <= known


def test_the_page_about_security_shows_the_table():
    page = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")

    assert published() in page, "python -m licensing.rights.published prints it"
