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
from tabular.model.sentences import LANGUAGES, PHRASE, translated

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
FILLERS = "7", "3 rows have errors", "A value is required."  # a name, a phrase, a sentence
TOLD_TO_PROGRAMS = {"help_text", "description", "summary"}


@cache
def sentences() -> dict[str, tuple[str, ...]]:
    """Return the location of every sentence for people, and samples of it with values."""
    by_place = {}
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            name = str(path.relative_to(ROOT))
            if not any(part in f"/{name}" for part in NOT_FOR_PEOPLE):
                for line, texts in samples(ast.parse(path.read_text("utf-8"))):
                    by_place[f"{name}:{line} {texts[0]}"] = texts
    return by_place


def samples(tree: ast.AST) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yield the line of each sentence of a module and its samples, without texts for programs."""
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
            texts = tuple(text_of(node, filler) for filler in FILLERS)
            if re.fullmatch(r"[A-Z].* .*[a-z)`\d]\.", texts[0], re.DOTALL):
                yield node.lineno, texts


def text_of(node: ast.expr, filler: str) -> str:
    if isinstance(node, ast.Constant):
        text = node.value if isinstance(node.value, str) else ""
        return re.sub(r"(?<!\{)\{[a-z_]+(:,)?\}", "7", text).replace("{{", "{").replace("}}", "}")
    return "".join(
        part.value if isinstance(part, ast.Constant) else filled(part.value, filler)
        for part in node.values
    )


def filled(value: ast.expr, filler: str) -> str:
    """Return a sample for a placeholder: counts and sizes are phrases."""
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "sized":
        return "4 GiB"
    if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "counted":
        return f"3 {value.args[2].value}" if len(value.args) > 2 else f"3 {value.args[1].value}s"
    return filler


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("code", CODES)
def test_every_code_of_an_issue_speaks_every_language(code, language):
    params = dict.fromkeys(re.findall(r"\{(\w+)\}", "".join(SENTENCES[code])), "7")
    params |= {"firstRow": 3, "op": "gte"}

    translation, english = render(code, params, language=language), render(code, params)

    assert all(sentence != other for sentence, other in zip(translation, english, strict=True))
    assert not any("{" in item for item in translation)


@pytest.mark.parametrize("language", OTHERS)
def test_no_sentence_that_the_source_writes_for_people_stays_english(language):
    english = [
        place
        for place, texts in sentences().items()
        if all(translated(text, language) == text for text in texts)
    ]

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
