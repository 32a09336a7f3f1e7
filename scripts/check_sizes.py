"""Refuse functions over 50 lines and modules over 400, which are hard to read."""

import ast
import subprocess
import sys
from pathlib import Path

FUNCTION_LINES = 50
MODULE_LINES = 400


def excepted(path: Path) -> bool:
    """Return whether a file is data, a migration or a test."""
    return bool({"migrations", "tests"} & set(path.parts)) or path.name == "_data.py"


def findings(path: Path) -> list[str]:
    """Return everything that is too long in one file, a line each."""
    source = path.read_text("utf-8")
    found = []
    if (lines := source.count("\n")) > MODULE_LINES:
        found.append(f"{path}: module of {lines} lines, {MODULE_LINES} are allowed")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        if length > FUNCTION_LINES:
            where = f"{path}:{node.lineno}"
            found.append(f"{where}: {node.name} has {length} lines, {FUNCTION_LINES} are allowed")
    return found


def main() -> int:
    """Check every tracked Python file."""
    names = subprocess.check_output(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], text=True
    )
    paths = [Path(name) for name in names.split()]
    lines = [
        line for path in paths if path.exists() and not excepted(path) for line in findings(path)
    ]
    print("\n".join(lines) or f"sizes: {len(paths)} files are short enough")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
