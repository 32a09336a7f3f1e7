"""An exception from the linter's rules has its reason on its line."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SKIPPED = {".venv", "node_modules", "var", "static"}
UNEXPLAINED = re.compile(r"# noqa(:[A-Z0-9, ]+)?$", re.MULTILINE)


def test_every_exception_says_why():
    unexplained = [
        f"{path.relative_to(ROOT)}:{text[: hit.start()].count(chr(10)) + 1}"
        for path in ROOT.rglob("*.py")
        if SKIPPED.isdisjoint(path.relative_to(ROOT).parts)
        for text in [path.read_text("utf-8")]
        for hit in UNEXPLAINED.finditer(text)
    ]

    assert unexplained == []
