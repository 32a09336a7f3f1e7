"""What values alone indicate about a field, and how they count for or against its name."""

import json

import pytest

from tabular.detecting import Profile, profile
from tabular.matching.values import (
    guess_by_values,
    may_be,
    option_share,
    plain_option,
    values_of,
)
from tabular.model.catalog import Field
from tabular.vocabulary.meaning import Meaning, meanings

MOST = 0.85  # values alone are never as sure as a name
THINGS = profile(["Oak hinge", "Brass knob", "Pine board"])
DATES = ["31.12.2024", "1.2.2024", "3.4.2024"]
LINKS = ["https://a.test/1", "https://b.test/2", "https://c.test"]
EMAILS = ["a@b.test", "c@d.test", "e@f.test"]
PHONES = ["+49 30 12345678", "+1 650 253 0000", "030 12345678"]
IBANS = ["DE89370400440532013000", "GB82WEST12345698765432", "BE68539007547034"]
GTINS = ["4006381333931", "96385074", "036000291452"]
BICS = ["DEUTDEFF500", "COBADEFFXXX", "DEUTDEFF"]
FIRMS = ["Oak GmbH", "Pine Ltd", "Brass Inc."]
PROSE = [
    "This is a long sentence about the product that nobody reads, really, at all.",
    "Another very long sentence that goes on and on about nothing in particular here.",
]
CODES = ["A-1001", "A-1002", "A-1003"]
SURE = [
    ("email", EMAILS), ("iban", IBANS), ("gtin", GTINS), ("bic", BICS), ("url", LINKS),
    ("vat_eu", ["DE136695976", "ATU13585627"]), ("url_www", ["www.a.test", "www.b.test/2"]),
    ("url_https", ["https://a.test/1", "https://b.test/2"]), ("phone", PHONES),
    ("currency_code", ["EUR", "USD", "CHF"]), ("country_code_alpha_2", ["DE", "FR", "AT"]),
    ("country_code_alpha_3", ["DEU", "FRA", "AUT"]), ("zip_code_de", ["10115", "01067"]),
    ("date", DATES), ("date_iso", ["2024-01-31", "2024-02-03"]), ("date_dmy", DATES),
    ("date_mdy", ["12/31/2024", "1/2/2024"]), ("datetime", ["2024-01-31T10:00:00Z"]),
    ("time_hms", ["10:15:00", "11:15:30"]), ("time_hms_24", ["10:15:00", "11:15:30"]),
    ("time_hm", ["10:15", "11:15"]), ("time_hm_24", ["10:15", "11:15"]),
    ("float", ["1.5", "2.25", "17.125"]), ("currency_eur", ["1,50 €", "2,25 €"]),
    ("currency_usd", ["$1.50", "$2.25"]), ("percentage", ["12 %", "7 %"]),
    ("int", ["1", "17", "230"]), ("boolean", ["yes", "no", "yes"]),
]  # fmt: skip


def field(column_type="string", **more):
    return Field.model_validate_json(json.dumps({"key": "x", "columnType": column_type, **more}))


def seen(*, filled=10, distinct=10, length=5.0, **kinds):
    """Return a profile of values with these shares of kinds."""
    return Profile(
        rows=10, filled=filled, distinct=distinct, values=("v",), kinds=kinds, length=length,
        telling=filled,
    )  # fmt: skip


@pytest.mark.parametrize(("column_type", "cells"), SURE)
def test_values_of_a_type_name_its_field_and_others_do_not(column_type, cells):
    spec = field(column_type)

    assert 0.5 <= guess_by_values((), spec, profile(cells)) <= MOST
    assert guess_by_values((), spec, THINGS) == 0.0
    assert guess_by_values((), spec, profile([""])) == 0.0


@pytest.mark.parametrize(("column_type", "cells"), SURE)
def test_fitting_values_keep_the_score_of_a_name_and_others_lower_it(column_type, cells):
    spec = field(column_type)
    half = [*cells, *["Oak hinge"] * len(cells)]

    fit, kept = values_of(spec, "", profile(cells))
    some, lowered = values_of(spec, "", profile(half))
    none, vetoed = values_of(spec, "", THINGS)

    assert (fit, kept) == (1.0, 1.0)
    assert 0 < some < 1
    assert 0 < vetoed < lowered < 1
    assert none == 0.0


