"""Every code of a source has a sentence, and what the sentence puts in."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from common.wording.messages import english
from feeds.sources import s3, web
from feeds.sources.wording import message_of

FOLDER = Path(__file__).resolve().parents[3] / "feeds" / "sources"
TEMPLATES = english().templates


def errors() -> Iterator[tuple[str, set[str]]]:
    """Yield each code that is raised or noted by name, with the names of its parameters."""
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "SourceError":
                code = node.args[0]
                if isinstance(code, ast.Constant):
                    yield str(code.value), {str(keyword.arg) for keyword in node.keywords}


def test_every_error_has_a_sentence_and_sends_what_it_puts_in():
    wrong = {
        code
        for code, params in errors()
        if not {name for _, name, _, _ in Formatter().parse(TEMPLATES[code]) if name}
        <= params | {"count"}
    }

    assert wrong == set()


@pytest.mark.parametrize("code", sorted({*s3.CODES.values(), *web.REFUSALS.values()}))
def test_every_answer_of_a_store_or_a_server_has_a_sentence(code):
    assert message_of(code, {}).text()


def test_a_source_has_no_sentence_that_it_never_says():
    source = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.py"))

    assert {key for key in TEMPLATES if key.startswith("source_") and key not in source} == set()
