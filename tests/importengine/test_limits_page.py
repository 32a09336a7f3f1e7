"""docs/limits.md gives the numbers of the source."""

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "limits.md"
ROW = re.compile(r"^\| .+ \| (?P<value>[\d,]+) \| `(?P<module>[\w.]+)\.(?P<name>\w+)` \|$", re.M)
LIMITS = [match.groups() for match in ROW.finditer(PAGE.read_text("utf-8"))]


def test_the_page_lists_limits():
    assert len(LIMITS) > 15


@pytest.mark.parametrize(("value", "module", "name"), LIMITS)
def test_a_limit_is_the_one_of_the_source(value, module, name):
    assert getattr(import_module(module), name) == int(value.replace(",", ""))
