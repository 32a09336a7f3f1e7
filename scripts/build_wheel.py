"""
Build what a counterparty installs: ``python scripts/build_wheel.py FOLDER``.

One wheel of the pure packages (tabular, pipeline, sandbox, signatures), the pure half of contracts,
without Django. It needs no build tool: a wheel of pure Python is a zip of the files and three
lists.
"""

import ast
import base64
import configparser
import hashlib
import re
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import packages_distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NAME = "import_engine_contracts"
ROOMS = ("tabular", "sandbox", "signatures", "pipeline")
NAMED_IN_TEXT = "tabular/job/preloading.py"  # imports by name, in strings
EPOCH = (1980, 1, 1, 0, 0, 0)  # makes the wheel reproducible
LEFT_OUT = {"__pycache__"}
ABOUT_WHEEL = (
    b"Wheel-Version: 1.0\nGenerator: build_wheel\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
)


def main(arguments: list[str]) -> int:
    """Write the wheel into a folder and print its path."""
    if len(arguments) != 1:
        print("usage: python scripts/build_wheel.py FOLDER", file=sys.stderr)
        return 2
    print(build(Path(arguments[0])))
    return 0


def build(folder: Path) -> Path:
    """Write the wheel into ``folder``; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    about = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    info = f"{NAME}-{about['version']}.dist-info"
    path = folder / f"{NAME}-{about['version']}-py3-none-any.whl"
    contents = {str(file.relative_to(ROOT)): file.read_bytes() for file in files()}
    contents[f"{info}/METADATA"] = _metadata(about).encode()
    write(path, contents, info)
    return path


def write(path: Path, contents: Mapping[str, bytes], info: str) -> None:
    """Write a wheel with the lists that belong in it. info: its folder for METADATA and these."""
    whole = {**contents, f"{info}/WHEEL": ABOUT_WHEEL}
    record = [f"{name},{_digest(data)},{len(data)}" for name, data in whole.items()]
    whole[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in whole.items():
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, data)


def files() -> Iterator[Path]:
    """Yield the files of the wheel; ``.importlinter`` defines the pure modules of contracts."""
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*")):
            if path.is_file() and not LEFT_OUT & set(path.parts):
                yield path
    yield ROOT / "contracts" / "__init__.py"
    lint = configparser.ConfigParser()
    lint.read(ROOT / ".importlinter")
    pure = lint["importlinter:contract:counterparty"]["source_modules"].split()
    for module in sorted(name for name in pure if name.startswith("contracts.")):
        path = ROOT / module.replace(".", "/")
        yield from sorted(path.glob("*.py")) if path.is_dir() else [path.with_suffix(".py")]


def requirements() -> list[str]:
    """Return the pins of what the wheel imports, from ``requirements.in``."""
    imported = {name for path in files() if path.suffix == ".py" for name in _imports(path)}
    text = ast.parse((ROOT / NAMED_IN_TEXT).read_text("utf-8"))
    named = {n.value.split(".")[0] for n in ast.walk(text) if _is_text(n)}  # type: ignore[attr-defined]
    owners = packages_distributions()
    needed = {
        _canonical(owner)
        for name in imported | (named & set(owners))
        for owner in owners.get(name, [])
    }
    lines = (ROOT / "requirements.in").read_text("utf-8").splitlines()
    pins = [line.split("#")[0].strip() for line in lines if "==" in line]
    return [pin for pin in pins if _canonical(re.split(r"[=\[]", pin)[0]) in needed]


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _metadata(about: dict[str, str]) -> str:
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {NAME.replace('_', '-')}",
        f"Version: {about['version']}",
        "Summary: Verify portable contracts and check files against them, offline.",
        f"Requires-Python: {about['requires-python']}",
        *(f"Requires-Dist: {pin}" for pin in requirements()),
    ]
    return "\n".join(lines) + "\n"


def _digest(data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"sha256={digest}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
