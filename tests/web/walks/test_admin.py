"""The admin in a real browser: narrow and wide, light and dark, under its strict policy."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.walks.engine import Engine
from tests.web.walks.hosts import AXE

pytestmark = pytest.mark.web
LISTS = (
    "imports/importrecord", "imports/profile", "ledger/question", "ledger/answer",
    "changesets/changeset", "deliveries/delivery", "deliveries/registration",
    "contracts/issuedcontract", "contracts/signingkey", "licensing/license", "licensing/membership",
    "licensing/pagesession", "licensing/tenant", "common/event", "auth/user", "auth/group",
    "references/knownset", "references/knownentity",
)  # fmt: skip
FORMS = ("licensing/license/add", "contracts/issuedcontract/add", "licensing/membership/add")
# Parts of pages that are not ours to mend.
DJANGOS = ["[id$=-DELETE]", ".select2-selection", ".help-tooltip"]
RUN_AXE = """async exclude => {
  const {violations} = await axe.run({exclude}, {resultTypes: ['violations']})
  const grave = violations.filter(one => ['serious', 'critical'].includes(one.impact))
  return grave.map(one => [one.id, ...one.nodes.slice(0, 3).map(node => node.html.slice(0, 160))])
}"""
SHAPES = [(1280, "light"), (1280, "dark"), (390, "light")]


@pytest.fixture
def sign_in(browser: Browser, engine: Engine) -> Callable[..., Page]:
    """Return a function that signs in with the password that ``make run`` prints."""

    def sign_in(*, width: int = 1280, scheme: str = "light") -> Page:
        about = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
        page = browser.new_context(**about).new_page()
        page.goto(f"{engine.origin}/admin/")
        page.get_by_label("Username").fill("admin")
        page.get_by_label("Password").fill((engine.folder / "keys/admin-password").read_text())
        page.get_by_role("button", name="Log in").click()
        expect(page.get_by_role("heading", name="Administration")).to_be_visible()
        return page

    return sign_in


@pytest.mark.parametrize(("width", "scheme"), SHAPES)
def test_every_page_fits_its_window_and_keeps_the_policy(
    sign_in: Callable[..., Page], engine: Engine, width: int, scheme: str
) -> None:
    page = sign_in(width=width, scheme=scheme)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))

    too_wide = {}
    for path in ("", *LISTS, *FORMS, "password_change"):
        page.goto(f"{engine.origin}/admin/{path}{'/' if path else ''}")
        excess = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if excess > 0:
            too_wide[path] = excess

    assert too_wide == {}
    assert [text for text in said if "Content Security Policy" in text or "Error" in text] == []


# What a list has to scroll for, whose columns are squeezed to pieces, and how many rows it shows.
MEASURE_LIST = """() => {
  const table = document.querySelector('#result_list')
  const box = table.closest('.results')
  const broken = [...table.querySelectorAll('tbody :is(td, th)')]
    .filter(cell => cell.clientHeight > 160).map(cell => cell.className)
  const names = [...table.querySelectorAll('thead th')]
    .filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent.trim())
  const rows = table.querySelectorAll('tbody tr').length
  return [rows, box.scrollWidth - box.clientWidth, broken, names]
}"""
ADD_ROWS = """
from tests.importengine.admin_rows import add_rows, tenant
add_rows(tenant('tnt_listed'), 2)
"""


@pytest.fixture(scope="session")
def rows(engine: Engine) -> None:
    """Add some rows to every list."""
    engine.manage("shell", "--no-imports", "-c", ADD_ROWS)


@pytest.mark.usefixtures("rows")
def test_every_list_fits_its_width(sign_in: Callable[..., Page], engine: Engine) -> None:
    page = sign_in(width=1280)

    wrong = {}
    for path in LISTS:
        page.goto(f"{engine.origin}/admin/{path}/")
        rows, excess, broken, names = page.evaluate(MEASURE_LIST)
        assert rows > 0, f"{path} lists nothing"
        if excess > 0 or broken or names:
            wrong[path] = excess, broken, names

    assert not wrong, wrong


@pytest.mark.parametrize(("width", "scheme"), SHAPES)
def test_the_header_is_that_of_the_catalogs(
    sign_in: Callable[..., Page], engine: Engine, width: int, scheme: str
) -> None:
    page = sign_in(width=width, scheme=scheme)
    look = """() => ['#header', '#site-name a', 'body'].map(one => {
        const s = getComputedStyle(document.querySelector(one))
        return [s.color, s.backgroundColor, s.fontSize, s.fontWeight]
    })"""

    looks = []
    for path in ("deliveries/delivery/", "catalogs"):
        page.goto(f"{engine.origin}/admin/{path}")
        looks.append(page.evaluate(look))

    assert looks[0] == looks[1]


def grave_in(page: Page) -> list[Any]:
    """Return what axe finds in a page, without what Django's own widgets have."""
    page.evaluate(AXE.read_text("utf-8"))
    wrong: list[Any] = page.evaluate(RUN_AXE, DJANGOS)
    return wrong


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_in_what_is_ours(
    sign_in: Callable[..., Page], engine: Engine, scheme: str
) -> None:
    page = sign_in(scheme=scheme)

    by_page = {}
    for path in ("", *LISTS, *FORMS, "licensing/tenant/1/change", "password_change"):
        page.goto(f"{engine.origin}/admin/{path}{'/' if path else ''}")
        if wrong := grave_in(page):
            by_page[path] = wrong
        row = page.locator("#result_list tbody th a").first
        if path in LISTS and row.count():
            page.goto(f"{engine.origin}{row.get_attribute('href')}")
            if wrong := grave_in(page):
                by_page[f"a row of {path}"] = wrong

    assert by_page == {}


def test_a_key_is_minted_shown_and_gone(sign_in: Callable[..., Page], engine: Engine) -> None:
    page = sign_in()

    page.goto(f"{engine.origin}/admin/licensing/license/add/")
    page.get_by_label("Tenant").fill("tnt_minted")
    page.get_by_role("button", name="Mint and show the key once").click()
    key = page.get_by_label("License key of tnt_minted").input_value()
    page.reload()

    assert key.startswith("imp_lic_")
    expect(page.get_by_text("already sent")).to_be_visible()
    assert key not in page.content()
