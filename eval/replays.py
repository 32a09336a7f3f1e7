"""
Replay a folder of stored imports: ``make eval`` with the folder in ``REPLAYS``.

``manage.py replay REC --store FOLDER`` writes them. Each is read and transformed again in this
process, and its typed rows, without edits, are compared with the stored ones.
"""

import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from tabular import versions
from tabular.model.table import silent
from tabular.protocol.plan import TransformPlan, ValueList
from tabular.protocol.requests import ReadRequest, TransformRequest, choices_of

Json = dict[str, Any]
NAMED_BY = "REPLAYS"


def main() -> int:
    """Replay the folder that the environment names; return 1 if rows differ."""
    named = os.environ.get(NAMED_BY)
    if named is None:
        print(f"{NAMED_BY} does not name a folder of stored imports; nothing was replayed.")
        return 0
    return replay_all(Path(named))


def replay_all(folder: Path) -> int:
    """Replay every import below a folder and print the results; return 1 if rows differ."""
    differing = 0
    stored = sorted(folder.glob("*/import.json"))
    for path in stored:
        record = json.loads(path.read_text("utf-8"))
        rows, sha256 = replay(path.parent, record)
        if (rows, sha256) == (record["rows"], record["sha256"]):
            continue
        differing += 1
        now = versions.pins()
        pins = [name for name, pin in record["pins"].items() if pin != now.get(name)]
        pins += (
            [] if TransformPlan.kept(record["plan"]).digest == record["planDigest"] else ["plan"]
        )
        why = f"made with another {' and '.join(pins)}" if pins else "no pin differs"
        print(
            f"{path.parent.name}: {record['rows']:,} rows then, {rows:,} now, not the same ({why})"
        )
    print(f"{len(stored) - differing} of {len(stored)} stored imports are byte for byte the same")
    return 1 if differing else 0


def replay(folder: Path, stored: Json) -> tuple[int, str]:
    """Make the typed rows of a stored import again; return their number and sha256."""
    from deliveries.payload import digest
    from tabular.job.read import read
    from tabular.job.transform import transform
    from tabular.protocol.tables import rows

    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        (work / "out").mkdir()
        plan = TransformPlan.kept(stored["plan"])
        choices = choices_of(stored["choices"])
        wanted = ReadRequest(input=str(folder / "file"), choices=choices, catalog=plan.catalog)
        table = read(wanted, work, silent).table
        source = work / "source.arrow"
        (work / "out" / "source.arrow").rename(source)
        plan = replace(
            plan,
            document=table.document,
            document_kinds=table.document_kinds,
            delimiter=table.delimiter,
        )
        lists = {key: ValueList(*map(tuple, two)) for key, two in stored.get("lists", {}).items()}
        request = TransformRequest(input=str(source), plan=plan, lists=lists)
        result = transform(request, work, silent)
        files = {path: work / "out" / file for path, file in result.file_of.items()}
        types = {column.field: column.column_type for column in result.columns}
        formats = {c.field: c.output_format for c in result.columns if c.output_format}
        return result.rows, digest(rows(files), types, formats=formats)
