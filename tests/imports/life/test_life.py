"""Whatever happens to an import: sums add up, undo restores exactly, nothing gets stuck."""

import os
from datetime import timedelta
from ipaddress import ip_network

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from common import clock
from deliveries.services import register
from tests.imports.asked import publish_fields
from tests.imports.life.files import FIELDS
from tests.imports.life.in_process import run_job
from tests.imports.life.machine import Life
from tests.tries import tries

pytestmark = pytest.mark.django_db
EXAMPLES = int(os.environ.get("LIFE_EXAMPLES", tries(8)))  # more for a long run, at random
A_YEAR_S = 365 * 24 * 3600


class Time:
    """The project's clock, advanced at will."""

    def __init__(self) -> None:
        self._now = clock.now
        self.reset()

    def reset(self) -> None:
        self._ahead = timedelta()

    def pass_by(self, some: timedelta) -> None:
        self._ahead += some

    def now(self):
        return self._now() + self._ahead


@pytest.fixture
def client(owner, mint_key, client_of, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.RATE_PER_MINUTE = 10**9
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now())
    publish_fields(owner, *FIELDS)
    return client_of(mint_key("tnt_owner", expires_in_s=A_YEAR_S))


def test_the_life_of_an_import(client, monkeypatch):
    time = Time()
    monkeypatch.setattr(clock, "now", time.now)
    monkeypatch.setattr("sandbox.bench.run_job", run_job)

    run_state_machine_as_test(
        lambda: Life(client, time),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=25,
            derandomize="LIFE_EXAMPLES" not in os.environ,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
