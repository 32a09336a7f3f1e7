"""A real browser over pages of this repository: Debian's Chromium, driven by Playwright."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from playwright.sync_api import Browser, Playwright

ROOT = Path(__file__).parent.parent.parent
FRONTEND = ROOT / "frontend"
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
STRICT = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';"
    " require-trusted-types-for 'script'; trusted-types lit-html"
)


def launched(playwright: Playwright, *flags: str) -> Browser:
    """Start the Chromium of the machine (CHROMIUM names another program)."""
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        raise FileNotFoundError("no chromium on this machine: apt-get install chromium")
    return playwright.chromium.launch(executable_path=program, args=[*FLAGS, *flags])


def built_pages(folder: Path, which: str = "pages") -> Path:
    """Build the pages of ``frontend/tests/pages``, or of a neighbour, into a folder."""
    script = str(ROOT / "scripts" / "build_elements.py")
    subprocess.run([sys.executable, script, which, str(folder)], check=True)
    return folder


class StrictPages(SimpleHTTPRequestHandler):
    """Serves files of a folder under a policy without inline styles and markup from text."""

    def end_headers(self) -> None:
        """Add the policy."""
        self.send_header("Content-Security-Policy", STRICT)
        super().end_headers()

    def log_message(self, *arguments: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; yield its URL."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(StrictPages, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
