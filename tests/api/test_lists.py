"""Lists can be filtered; an invalid query is refused with its parameter."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from common.ids import new_id
from deliveries.models import Delivery, Registration
from deliveries.selectors import all_deliveries_of
from imports.models import ImportRecord
from imports.parts import Parsed
from imports.selectors import imports_of, named
from licensing.models import Tenant
from tests.api.documented import openapi_document
from tests.imports.conftest import client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
MON, TUE, WED = (datetime(2026, 3, day, 9, 30, tzinfo=UTC) for day in (2, 3, 4))


@pytest.fixture
def make_import(owner, publish):
    versions = {name: publish(name) for name in ("orders", "stock")}

    def make(filename="a.csv", *, catalog="orders", at=MON, state="review", **about) -> str:
        record = ImportRecord.objects.create(
            public_id=new_id("rec_"),
            tenant=owner,
            catalog_version=versions[catalog],
            filename=filename,
            created_at=at,
            state=state,
            **about,
        )
        return record.public_id

    return make


@pytest.fixture
def make_delivery(owner):
    def make(*, state="delivered", at=MON, record="rec_1", to=None, is_test=False) -> str:
        is_settled = state not in {"pending", "sending"}
        to = to or Registration.objects.create(
            tenant=owner, public_id=new_id("whk_"), url="https://host.example/", created_at=MON
        )
        delivery = Delivery.objects.create(
            public_id=new_id("dlv_"),
            tenant=owner,
            registration=to,
            record_id=record,
            action="submit",
            is_test=is_test,
            body_size=0,
            row_count=0,
            created_at=at,
            state=state,
            settled_at=at if is_settled else None,
            due_at=None if is_settled else at,
        )
        return delivery.public_id

    return make


@pytest.fixture
def listed(client):
    def listed(path: str, **filters) -> set[str]:
        answer = client.get(f"{V1}/{path}", filters)
        assert answer.status_code == 200, answer.json()
        name = "recordId" if path == "imports" else "id"
        return {item[name] for item in answer.json()["items"]}

    return listed


def test_imports_by_state_and_catalog(make_import, listed):
    orders = make_import()
    stock = make_import(catalog="stock")
    over = make_import(state="applied")

    assert listed("imports") == {over, stock, orders}
    assert listed("imports", state="review") == {stock, orders}
    assert listed("imports", state="review", catalogKey="orders") == {orders}
    assert listed("imports", catalogKey="nothing") == set()


def test_imports_of_a_time_begin_with_its_first_moment_and_end_before_its_last(make_import, listed):
    days = [make_import(at=day) for day in (MON, TUE, WED)]

    assert listed("imports", createdAfter=TUE.isoformat()) == {days[2], days[1]}
    assert listed("imports", createdBefore=TUE.isoformat()) == {days[0]}
    assert listed("imports", createdAfter="2026-03-03", createdBefore="2026-03-04") == {days[1]}
    assert listed("imports", createdAfter="2026-03-03T10:30:00+01:00") == {days[2], days[1]}


def test_imports_by_a_part_of_the_name_of_the_file(make_import, listed):
    april = make_import("Orders April.csv")
    may = make_import("orders_may_100%.xlsx")
    make_import("stock.csv")

    assert listed("imports", name="orders") == {may, april}
    assert listed("imports", name="APRIL") == {april}
    assert listed("imports", name="100%") == {may}
    assert listed("imports", name="rders_m") == {may}
    assert listed("imports", name="s_m") == {may}  # no wildcard: "Orders April" has none


def test_deliveries_by_state_registration_record_and_time(make_delivery, listed):
    first = make_delivery(record="rec_1")
    late = make_delivery(record="rec_2", state="exhausted", at=WED)
    webhook = Delivery.objects.get(public_id=late).registration

    assert listed("deliveries") == {late, first}
    assert listed("deliveries", state="exhausted") == {late}
    assert listed("deliveries", webhookId=webhook.public_id) == {late}
    assert listed("deliveries", recordId="rec_1") == {first}
    assert listed("deliveries", createdAfter="2026-03-03", state="delivered") == set()
    assert listed("deliveries", createdBefore="2026-03-03") == {first}


def test_a_page_keeps_its_filters(make_import, client):
    wanted = [make_import("yes.csv") for _ in range(3)]
    make_import("no.csv")

    first = client.get(f"{V1}/imports", {"name": "yes", "limit": 2}).json()
    filters = {"name": "yes", "limit": 2, "cursor": first["next"]}
    second = client.get(f"{V1}/imports", filters).json()

    ids = [item["recordId"] for item in first["items"] + second["items"]]
    assert ids == sorted(wanted, reverse=True)
    assert second["next"] is None


@pytest.mark.parametrize("path", ["imports", "deliveries"])
def test_a_list_asks_as_little_for_many_as_for_one(make_import, make_delivery, client, path):
    def queries() -> list[str]:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(f"{V1}/{path}").status_code == 200
        return [query["sql"][:60] for query in captured]

    def make() -> None:
        applied = make_import(state="applied", applied_at=MON, sha256="b")
        make_delivery(record=applied)
        make_import(state="review", sha256="a")

    make()
    queries()  # the license is looked up, and then known
    few = queries()
    for _ in range(8):
        make()

    assert queries() == few


@pytest.mark.parametrize(
    ("rows", "filters", "index"),
    [
        # Two indexes know the state of an unfinished import, and a planner may take either.
        (imports_of, {"state": "review"}, "imports_by_state|imports_not_ended"),
        (imports_of, {"created_at__gte": MON, "created_at__lt": TUE}, "imports_by_time"),
        (all_deliveries_of, {"state": "exhausted"}, "delivery_by_state"),
        (all_deliveries_of, {"created_at__gte": MON, "created_at__lt": TUE}, "delivery_by_time"),
        # Two indexes know the import of a delivery, and a planner may take either.
        (
            all_deliveries_of,
            {"record_id": "rec_1"},
            r"delivery_by_record|deliveries_delivery_record_id_\w+",
        ),
    ],
)
def test_a_filter_is_answered_from_an_index(owner, fill, rows, filters, index):
    fill(owner, 2_000)

    plan = plan_of(rows(owner).filter(**filters))

    assert re.search(rf"\b(?:INDEX|using|on) (?:{index})\b", plan), plan


def test_names_are_searched_in_an_index(owner, fill):
    fill(owner, 20)
    fill(Tenant.objects.create(public_id="tnt_other", created_at=MON), 2_000)
    plan = plan_of(named(imports_of(owner), "orders"))

    if connection.vendor == "sqlite":
        assert "imports_by_name" in plan
    # PostgreSQL reads the names from that index once the table was vacuumed, which no test can.
    assert "Seq Scan on imports_importrecord" not in plan


@pytest.fixture
def fill():
    """Add rows to a tenant that match no filter of these tests: PostgreSQL plans by row counts."""

    def fill(tenant: Tenant, count: int) -> None:
        if connection.vendor == "sqlite":  # it plans by the indexes alone
            return
        times = [WED + timedelta(hours=number) for number in range(count)]
        ImportRecord.objects.bulk_create(
            ImportRecord(public_id=new_id("rec_"), tenant=tenant, created_at=at, state="applied")
            for at in times
        )
        to = Registration.objects.create(
            tenant=tenant, public_id=new_id("whk_"), url="https://host.example/", created_at=MON
        )
        Delivery.objects.bulk_create(
            Delivery(
                public_id=new_id("dlv_"),
                tenant=tenant,
                registration=to,
                record_id=new_id("rec_"),
                action="submit",
                body_size=0,
                row_count=0,
                created_at=at,
                settled_at=at,
                state="delivered",
            )
            for at in times
        )

    return fill


def plan_of(rows) -> str:
    """Return the plan of a query by a database with up-to-date statistics."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return rows.explain()


