"""Which test fails without a rule: a file kind that no set has may still be documented."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence

import pytest

from eval.reading.removals import Removal, without


class _First:
    """Remembers the first test that fails."""

    name = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed and not self.name:
            self.name = report.nodeid.rpartition("/")[-1]


def failing_test(removal: Removal, paths: Sequence[str]) -> str:
    """Return the first of some tests that fails without a rule; "" if all pass."""
    first = _First()
    with without(removal), contextlib.redirect_stdout(io.StringIO()):
        pytest.main(["-x", "-q", "--capture=sys", "--assert=plain", *paths], plugins=[first])
    return first.name
