"""Metrics are pushed to a collector, once for the whole engine; one that is away harms nothing."""

import gzip
import logging
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue

import pytest
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from prometheus_client.parser import text_string_to_metric_families

from analytics import series
from analytics.models import Cursor
from analytics.tally import MOVES, STATE_SECONDS, Tally
from importengine.metrics.push import PUSHES, Pushing
from importengine.web import metrics

pytestmark = pytest.mark.django_db
PUSH_LOG = "importengine.metrics.push"


class Collector(ThreadingHTTPServer):
    """A collector of OpenTelemetry: it keeps what it was sent."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.status = 200
        self.requests = SimpleQueue()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def pushed(self) -> dict:
        """Return the metrics of the oldest push, by name."""
        _, _, message = self.requests.get(timeout=30)
        ((scope,),) = [resource.scope_metrics for resource in message.resource_metrics]
        return {metric.name: metric for metric in scope.metrics}


class _Answering(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        message = ExportMetricsServiceRequest.FromString(body)
        self.server.requests.put((self.path, dict(self.headers), message))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, *_) -> None:
        """Print nothing."""


@contextmanager
def running():
    collector = Collector()
    threading.Thread(target=collector.serve_forever, daemon=True).start()
    try:
        yield collector
    finally:
        collector.shutdown()
        collector.server_close()


@pytest.fixture
def collector(monkeypatch):
    with running() as collector:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.address)
        yield collector


@pytest.fixture
def counted():
    tally = Tally()
    tally.count(MOVES, 3, state="review")
    for seconds in (0.5, 40, 1_000_000):
        tally.measure(STATE_SECONDS, seconds, state="reading")
    series.add(tally)


def test_a_collector_gets_every_family_of_a_scrape(collector, counted):
    assert Pushing(60).look()
    pushed = collector.pushed()

    scraped = list(text_string_to_metric_families(metrics.exposition().decode()))
    names = {f"{f.name}_info" if f.type == "info" else f.name for f in scraped}
    assert set(pushed) == names
    (moves,) = pushed["import_engine_import_moves"].sum.data_points
    assert moves.as_double == 3
    assert [(a.key, a.value.string_value) for a in moves.attributes] == [("state", "review")]
    assert pushed["import_engine_import_moves"].sum.is_monotonic


def test_a_histogram_has_the_buckets_of_its_own(collector, counted):
    Pushing(60).look()
    histogram = collector.pushed()["import_engine_import_state_seconds"].histogram

    (point,) = histogram.data_points
    assert list(point.explicit_bounds) == [1, 5, 15, 60, 300, 1_800, 3_600, 86_400]
    assert list(point.bucket_counts) == [1, 0, 0, 1, 0, 0, 0, 0, 1]
    assert (point.count, point.sum) == (3, 1_000_040.5)
    assert not point.HasField("min")
    assert not point.HasField("max")


def test_the_variables_of_opentelemetry_name_the_service_and_the_secret(collector, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20secret")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip")
    monkeypatch.setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=staging")
    Pushing(60).look()
    path, headers, message = collector.requests.get(timeout=30)

    (resource,) = message.resource_metrics
    named = {item.key: item.value.string_value for item in resource.resource.attributes}
    assert named["service.name"] == "import-engine"
    assert named["deployment.environment.name"] == "staging"
    assert (path, headers["authorization"]) == ("/v1/metrics", "Bearer secret")


def test_only_one_of_several_processes_pushes(collector):
    first, second = Pushing(60), Pushing(60)

    assert [first.look(), second.look(), first.look()] == [True, False, False]
    assert collector.requests.qsize() == 1


def test_another_process_takes_over_when_the_first_is_late(collector):
    first, second = Pushing(60), Pushing(60)
    first.look()
    pass_by(timedelta(seconds=60))
    assert not second.look()

    pass_by(timedelta(seconds=11))
    assert [second.look(), first.look()] == [True, False]


def test_a_clock_that_was_set_back_does_not_stop_pushes(collector):
    Pushing(60).look()
    pass_by(timedelta(days=-1))

    assert Pushing(60).look()


def pass_by(span: timedelta) -> None:
    """Let the last push be longer ago."""
    cursor = Cursor.objects.get(source=PUSHES)
    cursor.seen_at -= span
    cursor.save()


def test_a_collector_that_is_away_is_logged_once_and_its_return_too(monkeypatch, caplog):
    with running() as gone:
        address = gone.address
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", address)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.2")
    pushing = Pushing(60)
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            pushing.look()
            pass_by(timedelta(seconds=60))

    (line,) = caplog.records
    assert (line.name, line.levelname) == (PUSH_LOG, "WARNING")
    assert line.getMessage().startswith("Metrics are not pushed to the collector: ")


def test_a_collector_that_refuses_is_logged_with_its_status(collector, caplog):
    collector.status = 401
    pushing = Pushing(60)
    with caplog.at_level(logging.INFO):
        pushing.look()
        collector.status = 200
        pass_by(timedelta(seconds=60))
        pushing.look()

    first, second = [record.getMessage() for record in caplog.records]
    assert "401" in first
    assert second == "Metrics are pushed to the collector again."


def test_a_process_that_pushes_nothing_does_not_import_the_library(tmp_path):
    code = (
        "import django; django.setup(); import importengine.celery, importengine.web.metrics, sys;"
        "from importengine.metrics import push; push.begin();"
        "sys.exit('opentelemetry.sdk' in sys.modules)"
    )
    names = {"DJANGO_SETTINGS_MODULE": "importengine.settings", "IMPORT_DATA_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=names, check=False)

    assert done.returncode == 0
