"""Lines that close an invoice are not items, in any language and layout; plain tables keep all."""

import csv
import io

import pytest
from openpyxl import Workbook

from tabular.model.places import ReadingChoices
from tabular.reading import read
from tabular.reading.layout import lay_out

ITEMS = [
    ["1", "Travel mug", "2", "9.50", "19.00"],
    ["2", "Desk lamp", "1", "42.00", "42.00"],
    ["3", "Wool scarf", "3", "12.00", "36.00"],
]
NAMES = {
    "en": ["Item", "Description", "Qty", "Unit price", "Amount"],
    "de": ["Pos", "Bezeichnung", "Menge", "Einzelpreis", "Betrag"],
    "fr": ["Réf", "Désignation", "Qté", "Prix unitaire", "Montant"],
    "es": ["Línea", "Descripción", "Cantidad", "Precio", "Importe"],
    "it": ["Riga", "Descrizione", "Qtà", "Prezzo", "Importo"],
    "nl": ["Nr", "Omschrijving", "Aantal", "Prijs", "Bedrag"],
    "pl": ["Lp", "Opis", "Ilość", "Cena", "Kwota"],
    "ja": ["番号", "品名", "数量", "単価", "金額"],
}
AMOUNTS = ["97.00", "19.40", "116.40"]
LABELS = {
    "en": ["Subtotal:", "VAT:", "Total incl.:"],
    "de": ["Zwischensumme:", "MwSt. 19 %:", "Gesamt inkl. MwSt.:"],
    "fr": ["Montant HT", "TVA 20 %", "Total TTC :"],
    "es": ["Base imponible", "IVA (21%)", "Total a pagar:"],
    "it": ["Imponibile", "IVA 22%", "Totale fattura:"],
    "nl": ["Subtotaal:", "BTW 21%:", "Totaal incl. BTW:"],
    "pl": ["Razem netto:", "VAT 23%:", "Do zapłaty:"],
    "ja": ["小計", "消費税", "合計（税込）"],
}
NOTES = {
    "en": ["Please pay within 14 days.", "www.example.test", "Terms and conditions"],
    "de": ["Zahlbar innerhalb von 14 Tagen", "www.example.test", "AGB"],
    "fr": ["Paiement sous 30 jours", "www.example.test", "Conditions générales de vente"],
    "es": ["Pago por transferencia", "https://example.test", "Términos y condiciones"],
    "it": ["Pagamento a 30 giorni", "www.example.test", "Termini e condizioni"],
    "nl": ["Betaling binnen 14 dagen", "www.example.test", "Algemene voorwaarden"],
    "pl": ["Płatność w ciągu 14 dni", "www.example.test", "Regulamin"],
    "ja": ["お支払いは14日以内にお願いします", "www.example.test", "取引条件"],
}
BLANK = [""] * 5


def cells(width=5, **texts):
    """Return a row with some texts: ``c0="VAT:"``."""
    return [texts.get(f"c{place}", "") for place in range(width)]


def invoice(language, *, label, amount, note, gap=False, items=ITEMS):
    lines = zip(LABELS[language], AMOUNTS, strict=True)
    first, address, terms = NOTES[language]
    return [
        ["Invoice 17", "", "", "", ""],
        BLANK,
        NAMES[language],
        *items,
        *([BLANK] if gap else []),
        *(cells(**{f"c{label}": text, f"c{amount}": value}) for text, value in lines),
        BLANK,
        cells(c4="116.40"),
        cells(**{f"c{note}": first}),
        cells(**{f"c{note}": address}),
        BLANK,
        cells(**{f"c{note}": terms}),
    ]


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize(("label", "amount"), [(3, 4), (0, 4), (1, 4), (2, 3), (0, 1)])
def test_nothing_below_the_items_is_an_item(language, label, amount):
    for note in (0, 1, 4):
        for gap in (False, True):
            for count in (1, 2, 3):
                rows = invoice(
                    language, label=label, amount=amount, note=note, gap=gap, items=ITEMS[:count]
                )
                region = lay_out(rows)[0]

                assert len(region.rows) == count, (note, gap, count)


DIRECTLY = {
    "tax": [cells(c3="VAT:", c4="19.40")],
    "tax without a colon": [cells(c3="VAT 20%", c4="19.40"), cells(c3="Total incl.", c4="116.40")],
    "a rate": [cells(c0="VAT", c3="20 %", c4="19.40")],
    "an address": [cells(c0="www.example.test")],
    "an address in the last column": [cells(c4="https://example.test/pay")],
    "terms": [cells(c0="Terms and conditions")],
    "terms in the last column": [cells(c4="Terms & conditions")],
    "payment in the last column": [cells(c4="Please pay within 14 days.")],
    "two charges": [cells(c3="Discount:", c4="-7.00"), cells(c3="Shipping:", c4="5.00")],
    "a bank": [cells(c3="VAT:", c4="19.40"), cells(c0="IBAN", c1="DE02120300000000202051")],
}


@pytest.mark.parametrize("name", DIRECTLY)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_no_blank_row_is_needed_where_the_words_tell(name, count):
    region = lay_out([NAMES["en"], *ITEMS[:count], *DIRECTLY[name]])[0]

    assert len(region.rows) == count
    assert {reason for _, reason in region.left_out} <= {"footer", "total"}


