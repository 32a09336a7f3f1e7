"""A short walk of the review grid in WebKit and in Firefox, as Debian packages them."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from tests.web.browsing import FRONTEND

pytestmark = pytest.mark.browsers

SHIFT, CONTROL, END, HOME, DOWN, F8 = "\ue008", "\ue009", "\ue010", "\ue011", "\ue015", "\ue038"
FOCUSED = """
  const cell = grid.shadowRoot.activeElement
  if (!cell || cell.classList.contains('loading')) return null
  const row = cell.parentElement.getAttribute('aria-rowindex')
  const place = [row, cell.getAttribute('aria-colindex')]
  return [...place.map(index => Number(index) - 2), cell.querySelector('bdi').textContent]
"""


def needed(name: str) -> str:
    """Return the path of a program of the machine."""
    program = shutil.which(name)
    assert program is not None, f"{name} is not installed"
    return program


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class WebKit:
    """A page in WebKitGTK, controlled by W3C WebDriver."""

    def __init__(self, port: int) -> None:
        self.session = f"http://127.0.0.1:{port}/session"
        browsers = sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser"))
        options = {"binary": str(browsers[-1]), "args": ["--automation"]}
        body = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self.session += "/" + self.send("", body)["sessionId"]

    def send(self, path: str, body: dict[str, Any]) -> Any:
        """Send a command."""
        answer = requests.post(self.session + path, json=body, timeout=120)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]

    def run(self, script: str) -> Any:
        """Run a script in the page."""
        return self.send("/execute/sync", {"script": script, "args": []})

    def press(self, *keys: str) -> None:
        """Press keys together, the last one last."""
        down = [{"type": "keyDown", "value": key} for key in keys]
        up = [{"type": "keyUp", "value": key} for key in reversed(keys)]
        board = {"type": "key", "id": "board", "actions": down + up}
        self.send("/actions", {"actions": [board]})


@pytest.fixture
def webkit(pages: str) -> Iterator[WebKit]:
    """Yield a WebKit with a grid of a million rows."""
    port = free_port()
    command = [needed("xvfb-run"), "-a", needed("WebKitWebDriver"), f"--port={port}"]
    environment = {**os.environ, "WEBKIT_DISABLE_SANDBOX": "1"}
    driver = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        until(lambda: is_open(port))
        opened = WebKit(port)
        opened.send("/url", {"url": f"{pages}/grid.html"})
        yield opened
        requests.delete(opened.session, timeout=60)
    finally:
        os.killpg(driver.pid, signal.SIGTERM)  # xvfb-run alone would leave its children
        driver.wait()


def is_open(port: int) -> bool:
    """Return whether a port has a listener."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def until(is_so: Callable[[], Any]) -> None:
    """Wait for a state, at most two minutes."""
    for _ in range(1_200):
        if is_so():
            return
        time.sleep(0.1)
    raise AssertionError("it did not come to that")


def test_webkit_walks_a_million_rows(webkit: WebKit) -> None:
    until(lambda: webkit.run("return seen.firstRowsMs > 0"))

    webkit.run("grid.focusCell(0, 0)")
    until(lambda: webkit.run(FOCUSED) == [0, 0, "10000"])
    webkit.press(CONTROL, END)
    until(lambda: webkit.run(FOCUSED) == [999_999, 19, "r999999 c19"])
    webkit.press(CONTROL, HOME)
    webkit.press(F8)
    until(lambda: webkit.run(FOCUSED) == [196, 4, "13/14/2021"])
    webkit.press(SHIFT, DOWN)
    webkit.press("\ue017")  # Delete

    until(lambda: webkit.run("return seen.edits.length") == 1)
    assert [edit["row"] for edit in webkit.run("return seen.edits[0]")] == [196, 197]
    refused = webkit.run("return violations")
    assert set(refused) <= {"img-src "}  # WebKit counts its own request for a favicon


def test_firefox_walks_a_million_rows(pages: str) -> None:
    script = FRONTEND / "tests" / "browsers" / "firefox.mjs"
    walk = [needed("node"), str(script), needed("firefox-esr"), f"{pages}/grid.html"]

    done = subprocess.run(walk, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
