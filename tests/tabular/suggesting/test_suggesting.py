"""A suggested catalog has the types that are beyond doubt, and text otherwise."""

import json

import pyarrow as pa
import pytest

from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import check_catalog
from tabular.model.table import ROW_COLUMN
from tabular.suggesting import draft_of, looked_at
from tabular.suggesting.columns import percent

GTINS = ["4006381333931", "4388810057428", "4012345123456", "9783161484100", "4000417025005"]


def suggested(header, cells):
    (column,) = looked_at(pa.table({header: pa.array(cells, pa.string())}))
    return column


def kind(header, *cells) -> str:
    return suggested(header, cells).column_type


@pytest.mark.parametrize(
    ("header", "cells", "expected"),
    [
        ("E-Mail", ["a@b.de", "c@d.org"], "email"),
        ("Kontakt", ["a@b.de", "c@d.org"], "email"),
        ("Kontakt", ["a@b.de", "Frau Mai"], "string"),
        ("Kontakt", [*(f"{n}@b.de" for n in range(19)), "Frau Mai"], "email"),
        ("Kontakt", [*(f"{n}@b.de" for n in range(17)), "Frau Mai", "Herr Au", "-?-"], "string"),
        ("Stand", [*(f"{n}.01.2026" for n in range(1, 20)), "gestern"], "date_dmy"),
        ("Web", ["https://a.de/x", "http://b.de"], "url"),
        ("Telefon", ["+49 30 901820", "+33 1 42 68 53 00"], "phone"),
        ("Telefon", ["030 901820", "0221 2210"], "string"),  # undecidable without a country
        ("IBAN", ["DE89370400440532013000", "GB82 WEST 1234 5698 7654 32"], "iban"),
        ("USt-IdNr.", ["DE811907980", "DE136695976"], "vat_eu"),
        ("EAN", GTINS[:2], "gtin"),
        ("Strichcode", GTINS, "gtin"),
        ("Nummer", ["4006381333931", "4006381333932", *GTINS[1:]], "string"),
        ("Land", ["DE", "AT", "FR"], "country_code_alpha_2"),
        ("Art", ["NO", "IT"], "string"),  # two words are not a list of countries
        ("Währung", ["EUR", "CHF"], "currency_code"),
        ("zip code", ["10115", "01067"], "string"),  # five digits in many countries
        ("gültig ab", ["31.01.2026", "01.02.2026"], "date_dmy"),
        ("gültig ab", ["03.02.2026", "01.02.2026"], "date_dmy"),  # dots never have the month first
        ("valid from", ["03/02/2026", "04/05/2026"], "date"),
        ("valid from", ["03/25/2026", "04/05/2026"], "date_mdy"),
        ("valid from", ["2026-03-25", "2026-04-05"], "date"),
        ("Stand", ["31.02.2026", "30.02.2026"], "string"),  # no such days
        ("created", ["2026-03-25 10:00", "2026-04-05 11:30"], "datetime"),
        ("created", ["2026-03-25 10:00", "2026-04-05"], "string"),
        ("from", ["10:00", "11:30"], "time_hm"),
        ("from", ["10:00:05", "11:30:10"], "time_hms"),
        ("aktiv", ["ja", "nein", "ja"], "boolean"),
        ("aktiv", ["1", "0", "1"], "boolean"),
        ("Anzahl", ["1", "0", "1"], "int"),
        ("aktiv", ["ja", "ja"], "string"),
        ("Menge", ["1", "20", "-3"], "int"),
        ("Artikel-Nr.", ["1001", "1002"], "string"),  # its digits are a name
        ("Menge", ["007", "012"], "string"),
        ("Menge", ["1234567890123456", "2"], "string"),
        ("Preis netto", ["1,50", "2,75"], "float"),
        ("Preis", ["1,50 €", "2,75 €"], "currency_eur"),
        ("Preis (EUR)", ["1,50", "1.002,75"], "currency_eur"),
        ("price", ["$1.50", "$2.75"], "currency_usd"),
        ("price", ["$1.50", "2,75 €"], "string"),
        ("Rabatt", ["5 %", "7,5 %"], "percentage"),
        ("Menge", ["1", "2", "viele"], "string"),
        ("Menge", [*["1"] * 99, "2", "viele"], "int"),
        ("Name", ["Ada", "Bob"], "string"),
    ],
)
def test_a_type_is_suggested_where_nothing_speaks_against_it(header, cells, expected):
    assert kind(header, *cells) == expected


