"""The demo host's page, the example files, and the deliveries of its receiver."""

import json
from dataclasses import dataclass

from django.conf import settings
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from common import clock
from common.errors import NotAuthenticated
from importengine.demo import inbox
from licensing.rights.model import REVERT
from licensing.services import accept_key
from licensing.sessions import Wanted, open_session

SCOPE = "demo"  # all visitors are one customer here


@dataclass(frozen=True, slots=True)
class Example:
    """A file of ``examples/`` and the catalog it is meant for."""

    name: str
    catalog_key: str
    about: str


EXAMPLES = (
    Example("orders-cp1252.csv", "orders", "German order export: preamble, total, odd cells"),
    Example("stock-two-sheets.xlsx", "stock", "Stock count: merged headers, notes, totals"),
    Example("price-list.pdf", "prices", "Printed price list: two pages, wrapped texts"),
)


@require_safe
@never_cache
def page(request: HttpRequest) -> HttpResponse:
    """Return the page; it requests its permissions from ``session``."""
    return render(request, "demo/page.html", {"examples": EXAMPLES})


@csrf_exempt  # there is no login here, and another page cannot read the answer
@require_POST
def session(request: HttpRequest) -> JsonResponse:
    """Open a session for the page, as a host's server does; a real one checks the user first."""
    try:
        body = json.loads(request.body)
        caller, _ = accept_key(key=settings.DEMO_LICENSE_KEY, at=clock.now())
    except ValueError:
        return JsonResponse({"detail": "The body is not JSON."}, status=400)
    except NotAuthenticated:
        return JsonResponse({"detail": "The demo has no license key; run its setup."}, status=503)
    mode = "browser" if body == {"applyMode": "browser"} else "webhook"
    wanted = Wanted(
        scope=SCOPE,
        meta={"host": "demo"},
        apply_mode=mode,
        rights=frozenset({REVERT}),
        origin=request.headers.get("Origin", "").lower(),
        actor_label="A visitor of the demo",
    )
    opened = open_session(caller=caller, wanted=wanted, at=clock.now())
    return JsonResponse({"token": opened.token})


@require_safe
def example_file(request: HttpRequest, name: str) -> FileResponse:
    """Return one example file."""
    if name not in {example.name for example in EXAMPLES}:
        raise Http404
    path = settings.BASE_DIR / "examples" / name
    return FileResponse(path.open("rb"), as_attachment=True, filename=name)


@require_safe
@never_cache
def deliveries(request: HttpRequest) -> JsonResponse:
    """Return the arrivals as ``{items: [...]}``, newest first; filtered by ``?recordId=``."""
    record_id = request.GET.get("recordId")
    items = [
        arrival
        for arrival in inbox.arrivals()
        if record_id is None or arrival.get("recordId") == record_id
    ]
    return JsonResponse({"items": items})


@require_safe
def delivery_body(request: HttpRequest, delivery_id: str) -> FileResponse:
    """Return the exact signed bytes."""
    if (path := inbox.body_path(delivery_id)) is None:
        raise Http404
    return FileResponse(path.open("rb"), content_type="application/json")
