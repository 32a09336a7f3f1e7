"""One widget on one page, as a person uses it: by names and roles, never by inner classes."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
WAIT_S = 120
PAUSE_MS = 50
# Looks and presses in one go: a moment later the same place may hold the button of the next step.
GO_ON_FROM_REVIEW = """() => {
  const steps = window.heard.filter(one => one.type === 'import-step')
  const shown = document.querySelector('service-import').shadowRoot
  const button = [...shown.querySelectorAll('[part~=primary-button]')].at(-1)
  if (steps.at(-1)?.detail.step === 'review' && button && !button.disabled) button.click()
}"""

# The same for the steps before it: presses once on each screen, never on that of a wanted step.
GO_ON = """([wanted, pressed]) => {
  const at = window.heard.filter(one => one.type === 'import-step').at(-1)?.detail.step
  if (!['table', 'columns'].includes(at) || wanted.includes(at)) return ''
  const shown = document.querySelector('service-import').shadowRoot
  const heading = shown.querySelector('h2')?.textContent.trim() ?? ''
  const button = shown.querySelector('[part~=primary-button]')
  if (pressed.includes(heading) || !button || button.disabled) return ''
  button.click()
  return heading
}"""


class Widget:
    """The element, what it told its page, and what a person does with it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("service-import")

    def button(self, name: str) -> Locator:
        """Find a button by its name."""
        named = self.element.get_by_role("button", name=name, exact=True)
        return named.and_(self.page.locator("button"))  # an input of files has the role, too

    def heading(self, name: str) -> Locator:
        """Find a heading that holds a text."""
        return self.element.get_by_role("heading", name=name)

    @property
    def primary(self) -> Locator:
        """The button that goes on; the part is named in the docs."""
        return self.element.locator("[part~=primary-button]")

    def evaluate(self, script: str) -> Any:
        """Evaluate in the page; a strict policy refuses wait_for_function, so states are polled."""
        return self.page.evaluate(script)

    def until(self, is_so: Callable[[], object], what: str) -> None:
        """Wait for a state."""
        end = time.monotonic() + WAIT_S
        while not is_so():
            if time.monotonic() > end:
                text = self.element.evaluate("e => e.shadowRoot?.textContent?.slice(0, 800)")
                raise AssertionError(f"it never came to it that {what}; it shows: {text}")
            self.page.wait_for_timeout(PAUSE_MS)

    def heard(self, name: str = "") -> list[Any]:
        """List what the element told, of one event or all."""
        told: list[dict[str, Any]] = self.evaluate("() => window.heard ?? []")
        return [one["detail"] for one in told if not name or one["type"] == name]

    @property
    def step(self) -> str:
        """The step it is in, as it told last."""
        steps = self.heard("import-step")
        return steps[-1]["step"] if steps else "upload"

    def is_ready(self) -> bool:
        """Whether it has its catalog, or said why not."""
        return bool(self.heard("import-ready") or self.heard("import-error"))

    def is_loaded(self) -> bool:
        """Whether nothing of the step is still on its way."""
        return self.element.get_by_role("progressbar").count() == 0

    def choose(self, file: str | Path | dict[str, Any]) -> None:
        """Choose a file as the file picker does."""
        self.until(self.is_ready, "the widget is ready")
        given = EXAMPLES / file if isinstance(file, str) else file
        self.element.locator("input[type=file]").first.set_input_files(given)  # type: ignore[arg-type]  # a payload, too

    def go_to(self, *steps: str) -> str:
        """Go on by the primary button until one of the steps is there; give which."""
        pressed: list[str] = []

        def is_there() -> bool:
            if self.step in steps:
                return True
            if on := self.page.evaluate(GO_ON, [steps, pressed]):
                pressed.append(on)
            return False

        self.until(is_there, f"it is at {' or '.join(steps)}, not at {self.step}")
        return self.step

    def import_all(self) -> None:
        """Go on in the review until the rows are applied; what is asked takes what is suggested."""

        def is_applied() -> bool:
            if self.heard("import-applied"):
                return True
            self.evaluate(GO_ON_FROM_REVIEW)
            return False

        self.until(is_applied, "the review is left")

    def can_go_on(self) -> bool:
        """Whether the button that goes on is there and can be pressed."""
        return self.primary.count() > 0 and self.primary.first.is_enabled()

    def wait_for_applied(self) -> dict[str, Any]:
        """Wait until the rows are applied; give what the page was told."""
        self.until(lambda: self.heard("import-applied"), "the rows are applied")
        told: dict[str, Any] = self.heard("import-applied")[-1]
        return told

    def focused(self) -> str:
        """Name what has the focus, through shadow roots."""
        named: str = self.evaluate("""() => {
          let at = document.activeElement
          while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
          const text = at && (at.getAttribute('aria-label') || at.textContent || at.tagName)
          return text ? text.trim().replace(/\\s+/g, ' ') : ''
        }""")
        return named
