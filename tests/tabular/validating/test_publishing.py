"""A setting of a catalog without effect is a warning at its JSON pointer."""

import orjson
import pytest

from tabular.model.catalog import Catalog
from tabular.model.catalog_findings import check_catalog, is_blocking
from tabular.validating.publishing import findings_of
from tabular.validating.rules import row_rules


def findings(field, *others):
    fields = [{"key": "it", **field}, {"key": "off", "disabled": True}, *others]
    text = orjson.dumps({"key": "t", "entries": [{"id": "e", "fields": fields}]})
    assert isinstance(check_catalog(text), Catalog)  # it can be published
    problems = findings_of(text)
    assert not any(map(is_blocking, problems))
    return [(f.pointer, f.code) for f in problems]


def rule(**validation):
    return {"validations": [validation]}


def options(*shaped, **more):
    return {"columnType": "category", "dropdownOptions": list(shaped), **more}


def option(value, type_="string", **more):
    return {"label": str(value), "type": type_, "value": value, **more}


def condition(tree):
    return options(option("a", validations=[{"validate": tree}]))


RULE = "/entries/0/fields/0/validations/0"
OPTIONS = "/entries/0/fields/0/dropdownOptions"
TREE = f"{OPTIONS}/0/validations/0/validate"
NUMBER = {"key": "n", "columnType": "int"}
DATE = {"key": "d", "columnType": "date"}

IN_VAIN = [
    (rule(validate="required_with", columns=["nope"]), f"{RULE}/columns/0", "unknown_column"),
    (rule(validate="required_with", columns=["off"]), f"{RULE}/columns/0", "disabled_column"),
    (rule(validate="required_with", columns=["it"]), f"{RULE}/columns/0", "names_itself"),
    (rule(validate="required_with"), f"{RULE}/columns", "missing_member"),
    (rule(validate="required_with_values"), f"{RULE}/columnValues", "missing_member"),
    (
        rule(validate="required_with_values", columnValues={"a/b": 1}),
        f"{RULE}/columnValues/a~1b",
        "unknown_column",
    ),
    (rule(validate="unique", columns=["nope"]), f"{RULE}/columns/0", "unknown_column"),
    (rule(validate="regex"), f"{RULE}/regex", "missing_member"),
    (rule(validate="regex", regex="["), f"{RULE}/regex", "refused_pattern"),
    (rule(validate="regex", regex="((a{1000}){1000}){1000}"), f"{RULE}/regex", "refused_pattern"),
    (rule(validate="compare", column="n") | {"columnType": "int"}, f"{RULE}/op", "missing_member"),
    (rule(validate="compare", op="eq"), RULE, "one_side"),
    (rule(validate="compare", op="eq", column="n", value=1), RULE, "one_side"),
    (
        rule(validate="compare", op="eq", columns=["n"]) | {"columnType": "int"},
        f"{RULE}/fn",
        "missing_member",
    ),
    (rule(validate="compare", op="eq", column="n"), RULE, "incomparable"),
    (
        rule(validate="compare", op="lt", value="soon") | {"columnType": "date"},
        f"{RULE}/value",
        "wrong_value",
    ),
    (
        rule(validate="compare", op="lt", columns=["n", "d"], fn="sum") | {"columnType": "int"},
        RULE,
        "incomparable",
    ),
    (rule(validate="reference_exists"), f"{RULE}/validate", "needs_reference"),
    (
        {"outputFormat": "QQ", "columnType": "date"},
        "/entries/0/fields/0/outputFormat",
        "unknown_output_format",
    ),
    ({"isMultiSelect": True}, "/entries/0/fields/0/isMultiSelect", "needs_options"),
    (options(option("a"), option(1, "int")), OPTIONS, "mixed_option_types"),
    (
        options(option("a"), option("b", alternativeMatches=["a"])),
        f"{OPTIONS}/1",
        "ambiguous_option",
    ),
    (condition({}), TREE, "unknown_condition"),
    (condition({"nope": 1}), f"{TREE}/nope", "unknown_condition"),
    (condition({"n": {"like": 1}}), f"{TREE}/n/like", "unknown_condition"),
    (condition({"n": {"eq": "many"}}), f"{TREE}/n/eq", "unknown_condition"),
    (condition({"n": {"eq": {"eq": 1}}}), f"{TREE}/n/eq", "unknown_condition"),
    (condition({"any": 1}), f"{TREE}/any", "unknown_condition"),
    (condition({"n": {"filled": 1}}), f"{TREE}/n/filled", "unknown_condition"),
    (condition({"all": {"n": {"regex": "("}}}), f"{TREE}/all/n/regex", "unknown_condition"),
    (
        {"valueDetectors": [{"kind": "regex", "pattern": "(?=x"}]},
        "/entries/0/fields/0/valueDetectors/0/pattern",
        "refused_pattern",
    ),
    (
        {"valueDetectors": [{"kind": "regex", "pattern": "x", "flags": "iy"}]},
        "/entries/0/fields/0/valueDetectors/0/flags",
        "unknown_flags",
    ),
    (
        {
            "reference": {
                "entity": "e",
                "matchOn": ["off"],
                "cardinality": "one",
                "onMissing": "null",
            }
        },
        "/entries/0/fields/0/reference/matchOn/0",
        "unknown_column",
    ),
]


@pytest.mark.parametrize(("field", "pointer", "code"), IN_VAIN)
def test_what_has_no_effect_is_a_warning_at_its_place(field, pointer, code):
    assert findings(field, NUMBER, DATE) == [(pointer, code)]


