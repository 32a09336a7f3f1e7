"""
``/metrics``: what the whole engine did and what waits, in the text format of Prometheus.

Any web process answers for the whole engine, because all counts are in the database. No label names
a tenant, a receiver, a file or a person.
"""

import hmac
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from ipaddress import ip_address
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from analytics import days, selectors, series
from analytics.concerns import Machine
from analytics.job_counts import JOBS, LIMITS
from analytics.tally import (
    ATTEMPT_SECONDS,
    ATTEMPTS,
    BOUNDS,
    DELIVERY_MOVES,
    FAILURES,
    FEED_FILES,
    JOB_FAILURES,
    JOB_PEAK,
    JOB_ROWS,
    JOB_SECONDS,
    LIMITS_HIT,
    MAIL_MOVES,
    MOVES,
    QUESTION_MOVES,
    REFUSALS,
    REQUEST_SECONDS,
    ROWS,
    STATE_SECONDS,
    Labels,
    Sum,
)
from common import clock
from common.release import release_in
from importengine.processes import heartbeats
from importengine.web import services

if TYPE_CHECKING:
    from prometheus_client.core import GaugeMetricFamily, Metric

PREFIX = "import_engine_"
KEPT_S = 5.0
HELP = {
    MOVES: "Imports that reached each state.",
    FAILURES: "Imports that failed, by the code of the problem.",
    STATE_SECONDS: "Seconds that imports spent in each state.",
    ROWS: "Rows of applied imports, by outcome.",
    DELIVERY_MOVES: "Deliveries that reached each state.",
    ATTEMPTS: "Attempts of deliveries, by class of status or of error.",
    ATTEMPT_SECONDS: "Seconds that attempts of deliveries took.",
    QUESTION_MOVES: "Questions that reached each state.",
    FEED_FILES: "Files of feeds that were imported, the same as before, or refused.",
    MAIL_MOVES: "Mails that were sent, failed or were canceled.",
    REQUEST_SECONDS: "Seconds that calls took in web processes, by route.",
    REFUSALS: "Calls that were refused, by code.",
    JOB_SECONDS: "Seconds that jobs took, from the start of their process.",
    JOB_ROWS: "Rows of the results of jobs.",
    JOB_PEAK: "Largest resident memory of the processes of jobs.",
    JOB_FAILURES: "Jobs that ended without a result or a problem.",
    LIMITS_HIT: "Jobs that a limit stopped, by limit.",
}
# Counted as 0 before the first one: an alert on an increase does not see a series that begins at 1.
FROM_THE_START: tuple[tuple[str, Labels], ...] = (
    *((JOB_FAILURES, (("job", job),)) for job in JOBS),
    *((LIMITS_HIT, (("limit", limit),)) for limit in LIMITS),
)


def is_allowed(request: HttpRequest) -> bool:
    """Return whether a caller may read the metrics: by the token, or from an allowed network."""
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    wanted = settings.METRICS_TOKEN
    if wanted and kind == "Bearer" and hmac.compare_digest(token.encode(), wanted.encode()):
        return True
    try:
        address = ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:
        return False
    return any(address in network for network in settings.METRICS_NETWORKS)


def answer_scrapes(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Answer ``/metrics`` before anything requires a host name or a license key."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info != "/metrics" or not (
            settings.METRICS_TOKEN or settings.METRICS_NETWORKS
        ):
            return get_response(request)
        if not is_allowed(request):
            return HttpResponse("Send the token of IMPORT_METRICS_TOKEN.\n", "text/plain", 401)
        try:
            return HttpResponse(last_exposition(), "text/plain; version=0.0.4; charset=utf-8")
        except Error as error:
            text = f"The database does not answer ({type(error).__name__}).\n"
            return HttpResponse(text, "text/plain", 503)

    return middleware


def machine() -> Machine:
    """Return which programs are missing, what they cannot use, and how full the disk is."""
    usage, programs = disk(), heartbeats.programs()
    return Machine(
        lacking=sorted(set(heartbeats.PROGRAMS) - programs.queues),
        free_share=usage.free / usage.total,
        killed=programs.killed,
        failing={name: wrong for name, wrong in services.last_look().items() if wrong != "ok"},
    )


def disk() -> "shutil._ntuple_diskusage":
    """Return the size of the disk with the data folder."""
    return shutil.disk_usage(services.data_folder())


def exposition() -> bytes:
    """Return all metrics as text. Raise a database error if they cannot be read."""
    from prometheus_client import CollectorRegistry, generate_latest

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector())
    return generate_latest(registry)


class LastExposition:
    """The metrics of the last seconds, so that a scraper every second costs little."""

    def __init__(self) -> None:
        self._text, self._at = b"", float("-inf")
        self._reading = threading.Lock()

    def __call__(self) -> bytes:
        """Return the metrics, at most ``KEPT_S`` old. Raise a database error without any."""
        with self._reading:
            if time.monotonic() - self._at >= KEPT_S:
                self._text = exposition()
                self._at = time.monotonic()
            return self._text


last_exposition = LastExposition()


class _Collector:
    def collect(self) -> "Iterator[Metric]":
        """Yield the metrics."""
        return families()


def families() -> "Iterator[Metric]":
    """Yield the metrics, gauges first. Raise a database error if they cannot be read."""
    yield from _gauges()
    yield from _machine()
    yield from _sums()


def _gauge(
    name: str, text: str, values: dict[str, float] | float, label: str = ""
) -> "GaugeMetricFamily":
    from prometheus_client.core import GaugeMetricFamily

    family = GaugeMetricFamily(PREFIX + name, text, labels=[label] if label else None)
    for key, value in (values if isinstance(values, dict) else {"": values}).items():
        family.add_metric([key] if label else [], value)
    return family


