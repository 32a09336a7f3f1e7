"""Print the structure of the engine's packages: lengths, numbers and importers of modules."""

import ast
from collections import defaultdict
from pathlib import Path
from statistics import median

PAGE = 120  # lines; a shorter module with one importer is a leaflet
MOST_IN_A_PACKAGE = 16
ELSEWHERE = ("tests", "frontend", "static", "var", ".venv", "node_modules", "migrations")
NOT_THE_ENGINE = ("scripts", "eval", "bench", "examples", "docs")


def name_of(path: Path) -> str:
    """Return the dotted name of a module."""
    return ".".join(path.with_suffix("").parts).removesuffix(".__init__")


def imported(path: Path, modules: set[str]) -> set[str]:
    """Return the modules that a module imports, at its top or within functions."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names & modules


def main() -> None:
    """Print the figures, and the outliers."""
    files = [path for path in Path().rglob("*.py") if not set(path.parts) & set(ELSEWHERE)]
    modules = {name_of(path) for path in files}
    readers: dict[str, set[str]] = defaultdict(set)
    for path in files:
        for name in imported(path, modules):
            readers[name].add(name_of(path))
    mine = [path for path in files if path.parts[0] not in NOT_THE_ENGINE]
    mine = [path for path in mine if len(path.parts) > 1 and path.stem != "__init__"]
    mine = [path for path in mine if path.stem != "__main__"]
    lines = {path: len(path.read_text().splitlines()) for path in mine}
    leaflets = [path for path in mine if lines[path] < PAGE and len(readers[name_of(path)]) <= 1]
    packages: dict[Path, int] = defaultdict(int)
    for path in mine:
        packages[path.parent] += 1
    print(f"modules {len(mine)}, median {median(lines.values()):.0f} lines")
    print(f"with at most one reader and fewer than {PAGE} lines: {len(leaflets)}")
    for path in sorted(leaflets):
        reader = ", ".join(readers[name_of(path)]) or "nobody"
        print(f"  {path} ({lines[path]}) read by {reader}")
    large = {path: n for path, n in packages.items() if n > MOST_IN_A_PACKAGE}
    print(f"packages above {MOST_IN_A_PACKAGE} modules: {len(large)}")
    for path, n in sorted(large.items()):
        print(f"  {path} ({n})")


if __name__ == "__main__":
    main()
