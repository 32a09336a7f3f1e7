"""The page of the admin that rehearses a registered receiver: a button, then the report."""

from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from catalogs import selectors as catalogs
from common import clock
from common.errors import ServiceError
from deliveries.models import Registration, Rehearsal
from deliveries.rehearsal import SCENES
from licensing.selectors import actor_of, tenants_to_act_for
from licensing.staff_pages import who
from workflow import rehearsals

TEMPLATE = "admin/deliveries/registration/rehearsal.html"
BUSY = "A rehearsal of this tenant is running. Start this one when it has ended."


@require_http_methods(["GET", "POST"])
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the last rehearsal of a registration; a POST starts one."""
    rows = admin.site.get_model_admin(Registration)
    if not rows.has_view_permission(request):
        raise PermissionDenied
    registration = rows.get_queryset(request).select_related("tenant").filter(pk=pk).first()
    if registration is None or registration.deleted_at is not None:
        raise Http404
    may_start = _may_start(request, registration)
    if request.method == "POST":
        if not may_start:
            raise PermissionDenied
        _start(request, registration)
        return redirect("admin:rehearsal", pk=pk)
    context = {
        **admin.site.each_context(request),
        "title": "Rehearse",
        "opts": Registration._meta,
        "registration": registration,
        "may_start": may_start,
        "keys": _keys(registration),
        "scenes": len(SCENES),
        **_last(registration),
    }
    return render(request, TEMPLATE, context)


def _may_start(request: HttpRequest, registration: Registration) -> bool:
    theirs = tenants_to_act_for(request.user)
    is_allowed = request.user.has_perm("deliveries.change_registration")
    return is_allowed and theirs.filter(pk=registration.tenant_id).exists()


def _keys(registration: Registration) -> list[str]:
    """Return the published catalogs whose imports are sent to the receiver."""
    versions = catalogs.published_catalogs(registration.tenant)
    keys = list(versions.values_list("catalog__key", flat=True))
    wanted = registration.catalog_keys
    return [key for key in keys if wanted is None or key in wanted]


def _start(request: HttpRequest, registration: Registration) -> None:
    try:
        started = rehearsals.start(
            registration=registration,
            catalog_key=request.POST.get("catalog", ""),
            actor=actor_of(request.user),
            at=clock.now(),
        )
    except ServiceError as error:
        messages.error(request, error.sentence)
        return
    if started is None:
        messages.warning(request, BUSY)


def _last(registration: Registration) -> dict[str, Any]:
    """Return what the page says about the last rehearsal."""
    rehearsal = registration.rehearsals.order_by("-pk").first()
    if rehearsal is None:
        return {"rehearsal": None}
    reports = rehearsal.reports
    return {
        "rehearsal": rehearsal,
        "by": who(rehearsal.started_by),
        "is_playing": rehearsal.state == Rehearsal.State.PLAYING,
        "right": sum(not report["advice"] for report in reports),
        "played": len(reports),
    }
