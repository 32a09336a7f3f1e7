"""What a host fixed for one customer holds when the workers of the customer's import are killed."""

import json

import pytest

from tests.processes.conftest import Engine, Receiver, until
from tests.processes.template import CATALOG

pytestmark = pytest.mark.processes
HEADER = "Vertragskennung;Bestelldatum;Kunde;Artikel;Menge;Einzelpreis;Status;Filiale\n"
LINE = "A-{0};05.02.2026;Kunde {0};Stuhl;2;1.249,00;probe;{0}\n"
ROWS = 20_000
SPECIAL = {
    "scope": "shop-zurich",
    "fields": {
        "orders.order_number": {"alternativeMatches": ["Vertragskennung"]},
        "orders.email": {"hidden": True},
    },
    "extraFields": [{"entity": "orders", "key": "branch", "label": "Filiale", "columnType": "int"}],
    "context": {
        "defaults": {"orders.email": "orders@shop.example"},
        "options": {
            "orders.status": {"add": [{"label": "Probe", "type": "string", "value": "trial"}]}
        },
    },
}


def test_an_import_keeps_its_overlay_over_killed_workers_and_a_new_catalog(
    engine: Engine, receiver: Receiver, tmp_path
):
    engine.start()
    engine.use(engine.mint("--entitlement", "catalogOverlays"))
    engine.post("/webhooks", json={"url": receiver.url})
    session = engine.post("/sessions", json={"catalogKey": "orders", **SPECIAL})
    server, page = engine.headers, {"Authorization": f"Bearer {session['token']}"}

    engine.headers = page
    content = (HEADER + "".join(map(LINE.format, range(ROWS)))).encode()
    files, form = {"file": ("f.csv", content)}, {"autoMap": "true"}
    record_id = engine.post("/imports", files=files, data=form)["recordId"]
    digest = session["overlay"]["digest"]
    until(lambda: engine.state(record_id) != "received", "reading, or what follows it")
    assert engine.kill("celery", "tabular")
    later = json.loads(CATALOG.read_text("utf-8"))
    later["entries"][0]["fields"] = later["entries"][0]["fields"][:2]
    (tmp_path / "later.json").write_text(json.dumps(later), "utf-8")
    engine.manage("catalog", "publish", str(tmp_path / "later.json"), "--tenant", "tnt_owner")
    until(lambda: engine.state(record_id) in {"mapping", "review"}, "a mapping or its rows")
    assert engine.state(record_id) == "review", engine.get(f"/imports/{record_id}/mapping")
    assert engine.get(f"/imports/{record_id}")["counts"]["valid"] == ROWS

    engine.post(f"/imports/{record_id}/apply", json={})
    until(lambda: engine.state(record_id) in {"applying", "applied"}, "applying")
    engine.kill("celery", "tabular")
    until(lambda: engine.state(record_id) == "applied", "applied after the worker was killed")
    until(lambda: receiver.bodies, "a delivery")

    engine.headers = server
    shown = engine.get(f"/imports/{record_id}")
    assert (shown["overlay"]["digest"], shown["catalogVersion"]) == (digest, 1)
    rows = json.loads(receiver.bodies[0])["rows"]
    assert [row["orders.branch"] for row in rows] == list(range(ROWS))
    assert {row["orders.email"] for row in rows} == {"orders@shop.example"}
    assert {row["orders.status"] for row in rows} == {"trial"}
    assert len(set(receiver.delivery_ids())) == 1
    replayed = json.loads(engine.manage("replay", record_id, "--json"))
    assert replayed["identical"], replayed
