"""``/metrics`` answers for the whole engine, to those who may ask."""

from contextlib import suppress
from datetime import timedelta
from ipaddress import ip_network

import pytest
from django.db import OperationalError
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from analytics import days, series
from analytics.tally import MIB, MOVES, STATE_SECONDS, Tally
from common import clock
from deliveries import services as deliveries
from feeds.models import Feed
from importengine.metrics.counts import Counts
from importengine.web import metrics, requests_seen
from licensing.models import Tenant
from mails.models import Mail
from sandbox.usage import USES
from tabular.model.problem import LimitExceeded, TabularProblem
from tests.importengine.test_health import see

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-the-scraper"
HOUR = timedelta(hours=1)


@pytest.fixture(autouse=True)
def always_new(monkeypatch):
    monkeypatch.setattr(metrics, "KEPT_S", 0.0)


def test_a_scraper_that_comes_often_does_not_reach_the_database(
    scrape, monkeypatch, django_assert_num_queries
):
    monkeypatch.setattr(metrics, "KEPT_S", 3_600.0)
    monkeypatch.setattr(metrics, "last_exposition", metrics.LastExposition())
    scrape()

    with django_assert_num_queries(0):
        scrape()


def test_a_scrape_takes_few_queries(scrape, django_assert_max_num_queries):
    with django_assert_max_num_queries(13):  # one of them asks PostgreSQL for its clock
        scrape()


def test_a_scrape_costs_and_says_the_same_however_many_tenants_there_are(
    scrape, django_assert_max_num_queries
):
    before = set(scrape())
    at = clock.now()
    Tenant.objects.bulk_create(Tenant(public_id=f"tnt_{n}", created_at=at) for n in range(2_000))

    with django_assert_max_num_queries(13):  # one of them asks PostgreSQL for its clock
        assert set(scrape()) == before


@pytest.fixture
def tenant():
    return Tenant.objects.create(public_id="tnt_acme", created_at=clock.now())


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


def test_what_is_stored_is_a_gauge_once_it_was_measured(scrape):
    assert "stored_bytes" not in scrape()

    days.measure_storage(clock.now())

    assert scrape()["stored_bytes"] == 0


def test_a_call_is_counted_by_route_and_refusal(monkeypatch, scrape):
    counts = Counts()
    monkeypatch.setattr(requests_seen, "counts", counts)
    Client().get("/api/import/v1/imports/rec_secret", HTTP_HOST="engine.example")
    counts.store()
    samples = scrape()

    (name,) = (n for n in samples if n.startswith("request_seconds_count"))
    assert "/api/import/v1/imports/<" in name
    assert "rec_secret" not in "".join(samples)
    assert [n for n in samples if n.startswith("request_refusals_total")]


def test_counts_of_calls_survive_a_database_that_is_away(monkeypatch, scrape):
    counts = Counts()
    monkeypatch.setattr(requests_seen, "counts", counts)
    Client().get("/healthz", HTTP_HOST="engine.example")

    def away(_: Tally) -> None:
        raise OperationalError

    with monkeypatch.context() as broken:
        broken.setattr("analytics.series.add", away)
        counts.store()
    counts.store()

    assert [n for n in scrape() if n.startswith("request_seconds_count GET none")]


def test_feeds_that_fail_and_mails_that_are_not_taken_are_named(scrape, tenant):
    at = clock.now()
    made = {"tenant": tenant, "due_at": at + HOUR, "created_at": at, "created_by": {}}
    failing = made | {"health": "failing"}
    Feed.objects.create(public_id="fed_1", state="active", health="good", **made)
    Feed.objects.create(public_id="fed_2", state="active", failing_since=at - HOUR, **failing)
    Feed.objects.create(public_id="fed_3", state="active", **failing)  # it refused a file
    Feed.objects.create(public_id="fed_4", state="paused", failing_since=at - HOUR, **failing)
    mail = {"tenant": tenant, "state": "queued", "kind": "failed", "due_at": at + HOUR}
    for tries in (0, 2):
        Mail.objects.create(
            public_id=f"mal_{tries}",
            address=f"{tries}@acme.example",
            tries=tries,
            created_at=at - 2 * HOUR,
            **mail,
        )
    samples = scrape()

    assert [samples[f"feeds {health}"] for health in ("new", "good", "failing")] == [0, 1, 2]
    assert samples["feeds_failing"] == 1
    assert samples["feed_failing_seconds"] == pytest.approx(3_600, abs=60)
    assert (samples["mails_queued"], samples["mails_retried"]) == (2, 1)
    assert samples["mail_failing_seconds"] == pytest.approx(7_200, abs=60)


def test_feeds_and_mails_that_are_due_are_queues(scrape, settings, tenant):
    settings.MAIL, settings.PUBLIC_ORIGIN = {"EMAIL_HOST": "mail.example"}, "https://e.example"
    at = clock.now()
    about = {"tenant": tenant, "created_at": at, "due_at": at - HOUR}
    Feed.objects.create(public_id="fed_1", state="active", created_by={}, **about)
    Mail.objects.create(
        public_id="mal_1", state="queued", kind="failed", address="a@acme.example", **about
    )
    samples = scrape()
    settings.MAIL = {}

    assert samples["oldest_due_seconds feeds"] == pytest.approx(3_600, abs=60)
    assert samples["oldest_due_seconds mails"] == pytest.approx(3_600, abs=60)
    assert scrape()["oldest_due_seconds mails"] == 0  # without a mail server they wait for good


def test_jobs_of_this_program_are_counted_once(scrape):
    list(USES.take())  # of other tests
    with suppress(TabularProblem), USES.noted("read") as use:
        use.peak_bytes = 300 * MIB
        raise LimitExceeded("Too many rows.", limit="rows", allowed=5)
    counts = Counts()
    counts.store()
    counts.store()
    samples = scrape()

    assert samples["job_seconds_count read"] == samples["job_peak_bytes_count read"] == 1
    assert samples[f"job_peak_bytes_bucket read {256 * MIB}"] == 0
    assert samples[f"job_peak_bytes_bucket read {384 * MIB}"] == 1
    assert (samples["limits_hit_total rows"], samples["limits_hit_total seconds"]) == (1, 0)


def test_a_limit_that_a_child_invents_does_not_become_a_label(scrape):
    list(USES.take())
    with suppress(TabularProblem), USES.noted("read"):
        raise LimitExceeded("Too much.", limit="a secret of the file", allowed=5)
    Counts().store()
    samples = scrape()

    assert samples["limits_hit_total other"] == 1
    assert not [name for name in samples if "secret" in name]


def test_what_an_alert_counts_is_zero_before_it_happens(scrape):
    samples = scrape()

    assert samples["job_failures_total transform"] == 0
    assert samples["limits_hit_total memory_bytes"] == 0
