"""Numbers, percentages and days as each country writes them: the same values, or a question."""

import csv
import datetime as dt
from decimal import Decimal

import pytest
from babel import Locale
from babel.dates import format_date
from babel.numbers import format_decimal, format_percent
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.tabular.transforming.test_round_trip import NAMES, differing
from tests.tries import tries

LOCALES = (
    "de_DE", "de_CH", "de_AT", "fr_FR", "fr_CH", "en_US", "en_GB", "en_IN", "es_ES", "es_MX",
    "it_IT", "nl_NL", "pt_BR", "pl_PL", "sv_SE", "cs_CZ", "da_DK", "fi_FI", "hu_HU", "tr_TR",
)  # fmt: skip
ROW = st.tuples(
    st.integers(10**5, 10**15 - 1),
    st.decimals(-(10**7), 10**7, places=3),
    st.integers(-2_000, 5_000).map(lambda value: Decimal(value) / 1000),
    st.dates(dt.date(2001, 1, 1), dt.date(2029, 12, 31)),  # of the century that two digits mean
    st.booleans(),
)
QUIET = settings(
    max_examples=tries(8),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


def texts_of(row, locale, *, pattern, width):
    id_, amount, share, day, flag = row
    return [
        str(id_),
        format_decimal(amount, format=pattern, locale=locale),
        format_percent(share, format="#,##0.0%", locale=locale),
        format_date(day, format=width, locale=locale),
        str(flag).lower(),
    ]


@pytest.mark.parametrize("locale", LOCALES)
@QUIET
@given(
    rows=st.lists(ROW, min_size=3, max_size=12, unique_by=lambda row: row[0]),
    pattern=st.sampled_from(["#,##0.00", "#,##0.000", "#,##0.###", "0.00"]),
    width=st.sampled_from(["short", "medium", "long"]),
)
def test_a_text_file_of_a_country_is_read_as_it_was_meant_or_asked_about(
    tmp_path, locale, rows, pattern, width
):
    places = 2 if pattern.endswith(".00") else 3
    rows = [(id_, round(amount, places), *others) for id_, amount, *others in rows]
    mark = Locale.parse(locale).number_symbols["latn"]["decimal"]
    path = tmp_path / "table.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";" if mark == "," else ",")
        writer.writerow(NAMES)
        writer.writerows(texts_of(row, locale, pattern=pattern, width=width) for row in rows)

    meant = [(id_, float(amount), float(share), *o) for id_, amount, share, *o in rows]
    assert differing(path, meant) == []