@pytest.mark.parametrize(
    ("header", "cells", "currency"),
    [
        ("Price", ["£12.99", "£1,000.00"], "GBP"),
        ("Preis", ["Fr. 3.50", "12.50 CHF"], "CHF"),
        ("Betrag CHF", ["1'200.50", "12.35"], "CHF"),
        ("Betrag (JPY)", ["¥1,200", "¥300"], "JPY"),
        ("Price", ["¥1,200", "¥300"], None),  # the yen or the yuan
        ("Price", ["£5.00", "5.50"], None),
        ("Betrag CHF", ["£5.00", "£6.00"], None),
    ],
)
def test_a_suggested_field_states_the_currency_of_its_amounts(header, cells, currency):
    table = pa.table({header: pa.array(cells, pa.string())})

    draft = draft_of(looked_at(table), title="Prices")

    (field,) = draft["catalog"]["entries"][0]["fields"]
    assert (field["columnType"], field.get("outputFormat")) == ("float", currency)
    assert isinstance(check_catalog(json.dumps(draft["catalog"])), Catalog)


def test_a_german_postcode_is_one_in_a_file_of_german_headers():
    cells = pa.array(["10115", "01067"])

    german, english = (
        looked_at(pa.table([cells] * 3, names=names))
        for names in (["PLZ", "Bezeichnung", "Straße"], ["zip code", "street", "town"])
    )

    assert (german[0].column_type, english[0].column_type) == ("zip_code_de", "string")


def test_a_wrong_value_in_ten_leaves_the_type_of_an_address_and_of_no_number():
    mails = [f"a{n}@b.de" for n in range(10)]

    assert kind("E-Mail", *mails, "Frau Mai") == "email"
    assert kind("E-Mail", *mails[:8], "Frau Mai") == "string"
    assert kind("Menge", *map(str, range(10)), "viele") == "string"


MAILS = ["a@b.de", "c@d.org", "e@f.de", "g@h.de", "i@j.de"]


@pytest.mark.parametrize(
    ("cells", "odd", "expected", "seen"),
    [
        (MAILS, "anna@", "email", "email addresses"),
        (MAILS, "Frau Mai", "string", "email addresses"),
        (["1.2.2026", "2.2.2026", "3.2.2026", "13.2.2026"], "31.02.2026", "date_dmy", "dates"),
        (["1.2.2026", "2.2.2026", "3.2.2026", "13.2.2026"], "ca. 5.2.2026", "date_dmy", "dates"),
        (["1.2.2026", "2.2.2026", "3.2.2026", "13.2.2026"], "gestern", "string", "dates"),
        (["1", "2", "4", "5", "6"], "n/a", "int", "whole numbers"),
        (["1", "2", "4", "5", "6"], "viele", "string", "whole numbers"),
        (["1,50", "2,75", "3,10", "4,20"], "?", "float", "numbers"),
        (["+49 30 901820", "+33 1 42 68 53 00", "+49 30 901821", "+49 30 901822"], "+49 30 9x",
         "phone", "phone numbers"),
    ],
)  # fmt: skip
def test_a_type_is_chosen_where_all_but_broken_values_agree_and_told_where_most_do(
    cells, odd, expected, seen
):
    column = suggested("Spalte", [*cells[:3], odd, *cells[3:]])

    assert column.column_type == expected
    assert column.evidence[2] == f"{len(cells)} of {len(cells) + 1} are {seen}"
    assert (column.majority.cells, column.majority.of) == (len(cells), len(cells) + 1)
    assert column.majority.odd == ((3, odd),)


