"""Catalogs over all column types, options, rules and formats, and a file for each."""

import csv
import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from io import BytesIO, StringIO
from itertools import chain
from typing import Any, get_args

from hypothesis import strategies as st
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from tabular.model.catalog import ColumnType, Rule
from tests.imports.combinations.recipes import recipes
from tests.imports.combinations.texts import RIGHT, WRONG, cells

Json = dict[str, Any]
TYPES: tuple[str, ...] = get_args(ColumnType)
RULES: tuple[str, ...] = get_args(Rule)
FORMATS = (
    "DD.MM.YYYY", "YYYY-M-D", "HH:mm", "h:mm A", "DD.MM.YYYY HH:mm:ss", "0", "0.00", "#,##0.00",
    "#.##0,00", "0.0 %", "yes/no", "e164", "international", "national", "grouped", "Qx", "",
)  # fmt: skip
PATTERNS = ("^[A-Z0-9]+$", ".", "[", "(a+)+$", "(?=x)x", "^$", "\\d{2}", "")
MESSAGES = ("Row {row}: “{value}” in {field} {x}", "\x01 not “{value}”\x0b", "=1+1")
OPERATORS = ("eq", "ne", "gt", "gte", "lt", "lte")
DETECTORS = (
    {"kind": "regex", "pattern": "^[0-9]+$", "flags": "im", "minRatio": 0.5, "weight": 2},
    {"kind": "regex", "pattern": "["},
    {"kind": "oneOf", "values": ["red", "blue"], "caseInsensitive": True, "minRatio": 0},
)
SCALARS = st.sampled_from(
    ["red", "One", "", "09:00", "08:30:15", "2024-02-29", 1, 2, 0, -7, 1.5, 1.0, True, False,
     9007199254740991, -9007199254740991, "19 %", "DE", "x"]
)  # fmt: skip
SELDOM = st.sampled_from([False] * 4 + [True])
MAYBE = st.booleans()
VALUES = {"string": ("red", "One", "DE", "1", "s p"), "int": (1, 2, -7), "float": (0.5, 1.0, 2.25)}


@dataclass(frozen=True)
class Case:
    """A catalog, the file that is imported with it, and the host's data about both."""

    catalog: Json
    content: bytes
    filename: str
    mapping: Mapping[str, str]
    context: Json
    recipe: Json | None  # its columns are those of the file
    made: Mapping[str, str]  # column that the recipe makes to the column whose field it feeds
    known: Mapping[str, list[Json]]  # entities, by their name

    @property
    def fields(self) -> dict[str, Json]:
        """The live fields, by path."""
        return {
            f"{entry['id']}.{field['key']}": field
            for entry in self.catalog["entries"]
            for field in entry["fields"]
            if not field.get("disabled")
        }

    @property
    def entities(self) -> list[str]:
        """The names of what fields may refer to."""
        return [entry["id"] for entry in self.catalog["entries"]]

    def mapped(self, columns: Collection[str]) -> tuple[dict[str, str], Json | None]:
        """Return the mapping of the columns that were found, and a recipe for them."""
        mapping = {c: path for c, path in self.mapping.items() if c in columns}
        if self.recipe is None or len(mapping) < len(self.mapping):
            return mapping, None
        for made, column in self.made.items():
            mapping[made] = mapping.pop(column)
        for step in self.recipe["steps"]:
            for column in chain(*step.get("groups", {}).values()):
                mapping.pop(column, None)
        return mapping, self.recipe


