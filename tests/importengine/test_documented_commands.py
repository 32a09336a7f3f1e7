"""The commands of the documentation can be followed, and what is traced is read as it is."""

import doctest
import re
from pathlib import Path

import pytest

from scripts import documented_commands, follow_docs, follow_start, traced_calls
from scripts.documented_commands import UnusableDocs, blocks_of, commands_of, fill_in
from tests.packages.quickstarts import QUICKSTARTS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "docs" / f"{name}.md" for name in follow_docs.OPERATORS]
BLOCK = "<!-- walk: {name} -->\n```sh\n{text}\n```\n"


def test_the_examples_in_its_docstrings_hold():
    for module in (documented_commands, traced_calls):
        outcome = doctest.testmod(module)
        assert (outcome.failed, outcome.attempted > 0) == (0, True)


def test_every_block_of_production_and_of_the_operators_pages_is_followed():
    shown = [page.read_text("utf-8") for page in PAGES]
    written = sum(len(re.findall(r"^```sh$", text, re.M)) for text in shown)

    assert written == len(blocks_of(*PAGES)) > 10


def test_every_tutorial_and_guide_with_commands_is_followed():
    pages = [*(ROOT / "docs" / "start").glob("*.md"), *(ROOT / "docs" / "how-to").glob("*.md")]
    written = {page for page in pages if "```sh" in page.read_text("utf-8")} - set(PAGES)

    followed = {page.name for page in follow_start.PAGES}
    followed_or_not = followed | follow_start.NEEDS_MORE
    quickstarts = {quickstart.page for quickstart in QUICKSTARTS}
    assert {page for page in follow_start.NEEDS_MORE if page.startswith("start/")} == quickstarts
    assert followed.isdisjoint(follow_start.NEEDS_MORE)
    assert written <= {ROOT / "docs" / f"{name}.md" for name in followed_or_not}
    assert written >= {ROOT / "docs" / f"{name}.md" for name in followed}


@pytest.mark.parametrize(
    "printed",
    [
        '{"verified":true} {"type":"/docs/problems/not_allowed","status":403}',
        "CommandError: it cannot be read",
        "bash: line 1: maek: command not found",
        "nothing of what the page promises",
    ],
)
def test_a_command_that_fails_is_noticed(printed):
    page = follow_start.Page("start/example", ('"verified":true',))

    with pytest.raises(follow_start.Failed, match="start/example"):
        follow_start.check(page, printed)


def test_results_are_looked_for_in_their_order():
    page = follow_start.Page("start/example", ("mapping", "review"))

    follow_start.check(page, "mapping, then review")
    with pytest.raises(follow_start.Failed, match="review"):
        follow_start.check(page, "review, then mapping")


def test_the_programs_of_production_have_names_of_their_own():
    commands = commands_of(blocks_of(PAGES[0])["programs"])
    names = re.findall(r" -n (\S+)", "\n".join(commands))

    assert len(commands) == 4
    assert names == ["imports@%h", "deliveries@%h"]


def test_blocks_are_found_by_name_and_others_are_left_alone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(BLOCK.format(name="a", text="echo 1\necho 2") + "```sh\nrm -rf /\n```\n")

    assert blocks_of(page) == {"a": "echo 1\necho 2\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!-- walk: a -->\n\nNo block.\n", "not followed by a block"),
        ("<!-- walk: a -->\n```python\nprint()\n```\n", "not followed by a block"),
        (BLOCK.format(name="a", text="x") + BLOCK.format(name="b", text="y"), None),
    ],
)
def test_a_page_that_cannot_be_followed_is_named(tmp_path, text, expected):
    page = tmp_path / "page.md"
    page.write_text(text)
    if expected is None:
        assert blocks_of(page).keys() == {"a", "b"}
        return
    with pytest.raises(UnusableDocs, match=expected):
        blocks_of(page)


def test_two_blocks_of_one_name_are_refused(tmp_path):
    pages = [tmp_path / "one.md", tmp_path / "two.md"]
    for page in pages:
        page.write_text(BLOCK.format(name="a", text="x"))

    with pytest.raises(UnusableDocs, match="a is named twice"):
        blocks_of(*pages)


def test_a_placeholder_that_no_command_has_any_more_is_named():
    with pytest.raises(UnusableDocs, match="no command names /srv"):
        fill_in({"a": "echo"}, {"/srv": "/tmp"})
