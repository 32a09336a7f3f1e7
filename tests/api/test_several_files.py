"""Several files of one form are one import: stored unchanged, read as the files of an archive."""

import zipfile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from common import storage
from imports.models import ImportRecord
from tests.api.test_joined_tables import CATALOG, CUSTOMERS, ORDERS
from tests.api.test_stacked_tables import workbook
from tests.api.test_whole_walk import V1, Person, person

__all__ = ["person"]  # a fixture

ORDERS_CSV = "\n".join(";".join(map(str, row)) for row in ORDERS).encode()
CUSTOMERS_XLSX = workbook({"Customers": CUSTOMERS})


@pytest.fixture
def seller(person) -> Person:
    person.call("put", "catalogs/sales/draft", CATALOG)
    person.call("post", "catalogs/sales/publish")
    return person


def form(**contents):
    """Return a form; names have an underscore for the point."""
    return {
        "file": [
            SimpleUploadedFile(name.replace("_", "."), content)
            for name, content in contents.items()
        ]
    }


def upload(seller, files, expect=202):
    made = seller.call("post", "imports", data=files, expect=expect)
    if expect == 202:
        seller.url = f"{V1}/imports/{made['recordId']}"
        seller.record()
    return made


@pytest.mark.django_db
def test_tables_of_all_files_are_named_by_file_and_sheet_and_joined(seller):
    upload(seller, form(orders_csv=ORDERS_CSV, customers_xlsx=CUSTOMERS_XLSX))

    tables = seller.call("get", "/tables")
    named = [(table["member"], table["sheet"]) for table in tables["tables"]]
    assert named == [("orders.csv", None), ("customers.xlsx", "Customers")]
    assert [(item["kind"], item["firstRate"]) for item in tables["related"]] == [("join", 0.6667)]

    seller.call("put", "/reading", {"join": {"child": 0, "parent": 1}}, expect=202)
    seller.record()
    mapping = {"Order": "sale.order", "Name": "sale.name"}
    seller.call("put", "/mapping", {"mapping": mapping}, expect=202)
    seller.record()

    assert seller.values("sale.name") == ["Ada", "Bob", None, "Ada", "Cy"]
    assert [row["member"] for row in seller.rows()] == ["orders.csv"] * 4 + ["customers.xlsx"]


@pytest.mark.django_db
def test_files_are_stored_unchanged_in_one_archive_that_equal_files_make_again(seller):
    files = {"orders_csv": ORDERS_CSV, "customers_xlsx": CUSTOMERS_XLSX}
    upload(seller, form(**files))
    upload(seller, form(**files))

    first, again = ImportRecord.objects.order_by("pk")
    with zipfile.ZipFile(storage.local_path(first.file)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "orders.csv": ORDERS_CSV,
            "customers.xlsx": CUSTOMERS_XLSX,
        }
        assert {item.compress_type for item in archive.infolist()} == {zipfile.ZIP_STORED}
    assert (first.filename, first.sha256) == ("orders +1.zip", again.sha256)
    assert list(storage.names_before(-60)).count(first.file) == 1


@pytest.mark.django_db
def test_the_parts_of_a_form_are_not_left_behind(seller):
    upload(seller, form(orders_csv=ORDERS_CSV, more_csv=ORDERS_CSV))

    names = [name for name in storage.names_before(-60) if name.startswith(("uploads", "sources"))]

    assert names == [ImportRecord.objects.get().file]


@pytest.mark.django_db
def test_files_of_the_same_name_are_told_apart(seller):
    files = [SimpleUploadedFile(name, ORDERS_CSV) for name in ("a.csv", "A.csv", "a.csv")]
    upload(seller, {"file": files})

    tables = seller.call("get", "/tables")["tables"]

    members = [table["member"] for table in tables if not table["stacked"]]
    assert members == ["a.csv", "A (2).csv", "a (3).csv"]


@pytest.mark.django_db
def test_the_limit_of_bytes_is_that_of_all_files_together(seller, settings):
    settings.MAX_FILE_BYTES = 2 * len(ORDERS_CSV) - 1

    refused = upload(seller, form(a_csv=ORDERS_CSV, b_csv=ORDERS_CSV), expect=413)

    assert refused["code"] == "too_large"
    assert ImportRecord.objects.count() == 0


@pytest.mark.django_db
def test_a_file_without_a_table_is_skipped_with_its_name(seller):
    packed = SimpleUploadedFile("inner.zip", b"PK\x05\x06" + bytes(18))
    upload(seller, {"file": [SimpleUploadedFile("a.csv", ORDERS_CSV), packed]})

    tables = seller.call("get", "/tables")

    assert [table["member"] for table in tables["tables"]] == ["a.csv"]
    assert [issue["value"] for issue in tables["issues"]] == ["inner.zip"]
