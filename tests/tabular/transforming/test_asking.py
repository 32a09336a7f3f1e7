"""What is asked about how a column is written, with evidence, effects and a default."""

import pytest

from tabular.transforming.inference import infer
from tests.tabular.tables import batch, plan_for

FLOAT = [{"key": "price", "columnType": "float"}]


def ask(fields, columns, **extra):
    plan = plan_for(fields, columns, **extra)
    return infer([batch(columns)], plan=plan)


@pytest.mark.parametrize(
    ("other", "extra", "likely"),
    [
        ({}, {}, "us"),
        ({}, {"delimiter": ";"}, "eu"),
        ({}, {"delimiter": ","}, "us"),
        ({}, {"context": {"region": "DE"}}, "eu"),
        ({}, {"context": {"region": "CH"}}, "us"),
        ({}, {"context": {"region": "CH"}, "delimiter": ";"}, "us"),  # as Swiss spreadsheets do
        ({}, {"context": {"region": "DE"}, "delimiter": ";"}, "eu"),
        ({}, {"context": {"region": "DE"}, "delimiter": ","}, "us"),
        ({"total": ["1.234,50 €", "7,5"]}, {}, "eu"),
        ({"total": ["1.234,50 €", "7,5"]}, {"delimiter": ","}, "eu"),  # numbers count more
        ({"total": ["1,234.50", "7.5"]}, {"delimiter": ";"}, "us"),
        ({"one": ["7,5", "1,5"], "two": ["7.5", "1.5"]}, {"delimiter": ";"}, "eu"),  # they differ
        ({"version": ["1.2.3", "1.5"]}, {"delimiter": ";"}, "eu"),  # not all are numbers
        ({"note": ["about 1,5", "x"]}, {}, "us"),
    ],
)
def test_the_rest_of_the_file_is_the_default_of_the_decimal_mark(other, extra, likely):
    columns = {"price": ["1.500", "2.250"], **other}
    inferred = ask(FLOAT, columns, mapping={"price": "e.price"}, **extra)

    (question,) = inferred.questions
    assert (question.kind, question.default) == ("decimal_separator", likely)
    assert inferred.parse_options["e.price"].number_format == likely


def test_the_question_says_which_columns_speak_for_its_default():
    columns = {"price": ["1.500"], "total": ["7,5"]}
    inferred = ask(FLOAT, columns, mapping={"price": "e.price"}, delimiter=";")

    assert inferred.questions[0].evidence[-1] == "“total”: a comma before the decimals"


def test_the_question_names_the_region_that_speaks_for_its_default():
    inferred = ask(FLOAT, {"price": ["1.500"]}, context={"region": "CH"}, delimiter=";")

    assert inferred.questions[0].evidence[-1] == "A point before the decimals is usual in CH"


@pytest.mark.parametrize(
    ("type_", "texts", "first"),
    [
        ("date", ["01/01/2026", "13/01/2026", "01/13/2026", "02/08/2026"], "02/08/2026"),
        ("date", ["01/01/2026", "02/08/2026", "03/09/2026"], "02/08/2026"),
        ("float", ["5", "many", "1.500"], "1.500"),
    ],
)
def test_what_the_answer_changes_is_shown_first(type_, texts, first):
    fields = [{"key": "cell", "columnType": type_}]
    (question,) = ask(fields, {"cell": texts}, mapping={"cell": "e.cell"}).questions

    assert question.evidence[1] == first


@pytest.mark.parametrize(
    ("type_", "text", "kind", "effects"),
    [
        ("float", "1.500", "decimal_separator", ["Every row gets 1500.0", "Every row gets 1.5"]),
        ("currency_eur", "1.500 €", "decimal_separator", ["1500", "1.5"]),
        ("date", "03/04/2024", "date_order", ["2024-04-03", "2024-03-04"]),
    ],
)
@pytest.mark.parametrize("column", [None, [None, None]])  # none, or one without a value
def test_a_text_above_the_table_that_reads_two_ways_is_asked_about(
    type_, text, kind, effects, column
):
    fields = [{"key": "x"}, {"key": "rate", "columnType": type_, "scope": "document"}]
    columns = {"x": ["a", "b"]} | ({"rate": column} if column else {})
    mapping = {name: f"e.{name}" for name in columns}
    inferred = ask(fields, columns, mapping=mapping, document={"rate": text})

    (question,) = inferred.questions
    assert (question.kind, question.field) == (kind, "e.rate")
    assert question.columns == (("rate",) if column else ())
    assert all(
        expected in effect.effect
        for expected, effect in zip(effects, question.candidates, strict=True)
    )
    assert text in question.evidence[0]


