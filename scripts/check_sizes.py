"""Refuse functions over 50 lines, modules over 400, and packages of more than 16 modules."""

import ast
import subprocess
import sys
from collections import Counter
from pathlib import Path

FUNCTION_LINES = 50
MODULE_LINES = 400
PACKAGE_MODULES = 16  # __init__ included


def excepted(path: Path) -> bool:
    """Return whether a file is data, a migration or a test."""
    return bool({"migrations", "tests"} & set(path.parts)) or path.name == "_data.py"


def findings(path: Path) -> list[str]:
    """Return everything that is too long in one file, a line each."""
    source = path.read_text("utf-8")
    problems = []
    if (lines := source.count("\n")) > MODULE_LINES:
        problems.append(f"{path}: module of {lines} lines, {MODULE_LINES} are allowed")
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        length = (node.end_lineno or node.lineno) - node.lineno + 1
        if length > FUNCTION_LINES:
            where = f"{path}:{node.lineno}"
            problems.append(
                f"{where}: {node.name} has {length} lines, {FUNCTION_LINES} are allowed"
            )
    return problems


def crowded(paths: list[Path]) -> list[str]:
    """Return the packages with too many modules, a line each."""
    packages = {path.parent for path in paths if path.name == "__init__.py"}
    modules = Counter(path.parent for path in paths if path.parent in packages)
    return [
        f"{package}: package of {count} modules, {PACKAGE_MODULES} are allowed"
        for package, count in sorted(modules.items())
        if count > PACKAGE_MODULES
    ]


def main() -> int:
    """Check every tracked Python file."""
    names = subprocess.check_output(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], text=True
    )
    paths = [Path(name) for name in names.split()]
    kept = [path for path in paths if path.exists() and not excepted(path)]
    lines = [line for path in kept for line in findings(path)] + crowded(kept)
    print("\n".join(lines) or f"sizes: {len(kept)} files and their packages are small enough")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
