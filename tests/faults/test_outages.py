"""Whatever fails is visible within a minute: in the overview, ``status``, metrics and an alert."""

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from html import unescape
from itertools import chain
from pathlib import Path

import pytest
import requests
import yaml
from prometheus_client.parser import text_string_to_metric_families

from importengine.processes import heartbeats
from importengine.web import services
from tests.analytics.test_alerts import ALERTS, rules
from tests.buckets import KEY, SECRET, running_store
from tests.faults.conftest import Cluster, OwnRedis, started
from tests.importengine.people.conftest import MAP
from tests.importengine.people.provider import CLIENT, running
from tests.processes.conftest import Engine, Receiver, until
from tests.processes.template import ROOT, Template

pytestmark = pytest.mark.processes
FILE = (
    "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
    "A-1;05.02.2026;Kunde 1;k1@example.com;Stuhl;2;1.249,00;2.498,00;offen\n"
)
DISK_MB = 64
SCRAPE_S = EVALUATION_S = 15  # of Prometheus, as the guide has it
TOKEN = {"Authorization": "Bearer of-the-scraper"}
PEOPLE = """
from django.contrib.auth import get_user_model
get_user_model().objects.create_superuser("root", password="right")
"""
PROGRAMS = {
    "-Q imports": "imports",
    "-Q deliveries": "deliveries",
    "celery -A importengine beat": "beat",
    "granian": "web",
}
SERVICES = ("broker", "provider", "storage")
KILLED = (*PROGRAMS.values(), heartbeats.SANDBOX)
# What is seen of everything that is broken at once: the alert, and the sentence of its concern.
EXPECTED = {
    "ProgramMissing": ["No program for imports has been seen for half a minute."],
    "ProgramKilled": [f"for {name} ended without being stopped" for name in KILLED],
    "ServiceFails": [f"The {name} cannot be used" for name in SERVICES],
    "DiskAlmostFull": ["of the disk with the data folder is free."],
    "ReceiverRefuses": ["1 receiver refuses deliveries, which are not sent again."],
}


