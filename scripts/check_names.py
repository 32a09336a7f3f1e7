"""
Refuse names that do not say what a value is: ``one``, ``found``, ``told``, ``asked``, ``said``.

Checked is every Python file: variables, parameters, fields of classes, and functions. Names of
functions and classes use the words of the style page, too. Code inside strings is not looked at,
nor are migrations, which stay as they were applied.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

INSTEAD = {
    "one": "name the item: `row`, `first`, `question`",
    "other_one": "name the item: `row`, `second`, `question`",
    "found": "name what was found: `table`, `matches`, `columns`",
    "told": "name what is shown or sent: `message`, `findings`, `answer`",
    "asked": "name what is asked: `questions`, `query`, `requested`",
    "said": "name what it is: `message`, `response`, `output`, `results`",
}
WORDS = re.compile(
    r"(?:^|_)(?:anew|in_vain|stands?(?!_(?:for|out)(?:_|$))|beside|house|rooms?(?!_(?:for|left)_)"
    r"|doors?|conductor|riddle|sister|somebody|nobody|whoever|(?<!by_)whom"
    r"|(?<!there_)(?:is|are|was|were)_no(?!_(?:longer|more|less|one)))(?=_|$)",
    re.IGNORECASE,
)
STAYS = {("schemas/shapes/changesets.py", "told")}  # a member of the API


def bound(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """
    Yield each name that a module gives a value, with its line.

    >>> list(bound(ast.parse("for one, row in found: told = lambda asked: (other := row)")))
    [(1, 'one'), (1, 'row'), (1, 'told'), (1, 'asked'), (1, 'other')]
    """
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield node.lineno, name
            case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield node.lineno, name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)):
                yield node.lineno, name
            case ast.alias(asname=str(name)):
                yield node.lineno, name


def worded(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """
    Yield each function and class whose name holds a word that the style page replaces.

    >>> list(worded(ast.parse("def test_a_page_is_no_file(): pass")))
    [(1, 'test_a_page_is_no_file')]
    >>> list(worded(ast.parse("def is_no_longer_standing(): pass")))
    []
    """
    for node in ast.walk(tree):
        match node:
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                if WORDS.search(name):
                    yield node.lineno, name


def findings(path: str, source: str) -> Iterator[str]:
    """
    Yield the names of a file that say nothing, a line each with what the file has there.

    >>> list(findings("a.py", "rows = [one for one in rows]"))
    ['a.py:1: `one` in `rows = [one for one in rows]`: name the item: `row`, `first`, `question`']
    """
    lines = source.splitlines()
    tree = ast.parse(source)
    for line, name in worded(tree):
        yield f"{path}:{line}: `{name}`: use the words of docs/contributing/writing.md"
    for line, name in dict.fromkeys(sorted(bound(tree))):
        if name in INSTEAD and (path, name) not in STAYS:
            yield f"{path}:{line}: `{name}` in `{lines[line - 1].strip()}`: {INSTEAD[name]}"


def is_checked(path: Path) -> bool:
    """Return whether the names of a file are checked."""
    return path.exists() and "migrations" not in path.parts


def main() -> int:
    """Check every tracked Python file."""
    names = subprocess.check_output(
        ["git", "ls-files", "-co", "--exclude-standard", "*.py"], text=True
    )
    paths = [path for path in map(Path, names.split()) if is_checked(path)]
    problems = [
        problem for path in paths for problem in findings(path.as_posix(), path.read_text("utf-8"))
    ]
    print("\n".join(problems) or f"names: {len(paths)} files name what their values are")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
