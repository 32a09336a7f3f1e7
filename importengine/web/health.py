"""``/healthz`` and ``/readyz``, for monitoring. They need no host name and no key."""

import sys
from collections.abc import Callable

from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse

from common.http import problems
from importengine.processes import encryption, heartbeats
from importengine.web import elements, services
from sandbox.recognition import what_is_wrong
from tabular.job import isolation

Answer = Callable[[HttpRequest], HttpResponseBase]


def answer_probes(get_response: Answer) -> Answer:
    """Answer both routes before anything requires a host name, a key or the database."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.path_info == "/healthz":
            return HttpResponse("ok\n", content_type="text/plain")
        if request.path_info == "/readyz":
            return readiness()
        return get_response(request)

    return middleware


def readiness() -> JsonResponse:
    """Return what is missing to accept and do work; status 503 if anything is."""
    needed = {
        "database": _database(),
        "broker": services.broker(),
        "storage": _storage(),
        "secrets": _secrets(),
        "elements": elements.what_is_wrong() or "ok",
        **_programs(),
        "clocks": _clocks(),
    }
    checks = {**needed, "single_beat": _single_beat(), "sandbox": sandbox(), **_scans()}
    must = needed | ({"sandbox": checks["sandbox"]} if settings.SANDBOX == "strict" else {})
    is_ready = all(value == "ok" for value in must.values())
    return JsonResponse(
        {"status": "ready" if is_ready else "not_ready", "checks": checks},
        status=200 if is_ready else 503,
    )


def server_error(request: HttpRequest) -> HttpResponseBase:
    """Answer a call that failed; in the admin, say so if the database is away."""
    is_away = isinstance(sys.exc_info()[1], (OperationalError, InterfaceError))
    if is_away and request.path_info.startswith("/admin"):
        text = "The database does not answer. `manage.py doctor` says what to do.\n"
        return HttpResponse(text, "text/plain; charset=utf-8", 503)
    return problems.server_error(request)


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        return f"away ({type(error).__name__})"
    return "ok"


def _storage() -> str:
    """Return "ok", or no more than this: the store's own error may name an address."""
    return "ok" if services.last_look()["storage"] == "ok" else "away, or refuses the engine"


def _secrets() -> str:
    try:
        return encryption.what_is_unreadable() or "ok"
    except Error:
        return "not known"


def sandbox() -> str:
    """Return "ok", or what confines no job on this machine."""
    lacking = isolation.missing()
    return f"ERROR: lacks {' and '.join(lacking)}" if lacking else "ok"


def _scans() -> dict[str, str]:
    """Return what is missing to read scans, if the operator wants them read."""
    if not settings.SCAN_LANGUAGES:
        return {}
    wrong = what_is_wrong(settings.SCAN_LANGUAGES)
    return {"scans": f"ERROR: {wrong}" if wrong else "ok"}


def _programs() -> dict[str, str]:
    try:
        there = heartbeats.programs().queues
    except Error:
        return dict.fromkeys(heartbeats.QUEUES, "not known")
    lacking = {name: f"no worker with -Q {name} seen for half a minute" for name in heartbeats.WORK}
    lacking["beat"] = "not seen for half a minute"
    return {name: "ok" if name in there else lacking[name] for name in heartbeats.QUEUES}


def _clocks() -> str:
    try:
        return "; ".join(item.sentence for item in heartbeats.clocks_off()) or "ok"
    except Error:
        return "not known"


def _single_beat() -> str:
    """Return a warning if several beats run: duplicate wake-ups are useless but harmless."""
    try:
        beats = heartbeats.beats_at_once()
    except Error:
        return "not known"
    return f"{len(beats)} beats ran within half a minute; one is enough" if beats else "ok"
