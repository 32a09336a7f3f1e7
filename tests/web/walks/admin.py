"""The admin's pages, one after the other, as a superuser comes to them."""

from collections.abc import Iterator

from playwright.sync_api import Page

from tests.web.walks.engine import Engine

LISTS = (
    "imports/importrecord", "imports/profile", "ledger/question", "ledger/answer",
    "changesets/changeset", "deliveries/delivery", "deliveries/registration",
    "contracts/issuedcontract", "contracts/signingkey", "licensing/license", "licensing/membership",
    "licensing/pagesession", "licensing/tenant", "links/link", "common/event", "auth/user",
    "auth/group",
    "references/knownset", "references/knownentity", "references/valuelist", "feeds/feed",
)  # fmt: skip
ADD_ROWS = """
from licensing.models import Tenant
from tests.importengine.admin_rows import add_rows, tenant
from tests.importengine.analytics_rows import add_corrections, add_imports
add_rows(tenant('tnt_listed'), 2)
demo = Tenant.objects.get(public_id='tnt_demo')
add_imports(demo)
add_corrections(demo)
"""
# What a page of a row leads to, by the link that leads there.
OF_A_ROW = {
    "history": ".historylink",
    "deletion": ".deletelink",
    "password": ".button[href$='/password/']",
}


def add_rows(engine: Engine) -> None:
    """Add some rows to every list."""
    engine.manage("shell", "--no-imports", "-c", ADD_ROWS)


def sign_in(page: Page, engine: Engine) -> None:
    """Sign in with the password that ``make run`` prints."""
    page.goto(f"{engine.origin}/admin/")
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(engine.password)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Administration").wait_for()


def every_page(page: Page, engine: Engine) -> Iterator[str]:
    """Open each page of the admin in turn, from signing in to logging out; yield its name."""
    page.goto(f"{engine.origin}/admin/")
    yield "login"
    sign_in(page, engine)
    yield "first page"
    for app in dict.fromkeys(path.split("/")[0] for path in LISTS):
        page.goto(f"{engine.origin}/admin/{app}/")
        yield f"{app}, its lists"
    for path in LISTS:
        yield from of_list(page, f"{engine.origin}/admin/{path}/", path)
    yield from of_members(page, f"{engine.origin}/admin/licensing/")
    page.goto(f"{engine.origin}/admin/password_change/")
    yield "password change"
    for field in page.locator("#content input[type=password]").all():
        field.fill("not the password")
    _sent(page, ".submit-row input")
    yield "password change, refused"
    for path in (
        "catalogs",
        "catalogs/text",
        "catalogs/orders/edit",
        "catalogs/orders/text",
        "catalogs/orders/analytics",
        "mail/",
    ):
        page.goto(f"{engine.origin}/admin/{path}")
        yield path
    page.goto(f"{engine.origin}/admin/")
    _sent(page, "#logout-form button")
    yield "logged out"


def of_list(page: Page, url: str, path: str) -> Iterator[str]:
    """Open a list, its first row and what that leads to, and the forms that add a row."""
    page.goto(url)
    yield path
    if _asks_to_confirm(page):
        yield f"{path}, deletion of several"
    page.goto(url)
    if _followed(page, "#result_list tbody th a"):
        yield f"{path}, a row"
        row = page.url
        for name, link in OF_A_ROW.items():
            page.goto(row)
            if _followed(page, link):
                yield f"{path}, a row's {name}"
    page.goto(url)
    if _followed(page, ".addlink"):
        yield f"{path}, a new row"
        kinds = page.locator("#content a[href^='?kind=']").evaluate_all(
            "all => all.map(a => a.href)"
        )
        for kind in kinds:
            page.goto(kind)
            yield f"{path}, a new row at {kind}"
            _sent(page, ".submit-row input.default")
            yield f"{path}, a new row at {kind}, sent as it is"
        if not kinds:
            _sent(page, ".submit-row input.default")
            yield f"{path}, a new row, sent as it is"


def of_members(page: Page, url: str) -> Iterator[str]:
    """Open a tenant with members, add a row for another, and search for a user."""
    page.goto(f"{url}tenant/?q=tnt_listed")
    _followed(page, "#result_list tbody th a")
    page.get_by_role("button", name="Add another Membership").click()
    yield "a tenant's members"
    page.goto(f"{url}membership/add/")
    page.locator(".field-user [role=combobox]").click()
    page.locator(".select2-results__option").first.wait_for()
    yield "the search for a user"


def _followed(page: Page, link: str) -> bool:
    target = page.locator(f"#content {link}").first
    if not target.count():
        return False
    page.goto(target.evaluate("link => link.href"))
    page.evaluate("document.querySelectorAll('details').forEach(part => { part.open = true })")
    return True


def _sent(page: Page, button: str) -> None:
    with page.expect_navigation():
        page.locator(button).click()


def _asks_to_confirm(page: Page) -> bool:
    """Choose the action that deletes the first row, and do not confirm it."""
    if not page.locator("select[name=action] option[value=delete_selected]").count():
        return False
    page.locator(".action-select").first.check()
    page.locator("select[name=action]").select_option("delete_selected")
    _sent(page, ".actions button")
    return True
