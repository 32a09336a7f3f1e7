"""``orders-cp1252.csv``: an export as a German office program writes it."""

import csv
import io

from examples.making import expectation
from examples.making.expectation import Expectation, Value
from examples.making.source import Row, source

FILE = "orders-cp1252.csv"
QUANTITY_ON_THE_PHONE = 2  # "zwei": the clerk still typed the right amount
COLUMNS = {
    "Auftrags-Nr.": "order_number",
    "Bestelldatum": "ordered_on",
    "Kunde": "customer",
    "E-Mail": "email",
    "Artikel": "article",
    "Menge": "quantity",
    "Einzelpreis": "unit_price",
    "Betrag": "amount",
    "Status": "status",
    "Bearbeiter": "clerk",
    "Bemerkung": "remark",
}
PREAMBLE = (
    "Nordlicht Büromöbel GmbH\r\n"
    "Auftragsliste Februar 2026\r\n"
    "\r\n"
    "Mandant: Werk Süd\r\n"
    "Erstellt am: 02.03.2026 07:15\r\n"
    "Währung: EUR\r\n"
    "\r\n"
)
NOTE = "\r\nAlle Preise netto; Skonto laut Rahmenvertrag. Änderungen vorbehalten – siehe AGB.\r\n"


def rows() -> list[Row]:
    """Return the orders with their amounts."""
    return [row | {"amount": eu(amount(row))} for row in source("orders")]


def amount(row: Row) -> float:
    """Multiply quantity and price."""
    count = int(row["quantity"]) if row["quantity"].isdigit() else QUANTITY_ON_THE_PHONE
    price = expectation.number_eu(row["unit_price"])
    return expectation.rounded(count * float(price or 0))


def eu(number: float) -> str:
    """
    Write a number the German way.

    >>> eu(1249.5)
    '1.249,50'
    """
    return f"{number:,.2f}".translate(str.maketrans(",.", ".,"))


def content() -> bytes:
    """Write the file: preamble, header, orders of uneven length, total, note."""
    body = io.StringIO()
    writer = csv.writer(body, delimiter=";", lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for at, row in enumerate(rows()):
        cells = [row[key] for key in COLUMNS.values()]
        cut_short = at % 4 == 0 and not row["remark"]
        writer.writerow(cells[:-1] if cut_short else cells)
    total = eu(sum(amount(row) for row in source("orders")))
    writer.writerow(["Summe", *[""] * 6, total, "", "", ""])
    return (PREAMBLE + body.getvalue() + NOTE).encode("cp1252")


def status(value: str) -> Value:
    """Read the words of the office program."""
    return {"bezahlt": "paid", "offen": "open", "storniert": "cancelled"}[value.lower()]


def expected() -> Expectation:
    """Return what a careful person would deliver."""
    return expectation.expect(
        file=FILE,
        entity="orders",
        columns={column: key if key != "clerk" else "" for column, key in COLUMNS.items()},
        readers={
            "order_number": expectation.required,
            "ordered_on": expectation.date_dmy,
            "customer": expectation.required,
            "email": expectation.email,
            "article": expectation.required,
            "quantity": expectation.whole,
            "unit_price": expectation.number_eu,
            "amount": expectation.number_eu,
            "status": status,
            "remark": expectation.text,
        },
        rows=rows(),
    )
