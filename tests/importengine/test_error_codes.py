"""docs/error-codes.md lists every code of the source, with what to do about it."""

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

from agents.refusals import NEXT_STEPS
from common.errors import ServiceError
from scripts import error_codes
from scripts.error_codes import (
    PAGE,
    Code,
    Entry,
    Source,
    UnusableSource,
    entries,
    refused_calls,
)

LISTED = set(re.findall(r"^\| `(\w+)` \| [\d–]", PAGE.read_text("utf-8"), re.MULTILINE))
ROOT = Path(__file__).resolve().parents[2]
CALLERS = ("agents", "api", "previews", "contracts", "changesets", "importengine/web/gateway.py")


def kinds_of(error):
    return {error}.union(*(kinds_of(kind) for kind in error.__subclasses__()))


def codes_in(text):
    source = Source()
    source.add("class ServiceError(Exception):\n    code, status = '', 0\n    status = 400\n")
    source.add("class TabularProblem(Exception):\n    pass\n")
    source.add(text)
    return [code for code in source.codes() if code.code]


def test_every_code_is_explained_in_fifteen_words():
    meanings = re.findall(r"^\| `\w+` \|(?: \d+ \|)? ([^|]+) \|", PAGE.read_text("utf-8"), re.M)

    assert len(meanings) > len(LISTED)
    assert [text for text in meanings if len(text.split()) > 15] == []


def test_every_class_of_an_error_has_its_code_on_the_page():
    for room in CALLERS:
        for file in (ROOT / room).rglob("*.py") if (ROOT / room).is_dir() else [ROOT / room]:
            parts = file.relative_to(ROOT).with_suffix("").parts
            if not {"migrations", "management", "__main__"} & set(parts):
                import_module(".".join(parts).removesuffix(".__init__"))

    ours = {kind for kind in kinds_of(ServiceError) if not kind.__module__.startswith("tests.")}

    assert {kind.code for kind in ours} - LISTED == set()


def test_every_next_step_of_an_agent_is_about_a_code_on_the_page():
    assert NEXT_STEPS.keys() - LISTED == set()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            'class Gone(ServiceError):\n    """It is gone."""\n    code, status = 1, 2\n'
            "    code = 'no_draft'\n    status = 409\n",
            Code("no_draft", 409, "The catalog has no draft; save one first."),
        ),
        (
            "ServiceError('claim_lost.named', id=row.id)",
            Code("claim_lost", 400, "The claim on … is lost."),
        ),
        (
            "TabularProblem('empty_file', f'{n} bytes.')",
            Code("empty_file", None, "… bytes.", of_file=True),
        ),
    ],
)
def test_a_code_is_found_where_it_is_declared(text, code):
    assert code in codes_in(text)


@pytest.mark.parametrize(
    ("advice", "expected"),
    [
        ({}, "what to do about file_gone"),
        ({"file_gone": "Send it.", "old": "Wait."}, "the source has no old"),
        ({"file_gone": "Send it.", "new": {"means": "", "do": "Wait."}}, "what new means"),
    ],
)
def test_a_code_without_advice_is_refused(advice, expected):
    with pytest.raises(UnusableSource, match=expected):
        list(entries({"file_gone": ({409}, "It is gone.")}, advice))


def test_each_code_has_a_page_that_says_what_it_means_and_what_to_do():
    pages = {entry.code: entry.page() for entry in refused_calls()}

    assert pages.keys() == LISTED
    assert (
        pages["file_gone"]
        == Entry(
            "file_gone",
            "409",
            "The file of that import was deleted. Upload it again.",
            "Upload the file again.",
        ).page()
    )
    assert "# file_gone\n\n**Status** 409\n\nThe file of that" in pages["file_gone"]
    assert "**What to do**\n\nUpload the file again.\n" in pages["file_gone"]


def test_the_examples_hold():
    assert doctest.testmod(error_codes).failed == 0