def _seconds(spans: dict[str, timedelta]) -> dict[str, float]:
    return {name: span.total_seconds() for name, span in spans.items()}


def _gauges() -> "Iterator[Metric]":
    from prometheus_client.core import InfoMetricFamily

    now = selectors.now(clock.now())
    version = {"version": release_in(settings.BASE_DIR).engine}
    yield InfoMetricFamily(PREFIX + "version", "Version of the engine.", version)
    yield _gauge("imports", "Imports that have not ended.", dict(now.imports), "state")
    yield _gauge("deliveries", "Deliveries that have not ended.", dict(now.deliveries), "state")
    text = "Seconds that the oldest due work of a queue has waited for a worker."
    yield _gauge("oldest_due_seconds", text, _seconds(now.oldest_due), "queue")
    yield _gauge("questions_open", "Questions that wait for an answer.", now.questions)
    text = "Age of the oldest open question."
    yield _gauge("question_oldest_seconds", text, now.oldest_question.total_seconds())
    yield _gauge("receivers", "Registered webhooks.", now.receivers)
    yield _gauge("receivers_failing", "Webhooks whose last attempt failed.", now.failing_receivers)
    text = "Webhooks that refused a delivery, which is not sent again, and accepted none since."
    yield _gauge("receivers_refusing", text, now.refusing_receivers)
    text = "Seconds since the webhook that has failed longest began to fail."
    yield _gauge("receiver_failing_seconds", text, now.failing_for.total_seconds())
    yield from _feeds_and_mails(now)
    text = "License keys that expire within so many days; 0: expired in the last 30."
    yield _gauge("licenses_expiring", text, {str(n): v for n, v in now.expiring.items()}, "days")
    if (stored := days.last_stored()) is not None:
        text = "Bytes of the files, rows and deliveries of all tenants, measured every hour."
        yield _gauge("stored_bytes", text, stored)
    text = "Seconds since the counts were updated; -1 if never."
    yield _gauge(
        "counts_age_seconds", text, now.counted.total_seconds() if now.counted is not None else -1
    )


def _feeds_and_mails(now: selectors.Now) -> "Iterator[Metric]":
    feeds, mails = now.feeds, now.mails
    yield _gauge("feeds", "Active feeds, by their health.", dict(feeds.by_health), "health")
    yield _gauge("feeds_failing", "Active feeds whose last run failed.", feeds.failing)
    text = "Seconds since the feed that has failed longest began to fail."
    yield _gauge("feed_failing_seconds", text, feeds.failing_for.total_seconds())
    yield _gauge("mails_queued", "Mails that wait to be sent.", mails.queued)
    yield _gauge("mails_retried", "Mails that the mail server did not take so far.", mails.retried)
    text = "Age of the oldest mail that the mail server did not take so far."
    yield _gauge("mail_failing_seconds", text, mails.failing_for.total_seconds())


def _machine() -> "Iterator[Metric]":
    """Yield what runs here, and what the engine needs."""
    programs, usage = heartbeats.programs(), disk()
    killed: dict[str, float] = dict.fromkeys((*heartbeats.PROGRAMS, heartbeats.SANDBOX), 0.0)
    killed |= programs.killed
    text = "1 if a program that serves this queue was seen within half a minute."
    served = {queue: float(queue in programs.queues) for queue in heartbeats.PROGRAMS}
    yield _gauge("program_up", text, served, "queue")
    text = "Programs that ended without being stopped in the last ten minutes."
    yield _gauge("programs_killed", text, killed, "program")
    text = "1 if the service can be used: the broker, the files, the provider of sign-ins."
    looks = {name: float(wrong == "ok") for name, wrong in services.last_look().items()}
    yield _gauge("service_up", text, looks, "service")
    yield _gauge("disk_free_bytes", "Free bytes next to the data folder.", usage.free)
    yield _gauge("disk_size_bytes", "Size of the disk with the data folder.", usage.total)


def _sums() -> "Iterator[Metric]":
    from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

    for name, rows in groupby(_counted(), key=itemgetter(0)):
        if name not in HELP:  # of a later version
            continue
        _, labels, sums = first = next(rows)
        names = [label for label, _ in labels]
        if bounds := BOUNDS.get(name):
            histogram = HistogramMetricFamily(PREFIX + name, HELP[name], labels=names)
            for _, labels, sums in chain([first], rows):
                histogram.add_metric([v for _, v in labels], _cumulative(sums, bounds), sums.total)
            yield histogram
        else:
            counter = CounterMetricFamily(PREFIX + name, HELP[name], labels=names)
            for _, labels, sums in chain([first], rows):
                counter.add_metric([value for _, value in labels], sums.count)
            yield counter


def _counted() -> list[tuple[str, Labels, Sum]]:
    """Return the sums of all series, by name."""
    sums = {series_: Sum() for series_ in FROM_THE_START}
    sums |= {(name, labels): stored for name, labels, stored in series.stored()}
    return [(name, labels, sums[name, labels]) for name, labels in sorted(sums)]


def _cumulative(sums: Sum, bounds: tuple[float, ...]) -> list[tuple[str, float]]:
    """Return the buckets as Prometheus counts them: each holds all smaller ones."""
    so_far, buckets = 0, []
    for bound, count in zip([*map(str, bounds), "+Inf"], sums.buckets, strict=True):
        so_far += count
        buckets.append((bound, float(so_far)))
    return buckets
