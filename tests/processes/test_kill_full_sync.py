"""Killing the workers of a full sync while it is applied, delivered and reverted."""

import json

import pytest
import requests

from tests.processes.changesets import known, state_of
from tests.processes.conftest import Engine, Receiver, until

pytestmark = pytest.mark.processes
MEMBERS, NAMED = 400, 240
FIELDS = [{"key": "id", "validations": [{"validate": "unique"}]}, {"key": "name"}]
CATALOG = {
    "key": "people",
    "title": "People",
    "entries": [{"id": "person", "fields": FIELDS, "fullSync": {}}],
}
BEFORE = {str(n): {"id": str(n), "name": f"Person {n}"} for n in range(MEMBERS)}
AFTER = {key: {"id": key, "name": f"New {key}"} for key in list(BEFORE)[:NAMED]}


class Host:
    """Stores each delivery once, by its id; the workers die before they hear of it."""

    def __init__(self, engine: Engine, receiver: Receiver) -> None:
        self.stored = {f"k{key}": dict(values) for key, values in BEFORE.items()}
        self.seen: dict[str, bytes] = {}  # the first body of each delivery
        self.others: list[bytes] = []  # bodies that differ from the first of the same delivery
        self.killed: set[str] = set()  # the actions at which workers died
        self._engine, self._receiver = engine, receiver

    def answer(self, count: int) -> int:
        """Store a delivery; at the first one of each action, kill the workers."""
        content = self._receiver.received[count - 1].body
        body = json.loads(content)
        if self.seen.setdefault(body["deliveryId"], content) != content:
            self.others.append(content)
        if body["action"] not in self.killed and self._engine.kill("celery"):
            self.killed.add(body["action"])
        return 200

    def replay(self) -> dict[str, dict]:
        """Return what the host has, by key, after each delivery that came, in order."""
        stored = dict(self.stored)
        for body in map(json.loads, self.seen.values()):
            is_back = body["action"] == "revert"
            for item in body["entities"].get("person", ()):
                if item["status"] == "deleted" and is_back:
                    assert item["ref"] not in stored
                    stored[item["ref"]] = item["values"]
                elif item["status"] == "deleted":
                    assert stored.pop(item["ref"]) == item["values"]
            refs = {own["row"]: own["ref"] for own in body.get("rowEntities", ())}
            for change in body.get("changes", ()):
                ref, key = refs[change["row"]], change["field"].partition(".")[2]
                stored[ref] = {**stored[ref], key: change["before" if is_back else "after"]}
        return {values["id"]: values for values in stored.values()}


def actions(host: Host) -> list[str]:
    return sorted(json.loads(body)["action"] for body in host.seen.values())


@pytest.fixture
def host(engine: Engine, receiver: Receiver) -> Host:
    """Return a host whose members the engine knows."""
    catalog = engine.folder / "people.json"
    catalog.write_text(json.dumps(CATALOG), "utf-8")
    engine.manage("catalog", "publish", str(catalog), "--tenant", "tnt_owner")
    engine.start()
    wanted = {"actions": ["submit", "revert", "delete"], "include": ["changes"]}
    engine.post("/webhooks", json={"url": receiver.url, **wanted})
    items = [{"ref": f"k{key}", "values": values} for key, values in BEFORE.items()]
    address = f"{engine.base}/references/person"
    assert requests.put(address, headers=engine.headers, json={"items": items}, timeout=40).ok
    made = Host(engine, receiver)
    receiver.answer = made.answer
    return made


def test_a_full_sync_and_its_revert_survive_their_workers(engine: Engine, host: Host):
    lines = [",".join(values.values()) for values in AFTER.values()]
    body = {"text": "\n".join(["id,name", *lines]), "autoMap": True, "catalogKey": "people"}
    record_id = engine.post("/imports", json=body)["recordId"]
    until(lambda: engine.state(record_id) == "review", "review")

    wishes = {"mode": "full", "confirmMissing": MEMBERS - NAMED}
    applied = engine.post(f"/imports/{record_id}/apply", json=wishes)
    assert applied["state"] == "applying", applied
    assert engine.kill("celery")  # while it is applying, or about to
    until(lambda: {"submit", "delete"} <= host.killed, "the workers died at both deliveries")
    until(lambda: known(engine) == AFTER, "the engine forgot what was deleted")
    assert host.replay() == AFTER
    assert actions(host) == ["delete", "submit"]

    changeset_id = applied["changesetId"]
    assert engine.get(f"/changesets/{changeset_id}")["deletes"] == [
        {"entity": "person", "deleted": MEMBERS - NAMED, "known": MEMBERS}
    ]
    reverting = engine.post(f"/changesets/{changeset_id}/revert", json={})
    assert reverting["state"] == "reverting", reverting
    until(lambda: state_of(engine, f"/changesets/{changeset_id}") == "reverted", "reverted")
    assert "revert" in host.killed
    until(lambda: known(engine) == BEFORE, "the engine knows what came back")
    assert host.replay() == BEFORE
    assert actions(host) == ["delete", "revert", "revert", "submit"]
    assert host.others == []
