"""What happens to columns: required but unmapped, unmapped, and the first filled of some."""

import pytest

from tests.imports.asked import publish_fields
from tests.imports.wishes.conftest import values

pytestmark = pytest.mark.django_db(transaction=True)  # the dispatcher's threads


def test_a_mapping_without_a_required_field_says_what_is_missing_and_goes_on_when_allowed(
    owner, send, receiver
):
    publish_fields(owner, "city", {"key": "surname", "label": "Surname", "required": True})
    upload = send("Alpha,City\n1,Oslo\n2,Rome\n")

    refused = upload.map({"City": "p.city"}, status=409)
    upload.map({"City": "p.city"}, allowMissing=True)
    body = upload.delivered_to(receiver, invalidRows="include")

    assert refused["code"] == "required_unmapped"
    assert refused["missing"] == [{"entity": "p", "field": "p.surname", "label": "Surname"}]
    assert values(body, "p.city", "p.surname") == [("Oslo", None), ("Rome", None)]
    assert [(issue["row"], issue["code"]) for issue in body["rowIssues"]] == [
        (0, "required"), (1, "required")]  # fmt: skip


def test_unmapped_columns_arrive_next_to_the_rows(owner, send, receiver):
    publish_fields(owner, "name")
    upload = send('Name,Note,"Room\n2"\nAda,"a, b",7\nBob,,\n', keepUnmapped="true")
    upload.map({"Name": "p.name"})

    body = upload.delivered_to(receiver)

    assert body["rows"] == [{"p.name": "Ada"}, {"p.name": "Bob"}]
    assert body["unmapped"]["rows"] == [["a, b", "7"], [None, None]]
    assert [name.split() for name in body["unmapped"]["columns"]] == [["Note"], ["Room", "2"]]


def test_the_first_filled_of_several_columns_arrives(owner, send, receiver):
    publish_fields(owner, "name", "phone")
    upload = send("Name,Mobile,Office\nAda,0171 1,030 2\nBob, ,030 4\nCyd,,\n")
    step = {"do": "coalesce", "columns": ["Mobile", "Office"], "into": "Any"}
    upload.map({"Name": "p.name", "Any": "p.phone"}, step)

    body = upload.delivered_to(receiver)

    assert values(body, "p.phone") == [("0171 1",), ("030 4",), (None,)]
    assert body["mapping"] == {"Name": "p.name", "Mobile": "p.phone", "Office": "p.phone"}
