"""The admin in a real browser: narrow and wide, light and dark, under its strict policy."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.walks import admin
from tests.web.walks.admin import LISTS
from tests.web.walks.engine import Engine
from tests.web.walks.hosts import AXE

pytestmark = pytest.mark.web
FORMS = (
    "licensing/license/add", "contracts/issuedcontract/add", "licensing/membership/add",
    "licensing/tenant/1/change", "auth/user/1/change", "auth/group/1/change",
)  # fmt: skip
SCHEMES: tuple[Any, ...] = ("light", "dark")
# A scheme changes colors alone, so the second one is looked at by the rules about colors.
COLORS = ["color-contrast", "link-in-text-block"]
RUN_AXE = """async rules => {
  await Promise.allSettled(document.getAnimations().map(moving => moving.finished))
  const runOnly = rules ? {runOnly: {type: 'rule', values: rules}} : {}
  const {violations} = await axe.run({resultTypes: ['violations'], ...runOnly})
  const shown = nodes => nodes.slice(0, 3).map(({html}) => html.slice(0, 160))
  return violations.map(({id, nodes}) => [id, ...shown(nodes)])
}"""
SHAPES = [(1280, "light"), (1280, "dark"), (390, "light")]


@pytest.fixture
def sign_in(browser: Browser, engine: Engine) -> Callable[..., Page]:
    """Return a function that signs in with the password that ``make run`` prints."""

    def sign_in(*, width: int = 1280, scheme: str = "light") -> Page:
        about = {"viewport": {"width": width, "height": 800}, "color_scheme": scheme}
        page = browser.new_context(**about).new_page()
        admin.sign_in(page, engine)
        return page

    return sign_in


@pytest.mark.parametrize(("width", "scheme"), SHAPES)
def test_every_page_fits_its_window_and_keeps_the_policy(
    sign_in: Callable[..., Page], engine: Engine, width: int, scheme: str
) -> None:
    page = sign_in(width=width, scheme=scheme)
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))

    too_wide = {}
    for path in ("", *LISTS, *FORMS, "password_change"):
        page.goto(f"{engine.origin}/admin/{path}{'/' if path else ''}")
        excess = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        if excess > 0:
            too_wide[path] = excess

    assert too_wide == {}
    assert [text for text in messages if "Content Security Policy" in text or "Error" in text] == []


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


@pytest.fixture(scope="session")
def rows(engine: Engine) -> None:
    """Add some rows to every list."""
    admin.add_rows(engine)


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


@pytest.mark.usefixtures("rows")
def test_axe_finds_nothing_on_any_page(browser: Browser, engine: Engine) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})

    violations = {}
    for name in admin.every_page(page, engine):
        page.evaluate(AXE.read_text("utf-8"))
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            rules = COLORS if scheme == "dark" else None
            if wrong := page.evaluate(RUN_AXE, rules):
                violations[f"{name}, {scheme}"] = wrong

    assert violations == {}


@pytest.mark.usefixtures("rows")
def test_a_field_that_searches_is_named_and_tells_what_is_chosen(
    sign_in: Callable[..., Page], engine: Engine
) -> None:
    page = sign_in()

    page.goto(f"{engine.origin}/admin/licensing/membership/add/")
    page.get_by_role("combobox", name="User", exact=True).click()
    page.get_by_role("searchbox", name="User").fill("admin")
    page.get_by_role("listbox", name="User").get_by_role("option", name="admin").click()

    expect(page.get_by_role("combobox", name="User: admin")).to_be_visible()


@pytest.mark.usefixtures("rows")
def test_a_member_is_added_and_removed_on_the_page_of_a_tenant(
    sign_in: Callable[..., Page], engine: Engine
) -> None:
    page = sign_in()
    save = page.get_by_role("button", name="Save and continue editing")
    page.goto(f"{engine.origin}/admin/licensing/tenant/?q=tnt_listed")
    page.get_by_role("link", name="tnt_listed").click()

    page.get_by_role("button", name="Add another Membership").click()
    page.get_by_role("combobox", name="User", exact=True).click()
    page.get_by_role("option", name="admin").click()
    page.get_by_role("combobox", name="Role").select_option("viewer")
    save.click()
    remove = page.get_by_role("checkbox", name="Delete admin in Tnt_Listed")
    expect(remove).to_be_visible()
    remove.check()
    save.click()

    expect(page.get_by_text("was changed successfully")).to_be_visible()
    expect(remove).to_have_count(0)


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
