"""The widget in a real browser, on a host page of another origin, with a real engine behind it."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.web.walks.editor import Editor, editor_page
from tests.web.walks.engine import WAIT_S, Engine
from tests.web.walks.hosts import Host
from tests.web.walks.widget import Widget


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """Yield a running engine of this run."""
    served = Engine(tmp_path_factory.mktemp("engine"))
    try:
        served.start()
        yield served
    finally:
        served.stop()


@pytest.fixture(scope="session")
def host(engine: Engine) -> Iterator[Host]:
    """Yield a host of another origin: its pages, and the server that opens sessions."""
    with Host(engine.origin, engine.key) as serving:
        yield serving


@pytest.fixture
def open_page(browser: Browser, host: Host) -> Iterator[Callable[..., Page]]:
    """Yield a function that opens a page in a new profile; logged messages are errors."""
    opened = []

    def open_one(url: str, **about: object) -> Page:
        usual = {"viewport": {"width": 1280, "height": 860}, "locale": "en-GB"}
        context = browser.new_context(**{**usual, **about})  # type: ignore[arg-type]  # handed on
        opened.append(context)
        context.set_default_timeout(WAIT_S * 1000)
        page = context.new_page()
        page.goto(url)
        return page

    yield open_one
    for context in opened:
        context.close()


@pytest.fixture
def open_editor(
    open_page: Callable[..., Page], host: Host, engine: Engine
) -> Callable[..., Editor]:
    """Return a function that opens a host page with the editor, authenticated by a full key."""

    def open_one(*, csp: str = "", browser_about: dict | None = None, **attributes: str) -> Editor:
        url = editor_page(host, key=engine.editor_key(), csp=csp, **attributes)
        return Editor(open_page(url, **(browser_about or {})))

    return open_one


@pytest.fixture
def open_widget(open_page: Callable[..., Page], host: Host) -> Callable[..., Widget]:
    """Return a function that opens a host page with the widget in it."""

    def open_one(
        *, csp: str = "", css: str = "", browser_about: dict | None = None, **about: object
    ) -> Widget:
        url = host.widget_page(csp=csp, css=css, **about)
        return Widget(open_page(url, **(browser_about or {})))

    return open_one
