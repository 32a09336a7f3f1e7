"""
Refuse words in docs, docstrings and comments that ``docs/contributing/writing.md`` replaces.

Code, in blocks and between backticks, is not looked at. Decisions keep the words they were made
with, and the sentences of ``error-codes.md`` belong to the source.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
QUOTED = "“{value}” is no {entity} that exists."  # a sentence of the source that a page repeats
EXCEPTED = ("docs/adr/", "docs/error-codes.md", "docs/_site/")
NOT_OURS = {".venv", "var", "frontend", "static"}
IS_NO = (
    r"(?<!there )(?<!there\n)\b(?:is|are|was|were) no\b(?!\s(?:longer|more|less|farther|further)\b)"
)
STANDS = r"\b(?:stand|stands|stood|standing)\b(?! (?:for|out)\b|-in\b)"
WORDS = {
    r"\banew\b": "write “again”",
    r"\bin vain\b": "write “needlessly” or “without effect”",
    STANDS: "write “is”, “stays” or “applies”",
    IS_NO: "write “is not a …”",
    r"\bsa(?:y|ys|id) otherwise\b": "write what differs",
    r"\bbeside\b(?!:)": "write “besides” (also) or “next to” (place)",
    r"\bhouses?\b": "write “system”",
    r"\brooms?\b(?! (?:for|left)\b)": "write “package” or “space”",
    r"\bdoors?\b": "write what it is: an address, a check, a limit",
    r"\bconductors?\b": "write what runs the work",
    r"\briddles?\b": "write “question” or “problem”",
}
PATTERNS = {re.compile(words, re.IGNORECASE): instead for words, instead in WORDS.items()}
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)


def findings(text: str) -> Iterator[str]:
    """
    Yield what a text should say in other words, a line each.

    >>> list(findings("It is read anew.\\nThere is no `room` here."))
    ['1: “anew”: write “again”']
    >>> list(findings("It is no\\nlonger a file. A dash is no value."))
    ['2: “is no”: write “is not a …”']
    """
    prose = CODE.sub(lambda code: re.sub(r"[^\n]", "_", code[0]), text.replace(QUOTED, ""))
    for pattern, instead in PATTERNS.items():
        for found in pattern.finditer(prose):
            yield f"{prose.count(chr(10), 0, found.start()) + 1}: “{found[0]}”: {instead}"


def pages() -> Iterator[Path]:
    """Yield the pages that people read."""
    for page in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]:
        name = page.relative_to(ROOT).as_posix()
        if name != "CHANGELOG.md" and not name.startswith(EXCEPTED):
            yield page


def modules() -> Iterator[Path]:
    """Yield the modules whose docstrings and comments are checked."""
    for module in sorted(ROOT.rglob("*.py")):
        top = module.relative_to(ROOT).parts[0]
        if top not in NOT_OURS and module != Path(__file__).resolve():
            yield module


def prose_of(source: str) -> str:
    """
    Return the docstrings and comments of a module, each on its lines; other lines are empty.

    >>> prose_of("a = 'room'  # one" + chr(10) + "def f():" + chr(10) + "    'Read it.'")
    '# one\\n\\nRead it.'
    """
    lines = [""] * (source.count("\n") + 1)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            lines[token.start[0] - 1] = token.string
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(node, clean=False)
        if text is not None:
            first = node.body[0].lineno - 1
            for number, line in enumerate(text.split("\n")):
                lines[first + number] = "" if line.lstrip().startswith((">>>", "...")) else line
    return "\n".join(lines)


def main() -> int:
    """Check every page and module."""
    texts = {page: page.read_text("utf-8") for page in pages()}
    texts |= {module: prose_of(module.read_text("utf-8")) for module in modules()}
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, text in texts.items()
        for line in findings(text)
    ]
    print("\n".join(found) or f"words: {len(texts)} files use the words of the style guide")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
