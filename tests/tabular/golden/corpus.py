"""
The golden corpus: files, catalogs, and the engine's results for them at its pins.

``python -m tests.tabular.golden.corpus`` writes the expected results again, after the pin is
raised.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

from sandbox.commands import match, transform
from tabular.versions import MATCHER, TRANSFORM

CASES = Path(__file__).with_name("cases")
EXAMPLES = Path(__file__).parents[3] / "examples"
TRANSLATED = ("message", "hint")  # words may get better without a new pin


def cases():
    """Return the file and the other inputs of each case, by name."""
    own = {
        folder.name: (folder / "input.csv", _given(folder)) for folder in sorted(CASES.iterdir())
    }
    shown = {
        "orders": EXAMPLES / "orders-cp1252.csv",
        "stock": EXAMPLES / "stock-two-sheets.xlsx",
        "prices": EXAMPLES / "price-list.pdf",
    }
    catalogs = EXAMPLES / "catalogs"
    return own | {n: (file, {"catalog": catalogs / f"{n}.json"}) for n, file in shown.items()}


def _given(folder):
    return {file.stem: file for file in sorted(folder.glob("*.json")) if file.stem != "expected"}


def expected_file(name):
    """Return the file with the expected result of a case."""
    return CASES.parent / "expected" / f"{name}.json"


def made_of(name):
    """Run a case; return the document to compare, as written in its file."""
    file, given = cases()[name]
    options = [part for key, path in given.items() for part in (f"--{key}", str(path))]
    rows = _printed(transform.run, [str(file), *options, "--today", "2026-01-01", "--region", "DE"])
    for issue in rows["issues"]:
        for words in TRANSLATED:
            del issue[words]
    proposal = _printed(match.run, [str(file), "--catalog", str(given["catalog"])])
    return {"matcher": MATCHER, "transform": TRANSFORM, "proposal": proposal, "rows": rows}


def _printed(run, arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        assert run([*arguments, "--json"]) == 0, out.getvalue()
    return json.loads(out.getvalue())


def main():
    """Write the expected results; refuse changes without a changed pin."""
    unpinned = []
    for name in cases():
        made, file = made_of(name), expected_file(name)
        if file.exists():
            before = json.loads(file.read_text("utf-8"))
            parts = (("matcher", "proposal"), ("transform", "rows"))
            if any(made[pin] == before[pin] and made[at] != before[at] for pin, at in parts):
                unpinned.append(name)
                continue
        text = json.dumps(made, ensure_ascii=False, indent=1, sort_keys=True)
        file.write_text(text + "\n", "utf-8")
    if unpinned:
        sys.exit(f"changed without a new pin in tabular/versions.py: {', '.join(unpinned)}")


if __name__ == "__main__":
    main()