@pytest.mark.parametrize("label", ["Article", "VAT"])
def test_a_table_of_three_columns_ends_as_well(label):
    rows = [["Mug", "2", "19.00"], ["Lamp", "1", "42.00"], ["Scarf", "3", "36.00"]]
    below = [["", "VAT:", "19.40"], ["", "Total incl.:", "116.40"], ["", "", ""], ["", "", "116.4"]]

    assert len(lay_out([[label, "Qty", "Amount"], *rows, *below])[0].rows) == 3


REPORT = [
    ["Line", "2022", "2023", "2024"],
    ["Revenue", "100.5", "110.5", "120.5"],
    ["Costs", "50.5", "55.5", "60.5"],
    ["Interest", "5", "6", "7"],
]
TASKS = [["id", "task", "owner", "days"], *([str(n), f"task {n}", f"p{n}", "3"] for n in range(9))]
LINKS = [["id", "title", "link", "hits"]] + [
    [str(n), f"page {n}", f"https://example.test/{n}", str(n * 3)] for n in range(9)
]
POSTINGS = [["Doc", "Date", "Text", "Amount"]] + [
    [f"R{n}", f"2024-01-0{n}", "Sale", f"{n}.50"] for n in range(1, 6)
]
JOURNAL = [
    ["Date", "Text", "Account", "Debit", "Credit"],
    ["2024-01-01", "Sale", "8400", "", "100.00"],
    ["", "VAT:", "", "", "19.00"],
    ["2024-01-02", "Sale", "8400", "", "200.00"],
    ["", "VAT:", "", "", "38.00"],
]
FREIGHT = [
    ["Date", "Text", "Account", "Credit"],
    ["2024-01-01", "Sale", "8400", "100.00"],
    ["2024-01-02", "Sale", "8400", "200.00"],
    ["2024-01-03", "Sale", "8400", "300.00"],
    ["", "Freight:", "", "38.00"],
]


@pytest.mark.parametrize(
    "rows",
    [
        [*REPORT, ["Tax", "", "", "20"]],
        [*REPORT, ["Tax", "18", "19", "20"]],
        [*TASKS, ["9", "Terms and conditions", "", ""]],
        LINKS,
        [*LINKS, ["", "page x", "https://example.test/9", "3"]],
        [*POSTINGS, ["R6", "2024-01-06", "VAT", "19.00"]],
        [*POSTINGS, ["VAT", "2024-01-06", "", "19.00"]],
        JOURNAL,
        FREIGHT,
    ],
)
def test_a_plain_table_keeps_rows_with_such_words(rows):
    assert len(lay_out(rows)[0].rows) == len(rows) - 1


def people(count):
    return [[str(n), f"person {n}", "Rome", f"{n * 7}.50", ""] for n in range(1, count + 1)]


@pytest.mark.parametrize("count", [3, 6, 20, 60])
@pytest.mark.parametrize("cut", [1, 2, -1])
@pytest.mark.parametrize("column", [0, 1, 2])
def test_a_plain_table_keeps_all_rows_around_a_blank_row_and_a_subtotal(count, cut, column):
    rows, names = people(count), ["id", "name", "city", "amount", "note"]
    total = f"{sum(float(row[3]) for row in rows[:cut]):.2f}"
    subtotal = cells(**{f"c{column}": "Subtotal", "c3": total})

    for between in ([BLANK], [BLANK, BLANK], [subtotal], [subtotal, BLANK]):
        region = lay_out([names, *rows[:cut], *between, *rows[cut:]])[0]

        assert len(region.rows) == count


def test_rows_with_fewer_cells_behind_a_blank_row_stay():
    rows = people(20)
    sparse = [[row[0], row[1], "", row[3], ""] for row in rows[10:]]

    region = lay_out([["id", "name", "city", "amount", "note"], *rows[:10], BLANK, *sparse])[0]

    assert len(region.rows) == 20


def body_of(folder, rows, form, **choices):
    """Return the body of the first table of some rows that are saved as a file."""
    path = folder / f"invoice.{form}"
    if form == "csv":
        out = io.StringIO()
        csv.writer(out).writerows(rows)
        path.write_text(out.getvalue(), "utf-8")
    else:
        book = Workbook()
        for row in rows:
            book.active.append([_typed(text) for text in row])
        book.save(path)
    return read(path, choices=ReadingChoices(**choices)).bodies[0]


def _typed(text):
    try:
        return float(text) if text else None
    except ValueError:
        return text


@pytest.mark.parametrize("form", ["csv", "xlsx"])
@pytest.mark.parametrize("language", NAMES)
def test_each_line_below_is_on_record_and_can_be_taken_back(tmp_path, form, language):
    rows = invoice(language, label=3, amount=4, note=0)

    body = body_of(tmp_path, rows, form)
    left_out = {row.row: row.reason for row in body.skipped_rows() if row.row > 2}
    again = body_of(tmp_path, rows, form, restored=(7, 11))

    assert sum(batch.num_rows for batch in body.batches()) == 3
    assert left_out.keys() == set(range(6, len(rows)))
    assert set(left_out.values()) == {"blank", "footer", "total"}
    assert sum(batch.num_rows for batch in again.batches()) == 5
