"""Every column type: accepted and refused spellings. Sources are next to the vectors."""

from datetime import date, time
from decimal import Decimal

import pyarrow as pa
import pytest

from tabular.model.catalog import ColumnType, FloatOption, IntOption, StringOption
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import READERS, read_column

TODAY = date(2026, 11, 20)
EU = ParseOptions(number_format="eu", today=TODAY, region="DE")
US = ParseOptions(number_format="us", today=TODAY, date_order="mdy", region="US")

LONGEST_EMAIL = "@".join(["a" * 64, ".".join(["b" * 63, "c" * 63, "d" * 57, "org"])])  # RFC 5321

ACCEPTED = [
    ("string", "  Zoë\u00a0", "Zoë", EU),
    ("int", "1.234", 1234, EU),
    ("int", "-7", -7, EU),
    ("int", "3,0", 3, EU),
    ("int", "1,234", 1234, US),
    ("int", "9223372036854775807", 9223372036854775807, US),
    ("int", "-9,223,372,036,854,775,808", -9223372036854775808, US),
    ("float", "1.234,56", 1234.56, EU),
    ("float", "1,234.56", 1234.56, US),
    ("float", "12,34,567.5", 1234567.5, US),  # Indian grouping
    ("float", "1 234,5", 1234.5, EU),
    ("float", "1\u202f234,5", 1234.5, EU),  # the CLDR's format for French
    ("float", "1'234.50", 1234.5, US),  # Swiss
    ("float", "(1.234,50)", -1234.5, EU),  # the accountant's minus
    ("float", "1.234,56-", -1234.56, EU),  # SAP
    ("float", "−3,5", -3.5, EU),  # U+2212
    ("float", "12,- €", 12.0, EU),
    ("float", "USD 5.25", 5.25, US),
    ("float", "KES 5.25", 5.25, US),  # any currency of the CLDR
    ("float", "100,00- EUR", -100.0, EU),
    ("float", "Fr. 12.–", 12.0, EU),
    ("country_code_alpha_2", "NA", "NA", EU),  # the code is written out
    ("country_code_alpha_2", "U.S.A.", "US", EU),
    ("float", "1.5e3", 1500.0, US),
    ("percentage", "12,5 %", 0.125, EU),
    ("percentage", "7", 0.07, EU),
    ("percentage", "0.57%", 0.0057, US),  # one rounding, not two
    ("boolean", "Ja", True, EU),
    ("boolean", "ONWAAR", False, EU),
    ("boolean", "não", False, EU),
    ("boolean", "☑", True, EU),
    ("date", "31.1.2024", date(2024, 1, 31), EU),
    ("date", "1/31/2024", date(2024, 1, 31), US),
    ("date", "2024-02-29", date(2024, 2, 29), EU),
    ("date", "20240131", date(2024, 1, 31), EU),  # ISO 8601, basic form
    ("date", "3. März 2024", date(2024, 3, 3), EU),
    ("date", "Mar 3rd, 2024", date(2024, 3, 3), EU),
    ("date", "5 de mayo de 2023", date(2023, 5, 5), EU),
    ("date", "1er janvier 2021", date(2021, 1, 1), EU),
    ("date", "Mo, 03.06.2024", date(2024, 6, 3), EU),
    ("date", "45322", date(2024, 1, 31), EU),  # ECMA-376: serial of the 1900 system
    ("date", "28.2.45", date(2045, 2, 28), EU),  # at most 19 years ahead
    ("date", "28.2.46", date(1946, 2, 28), EU),
    ("date_dmy", "03/04/2024", date(2024, 4, 3), US),
    ("date_mdy", "03/04/2024", date(2024, 3, 4), EU),
    ("date_iso", "2024-01-31", date(2024, 1, 31), EU),
    ("datetime", "2024-01-31T13:05:00Z", "2024-01-31T13:05:00Z", EU),
    ("datetime", "31.01.2024 13:05", "2024-01-31T13:05:00", EU),
    ("datetime", "2024-01-31 13:05:00-0500", "2024-01-31T13:05:00-05:00", EU),
    ("datetime", "1/31/2024 1:05 PM", "2024-01-31T13:05:00", US),
    ("datetime", "45322.5", "2024-01-31T12:00:00", EU),
    ("datetime", "45322.3821875", "2024-01-31T09:10:21", EU),
    ("datetime", "31.01.2024", "2024-01-31T00:00:00", EU),
    ("datetime", "20240131T130509Z", "2024-01-31T13:05:09Z", EU),
    ("time_hms", "2:05:09 p.m.", time(14, 5, 9), EU),
    ("time_hms", "12:00:00 AM", time(0, 0), EU),
    ("time_hms", "1:00:00 am", time(1, 0), EU),
    ("time_hms", "12:59:01 pm", time(12, 59, 1), EU),
    ("time_hms", "0.999988426", time(23, 59, 59), EU),  # a spreadsheet's share of a day
    ("time_hms_24", "23:59:59", time(23, 59, 59), EU),
    ("time_hms_24", "0:00:01", time(0, 0, 1), EU),
    ("time_hms_24", "0:00", time(0, 0), EU),
    ("time_hm", "12:30 PM", time(12, 30), EU),
    ("time_hm_24", "14 Uhr", time(14, 0), EU),
    ("time_hm_24", "14h05", time(14, 5), EU),
    ("email", "Jane.Roe@Example.ORG", "Jane.Roe@example.org", EU),
    ("email", "Jane Roe <jane@example.org>", "jane@example.org", EU),
    ("email", "用户@例子.广告", "用户@例子.广告", EU),  # RFC 6531
    ("email", "a" * 64 + "@example.org", "a" * 64 + "@example.org", EU),  # RFC 5321, 4.5.3.1.1
    ("email", "Jane <" + "a" * 64 + "@example.org>", "a" * 64 + "@example.org", EU),
    ("email", LONGEST_EMAIL, LONGEST_EMAIL, EU),
    ("email", f"Jane <{LONGEST_EMAIL}>", LONGEST_EMAIL, EU),
    ("url", "http://255.0.0.1/", "http://255.0.0.1/", EU),
    ("url", "https://jane@Example.org:0/", "https://jane@example.org:0/", EU),
    ("url", "HTTP://Example.org/A", "http://example.org/A", EU),
    ("url", "example.org/a?b=c", "https://example.org/a?b=c", EU),
    ("url", "https://münchen.de/ä", "https://münchen.de/ä", EU),
    ("url_www", "https://www.Example.org/a", "www.example.org/a", EU),
    ("url_https", "https://example.org:8443/", "https://example.org:8443/", EU),
    ("phone", "0171/3817965", "+491713817965", EU),
    ("phone", "0049 30 12345678", "+493012345678", EU),
    ("phone", "+49 (0)171 3817965", "+491713817965", EU),
    ("phone", "(650) 253-0000", "+16502530000", US),
    ("phone", "tel:+44-20-7946-0958", "+442079460958", EU),
    ("iban", "GB82 WEST 1234 5698 7654 32", "GB82WEST12345698765432", EU),  # ISO 13616 example
    ("iban", "de89370400440532013000", "DE89370400440532013000", EU),
    ("iban", "BE68539007547034", "BE68539007547034", EU),  # SWIFT registry
    ("iban", "MT84MALT011000012345MTLCAST001S", "MT84MALT011000012345MTLCAST001S", EU),
    ("bic", "deutdeff500", "DEUTDEFF500", EU),
    ("vat_eu", "DE 136 695 976", "DE136695976", EU),
    ("vat_eu", "GR094259216", "EL094259216", EU),
    ("vat_eu", "ATU13585627", "ATU13585627", EU),
    ("gtin", "4006381333931", "4006381333931", EU),
    ("gtin", "036000291452", "036000291452", EU),  # GS1: GTIN-12
    ("gtin", "96385074", "96385074", EU),  # GTIN-8
    ("gtin", "10614141000415", "10614141000415", EU),  # GS1 General Specifications: GTIN-14
    ("zip_code_de", "D-10115", "10115", EU),
    ("zip_code_de", "1067", "01067", EU),  # a spreadsheet took the zero
    ("country_code_alpha_2", "Österreich", "AT", EU),
    ("country_code_alpha_2", "côte d’ivoire", "CI", EU),
    ("country_code_alpha_2", "DEU", "DE", EU),
    ("country_code_alpha_3", "U.K.", "GBR", EU),
    ("currency_code", "us-dollar", "USD", EU),
    ("currency_code", "€", "EUR", EU),
    ("currency_eur", "1.234,5678 €", Decimal("1234.5678"), EU),
    ("currency_eur", "EUR 0,10", Decimal("0.1"), EU),
    ("currency_usd", "-$5.25", Decimal("-5.25"), US),
]

