"""
The pages at ``/admin/catalogs``: the editor's element, and catalogs as text.

The text pages work without scripts; a script adds line numbers. The role of the membership defines
what a person may do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from catalogs import selectors, services
from catalogs.documents import checked_key, is_key
from catalogs.errors import CatalogInvalid, CatalogKeyRefused, DraftChanged, UnknownCatalog
from catalogs.models import CatalogVersion
from catalogs.places import indented, placed, starter
from common import clock
from common.errors import ServiceError
from licensing.caller import Caller
from licensing.refusals import PublisherRequired
from licensing.selectors import memberships_of, staff_caller
from licensing.tokens.keys import CATALOG_EDITOR
from tabular.model.catalog_findings import Finding, is_blocking

Page = Callable[..., HttpResponse]
State = CatalogVersion.State


@dataclass(frozen=True, slots=True)
class Typed:
    """The content of the form: the text, the draft it was based on, and what is wrong."""

    text: str
    expected: str
    findings: tuple[Finding, ...] = ()
    is_conflict: bool = False

    @property
    def status(self) -> int:
        """The HTTP status of a page that shows it."""
        return 409 if self.is_conflict else 422


def for_member(page: Page) -> Page:
    """Return a page that gets the staff member as a caller of the tenant; 404 for other tenants."""

    @wraps(page)
    def with_caller(request: HttpRequest, **arguments: Any) -> HttpResponse:
        mine = list(memberships_of(request.user))
        wanted = request.GET.get("tenant", mine[0].tenant.public_id if mine else "")
        chosen = [m for m in mine if m.tenant.public_id == wanted]
        if mine and not chosen:
            raise Http404
        if chosen:
            return page(request, caller=staff_caller(chosen[0]), **arguments)
        return _page(request, "catalogs/no_tenant.html", title="Catalogs")

    return with_caller


@require_http_methods(["GET"])
@for_member
def editor_page(request: HttpRequest, caller: Caller, key: str = "") -> HttpResponse:
    """Return the editor: the list of catalogs, or one of them."""
    if key and not is_key(key):
        raise Http404
    return _page(
        request,
        "catalogs/editor.html",
        title=f"Catalog {key}" if key else "Catalogs",
        caller=caller,
        key=key,
        may_edit=caller.may(CATALOG_EDITOR),
        tenants=[membership.tenant for membership in memberships_of(request.user)],
        text_address=_address(key, caller) if key else _list_address(caller),
    )


@require_http_methods(["GET", "POST"])
@for_member
def list_page(request: HttpRequest, caller: Caller) -> HttpResponse:
    """Return the list of the tenant's catalogs; POST creates a new one."""
    key, refused = request.POST.get("key", "").strip(), ""
    if request.method == "POST":
        try:
            return _to_catalog(checked_key(key), caller)
        except CatalogKeyRefused as error:
            refused = error.sentence
    rows = [
        {"key": catalog.key, "address": _address(catalog.key, caller)}
        | _current_versions(list(catalog.versions.all()))
        for catalog in selectors.catalogs(caller.tenant)
    ]
    return _page(
        request,
        "catalogs/list.html",
        status=422 if refused else 200,
        title="Catalogs",
        caller=caller,
        may_edit=caller.may(CATALOG_EDITOR),
        tenants=[membership.tenant for membership in memberships_of(request.user)],
        catalogs=rows,
        key=key,
        refused=refused,
    )


@require_http_methods(["GET", "POST"])
@for_member
def catalog_page(request: HttpRequest, caller: Caller, key: str) -> HttpResponse:
    """Return a catalog as JSON; POST saves, publishes, retires or restores it."""
    if request.method == "GET":
        return _show(request, caller, key)
    if not caller.may(CATALOG_EDITOR):
        messages.error(request, "Your role for this tenant is read-only.")
        return _to_catalog(key, caller)
    text = request.POST.get("text", "").replace("\r\n", "\n")  # browsers post CRLF
    typed = Typed(text=text, expected=request.POST.get("expected", services.NONE))
    try:
        _carry_out(request, caller, key, typed)
    except DraftChanged:
        return _show(request, caller, key, replace(typed, is_conflict=True))
    except CatalogInvalid as error:
        return _show(request, caller, key, replace(typed, findings=error.findings))
    except ServiceError as error:
        messages.error(request, error.sentence)
    return _to_catalog(key, caller)


