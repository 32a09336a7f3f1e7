"""The widget on hostile pages, and with failing keys and engines."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.web.walks.engine import Engine, until
from tests.web.walks.hosts import Host
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

CLEAN = "Order number,Ordered on,Customer,Article,Quantity,Unit price,Status\n"
ROW = "A-{n},2026-02-03,{customer},LX-100,2,19.90,open\n"
HOSTILE = """
* { all: unset !important; font-size: 40px !important; color: red !important }
button, input, table { display: none !important }
service-import {
  opacity: 0 !important; transform: rotate(90deg) !important; display: inline !important;
}
"""


def orders(rows: int = 3, customer: str = "Nordlicht") -> dict:
    text = CLEAN + "".join(ROW.format(n=n, customer=customer) for n in range(rows))
    return {"name": "orders.csv", "mimeType": "text/csv", "buffer": text.encode()}


def code_of(widget: Widget) -> str:
    """Return the problem code that the page received."""
    widget.until(lambda: widget.heard("import-error"), "the page hears of trouble")
    code: str = widget.heard("import-error")[-1]["code"]
    return code


def test_a_page_that_unsets_everything_changes_nothing(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(css=HOSTILE, session={"catalogKey": "orders"})
    widget.until(widget.is_ready, "the widget is ready")

    button = widget.button("Choose file")
    assert button.is_visible()
    assert button.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") < 20
    style = "e => { const s = getComputedStyle(e); return [s.opacity, s.transform, s.display] }"
    assert widget.element.evaluate(style) == ["1", "none", "block"]


def test_a_strict_policy_with_trusted_types_is_kept(
    open_page: Callable[..., Page], host: Host, engine: Engine
) -> None:
    policy = (
        f"default-src 'none'; script-src 'self' {engine.origin}; style-src 'self'; img-src data:; "
        f"connect-src 'self' {engine.origin}; require-trusted-types-for 'script'; "
        "trusted-types lit-html"
    )
    messages: list[str] = []
    page = open_page("about:blank")
    page.on("console", lambda message: messages.append(message.text))
    page.goto(host.widget_page(csp=policy, session={"catalogKey": "orders"}))
    widget = Widget(page)

    widget.choose(orders())
    widget.go_to("review")

    assert [
        text for text in messages if "Content Security Policy" in text or "Trusted" in text
    ] == []


def test_cells_with_markup_stay_text(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    hostile = "<img src=x onerror=window.owned=1><script>window.owned=1</script>"

    widget.choose(orders(customer=hostile))
    widget.go_to("review")

    cell = widget.element.get_by_text("<img src=x onerror").first
    cell.wait_for()
    assert widget.evaluate("() => window.owned") is None
    assert widget.element.locator("img, script").count() == 0


@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("imp_lic_nonsense", "license_malformed"),
        ("imp_ses_of_nobody", "session_ended"),
    ],
)
def test_a_key_that_is_not_accepted_is_told(
    key: str, code: str, open_widget: Callable[..., Widget]
) -> None:
    widget = open_widget(key=key)

    assert code_of(widget) == code
    widget.element.get_by_role("alert").first.wait_for()


def test_a_revoked_key_is_told(
    open_widget: Callable[..., Widget], engine: Engine, host: Host
) -> None:
    key = engine.page_key("tnt_revoked", host.origin)
    engine.manage("license", "revoke", key, "--reason", "test")

    assert code_of(open_widget(key=key)) == "license_revoked"


def test_a_key_of_another_site_is_told(open_widget: Callable[..., Widget], engine: Engine) -> None:
    key = engine.page_key("tnt_demo", "https://elsewhere.example")

    assert code_of(open_widget(key=key)) == "origin_not_allowed"


def test_an_engine_that_is_away_is_told(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(api_base_url="http://127.0.0.1:9", session={"catalogKey": "orders"})

    assert code_of(widget) == "unreachable"


def test_a_page_key_imports_without_a_server(
    open_widget: Callable[..., Widget], engine: Engine, host: Host
) -> None:
    widget = open_widget(
        key=engine.page_key("tnt_demo", host.origin), catalog_key="orders", context={"tab": "x"}
    )

    widget.choose(orders())
    widget.go_to("review")
    widget.import_all()
    event = widget.wait_for_applied()

    until(lambda: engine.received(event["recordId"]), "the receiver has the rows")
    assert engine.received(event["recordId"])[0]["meta"] == {"page": {"tab": "x"}}


def test_a_person_chooses_among_several_catalogs_where_there_is_no_key(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={})

    widget.button("Price list").wait_for()
    widget.button("Orders").click()

    widget.heading("Import Orders").wait_for()
    assert [event["catalogKey"] for event in widget.heard("import-ready")] == ["orders"]


def test_a_session_that_ends_half_way_is_asked_for_again(
    open_widget: Callable[..., Widget], host: Host, engine: Engine
) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    widget.choose(orders())
    widget.go_to("review")
    host.end_session(host.opened[-1])
    before = len(host.opened)

    widget.import_all()
    event = widget.wait_for_applied()

    assert len(host.opened) > before
    until(lambda: engine.received(event["recordId"]), "the receiver has the rows")


def test_a_page_that_makes_fetch_key_again_goes_on_and_is_asked_for_the_next_key(
    open_widget: Callable[..., Widget], host: Host
) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    widget.choose(orders())
    widget.go_to("review")
    before = len(host.opened)

    widget.page.evaluate(
        "() => { const widget = document.querySelector('service-import');"
        " const before = widget.fetchKey; widget.fetchKey = () => before.call(widget) }"
    )
    widget.import_all()
    widget.wait_for_applied()

    assert len(host.opened) == before + 1


def test_a_connection_that_comes_back_goes_on(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    widget.choose(orders())
    widget.go_to("review")
    widget.primary.last.click(trial=True)  # rows that have not come cannot be imported

    widget.page.context.set_offline(True)
    widget.primary.last.click()
    code_of(widget)
    assert not widget.heard("import-applied")

    widget.page.context.set_offline(False)
    widget.import_all()
    widget.wait_for_applied()


def test_an_import_that_was_deleted_is_told(
    open_widget: Callable[..., Widget], engine: Engine
) -> None:
    widget = open_widget(session={"catalogKey": "orders", "scope": "deleted"})
    widget.choose(orders())
    widget.go_to("review")
    widget.element.get_by_role("gridcell", name="A-1").wait_for()
    records = engine.call("GET", "imports?limit=1").json()["items"]
    engine.call("DELETE", f"imports/{records[0]['recordId']}")

    widget.primary.last.click()

    assert code_of(widget) == "cancelled"
    widget.heading("The import was cancelled.").wait_for()


def test_a_file_that_is_too_large_is_told(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})

    widget.choose(orders(rows=120_000))  # the engine of these tests accepts 4 MB

    assert code_of(widget) == "too_large"
    widget.element.get_by_role("alert").get_by_text("This file is too large.").wait_for()


def test_an_import_goes_on_after_a_reload(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    widget.choose(orders())
    widget.go_to("review")

    widget.page.reload()
    widget.until(widget.is_ready, "the widget is ready")
    widget.button("Continue").click()

    widget.until(lambda: widget.step == "review", "the review is there again")


def test_a_file_of_the_page_and_rows_of_the_page_are_taken(
    open_widget: Callable[..., Widget],
) -> None:
    widget = open_widget(session={"catalogKey": "orders"})
    widget.until(widget.is_ready, "the widget is ready")

    widget.page.evaluate(
        "text => document.querySelector('service-import').setFile(new Blob([text]), 'a.csv')",
        orders()["buffer"].decode(),
    )
    widget.go_to("review")

    assert widget.heard("import-file")


def test_a_file_that_cannot_be_read_is_told(open_widget: Callable[..., Widget]) -> None:
    widget = open_widget(session={"catalogKey": "orders"})

    widget.choose({"name": "a.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7\nnothing"})

    assert code_of(widget)
    widget.button("Choose another file").wait_for()