REFUSED = [
    ("int", "3,5", "not_a_whole_number", EU),
    ("int", "12-", "not_a_whole_number", EU),
    ("int", "3.5x", "not_a_whole_number", EU),
    ("int", "9223372036854775808", "out_of_range", US),
    ("int", "-9223372036854775809", "out_of_range", US),
    ("int", "9.999.999.999.999.999.999", "out_of_range", EU),
    ("int", "1" * 60, "out_of_range", US),
    ("float", "1.2.3", "not_a_number", EU),
    ("float", "12,34,56", "not_a_number", EU),
    ("float", "1e999", "not_a_number", US),
    ("float", "NaN", "not_a_number", US),
    ("float", "1,23.4", "not_a_number", US),
    ("float", "--5", "not_a_number", US),
    ("percentage", "%", "not_a_percentage", EU),
    ("boolean", "vielleicht", "not_a_boolean", EU),
    ("date", "31.02.2024", "not_a_date", EU),
    ("date", "29.02.2023", "not_a_date", EU),
    ("date", "2024-13-01", "not_a_date", EU),
    ("date", "00.00.0000", "not_a_date", EU),
    ("date", "0001-01-01", "not_a_date", EU),  # the usual "no date" of programs
    ("date", "0.1.2024", "not_a_date", EU),
    ("date", "1.13.2024", "not_a_date", EU),
    ("date", "gestern", "not_a_date", EU),
    ("date_iso", "31.01.2024", "not_a_date", EU),
    ("datetime", "2024-01-31T25:00:00", "not_a_datetime", EU),
    ("time_hms", "13:00:00 PM", "not_a_time", EU),
    ("time_hms_24", "2:05:09 PM", "not_a_time", EU),
    ("time_hm", "25:00", "not_a_time", EU),
    ("time_hm", "24:00", "not_a_time", EU),
    ("time_hm", "12:60", "not_a_time", EU),
    ("time_hms", "12:00:60", "not_a_time", EU),
    ("time_hms", "0:30 am", "not_a_time", EU),
    ("time_hms", "12", "not_a_time", EU),
    ("time_hm_24", "9:5", "not_a_time", EU),
    ("email", "a..b@example.org", "not_an_email", EU),
    ("email", "jane at example.org", "not_an_email", EU),
    ("email", "x@@example.org", "not_an_email", EU),
    ("email", "a" * 65 + "@example.org", "not_an_email", EU),
    ("email", "Jane <" + "a" * 65 + "@example.org>", "not_an_email", EU),
    ("email", f"{LONGEST_EMAIL}a", "not_an_email", EU),
    ("email", f"Jane <{LONGEST_EMAIL}a>", "not_an_email", EU),
    ("email", "jane@localhost", "not_an_email", EU),
    ("url", "javascript:alert(1)", "not_a_url", EU),
    ("url", "http://a b.org", "not_a_url", EU),
    ("url", "http://256.1.1.1/", "not_a_url", EU),
    ("url", "http://999.1.1.1/", "not_a_url", EU),
    ("url_www", "example.org", "not_a_www_url", EU),
    ("url_https", "http://example.org", "not_an_https_url", EU),
    ("phone", "123", "not_a_phone_number", EU),
    ("phone", "+49 0", "not_a_phone_number", EU),
    ("phone", "n/a", "not_a_phone_number", EU),
    ("iban", "DE89370400440532013001", "iban_check_digits", EU),
    ("iban", "BE68539007547035", "iban_check_digits", EU),
    ("iban", "DE8937040044053201300", "not_an_iban", EU),
    ("iban", "XX89370400440532013000", "not_an_iban", EU),
    ("bic", "DEUTXXFF", "not_a_bic", EU),
    ("bic", "DEUTDEF", "not_a_bic", EU),
    ("vat_eu", "DE136695978", "not_an_eu_vat_number", EU),
    ("vat_eu", "136695976", "not_an_eu_vat_number", EU),
    ("gtin", "4006381333932", "gtin_check_digit", EU),
    ("gtin", "40063813339", "not_a_gtin", EU),
    ("zip_code_de", "00123", "not_a_german_postcode", EU),
    ("country_code_alpha_2", "Narnia", "not_a_country", EU),
    ("country_code_alpha_3", "XXX", "not_a_country", EU),
    ("currency_code", "$", "not_a_currency", EU),  # a dozen countries use it
    ("currency_code", "DEM", "not_a_currency", EU),
    ("currency_eur", "5,12345", "not_an_amount", EU),
    ("country_code_alpha_2", "n/a", "not_a_country", EU),  # not Namibia
    ("country_code_alpha_2", "s. o.", "not_a_country", EU),  # "see above", not Somalia
    ("country_code_alpha_3", "N.A.", "not_a_country", EU),
    ("currency_code", "i. d. R.", "not_a_currency", EU),  # "usually", not the rupiah
    ("currency_code", "#N/A", "not_a_currency", EU),
    ("boolean", "-", "not_a_boolean", EU),
    ("boolean", "n/a", "not_a_boolean", EU),
    ("float", "TOP 10", "not_a_number", EU),
    ("float", "030 123 456", "not_a_number", EU),
    ("date", "1.2.3", "not_a_date", EU),
    ("date", "März 2024", "not_a_date", EU),  # a month, not the 20th of March
    ("date", "3. März 202", "not_a_date", EU),
    ("date", "1.2.202", "not_a_date", EU),  # a year that lost a digit
    ("currency_eur", "$5,00", "other_currency", EU),
    ("currency_usd", "5.00 €", "other_currency", US),
]

