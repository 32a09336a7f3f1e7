"""The job that looks what a draft would say of rows that are there: those of the newest imports.

Rows are read again from the texts that people see, edits included, as their columns were settled
then: once for the catalog version they were made with, once for the draft. Only rows that the draft
refuses and their own version takes count.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from imports.by_catalog import with_rows
from imports.models import ImportRecord
from imports.progress import Reporter
from pipeline.decisions import Decisions
from pipeline.draft import MappingDraft
from pipeline.run import TextSource, run
from previews.draft_test import editions_of
from previews.workspace import Work, working
from staging.selectors import at_revision
from tabular.model.catalog import Catalog, Context
from tabular.model.catalog_findings import pointer_of
from tabular.model.issue import to_store
from tabular.protocol.answers import Answers

if TYPE_CHECKING:
    import pyarrow as pa

    from staging.columns import StagedTable

Json = dict[str, Any]
MOST_ROWS = 10_000
MOST_IMPORTS = 20  # of which rows are looked at, the newest
MOST_RULES = 200  # that are told
MEMBER_OF = {  # of a field, that an issue comes from; else a rule or the type
    "required": "required",
    "too_long": "columnSize",
    "unknown_option": "dropdownOptions",
    "unknown_reference": "reference",
}


@dataclass(slots=True)
class _Rule:
    """A reason to refuse rows: one field and code."""

    rows: int
    example: Json


@dataclass(slots=True)
class _Found:
    """The result of the draft on the rows so far."""

    looked: int = 0
    failing: int = 0
    missing: set[str] = field(default_factory=set)
    rules: dict[tuple[str, str], _Rule] = field(default_factory=dict)


def look_at_rows(record: ImportRecord, reporter: Reporter) -> None:
    """Count the rows of the newest imports that the draft would refuse."""
    draft, _ = editions_of(record.tenant, record.tested_against["catalogKey"])
    catalog, effects = draft.as_catalog(), _Found()
    with working(record, reporter) as work:
        for made in with_rows(record.tenant, record.tested_against["catalogKey"])[:MOST_IMPORTS]:
            table = at_revision(made.public_id, made.revision)
            if table is not None and effects.looked < MOST_ROWS:
                _look(work, made, table, catalog, effects)
                reporter.progress("looking", effects.looked, MOST_ROWS)
    work.end(
        {
            "etag": draft.etag,
            "looked": effects.looked,
            "wouldFail": effects.failing,
            "missing": sorted(effects.missing),
            "rules": list(_rules_shown(effects, catalog)),
        }
    )


def _look(
    work: Work, made: ImportRecord, table: "StagedTable", draft: Catalog, effects: _Found
) -> None:
    folder = work.bench.folder / made.public_id
    folder.mkdir()
    rows = _keep_texts(table, folder / "source.arrow", most=MOST_ROWS - effects.looked)
    if not rows:
        return
    effects.looked += rows
    paths = [column.field for column in table.columns]
    live = draft.live_fields
    effects.missing |= {p for p, item in live.items() if item.is_required and p not in paths}
    before = _failing(work, f"before-{made.public_id}", folder, table, made.target)
    after = _failing(work, f"after-{made.public_id}", folder, table, draft)
    new = after.keys() - before.keys()
    effects.failing += len(new)
    for row in sorted(new):
        for issue in after[row]:
            _count(effects, issue, made.public_id)


def _count(effects: _Found, issue: Json, record_id: str) -> None:
    named = issue["field"], issue["code"]
    if named in effects.rules:
        effects.rules[named].rows += 1
        return
    params = json.loads(issue["params"] or "{}") | {
        name: issue[name] for name in ("value", "field", "row")
    }
    message, hint = to_store(issue["code"], params)
    example = {"recordId": record_id, "value": issue["value"], "message": message, "hint": hint}
    effects.rules[named] = _Rule(1, example)


def _keep_texts(table: "StagedTable", path: Path, *, most: int) -> int:
    """Write the texts of the first rows, a column for each field; give how many rows there are."""
    import pyarrow as pa

    from staging.edits.cell_edits import text_columns
    from tabular.model.table import ROW_COLUMN

    rows = table.numbers()[:most].to_numpy()
    fields = [column.field for column in table.columns]
    texts = text_columns(table, rows, fields)
    columns: list[pa.Array] = [pa.array(range(len(rows)), pa.int64())]
    columns += [_plain(texts[path]) for path in fields]
    batch = pa.record_batch(columns, names=[ROW_COLUMN, *fields])
    with pa.ipc.new_file(str(path), batch.schema) as writer:
        writer.write_batch(batch)
    return len(rows)


def _plain(texts: "pa.Array | pa.ChunkedArray") -> "pa.Array":
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = texts.combine_chunks() if isinstance(texts, pa.ChunkedArray) else texts
    return pc.cast(plain, pa.string())


def _failing(
    work: Work, name: str, folder: Path, table: "StagedTable", catalog: Catalog
) -> dict[int, list[Json]]:
    """Return the errors of each row with errors, one for each field and code."""
    live = catalog.live_fields
    fed = {column.field: column.field for column in table.columns if column.field in live}
    if not fed:
        return {}
    text, context = folder / "source.arrow", _context(table, live)
    source = TextSource(text=text, catalog=catalog, context=context)
    decisions = Decisions(draft=MappingDraft(fed), answers=_answers(table, catalog))
    out = run(source, decisions, work.bench.within(name)).out
    failing: dict[int, list[Json]] = {}
    for issue in _errors(out / "issues.arrow"):
        of_row = failing.setdefault(issue["row"], [])
        if all((item["field"], item["code"]) != (issue["field"], issue["code"]) for item in of_row):
            of_row.append(issue)
    return failing


def _errors(path: Path) -> Iterator[Json]:
    from tabular.protocol.tables import batches

    for batch in batches(path):
        for issue in batch.to_pylist():
            if issue["severity"] == "error":
                yield issue


def _answers(table: "StagedTable", catalog: Catalog) -> Answers:
    """Read each column as it was settled, but for what the catalog itself says of its numbers."""
    answers = Answers()
    for path, parse_options in table.files.inferred.parse_options.items():
        known = catalog.live_fields.get(path)
        if known is None:
            continue
        answers = answers.with_setting("date_order", path, parse_options.date_order)
        answers = answers.with_setting("percent_scale", path, parse_options.bare_percent)
        if known.number_format is None:
            answers = answers.with_setting("decimal_separator", path, parse_options.number_format)
        if parse_options.answered:
            for text, value in parse_options.answered.items():
                answers = answers.with_text("category_value", path, text, value)
    return answers


def _context(table: "StagedTable", live: Mapping[str, Any]) -> Context:
    """Return the host's context of the import, limited to the fields that exist."""
    given = table.files.plan.context
    return Context(
        defaults={path: text for path, text in given.defaults.items() if path in live},
        options={path: options for path, options in given.options.items() if path in live},
        region=given.region,
        today=given.today,
    )


def _rules_shown(effects: _Found, catalog: Catalog) -> Iterator[Json]:
    ranked = sorted(effects.rules.items(), key=lambda item: (-item[1].rows, item[0]))
    for (path, code), rule in ranked[:MOST_RULES]:
        entity, key, pointer = _place(catalog, path, code)
        yield {
            "pointer": pointer,
            "entity": entity,
            "field": key,
            "code": code,
            "rows": rule.rows,
            "example": rule.example,
        }


def _place(catalog: Catalog, path: str, code: str) -> tuple[str, str, str]:
    """Return the entity and the key of a field, and the place of its rule in the draft."""
    for e, entry in enumerate(catalog.entries):
        for f, item in enumerate(entry.fields):
            if f"{entry.id}{catalog.key_separator}{item.key}" == path:
                place: list[str | int] = ["entries", e, "fields", f]
                rules = [rule.validate_ for rule in item.validations or ()]
                if code in rules:
                    place += ["validations", rules.index(code)]
                else:
                    place.append(MEMBER_OF.get(code, "columnType"))
                return entry.id, item.key, pointer_of(place)
    return "", path, ""
