"""The download of a visitor stays small."""

import gzip
import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.web

BUILT = Path(__file__).resolve().parents[3] / "static" / "elements"
IMPORTED = re.compile(r"""(?:from|import)\s*["'](\./[^"']+|\.\./[^"']+)["']""")
SHELL_KB, PART_KB, WHOLE_KB, EDITOR_KB = 25, 15, 100, 90


def compressed(path: Path) -> float:
    """Return the compressed size of a script in kB."""
    return len(gzip.compress(path.read_bytes(), 9)) / 1000


def needed_by(path: Path, found: set[Path]) -> set[Path]:
    """Return a script and everything it loads before it runs."""
    if path in found:
        return found
    found.add(path)
    for name in IMPORTED.findall(path.read_text("utf-8")):
        needed_by((path.parent / name).resolve(), found)
    return found


def test_the_first_paint_needs_little() -> None:
    shell = needed_by(BUILT / "service-import.js", set())

    assert sum(map(compressed, shell)) <= SHELL_KB, [path.name for path in shell]


def test_each_part_that_is_loaded_later_is_small() -> None:
    shell = needed_by(BUILT / "service-import.js", set())
    sizes = {path.name: compressed(path) for path in {*BUILT.glob("chunks/*.js")} - shell}

    assert {name: size for name, size in sizes.items() if size > PART_KB} == {}


def test_the_whole_widget_is_small() -> None:
    entry = BUILT / "service-import.js"
    chunks = BUILT.glob("chunks/*.js")  # every language

    assert sum(map(compressed, [entry, *chunks])) <= WHOLE_KB


def test_the_whole_editor_is_small() -> None:
    chunks = (BUILT / "chunks" / "editor").glob("*.js")  # every language

    editor = BUILT / "service-catalog-editor.js"
    assert sum(map(compressed, [editor, *chunks])) <= EDITOR_KB
