import pytest

from tabular.values import Kind, is_blank, is_error, is_placeholder, judge
from tabular.values.judging import boolean

MAIN_KINDS = [
    ("", Kind.BLANK),
    (" \u00a0\u200b", Kind.BLANK),
    ("n/a", Kind.PLACEHOLDER),
    ("k. A.", Kind.PLACEHOLDER),
    ("#N/A", Kind.PLACEHOLDER),
    ("--", Kind.PLACEHOLDER),
    ("#DIV/0!", Kind.ERROR),
    ("12", Kind.NUMBER),
    ("-1.234,50 €", Kind.NUMBER),
    ("CHF 12.50", Kind.NUMBER),
    ("US$ 5", Kind.NUMBER),
    ("(12)", Kind.NUMBER),
    ("12,5 %", Kind.NUMBER),
    ("Fr. 12.–", Kind.NUMBER),
    ("20240131", Kind.NUMBER),  # a date too
    ("TOP 10", Kind.WORD),  # the Tongan paʻanga, but a heading first
    ("ABC 10", Kind.WORD),
    ("12 kg", Kind.QUANTITY),
    ("< 5", Kind.QUANTITY),
    ("7*", Kind.QUANTITY),
    ("31.12.2024", Kind.DATE),
    ("3-Nov-23", Kind.DATE),
    ("2024-01-31T10:00:00Z", Kind.DATE),
    ("31.02.2024", Kind.CODE),  # no such day
    ("29.02.00", Kind.DATE),  # the year 2000 had it
    ("1.2.3", Kind.CODE),  # a version
    ("März 2024", Kind.PERIOD),
    ("Q1 2024", Kind.PERIOD),
    ("23:59", Kind.TIME),
    ("2:05 pm", Kind.TIME),
    ("12:05 am", Kind.TIME),
    ("13:05 pm", Kind.WORD),  # no half of a day has such an hour
    ("a@b.example", Kind.EMAIL),
    ("https://b.example/1", Kind.URL),
    ("10.0.0.1", Kind.IP),
    ("030 123 456", Kind.PHONE),  # no number begins with nought and has groups
    ("+49 171 123456", Kind.PHONE),
    ("ja", Kind.BOOLEAN),
    ("Active", Kind.WORD),  # a heading, unless the column contradicts
    ("AB-12", Kind.CODE),
    ("12b", Kind.CODE),
    ("Oak hinge", Kind.WORD),
    ("Please send all questions about this list to the address below, thanks.", Kind.PROSE),
]


@pytest.mark.parametrize(("text", "kind"), MAIN_KINDS)
def test_a_text_has_one_main_kind(text, kind):
    assert judge(text).kind is kind


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("20240131", {Kind.NUMBER, Kind.DATE, Kind.CODE}),
        ("1", {Kind.NUMBER, Kind.BOOLEAN, Kind.CODE}),
        ("12.30", {Kind.NUMBER, Kind.TIME, Kind.CODE}),
        ("aktiv", {Kind.WORD, Kind.BOOLEAN}),
        ("n/a", {Kind.PLACEHOLDER}),
        ("10.0.0.1", {Kind.IP, Kind.CODE}),
        ("::1", {Kind.IP, Kind.CODE}),
        ("784-366-7490", {Kind.PHONE, Kind.CODE}),
    ],
)
def test_a_text_can_be_of_several_kinds(text, kinds):
    assert judge(text).kinds == kinds


@pytest.mark.parametrize(
    ("text", "may_be"),
    [
        ("0171/3817965", True),
        ("030 123456 ext. 12", True),
        ("31.02.2024", False),  # rather a wrong date
        ("12345", False),
        ("AB 123456", False),
    ],
)
def test_digits_enough_and_little_else_may_be_dialled(text, may_be):
    assert judge(text).may_be_dialled == may_be


def test_a_judgement_says_what_a_text_means():
    amount, yes = judge("1.234,50 €"), judge("ja")

    assert amount.number.currency == "EUR"
    assert amount.number.formats == ("eu",)
    assert str(amount.number.value("eu")) == "1234.50"
    assert yes.boolean is True
    assert judge("03/04/2024").day.orders == ("dmy", "mdy")


@pytest.mark.parametrize(
    ("text", "meaning"),
    [("Ja", True), (" x ", True), ("NEIN", False), ("ONWAAR", False), ("maybe", None), ("-", None)],
)
def test_a_text_says_yes_or_no_or_neither(text, meaning):
    assert boolean(text) is meaning


def test_blank_placeholder_and_error_are_three_things():
    assert is_blank("\t")
    assert not is_placeholder("\t")
    assert is_placeholder(" N.A. ")
    assert not is_blank("N.A.")
    assert is_error("#REF!")
    assert not is_placeholder("#REF!")
    assert not is_placeholder("0")
    assert not is_placeholder("no")
