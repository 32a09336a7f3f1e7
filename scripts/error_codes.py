"""
Write ``docs/error-codes.md``: every code of an error, where it comes from, and what to do.

    python scripts/error_codes.py         write it
    python scripts/error_codes.py check   say whether it follows the source

Codes, statuses and sentences are read from the source; ``docs/error-codes.toml`` says what to do.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from common.wording.messages import english  # noqa: E402 - after the path

PAGE = ROOT / "docs" / "error-codes.md"
ADVICE = ROOT / "docs" / "error-codes.toml"
OF_A_COMMAND = "–"  # the status of what only a command says
SERVICE, FILE = "ServiceError", "TabularProblem"
CALLS = {SERVICE, "ContractRefused"}  # a refused contract is translated by contracts.errors
PLACE = r"(?<!\{)\{\w+[^{}]*\}(?!\})"  # of what a template puts in
BRACES = str.maketrans({"{": "", "}": ""})
OUTSIDE = ("tests/", "examples/", "eval/", "bench/", "scripts/", "docs/")
SET_LATER = {"method_not_allowed": 405, "not_acceptable": 406, "internal_error": 500}
HEAD = """# Error codes

An error of the HTTP API is `application/problem+json` (RFC 9457). Read `code` in your program: a
code is stable. Show `detail` to people: its words may change. `errors[]` names each member that is
wrong. `type` is the address of a page of this documentation about the code.

```json
{"type": "/docs/problems/not_in_review", "title": "Conflict", "status": 409,
 "code": "not_in_review", "detail": "The import is not in review; its rows cannot be changed."}
```

A tool for agents returns the same `code` and `detail`, and adds a `nextStep`. Issues of cells are
not errors: [Validations](validations.md) lists their codes.

<!-- Written by scripts/error_codes.py from the source and error-codes.toml. -->
"""
FILES = """## Problems of a file

A file that cannot be used fails no call. Its import gets the state `failed`, and `problem` holds a
code of this table. A dry run answers 422 with the same code.
"""
PLACES = """## Problems of a feed

A feed whose place cannot be read fails no call, either. `problem` of its run holds a code of this
table, and so does each of the `problems` that a test of the feed finds. A count of a run under such
a code says how much was left out.
"""
OF_PLACES = ROOT / "feeds" / "sources"
CODE_OF_A_PLACE = re.compile(r"source(_[a-z]+)+")


class UnusableSource(ValueError):
    """A code cannot be documented."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A class of the source, as far as errors go."""

    name: str
    bases: tuple[str, ...]
    doc: str
    code: str | None
    status: int | None
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Code:
    """One code at one place of the source."""

    code: str
    status: int | None
    sentence: str  # of a class of the engine, what its key is worded as
    of_file: bool = False  # it is the problem of a file, not the refusal of a call


@dataclass(slots=True)
class Source:
    """What the modules of the engine say about errors."""

    classes: dict[str, list[Declared]] = field(default_factory=dict)
    calls: list[tuple[str, str, str]] = field(default_factory=list)  # class, code, sentence

    def add(self, text: str) -> None:
        """Read one module."""
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                declaration = declared(node)
                self.classes.setdefault(declaration.name, []).append(declaration)
            elif isinstance(node, ast.Call | ast.Tuple) and (made := coded(node)):
                self.calls.append(made)

    def line_of(self, name: str) -> list[Declared]:
        """List a class and those it inherits from, nearest first."""
        line, waiting = [], [name]
        while waiting:
            for class_ in self.classes.get(waiting.pop(0), []):
                if class_ not in line:
                    line.append(class_)
                    waiting += class_.bases
        return line

    def codes(self) -> Iterator[Code]:
        """Yield each code, once for each place that has it."""
        for variants in self.classes.values():
            for variant in variants:
                line = [variant, *(far for base in variant.bases for far in self.line_of(base))]
                if variant.code and any(CALLS & {far.name, *far.bases} for far in line):
                    status = next((far.status for far in line if far.status), None)
                    yield Code(
                        variant.code, status, worded(variant.key or variant.code, variant.doc)
                    )
        for name, code, sentence in self.calls:
            line = self.line_of(name)
            roots = {far.name for far in line}
            if SERVICE in roots:
                status = next((far.status for far in line if far.status), None)
                keys = (far.key or far.code for far in line)
                key = next((key for key in keys if key), "")
                yield Code(code, SET_LATER.get(code, status), worded(sentence or key, sentence))
            elif FILE in roots:
                yield Code(code, None, sentence, of_file=True)