@pytest.mark.parametrize(
    ("column_type", "cells", "maybe"),
    [
        ("date", ["2024-W12", "2024-W13"], True),
        ("date", ["soon", "later"], False),
        ("date", ["2024-W12", "soon", "later"], False),
        ("date", ["2024-W12", "2024-W13", "soon"], True),
        ("email", ["jane at b.test"], False),
        ("email", ["jane@b"], True),
        ("url", ["b.test"], True),
        ("url", ["home"], False),
        ("int", ["about 12"], True),
        ("string", ["Oak"], True),
    ],
)
def test_values_that_are_not_read_may_still_be_of_a_type(column_type, cells, maybe):
    assert may_be(field(column_type), profile(cells)) == maybe


HEADS = [
    ("Email", EMAILS), ("Phone", PHONES), ("Website", LINKS), ("IBAN", IBANS), ("BIC", BICS),
    ("EAN", GTINS), ("Currency", ["EUR", "USD", "CHF"]), ("Country", ["Germany", "France"]),
    ("Photo", ["https://a.test/1.jpg", "https://a.test/2.png"]), ("Invoice date", DATES),
    ("IP address", ["10.0.0.1", "10.0.0.2"]), ("Street", ["Main Street 5", "Oak Avenue 17"]),
    ("MAC address", ["00:1A:2B:3C:4D:5E", "00:1A:2B:3C:4D:5F"]), ("Zip", ["10115", "01067"]),
    ("Hostname", ["db01.corp.example", "web02.corp.example"]), ("Description", PROSE),
    ("Note", PROSE), ("City", ["Berlin", "Munich", "Vienna"]), ("Order number", CODES),
    ("First name", ["Ada", "Grace", "Anna"]), ("Last name", ["Lovelace", "Hopper", "Zuse"]),
    ("Company name", FIRMS), ("Supplier name", FIRMS), ("Customer name", FIRMS),
    ("Serial number", ["SN12345678A", "SN12345679B", "SN12345680C"]), ("Reference", CODES),
    ("Name", ["Oak hinge", "Brass knob", "Pine board"]),
]  # fmt: skip


@pytest.mark.parametrize(("header", "cells"), HEADS)
def test_values_name_a_field_of_text_by_what_it_means(header, cells):
    readings = meanings(header, "en")

    assert 0.5 <= guess_by_values(readings, field(), profile(cells)) <= MOST
    assert guess_by_values(readings, field(), profile(["1.5", "2.5", "3.5"])) == 0.0
    assert guess_by_values((), field(), profile(cells)) == 0.0


@pytest.mark.parametrize(
    ("head", "qualifiers", "values", "is_sure"),
    [
        ("latitude", (), seen(latitude=0.9), True),
        ("latitude", (), seen(latitude=0.8), False),
        ("email", (), seen(email=0.6), False),
        ("email", (), seen(email=0.7), True),
        ("postcode", (), seen(postcode=1.0), True),
        ("postcode", (), seen(postcode=1.0, decimal=0.4), False),
        ("postcode", (), seen(postcode=1.0, date=0.3), True),
        ("city", (), seen(words=1.0), True),
        ("city", (), seen(words=0.5, word=0.5), True),
        ("city", (), seen(words=1.0, person=0.4), False),
        ("city", (), seen(words=1.0, country=0.3), True),
        ("city", (), seen(words=1.0, distinct=3), False),
        ("name", {"first"}, seen(firstname=0.5), True),
        ("name", {"first"}, seen(firstname=0.4), False),
        ("name", {"last"}, seen(word=0.8), True),
        ("name", {"last"}, seen(word=0.7), False),
        ("name", {"last"}, seen(word=0.8, firstname=0.5), False),
        ("name", {"last"}, seen(word=0.8, distinct=3), False),
        ("name", {"model"}, seen(words=0.3), True),
        ("name", {"model"}, seen(words=0.2), False),
        ("name", {"company"}, seen(company=0.9), True),
        ("name", {"company"}, seen(company=0.4), False),
        ("name", {"customer"}, seen(person=0.3), True),
        ("name", {"customer"}, seen(person=0.2), False),
        ("name", {"customer"}, seen(words=0.8), True),
        ("name", {"supplier"}, seen(person=0.3, words=0.8), False),
        ("name", {"supplier"}, seen(company=0.3, words=0.8), True),
        ("name", {"employee"}, seen(person=0.9), True),
        ("name", {"employee"}, seen(person=0.4), False),
        ("name", (), seen(words=0.8), True),
        ("name", (), seen(words=0.7), False),
        ("number", (), seen(code=0.9), True),
        ("number", (), seen(code=0.8), False),
        ("number", (), seen(code=0.9, distinct=8), False),
        ("number", (), seen(code=0.9, date=0.4), False),
        ("number", (), seen(code=0.9, date=0.3), True),
        ("serial", (), seen(code=0.9, length=8.0), True),
        ("serial", (), seen(code=0.9, length=7.0), False),
    ],
)
def test_values_alone_are_sure_where_most_of_them_are_of_a_kind(head, qualifiers, values, is_sure):
    guess = guess_by_values((Meaning(head, frozenset(qualifiers)),), field(), values)

    assert (0.5 <= guess <= MOST) if is_sure else guess == 0.0


