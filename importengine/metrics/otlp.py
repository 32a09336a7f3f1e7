"""Metrics of Prometheus as those of OpenTelemetry: the same names, labels and numbers. Pure."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any

from opentelemetry.sdk.metrics import export as otlp
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.util.instrumentation import InstrumentationScope

if TYPE_CHECKING:
    from prometheus_client import Metric
    from prometheus_client.samples import Sample

SERVICE = "import-engine"
UNNAMED = "unknown_service"
NANO = 1_000_000_000
SINCE = 0  # not known: counts go on when a process starts
CUMULATIVE = otlp.AggregationTemporality.CUMULATIVE


def as_otlp(families: "Iterable[Metric]", *, at: datetime) -> otlp.MetricsData:
    """Return what one push sends."""
    at_ns = int(at.timestamp() * NANO)
    metrics = [
        otlp.Metric(name=name, description=family.documentation, unit="", data=points)
        for family in families
        for name, points in [_points(family, at_ns)]
    ]
    scope = otlp.ScopeMetrics(InstrumentationScope("importengine"), metrics, "")
    return otlp.MetricsData([otlp.ResourceMetrics(_resource(), [scope], "")])


def _resource() -> Resource:
    """Return the names of OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES, or ours."""
    resource = Resource.create()
    if str(resource.attributes[SERVICE_NAME]).startswith(UNNAMED):
        return resource.merge(Resource({SERVICE_NAME: SERVICE}))
    return resource


def _points(family: "Metric", at_ns: int) -> tuple[str, Any]:
    """Return the name of a family for a collector, and its numbers."""
    if family.type == "histogram":
        points = list(_histograms(family.samples, at_ns))
        return family.name, otlp.Histogram(points, CUMULATIVE)
    numbers = [
        otlp.NumberDataPoint(dict(sample.labels), SINCE, at_ns, float(sample.value))
        for sample in family.samples
    ]
    if family.type == "counter":  # exporters to Prometheus add "_total"
        return family.name, otlp.Sum(numbers, CUMULATIVE, is_monotonic=True)
    return f"{family.name}_info" if family.type == "info" else family.name, otlp.Gauge(numbers)


def _histograms(samples: "Iterable[Sample]", at_ns: int) -> Iterator[otlp.HistogramDataPoint]:
    for labels, of_labels in groupby(samples, key=_without_bound):
        buckets, rest = [], {}
        for sample in of_labels:
            if "le" in sample.labels:
                buckets.append((float(sample.labels["le"]), int(sample.value)))
            else:
                rest[sample.name.rpartition("_")[2]] = sample.value
        counts = [count for _, count in buckets]
        yield otlp.HistogramDataPoint(
            attributes=dict(labels),
            start_time_unix_nano=SINCE,
            time_unix_nano=at_ns,
            count=counts[-1],
            sum=rest["sum"],
            bucket_counts=[after - before for before, after in pairwise([0, *counts])],
            explicit_bounds=[bound for bound, _ in buckets[:-1]],
            min=None,  # type: ignore[arg-type]  # not known; the encoder leaves it out
            max=None,  # type: ignore[arg-type]
        )


def _without_bound(sample: "Sample") -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in sample.labels.items() if name != "le")
