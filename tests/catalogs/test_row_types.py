"""The row type of a catalog admits what is delivered; compilers check it as a host's would."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, FormatChecker

from catalogs.row_types import LANGS, row_type
from deliveries import payload
from tabular.model.catalog import Catalog, ColumnType
from tabular.types.output_formats import output_format_of
from tabular.writing.samples import sample_rows
from tests.imports.combinations.catalogs import catalogs
from tests.packages.projects import path_of_node

ROOT = Path(__file__).parents[2]
TSC = ROOT / "frontend" / "node_modules" / ".bin" / "tsc"
STRICT = ("--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "ES2022")
OPTIONS = {
    "texts": [{"label": "Open", "type": "string", "value": 'op"en'},
              {"label": "Paid", "type": "string", "value": "bezahlt ✓"}],
    "whole": [{"label": "One", "type": "int", "value": 1},
              {"label": "Less", "type": "int", "value": -2}],
    "shares": [{"label": "Half", "type": "float", "value": 0.5},
               {"label": "All", "type": "float", "value": 1.0}],
    "mixed": [{"label": "A", "type": "string", "value": "a"},
              {"label": "Two", "type": "int", "value": 2}],
}  # fmt: skip
FORMATS = {"date": "DD.MM.YYYY", "int": "#,##0", "boolean": "yes/no", "time_hm": "h:mm A",
           "currency_eur": "0.00 EUR", "phone": "national"}  # fmt: skip
ODD_KEYS = ("class", "2nd choice", "größe", "a'b\"c", "back\\slash", "*/ end", "tab\there",
            "\u2028line", "\u202eright to left", "__proto__", "😀", "${x}`")  # fmt: skip


def catalog_of(fields, *, key="all-types", separator=".", more=()) -> Catalog:
    entries = [{"id": "e", "fields": fields}, *more]
    text = json.dumps({"key": key, "keySeparator": separator, "entries": entries})
    return Catalog.model_validate_json(text)


def every_type() -> Catalog:
    """Return a catalog with every column type, each with and without what changes its values."""
    fields = [
        {"key": name, "columnType": name, "required": number % 2 == 0, "label": f"Field {name}"}
        for number, name in enumerate(get_args(ColumnType))
    ]
    fields += [
        {"key": f"{name} as {form}", "columnType": name, "outputFormat": form, "required": True}
        for name, form in FORMATS.items()
    ]
    for name, options in OPTIONS.items():
        own = {"columnType": "category", "dropdownOptions": options}
        fields += [
            {"key": name, **own},
            {"key": f"{name} many", **own, "isMultiSelect": True},
            {"key": f"{name} others", **own, "allowCustomOptions": True},
        ]
    fields += [
        {"key": "francs", "columnType": "float", "outputFormat": "CHF", "required": True},
        {"key": "customer", "required": True, "reference": LINK},
        {"key": "gone", "disabled": True},
    ]
    return catalog_of(fields)


LINK = {"entity": "customer", "matchOn": ["name"], "cardinality": "many", "onMissing": "null"}


def delivered(catalog: Catalog, count: int = 3) -> list[dict]:
    """Return sample rows as a delivery has them."""
    fields = catalog.live_fields
    types = {path: field.column_type for path, field in fields.items()}
    formats = {path: form for path, field in fields.items() if (form := output_format_of(field))}
    lines = payload.rows_as_lines(sample_rows(catalog, count), types, formats)
    return json.loads(b"[" + lines[1:] + b"]")


def text_of(catalog: Catalog, lang: str, **more) -> str:
    return row_type(catalog, lang, number=3, **more).text


def name_of(catalog: Catalog) -> str:
    return json.loads(text_of(catalog, "jsonschema"))["title"]


def compiled(folder: Path, texts: dict[str, str]) -> str:
    """Compile modules of TypeScript as strictly as it goes; return what the compiler says."""
    for name, text in texts.items():
        (folder / f"{name}.ts").write_text(text, "utf-8")
    files = [str(folder / f"{name}.ts") for name in texts]
    path = f"{path_of_node()}{os.environ['PATH']}"
    done = subprocess.run(
        [TSC, *STRICT, *files], capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    return done.stdout + done.stderr


def checked(folder: Path, texts: dict[str, str]) -> str:
    """Check modules of Python with mypy; return what it says."""
    for name, text in texts.items():
        (folder / f"{name}.py").write_text(text, "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", os.devnull]
    cache = f"--cache-dir={folder.parent / 'mypy'}"  # for all tests of a run
    files = [f"{name}.py" for name in texts]
    done = subprocess.run([*command, cache, *files], capture_output=True, text=True, cwd=folder)
    return done.stdout + done.stderr


def in_typescript(catalog: Catalog, rows: list[dict], module: str = "row") -> str:
    """Return a module that gives the rows the type; each as a literal, so that all is checked."""
    name = name_of(catalog)
    literals = ",\n".join(json.dumps(row) for row in rows)
    return f"import type {{{name}}} from './{module}'\nexport const r: {name}[] = [{literals}]\n"


def in_python(catalog: Catalog, rows: list[dict], module: str = "row") -> str:
    name = name_of(catalog)
    return f"from {module} import {name}\nrows: list[{name}] = {rows!r}\n"


def differing(catalog: Catalog, row: dict) -> dict[str, dict]:
    """Return a row for each field with a value of a type that the field never has."""
    wrong = {}
    for path, value in row.items():
        other = {"never": True} if not isinstance(value, dict) else 0
        wrong[path] = {**row, path: other}
    return wrong


def test_typescript_takes_what_is_delivered_and_refuses_other_values(tmp_path):
    catalog = every_type()
    rows = delivered(catalog)
    wrong = differing(catalog, rows[0])
    use = {f"wrong{n}": in_typescript(catalog, [row]) for n, row in enumerate(wrong.values())}

    output = compiled(
        tmp_path,
        {"row": text_of(catalog, "ts"), "use": in_typescript(catalog, rows), **use},
    )

    refused = {line.partition(".ts")[0].rpartition("/")[2] for line in output.splitlines()}
    assert {name for name in refused if name in ("row", "use")} == set(), output
    assert refused >= use.keys(), sorted(use.keys() - refused)


def test_python_takes_what_is_delivered_and_refuses_other_values(tmp_path):
    catalog = every_type()
    rows = delivered(catalog)
    wrong = differing(catalog, rows[0])
    use = {f"wrong{n}": in_python(catalog, [row]) for n, row in enumerate(wrong.values())}

    output = checked(
        tmp_path, {"row": text_of(catalog, "python"), "use": in_python(catalog, rows), **use}
    )

    refused = {line.partition(".py")[0] for line in output.splitlines()}
    assert refused & {"row", "use"} == set(), output
    assert refused >= use.keys(), sorted(use.keys() - refused)


def test_the_schema_takes_what_is_delivered_and_refuses_other_values():
    catalog = every_type()
    schema = json.loads(text_of(catalog, "jsonschema"))
    fits = Draft202012Validator(schema, format_checker=FormatChecker())

    rows = delivered(catalog)

    Draft202012Validator.check_schema(schema)
    assert [e.message for row in rows for e in fits.iter_errors(row)] == []
    assert not any(fits.is_valid(row) for row in differing(catalog, rows[0]).values())
    assert not any(
        fits.is_valid({k: v for k, v in rows[0].items() if k != path}) for path in rows[0]
    )


def test_names_that_are_not_identifiers_compile(tmp_path):
    fields = [{"key": key, "label": f"{key} # */ type: ignore\n{key}"} for key in ODD_KEYS]
    ts, python = {}, {}
    for number, separator in enumerate((".", "_", " ")):
        catalog = catalog_of(fields, key="2026-all.of_it", separator=separator)
        rows, module = delivered(catalog), f"row{number}"
        ts |= {module: text_of(catalog, "ts"), f"u{number}": in_typescript(catalog, rows, module)}
        python |= {module: text_of(catalog, "python"),
                   f"u{number}": in_python(catalog, rows, module)}  # fmt: skip
    plain = catalog_of([{"key": "number", "required": True}, {"key": "note"}], separator="_")
    python |= {"plain": text_of(plain, "python"),
               "u": in_python(plain, delivered(plain), "plain")}  # fmt: skip

    output = compiled(tmp_path, ts) + checked(tmp_path, python)

    assert "error" not in output, output
    assert name_of(catalog) == "Catalog2026AllOfItRow"
    as_class = "class AllTypesRow(TypedDict):\n    e_number: str\n    e_note: str | None\n"
    assert as_class in python["plain"]


@pytest.mark.parametrize(
    ("field", "more", "with_errors", "nullable"),
    [
        ({"required": True}, (), False, False),
        ({"required": False}, (), False, True),
        ({"required": True}, (), True, True),  # a value with an error is delivered as null
        ({"validations": [{"validate": "required"}]}, (), False, False),
        ({"validations": [{"validate": "required", "severity": "warning"}]}, (), False, True),
        ({"required": True, "validations": [{"validate": "required", "severity": "warning"}]},
         (), False, True),
        ({"required": True}, ({"id": "other", "fields": [{"key": "g"}]},), False, True),
        ({"required": True}, ({"id": "other", "fields": [{"key": "g", "disabled": True}]},), False,
         False),
        ({"required": True, "reference": LINK}, (), False, True),
        # A person may say of a text that it is none of the options, which empties the cell.
        ({"required": True, "columnType": "category", "dropdownOptions": OPTIONS["whole"]}, (),
         False, True),
    ],
)  # fmt: skip
def test_a_value_is_never_null_only_where_a_row_must_have_it(field, more, with_errors, nullable):
    catalog = catalog_of([{"key": "f", **field}], more=more)

    texts = [text_of(catalog, lang, with_errors=with_errors) for lang in LANGS]

    assert ["null" in _line(t, "e.f") or "None" in _line(t, "e.f") for t in texts[:2]] == [
        nullable, nullable,
    ]  # fmt: skip
    schema = json.loads(texts[2])["properties"]["e.f"]
    assert Draft202012Validator(schema).is_valid(None) is nullable


def _line(text: str, path: str) -> str:
    return next(line for line in text.splitlines() if path in line)


@settings(max_examples=1, phases=(Phase.generate,))
@given(drawn=st.lists(catalogs(), min_size=20, max_size=20))
def test_the_types_of_any_catalog_compile_and_take_its_rows(tmp_path_factory, drawn):
    folder = tmp_path_factory.mktemp("types")
    ts, python = {}, {}
    for number, document in enumerate(drawn):
        catalog = Catalog.model_validate_json(json.dumps(document))
        rows = delivered(catalog)
        module = f"row{number}"
        ts |= {module: text_of(catalog, "ts", with_errors=True),
               f"use{number}": in_typescript(catalog, rows, module)}  # fmt: skip
        python |= {module: text_of(catalog, "python", with_errors=True),
                   f"use{number}": in_python(catalog, rows, module)}  # fmt: skip
        schema = json.loads(text_of(catalog, "jsonschema", with_errors=True))
        for row in rows:
            Draft202012Validator(schema).validate(row)

    output = compiled(folder, ts) + checked(folder, python)

    assert "error" not in output, output


@pytest.mark.django_db
def test_the_call_answers_with_a_file_of_the_published_version(mint_key, client_of, acme, publish):
    publish()
    client = client_of(mint_key(acme.public_id))
    path = "/api/import/v1/catalogs/people/types"

    answers = {lang: client.get(path, {"lang": lang}) for lang in LANGS}

    assert [answer.status_code for answer in answers.values()] == [200, 200, 200]
    assert b"by version 1 of the catalog people" in answers["ts"].content
    assert answers["python"]["Content-Disposition"] == 'attachment; filename="people.py"'
    assert answers["jsonschema"].json()["required"] == ["person.name"]
    refused = [client.get(path, query).status_code for query in ({}, {"lang": "php"})]
    assert refused == [400, 400]
    assert client.get(path.replace("people", "other"), {"lang": "ts"}).status_code == 404
