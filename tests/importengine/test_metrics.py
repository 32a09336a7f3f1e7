"""``/metrics`` answers for the whole engine, to those who may ask."""

from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.db import OperationalError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from analytics import series
from analytics.tally import MOVES, STATE_SECONDS, Tally
from common import clock
from deliveries import services as deliveries
from importengine.web import requests_seen
from licensing.models import Tenant
from tests.importengine.test_health import see

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-the-scraper"


@pytest.fixture
def scrape(settings):
    """Return a function that reads the metrics with the token, by name and labels."""
    settings.METRICS_TOKEN = TOKEN
    settings.ALLOWED_HOSTS = ["engine.example"]

    def scrape() -> dict[str, float]:
        names = {"HTTP_HOST": "10.0.0.7", "HTTP_AUTHORIZATION": f"Bearer {TOKEN}"}
        answer = Client().get("/metrics", **names)
        assert answer.status_code == 200, answer.content
        return {
            " ".join([sample.name.removeprefix("import_engine_"), *_values(sample)]): sample.value
            for family in text_string_to_metric_families(answer.content.decode())
            for sample in family.samples
        }

    return scrape


def _values(sample) -> list[str]:
    """Return the values of the labels, in the order of their names."""
    return [value for _, value in sorted(sample.labels.items())]


def test_metrics_are_off_until_a_caller_is_allowed_to_read_them(settings):
    settings.METRICS_TOKEN, settings.METRICS_NETWORKS = "", ()

    assert Client().get("/metrics").status_code == 404


@pytest.mark.parametrize("header", ["", "Bearer another-token", f"Basic {TOKEN}", "Bearer tökén"])
def test_a_caller_without_the_token_reads_nothing(settings, header):
    settings.METRICS_TOKEN = TOKEN
    answer = Client().get("/metrics", HTTP_AUTHORIZATION=header)

    assert (answer.status_code, b"import_engine" in answer.content) == (401, False)


@pytest.mark.parametrize(("network", "status"), [("127.0.0.0/8", 200), ("10.0.0.0/8", 401)])
def test_a_network_may_be_allowed(settings, network, status):
    settings.METRICS_NETWORKS = (ip_network(network),)

    assert Client().get("/metrics", REMOTE_ADDR="127.0.0.1").status_code == status


def test_a_database_that_is_away_is_a_503(settings, monkeypatch):
    settings.METRICS_TOKEN = TOKEN

    def away() -> None:
        raise OperationalError

    monkeypatch.setattr("importengine.web.metrics.exposition", away)

    answer = Client().get("/metrics", HTTP_AUTHORIZATION=f"Bearer {TOKEN}")
    assert answer.status_code == 503


def test_programs_that_were_seen_are_up(scrape):
    see(worker=5)
    samples = scrape()

    assert (samples["program_up imports"], samples["program_up beat"]) == (1, 0)


def test_a_histogram_counts_cumulatively(scrape):
    tally = Tally()
    for seconds in (0.5, 40, 1_000_000):
        tally.measure(STATE_SECONDS, seconds, state="reading")
    series.add(tally)
    samples = scrape()

    name = "import_state_seconds_bucket"
    buckets = [samples[f"{name} {le} reading"] for le in ("1", "60", "86400", "+Inf")]
    assert buckets == [1, 2, 2, 3]
    assert samples["import_state_seconds_sum reading"] == 1_000_040.5


def test_counts_have_one_sample_for_each_label(scrape):
    tally = Tally()
    tally.count(MOVES, 3, state="review")
    tally.count(MOVES, state="failed")
    series.add(tally)
    samples = scrape()

    assert (samples["import_moves_total review"], samples["import_moves_total failed"]) == (3, 1)


def test_a_failing_receiver_is_counted_and_never_named(scrape, settings):
    tenant = Tenant.objects.create(public_id="tnt_secret", created_at=clock.now())
    url = "https://host.example/apply?token=secret"
    registration = deliveries.register(tenant=tenant, url=url, at=clock.now()).registration
    registration.consecutive_failures = 3
    registration.failing_since = clock.now() - timedelta(minutes=20)
    registration.save()
    samples = scrape()

    assert (samples["receivers"], samples["receivers_failing"]) == (1, 1)
    assert samples["receiver_failing_seconds"] >= 1_200
    assert not [name for name in samples if "secret" in name or "example" in name]


def test_a_call_is_counted_by_route_and_refusal(monkeypatch, scrape):
    counts = requests_seen.RequestCounts()
    monkeypatch.setattr(requests_seen, "counts", counts)
    Client().get("/api/import/v1/imports/rec_secret", HTTP_HOST="engine.example")
    counts.store()
    samples = scrape()

    (name,) = (n for n in samples if n.startswith("request_seconds_count"))
    assert "/api/import/v1/imports/<" in name
    assert "rec_secret" not in "".join(samples)
    assert [n for n in samples if n.startswith("request_refusals_total")]


def test_counts_of_calls_survive_a_database_that_is_away(monkeypatch, scrape):
    counts = requests_seen.RequestCounts()
    monkeypatch.setattr(requests_seen, "counts", counts)
    Client().get("/healthz", HTTP_HOST="engine.example")

    def away(_: Tally) -> None:
        raise OperationalError

    with monkeypatch.context() as broken:
        broken.setattr("analytics.series.add", away)
        counts.store()
    counts.store()

    assert [n for n in scrape() if n.startswith("request_seconds_count GET none")]
