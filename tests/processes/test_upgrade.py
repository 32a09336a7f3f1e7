"""An installation of the previous release, with imports in every state, goes on with this code."""

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator

import pytest

from scripts.development import environment
from scripts.keep_installation import EDITED, KEPT
from tests.processes.conftest import (
    LEASE_S,
    Engine,
    Receiver,
    empty_queues,
    new_database,
    until,
    with_settings,
)
from tests.processes.template import ROOT, manage
from tests.receiving import assert_delivery

pytestmark = pytest.mark.processes
AFTER = {  # the upgrade, without a person
    "review": "review",
    "edited": "review",
    "reading": "review",
    "transforming": "review",
    "mapping": "mapping",
    "staged": "staged",
    "failed": "failed",
    "cancelled": "cancelled",
    "applying": "applied",
    "delivered": "applied",
    "down": "applied",
    "refuses": "applied",
    "silent": "applied",
    "reverting": "reverted",
    "reverted": "reverted",
}
OWED = {("applying", "submit"), ("down", "submit"), ("silent", "submit"), ("reverting", "revert")}


@pytest.fixture
def left(tmp_path) -> dict:
    """Unpack what the previous release left; return what it says of it."""
    with tarfile.open(KEPT) as archive:
        archive.extractall(tmp_path, filter="data")
    return json.loads((tmp_path / "about.json").read_text("utf-8"))


@pytest.fixture
def host() -> Iterator[Receiver]:
    """Yield a host that accepts now what it did not answer or refused before the upgrade."""
    host = Receiver()
    yield host
    host.server.shutdown()
    host.server.server_close()


@pytest.fixture
def engine(tmp_path, left, host) -> Iterator[Engine]:
    """Yield an engine of this code that runs on what the previous release left."""
    empty_queues()
    with new_database() as url:
        named = {
            **os.environ,
            "IMPORT_DATA_DIR": str(tmp_path / "data"),
            **with_settings(LEASE_S=LEASE_S, WEBHOOK_WAITS_S=[1] * 8),
            **url,
        }
        load = [sys.executable, "-m", "tests.upgrade.loading", str(tmp_path), origin_of(host)]
        subprocess.run(load, cwd=ROOT, env=environment(named), check=True)
        key = manage(named, "license", "mint", "--tenant", left["tenant"]).strip()
        engine = Engine(tmp_path, named, key)
        engine.start()
        yield engine
        engine.stop()


def origin_of(host: Receiver) -> str:
    return host.url.removesuffix("/apply")


def test_imports_in_every_state_and_deliveries_under_way_go_on(engine, left, host):
    imports = left["imports"]

    def states() -> dict[str, str]:
        return {name: engine.state(record_id) for name, record_id in imports.items()}

    assert set(imports) == set(AFTER)
    until(lambda: states() == AFTER, "each import where the previous release would have led it")
    until(lambda: sent(host, imports) >= OWED, "what that release owed to its hosts")

    rows = engine.post(f"/imports/{imports['edited']}/rows/query", json={})["rows"]
    assert EDITED in json.dumps(rows[0])
    for name in ("review", "edited", "reading", "transforming"):
        engine.post(f"/imports/{imports[name]}/apply", json={"invalidRows": "exclude"})
    changeset_id = engine.get(f"/imports/{imports['staged']}")["changesetId"]
    engine.post(f"/changesets/{changeset_id}/apply", json={})
    reviewed = {(name, "submit") for name in ("review", "edited", "reading", "staged")}
    until(lambda: sent(host, imports) >= OWED | reviewed, "what was in review, and is applied now")
    assert sent(host, imports) == OWED | reviewed
    for received in host.received:
        key = received.path[1:]
        assert_delivery(
            received,
            url=f"{origin_of(host)}/{key}",
            secret=left["secrets"][key],
            event=json.loads(received.body)["event"],
        )


def sent(host: Receiver, imports: dict[str, str]) -> set[tuple[str, str]]:
    """Return which import arrived with which action."""
    names = {record_id: name for name, record_id in imports.items()}
    bodies = map(json.loads, host.bodies)
    return {(names[body["recordId"]], body["action"]) for body in bodies}
