"""``/admin/catalogs/{key}/analytics``: how imports went, and what the catalog could gain."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.http import require_http_methods

from analytics import charts
from analytics.by_catalog import failed_texts
from analytics.by_catalog.report import MOST_NAMED, Report, Step, report
from analytics.concerns import lasting
from catalogs import selectors as catalogs
from catalogs.admin import for_member
from catalogs.errors import UnknownCatalog
from common import clock
from common.errors import ServiceError
from licensing.caller import Caller
from licensing.rights.table import CATALOGS, EDIT
from licensing.tokens.keys import CATALOG_EDITOR
from tabular.model.sentences import counted
from workflow import proposals
from workflow.proposals import Offered, Offers

NONE = "–"
PERIODS = (7, 30, 90)
DAYS = 30
SCREENS = {
    "upload": "Upload",
    "table": "Table",
    "columns": "Columns",
    "review": "Review",
    "import": "Import",
}
NAMES = {
    "uploaded": "Uploaded",
    "table": "Table read",
    "columns": "Columns mapped",
    "review": "In review",
    "applied": "Applied",
}
TAGS = {
    proposals.UNTESTED: ("", "Not tested"),
    proposals.RUNNING: ("warn", "Being tested"),
    proposals.PASSES: ("ok", "Passes"),
    proposals.DIFFERS: ("error", "Changes a test file"),
}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table. note: what is said after its name."""

    name: str
    cells: Sequence[str]
    note: str = ""
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the page."""

    name: str
    heads: Sequence[str]
    rows: Sequence[Row]
    empty: str = "None"


@require_http_methods(["GET", "POST"])
@for_member
def page(request: HttpRequest, caller: Caller, key: str) -> HttpResponse:
    """Show the analytics of a catalog; POST tests what is proposed, or adds it to the draft."""
    if not request.user.has_perm(CATALOGS):
        raise PermissionDenied
    days = _days(request)
    try:
        catalogs.catalog(caller.tenant, key)
    except UnknownCatalog as error:
        raise Http404 from error
    shown = report(caller.tenant, key, today=clock.now().date(), days=days)
    offers = proposals.offers(caller.tenant, key, shown, cells=caller.sees_cells, at=clock.now())
    if request.method == "POST":
        return _carry_out(request, caller, offers, key=key, days=days)
    context = {
        **admin.site.each_context(request),
        "title": f"Analytics of {key}",
        "is_nav_sidebar_enabled": False,
        "caller": caller,
        "key": key,
        "days": days,
        "periods": PERIODS,
        "report": shown,
        "steps": [_step(step) for step in shown.steps],
        "drawn": _drawn(shown),
        "tables": [
            _screens(shown),
            *_tables(shown, cells=caller.sees_cells),
            _failed(caller, key, shown),
        ],
        "offers": offers,
        "offered": [_offered(item, offers.tests) for item in offers.items],
        "tested_with": counted(offers.tests, "test file"),
        "may_edit": caller.may(CATALOG_EDITOR),
        "may_test": any(item.may_be_tested for item in offers.items),
        "may_add": any(item.is_offered for item in offers.items),
        "has_texts": any(item.proposal.addition.kind == "option" for item in offers.items),
    }
    return TemplateResponse(request, "catalogs/analytics.html", context)


def _days(request: HttpRequest) -> int:
    wanted = request.GET.get("days", str(DAYS))
    if wanted not in map(str, PERIODS):
        raise Http404
    return int(wanted)


def _carry_out(
    request: HttpRequest, caller: Caller, offers: Offers, *, key: str, days: int
) -> HttpResponseRedirect:
    if not (caller.may(CATALOG_EDITOR) and request.user.has_perm(EDIT)):
        raise PermissionDenied
    action = request.POST.get("action")
    if action not in {"add", "test"}:
        raise BadRequest("The action is neither add nor test.")
    whose: Any = {"actor": caller.actor, "at": clock.now()}
    ids = request.POST.getlist("proposal")
    query = {"tenant": caller.tenant.public_id}
    address = reverse("admin:catalog-analytics", kwargs={"key": key})
    try:
        if action == "test":
            proposals.start_tests(offers=offers, **whose)
            messages.success(request, "The proposals are being tested. Reload for the results.")
        elif not ids:
            messages.warning(request, "Select a proposal first.")
        else:
            draft = proposals.add(offers=offers, ids=ids, **whose)
            added = counted(len(ids), "proposal")
            messages.success(request, f"Added {added} to the draft of version {draft.number}.")
            address = reverse("admin:catalog-text", kwargs={"key": key})
            return HttpResponseRedirect(f"{address}?{urlencode(query)}")
    except ServiceError as error:
        messages.error(request, error.sentence)
    return HttpResponseRedirect(f"{address}?{urlencode({**query, 'days': days})}")


def _step(step: Step) -> Mapping[str, str]:
    seconds = step.seconds
    return {
        "name": NAMES[step.name],
        "imports": f"{step.imports:,}",
        "share": NONE if step.share is None else f"{step.share:.0%}",
        "time": NONE if seconds is None else _lasting(seconds),
        "gave_up": f"{step.gave_up:,}",
        "left": f"{step.left:,}",
        "waiting": f"{step.waiting:,}",
    }


def _lasting(seconds: float) -> str:
    return lasting(timedelta(seconds=seconds))


def _drawn(shown: Report) -> SafeString:
    """Return the bars of the steps as markup."""
    bars = charts.funnel([(NAMES[step.name], _parts(step)) for step in shown.steps])
    return format_html_join(
        "\n",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"><title>{}</title></rect>',
        ((bar.kind.split()[0], bar.x, bar.y, bar.width, bar.height, bar.title) for bar in bars),
    )


def _parts(step: Step) -> dict[str, int]:
    stopped = step.gave_up + step.left
    return {
        "continued": max(0, step.imports - stopped - step.waiting),
        "waiting": step.waiting,
        "stopped": stopped,
    }


def _tables(shown: Report, *, cells: bool) -> Iterator[Table]:
    headers = [
        Row(item.header or "(no header)", (item.field or "not mapped", f"{item.imports:,}"))
        for item in shown.headers_for(cells=cells)
    ]
    yield Table("Headers that people correct", ("Header", "Field", "Imports"), headers)
    texts = [
        Row(
            item.text,
            ("none" if item.value is None else str(item.value), f"{item.imports:,}"),
            item.field,
        )
        for item in (shown.texts[:MOST_NAMED] if cells else ())
    ]
    empty = "None" if cells else "Your role does not show cells of imports."
    yield Table("Texts that people take for an option", ("Text", "Option", "Imports"), texts, empty)
    questions = [
        Row(
            item.kind,
            (
                f"{item.questions:,}",
                _lasting(item.seconds),
                f"{item.left_open:,}",
            ),
            item.field,
            is_code=True,
        )
        for item in shown.questions
    ]
    heads = ("Question", "Answered", "From question to answer", "Left open")
    yield Table("Questions that cost most", heads, questions)
    for name, first, last, items in (
        ("Issues before corrections", "Issue", "Issues", shown.issues),
        ("Fields that people edit", "Field", "Cells", shown.edits),
    ):
        rows = [
            Row(item.name, (f"{item.imports:,}", f"{item.cells:,}"), is_code=True) for item in items
        ]
        yield Table(name, (first, "Imports", last), rows)


def _screens(shown: Report) -> Table:
    rows = [
        Row(
            SCREENS[item.name],
            (
                f"{item.seen:,}",
                NONE if item.seconds is None else _lasting(item.seconds),
                f"{item.closed:,}",
            ),
        )
        for item in shown.screens
        if item.seen
    ]
    heads = ("Step", "Seen", "Median time", "Page closed")
    return Table("Steps as people see them", heads, rows, "No widget reported any")


def _failed(caller: Caller, key: str, shown: Report) -> Table:
    """Return the texts that no option takes; they are cells."""
    name, heads = "Texts that no option takes", ("Text", "Imports", "Undecided")
    if not caller.sees_cells:
        return Table(name, heads, [], "Your role does not show cells of imports.")
    rows = [
        Row(item.text, (f"{item.imports:,}", f"{item.undecided:,}"), item.field)
        for item in failed_texts.newest(caller.tenant, key, since=shown.since)
    ]
    empty = f"None in {failed_texts.LEAST_IMPORTS} imports or more"
    return Table(name, heads, rows, empty)


def _offered(item: Offered, tests: int) -> dict[str, Any]:
    addition = item.proposal.addition
    tone, state = TAGS[item.state] if tests else ("", "No test files")
    return {
        "id": addition.id,
        "kind": addition.kind,
        "addition": addition,
        "imports": counted(item.proposal.imports, "import"),
        "tone": tone,
        "state": state,
        "is_offered": item.is_offered,
        "differences": list(_sentences(item)),
    }


def _sentences(item: Offered) -> Iterator[str]:
    for difference in item.differences:
        yield f"{difference.test}: {difference.sentence}"