@pytest.mark.parametrize(
    "field",
    [
        rule(validate="compare", op="lte", columns=["n", "n2"], fn="product")
        | {"columnType": "int"},
        rule(
            validate="required_with_values", columnValues={"n": [1, 2]}, errorMessage="{columns}!"
        ),
        *(
            rule(validate="compare", op="gt", value=value) | {"columnType": type_}
            for value in (0, 1, 0.5, -3)
            for type_ in ("float", "percentage", "currency_eur")
        ),
        rule(validate="compare", op="ne", value=0) | {"columnType": "int"},
        rule(validate="compare", op="eq", value=True) | {"columnType": "boolean"},
        rule(validate="unique", columns=["e.n"]),
        rule(validate="regex", regex=r"^\p{L}+$"),
        rule(validate="regex", regex="(?<=a)b"),
        rule(validate="regex", regex=r"(a)\1"),
        rule(validate="regex", regex="a{2000}"),
        rule(validate="required", errorMessage="{wat} {2} {"),
        {"isMultiSelect": True, "columnType": "int", "dropdownOptions": [option(1, "int")]},
        {"valueDetectors": [{"kind": "regex", "pattern": "(?=x)", "flags": "imsu"}]},
        {"columnType": "percentage", "outputFormat": "0,0 %"},
        condition({"any": {"n": {"gte": 5}, "not": {"d": "2024-01-31"}}}),
    ],
)
def test_a_usable_rule_is_published(field):
    assert findings(field, NUMBER, DATE, {"key": "n2", "columnType": "float"}) == []


def test_a_field_named_like_a_group_makes_the_group_unusable():
    assert findings(condition({"all": {"n": 1}}), NUMBER, {"key": "all"}) == [
        (f"{TREE}/all", "unknown_condition")
    ]


def test_what_the_model_refuses_is_reported_alone():
    (finding,) = findings_of('{"key": "t", "entries": 1}')

    assert (finding.pointer, finding.code, finding.severity) == ("/entries", "wrong_type", "error")


@pytest.mark.parametrize(
    ("entries", "pointer", "code"),
    [([], "/entries", "no_entries"), ([{"id": "e"}], "/entries/0/fields", "no_fields")],
)
def test_a_catalog_without_fields_is_published_with_a_warning(entries, pointer, code):
    text = orjson.dumps({"key": "t", "entries": entries})

    assert isinstance(check_catalog(text), Catalog)
    assert [(f.pointer, f.code, f.severity) for f in findings_of(text)] == [
        (pointer, code, "warning")
    ]


@pytest.mark.parametrize("field", [case[0] for case in IN_VAIN if "/validations/" in case[1]])
def test_a_rule_with_a_warning_checks_nothing(field):
    fields = [{"key": "it", **field}, {"key": "off", "disabled": True}, NUMBER, DATE]
    text = orjson.dumps({"key": "t", "entries": [{"id": "e", "fields": fields}]})
    catalog = Catalog.model_validate_json(text)

    assert row_rules(catalog, paths=catalog.live_fields) == ()


def test_a_spelling_of_two_options_names_the_one_that_had_it_first():
    twice = options(option("a"), option("b"), option("c", alternativeMatches=["b"]))
    text = orjson.dumps({"key": "t", "entries": [{"id": "e", "fields": [{"key": "it", **twice}]}]})

    (finding,) = findings_of(text)

    assert finding.pointer == f"{OPTIONS}/2"
    assert "Option 2 also has the name “b”" in finding.sentence


@pytest.mark.parametrize(
    ("entity", "expected"),
    [
        ("customer", []),
        ("supplier", []),  # the host makes it known
        ("custmer", ["The catalog has no entry “custmer”; did you mean “customer”?"]),
        ("customers", ["The catalog has no entry “customers”; did you mean “customer”?"]),
    ],
)
def test_an_entity_outside_the_catalog_is_fine_and_a_slip_of_the_pen_is_told(entity, expected):
    reference = {"entity": entity, "matchOn": ["a"], "cardinality": "one", "onMissing": "error"}
    entries = [
        {"id": "order", "fields": [{"key": "a", "reference": reference}]},
        {"id": "customer", "fields": [{"key": "a"}]},
    ]

    problems = findings_of(orjson.dumps({"key": "t", "entries": entries}))

    assert [finding.sentence for finding in problems] == expected


@pytest.mark.parametrize(("region", "codes"), [("CH", []), ("XX", ["unknown_region"])])
def test_a_region_without_telephones_is_told(region, codes):
    catalog = {"key": "t", "region": region, "entries": [{"id": "e", "fields": [{"key": "it"}]}]}

    assert [finding.code for finding in findings_of(orjson.dumps(catalog))] == codes


@pytest.mark.parametrize(
    ("type_", "pattern", "code"),
    [
        ("float", "ABC", "unknown_currency"),
        ("float", "0.00 XYZ", "unknown_currency"),
        ("currency_eur", "CHF", "other_currency"),
        ("currency_usd", "EUR 0.00", "other_currency"),
    ],
)
def test_a_currency_that_does_not_exist_or_contradicts_keeps_from_publishing(type_, pattern, code):
    fields = [{"key": "it", "columnType": type_, "outputFormat": pattern}]
    text = orjson.dumps({"key": "t", "entries": [{"id": "e", "fields": fields}]})

    (warning,) = findings_of(text)

    assert is_blocking(warning)
    assert (warning.pointer, warning.code) == ("/entries/0/fields/0/outputFormat", code)


@pytest.mark.parametrize("pattern", ["CHF", "CHF 0.00", "#'##0.00 CHF"])
def test_a_currency_of_a_number_is_published_without_a_word(pattern):
    assert findings({"columnType": "float", "outputFormat": pattern}) == []
