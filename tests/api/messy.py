"""A workbook as an office keeps it, and the catalog it is meant for."""

from io import BytesIO

from openpyxl import Workbook

STATUS = [
    {"label": "Offen", "type": "string", "value": "open"},
    {"label": "Geliefert", "type": "string", "value": "delivered"},
    {"label": "Storniert", "type": "string", "value": "cancelled"},
]
CATALOG = {
    "key": "jobs",
    "title": "Aufträge",
    "keySeparator": ".",
    "entries": [
        {
            "id": "job",
            "fields": [
                {
                    "key": "number",
                    "label": "Auftragsnummer",
                    "columnType": "string",
                    "required": True,
                    "alternativeMatches": ["Auftrag Nr."],
                    "validations": [{"validate": "unique"}],
                },
                {
                    "key": "ordered",
                    "label": "Auftragsdatum",
                    "columnType": "date",
                    "required": True,
                    "alternativeMatches": ["Auftrag Datum"],
                },
                {"key": "customer", "label": "Kunde Name", "columnType": "string"},
                {"key": "email", "label": "Kunde E-Mail", "columnType": "email"},
                {"key": "quantity", "label": "Menge", "columnType": "int"},
                {"key": "amount", "label": "Betrag", "columnType": "float"},
                {
                    "key": "status",
                    "label": "Status",
                    "columnType": "category",
                    "dropdownOptions": STATUS,
                },
                {"key": "due", "label": "Liefertermin", "columnType": "date"},
            ],
        }
    ],
}
ABOVE = [
    ["Werkstatt Nord GmbH"],
    ["Auftragsliste, Stand 01.03.2026"],
    [],
    ["Auftrag", None, "Kunde", None, "Menge", "Betrag", "Status", "Liefertermin"],
    ["Nr.", "Datum", "Name", "E-Mail", None, None, None, None],
    [None, None, None, None, "Stk", "EUR", None, None],
]
ROWS = (
    "A-0101|05.02.2026|Ada Lovelace|ada@example.com|2|1.249,00|offen|03/04/2026",
    "A-0102|06.02.2026|Bob Noyce|bob@example|1|89,90|Geliefrt|04/05/2026",
    "A-0103|07.02.2026|Cy Young|cy@example.com|zwölf|3,50|Geliefert|05/06/2026",
    "A-0104|09.02.2026|Dora Maar|dora@example.com|4|12.000,00|erledigt|06/07/2026",
    "A-0101|10.02.2026|Eve Adams|eve@example.com|1|75,00|offen|07/08/2026",
    "A-0106|11.02.2026|Fay Wray|fay@exmaple.com|3|1.000,10|Storniert|08/09/2026",
)
SUBTOTAL = ["Summe", None, None, None, "11", "14.417,50", None, None]
MORE = (
    "A-0107|12.02.2026|Gil Evans|gil@exmaple.com|2|17,25|erledigt|09/10/2026",
    "A-0108|31.02.2026|Hal Hartley|hal@example.com|5|5,00|offen|10/11/2026",
)


def workbook() -> bytes:
    """Return two sheets; the second has the table, below a title, with merged groups and units."""
    book = Workbook()
    notes = book.active
    notes.title = "Hinweise"
    notes.append(["Bitte nur die Liste ausfüllen."])
    notes.append(["Rückfragen an das Büro."])
    sheet = book.create_sheet("Aufträge")
    rows, more = ([line.split("|") for line in lines] for lines in (ROWS, MORE))
    for line in (*ABOVE, *rows, SUBTOTAL, *more):
        sheet.append(line)
    sheet.merge_cells("A4:B4")
    sheet.merge_cells("C4:D4")
    saved = BytesIO()
    book.save(saved)
    return saved.getvalue()
