"""
``/metrics``: what the whole engine did and what waits, in the text format of Prometheus.

Any web process answers for the whole engine, because all counts are in the database. No label names
a tenant, a receiver, a file or a person.
"""

import hmac
import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from ipaddress import ip_address
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from analytics import selectors, series
from analytics.concerns import Machine
from analytics.tally import (
    ATTEMPT_SECONDS,
    ATTEMPTS,
    BOUNDS,
    DELIVERY_MOVES,
    FAILURES,
    MOVES,
    QUESTION_MOVES,
    REFUSALS,
    REQUEST_SECONDS,
    ROWS,
    STATE_SECONDS,
    Sum,
)
from common import clock
from common.release import release_in
from importengine.processes import heartbeats

if TYPE_CHECKING:
    from prometheus_client.core import Metric

PREFIX = "import_engine_"
HELP = {
    MOVES: "Imports that reached each state.",
    FAILURES: "Imports that failed, by the code of the problem.",
    STATE_SECONDS: "Seconds that imports spent in each state.",
    ROWS: "Rows of applied imports, by outcome.",
    DELIVERY_MOVES: "Deliveries that reached each state.",
    ATTEMPTS: "Attempts of deliveries, by class of status or of error.",
    ATTEMPT_SECONDS: "Seconds that attempts of deliveries took.",
    QUESTION_MOVES: "Questions that reached each state.",
    REQUEST_SECONDS: "Seconds that calls took in web processes, by route.",
    REFUSALS: "Calls that were refused, by code.",
}


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
            return HttpResponse(exposition(), "text/plain; version=0.0.4; charset=utf-8")
        except Error as error:
            text = f"The database does not answer ({type(error).__name__}).\n"
            return HttpResponse(text, "text/plain", 503)

    return middleware


def machine() -> Machine:
    """Return which programs are missing, and how full the disk is."""
    usage = disk()
    return Machine(
        lacking=sorted(set(heartbeats.QUEUES) - heartbeats.queues_seen()),
        free_share=usage.free / usage.total,
    )


def disk() -> "shutil._ntuple_diskusage":
    """Return the size of the disk with the data folder, which may not be there yet."""
    folder = next(path for path in (settings.DATA_DIR, *settings.DATA_DIR.parents) if path.exists())
    return shutil.disk_usage(folder)


def exposition() -> bytes:
    """Return all metrics as text. Raise a database error if they cannot be read."""
    from prometheus_client import CollectorRegistry, generate_latest

    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector())
    return generate_latest(registry)


class _Collector:
    def collect(self) -> "Iterator[Metric]":
        """Yield the metrics, gauges first."""
        yield from _gauges()
        yield from _sums()


def _gauges() -> "Iterator[Metric]":
    from prometheus_client.core import GaugeMetricFamily, InfoMetricFamily

    def gauge(
        name: str, text: str, values: dict[str, float] | float, label: str = ""
    ) -> GaugeMetricFamily:
        family = GaugeMetricFamily(PREFIX + name, text, labels=[label] if label else None)
        for key, value in (values if isinstance(values, dict) else {"": values}).items():
            family.add_metric([key] if label else [], value)
        return family

    def seconds(spans: dict[str, timedelta]) -> dict[str, float]:
        return {name: span.total_seconds() for name, span in spans.items()}

    now, programs = selectors.now(clock.now()), heartbeats.queues_seen()
    usage = disk()
    version = {"version": release_in(settings.BASE_DIR).engine}
    yield InfoMetricFamily(PREFIX + "version", "Version of the engine.", version)
    yield gauge("imports", "Imports that have not ended.", dict(now.imports), "state")
    yield gauge("deliveries", "Deliveries that have not ended.", dict(now.deliveries), "state")
    text = "Seconds that the oldest due work of a queue has waited for a worker."
    yield gauge("oldest_due_seconds", text, seconds(now.oldest_due), "queue")
    yield gauge("questions_open", "Questions that wait for an answer.", now.questions)
    text = "Age of the oldest open question."
    yield gauge("question_oldest_seconds", text, now.oldest_question.total_seconds())
    yield gauge("receivers", "Registered webhooks.", now.receivers)
    yield gauge("receivers_failing", "Webhooks whose last attempt failed.", now.failing_receivers)
    text = "Seconds since the webhook that has failed longest began to fail."
    yield gauge("receiver_failing_seconds", text, now.failing_for.total_seconds())
    text = "License keys that expire within so many days; 0: expired in the last 30."
    yield gauge("licenses_expiring", text, {str(n): v for n, v in now.expiring.items()}, "days")
    text = "1 if a program that serves this queue was seen within a minute."
    yield gauge("program_up", text, {q: float(q in programs) for q in heartbeats.QUEUES}, "queue")
    yield gauge("disk_free_bytes", "Free bytes next to the data folder.", usage.free)
    yield gauge("disk_size_bytes", "Size of the disk with the data folder.", usage.total)
    text = "Seconds since the counts were updated; -1 if never."
    yield gauge(
        "counts_age_seconds", text, now.counted.total_seconds() if now.counted is not None else -1
    )


def _sums() -> "Iterator[Metric]":
    from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily

    for name, rows in groupby(series.stored(), key=itemgetter(0)):
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


def _cumulative(sums: Sum, bounds: tuple[float, ...]) -> list[tuple[str, float]]:
    """Return the buckets as Prometheus counts them: each holds all smaller ones."""
    so_far, buckets = 0, []
    for bound, count in zip([*map(str, bounds), "+Inf"], sums.buckets, strict=True):
        so_far += count
        buckets.append((bound, float(so_far)))
    return buckets
