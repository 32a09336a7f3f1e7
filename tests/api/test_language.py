"""People read the engine's sentences in their language; codes never change."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from agents.refusals import NEXT_STEPS, OF_ENTITLEMENTS
from common.http.language import wanted
from tabular.model.issue import CODES, SENTENCES, render
from tabular.model.sentences import LANGUAGES, PHRASE, catalogue, translated

ROOT = Path(__file__).resolve().parent.parent.parent
OTHERS = LANGUAGES[1:]
ROOMS = (
    "agents", "api", "catalogs", "changesets", "common", "contracts", "deliveries", "imports",
    "ledger", "licensing", "references", "sandbox", "signatures", "staging", "tabular", "previews",
    "schemas",
)  # fmt: skip
NOT_FOR_PEOPLE = (  # what developers, operators and models read
    "/migrations/", "/management/", "/commands/", "admin.py", "/admin/",
    "licensing/people/", "__main__.py", "summaries.py",
    "openapi.py", "licensing/checks.py", "catalog_members.py", "sandbox/forks.py",
    "contracts/report.py", "contracts/receipts/", "catalogs/row_types/",
    "deliveries/rehearsal/", "step/isolation.py", "phone_patterns.py",
    "api/delivered.py", "api/notified.py", "v1/license.py", "shapes/webhooks.py",
    "agents/registry.py", "agents/server.py", "agents/http.py", "agents/views.py",
)  # fmt: skip
TOLD_TO_PROGRAMS = {"help_text", "description", "summary"}


@cache
def sentences() -> dict[str, str | None]:
    """Return each sentence for people by its location; None for one that an f-string finishes."""
    by_place = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            name = str(path.relative_to(ROOT))
            if not any(part in f"/{name}" for part in NOT_FOR_PEOPLE):
                for line, shown, text in sentences_of(ast.parse(path.read_text("utf-8"))):
                    by_place[f"{name}:{line} {shown}"] = text
    return by_place


def sentences_of(tree: ast.AST) -> Iterator[tuple[int, str, str | None]]:
    """Yield the line of each sentence of a module, a sample, and the text, if it is constant."""
    passed_over = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr):
                passed_over.add(id(first.value))
        if isinstance(node, ast.keyword) and node.arg in TOLD_TO_PROGRAMS:
            passed_over |= {id(inner) for inner in ast.walk(node.value)}
        if isinstance(node, ast.Dict):
            members = zip(node.keys, node.values, strict=True)
            passed_over |= {
                id(inner)
                for key, value in members
                if isinstance(key, ast.Constant) and key.value in TOLD_TO_PROGRAMS
                for inner in ast.walk(value)
            }
        if isinstance(node, ast.JoinedStr):
            passed_over |= {id(part) for part in node.values}
    for node in ast.walk(tree):
        if id(node) not in passed_over and isinstance(node, ast.Constant | ast.JoinedStr):
            sample = sample_of(node)
            if re.fullmatch(r"[A-Z{].* .*[a-z)`\d}]\.", sample, re.DOTALL):
                yield node.lineno, sample, sample if isinstance(node, ast.Constant) else None


def sample_of(node: ast.Constant | ast.JoinedStr) -> str:
    parts = node.values if isinstance(node, ast.JoinedStr) else [node]
    text = "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in parts)
    return text.replace("{{", "{").replace("}}", "}")


def is_translated(template: str, language: str) -> bool:
    """Return whether a message has a translation; one about a member, for any pointer."""
    translations = catalogue(language)
    return template in translations or template.replace("{member}", "“{member}”") in translations


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("code", CODES)
def test_every_code_of_an_issue_speaks_every_language(code, language):
    params = dict.fromkeys(re.findall(r"\{(\w+)\}", "".join(SENTENCES[code])), "7")
    params |= {"firstRow": 3, "op": "gte"}

    translation, english = render(code, params, language=language), render(code, params)

    assert all(sentence != other for sentence, other in zip(translation, english, strict=True))
    assert not any("{" in item for item in translation)


def test_no_sentence_for_people_is_filled_where_it_is_made():
    finished = [place for place, text in sentences().items() if text is None]

    assert "\n".join(finished) == ""


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_that_the_source_writes_for_people_stays_english(language):
    english = [
        place
        for place, text in sentences().items()
        if text is not None and not is_translated(text, language)
    ]

    assert len(sentences()) > 400
    assert "\n".join(english) == ""


def branches(value: ast.expr) -> list[ast.expr]:
    """Return what an expression may be: both sides of a choice."""
    return [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]


@pytest.mark.parametrize("language", OTHERS)
def test_every_doubt_about_columns_speaks_every_language(language):
    content = [
        (f"{path.name}:{node.lineno}", word.value)
        for path in (ROOT / "tabular/matching").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Doubt"
        for argument in node.args
        for word in branches(argument)
        if isinstance(word, ast.Constant)
    ]

    assert len(content) >= 8
    assert [item for item in content if translated(item[1], language) == item[1]] == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("step", [*NEXT_STEPS.values(), *OF_ENTITLEMENTS.values()])
def test_what_an_agent_is_told_to_do_speaks_every_language(step, language):
    assert translated(step, language) != step


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_holds_sentences_and_phrases(language):
    from babel.messages.pofile import read_po

    with (ROOT / f"tabular/model/locale/{language}.po").open("rb") as file:
        entries = [entry for entry in read_po(file) if entry.id]

    assert {entry.context for entry in entries} == {None, PHRASE}


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("iw-IL, en;q=0.3", "he"),
        ("tlh, es;q=0.3", "es"),
        ("fr;q=0.1, en;q=0.9", "en"),
        ("tlh", "en"),
        ("*", "en"),
        ("", "en"),
        (";;;,q=x", "en"),
    ],
)
def test_the_first_language_that_the_engine_speaks_is_taken(header, language):
    assert wanted(header) == language