def _refuse_editors(caller: Caller) -> None:
    if not caller.publishes:
        raise PublisherRequired


def _carry_out(request: HttpRequest, caller: Caller, key: str, typed: Typed) -> None:
    """Carry out the action of the pressed button, and add a message about the result."""
    whose: Any = {"tenant": caller.tenant, "key": key, "at": clock.now(), "actor": caller.actor}
    if restored := request.POST.get("restore"):
        number = int(restored) if restored.isdecimal() else 0
        services.restore_version(number=number, expected=typed.expected, **whose)
        messages.success(request, f"Version {number} restored as draft. Publish it to use it.")
        return
    if request.POST.get("action") == "retire":
        _refuse_editors(caller)
        version = services.retire(note=request.POST.get("note", "").strip(), **whose)
        messages.success(
            request,
            f"Version {version.number} is retired; no new import uses this catalog until a version "
            "is published.",
        )
        return
    draft = services.save_draft(text=typed.text, expected=typed.expected, **whose)
    if request.POST.get("action") != "publish":
        messages.success(request, f"The draft of version {draft.number} is saved.")
        return
    _refuse_editors(caller)
    try:
        note = request.POST.get("note", "").strip()
        services.publish(expected=draft.etag, note=note, **whose)
    except CatalogInvalid:
        messages.error(request, "The draft is saved, but it cannot be published yet; see below.")
    else:
        messages.success(request, f"Version {draft.number} is published; new imports use it.")


def _show(
    request: HttpRequest, caller: Caller, key: str, typed: Typed | None = None
) -> HttpResponse:
    """Return the page: with rejected input, or with what is stored."""
    try:
        versions = list(selectors.versions(caller.tenant, key))
    except UnknownCatalog:
        versions = []
    may_edit = caller.may(CATALOG_EDITOR)
    if not versions and not (may_edit and is_key(key)):
        raise Http404
    current_versions = _current_versions(versions)
    draft, published = current_versions["draft"], current_versions["published"]
    viewed = next((v for v in versions if str(v.number) == request.GET.get("version")), None)
    current = draft.etag if draft else services.NONE
    stored = typed is None
    if typed is None:
        typed = _stored(viewed or draft or published, key, expected=current)
    elif typed.is_conflict:  # after this notice, the person may overwrite it
        typed = replace(typed, expected=current)
    return _page(
        request,
        "catalogs/catalog.html",
        status=200 if stored else typed.status,
        title=f"Catalog {key}",
        caller=caller,
        key=key,
        may_edit=may_edit and viewed is None,
        may_restore=may_edit,
        list_address=_list_address(caller),
        address=_address(key, caller),
        versions=versions,
        viewed=viewed,
        typed=typed,
        places=placed(typed.findings, typed.text),
        must_fix=any(map(is_blocking, typed.findings)),
        next_number=draft.number if draft else len(versions) + 1,
        **current_versions,
    )


def _stored(version: CatalogVersion | None, key: str, *, expected: str) -> Typed:
    if version is None:
        return Typed(text=starter(key), expected=expected)
    findings = selectors.findings(version)
    return Typed(text=indented(version.document), expected=expected, findings=findings)


def _current_versions(versions: Sequence[CatalogVersion]) -> dict[str, CatalogVersion | None]:
    by_state = {version.state: version for version in versions}
    return {"draft": by_state.get(State.DRAFT), "published": by_state.get(State.PUBLISHED)}


def _page(
    request: HttpRequest, template: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    whole = {**admin.site.each_context(request), "is_nav_sidebar_enabled": False, **context}
    return TemplateResponse(request, template, whole, status=status)


def _list_address(caller: Caller) -> str:
    return f"{reverse('admin:catalogs-text')}?{urlencode({'tenant': caller.tenant.public_id})}"


def _address(key: str, caller: Caller) -> str:
    at = reverse("admin:catalog-text", kwargs={"key": key})
    return f"{at}?{urlencode({'tenant': caller.tenant.public_id})}"


def _to_catalog(key: str, caller: Caller) -> HttpResponseRedirect:
    return HttpResponseRedirect(_address(key, caller))
