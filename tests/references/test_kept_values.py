"""What is delivered, linked and exported where a cell keeps the known value."""

import pytest

from tests.references.conftest import V1, bodies_of, known, orders, reference
from tests.references.test_field_policies import BERLIN, CITY, FEE, customers, row
from tests.references.test_merging import deliver

__all__ = ["deliver"]  # a fixture
pytestmark = pytest.mark.django_db
WHO = "order.customer"


def keeping(**more):
    """Return orders that keep the customer they have."""
    document = orders(reference(**more), onKnown="keep")
    document[0]["fields"][0] = {"key": "no", "validations": [{"validate": "unique"}]}
    return document


@pytest.fixture
def kept(published, know, deliver):
    """Return a function that imports an order for another customer than it is known to have."""

    def kept(customer, has="C-1", **more):
        published(keeping(**more))
        know("customer", _ada={"number": "C-1"}, _bob={"number": "C-2"})
        know("order", _1={"no": "1", "customer": has})
        return deliver({"order.no": ["1"], WHO: [customer]})[1]

    return kept


def test_a_kept_reference_leads_to_the_entity_it_names(kept):
    body = kept("C-2")

    assert body["rows"][0][WHO] == "C-1"
    assert [(link["field"], link["refs"]) for link in body["links"]] == [(WHO, ["ada"])]
    assert [item["ref"] for item in body["entities"]["customer"]] == ["ada"]


def test_no_entity_is_created_for_a_text_that_is_not_delivered(kept, client):
    body = kept("C-9", onMissing="create")

    assert body["rows"][0][WHO] == "C-1"
    assert [item["ref"] for item in body["entities"]["customer"]] == ["ada"]
    assert set(known(client)) == {"ada", "bob"}


def test_a_kept_reference_that_names_no_entity_has_no_link(kept):
    body = kept("C-2", has="gone")

    assert (body["rows"][0][WHO], body.get("links", [])) == ("gone", [])


@pytest.mark.parametrize("fee", [2**53 + 1, -(2**60), [2**53 + 1], 10**25 + 1])
def test_a_kept_number_beyond_a_double_is_delivered_as_a_string(
    published, know, deliver, client, fee
):
    published(customers(fee={"onKnown": "keep"}))
    know("customer", _1={**BERLIN, "fee": fee})

    record, body = deliver(row())

    text = [str(item) for item in fee] if isinstance(fee, list) else str(fee)
    assert body["rows"][0][FEE] == text
    answer = client.get(f"{V1}/imports/{record['recordId']}/receipt")
    assert answer.status_code == 200


def test_a_kept_reference_means_what_the_scope_sees(published, know, apply, bring, webhook):
    webhook("submit")
    published(keeping(match_on=("number", "name")))
    know("customer", _17={"number": "C-1", "name": "Ada"})
    know("customer", scope="acme", _own={"number": "C-1", "name": "Eve"}, _2={"number": "C-2"})
    links = []
    for number, has in (("1", "C-1"), ("2", "Ada")):
        know("order", scope="acme", **{f"_{number}": {"no": number, "customer": has}})
        record = apply(bring({"order.no": [number], WHO: ["C-2"]}, scope="acme"))
        links.append([link["refs"] for link in bodies_of(record)[0].get("links", [])])

    assert links == [[["own"]], []]  # Ada is hidden by the scope's own C-1


def test_a_kept_number_with_leading_zeros_stays_a_text_in_a_workbook(
    published, know, deliver, client
):
    published(customers(fee={"onKnown": "keep"}))
    know("customer", _1={**BERLIN, "fee": "007"})
    record, _ = deliver(row())

    address = f"{V1}/imports/{record['recordId']}/export?rows=applied&format=xlsx"
    assert b"".join(client.get(address).streaming_content).startswith(b"PK")


@pytest.mark.parametrize("format_", ["csv", "xlsx"])
def test_an_export_of_what_was_delivered_shows_the_kept_value(
    published, know, deliver, client, format_
):
    from io import BytesIO

    from openpyxl import load_workbook

    published(customers(city={"onKnown": "keep"}, fee={"onKnown": "keep"}))
    know("customer", _1={**BERLIN, "fee": "on request"})
    record, _ = deliver(row("Bonn"))

    address = f"{V1}/imports/{record['recordId']}/export?rows=applied&format={format_}"
    answer = client.get(address)
    if format_ == "csv":
        text = b"".join(answer.streaming_content).decode()
    else:
        cells = load_workbook(BytesIO(b"".join(answer.streaming_content))).active
        text = " ".join(str(cell.value) for line in cells for cell in line)

    assert "Berlin" in text
    assert "on request" in text
    assert "Bonn" not in text


@pytest.mark.parametrize("before", ["", [], None])
def test_a_field_without_a_value_is_filled(published, know, deliver, client, before):
    published(customers(city={"onKnown": "fillEmpty"}))
    know("customer", _1={**BERLIN, "city": before})

    _, body = deliver(row("Bonn"))

    assert body["rows"][0][CITY] == known(client)["1"]["city"] == "Bonn"


@pytest.mark.parametrize("policies", [{}, {"fee": {"onKnown": "overwrite"}}], ids=["plain", "own"])
def test_a_cell_with_an_error_clears_nothing(published, know, deliver, client, policies):
    published(customers(**policies))
    know("customer", _1=BERLIN)

    _, body = deliver(row(fee="x"), invalidRows="include", emptyCells="clear")

    assert body["rowIssues"][0]["field"] == FEE
    assert known(client)["1"]["fee"] == 12.5
