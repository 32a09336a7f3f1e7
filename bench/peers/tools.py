"""
One peer on one file: ``python tools.py TOOL FILE VOCABULARY`` prints ``{"rows": n, "issues": n}``.

It runs in the environment of the peers, so it imports nothing of the engine. Each peer gets the
rules that it can express in its own way; what it cannot, ``docs/benchmarks.md`` says.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

EMAIL = r"^[^@\s]+@[^@\s]+\.[^@\s]+$"
PHONE = r"^[+0-9()/ -]{7,20}$"
NUMBER = r"^-?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?( €)?$"
IBAN = r"^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$"
KEY = r"^K\d{8}$"
DAY = "%d.%m.%Y"
Words = dict[str, Any]
Found = tuple[int, int]


def frictionless(file: Path, words: Words) -> Found:
    """Validate with a table schema; each column gets its type and constraints."""
    from frictionless import Checklist, Resource, Schema, checks, formats

    def column(name: str, kind: str = "string", **more: Any) -> dict[str, Any]:
        return {"name": name, "type": kind, **more}

    number = {"decimalChar": ",", "groupChar": ".", "bareNumber": False}
    truth = {"trueValues": words["true"], "falseValues": words["false"]}
    fields = [
        column(
            "Kundennummer", constraints={"required": True, "unique": True, "pattern": KEY[1:-1]}
        ),
        column("Vorname"),
        column("Nachname", constraints={"required": True}),
        column("E-Mail", format="email"),
        column("Telefon", constraints={"pattern": PHONE[1:-1]}),
        column("Bestelldatum", "date", format=DAY),
        column("Lieferdatum", "date", format=DAY),
        column("Betrag", "number", **number),
        column("Menge", "integer"),
        column("Aktiv", "boolean", **truth),
        column("Kategorie", constraints={"enum": words["categories"]}),
        column("IBAN", constraints={"pattern": IBAN[1:-1]}),
        column("Land", constraints={"enum": words["countries"]}),
        column("Bemerkung"),
    ]
    resource = Resource(
        path=file.name,
        basepath=str(file.parent),
        control=formats.CsvControl(delimiter=";"),
        schema=Schema.from_descriptor({"fields": fields}),
    )
    formula = "Bestelldatum is None or Lieferdatum is None or Lieferdatum >= Bestelldatum"
    report = resource.validate(
        Checklist(checks=[checks.row_constraint(formula=formula)]), limit_errors=10**8
    )
    return report.task.stats["rows"], len(report.task.errors)


def _checks(check: Any, words: Words) -> dict[str, list[Any]]:
    """Return the checks of pandera by column, for pandas and for polars alike."""
    return {
        "Kundennummer": [check.str_matches(KEY)],
        "E-Mail": [check.str_matches(EMAIL)],
        "Telefon": [check.str_matches(PHONE)],
        "Betrag": [check.str_matches(NUMBER)],
        "Menge": [check.str_matches(r"^\d+$")],
        "Aktiv": [check.isin([*words["true"], *words["false"]])],
        "Kategorie": [check.isin(words["categories"])],
        "IBAN": [check.str_matches(IBAN)],
        "Land": [check.isin(words["countries"])],
    }


def pandera_pandas(file: Path, words: Words) -> Found:
    """Validate with pandera on a frame of pandas."""
    import pandas as pd
    import pandera.pandas as pa

    frame = pd.read_csv(file, sep=";", dtype="string[pyarrow]", engine="pyarrow")
    for name in ("Bestelldatum", "Lieferdatum"):
        frame[name] = pd.to_datetime(frame[name], format=DAY, errors="coerce")
    columns = {
        name: pa.Column(checks=checks, unique=name == "Kundennummer")
        for name, checks in _checks(pa.Check, words).items()
    }
    columns |= {"Nachname": pa.Column(nullable=False), "Bestelldatum": pa.Column(nullable=False)}
    order = pa.Check(lambda f: ~(f["Lieferdatum"] < f["Bestelldatum"]))
    schema = pa.DataFrameSchema(columns, checks=order)
    try:
        schema.validate(frame, lazy=True)
    except pa.errors.SchemaErrors as errors:
        return len(frame), len(errors.failure_cases)
    return len(frame), 0


def pandera_polars(file: Path, words: Words) -> Found:
    """Validate with pandera on a frame of polars."""
    import pandera.polars as pa
    import polars as pl

    days = [pl.col(name).str.to_date(DAY, strict=False) for name in ("Bestelldatum", "Lieferdatum")]
    frame = pl.read_csv(file, separator=";", infer_schema=False).with_columns(days)
    columns = {
        name: pa.Column(nullable=True, checks=checks, unique=name == "Kundennummer")
        for name, checks in _checks(pa.Check, words).items()
    }
    columns |= {"Nachname": pa.Column(nullable=False), "Bestelldatum": pa.Column(nullable=False)}
    try:
        pa.DataFrameSchema(columns).validate(frame, lazy=True)
    except pa.errors.SchemaErrors as errors:
        return frame.height, len(errors.failure_cases)
    return frame.height, 0


def django_import_export(file: Path, words: Words) -> Found:
    """Import with a model resource, as a dry run, with the model's validators."""
    import tablib
    from import_export import fields, resources, widgets

    model = _model(words)

    class Amount(widgets.DecimalWidget):
        def clean(self, value: Any, row: Any = None, **more: Any) -> Any:
            plain = value.removesuffix(" €").replace(".", "").replace(",", ".")
            return super().clean(plain, row, **more)

    class Truth(widgets.BooleanWidget):
        TRUE_VALUES, FALSE_VALUES, NULL_VALUES = words["true"], words["false"], ()

    special = {
        "Bestelldatum": widgets.DateWidget(DAY),
        "Lieferdatum": widgets.DateWidget(DAY),
        "Betrag": Amount(),
        "Menge": widgets.IntegerWidget(),
        "Aktiv": Truth(),
    }
    named = {
        f"c{place}": fields.Field(f"c{place}", name, widget=special.get(name, widgets.CharWidget()))
        for place, name in enumerate(words["columns"])
    }
    meta = {"model": model, "import_id_fields": ["c0"], "exclude": ["id"], "skip_diff": True}
    options = type("Meta", (), meta | {"clean_model_instances": True, "force_init_instance": True})
    resource = type("Orders", (resources.ModelResource,), {**named, "Meta": options})()
    rows = tablib.Dataset().load(file.read_text("utf-8"), format="csv", delimiter=";")
    result = resource.import_data(rows, dry_run=True, raise_errors=False)
    return len(rows), len(result.invalid_rows) + len(result.row_errors())


