"""
Refuse words that ``docs/contributing/writing.md`` replaces, wherever people read them.

Checked are pages, docstrings and comments, and the texts of the engine: errors, issues, command
help, the descriptions of the OpenAPI document, templates, and the messages of the elements.

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
EXCEPTED = ("docs/adr/", "docs/error-codes.md", "docs/_site/")
NOT_OURS = {".venv", "var", "frontend", "static"}
FOR_DEVELOPERS = {"tests", "eval", "bench", "scripts", "examples", "docs"}  # their strings are data
LEAST_WORDS = 3  # a shorter string is a name or a key
IS_NO = (
    r"(?<!there )(?<!there\n)\b(?:is|are|was|were) no\b(?!\s(?:longer|more|less|farther|further)\b)"
)
STANDS = r"\b(?:stand|stands|stood|standing)\b(?! (?:for|out)\b|-in\b)"
NO_ACTOR = r"\b(?:some|no)body\b|\bwhoever\b|(?<!by )(?<!from )(?<!of )\bwhom\b"
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
    NO_ACTOR: "name the actor: the engine, a person, a receiver",
    r"\bthe other way (?:round|around)\b": "write “vice versa”",
    r"\bonto the field\b": "write “to the field”",
}
PATTERNS = {re.compile(words, re.IGNORECASE): instead for words, instead in WORDS.items()}
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
COMMENT = re.compile(r"(?:(?<=\s)|^)//[^\n]*|/\*.*?\*/", re.DOTALL | re.MULTILINE)
MESSAGE = re.compile(r"\w+: '((?:[^'\\\n]|\\.)*)'")
CATALOGUES = ("src/messages/en.ts", "src/messages/en_steps.ts", "src/editor/words/en.ts")
TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}|<[^>]*>", re.DOTALL)


def findings(text: str) -> Iterator[str]:
    """
    Yield what a text should say in other words, a line each.

    >>> list(findings("It is read anew.\\nThere is no `room` here."))
    ['1: “anew”: write “again”']
    >>> list(findings("It is no\\nlonger a file. A dash is no value."))
    ['2: “is no”: write “is not a …”']
    """
    prose = CODE.sub(lambda code: re.sub(r"[^\n]", "_", code[0]), text)
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


def texts_of(source: str) -> str:
    """
    Return the strings of a module that hold prose, each on its lines; other lines are empty.

    >>> texts_of("raise Conflict('It waits for no bytes.')" + chr(10) + "KEY = 'in vain'")
    'It waits for no bytes.\\n'
    """
    lines = [""] * (source.count("\n") + 1)
    tree = ast.parse(source)
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            is_prose = len(node.value.split()) >= LEAST_WORDS and "\\" not in node.value
            if is_prose and id(node) not in docstrings:
                lines[node.lineno - 1] += " ".join(node.value.split())
    return "\n".join(lines)


def blanked(source: str, kept: re.Pattern[str], group: int = 0) -> str:
    """
    Return what a pattern finds in a text, each on its lines; other lines are empty.

    >>> blanked("let a = 1 // anew" + chr(10) + "/** A room. */", COMMENT)
    '// anew\\n/** A room. */'
    """
    lines = [""] * (source.count("\n") + 1)
    for match in kept.finditer(source):
        first = source.count("\n", 0, match.start(group))
        for number, line in enumerate(match[group].split("\n")):
            lines[first + number] += line
    return "\n".join(lines)


def elements() -> Iterator[tuple[Path, str]]:
    """Yield the sources of the elements with their comments, and with the English messages."""
    for folder in ("src", "tests"):
        for path in sorted((ROOT / "frontend" / folder).rglob("*.ts")):
            source = path.read_text("utf-8")
            yield path, blanked(source, COMMENT)
            if path.as_posix().endswith(CATALOGUES):
                yield path, blanked(source, MESSAGE, 1)


def templates() -> Iterator[tuple[Path, str]]:
    """Yield the templates without their tags."""
    for path in sorted((ROOT / "templates").rglob("*.html")):
        text = path.read_text("utf-8")
        yield path, TAG.sub(lambda tag: re.sub(r"[^\n]", " ", tag[0]), text)


def checked() -> Iterator[tuple[Path, str]]:
    """Yield every text that people read, with its file."""
    for page in pages():
        yield page, page.read_text("utf-8")
    for module in modules():
        source = module.read_text("utf-8")
        yield module, prose_of(source)
        if module.relative_to(ROOT).parts[0] not in FOR_DEVELOPERS and "migrations" not in str(
            module
        ):
            yield module, texts_of(source)
    yield from elements()
    yield from templates()


def main() -> int:
    """Check every text."""
    texts = list(checked())
    found = [f"{path.relative_to(ROOT)}:{line}" for path, text in texts for line in findings(text)]
    print("\n".join(found) or f"words: {len(texts)} texts use the words of the style guide")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
