"""All headers of a file: their languages, what they share, and what their values rule out."""

import json

import pytest

from tabular.detecting import Profile
from tabular.model.catalog import Catalog, Field
from tabular.vocabulary.meaning import Meaning
from tabular.vocabulary.names import (
    Named,
    about,
    concerned,
    in_languages,
    languages_of,
    names_in,
    own_heads,
    read_column,
    read_field,
    reread,
    share_understood,
    shared_beginning,
    without_beginning,
)

FULL = {"rows": 10, "filled": 10, "distinct": 10, "telling": 10}


def field_of(key, **more):
    return Field.model_validate_json(json.dumps({"key": key, **more}))


def heads(named):
    return [meaning.head for meaning in named.meanings]


@pytest.mark.parametrize(
    ("headers", "languages"),
    [
        (["Rechnungsdatum", "Kunde", "Betrag"], ("de",)),
        (["invoice date", "customer", "amount"], ("en",)),
        (["date de facture", "client", "montant"], ("fr",)),
        (["Kunde", "Betrag", "Menge", "invoice date"], ("de",)),
        (["x", "y"], ("en", "de")),  # no language indicated: English first
        ([], ("en", "de")),
    ],
)
def test_the_languages_of_a_file_are_those_its_headers_are_understood_in(headers, languages):
    assert languages_of(headers)[: len(languages)] == languages
    assert len(languages_of(headers)) <= 2


@pytest.mark.parametrize(
    ("headers", "share"),
    [(["Kunde", "Betrag"], 1.0), (["Kunde", "Zorkel"], 0.5), (["Zorkel", "x"], 0.0), ([], 0.0)],
)
def test_the_share_of_understood_headers(headers, share):
    assert share_understood(headers) == share


@pytest.mark.parametrize(
    ("headers", "beginning"),
    [
        (["cust_name", "cust_email", "cust_city", "id"], "cust"),
        (["Person - Name", "Person - Mail", "Person - Town"], "person"),
        (["cust_name", "cust_email"], ""),  # two are not enough
        (["a b", "a c", "a d", "x", "y"], "a"),
        (["a b", "a c", "a d", "x", "y", "z"], ""),
        (["name", "email", "city"], ""),
        (["a b", "c d", "e f"], ""),
    ],
)
def test_a_first_word_that_most_headers_share_is_found(headers, beginning):
    assert shared_beginning(headers) == beginning


@pytest.mark.parametrize(
    ("header", "beginning", "rest"),
    [
        ("cust_name", "cust", "name"),
        ("cust_first_name", "cust", "first name"),
        ("cust_weight (kg)", "cust", "weight (kg)"),
        ("cust", "cust", "cust"),
        ("order_name", "cust", "order_name"),
        ("cust_name", "", "cust_name"),
    ],
)
def test_a_shared_word_is_cut_off_unless_nothing_is_left(header, beginning, rest):
    assert without_beginning(header, beginning) == rest


def test_a_shared_word_says_what_the_columns_are_about():
    assert concerned("customer", ("en",)) == {"customer"}
    assert concerned("", ("en",)) == frozenset()


def test_a_column_goes_by_its_header_and_by_the_rest_of_it():
    named = read_column("cust_email", ("en",), "cust")

    assert named.keys == {"email", "custemail"}
    assert named.words == ("email",)
    assert heads(named)[0] == "email"


def test_one_side_of_a_slash_counts_less_than_a_whole_header():
    named = read_column("Phone / Email", ("en",))

    by_head = {m.head: m.weight for m in named.meanings if not m.qualifiers}
    assert {"phone", "email"} <= by_head.keys()
    assert by_head["phone"] < 1.0
    assert all(m.weight == 1.0 for m in read_column("Phone", ("en",)).meanings)


def test_a_reading_in_a_foreign_language_counts_less():
    (own,) = in_languages("Betrag", ("de",))
    foreign = in_languages("invoice date", ("fr",))

    assert own.weight == 1.0
    assert {m.head for m in foreign} == {"date"}
    assert max(m.weight for m in foreign) <= 1.0
    assert in_languages("date", ("de", "en")) == in_languages("date", ("de",))


def test_a_field_is_read_by_its_names_and_a_short_description():
    long = "one of the many things that nobody would call a name"
    names = {"label": "Invoice date", "alternativeMatches": ["billed on"]}
    field = field_of("c1", columnType="date", description="Due date", **names)

    named = read_field(field, ("en",))
    weights = {m.qualifiers: m.weight for m in named.meanings if m.head == "date"}

    assert {"c1", "invoicedate", "billedon", "duedate"} == named.keys
    assert named.words == ("invoice", "date")
    assert weights[frozenset({"invoice"})] > weights[frozenset({"due"})]
    six = field_of("c1", columnType="date", description="due date of all the bills", **names)
    assert "duedateofallthebills" in read_field(six, ("en",)).keys
    wordy = field_of("c1", columnType="date", description=f"{six.description} here", **names)
    assert read_field(wordy, ("en",)).keys == {"c1", "invoicedate", "billedon"}
    wordy = field_of("c1", columnType="date", description=long, **names)
    assert read_field(wordy, ("en",)).keys == {"c1", "invoicedate", "billedon"}


