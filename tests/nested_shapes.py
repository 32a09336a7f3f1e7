"""Files of parents with children in several shapes, their catalogs, and a shop that gets them."""

import json
from io import BytesIO
from typing import Any

import openpyxl

from tests.receiving import Received, assert_delivery
from tests.tabular.reading.pdf.papers import Sheet, columns, document

Json = dict[str, Any]

LINE = [
    {"key": "sku", "label": "Article", "required": True},
    {"key": "pieces", "label": "Quantity", "columnType": "int"},
]
ORDERS: list[Json] = [
    {
        "id": "order",
        "groupBy": ["number"],
        "fields": [
            {"key": "number", "label": "Order number", "required": True},
            {"key": "buyer", "label": "Buyer"},
            {"key": "ordered", "label": "Order date", "columnType": "date"},
        ],
    },
    {"id": "line", "childOf": "order", "fields": LINE},
]
INVOICES: list[Json] = [
    {
        "id": "invoice",
        "groupBy": ["number"],
        "fields": [
            {
                "key": "number",
                "label": "Invoice number",
                "required": True,
                "scope": "document",
            },
            {"key": "customer", "label": "Customer", "scope": "document"},
            {"key": "date", "label": "Invoice date", "columnType": "date", "scope": "document"},
        ],
    },
    {
        "id": "position",
        "childOf": "invoice",
        "fields": [
            {"key": "text", "label": "Description", "required": True},
            {"key": "pieces", "label": "Quantity", "columnType": "int"},
            {"key": "price", "label": "Unit price", "columnType": "float"},
        ],
    },
]
CUSTOMERS: list[Json] = [
    {
        "id": "customer",
        "groupBy": ["number"],
        "fields": [
            {"key": "number", "label": "Customer number", "required": True},
            {"key": "company", "label": "Company"},
            {"key": "city", "label": "City"},
        ],
    },
    {
        "id": "contact",
        "childOf": "customer",
        "fields": [
            {"key": "name", "label": "Contact name"},
            {"key": "email", "label": "E-mail", "columnType": "email"},
        ],
    },
]
HEADS_ONCE = (
    "Order number,Buyer,Order date,Article,Quantity\n"
    "A-1,Ada Lovelace,2026-02-03,LX-100,2\n"
    ",,,LX-200,1\n"
    "A-2,Bob Noyce,2026-02-04,LX-300,5\n"
    ",,,LX-100,3\n"
    ",,,LX-400,7\n"
)
NUMBERED = (
    "Order number,Buyer,Order date,Article1,Quantity1,Article2,Quantity2,Article3,Quantity3\n"
    "A-1,Ada Lovelace,2026-02-03,LX-100,2,LX-200,1,,\n"
    "A-2,Bob Noyce,2026-02-04,LX-300,5,LX-100,3,LX-400,7\n"
)
LISTS = json.dumps(
    [
        {
            "Order number": "A-1",
            "Buyer": "Ada Lovelace",
            "Order date": "2026-02-03",
            "lines": [
                {"Article": "LX-100", "Quantity": 2},
                {"Article": "LX-200", "Quantity": 1},
            ],
        },
        {
            "Order number": "A-2",
            "Buyer": "Bob Noyce",
            "Order date": "2026-02-04",
            "lines": [
                {"Article": "LX-300", "Quantity": 5},
                {"Article": "LX-100", "Quantity": 3},
                {"Article": "LX-400", "Quantity": 7},
            ],
        },
    ]
)
ORDERED: list[Json] = [
    {
        "order.number": "A-1",
        "order.buyer": "Ada Lovelace",
        "order.ordered": "2026-02-03",
        "line": [
            {"line.sku": "LX-100", "line.pieces": 2},
            {"line.sku": "LX-200", "line.pieces": 1},
        ],
    },
    {
        "order.number": "A-2",
        "order.buyer": "Bob Noyce",
        "order.ordered": "2026-02-04",
        "line": [
            {"line.sku": "LX-300", "line.pieces": 5},
            {"line.sku": "LX-100", "line.pieces": 3},
            {"line.sku": "LX-400", "line.pieces": 7},
        ],
    },
]
INVOICED: list[Json] = [
    {
        "invoice.number": "R-2026-17",
        "invoice.customer": "Ada Lovelace Ltd",
        "invoice.date": "2026-03-14",
        "position": [
            {"position.text": "Desk lamp", "position.pieces": 2, "position.price": 19.9},
            {"position.text": "Office chair", "position.pieces": 1, "position.price": 249},
            {"position.text": "Monitor arm", "position.pieces": 4, "position.price": 88.5},
        ],
    }
]
COMPANIES: list[Json] = [
    {
        "customer.number": "C-1",
        "customer.company": "Analytical Engines",
        "customer.city": "London",
        "contact": [
            {"contact.name": "Ada Lovelace", "contact.email": "ada@example.com"},
            {"contact.name": "Charles Babbage", "contact.email": "charles@example.com"},
        ],
    },
    {
        "customer.number": "C-2",
        "customer.company": "Fairchild",
        "customer.city": "San Jose",
        "contact": [{"contact.name": "Bob Noyce", "contact.email": "bob@example.com"}],
    },
    {
        "customer.number": "C-3",
        "customer.company": "Silent Partners",
        "customer.city": "Oslo",
        "contact": [],
    },
]


