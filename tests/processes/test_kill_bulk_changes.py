"""A worker is killed while it changes rows: the change is made by the next one, once."""

import pytest

from tests.processes.conftest import Engine, until

pytestmark = pytest.mark.processes
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
LINE = "A-{0};05.02.2026;Kunde {0};k{0}@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
ROWS = 60_000


@pytest.fixture
def record_id(engine: Engine) -> str:
    """Start the engine, and bring a large file to review."""
    engine.start()
    content = (HEADER + "".join(map(LINE.format, range(ROWS)))).encode()
    answer = engine.post("/imports", files={"file": ("f.csv", content)}, data={"autoMap": "1"})
    until(lambda: engine.state(answer["recordId"]) == "review", "review")
    return answer["recordId"]


def test_a_large_replacement_survives_its_worker_as_one_step(engine, record_id):
    at = f"/imports/{record_id}"
    before = engine.get(at)["revision"]
    body = {"revision": before, "inFields": ["orders.customer"], "find": "Kunde", "replace": "K"}
    change = engine.post(f"{at}/rows/replace", json=body)
    assert change["state"] == "running", change
    look = f"{at}/rows/changes/{change['changeId']}"

    def is_begun() -> bool:
        now = engine.get(look)
        return bool(now["stage"]) or now["state"] != "running"

    until(is_begun, "a worker has begun, or is done already")
    assert engine.kill("celery")
    until(lambda: engine.get(look)["state"] == "done", "done after the worker was killed")

    done = engine.get(look)
    assert (done["revision"], done["cells"]) == (before + 1, ROWS)
    page = engine.post(f"{at}/rows/query", json={"view": {"search": "Kunde"}, "limit": 1})
    assert (page["revision"], page["total"]) == (before + 1, 0)
    assert engine.post(f"{at}/undo", json={"revision": before + 1})["revision"] == before
