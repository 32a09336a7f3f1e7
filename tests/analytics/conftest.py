"""Imports of one tenant, and a clock that tests move."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from analytics import history_counts, series
from common import clock
from tests.imports.conftest import client, owner, publish, upload

__all__ = ["client", "owner", "publish", "upload"]

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.fixture
def fold_later(monkeypatch) -> Callable[..., None]:
    """Return a function that counts the histories some seconds after the last run."""
    at = clock.now()

    def fold(seconds: float = 10) -> None:
        nonlocal at
        at += timedelta(seconds=seconds)
        monkeypatch.setattr("analytics.history_counts.clock.now", lambda: at)
        history_counts.fold()

    return fold


@pytest.fixture
def counts() -> Callable[[str], dict[str, int]]:
    """Return a function that returns the stored counts of a name, by the values of its labels."""

    def read(name: str) -> dict[str, int]:
        return {
            " ".join(value for _, value in labels): sums.count
            for stored, labels, sums in series.stored()
            if stored == name
        }

    return read