@pytest.mark.parametrize(
    ("column_type", "values", "is_sure"),
    [
        ("float", seen(number=1.0, decimal=0.5), True),
        ("float", seen(number=1.0, decimal=1.0, date=0.6), False),
        ("int", seen(integer=1.0, number=1.0, gtin=0.3), False),
        ("int", seen(integer=1.0, number=1.0, gtin=0.2), True),
        ("phone", seen(phone=1.0, dialled=1.0, gtin=0.6), False),
        ("phone", seen(phone=1.0, dialled=1.0, gtin=0.5), True),
    ],
)
def test_numbers_that_are_rather_something_else_name_no_field(column_type, values, is_sure):
    assert (guess_by_values((), field(column_type), values) >= 0.5) == is_sure


def test_whole_numbers_are_less_sure_to_be_fractions():
    whole = guess_by_values((), field("float"), seen(number=1.0, integer=1.0))
    parts = guess_by_values((), field("float"), seen(number=1.0, decimal=1.0))

    assert 0 < whole < 0.5 < parts


def test_short_codes_are_rather_numbers_and_references_less_so():
    short, long = seen(code=1.0, length=8.0), seen(code=1.0, length=9.0)
    number, reference = (Meaning("number"),), (Meaning("reference"),)

    assert guess_by_values(number, field(), short) > guess_by_values(number, field(), long)
    assert guess_by_values(number, field(), long) > guess_by_values(reference, field(), long) > 0
    unsaid = (Meaning("number", is_head_stated=False),)
    assert guess_by_values(unsaid, field(), short) == 0.0


@pytest.mark.parametrize(
    ("head", "values", "is_lowered"),
    [
        ("description", seen(email=0.8), True),
        ("description", seen(email=0.7), False),
        ("description", seen(decimal=0.8), True),
        ("description", seen(decimal=0.7), False),
        ("description", seen(filled=20, distinct=4), True),  # the same few texts again and again
        ("description", seen(filled=20, distinct=5), False),
        ("description", seen(filled=19, distinct=4), False),
    ],
)
def test_values_of_another_kind_lower_the_score_of_a_text(head, values, is_lowered):
    share, factor = values_of(field(), head, values)

    assert share is None
    assert (factor < 1.0) == is_lowered
    assert factor > 0


def test_an_empty_column_is_hardly_worth_a_field():
    share, factor = values_of(field("date"), "date", profile(["-", ""]))

    assert share is None
    assert 0.5 < factor < 1.0


def test_values_that_are_options_of_a_field_are_counted_without_case_and_signs():
    options = [{"type": "string", "value": "l-b", "label": "Light Blue"}]
    spec = field("category", dropdownOptions=options)

    assert plain_option("Light-Blue!") == "lightblue"
    assert option_share(spec, profile(["LIGHT BLUE", "l_b", "red", "green"])) == 0.5
    assert option_share(spec, profile([""])) == 0.0
    assert option_share(field(), profile(["red"])) == 0.0
