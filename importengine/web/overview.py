"""The overview of ``/admin``: what a person may see of it, in words and with links."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from analytics import charts, days, selectors
from analytics import overview as analytics
from analytics.charts import Chart
from analytics.concerns import SOON_DAYS, concerns, lasting
from analytics.overview import Overview, Period
from common import clock
from common.http.addresses import below
from importengine.web.metrics import disk, machine
from licensing.selectors import tenants_of
from tabular.model.sentences import counted

NONE = "–"
IMPORTS, DELIVERIES = "imports_importrecord", "deliveries_delivery"
WEBHOOKS, LICENSES = "deliveries_registration", "licensing_license"
PEOPLE = {"mapping": "In mapping", "review": "In review", "staged": "To approve"}
MAY_SEE = "imports.view_importrecord"


@dataclass(frozen=True, slots=True)
class Tile:
    """A number with its name, and the list that it counts."""

    name: str
    number: str
    note: str
    address: str
    tone: str = "plain"  # or warn, error


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as markup; a template would take half of the time of the page for its cells."""

    name: str
    totals: Sequence[tuple[str, str]]
    most: str
    first: str  # the day on the left
    drawn: SafeString  # what is inside the svg
    table: SafeString  # what is inside the table


@dataclass(frozen=True, slots=True)
class Line:
    """Something that is named, with a number or a date, and where to go."""

    text: str
    about: str
    address: str
    help: str = ""  # the address of a page of the documentation
    is_urgent: bool = False


def context_of(request: HttpRequest) -> dict[str, Any]:
    """Return what the template shows; empty for a person who may not look at imports."""
    user = request.user
    if not user.has_perm(MAY_SEE):
        return {}
    tenants = None if user.is_superuser else tenants_of(user)
    at = clock.now()
    engine = selectors.now(at) if tenants is None else None
    shown = analytics.overview(tenants, at=at, engine=engine)
    return {
        "overview": shown,
        # Members of a tenant can do nothing about a program.
        "concerns": list(concerns(engine, machine())) if engine else [],
        "tiles": list(_tiles(shown)),
        "figures": [(name, *pair) for name, *pair in _figures(shown)],
        "charts": [_drawing(chart) for chart in _charts(shown)],
        "problems": list(_problems(shown.month)),
        "attempts": list(_attempts(shown.month)),
        "receivers": list(_receivers(shown))
        if user.has_perm("deliveries.view_registration")
        else [],
        "licenses": list(_licenses(shown)) if user.has_perm("licensing.view_license") else [],
        "more_licenses": max(0, shown.now.licenses_count - analytics.MOST),
        "storage": list(_storage(user, shown)),
        "tenants": "all tenants" if tenants is None else ", ".join(map(str, tenants[:3])),
    }


def _tiles(shown: Overview) -> Iterator[Tile]:
    now = shown.now
    yield Tile("Waiting for a worker", f"{now.waiting:,}", "imports", _list(IMPORTS))
    yield Tile("Running", f"{now.running:,}", "imports", _list(IMPORTS))
    for state, number in now.people.items():
        yield Tile(PEOPLE[state], f"{number:,}", "wait for a person", _list(IMPORTS, state=state))
    tone = "error" if now.failed else "plain"
    yield Tile(
        "Failed", f"{now.failed:,}", "can be tried again", _list(IMPORTS, state="failed"), tone
    )
    note = f"{now.retried:,} tried before"
    tone = "warn" if now.retried else "plain"
    yield Tile("Deliveries under way", f"{now.deliveries:,}", note, _list(DELIVERIES), tone)
    tone = "error" if now.failing_count else "plain"
    address = _list(WEBHOOKS, failing="yes") if now.failing_count else _list(WEBHOOKS)
    yield Tile(
        "Failing receivers", f"{now.failing_count:,}", f"of {now.receivers:,}", address, tone
    )


