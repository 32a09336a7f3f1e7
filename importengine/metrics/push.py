"""
Push the metrics of ``/metrics`` to a collector of OpenTelemetry, where ``OTEL_*`` names one.

Web processes and workers look whether a push is due. The one that moves its time in the database
pushes, and keeps doing so; another takes over when it is late. So metrics arrive while any of them
runs, once each. The library of OpenTelemetry is imported by the first push of a process.
"""

import logging
import threading
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import Error, connections
from django.db.models import Q

if TYPE_CHECKING:
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter

logger = logging.getLogger(__name__)

PUSHES = "pushes"  # the cursor with the time of the last one
LOOK_S = 5.0
LATE = timedelta(seconds=10)
EARLY = 0.1  # of the interval: a thread does not wake to the microsecond
EXPORTER = "opentelemetry.exporter.otlp.proto.http.metric_exporter"  # also the name of its logger


def begin(**_: Any) -> None:
    """Push from a thread, from now on, if a collector is named."""
    if settings.METRICS_PUSH_S is not None:
        Pushing(settings.METRICS_PUSH_S).begin()


class Pushing:
    """Pushes the metrics of the engine every so many seconds, if no other process does."""

    def __init__(self, every_s: float) -> None:
        self._every_s = every_s
        self._is_ours = False
        self._failure = ""
        self._reason = _Reason()
        self._exporter: OTLPMetricExporter | None = None

    def begin(self) -> None:
        """Start the thread."""
        threading.Thread(target=self._run, name="push", daemon=True).start()

    def look(self) -> bool:
        """Push the metrics if that is due; return whether this process did, or tried."""
        try:
            self._is_ours = self._claim()
            if self._is_ours:
                self._tell(self._push())
        except Error as error:
            self._tell(f"the database does not answer ({type(error).__name__})")
        return self._is_ours

    def _claim(self) -> bool:
        from analytics.models import Cursor
        from importengine.processes.heartbeats import database_now

        at, every = database_now(), timedelta(seconds=self._every_s)
        wait = every * (1 - EARLY) if self._is_ours else every + min(LATE, every)
        cursors = Cursor.objects.filter(source=PUSHES)
        is_due = Q(seen_at__lte=at - wait) | Q(seen_at__gt=at + every)  # the clock was set back
        if cursors.filter(is_due).update(seen_at=at):
            return True
        if cursors.exists():
            return False
        return Cursor.objects.get_or_create(source=PUSHES, defaults={"seen_at": at})[1]

    def _push(self) -> str:
        """Push once; return why that failed, or an empty text."""
        from opentelemetry.sdk.metrics.export import MetricExportResult

        from common import clock
        from importengine.metrics.otlp import as_otlp
        from importengine.web.metrics import families

        self._reason.text = ""
        try:
            result = self._exporter_of_process().export(as_otlp(families(), at=clock.now()))
        except (OSError, ValueError) as error:  # a certificate that is not there, an address
            return f"{type(error).__name__}: {error}"
        if result is MetricExportResult.SUCCESS:
            return ""
        return self._reason.text or "the collector does not take them"

    def _exporter_of_process(self) -> "OTLPMetricExporter":
        if self._exporter is None:
            from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter

            of_library = logging.getLogger(EXPORTER)
            of_library.propagate = False  # it has a line for every attempt
            of_library.handlers = [self._reason]
            self._exporter = OTLPMetricExporter()
        return self._exporter

    def _tell(self, failure: str) -> None:
        """Log the first of several failures, and their end."""
        if failure and not self._failure:
            logger.warning("Metrics are not pushed to the collector: %s", failure)
        elif self._failure and not failure:
            logger.warning("Metrics are pushed to the collector again.")
        self._failure = failure

    def _run(self) -> None:
        pause = threading.Event()
        while True:
            is_ours = self.look()
            connections.close_all()
            pause.wait(self._every_s if is_ours else min(self._every_s, LOOK_S))


class _Reason(logging.Handler):
    """Keeps the last line of a library, which says why a push failed."""

    text = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.text = record.getMessage()
