"""
Any catalog with any file: every call answers, and every view shows the same values.

Each run tries different catalogs, except before a landing. A failure prints the seed that repeats
it; SHRINK=1 minimises it. See CONTRIBUTING.md.
"""

import json
import os
import secrets
import shutil
from ipaddress import ip_network

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from deliveries.services import register
from tests.agents.conftest import ENTITLED, Agent
from tests.imports.combinations.calls import Callers
from tests.imports.combinations.catalogs import Case, cases
from tests.imports.combinations.walk import Walk
from tests.tries import BEFORE_A_LANDING, tries

pytestmark = pytest.mark.django_db
PARTS = 4  # run in parallel
EXAMPLES = int(os.environ.get("COMBINATIONS", tries(40)))
A_YEAR_S = 365 * 24 * 3600
# The minimum number of walks that reach a stage: a suite that always stops early tests nothing.
# Usually several times as many do, so that chance alone does not fail a run.
LEAST = {"review": 0.5, "exported": 0.5, "applied": 0.1, "results": 0.1, "reverted": 0.1}
ENOUGH = 30  # walks of one part to tell by
LIMITS = st.sampled_from([10_000, 10_000, 0])  # edits lie over the files, or make new ones


@pytest.fixture
def callers(owner, mint_key, client_of, settings) -> Callers:
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.RATE_PER_MINUTE = 10**9
    actions = ("submit", "revert")
    register(tenant=owner, url="http://127.0.0.1:9/apply", at=clock.now(), actions=actions)
    key = mint_key(expires_in_s=A_YEAR_S, **ENTITLED)
    return Callers(client_of(key), Agent(key))


@pytest.fixture
def failures_that_are_told(monkeypatch) -> None:
    """Let internal errors end the test, instead of being retried or contained."""

    def tell(*what) -> None:
        raise AssertionError(f"the engine failed: {what}")

    for place in ("workflow.worker._try_again", "workflow.worker._broken"):
        monkeypatch.setattr(place, tell)
    monkeypatch.setattr("staging.defects.logger.error", tell)


@pytest.mark.parametrize("part", range(PARTS))
def test_no_combination_ends_in_an_error(
    callers, owner, failures_that_are_told, monkeypatch, data_folder, part
):
    number = int(os.environ.get("SEED") or (1 if BEFORE_A_LANDING else secrets.randbelow(2**32)))
    # Shown with a failure.
    print(f"Repeat with: COMBINATIONS={EXAMPLES} SEED={number} pytest {__file__} -k '{part}]'")  # noqa: T201 (for people)

    @seed(f"{number}:{part}")
    @settings(
        max_examples=max(1, EXAMPLES // PARTS),
        derandomize=False,
        database=None,
        # Minimising a failure takes minutes.
        phases=(Phase.generate, *([Phase.shrink] if os.environ.get("SHRINK") else [])),
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases(), data=st.data())
    def walk(case: Case, data: st.DataObject) -> None:
        with transaction.atomic():
            monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", data.draw(LIMITS))
            publish(owner, case)
            Walk(callers, case, data).whole_way()
            transaction.set_rollback(True)
        shutil.rmtree(data_folder, ignore_errors=True)

    walk()

    print(f"Walks that reached a stage: {dict(callers.reached)}")  # noqa: T201 (for people)
    drawn = callers.reached["drawn"]
    early = {stage for stage, share in LEAST.items() if callers.reached[stage] < share * drawn}
    assert not early or drawn < ENOUGH, callers.reached


def publish(owner, case: Case) -> None:
    text = json.dumps(case.catalog).encode()
    catalogs.publish_document(tenant=owner, key="any", text=text, at=clock.now(), actor=ENGINE)
