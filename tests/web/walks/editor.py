"""One editor on one page, as a person uses it: by names and roles."""

import json
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page

from tests.web.walks.hosts import Host

WAIT_S = 40
PAUSE_MS = 50
SCRIPT = """
const editor = document.querySelector('service-catalog-editor')
window.heard = []
window.violations = []
addEventListener('securitypolicyviolation', event => violations.push(event.violatedDirective))
for (const name of ['catalog-published', 'catalog-opened'])
  editor.addEventListener(name, ({type, detail}) => heard.push({type, detail}))
editor.fetchKey = async () => JSON.parse(document.body.dataset.about).key
"""


def editor_page(host: Host, *, key: str, csp: str = "", **attributes: str) -> str:
    """Serve a page with the editor; return its URL."""
    host.put("/editor.js", SCRIPT, "text/javascript")
    host.put(
        "/editor.css", "body { margin: 0; background: #eef0f4 } main { padding: 16px }", "text/css"
    )
    names = {"api_base_url": host.engine, **attributes}
    written = " ".join(f'{name.replace("_", "-")}="{text}"' for name, text in names.items())
    html = f"""<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Host</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="/editor.css">
<script type="module" src="{host.engine}/elements/service-catalog-editor.js"></script>
<script type="module" src="/editor.js"></script></head>
<body data-about='{json.dumps({"key": key})}'><main>
<service-catalog-editor {written}></service-catalog-editor></main></body></html>"""
    headers = {"Content-Security-Policy": csp} if csp else {}
    return host.put(f"/editor-{time.monotonic_ns()}", html, **headers)


class Editor:
    """The element, its events, and what a person does with it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.element = page.locator("service-catalog-editor")

    def button(self, name: str) -> Locator:
        """Return a button by its name."""
        return self.element.get_by_role("button", name=name, exact=True)

    def tab(self, name: str) -> Locator:
        """Return a tab by the beginning of its name."""
        return self.element.get_by_role("tab", name=name)

    def text(self, name: str) -> Locator:
        """Return an input by its label."""
        return self.element.get_by_label(name, exact=True)

    def field(self, label: str) -> Locator:
        """Return a field in the list."""
        return self.element.locator(".field-main").filter(has_text=label)

    def until(self, is_so: Callable[[], object], what: str) -> None:
        """Wait for a state."""
        end = time.monotonic() + WAIT_S
        while not is_so():
            if time.monotonic() > end:
                text = self.element.evaluate("e => e.shadowRoot?.textContent?.slice(0, 1200)")
                raise AssertionError(f"it never came to it that {what}; it shows: {text}")
            self.page.wait_for_timeout(PAUSE_MS)

    def shows(self, text: str) -> None:
        """Wait until a text is shown."""
        self.until(lambda: self.element.get_by_text(text).count() > 0, f"it says {text!r}")

    def heard(self, name: str) -> list[Any]:
        """Return the details of one event of the element."""
        events: list[dict[str, Any]] = self.page.evaluate("() => window.heard ?? []")
        return [item["detail"] for item in events if item["type"] == name]

    def saved(self) -> None:
        """Wait until the input is saved."""
        self.page.wait_for_timeout(100)
        self.until(lambda: "Saved" in self._saving(), "it is saved")

    def _saving(self) -> str:
        return self.element.locator(".saving").text_content() or ""

    def review(self) -> None:
        """Open the review of the draft."""
        self.button("Review and publish").click()
        self.element.locator("#note, .versions li").first.wait_for()

    def publish(self, number: int, *, note: str = "", breaks: bool = False) -> None:
        """Publish from the review."""
        if note:
            self.text("Note for this version").fill(note)
        if breaks:
            self.text("I have read the breaking changes").check()
        self.button(f"Publish version {number}").click()
        self.shows(f"Version {number} is published.")
        self.element.get_by_role("heading", name=f"Version {number} is published.").wait_for()

    def focused(self) -> str:
        """Return the name of the focused element."""
        named: str = self.page.evaluate("""() => {
          let at = document.activeElement
          while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
          const label = at?.id && at.getRootNode().querySelector(`label[for="${at.id}"]`)
          const text = label || at
          return (at?.getAttribute('aria-label') || text?.textContent || '').trim()
        }""")
        return named