@pytest.mark.parametrize(("type_", "text"), [("float", "1.500,25"), ("date", "23/04/2024")])
def test_a_text_above_the_table_that_reads_one_way_is_not_asked_about(type_, text):
    fields = [{"key": "x"}, {"key": "rate", "columnType": type_, "scope": "document"}]
    plan = plan_for(fields, {"x": ["a"]}, mapping={"x": "e.x"}, document={"rate": text})

    assert infer([batch({"x": ["a"]})], plan=plan).questions == ()


def test_the_column_settles_how_the_text_above_it_is_read():
    field = {"key": "day", "columnType": "date", "scope": "document"}
    columns = {"day": ["23/04/2024", "04/23/2024", "24/04/2024"], "x": ["a", "b", "c"]}
    inferred = ask([field], columns, mapping={"day": "e.day"}, document={"day": "03/04/2024"})

    assert [question.columns for question in inferred.questions] == [("day",)]


@pytest.mark.parametrize(
    ("dates", "region", "likely"),
    [
        (["03/04/2024", "05/06/2024"], None, "dmy"),
        (["03/04/2024", "05/06/2024"], "GB", "dmy"),
        (["03/04/2024", "05/06/2024"], "US", "mdy"),
        (["03/04/2024", "25.12.2024", "12/25/2024", "24.12.2024"], "US", "dmy"),  # own values count
        (["3.4.2024", "05/06/2024"], "US", "dmy"),  # dotted dates are never month first
    ],
)
def test_the_region_is_the_default_of_the_order_of_day_and_month(dates, region, likely):
    context = {} if region is None else {"region": region}
    fields = [{"key": "day", "columnType": "date"}]
    inferred = ask(fields, {"day": dates}, context=context)

    (question,) = inferred.questions
    assert (question.kind, question.default) == ("date_order", likely)
    assert inferred.parse_options["e.day"].date_order == likely
    assert ("The month before the day is usual in US" in question.evidence) is (likely == "mdy")


def test_the_region_leaves_dates_that_read_one_way_as_they_are():
    fields = [{"key": "day", "columnType": "date"}]
    inferred = ask(fields, {"day": ["25/12/2024", "03/04/2024"]}, context={"region": "US"})

    assert inferred.questions == ()
    assert inferred.parse_options["e.day"].date_order == "dmy"


PHONE = {"key": "phone", "columnType": "phone"}
SWISS = ["044 668 18 00", "044 668 18 01"]
IBANS = ["CH93 0076 2011 6238 5295 7", "CH9300762011623852957"]
AUSTRIAN = ["AT61 1904 3002 3457 3201", "AT611904300234573201"]


@pytest.mark.parametrize(
    ("others", "likely", "speaking"),
    [
        ({}, None, None),
        ({"iban": IBANS}, "CH", "“iban”"),
        ({"currency": ["CHF", "CHF"]}, "CH", "“currency”"),
        ({"currency": ["CHF", "SFr."], "iban": IBANS}, "CH", "“currency”, “iban”"),
        ({"currency": ["EUR", "EUR"], "iban": IBANS}, "CH", "“iban”"),
        ({"currency": ["EUR", "EUR"]}, None, None),  # of many countries
        ({"currency": ["USD", "USD"]}, None, None),  # used in many more
        ({"currency": ["CHF", "EUR"]}, None, None),
        ({"currency": ["CHF", None]}, "CH", "“currency”"),
        ({"iban": [IBANS[0], AUSTRIAN[0]]}, None, None),
        ({"currency": ["CHF", "CHF"], "iban": AUSTRIAN}, None, None),  # they differ
        ({"iban": ["CH93", "pending"]}, None, None),
        ({"currency": ["NOK", "NOK"]}, None, None),  # no number is valid there
    ],
)
def test_what_all_columns_of_the_file_agree_on_is_the_default_of_the_region(
    others, likely, speaking
):
    types = {"iban": "iban", "currency": "currency_code"}
    fields = [PHONE, *({"key": name, "columnType": types[name]} for name in others)]

    inferred = ask(fields, {"phone": SWISS, **others})

    (question,) = inferred.questions
    assert (question.kind, question.default) == ("region", likely)
    assert inferred.parse_options["e.phone"].region == likely
    reasons = [item for item in question.evidence if "point to" in item]
    assert reasons == ([] if likely is None else [f"The values of {speaking} point to {likely}"])


