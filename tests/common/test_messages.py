"""Every message can be said in every language, and the source only says messages."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Formatter

import pytest

from common.errors import ServiceError
from common.wording.messages import Message, english, rendered, wording
from tabular.model.sentences import LANGUAGES

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "agents", "analytics", "api", "catalogs", "changesets", "common", "contracts", "deliveries",
    "feeds", "importengine", "imports", "ledger", "licensing", "links", "mails", "pipeline",
    "previews",
    "references", "schemas", "staging", "workflow",
)  # fmt: skip

TEMPLATES = english().templates
SENTENCE = re.compile(r"\w.* .*\w")
OPTIONS = {"code", "errors", "members"}  # of an error, besides what its message puts in
HEADER = 1  # the key of WrongHeader is its second argument


def kinds_of(kind: type[ServiceError]) -> Iterator[type[ServiceError]]:
    yield kind
    for below in kind.__subclasses__():
        yield from kinds_of(below)


@cache
def modules() -> dict[str, ast.Module]:
    """Return the syntax trees of the product, by their paths."""
    paths = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return {str(path.relative_to(ROOT)): ast.parse(path.read_text("utf-8")) for path in paths}


@cache
def problems() -> tuple[type[ServiceError], ...]:
    """Return every class of error of the product."""
    for path, tree in modules().items():
        names = {base for node in ast.walk(tree) for base in _bases(node)}
        if names and not {"migrations", "management", "__main__.py"} & set(Path(path).parts):
            import_module(path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"))
    ours = {kind for kind in kinds_of(ServiceError) if not kind.__module__.startswith("tests.")}
    return tuple(sorted(ours, key=lambda kind: (kind.__module__, kind.__name__)))


def _bases(node: ast.AST) -> list[str]:
    return [ast.unparse(base) for base in node.bases] if isinstance(node, ast.ClassDef) else []


def calls() -> Iterator[tuple[str, ast.Call]]:
    """Yield each call that makes an error or a message, with its place."""
    makers = {kind.__name__ for kind in problems()} | {"Message"}
    for path, tree in modules().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func).rpartition(".")[2]
                if name in makers or ast.unparse(node.func) == "super().__init__":
                    yield f"{path}:{node.lineno}", node


def keys_in(node: ast.expr) -> list[str]:
    """Return the keys that an argument may be: both sides of a choice."""
    if isinstance(node, ast.IfExp):
        return keys_in(node.body) + keys_in(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value] if node.value in TEMPLATES else []
    return []


def places(template: str) -> list[str]:
    """Return the places of a template, sorted, each with all that is in its braces."""
    return sorted(
        f"{name}!{conversion}:{spec}"
        for _, name, spec, conversion in Formatter().parse(template)
        if name is not None
    )


def names_in(template: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def params_of(template: str) -> dict[str, object]:
    """Return a value for each place of a template."""
    of_numbers = {",", "size", *english().counted}
    return {
        name: 1_234 if spec in of_numbers else "Ada"
        for _, name, spec, _ in Formatter().parse(template)
        if name is not None
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_is_filled_in_every_language(language):
    for key, template in TEMPLATES.items():
        text = Message(key, **params_of(template)).text(language)

        assert text
        assert "{" not in text, key
        assert ("Ada" in text) == ("Ada" in params_of(template).values()), key


def test_an_error_has_at_most_fifteen_words():
    errors = {key: text for key, text in TEMPLATES.items() if not key.startswith("link.")}

    assert {
        key for key, text in errors.items() if len(re.sub("{.*?}", "X", text).split()) > 15
    } == set()


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_every_template_is_translated_with_its_places(language):
    translation = wording(language)
    own = {
        "{text}",
        "Conflict",
        "{n:,} KiB",
        "{n:,} MiB",
        "{n:,} GiB",
        "{n:,} byte",
        "{n:,} import",
        "{n:row has errors}.",  # its noun is translated
    }

    for key, template in TEMPLATES.items():
        assert places(translation.templates[key]) == places(template), key
        assert translation.templates[key] != template or template in own, key
    for name, forms in english().counted.items():
        assert translation.counted[name] != forms or forms[0] in own, name


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_a_catalogue_translates_nothing_else(language):
    from babel.messages.pofile import read_po

    with (ROOT / f"common/wording/locale/{language}.po").open("rb") as file:
        ids = {item.id for item in read_po(file) if item.id}

    assert ids - set(TEMPLATES.values()) == set(english().counted.values())


def test_every_message_of_a_class_has_a_template():
    keys = {key for kind in problems() for key in (kind.key, kind.title)}

    assert keys - TEMPLATES.keys() == set()


def test_a_call_sends_what_its_template_puts_in():
    wrong = [
        f"{place}: {key}"
        for place, call in calls()
        for argument in call.args[: HEADER + 1]
        for key in keys_in(argument)
        if not any(keyword.arg is None for keyword in call.keywords)
        if {keyword.arg for keyword in call.keywords} - OPTIONS != names_in(TEMPLATES[key])
    ]

    assert wrong == []


def test_a_call_without_a_key_sends_what_its_class_puts_in():
    kinds = {kind.__name__: kind for kind in problems() if "__init__" not in vars(kind)}
    wrong = [
        place
        for place, call in calls()
        if not call.args and (kind := kinds.get(ast.unparse(call.func).rpartition(".")[2]))
        if {keyword.arg for keyword in call.keywords} - OPTIONS != names_in(TEMPLATES[kind.key])
    ]

    assert wrong == []


def test_every_template_is_said_somewhere():
    texts = {
        node.value
        for tree in modules().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    texts_and_titles = texts | {key for kind in problems() for key in (kind.key, kind.title)}

    assert TEMPLATES.keys() - texts_and_titles == set()


def finished(call: ast.Call) -> bool:
    """Return whether a call sends a finished sentence: text with a space, or text put together."""
    return any(
        isinstance(node, ast.JoinedStr)
        or (isinstance(node, ast.Constant) and SENTENCE.search(str(node.value)))
        for argument in call.args
        for node in ast.walk(argument)
    )


def test_no_error_is_raised_with_a_finished_sentence():
    makers = {kind.__name__ for kind in problems()}
    wrong = [
        place
        for place, call in calls()
        if ast.unparse(call.func).rpartition(".")[2] in makers
        if finished(call)
    ]

    assert wrong == []


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", "The file is larger than the 4 GiB allowed."),
        ("de", "Die Datei ist größer als die erlaubten 4 GiB."),
        ("tlh", "The file is larger than the 4 GiB allowed."),
    ],
)
def test_a_message_is_worded_for_its_reader(language, expected):
    assert Message("too_large.file", size=4 * 2**30).text(language) == expected


def test_a_number_is_written_as_the_language_does():
    message = Message("too_large.json_parts", parts=250_000)

    assert "250,000" in message.text()
    assert "250.000" in message.text("de")
    assert "250\u202f000" in message.text("fr")


def test_messages_in_json_are_worded_where_they_are():
    problem = {"errors": ({"detail": Message("claim_lost.named", id="rec_1"), "row": 1},)}

    assert rendered(problem) == {"errors": [{"detail": "The claim on rec_1 is lost.", "row": 1}]}


def test_what_is_put_in_is_not_read_as_a_template():
    assert "{id}" in Message("claim_lost.named", id="{id}").text()