def invoice() -> bytes:
    """Return an invoice as PDF: its head as pairs, then its positions."""
    sheet = Sheet()
    sheet.write(60, 60, "Example Trading Company", size=14)
    pairs = ("Invoice number: R-2026-17", "Customer: Ada Lovelace Ltd", "Invoice date: 2026-03-14")
    for index, pair in enumerate(pairs):
        sheet.write(60, 110 + 16 * index, pair)
    rows = [
        ["Description", "Quantity", "Unit price"],
        ["Desk lamp", "2", "19.90"],
        ["Office chair", "1", "249.00"],
        ["Monitor arm", "4", "88.50"],
    ]
    columns(sheet, rows, xs=[60, 260, 380], top=200, step=16)
    for y in (188, 205, 255):
        sheet.line(60, y, 480, y)
    return document(sheet)


def two_sheets() -> bytes:
    """Return a workbook of contacts and customers, who have a number in common."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in {
        "Customers": [
            ["Customer number", "Company", "City"],
            ["C-1", "Analytical Engines", "London"],
            ["C-2", "Fairchild", "San Jose"],
            ["C-3", "Silent Partners", "Oslo"],
        ],
        "Contacts": [
            ["Contact name", "E-mail", "Customer"],
            ["Ada Lovelace", "ada@example.com", "C-1"],
            ["Charles Babbage", "charles@example.com", "C-1"],
            ["Bob Noyce", "bob@example.com", "C-2"],
        ],
    }.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    target = BytesIO()
    book.save(target)
    return target.getvalue()


class Shop:
    """A receiver of nested deliveries, with parents it has already; it undoes what it is asked."""

    def __init__(self, key: str, *parents: Json) -> None:
        self.key = key  # the field that identifies a parent
        self.url = self.secret = ""
        self.parents = {parent[key]: parent for parent in parents}
        self._before: dict[str, dict[str, Json]] = {}  # by the delivery that changed them

    def take(self, received: Received) -> Json:
        """Store the parents of a genuine delivery, or undo an earlier one; return it."""
        assert_delivery(received, url=self.url, secret=self.secret)
        body: Json = json.loads(received.body)
        assert body["nested"] is True
        assert body["parentCount"] == len(body["rows"])
        if body["action"] == "revert":
            self.parents = self._before.pop(body["reverts"]["deliveryId"])
            return body
        self._before[body["deliveryId"]] = self.parents
        arrived = {parent[self.key]: without_rows(parent) for parent in body["rows"]}
        assert len(arrived) == body["parentCount"]
        self.parents = {**self.parents, **arrived}
        return body


def without_rows(parent: Json) -> Json:
    """Return a delivered parent without the numbers of its rows."""
    lists = {name: value for name, value in parent.items() if isinstance(value, list)}
    own = {name: value for name, value in parent.items() if name not in lists}
    del lists["$rows"]
    children = {
        name: [{key: cell for key, cell in child.items() if key != "$row"} for child in value]
        for name, value in lists.items()
    }
    return own | children