@pytest.mark.parametrize(
    "cells",
    [
        ["1", "2", "4", "5", "A-17", "B-18", "C-19"],  # four of seven
        ["1", "2", "viele"],  # few
        ["Ada", "Bob", "Cy", "Di", "n/a"],
        ["a@b.de", "c@d.org", "e@f.de", "g@h.de"],  # all
    ],
)
def test_a_column_that_agrees_or_says_little_has_no_odd_values(cells):
    assert suggested("Spalte", cells).majority is None


def test_odd_values_are_told_by_their_rows_in_the_file():
    mails = ["a@b.de", "c@d.org", "Frau Mai", "e@f.de", "g@h.de"]
    table = pa.table({ROW_COLUMN: pa.array([3, 4, 7, 8, 9]), "Kontakt": mails})

    (shown,) = draft_of(looked_at(table), title="T")["columns"]

    assert shown["agreed"] == {
        "columnType": "email",
        "values": 4,
        "of": 5,
        "odd": [{"sourceRow": 7, "text": "Frau Mai"}],
    }


def test_few_texts_that_repeat_are_options():
    column = suggested("Status", ["open", "paid", "open", "open", "paid"] * 2)

    assert (column.column_type, column.options) == ("category", ("open", "paid"))
    assert "2 different values" in column.evidence


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Status", ["open", "paid", "open"]),  # not often enough
        ("Status", ["Open", "open"] * 9),  # one option in two spellings
        ("Kd-Nr", ["A1", "A2"] * 9),  # a code names something
        ("Status", ["open"] * 9),
        ("Notiz", ["x" * 80, "y"] * 9),
    ],
)
def test_other_texts_are_not_options(header, cells):
    assert suggested(header, cells).options == ()


def test_a_column_that_is_always_filled_is_required_and_a_key_is_unique():
    full = suggested("Artikel-Nr.", ["a", "b", "c"])
    name = suggested("Name", ["a", "b", "c"])
    twice = suggested("Artikel-Nr.", ["a", "b", "b", None])

    assert (full.required, full.unique) == (True, True)
    assert full.evidence == ("100 % filled", "all different")
    assert (name.required, name.unique) == (True, False)
    assert (twice.required, twice.unique) == (False, False)
    assert twice.evidence == ("75 % filled", "2 different values")


def test_a_column_that_is_nearly_empty_is_not_selected():
    assert suggested("Notiz", ["x", *[None] * 19]).selected is False
    assert suggested("Notiz", ["x", *[None] * 19]).evidence[0] == "95 % empty"
    assert suggested("Notiz", [" ", None]).evidence == ("empty",)


def test_the_decimal_sign_is_told_and_a_form_of_its_own_is_recognised():
    assert "decimal comma" in suggested("Preis", ["1,50", "2,75"]).evidence
    assert suggested("X", ["a@b.de", "c@d.de"]).detectors == ("email",)
    assert suggested("X", ["1", "2"]).detectors == ()


def test_a_share_is_never_rounded_to_all_or_nothing():
    assert (percent(0.99999), percent(0.00001), percent(1.0)) == (99.9, 0.1, 100)


def test_the_draft_fits_the_field_model_whatever_the_headers_are():
    headers = ["Name", "name ", "№", "", "<b>Größe</b>", "Name_2", "日本", "x" * 300]
    table = pa.table([pa.array(["a", "b"])] * len(headers), names=headers)

    draft = draft_of(looked_at(table), title="Artikel Stamm <2026>")
    checked = check_catalog(json.dumps(draft["catalog"]))

    assert isinstance(checked, Catalog)
    keys = [column["key"] for column in draft["columns"]]
    assert len(set(keys)) == len(headers)
    assert keys[:3] == ["name", "name_2", "number"]
    assert draft["key"] == "artikel-stamm-2026"


def test_a_table_without_rows_suggests_its_columns_unselected():
    table = pa.table({"a": pa.array([], pa.string())})

    draft = draft_of(looked_at(table), title="T")

    assert [column["selected"] for column in draft["columns"]] == [False]
    assert draft["catalog"]["entries"][0]["fields"] == []
