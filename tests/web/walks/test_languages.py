"""An import is walked from its file to its delivery in languages of other scripts."""

import re
from collections.abc import Callable

import pytest

from tests.web.walks.screens import CSS, steps
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web

SCRIPTS = [("ar", "rtl", "[\u0600-\u06ff]"), ("ja", "ltr", "[\u3041-\u30ff]")]
ALL_TEXT = "e => [...e.shadowRoot.children].map(child => child.innerText ?? '').join(' ')"
OVERFLOW = "() => document.documentElement.scrollWidth - innerWidth"
OTHER_DIGITS = re.compile("[\u0660-\u0669]")
KEY = re.compile(r"\b(?!mac_roman|shift_jis|euc_kr)[a-z]+(_[a-z]+)+\b")  # not an encoding


@pytest.mark.parametrize(("locale", "direction", "script"), SCRIPTS)
def test_an_import_is_walked_in_a_language_of_another_script(
    locale: str, direction: str, script: str, open_widget: Callable[..., Widget]
) -> None:
    session = {"catalogKey": "orders", "scope": f"walked-{locale}"}
    widget = open_widget(session=session, css=CSS, locale=locale, show_all_steps="")
    screens = {}

    for screen in steps(widget):
        widget.until(widget.is_loaded, "the step shows what it has")
        screens[screen] = widget.element.evaluate(ALL_TEXT)
        assert widget.element.evaluate("e => getComputedStyle(e).direction") == direction
        assert widget.evaluate(OVERFLOW) <= 0, screen

    assert [name for name, text in screens.items() if not re.search(script, text)] == []
    assert [name for name, text in screens.items() if OTHER_DIGITS.search(text)] == []
    assert [name for name, text in screens.items() if KEY.search(text)] == []
    assert "“many”" not in screens["review, an issue open"]  # the engine's sentence, too


def test_a_page_chooses_the_direction_itself(open_widget: Callable[..., Widget]) -> None:
    session = {"catalogKey": "orders", "scope": "directed"}
    widget = open_widget(session=session, css=CSS, locale="ar", dir="ltr")
    widget.until(widget.is_ready, "the widget is ready")

    assert widget.element.get_attribute("dir") == "ltr"