class Watched:
    """An engine, and what it can lose."""

    def __init__(self, engine: Engine, receiver: Receiver) -> None:
        self.engine, self.receiver = engine, receiver
        self.browser = requests.Session()
        self.admin = engine.base.replace("/api/import/v1", "/admin/")

    def sign_in(self) -> None:
        """Sign in to the admin as an operator."""
        self.engine.manage("shell", "-v", "0", "-c", PEOPLE)
        page = self.browser.get(f"{self.admin}login/", timeout=40)
        self.browser.post(
            page.url,
            data={
                "username": "root",
                "password": "right",
                "csrfmiddlewaretoken": self.browser.cookies["csrftoken"],
            },
            headers={"Referer": page.url},
            timeout=40,
        )

    def overview(self) -> str:
        """Return the page that an operator sees."""
        return unescape(self.browser.get(self.admin, timeout=40).text)

    def metrics(self) -> requests.Response | None:
        """Return the answer to a scrape; None without one."""
        with suppress(requests.RequestException):
            address = self.admin.replace("/admin/", "/metrics")
            return requests.get(address, headers=TOKEN, timeout=40)
        return None

    def status_of_metrics(self) -> int:
        """Return the HTTP status of a scrape; 0 without an answer."""
        answer = self.metrics()
        return 0 if answer is None else answer.status_code

    def samples(self) -> dict[str, float]:
        """Return what a scrape reads, as Prometheus writes its series; empty while none is read."""
        answer = self.metrics()
        if answer is None or answer.status_code != 200:
            return {}
        return {
            sample.name + json.dumps(sample.labels).replace('": "', '="').replace(', "', ", ")
            .replace('{"', "{"): sample.value
            for family in text_string_to_metric_families(answer.text)
            for sample in family.samples
            if sample.name.startswith("import_engine_") and "request" not in sample.name
        }  # fmt: skip

    def status(self) -> tuple[int, str]:
        """Return the exit code of ``manage.py status``, and what it prints."""
        done = subprocess.run(
            [sys.executable, "scripts/development.py", "status"],
            cwd=ROOT, env=self.engine._environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout + done.stderr

    def programs_recorded(self, queues: str) -> int:
        """Return how many programs of a kind the database has."""
        sql = f"SELECT COUNT(*) FROM importengine_seenprogram WHERE queues = '{queues}'"
        return self.engine.ask_database(sql)[0][0]

    def deliver_a_row(self) -> None:
        """Import a file, and wait until its delivery was answered."""
        engine, file = self.engine, {"file": ("f.csv", FILE.encode())}
        record = engine.post("/imports", files=file, data={"autoMap": "1"})["recordId"]
        until(lambda: engine.state(record) == "review", "review")
        engine.post(f"/imports/{record}/apply", json={"invalidRows": "exclude"})
        until(lambda: self.receiver.received, "the receiver was called")


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """Mount a disk of its own, where that is allowed."""
    folder.mkdir()
    size = f"size={DISK_MB}m"
    subprocess.run(["mount", "-t", "tmpfs", "-o", size, "none", str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def firing(samples: dict[str, float], folder: Path, *, expected: dict[str, int]) -> str:
    """Return what promtool says of alerts that should fire for these samples; empty: they do."""
    shutil.copy(ALERTS, folder / "alerts.yaml")
    series = [{"series": name, "values": f"{value}x8"} for name, value in samples.items()]
    alerts = "|".join(expected)
    test = {
        "interval": "15s",
        "input_series": series,
        "promql_expr_test": [
            {
                "expr": "count by (alertname) "
                f'(ALERTS{{alertstate="firing", alertname=~"{alerts}"}})',
                "eval_time": "1m",
                "exp_samples": [
                    {"labels": f'{{alertname="{name}"}}', "value": number}
                    for name, number in expected.items()
                ],
            }
        ],
    }
    file = folder / "outage.yaml"
    file.write_text(
        yaml.safe_dump({"rule_files": ["alerts.yaml"], "evaluation_interval": "15s",
                        "tests": [test]})
    )  # fmt: skip
    done = subprocess.run(
        ["promtool", "test", "rules", file.name],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_waits_of_every_look_add_up_to_less_than_a_minute():
    waits_s = [float(wait.rstrip("s")) for wait in (rules()["EngineUnreachable"]["for"],)]
    programs_s = heartbeats.FRESH.total_seconds()
    # A scrape may answer with the last look, and the next scrape with the one after it.
    services_s = services.NEW_S + SCRAPE_S

    assert max(*waits_s, programs_s, services_s) + SCRAPE_S + EVALUATION_S <= 60
    assert not {name for name in EXPECTED if "for" in rules()[name]}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root mounts a disk")
@pytest.mark.skipif(
    shutil.which("promtool") is None and not os.environ.get("IMPORT_CI"),
    reason="promtool is not installed (Debian: prometheus)",
)
def test_every_outage_is_seen_in_the_overview_by_status_in_metrics_and_by_an_alert(
    tmp_path: Path,
    cluster: Cluster,
    own_redis: OwnRedis,
    template: Template,
    receiver: Receiver,
):
    with ExitStack() as stack:
        stack.enter_context(small_disk(tmp_path / "data"))
        provider = stack.enter_context(running())
        (tmp_path / "store").mkdir()
        store = stack.enter_context(running_store(tmp_path / "store"))
        more = {
            "IMPORT_METRICS_TOKEN": "of-the-scraper",
            "IMPORT_OIDC_URL": provider.url,
            "IMPORT_OIDC_CLIENT_ID": CLIENT,
            "IMPORT_OIDC_CLIENT_SECRET": "s3cret",
            "IMPORT_OIDC_GROUPS": MAP,
            "IMPORT_OIDC_ALLOW_NETWORKS": "127.0.0.0/8",
            "IMPORT_S3_URL": f"{store.url}/files/outages",
            "AWS_ACCESS_KEY_ID": KEY,
            "AWS_SECRET_ACCESS_KEY": SECRET,
        }
        engine = stack.enter_context(started(tmp_path, cluster, own_redis, template, more))
        watched = Watched(engine, receiver)
        engine.post("/webhooks", json={"url": receiver.url})
        watched.sign_in()
        until(lambda: "Needs an operator" not in watched.overview(), "all is well")

        receiver.answer = lambda count: 422
        watched.deliver_a_row()
        killed = [engine.kill("-m sandbox")]
        # Its worker records it, and is killed next.
        until(lambda: watched.programs_recorded("sandbox"), "the end of the sandbox is recorded")
        killed += [engine.kill(words) for words in PROGRAMS]
        own_redis.kill()
        stack.callback(own_redis.start)
        store.stop()
        provider.silent.set()
        (tmp_path / "data" / "full").write_bytes(bytes((DISK_MB - 2) << 20))

        assert 0 not in killed
        until(lambda: not unseen(watched.samples()), "all is seen in the metrics", 240)
        samples = watched.samples()
        code, printed = watched.status()
        page = watched.overview()
        for sentence in chain.from_iterable(EXPECTED.values()):
            assert sentence in printed
            assert sentence in page
        assert code == 1
        fired = {"ProgramKilled": 5, "ServiceFails": 3, "DiskAlmostFull": 1, "ReceiverRefuses": 1}
        missing = Counter(v for k, v in samples.items() if "program_up" in k)[0]
        assert not firing(samples, tmp_path, expected={**fired, "ProgramMissing": missing})

        cluster.crash()
        stack.callback(cluster.start)
        # A scrape right after another one answers with what that one read.
        until(lambda: watched.status_of_metrics() == 503, "no metrics are kept any more")
        down = {'up{job="import-engine"}': 0.0}
        assert not firing(down, tmp_path, expected={"EngineUnreachable": 1})
        assert "database does not answer" in watched.overview()
        code, printed = watched.status()
        assert (code, "database does not answer" in printed) == (1, True)


def unseen(samples: dict[str, float]) -> list[str]:
    """Return what was broken, and is not in the metrics."""
    prefix = "import_engine_"
    free = samples.get(f"{prefix}disk_free_bytes{{}}", 1)
    expected = {
        f'{prefix}program_up{{queue="imports"}}': 0,
        f"{prefix}receivers_refusing{{}}": 1,
        **{f'{prefix}programs_killed{{program="{name}"}}': 1 for name in KILLED},
        **{f'{prefix}service_up{{service="{name}"}}': 0 for name in SERVICES},
    }
    few = ["disk"] if free >= 0.1 * samples.get(f"{prefix}disk_size_bytes{{}}", 1) else []
    return few + [
        name
        for name, value in expected.items()
        if not (samples.get(name, 0) >= value if value else samples.get(name, 1) == 0)
    ]
