"""
Follow the tutorials and guides, word for word, against an engine of their own.

Every ``sh`` block of the pages runs, in the order of a reader, in one shell. Only addresses,
folders and the interpreter differ. A refused call, an unknown command or a missing result fails.

    python scripts/follow_start.py
"""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from small_host import Failed, wait_until_ready  # noqa: E402 (the path is set above)

BLOCK = re.compile(r"^```sh\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
SAVED = re.compile(
    r"^Save this as `var/(?P<name>[\w.-]+)`:\n\n```json\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
STARTS = "make run"  # this block is the engine itself, which runs already
LIMIT_S = 300
NEEDS_MORE = {
    "how-to/monitor",  # its commands exit with 1 where an operator is needed
    "how-to/store-files-in-a-bucket",  # a bucket
    "how-to/sign-in-with-your-provider",  # a provider; tests/web/walks/test_sign_in.py has one
    "how-to/read-scans",  # tesseract, and a scan of the reader's own
    # Built packages and a browser: tests/packages follow these.
    *(f"start/{name}" for name in ("angular", "django", "html", "next", "rails", "vue")),
    "start/react-and-fastapi",
}
WRONG = re.compile(r'"type":\s*"/docs/problems/|Traceback|CommandError|command not found|No such')


@dataclass(frozen=True, slots=True)
class Page:
    """A page, and what its commands have to print, in this order."""

    name: str
    results: tuple[str, ...]


PAGES = (
    Page(
        "start/first-delivery",
        (
            '"verified":true',
            '"recordId"',
            '"state": "review"',
            '"valid": 15,',
            '"issues"',
            "verified dlv_",
            "A-10231",
            '"state": "applied"',
            '"imported": 15,',
        ),
    ),
    Page("start/embed-the-widget", ('"token"',)),
    Page("start/your-catalog", ("customers version 1 is published", "signature verified")),
    Page(
        "how-to/change-a-catalog-safely",
        (
            '"findings":[]',
            '"stricter": 1',
            '"wouldFail":0',
            '"version":2,"state":"published"',
            '"customer.city": null',
            '"missing": [\n            "customer.city"',
            '"version":3,"state":"published"',
        ),
    ),
    Page("how-to/check-against-a-contract", ("exit 1", '"recordId"')),
    Page(
        "how-to/verify-a-receipt",
        (
            "The receipt is authentic",
            "The rows of the file are the delivered rows",
            "1 row missing",
            "exit 1",
            "The row was delivered at its place",
        ),
    ),
    Page("how-to/debug-a-mapping", ("Same name", '"alternatives"', '"state":', "A-10231")),
    Page("how-to/let-an-agent-import", ("recordId",)),
    Page(
        "how-to/send-a-link",
        (
            '"isLocked": false',
            '"url": "http://127.0.0.1:',
            '"code": "',
            '"imports": []',
            '"kind": "link.created"',
            '"state":"revoked"',
        ),
    ),
    Page(
        "how-to/resend-a-failed-delivery",
        (
            '"state": "rejected"',
            '"httpStatus": 401',
            "verified dlv_",
            '"state": "delivered"',
            '"httpStatus": 200',
        ),
    ),
    Page(
        "how-to/rehearse-a-receiver",
        ("ok An ordinary delivery", "ok A body of 20 MB", "ok A body that arrives slowly"),
    ),
)


def free_port() -> int:
    """Return a port that no program uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def save_files(page: Page, folder: Path) -> None:
    """Save the files that a page has the reader save."""
    for file in SAVED.finditer((ROOT / "docs" / f"{page.name}.md").read_text("utf-8")):
        (folder / file["name"]).write_text(file["text"], "utf-8")


def commands_of(page: Page, values: dict[str, str]) -> list[str]:
    """Return the blocks of a page with the addresses and folders of this run."""
    text = (ROOT / "docs" / f"{page.name}.md").read_text("utf-8")
    blocks = [block["text"] for block in BLOCK.finditer(text) if STARTS not in block["text"]]
    if not blocks:
        raise Failed(f"{page.name} has no commands")
    for pattern, value in values.items():
        blocks = [re.sub(pattern, value, block) for block in blocks]
    return blocks


def check(page: Page, printed: str) -> None:
    """Raise Failed if a result is missing, or if a call was refused."""
    if wrong := WRONG.search(printed):
        raise Failed(f"{page.name}: {printed[max(0, wrong.start() - 500) : wrong.end() + 500]}")
    at = 0
    for result in page.results:
        if (at := printed.find(result, at)) < 0:
            raise Failed(f"{page.name} does not print {result}:\n{printed[-3000:]}")


def follow(folder: Path, port: int, environment: dict[str, str]) -> None:
    """Run the pages, each in the shell that the one before left."""
    host = free_port()
    values = {
        r"127\.0\.0\.1:8000": f"127.0.0.1:{port}",
        r"127\.0\.0\.1:9000": f"127.0.0.1:{host}",
        r"\.venv/bin/python": sys.executable,
        r"(?<![\w/])var/": f"{folder}/",
    }
    shell = [f"export PORT={host}"]
    for number, page in enumerate(PAGES):
        save_files(page, folder)
        blocks = "\n".join(commands_of(page, values))
        shell.append(f"{{\n{blocks}\nsleep 3\n}} > '{folder}/{number}.out' 2>&1")
    program = subprocess.Popen(
        ["bash", "-uc", "\n".join(shell)], cwd=ROOT, env=environment, start_new_session=True
    )
    try:
        program.wait(LIMIT_S)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
    for number, page in enumerate(PAGES):
        check(page, (folder / f"{number}.out").read_text("utf-8"))
        print(f"  {page.name}", flush=True)


def main() -> int:
    """Start an engine, and follow the pages."""
    folder, port = Path(tempfile.mkdtemp(prefix="follow-start-")), free_port()
    command = [sys.executable, str(ROOT / "scripts" / "development.py")]
    environment = os.environ | {"IMPORT_DATA_DIR": str(folder)}
    serve = None
    try:
        for step in (["migrate", "--verbosity", "0"], ["setup", "--port", str(port)]):
            subprocess.run(
                [*command, *step], cwd=ROOT, env=environment, check=True, timeout=LIMIT_S
            )
        serve = subprocess.Popen(
            [*command, "serve", "--port", str(port)], cwd=ROOT, env=environment
        )
        wait_until_ready(f"http://127.0.0.1:{port}")
        follow(folder, port, environment)
    except (Failed, subprocess.SubprocessError) as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        if serve is not None:
            serve.terminate()
            serve.wait(60)
        shutil.rmtree(folder, ignore_errors=True)
    print("every command of the tutorials and guides did what its page says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