def _figures(shown: Overview) -> Iterator[tuple[str, str, str]]:
    """Yield a name, and its figures of today and of 30 days."""

    def both(name: str, figure: Any) -> tuple[str, str, str]:
        return (name, figure(shown.today), figure(shown.month))

    def number(name: str) -> Any:
        return lambda period: f"{period.counts[name]:,}"

    yield both("Uploaded", number(days.UPLOADED))
    yield both("Applied", number(days.APPLIED))
    yield both("Failed", number(days.FAILED))
    yield both("Canceled", number(days.CANCELLED))
    yield both("Rows delivered", number(days.ROWS))
    yield both("Success", lambda period: _share(period.success))
    yield both("Applied without a question", lambda period: _share(period.without_question))
    yield both("Upload to review, median", lambda period: _span(period.to_review))
    yield both("Upload to apply, median", lambda period: _span(period.to_apply))
    yield both("Deliveries accepted", number(days.DELIVERED))
    yield both("Deliveries given up", number(days.NOT_DELIVERED))


def _charts(shown: Overview) -> Iterator[Chart]:
    dates = [day for day, _ in shown.by_day]
    for name, parts in (
        (
            "Imports by day",
            {"applied": days.APPLIED, "canceled": days.CANCELLED, "failed": days.FAILED},
        ),
        ("Rows by day", {"delivered": days.ROWS}),
        ("Deliveries by day", {"accepted": days.DELIVERED, "failed": days.NOT_DELIVERED}),
    ):
        numbers = {kind: [counts[key] for _, counts in shown.by_day] for kind, key in parts.items()}
        yield charts.stacked(name, dates, numbers)


def _drawing(chart: Chart) -> Drawing:
    bars = format_html_join(
        "\n",
        '<rect class="{}" x="{}" y="{}" width="{}" height="{}"><title>{}</title></rect>',
        ((bar.kind, bar.x, bar.y, bar.width, bar.height, bar.title) for bar in chart.bars),
    )
    head = format_html_join(
        "", '<th scope="col">{}</th>', ((kind.title(),) for kind in chart.kinds)
    )
    cells = "<td>{}</td>" * len(chart.kinds)
    rows = format_html_join(
        "\n",
        f'<tr><th scope="row">{{}}</th>{cells}</tr>',
        ((f"{day:%-d %b %Y}", *numbers) for day, numbers in reversed(chart.rows)),
    )
    table = format_html(
        '<thead><tr><th scope="col">Day</th>{}</tr></thead><tbody>{}</tbody>', head, rows
    )
    first = f"{chart.rows[0][0]:%-d %b}"
    return Drawing(chart.name, chart.totals, chart.most, first, bars, table)


def _problems(month: Period) -> Iterator[Line]:
    for code, number in month.most_frequent(days.PROBLEM):
        address = _list(IMPORTS, problem=code)
        yield Line(code, counted(number, "import"), address, help=below(f"/docs/problems/{code}"))


def _attempts(month: Period) -> Iterator[Line]:
    for result, number in month.most_frequent(days.ATTEMPT):
        if result != "2xx":
            yield Line(result, counted(number, "attempt"), _list(WEBHOOKS, failing="yes"))


def _receivers(shown: Overview) -> Iterator[Line]:
    for receiver in shown.now.failing:
        since = receiver.failing_since
        about = f"failing for {lasting(shown.at - since)}" if since else "failing"
        name = receiver.label or receiver.public_id
        yield Line(name, about, _list(WEBHOOKS, q=receiver.public_id))


def _licenses(shown: Overview) -> Iterator[Line]:
    for license in shown.now.licenses:
        left: timedelta = license.expires_at - shown.at
        about = f"{license.tenant}, expires in {lasting(left)}"
        address = _list(LICENSES, q=license.public_id)
        yield Line(str(license), about, address, is_urgent=left <= timedelta(days=SOON_DAYS))


def _storage(user: Any, shown: Overview) -> Iterator[tuple[str, str]]:
    if shown.stored_bytes is not None:
        yield ("Files, rows and deliveries", filesizeformat(shown.stored_bytes))
    if user.is_superuser:
        usage = disk()
        yield ("Free on the disk", f"{filesizeformat(usage.free)} of {filesizeformat(usage.total)}")


def _share(share: float | None) -> str:
    return NONE if share is None else f"{share:.1%}" if 0.99 <= share < 1 else f"{share:.0%}"


def _span(seconds: float | None) -> str:
    return NONE if seconds is None else lasting(timedelta(seconds=seconds))


def _list(model: str, **query: str) -> str:
    return reverse(f"admin:{model}_changelist", query=query or None)
