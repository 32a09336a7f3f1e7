"""Every button of every screen is readable and can be pressed, at any width and in any language."""

from collections.abc import Callable

import pytest

from tabular.model.sentences import LANGUAGES
from tests.web.walks.buttons import SAMPLE, SIZES, WIDEST, wrong_at_any_size
from tests.web.walks.screens import CSS, asides, steps
from tests.web.walks.widget import Widget

pytestmark = pytest.mark.web


FULLY = ("en", "de")  # the others are measured at a few sizes
# German has the longest words, Arabic runs from right to left; `make test-long` has the others.
USUAL = ("de", "ar")
LOCALES = [
    pytest.param(locale, marks=[] if locale in USUAL else pytest.mark.large) for locale in LANGUAGES
]


@pytest.mark.parametrize("locale", LOCALES)
def test_every_button_is_inside_and_readable_from_320_to_1440_pixels_and_zoomed(
    locale: str, open_widget: Callable[..., Widget]
) -> None:
    session = {"catalogKey": "orders", "scope": f"buttons-{locale}"}
    sizes = SIZES if locale in FULLY else SAMPLE
    wrong = {}

    for walk, about in ((steps, {"show_all_steps": ""}), (asides, {})):
        widget = open_widget(session=session, css=CSS, locale=locale, **about)
        widget.page.set_viewport_size(WIDEST)
        for screen in walk(widget):
            widget.until(widget.is_loaded, "the step shows what it has")
            if wrong_here := wrong_at_any_size(widget.page, sizes):
                wrong[screen] = wrong_here
            widget.page.set_viewport_size(WIDEST)

    assert wrong == {}