def declared(node: ast.ClassDef) -> Declared:
    """Read a class: its code and status, if it sets them."""
    values: dict[str, object] = {}
    for line in node.body:
        if isinstance(line, ast.Assign) and isinstance(line.value, ast.Constant):
            values |= {
                target.id: line.value.value
                for target in line.targets
                if isinstance(target, ast.Name)
            }
    code, status, key = (values.get(name) for name in ("code", "status", "key"))
    return Declared(
        name=node.name,
        bases=tuple(ast.unparse(base).rpartition(".")[2] for base in node.bases),
        doc=(ast.get_docstring(node) or "").split("\n\n")[0].replace("\n", " "),
        code=code if isinstance(code, str) else None,
        status=status if isinstance(status, int) else None,
        key=key if isinstance(key, str) else None,
    )


def coded(node: ast.Call | ast.Tuple) -> tuple[str, str, str] | None:
    """Read what gives an error a code: its class, the code, and the sentence."""
    if isinstance(node, ast.Call):
        return with_code(node)
    match node.elts:  # a row of common.http.problems.TRANSLATED
        case [_, ast.Attribute(value=ast.Name(id="errors"), attr=name), ast.Constant(value=code)]:
            return (name, str(code), "") if code else None
    return None


def with_code(node: ast.Call) -> tuple[str, str, str] | None:
    """Read a call: ``Conflict("file_gone.late")``, ``UnreadableFile("empty_file", "...")``."""
    name = ast.unparse(node.func).rpartition(".")[2]
    texts = [text_in(arg) for arg in node.args]
    named = [text_in(keyword.value) for keyword in node.keywords if keyword.arg == "code"]
    if named and named[0]:
        return name, named[0], (texts or [""])[0]
    if len(texts) > 1 and re.fullmatch(r"[a-z]+(_[a-z]+)+|timeout", texts[0]):
        return name, texts[0], texts[1]
    if name == "LimitExceeded" and texts:
        return name, "too_large", texts[0]
    if texts and texts[0] in english().templates:
        return name, texts[0].partition(".")[0], texts[0]
    return None


def worded(key: str, sentence: str) -> str:
    """Return the English template of a key, without what is put in; without one, what is said."""
    template = english().templates.get(key)
    return sentence if template is None else re.sub(PLACE, "…", template).translate(BRACES)


def text_in(node: ast.expr) -> str:
    """
    Return the text of an expression, with what is put in by name; empty when it is none.

    >>> text_in(ast.parse("f'Wait {minutes} minutes.'", mode="eval").body)
    'Wait … minutes.'
    """
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    if isinstance(node, ast.IfExp):
        return text_in(node.body)
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Sentence":
        return re.sub(PLACE, "…", text_in(node.args[0]))
    if isinstance(node, ast.JoinedStr):
        return "".join(
            text_in(item) if isinstance(item, ast.Constant) else "…" for item in node.values
        )
    return ""


def source() -> Source:
    """Read the modules of the engine."""
    listed = ["git", "ls-files", "-co", "--exclude-standard", "*.py"]
    names = subprocess.check_output(listed, text=True, cwd=ROOT).split()
    parsed = Source()
    for name in sorted(names):
        if not name.startswith(OUTSIDE) and (ROOT / name).exists():
            parsed.add((ROOT / name).read_text("utf-8"))
    return parsed


def statuses_and_sentences(codes: Iterable[Code]) -> dict[str, tuple[set[int], str]]:
    """Return the statuses of each code, and the first sentence that the source has for it."""
    by_code: dict[str, tuple[set[int], str]] = {}
    for code in codes:
        statuses, sentence = by_code.get(code.code, (set(), ""))
        statuses |= {code.status} if code.status else set()
        by_code[code.code] = (statuses, sentence or code.sentence)
    return by_code