WARNED = [
    ("date", "2024-01-31 13:00", "time_dropped", date(2024, 1, 31), EU),
    ("time_hm", "14:05:30", "time_shortened", time(14, 5), EU),
    ("time_hms", "0:00:00.5", "time_shortened", time(0, 0), EU),
    ("datetime", "2024-01-31 13:05:09.25", "time_shortened", "2024-01-31T13:05:09", EU),
    ("url", "www.example.org", "scheme_added", "https://www.example.org", EU),
    ("phone", "0171 3817965 ext 5", "extension_dropped", "+491713817965", EU),
]


def read_one(column_type, text, how):
    parsed = read_column(pa.array([text], pa.string()), column_type, how)
    return parsed.values[0].as_py(), [(fault.code, fault.severity) for fault in parsed.faults]


@pytest.mark.parametrize(("column_type", "text", "value", "how"), ACCEPTED)
def test_an_accepted_spelling_gives_its_canonical_value(column_type, text, value, how):
    assert read_one(column_type, text, how)[0] == value


@pytest.mark.parametrize(("column_type", "text", "code", "how"), REFUSED)
def test_a_refused_spelling_gives_no_value_and_its_code(column_type, text, code, how):
    assert read_one(column_type, text, how) == (None, [(code, "error")])


@pytest.mark.parametrize(("column_type", "text", "code", "value", "how"), WARNED)
def test_a_value_that_was_changed_beyond_spelling_warns(column_type, text, code, value, how):
    assert read_one(column_type, text, how) == (value, [(code, "warning")])


