"""
Refuse words that ``docs/contributing/writing.md`` replaces, wherever people read them.

Checked are pages, docstrings and comments, and the texts of the engine: errors, issues, command
help, the descriptions of the OpenAPI document, templates, the messages of the elements, and what
``eval`` and ``bench`` print. So are the scripts of pages and examples, and files of settings.

Code, in blocks and between backticks, is not looked at. The sentences of ``error-codes.md`` belong
to the source.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
EXCEPTED = ("docs/error-codes.md", "docs/_site/")
NOT_OURS = {".venv", "var", "frontend", "static", "dist", "node_modules"}
FOR_DEVELOPERS = {"tests", "scripts", "examples", "docs"}  # their strings are data
GENERATED = {"node_modules", "elements", "vendor", "build", "dist"}  # folders of scripts
SCRIPTS = {
    "frontend": ("*.ts", "*.mjs", "*.js"),
    "packages": ("*.ts",),
    "sdk": ("*.ts",),
    "static": ("*.js",),
    "examples": ("*.mjs", "*.go", "*.php"),
}
SETTINGS = (
    "Makefile",
    ".importlinter",
    "*.toml",
    "*.yml",
    "*.in",
    "deploy/**/*.y*ml",
    "docs/*.toml",
    "common/wording/locale/en.toml",
)
LEAST_WORDS = 3  # a shorter string is a name or a key
IS_NO = r"(?<!there\s)\b(?:is|are|was|were)\s+no\b(?!\s+(?:longer|more|less|farther|further)\b)"
STANDS = r"\b(?:stand|stands|stood|standing)\b(?! (?:for|out)\b|-in\b)"
NO_ACTOR = r"\b(?:some|no)body\b|\bwhoever\b|(?<!by\s)(?<!from\s)(?<!of\s)\bwhom\b"
WORDS = {
    r"\banew\b": "write “again”",
    r"\bin\s+vain\b": "write “needlessly” or “without effect”",
    STANDS: "write “is”, “stays” or “applies”",
    IS_NO: "write “is not a …”",
    r"\bsa(?:y|ys|id)\s+otherwise\b": "write what differs",
    r"\bbeside\b(?!:)": "write “besides” (also) or “next to” (place)",
    r"\bhouses?\b": "write “system”",
    r"\brooms?\b(?! (?:for|left)\b)": "write “package” or “space”",
    r"\bdoors?\b": "write what it is: an address, a check, a limit",
    r"\bconductors?\b": "write what runs the work",
    r"\briddles?\b": "write “question” or “problem”",
    NO_ACTOR: "name the actor: the engine, a person, a receiver",
    r"\bthe\s+other\s+way\s+(?:round|around)\b": "write “vice versa”",
    r"\bbelongs?\s+into\b": "write “belongs in”",
    r"\bto\s+and\s+forth\b": "write “back and forth”",
    r"\bonto\s+the\s+field\b": "write “to the field”",
}
PATTERNS = {re.compile(words, re.IGNORECASE): instead for words, instead in WORDS.items()}
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
COMMENT = re.compile(r"(?:(?<=\s)|^)//[^\n]*|/\*.*?\*/", re.DOTALL | re.MULTILINE)
MESSAGE = re.compile(r"\w+: '((?:[^'\\\n]|\\.)*)'")
HASH = re.compile(r"(?:^|\s)#+ (.*)$", re.MULTILINE)
SENTENCE = re.compile(r'"([^"\n]* [^"\n]* [^"\n]*)"')
CATALOGUES = ("src/messages/en.ts", "src/messages/en_steps.ts", "src/editor/words/en.ts")
TAG = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}|<[^>]*>", re.DOTALL)


def findings(text: str) -> Iterator[str]:
    """
    Yield what a text should say in other words, a line each.

    >>> list(findings("It is read anew.\\nThere is no `room` here."))
    ['1: “anew”: write “again”']
    >>> list(findings("It is no\\nlonger a file. A dash is no value."))
    ['2: “is no”: write “is not a …”']
    >>> list(findings("It was read in\\n    vain."))
    ['1: “in vain”: write “needlessly” or “without effect”']
    """
    prose = CODE.sub(lambda code: re.sub(r"[^\n]", "_", code[0]), text)
    for pattern, instead in PATTERNS.items():
        for match in pattern.finditer(prose):
            line = prose.count("\n", 0, match.start()) + 1
            yield f"{line}: “{' '.join(match[0].split())}”: {instead}"


def pages() -> Iterator[Path]:
    """Yield the pages that people read."""
    for page in sorted(ROOT.rglob("*.md")):
        name = page.relative_to(ROOT)
        if not NOT_OURS & set(name.parts) and not name.as_posix().startswith(EXCEPTED):
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
    'one.\\n\\nRead it.'
    """
    lines = [""] * (source.count("\n") + 1)
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            is_trailing = not token.line.lstrip().startswith("#")
            lines[token.start[0] - 1] = token.string.lstrip("#: ") + "." * is_trailing
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
    'It waits for no bytes. \\n'
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
            text = node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "_" for part in node.values)
            text = "".join(map(str, parts))
        else:
            continue
        is_prose = len(text.split()) >= LEAST_WORDS and "\\" not in text
        if is_prose and id(node) not in docstrings:
            lines[node.lineno - 1] += " ".join(text.split()) + " "
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


def scripts() -> Iterator[tuple[Path, str]]:
    """Yield scripts with their comments, and those of the elements with the English messages."""
    for top, patterns in SCRIPTS.items():
        for path in sorted(file for each in patterns for file in (ROOT / top).rglob(each)):
            if GENERATED & set(path.relative_to(ROOT / top).parts[:-1]):
                continue
            source = path.read_text("utf-8")
            yield path, blanked(source, COMMENT)
            if path.as_posix().endswith(CATALOGUES):
                yield path, blanked(source, MESSAGE, 1)


def settings() -> Iterator[tuple[Path, str]]:
    """Yield the files of settings with their comments, and with sentences between quotes."""
    for path in sorted(file for pattern in SETTINGS for file in ROOT.glob(pattern)):
        source = path.read_text("utf-8")
        yield path, blanked(source, HASH, 1)
        yield path, blanked(source, SENTENCE, 1)


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
    yield from scripts()
    yield from settings()
    yield from templates()


def main() -> int:
    """Check every text."""
    texts = list(checked())
    problems = [
        f"{path.relative_to(ROOT)}:{line}" for path, text in texts for line in findings(text)
    ]
    print("\n".join(problems) or f"words: {len(texts)} texts use the words of the style guide")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
