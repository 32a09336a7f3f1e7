"""In which country a phone number without one is read, and which countries are offered."""

import pyarrow as pa
import pytest

from tabular.types.families.phone_patterns import without
from tabular.types.families.phones import OFFERED, is_region, likely_regions
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_column

GERMAN = ["0171 3817965", "030 12345678", "089 123456"]


def test_the_countries_in_which_most_numbers_are_valid_are_offered_first():
    regions = likely_regions([*GERMAN, "12"], [])

    assert len(regions) == OFFERED
    assert (regions[0].code, regions[0].valid, regions[0].score, regions[0].is_named) == (
        "DE",
        3,
        75.0,
        False,
    )
    assert [region.valid for region in regions] == sorted(
        (region.valid for region in regions), reverse=True
    )


def test_of_countries_in_which_all_are_valid_the_named_one_comes_first():
    anywhere = ["650 253 0000"]

    assert likely_regions(anywhere, [])[0].code == "US"
    named = likely_regions(anywhere, ["+43 1 5128700", "0043 1 5128701", "nobody"])
    assert {region.code: region.is_named for region in named if region.is_named} == {"AT": True}


def test_no_country_is_offered_where_no_number_is_valid():
    assert likely_regions(["1", "x"], ["+49 30 12345678"]) == []


def test_a_region_is_a_country_with_telephone_numbers():
    assert (is_region("DE"), is_region("XX")) == (True, False)


@pytest.mark.parametrize(
    ("text", "region", "number"),
    [
        ("030 12345678", "DE", "+493012345678"),
        ("(030) 12345678", "DE", "+493012345678"),
        ("30 12345678", "DE", "+493012345678"),  # its nought left out
        ("0039 06 698 12345", "DE", "+390669812345"),
        ("06 698 12345", "IT", "+390669812345"),  # where the nought belongs to the number
        ("011 44 20 7946 0958", "US", "+442079460958"),  # how the US dials abroad
        ("0044 20 7946 0958", "GB", "+442079460958"),
        ("1 650 253 0000", "US", "+16502530000"),
        ("8 (495) 123-45-67", "RU", "+74951234567"),
        ("(011) 4123-4567", "AR", "+541141234567"),
        ("+800 1234 5678", None, "+80012345678"),  # of no country
        ("+1 650 253 0000", "DE", "+16502530000"),
        ("+1 650 253", "DE", None),
        ("+999 123 4567", "DE", None),
        ("030 12345678", None, None),
        ("٠٣٠١٢٣٤٥٦٧٨", "DE", "+493012345678"),  # digits of another script
    ],
)
def test_a_number_is_read_as_it_is_dialled_in_its_country(text, region, number):
    assert read_column(
        pa.array([text]), "phone", ParseOptions(region=region)
    ).values.to_pylist() == [number]


def test_rows_of_many_countries_are_read_each_in_its_own():
    texts = ["030 12345678", "01 5128700", "020 7946 0958", "030 12345678", None, "01 5128700"]
    regions = pa.array(["DE", "AT", "GB", None, "DE", "DE"])

    parsed = read_column(pa.array(texts), "phone", ParseOptions(region="AT", regions=regions))

    assert parsed.values.to_pylist() == [
        "+493012345678",
        "+4315128700",
        "+442079460958",
        None,
        None,
        "+4315128700",
    ]
    assert [(f.code, f.rows.tolist()) for f in parsed.faults] == [
        ("not_a_phone_number", [3]),
        ("region_assumed", [5]),
    ]


def test_characters_are_left_out_of_any_slice():
    texts = pa.array(["(1)", None, "2 3", "", "ä-4", "-"])

    for start in range(len(texts) + 1):
        shorter = without(texts.slice(start), b"( )-").to_pylist()
        assert shorter == ["1", None, "23", "", "ä4", ""][start:]


def test_a_short_number_speaks_for_no_country_that_is_not_named():
    assert likely_regions(["079 999", "123 456", "Tel. 079 999", "079 999 ext. 1234"], []) == []
    assert [region.code for region in likely_regions(["079 999"], ["+39 02 8646 2345"])] == ["IT"]
    assert likely_regions(["079 999"], ["+41 44 668 18 00"]) == []


@pytest.mark.parametrize(
    ("text", "region", "number", "faults"),
    [
        ("079 999", "IT", "+39079999", ["short_phone_number"]),
        ("079 999", "JE", "+441534079999", ["short_phone_number"]),  # it fills in digits of its own
        ("Telefono: 079-999", "IT", "+39079999", ["short_phone_number"]),
        ("079 999 ext. 12", "IT", "+39079999", ["extension_dropped", "short_phone_number"]),
        ("079 999", "CH", None, ["not_a_phone_number"]),
        ("079 999", None, None, ["not_a_phone_number"]),
        ("0621 60-0", "DE", "+49621600", []),  # the switchboard of a large company
        ("1 800 FLOWERS", "US", "+18003569377", []),
        ("201234", "FO", "+298201234", []),  # all numbers have six digits there
        ("+298 201234", "DE", "+298201234", []),
        ("044 668 18 00", "CH", "+41446681800", []),
    ],
)
def test_a_number_too_short_to_be_ordinary_is_told(text, region, number, faults):
    parsed = read_column(pa.array([text]), "phone", ParseOptions(region=region))

    assert parsed.values.to_pylist() == [number]
    assert [fault.code for fault in parsed.faults] == faults


def test_short_numbers_are_judged_by_the_country_they_were_read_in():
    texts, regions = pa.array(["079 999", "201234", "201234"]), pa.array(["IT", "FO", "CH"])

    parsed = read_column(texts, "phone", ParseOptions(region="FO", regions=regions))

    rows_by_code = {fault.code: fault.rows.tolist() for fault in parsed.faults}
    assert rows_by_code == {"region_assumed": [2], "short_phone_number": [0]}
