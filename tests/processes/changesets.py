"""Apply, learn and revert, with every worker killed in the middle of each."""

import json
from contextlib import suppress

import requests

from tests.processes.conftest import Engine, Receiver, until

ROWS = 3_000
BEFORE = {"1": {"id": "1", "name": "Ada"}, "x": {"id": "x", "name": "Not in the file"}}
CATALOG = {
    "key": "people",
    "title": "People",
    "entries": [
        {
            "id": "person",
            "fields": [
                {"key": "id"},
                {"key": "name"},
                {
                    "key": "boss",
                    "reference": {
                        "entity": "person", "matchOn": ["id"], "cardinality": "one",
                        "onMissing": "error",
                    },
                },
            ],
        }
    ],
}  # fmt: skip


def known(engine: Engine) -> dict[str, dict]:
    """Return the known values by key, from every page; unreadable ones are empty."""
    by_id, cursor = {}, ""
    with suppress(requests.RequestException, KeyError, ValueError):
        while True:
            page = engine.get(f"/references/person?limit=500{cursor}")
            by_id |= {item["values"]["id"]: item["values"] for item in page["items"]}
            if page["next"] is None:
                return by_id
            cursor = f"&cursor={page['next']}"
    return {}


def state_of(engine: Engine, path: str) -> str:
    with suppress(requests.RequestException, KeyError, ValueError):
        return str(engine.get(path)["state"])
    return "unknown"


def kill_on_the_way(engine: Engine, receiver: Receiver) -> None:
    """Import and revert while processes are killed; assert that nothing is lost or doubled."""
    catalog = engine.folder / "people.json"
    catalog.write_text(json.dumps(CATALOG), "utf-8")
    engine.manage("catalog", "publish", str(catalog), "--tenant", "tnt_owner")
    engine.post("/webhooks", json={"url": receiver.url, "actions": ["submit", "revert"]})
    items = [{"ref": f"k{key}", "values": values} for key, values in BEFORE.items()]
    address = f"{engine.base}/references/person"
    requests.put(address, headers=engine.headers, json={"items": items}, timeout=40)
    lines = [f"{n},Person {n},{n // 2 or ''}" for n in range(1, ROWS + 1)]
    body = {"text": "\n".join(["id,name,boss", *lines]), "autoMap": True, "catalogKey": "people"}
    record_id = engine.post("/imports", json=body)["recordId"]
    until(lambda: engine.state(record_id) == "review", "review")

    engine.post(f"/imports/{record_id}/apply", json={})
    assert engine.kill("celery")  # while it is applying, or about to
    until(lambda: receiver.bodies, "the delivery")
    assert engine.kill("celery")  # the answer may get lost
    until(lambda: len(known(engine)) > len(BEFORE), "some is learned")
    engine.kill("celery")
    until(lambda: len(known(engine)) == ROWS + 1, "all is learned")
    assert known(engine) == {**BEFORE, **{str(n): after(n) for n in range(1, ROWS + 1)}}

    changeset_id = engine.get(f"/imports/{record_id}")["changesetId"]
    answer = engine.post(f"/changesets/{changeset_id}/revert", json={})
    assert answer["state"] == "reverting", answer
    assert engine.kill("celery")
    until(lambda: actions(receiver) >= {"revert"}, "the host is told")
    engine.kill("celery")
    until(lambda: len(known(engine)) <= ROWS, "some is taken back")
    engine.kill("celery")
    until(lambda: state_of(engine, f"/changesets/{changeset_id}") == "reverted", "reverted")

    assert known(engine) == BEFORE
    assert engine.state(record_id) == "reverted"
    sent = {json.loads(body)["deliveryId"]: body for body in receiver.bodies}
    assert set(sent.values()) == set(receiver.bodies)  # seen twice: the same id, the same bytes
    assert sorted(json.loads(body)["action"] for body in sent.values()) == ["revert", "submit"]


def after(number: int) -> dict[str, str]:
    """Return the file's values of a person; an empty cell keeps the known value, here none."""
    boss = {"boss": str(number // 2)} if number // 2 else {}
    return {"id": str(number), "name": f"Person {number}", **boss}


def actions(receiver: Receiver) -> set[str]:
    return {json.loads(body)["action"] for body in list(receiver.bodies)}