def test_numbers_that_name_another_country_than_the_rest_of_the_file_leave_it_open():
    fields = [PHONE, {"key": "iban", "columnType": "iban"}]

    agreed = ask(fields, {"phone": ["044 668 18 00", "+41 44 668 18 01"], "iban": IBANS})
    differing = ask(fields, {"phone": ["044 668 18 00", "+43 1 5128700"], "iban": IBANS})

    assert [item.questions[0].default for item in (agreed, differing)] == ["CH", None]


def test_german_postcodes_speak_for_germany():
    fields = [PHONE, {"key": "zip", "columnType": "zip_code_de"}]
    phones = ["030 12345678", "089 123456"]

    assert ask(fields, {"phone": phones, "zip": ["10115", "80331"]}).questions[0].default == "DE"
    assert ask(fields, {"phone": phones, "zip": ["10115", "1010"]}).questions[0].default is None


def test_a_region_that_is_set_counts_before_the_evidence():
    fields = [PHONE, {"key": "iban", "columnType": "iban"}]

    inferred = ask(fields, {"phone": SWISS, "iban": IBANS}, context={"region": "DE"})

    assert (inferred.questions, inferred.parse_options["e.phone"].region) == ((), "DE")


MANY = [f"044 668 18 {n:02}" for n in range(4)]
FOUR_IBANS = [f"CH930076201162385295{n}" for n in range(4)]
ENGLISH = ["020 7946 0018", "0161 496 0000", "0117 496 0000", "0141 496 0000"]
POSTCODES = ["SW1A 1AA", "M1 1AE", "B33 8TH", "CR2 6XH"]
GBP = {"key": "amount", "columnType": "float", "outputFormat": "GBP"}


@pytest.mark.parametrize(
    ("phones", "others", "region", "decided"),
    [
        (MANY, {"iban": FOUR_IBANS}, "CH", True),
        (MANY, {"iban": FOUR_IBANS[:1] * 4}, "CH", False),  # one account
        (MANY, {"iban": FOUR_IBANS[:1] * 4, "currency": ["CHF"] * 4}, "CH", True),
        (MANY, {"currency": ["CHF"] * 4}, "CH", False),  # thin
        ([*MANY[:1], "+41 44 668 18 01", "+41 44 668 18 02", "+41 44 668 18 03"], {}, "CH", True),
        ([*MANY[:3], "+41 44 668 18 03"], {}, "CH", False),
        ([*MANY[:3], "+41 44 668 18 03"], {"currency": ["CHF"] * 4}, "CH", True),
        ([*MANY[:3], "+43 1 5128700"], {"iban": FOUR_IBANS}, None, False),  # they differ
        (MANY, {"iban": [*FOUR_IBANS[:3], AUSTRIAN[0]]}, None, False),
        (MANY, {"iban": FOUR_IBANS, "currency": ["CHF", "CHF", "SEK", "CHF"]}, "CH", False),
        (MANY, {"iban": FOUR_IBANS, "currency": ["EUR"] * 4}, "CH", True),  # of many countries
        ([*MANY[:2], "12345678901", "x 1"], {"iban": FOUR_IBANS}, "CH", False),  # half are invalid
        (ENGLISH, {"postcode": POSTCODES}, "GB", False),  # one column, and not of IBANs
        (ENGLISH, {"postcode": POSTCODES, "amount": ["5", "6", "7", "8"]}, "GB", True),
        (ENGLISH, {"postcode": ["10115", "20095", "50667", "80331"]}, None, False),
        (ENGLISH, {"postcode": POSTCODES[:1] * 4, "amount": ["5", "6", "7", "8"]}, "GB", False),
    ],
)
def test_the_file_decides_for_a_region_where_all_of_enough_evidence_agrees(
    phones, others, region, decided
):
    types = {"iban": "iban", "currency": "currency_code", "postcode": "string"}
    fields = [PHONE, *({"key": k, "columnType": types[k]} for k in others if k in types)]
    fields += [GBP] if "amount" in others else []

    inferred = ask(fields, {"phone": phones, **others})

    (question,) = [item for item in inferred.questions if item.kind == "region"]
    assert (question.default, question.decided) == (region, decided)
    assert inferred.parse_options["e.phone"].region == region
    reason = f"All evidence in the file agrees on {region}"
    assert (reason in question.evidence) == decided


def test_the_evidence_of_the_file_is_the_default_of_the_order_of_day_and_month():
    fields = [{"key": "day", "columnType": "date"}, PHONE]
    columns = {"day": ["03/04/2024", "05/06/2024"], "phone": ["+1 650 253 0000", "+1 650 253 0001"]}

    (question,) = ask(fields, columns).questions

    assert (question.kind, question.default) == ("date_order", "mdy")
    assert "The month before the day is usual in US" in question.evidence
