"""Files of every format from upload to a verified delivery, over HTTP; cells keep what they are."""

import json
import tempfile
from io import BytesIO
from ipaddress import ip_network
from pathlib import Path

import openpyxl
import pandas as pd
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pyreadstat
import pytest
import xlwt
from django.core.files.uploadedfile import SimpleUploadedFile

from tests.api.test_whole_walk import V1, Person, delivered
from tests.deliveries.conftest import make_host
from tests.receiving import assert_delivery
from workflow.worker import advance

__all__ = ["make_host"]  # fixtures

NAMES = ("Number", "Weight", "Share", "Price")
ROWS = [(f"A-{n}", 5.125 + n, share, 99.125) for n, share in enumerate((0.19, 0.07, 1.5))]
EU = {"numberFormat": "eu"}
CATALOG = {
    "key": "stock",
    "entries": [
        {
            "id": "item",
            "fields": [
                {"key": "number", "label": "Number", "columnType": "string"},
                {"key": "weight", "label": "Weight", "columnType": "float", **EU},
                {"key": "share", "label": "Share", "columnType": "percentage"},
                {
                    "key": "price",
                    "label": "Price",
                    "columnType": "currency_eur",
                    "numberFormat": "eu",
                },
            ],
        }
    ],
}


def xlsx():
    book = openpyxl.Workbook()
    book.active.append(NAMES)
    for row in ROWS:
        book.active.append(row)
    for row in range(2, 5):
        book.active.cell(row, 3).number_format = "0%"
        book.active.cell(row, 4).number_format = '#,##0.00 "€"'
    return saved(book.save)


def xls():
    book = xlwt.Workbook()
    sheet = book.add_sheet("a")
    for place, name in enumerate(NAMES):
        sheet.write(0, place, name)
    formats = ("General", "General", "0%", '#,##0.00 "€"')
    for number, row in enumerate(ROWS, 1):
        for place, (value, code) in enumerate(zip(row, formats, strict=True)):
            sheet.write(number, place, value, xlwt.easyxf(num_format_str=code))
    return saved(book.save)


def german(value):
    return str(value).replace(".", ",")


def html():
    rows = [(n, german(w), f"{s * 100:.0f} %", f"{german(p)} €") for n, w, s, p in ROWS]
    cells = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in (NAMES, *rows)
    )
    return f"<html><meta charset=utf-8><table>{cells}</table></html>".encode()


def spreadsheetml():
    kinds = ("String", "Number", "Number", "Number")
    styles = ("", "", ' ss:StyleID="p"', "")
    rows = "".join(
        "<Row>"
        + "".join(
            f'<Cell{style}><Data ss:Type="{kind}">{cell}</Data></Cell>'
            for cell, kind, style in zip(
                row, kinds if row is not NAMES else ["String"] * 4, styles, strict=True
            )
        )
        + "</Row>"
        for row in (NAMES, *ROWS)
    )
    name = "urn:schemas-microsoft-com:office:spreadsheet"
    return f"""<?xml version="1.0"?><Workbook xmlns="{name}" xmlns:ss="{name}">
<Styles><Style ss:ID="p"><NumberFormat ss:Format="0%"/></Style></Styles>
<Worksheet ss:Name="a"><Table>{rows}</Table></Worksheet></Workbook>""".encode()


def columnar(write):
    columns = zip(*((n, w, f"{s * 100:.0f} %", p) for n, w, s, p in ROWS), strict=True)
    table = pa.table(dict(zip(NAMES, map(list, columns), strict=True)))
    return saved(lambda target: write(table, target))


def statistical(write, suffix):
    columns = zip(*((n, w, f"{s * 100:.0f} %", p) for n, w, s, p in ROWS), strict=True)
    frame = pd.DataFrame(dict(zip(NAMES, map(list, columns), strict=True)))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"list.{suffix}")
        write(frame, str(path))
        return path.read_bytes()


def saved(save):
    target = BytesIO()
    save(target)
    return target.getvalue()


FILES = {
    "list.xlsx": xlsx,
    "list.xls": xls,
    "page.xls": html,
    "old.xml": spreadsheetml,
    "list.parquet": lambda: columnar(pyarrow.parquet.write_table),
    "list.feather": lambda: columnar(pyarrow.feather.write_feather),
    "list.dta": lambda: statistical(pyreadstat.write_dta, "dta"),
    "list.xpt": lambda: statistical(pyreadstat.write_xport, "xpt"),
    "list.sav": lambda: statistical(pyreadstat.write_sav, "sav"),
}


@pytest.fixture
def person(mint_key, client_of, settings) -> Person:
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    person = Person(client_of(mint_key("tnt_office", entitlements=("catalogEditor",))))
    person.call("put", "catalogs/stock/draft", CATALOG)
    person.call("post", "catalogs/stock/publish")
    return person


def upload(person, name, content):
    form = {"file": SimpleUploadedFile(name, content), "autoMap": "true"}
    answer = person.call("post", "imports", data=form, expect=202)
    person.url = f"{V1}/imports/{answer['recordId']}"
    return person.record()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", FILES)
def test_a_file_of_any_format_is_delivered(person, make_host, name):
    host = make_host()
    secret = person.call("post", "webhooks", {"url": host.url}, expect=201)["signingSecret"]

    record = upload(person, name, FILES[name]())
    assert (record["state"], record["counts"]["error"]) == ("review", 0)
    assert person.call("get", "/questions")["items"] == []
    person.call("post", "/apply", {}, expect=202)
    person.record()

    (received,) = delivered(host)
    assert_delivery(received, url=host.url, secret=secret)
    rows = [list(row.values()) for row in json.loads(received.body)["rows"]]
    assert rows == [list(row) for row in ROWS]


@pytest.mark.django_db
def test_a_number_typed_into_the_exported_workbook_is_that_number(person):
    book = openpyxl.Workbook()
    for row in (NAMES, ("A-1", "1.234,5", "19 %", "zwei"), ("A-2", "7,25", "7 %", "3,50")):
        book.active.append(row)
    upload(person, "list.xlsx", saved(book.save))
    assert person.errors() == {(0, "not_an_amount")}

    exported = openpyxl.load_workbook(BytesIO(person.call("get", "/export")))
    exported.active["B2"], exported.active["D2"] = 5.125, 99.125
    correction = person.send("/corrections", saved(exported.save))["correctionId"]
    advance(correction)
    person.call("post", f"/corrections/{correction}/confirm")

    assert (person.values("item.weight")[0], person.values("item.price")[0]) == (5.125, 99.125)
    assert person.record()["counts"]["error"] == 0


@pytest.mark.django_db
def test_finding_and_replacing_in_numbers_keeps_them_numbers(person):
    upload(person, "list.xlsx", xlsx())

    search = {"inFields": ["item.weight"], "find": "125", "replace": "625"}
    person.change("post", "/rows/replace", **search)

    assert person.values("item.weight") == [5.625, 6.625, 7.625]
