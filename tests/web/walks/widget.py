"""One widget on one page, used like by a person: by names and roles, never by inner classes."""

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
    """The element, its events, and what a person does with it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("service-import")

    def button(self, name: str) -> Locator:
        """Return a button by its name."""
        named = self.element.get_by_role("button", name=name, exact=True)
        return named.and_(self.page.locator("button"))  # an input of files has the role, too

    def heading(self, name: str) -> Locator:
        """Return a heading that contains a text."""
        return self.element.get_by_role("heading", name=name)

    @property
    def primary(self) -> Locator:
        """The button that continues; the part is named in the docs."""
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
        """Return the details of one event of the element, or of all."""
        events: list[dict[str, Any]] = self.evaluate("() => window.heard ?? []")
        return [item["detail"] for item in events if not name or item["type"] == name]

    @property
    def step(self) -> str:
        """The current step, from the latest event."""
        steps = self.heard("import-step")
        return steps[-1]["step"] if steps else "upload"

    def is_ready(self) -> bool:
        """Return whether it has its catalog, or reported why not."""
        return bool(self.heard("import-ready") or self.heard("import-error"))

    def is_loaded(self) -> bool:
        """Return whether nothing of the step is still loading."""
        return self.element.get_by_role("progressbar").count() == 0

    def choose(self, file: str | Path | dict[str, Any]) -> None:
        """Choose a file as the file picker does."""
        self.until(self.is_ready, "the widget is ready")
        given = EXAMPLES / file if isinstance(file, str) else file
        self.element.locator("input[type=file]").first.set_input_files(given)  # type: ignore[arg-type]  # a payload, too

    def go_to(self, *steps: str) -> str:
        """Continue with the primary button until one of the steps is reached; return which."""
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
        """Continue in the review until the rows are applied; questions get suggested answers."""

        def is_applied() -> bool:
            if self.heard("import-applied"):
                return True
            self.evaluate(GO_ON_FROM_REVIEW)
            return False

        self.until(is_applied, "the review is left")

    def can_go_on(self) -> bool:
        """Return whether the button that continues exists and can be pressed."""
        return self.primary.count() > 0 and self.primary.first.is_enabled()

    def wait_for_applied(self) -> dict[str, Any]:
        """Wait until the rows are applied; return the event's details."""
        self.until(lambda: self.heard("import-applied"), "the rows are applied")
        event: dict[str, Any] = self.heard("import-applied")[-1]
        return event

    def focused(self) -> str:
        """Return the name of the focused element, through shadow roots."""
        named: str = self.evaluate("""() => {
          let at = document.activeElement
          while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
          const text = at && (at.getAttribute('aria-label') || at.textContent || at.tagName)
          return text ? text.trim().replace(/\\s+/g, ' ') : ''
        }""")
        return named
