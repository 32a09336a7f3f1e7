"""Killing every worker while it applies, learns and reverts, in the production shape."""

import pytest

from tests.processes.changesets import kill_on_the_way
from tests.processes.conftest import receiver

__all__ = ["receiver"]  # fixture
pytestmark = pytest.mark.processes


def test_apply_learning_and_revert_survive_their_workers(engine, receiver):
    kill_on_the_way(engine, receiver)
