"""An agent asks for a full sync, with the official client over HTTP; a person approves it."""

import asyncio
import json

import pytest
import requests

from tests.processes.changesets import known
from tests.processes.conftest import Engine, Receiver, engine, receiver, template, until

__all__ = ["engine", "receiver", "template"]  # fixtures
pytestmark = pytest.mark.processes
FIELDS = [{"key": "id", "validations": [{"validate": "unique"}]}, {"key": "name"}]
CATALOG = {
    "key": "people",
    "title": "People",
    "entries": [{"id": "person", "fields": FIELDS, "fullSync": {}}],
}
KNOWN = {str(n): {"id": str(n), "name": f"Person {n}"} for n in range(10)}
LIST = "id,name\n0,Person 0\n1,Person 1\n"
AGENT = ("--plan", "enterprise", "--entitlement", "agentAccess")


@pytest.fixture
def agent_key(engine: Engine, receiver: Receiver) -> str:
    """Return the key of an agent; the engine knows ten people, and a host that deletes them."""
    catalog = engine.folder / "people.json"
    catalog.write_text(json.dumps(CATALOG), "utf-8")
    engine.manage("catalog", "publish", str(catalog), "--tenant", "tnt_owner")
    engine.start()
    engine.post("/webhooks", json={"url": receiver.url, "actions": ["submit", "delete"]})
    items = [{"ref": f"k{key}", "values": values} for key, values in KNOWN.items()]
    address = f"{engine.base}/references/person"
    assert requests.put(address, headers=engine.headers, json={"items": items}, timeout=40).ok
    return engine.mint(*AGENT)


async def staged(engine: Engine, key: str) -> dict:
    """Run a full sync as an agent does; return what the tools answered."""
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    http = create_mcp_http_client({"Authorization": f"Bearer {key}"})
    transport = streamable_http_client(f"{engine.base}/mcp", http_client=http)
    async with http, Client(transport) as client:

        async def tool(name: str, **arguments) -> dict:
            answer = await client.call_tool(name, arguments)
            assert not answer.is_error, answer.content
            return answer.structured_content

        proposed = await tool("propose_mapping", text=LIST, catalogKey="people")
        record = {"recordId": proposed["recordId"]}
        await tool("resolved_mapping", **record)
        made = await tool("execute_import", **record, mode="full", idempotencyKey="one")
        again = await tool("execute_import", **record, mode="full", idempotencyKey="one")
        changeset = await tool("get_changeset", changesetId=made["changeset"]["id"])
        return {"made": made, "again": again, "changeset": changeset["changeset"]}


def test_an_agent_stages_a_full_sync_and_a_person_approves_it(
    engine: Engine, receiver: Receiver, agent_key: str
):
    answers = asyncio.run(staged(engine, agent_key))

    changeset, record_id = answers["changeset"], answers["made"]["import"]["recordId"]
    assert answers["again"]["changeset"]["id"] == changeset["id"]
    until(lambda: engine.state(record_id) == "staged", "it waits for approval")
    waiting = engine.get(f"/changesets/{changeset['id']}")
    assert waiting["deletes"] == [{"entity": "person", "deleted": 8, "known": 10}]
    assert (waiting["awaits"], waiting["mayApprove"]) == ("approval", True)
    assert receiver.bodies == []
    assert known(engine) == KNOWN

    engine.post(f"/changesets/{changeset['id']}/apply", json={})
    until(lambda: known(engine).keys() == {"0", "1"}, "the engine forgot what was deleted")
    (deletion,) = (body for body in map(json.loads, receiver.bodies) if body["action"] == "delete")
    refs = [item["ref"] for item in deletion["entities"]["person"]]
    assert sorted(refs) == [f"k{n}" for n in range(2, 10)]