@st.composite
def catalogs(draw: st.DrawFn) -> Json:
    """Return a catalog of one or two entries with a few fields, one of them live."""
    keys = [f"f{number}" for number in range(draw(st.integers(1, 5)))]
    fields = [draw(_field(key, keys)) for key in keys]
    known = [draw(_field(key, [])) for key in ("code", "name")]
    entries = [{"id": "p", "fields": fields}]
    if draw(MAYBE):
        entries.append({"id": "ref", "fields": known})
    if all(field["disabled"] for entry in entries for field in entry["fields"]):
        fields[0]["disabled"] = False
    return {"key": "any", "title": "Any", "keySeparator": ".", "entries": entries}


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Return a catalog of one or two entries with a few fields, and up to six rows for it."""
    catalog = draw(catalogs())
    live = {f"{e['id']}.{f['key']}": f for e in catalog["entries"] for f in e["fields"]
            if not f["disabled"]}  # fmt: skip
    fed = draw(st.lists(st.sampled_from(sorted(live)), min_size=1, unique=True))
    mapping = {f"C {path}": path for path in fed}
    content, filename = draw(_file({c: live[path] for c, path in mapping.items()}))
    recipe, made = draw(recipes(sorted(mapping))) if draw(SELDOM) else (None, {})
    known = {"ref": draw(st.lists(_ENTITIES, min_size=1, max_size=2))} if draw(MAYBE) else {}
    return Case(catalog, content, filename, mapping, draw(_context(live)), recipe, made, known)


_NAMES = st.sampled_from(["red", "One", "1", "2001-12-24", "DE"])
_ENTITIES = st.fixed_dictionaries({"code": _NAMES, "name": _NAMES})


@st.composite
def _context(draw: st.DrawFn, live: Mapping[str, Json]) -> Json:
    some = st.lists(st.sampled_from(sorted(live)), max_size=2, unique=True)
    defaults = {}
    for path in draw(some):
        defaults[path] = draw(cells(live[path]["columnType"], ()))
    context: Json = {"defaults": defaults}
    if draw(SELDOM):
        context["options"] = {path: draw(_options([], least=1)) for path in draw(some)}
    if draw(SELDOM):
        context["region"] = "DE"
    return context


@st.composite
def _field(draw: st.DrawFn, key: str, keys: list[str]) -> Json:
    column_type = draw(st.sampled_from(TYPES))
    others = [*keys, "ref.code", "p.f0", "unknown"]
    field: Json = {"key": key, "columnType": column_type, "disabled": draw(SELDOM) and bool(keys)}
    if draw(MAYBE):
        field["dropdownOptions"] = draw(_options(others))
    if keys:
        field["validations"] = draw(st.lists(_rule(column_type, others), max_size=3))
    _maybe(draw, field, "isMultiSelect", MAYBE)
    _maybe(draw, field, "allowCustomOptions", MAYBE)
    _maybe(draw, field, "optionMappingMode", st.sampled_from(["smart", "exact"]))
    _maybe(draw, field, "numberFormat", st.sampled_from(["eu", "us"]))
    _maybe(draw, field, "outputFormat", st.sampled_from(FORMATS))
    _maybe(draw, field, "columnSize", st.sampled_from([1, 3, 9007199254740991]))
    _maybe(draw, field, "required", MAYBE)
    _maybe(draw, field, "hidden", MAYBE)
    _maybe(draw, field, "scope", st.sampled_from(["row", "document"]))
    _maybe(draw, field, "valueDetectors", st.lists(_DETECTORS, max_size=2))
    if draw(SELDOM):
        field["reference"] = draw(_reference())
    return field


def _maybe(draw: st.DrawFn, field: Json, name: str, values: st.SearchStrategy[Any]) -> None:
    if draw(SELDOM):
        field[name] = draw(values)


_DETECTORS = st.one_of(
    st.sampled_from(DETECTORS),
    st.sampled_from(TYPES).map(lambda name: {"kind": "builtin", "name": name, "weight": 100}),
)


@st.composite
def _reference(draw: st.DrawFn) -> Json:
    reference: Json = {
        "entity": draw(st.sampled_from(["ref", "ref", "ref", "p", "nothing"])),
        "matchOn": draw(st.sampled_from([["code"], ["code", "name"], ["f0"], ["unknown"]])),
        "cardinality": draw(st.sampled_from(["one", "many"])),
        "onMissing": draw(st.sampled_from(["create", "error", "null", "ignore"])),
    }
    if draw(MAYBE):
        reference["separator"] = draw(st.sampled_from([";", ",", " "]))
    if draw(MAYBE):
        reference["resolve"] = {
            "exact": draw(MAYBE), "fuzzy": draw(MAYBE), "learned": draw(MAYBE), "minScore": 60,
        }  # fmt: skip
    return reference


@st.composite
def _options(draw: st.DrawFn, others: list[str], *, least: int = 0) -> list[Json]:
    """Return options of one type, or of several."""
    kinds = draw(st.sampled_from([["string"], ["int"], ["float"], ["int", "float"], list(VALUES)]))
    options = []
    for label in draw(st.lists(st.sampled_from(_LABELS), min_size=least, max_size=3, unique=True)):
        kind = draw(st.sampled_from(kinds))
        option: Json = {"label": label, "type": kind, "value": draw(st.sampled_from(VALUES[kind]))}
        if draw(SELDOM):
            option["alternativeMatches"] = draw(st.lists(st.sampled_from(_LABELS), max_size=2))
        if others and draw(SELDOM):
            condition = {"validate": draw(_condition(others))}
            option["validations"] = [
                condition | draw(st.sampled_from([{}, {"errorMessage": "No"}]))
            ]
        options.append(option)
    return options


_LABELS = ("One", "Two", "red", "Germany", "1", "0.5", "n/a", "2001-12-24", "=x", "Yes")


def _condition(others: list[str]) -> st.SearchStrategy[Json]:
    """Return a strategy for trees of conditions on other fields."""
    names = st.sampled_from(others)
    tests = st.one_of(
        SCALARS,
        st.dictionaries(st.sampled_from(OPERATORS), SCALARS, min_size=1, max_size=2),
        st.fixed_dictionaries({"regex": st.sampled_from(PATTERNS)}),
        st.fixed_dictionaries({"filled": MAYBE}),
    )
    leaf = st.dictionaries(names, tests, min_size=1, max_size=2)
    group = st.sampled_from(["all", "any", "not"])
    return st.recursive(
        leaf, lambda inner: st.dictionaries(group, inner, min_size=1, max_size=2), max_leaves=3
    )


@st.composite
def _rule(draw: st.DrawFn, column_type: str, others: list[str]) -> Json:
    kind = draw(st.sampled_from(RULES))
    rule: Json = {"validate": kind}
    names = st.lists(st.sampled_from(others), max_size=3)
    if kind == "regex":
        rule["regex"] = draw(st.sampled_from(PATTERNS))
    elif kind == "compare":
        rule["op"] = draw(st.sampled_from(OPERATORS))
        rule |= draw(_side(column_type, others))
    elif kind.endswith("_values"):
        many = st.one_of(SCALARS, st.lists(SCALARS, max_size=3))
        rule["columnValues"] = draw(st.dictionaries(st.sampled_from(others), many, max_size=2))
    elif kind == "unique" or kind.startswith("required_"):
        rule["columns"] = draw(names)
    if draw(SELDOM):
        rule["errorMessage"] = draw(st.sampled_from(MESSAGES))
    if draw(SELDOM):
        rule["severity"] = draw(st.sampled_from(["error", "warning"]))
    return rule


def _side(column_type: str, others: list[str]) -> st.SearchStrategy[Json]:
    """Return a strategy for what a field is compared with."""
    names, right = st.sampled_from(others), st.sampled_from(RIGHT[column_type])
    return st.one_of(
        names.map(lambda name: {"column": name}),
        st.one_of(SCALARS, right).map(lambda value: {"value": value}),
        st.tuples(st.lists(names, min_size=1, max_size=3), st.sampled_from(["sum", "product"])).map(
            lambda pair: {"columns": pair[0], "fn": pair[1]}
        ),
    )


def spellings(field: Json) -> tuple[str, ...]:
    """Return how people write the options of a field."""
    options = field.get("dropdownOptions") or ()
    return tuple(str(option[name]) for option in options for name in ("label", "value"))


@st.composite
def _file(draw: st.DrawFn, columns: Mapping[str, Json]) -> tuple[bytes, str]:
    """Return a drawn CSV, workbook or JSON, in which a cell may be a number or boolean already."""
    count = draw(st.integers(1, 6))
    rows = [
        {name: draw(cells(f["columnType"], spellings(f))) for name, f in columns.items()}
        for _ in range(count)
    ]
    form = draw(st.sampled_from(["csv", "csv", "csv", "xlsx", "json"]))
    if form == "csv":
        written = StringIO(newline="")
        writer = csv.writer(written, quoting=csv.QUOTE_ALL)
        writer.writerow(columns)
        writer.writerows(row.values() for row in rows)
        return written.getvalue().encode(), "any.csv"
    typed = [{name: draw(_typed(text)) for name, text in row.items()} for row in rows]
    if form == "json":
        return json.dumps(typed).encode(), "any.json"
    return _workbook([[*columns], *([*row.values()] for row in typed)]), "any.xlsx"


def _workbook(rows: list[list[Any]]) -> bytes:
    book = Workbook()
    for y, row in enumerate(rows, 1):
        for x, value in enumerate(row, 1):
            cell = book.active.cell(y, x)
            if isinstance(value, str):
                cell.value = ILLEGAL_CHARACTERS_RE.sub("", value)
                cell.data_type = "s"  # no formula
            else:
                cell.value = value
    written = BytesIO()
    book.save(written)
    return written.getvalue()


def _typed(text: str) -> st.SearchStrategy[Any]:
    return st.sampled_from([text, text, 1, 0.5, -7, True, None, 45_000, 0.35, 10**15])


def typed_by_hand(case: Case, path: str) -> st.SearchStrategy[str | None]:
    """Return a strategy for what a person may type into a cell."""
    field = case.fields[path]
    others = st.sampled_from([None, *WRONG, " 12 ", "2001-12-24"])
    return st.one_of(cells(field["columnType"], spellings(field)), others)