def _model(words: Words) -> Any:
    """Return a Django model of the file, with its table in memory."""
    import django
    from django.conf import settings

    settings.configure(
        INSTALLED_APPS=["import_export"],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}},
        DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    )
    django.setup()
    from django.core.exceptions import ValidationError
    from django.core.validators import RegexValidator
    from django.db import connection, models

    def text(*patterns: str, **more: Any) -> Any:
        return models.CharField(
            max_length=80, validators=[RegexValidator(p) for p in patterns], **more
        )

    def clean(self: Any) -> None:
        if self.c5 and self.c6 and self.c6 < self.c5:
            raise ValidationError({"c6": "before"})

    columns = [
        text(KEY, unique=True), text(), text(), models.EmailField(), text(PHONE),
        models.DateField(null=True), models.DateField(null=True),
        models.DecimalField(max_digits=18, decimal_places=4), models.IntegerField(),
        models.BooleanField(), text(choices=[(c, c) for c in words["categories"]]), text(IBAN),
        text(choices=[(c, c) for c in words["countries"]]), models.TextField(blank=True),
    ]  # fmt: skip
    body: dict[str, Any] = {f"c{place}": column for place, column in enumerate(columns)}
    meta = type("Meta", (), {"app_label": "peers"})
    model = type(
        "Order", (models.Model,), {**body, "Meta": meta, "clean": clean, "__module__": "p"}
    )
    with connection.schema_editor() as editor:
        editor.create_model(model)
    return model


def csvkit(file: Path, words: Words) -> Found:
    """Look for rows of another length: ``csvclean`` knows no types and no rules."""
    import contextlib
    import io

    from csvkit.utilities.csvclean import CSVClean

    rows, errors = io.StringIO(), io.StringIO()
    arguments = ["-d", ";", "--length-mismatch", str(file)]
    with contextlib.redirect_stderr(errors), contextlib.suppress(SystemExit):
        CSVClean(arguments, rows, errors).run()
    return rows.getvalue().count("\n") - 1, max(0, errors.getvalue().count("\n") - 1)


TOOLS: dict[str, Callable[[Path, Words], Found]] = {
    tool.__name__: tool
    for tool in (frictionless, pandera_pandas, pandera_polars, django_import_export, csvkit)
}

if __name__ == "__main__":
    count, issues = TOOLS[sys.argv[1]](
        Path(sys.argv[2]), json.loads(Path(sys.argv[3]).read_text("utf-8"))
    )
    print(json.dumps({"rows": count, "issues": issues}))
