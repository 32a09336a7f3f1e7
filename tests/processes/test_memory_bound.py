"""A web process whose memory is used up refuses calls, and goes on. Real processes."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest
import requests

from tests.processes.conftest import Engine, until

pytestmark = pytest.mark.processes
BOUND = 600 * 1024**2  # little more than the process needs for one large import at a time
CLIENTS, CALLS, ROWS = 6, 200, 150_000
NAMES = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
LINE = f"A-{{0}};05.02.2026;Kunde {{0}}{'x' * 200};k@example.com;Ding;2;1,00;2,00;offen\n"
VIEWS = (
    {"sort": {"field": "orders.customer", "descending": False}},
    {"sort": {"field": "orders.order_number", "descending": True}},
    {"search": "de 7"},
    {"filter": "changed"},
)


@pytest.fixture(autouse=True)
def little_memory(monkeypatch):
    monkeypatch.setenv("IMPORT_MEMORY_BYTES", str(BOUND))
    monkeypatch.setenv("SHORT_WEB_THREADS", "8")


@pytest.fixture
def record_id(little_memory, engine: Engine) -> str:
    """Return an import of many rows in review."""
    engine.start()
    content = NAMES + "".join(map(LINE.format, range(ROWS)))
    file = {"file": ("big.csv", content.encode())}
    record_id = engine.post("/imports", files=file, data={"autoMap": "1"})["recordId"]
    until(lambda: engine.state(record_id) == "review", "rows to look at")
    return record_id


def web_processes(engine: Engine) -> list[psutil.Process]:
    return [item for item in engine.family() if "granian" in " ".join(item.cmdline())]


def test_a_web_process_at_its_bound_answers_503_and_goes_on(engine: Engine, record_id: str):
    before = {process.pid for process in web_processes(engine)}

    def look(number: int) -> tuple[int, str]:
        answer = requests.post(
            f"{engine.base}/imports/{record_id}/rows/query",
            json={"limit": 500, "view": VIEWS[number % len(VIEWS)]},
            headers=engine.headers,
            timeout=120,
        )
        return answer.status_code, str(answer.json().get("code"))

    # Alone, the first call may load what it needs; the others then find little memory left.
    assert look(0) == (200, "None")
    with ThreadPoolExecutor(CLIENTS) as clients:
        answers = Counter(clients.map(look, range(CALLS)))

    assert set(answers) == {(200, "None"), (503, "out_of_memory")}, answers
    assert {process.pid for process in web_processes(engine)} == before
    assert look(0) == (200, "None")