def test_a_date_field_of_a_bare_noun_means_its_date():
    assert set(heads(read_field(field_of("delivery", columnType="date"), ("en",)))) == {"date"}
    assert "date" not in heads(read_field(field_of("delivery"), ("en",)))


FIELDS = [
    {"key": "number", "label": "Invoice number"},
    {"key": "customer_name", "alternativeMatches": ["buyer"]},
]
ENTRY = {"id": "invoices", "label": "Invoices", "fields": FIELDS}
CATALOG = Catalog.model_validate_json(json.dumps({"key": "t", "entries": [ENTRY]}))


def test_an_entry_is_about_a_thing_and_who_is_behind_it():
    (entry,) = CATALOG.entries
    fields = [read_field(field, ("en",)) for field in entry.fields]

    things, behind = about(entry, fields, ("en",))

    assert "invoice" in things
    assert behind == {"customer"}
    assert about(entry, fields[:1], ("en",))[1] == frozenset()


def test_names_of_a_catalog_are_its_keys_labels_and_alternatives():
    assert names_in(CATALOG) == ("number", "Invoice number", "customer_name", "buyer")


def test_heads_that_name_no_other_are_the_entrys_own():
    fields = [read_column(text, ("en",)) for text in ("Amount", "Customer name", "Invoice number")]

    assert own_heads(fields, frozenset({"invoice"})) == {"amount", "number"}
    assert own_heads(fields, frozenset()) == {"amount"}


NAME = Meaning("name")
FAMILY = Meaning("name", frozenset({"last"}))
ID = Meaning("id")


@pytest.mark.parametrize(
    ("meanings", "values", "expected"),
    [
        ((NAME, Meaning("salutation")), {"kinds": {"honorific": 0.7}}, ["salutation"]),
        ((NAME, Meaning("salutation")), {"kinds": {"honorific": 0.5}}, ["name", "salutation"]),
        ((Meaning("number"),), {"kinds": {"gtin": 1.0}}, ["gtin"]),
        ((NAME,), {"kinds": {"gtin": 1.0}}, ["name"]),
        ((Meaning("number"),), {"kinds": {"gtin": 0.8}}, ["number"]),
        ((NAME, FAMILY), {"kinds": {"person": 0.7}}, ["name"]),
        ((FAMILY,), {"kinds": {"person": 0.7}}, ["name"]),
        ((NAME, FAMILY), {"kinds": {"person": 0.5}}, ["name", "name"]),
        ((NAME,), {"kinds": {"code": 1.0}}, ["name", "number"]),  # "Name" of order #1001
        ((NAME,), {"kinds": {"code": 0.8}}, ["name"]),
        ((NAME,), {"kinds": {"code": 1.0}, "distinct": 5}, ["name"]),
        ((Meaning("code"),), {"kinds": {"code": 1.0}, "length": 8.0}, ["code", "serial"]),
        ((Meaning("code"),), {"kinds": {"code": 1.0}, "length": 7.0}, ["code"]),
        ((Meaning("code"),), {"kinds": {"code": 1.0, "number": 0.5}, "length": 9.0}, ["code"]),
        ((NAME,), {"filled": 0, "kinds": {"code": 1.0}}, ["name"]),
        # shares that are just enough
        ((NAME, Meaning("salutation")), {"kinds": {"honorific": 0.6}}, ["salutation"]),
        ((Meaning("number"),), {"kinds": {"gtin": 0.9}}, ["gtin"]),
        ((NAME, FAMILY), {"kinds": {"person": 0.6}}, ["name"]),
        ((NAME,), {"kinds": {"code": 0.9}, "distinct": 9}, ["name", "number"]),
        ((Meaning("code"),), {"kinds": {"code": 1.0, "date": 0.1}, "length": 9.0}, ["code"]),
    ],
)
def test_values_rule_readings_out_and_suggest_others(meanings, values, expected):
    named = Named(frozenset({"x"}), ("x",), meanings)

    assert heads(reread(named, Profile(**(FULL | values)))) == expected


def test_an_id_that_only_counts_or_is_a_machines_weighs_less():
    machine = Named(frozenset({"customerid"}), ("customer", "id"), (ID,))
    counted = reread(machine, Profile(**FULL, kinds={"integer": 0.9}))
    random = reread(machine, Profile(**FULL, kinds={"uuid": 0.6}))
    plain = reread(machine, Profile(**FULL, kinds={"word": 1.0}))
    alone = reread(
        Named(frozenset({"id"}), ("id",), (ID,)), Profile(**FULL, kinds={"integer": 1.0})
    )

    assert counted.meanings[0].weight < 1.0
    assert random.meanings[0].weight < 1.0
    assert plain.meanings[0].weight == alone.meanings[0].weight == 1.0