@dataclass(frozen=True, slots=True)
class Entry:
    """One code as readers see it. status: empty for a problem of a file."""

    code: str
    status: str
    means: str
    do: str

    def row(self) -> str:
        """Return the row of a table."""
        cells = [f"`{self.code}`", *([self.status] if self.status else []), self.means, self.do]
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    def page(self) -> str:
        """Return the page that the ``type`` of a problem names."""
        is_of_call = self.status not in {"", OF_A_COMMAND}
        status = f"**Status** {self.status}\n\n" if is_of_call else ""
        do = re.sub(r"\]\((?=[\w/-]+\.md)", "](../", self.do)  # the page lies one folder lower
        return (
            f"# {self.code}\n\n{status}{self.means}\n\n**What to do**\n\n{do}\n\n"
            "[All error codes](../error-codes.md)\n"
        )


def entries(by_code: dict[str, tuple[set[int], str]], advice: dict[str, Any]) -> Iterator[Entry]:
    """Yield each code in its order; UnusableSource where the source and the advice differ."""
    extra = {code for code, item in advice.items() if isinstance(item, dict) and "means" in item}
    if lacking := sorted(by_code.keys() - advice.keys()):
        raise UnusableSource(f"say in {ADVICE.name} what to do about {', '.join(lacking)}")
    if gone := sorted(advice.keys() - by_code.keys() - extra):
        raise UnusableSource(f"{ADVICE.name}: the source has no {', '.join(gone)}")
    for code in sorted(advice):
        given = advice[code] if isinstance(advice[code], dict) else {"do": advice[code]}
        statuses, sentence = by_code.get(code, (set(), ""))
        shown = ", ".join(map(str, sorted({given["status"]} if "status" in given else statuses)))
        entry = Entry(code, shown, given.get("means", sentence), given["do"])
        if not entry.means or not entry.do:
            raise UnusableSource(f"say in {ADVICE.name} what {code} means")
        yield entry


def refused_calls() -> list[Entry]:
    """Return the codes of refused calls; UnusableSource."""
    calls = _entries(is_of_file=False)
    return [replace(entry, status=entry.status or OF_A_COMMAND) for entry in calls]


def problems_of_files() -> list[Entry]:
    """Return the codes of files that cannot be used; UnusableSource."""
    return _entries(is_of_file=True)


def problems_of_feeds() -> list[Entry]:
    """Return the codes of what is wrong with the place of a feed; UnusableSource."""
    texts = (path.read_text("utf-8") for path in sorted(OF_PLACES.glob("*.py")))
    codes = {code for text in texts for code in codes_of_places(text)}
    advice = tomllib.loads(ADVICE.read_text("utf-8"))["source"]
    return list(entries({code: (set(), worded(code, "")) for code in codes}, advice))


def codes_of_places(text: str) -> set[str]:
    """
    Return the codes that a module of a source names.

    >>> codes_of_places("raise SourceError('source_too_large', size=1)")
    {'source_too_large'}
    """
    constants = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant))
    return {str(node.value) for node in constants if CODE_OF_A_PLACE.fullmatch(str(node.value))}


def _entries(*, is_of_file: bool) -> list[Entry]:
    advice = tomllib.loads(ADVICE.read_text("utf-8"))["file" if is_of_file else "api"]
    codes = (code for code in source().codes() if code.of_file is is_of_file)
    return list(entries(statuses_and_sentences(codes), advice))


def page() -> str:
    """Return the page of all codes; UnusableSource."""
    head = "| Code | Status | What it means | What to do |\n|---|---|---|---|"
    head_of_files = "| Code | What it means | What to do |\n|---|---|---|"
    calls = "\n".join([head, *(entry.row() for entry in refused_calls())])
    files = "\n".join([head_of_files, *(entry.row() for entry in problems_of_files())])
    feeds = "\n".join([head_of_files, *(entry.row() for entry in problems_of_feeds())])
    return f"{HEAD}\n## Refused calls\n\n{calls}\n\n{FILES}\n{files}\n\n{PLACES}\n{feeds}\n"


def main(arguments: list[str]) -> int:
    """Write the page, or check it."""
    try:
        text = page()
    except UnusableSource as error:
        print(f"error codes: {error}", file=sys.stderr)
        return 1
    if arguments == ["check"]:
        is_current = PAGE.is_file() and PAGE.read_text("utf-8") == text
        print("error codes: " + ("up to date" if is_current else f"run {Path(__file__).name}"))
        return 0 if is_current else 1
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
