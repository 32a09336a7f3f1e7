"""Killing every worker while it applies, learns and reverts, on the embedded default."""

import pytest

from tests.processes.changesets import kill_on_the_way

pytestmark = pytest.mark.processes


def test_apply_learning_and_revert_survive_their_workers(engine, receiver):
    engine.start()
    kill_on_the_way(engine, receiver)