@pytest.mark.parametrize(
    ("query", "parameter"),
    [
        ("imports?State=review", "State"),
        ("imports?state=lost", "state"),
        ("imports?state=review&state=mapping", "state"),
        ("imports?state=", "state"),
        ("imports?createdAfter=yesterday", "createdAfter"),
        ("imports?createdBefore=2026-13-01", "createdBefore"),
        ("imports?name=", "name"),
        ("imports?limit=0", "limit"),
        ("imports?limit=501", "limit"),
        ("imports?limit=ten", "limit"),
        ("imports?limit=%D9%A1", "limit"),  # a digit, of another script
        ("deliveries?state=lost", "state"),
        ("deliveries?test=perhaps", "test"),
        ("deliveries?webhook=whk_1", "webhook"),
        ("catalogs?limit=x", "limit"),
        ("catalogs?name=x", "name"),
        ("webhooks?url=x", "url"),
        ("profiles?x=1", "x"),
        ("references/item?scope=a&scope=b", "scope"),
        ("references/item?ref=" + "r" * 201, "ref"),
        ("imports/{id}?wait=long", "wait"),
        ("imports/{id}?wait=31", "wait"),
        ("imports/{id}?waits=1", "waits"),
        ("imports/{id}/history?cursor=x", "cursor"),
        ("imports/{id}/history?limit=0", "limit"),
        ("imports/{id}/questions?state=x", "state"),
        ("imports/{id}/export?rows=some", "rows"),
        ("imports/{id}/export?sheet=1", "sheet"),
    ],
)
def test_a_query_that_makes_no_sense_is_refused_by_its_parameter(
    make_import, client, query, parameter
):
    record = make_import()

    answer = client.get(f"{V1}/{query.format(id=record)}")

    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (400, "invalid_request"), problem
    assert [error["parameter"] for error in problem["errors"]] == [parameter]
    assert all(error["detail"] for error in problem["errors"])


def test_every_call_that_takes_a_query_refuses_what_it_does_not_know(make_import, client):
    record = make_import(source="read/1", parsed=Parsed({"tables": []}))
    paths = openapi_document()["paths"]
    reads = {
        path
        for path, operations in paths.items()
        for parameter in operations.get("get", {}).get("parameters", ())
        if parameter["in"] == "query"
    }
    known = {"{record_id}": record, "{entity}": "item"}
    addresses = {_filled(path, known) for path in reads if not path.endswith("/results")}

    answers = {at: client.get(f"{at}?nonsense=1") for at in addresses if "{" not in at}

    assert len(answers) >= 10
    assert {at for at, answer in answers.items() if answer.status_code != 400} == set()


def _filled(path: str, known: dict[str, str]) -> str:
    for place, value in known.items():
        path = path.replace(place, value)
    return path


@pytest.mark.parametrize(
    "query",
    [
        "imports?cursor=",
        "imports?cursor=abc",
        "imports?cursor=cD0%3D",
        "answers?cursor=%FF",
        "imports/{id}/questions?cursor=cD14",  # p=x, where a number belongs
    ],
)
def test_a_cursor_that_no_page_gave_leads_nowhere(make_import, client, query):
    answer = client.get(f"{V1}/{query.format(id=make_import())}")

    assert answer.status_code == 404
    assert [error["parameter"] for error in answer.json()["errors"]] == ["cursor"]