@pytest.mark.parametrize(
    ("column_type", "text"),
    [
        ("date", "2024-01-31 00:00:00.000"),
        ("time_hm", "14:05:00"),
        ("time_hms", "14:05:09.0"),
        ("phone", "0171 3817965"),
    ],
)
def test_what_says_nothing_more_is_left_out_without_a_warning(column_type, text):
    assert read_one(column_type, text, EU)[1] == []


def test_every_column_type_of_the_spec_has_vectors():
    named = {row[0] for row in ACCEPTED} | {"category"}

    assert set(ColumnType.__args__) == named == set(READERS)


@pytest.mark.parametrize("column_type", ColumnType.__args__)
def test_empty_cells_are_null_and_never_a_fault(column_type):
    parsed = read_column(pa.array([None, "", " \u00a0\t"], pa.string()), column_type, EU)

    assert parsed.values.null_count == 3
    assert parsed.faults == ()


@pytest.mark.parametrize("column_type", ColumnType.__args__)
def test_an_empty_column_reads_as_an_empty_column(column_type):
    assert len(read_column(pa.array([], pa.string()), column_type, EU).values) == 0


@pytest.mark.parametrize("column_type", sorted(set(ColumnType.__args__) - {"string", "category"}))
@pytest.mark.parametrize("unit", ["1", "a", "1.", "@a", "(", "0:", "+"])
def test_a_cell_of_a_megabyte_is_refused_at_once(column_type, unit):
    value, faults = read_one(column_type, unit * (1_000_000 // len(unit)), EU)

    assert value is None
    assert [severity for _, severity in faults] == ["error"]


def test_a_phone_number_is_read_in_the_country_of_its_row():
    how = ParseOptions(region="DE", regions=pa.array(["FR", None, "AT", "FR"]))
    texts = pa.array(["01 42 68 53 00", "030 12345678", "01 5128700", "0151 23456789"])

    parsed = read_column(texts, "phone", how)

    assert parsed.values.to_pylist() == [
        "+33142685300",
        "+493012345678",
        "+4315128700",
        "+4915123456789",
    ]
    assert [(f.code, f.rows.tolist()) for f in parsed.faults] == [("region_assumed", [3])]


COLOURS = (
    StringOption(label="Light Blue", type="string", value="lb", alternative_matches=("azure",)),
    StringOption(label="Dark Green", type="string", value="dg"),
    StringOption(label="Tools", type="string", value="t"),
    StringOption(label="Toys", type="string", value="y"),
)


@pytest.mark.parametrize(
    ("text", "value", "faults"),
    [
        ("lb", "lb", []),
        ("Azure", "lb", []),
        ("light-blue", "lb", []),
        ("Lihgt Blue", "lb", [("option_guessed", "warning")]),
        ("Toolss", "t", [("option_guessed", "warning")]),
        ("Tols", None, [("unknown_option", "error")]),  # too short to be sure
        ("Tois", None, [("unknown_option", "error")]),
        ("red", None, [("unknown_option", "error")]),
    ],
)
def test_a_smart_option_forgives_spelling_with_a_margin(text, value, faults):
    assert read_one("category", text, ParseOptions(options=COLOURS)) == (value, faults)


def test_an_exact_option_forgives_nothing():
    how = ParseOptions(options=COLOURS, exact_options=True)

    assert read_one("category", "light blue", how)[0] is None
    assert read_one("category", "Light Blue", how)[0] == "lb"


def test_custom_options_keep_an_unlisted_text():
    assert read_one("category", "red", ParseOptions(options=COLOURS, custom_options=True)) == (
        "red",
        [],
    )


PLACES = (
    StringOption(label="North America", type="string", value="NA"),
    StringOption(label="One", type="string", value="one"),
    StringOption(label="Not known", type="string", value="x", alternative_matches=("k. A.",)),
)


@pytest.mark.parametrize("text", ["n/a", "N.A.", "none", "-", "#N/A", "--"])
@pytest.mark.parametrize("custom", [False, True])
def test_a_placeholder_is_not_an_option_by_its_letters(text, custom):
    how = ParseOptions(options=PLACES, custom_options=custom)

    assert read_one("category", text, how) == (None, [("unknown_option", "error")])


def test_a_placeholder_that_an_option_spells_out_is_that_option():
    assert read_one("category", "K. A.", ParseOptions(options=PLACES))[0] == "x"
    assert read_one("category", "na", ParseOptions(options=PLACES))[0] == "NA"


@pytest.mark.parametrize("text", ["1_000", "nan", "inf", "1e999"])
def test_a_custom_number_is_digits(text):
    how = ParseOptions(options=(IntOption(label="One", type="int", value=1),), custom_options=True)

    assert read_one("category", text, how)[0] is None


def test_number_options_deliver_numbers():
    how = ParseOptions(options=(IntOption(label="One", type="int", value=1),))

    assert read_one("category", "one", how)[0] == 1


def test_options_with_fractions_among_them_are_numbers_with_fractions():
    options = (
        IntOption(label="One", type="int", value=1),
        FloatOption(label="Half", type="float", value=0.5),
    )

    assert [read_one("category", t, ParseOptions(options=options))[0] for t in ("One", "half")] == [
        1.0,
        0.5,
    ]


def test_a_code_is_never_guessed_from_another_code():
    how = ParseOptions(options=(StringOption(label="ABC-1234", type="string", value="x"),))

    assert read_one("category", "ABC-1235", how)[0] is None


@pytest.mark.parametrize("text", ["Tools;Toys", "Tools | Toys", "Tools, Toys", "Tools\nToys"])
def test_several_options_are_told_apart_by_their_separator(text):
    assert read_one("category", text, ParseOptions(options=COLOURS, multi_select=True))[0] == [
        "t",
        "y",
    ]


def test_one_unknown_of_several_options_refuses_the_cell():
    value, faults = read_one(
        "category", "Tools;red", ParseOptions(options=COLOURS, multi_select=True)
    )

    assert (value, faults) == (None, [("unknown_option", "error")])


def test_an_answered_text_takes_the_answer_and_a_dismissed_one_stays_empty():
    how = ParseOptions(options=COLOURS, answered={"red": "dg", "none": None})

    assert read_one("category", "red", how) == ("dg", [])
    assert read_one("category", "none", how) == (None, [])
