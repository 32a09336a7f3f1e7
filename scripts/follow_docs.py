"""
Follow the production documentation, word for word, in a fresh environment.

The commands are those of the pages about production, backups, upgrades and keys; addresses and
folders alone are put in the place of placeholders. Needs PostgreSQL with its programs, Redis, rsync
and chromium.

    python3 scripts/follow_docs.py [PORT]
"""

import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from http.cookiejar import CookieJar, DefaultCookiePolicy
from pathlib import Path
from typing import IO, cast
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from documented_commands import blocks_of, commands_of, fill_in  # noqa: E402 (the path is set above)
from small_host import (  # noqa: E402 (the path is set above)
    Client,
    Failed,
    Receiver,
    deliver,
    readiness,
    until,
    wait_until_ready,
)

OPERATORS = (
    "production",
    "operating",
    "rotating-keys",
    "how-to/back-up-and-restore",
    "how-to/migrate-between-versions",
)
PAGES = [ROOT / "docs" / f"{name}.md" for name in OPERATORS]
SERVER = os.environ.get("WALK_POSTGRES", "postgresql://postgres@127.0.0.1:5432")
REDIS = os.environ.get("WALK_REDIS", "redis://127.0.0.1:6379/7")
USER, MAIL = "walker", "walker@example.com"
CHROMIUM = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
CHROMIUM += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
PAGE = """<!doctype html><title>loading</title>
<script>addEventListener('import-ready', () => { document.title = 'the widget is ready' })</script>
<script type="module" src="BASE/elements/service-import.js"></script>
<service-import api-base-url="BASE" license-key="KEY" catalog-key="orders"></service-import>"""


class Shell:
    """One shell in which the blocks of the pages run, one after the other."""

    def __init__(self, folder: Path, environment: dict[str, str], blocks: dict[str, str]) -> None:
        self.folder, self.blocks = folder, blocks
        self.programs: list[int] = []
        self._bash = subprocess.Popen(
            ["bash", "-euo", "pipefail"],
            cwd=folder / "engine",
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._to, self._from = cast(IO[str], self._bash.stdin), cast(IO[str], self._bash.stdout)

    def run(self, name: str) -> str:
        """Run a block to its end; return its output."""
        began = time.monotonic()
        print(f"  {name}", end="", flush=True)
        printed = self.folder / f"{name}.out"
        text = f"{{\n{self.blocks[name]}\n}} > '{printed}' 2>&1 < /dev/null\n"
        if self._say(f"{text}echo done") != "done":
            raise Failed(f"{name} failed:\n{printed.read_text('utf-8')[-4000:]}")
        print(f" ({time.monotonic() - began:.0f} s)", flush=True)
        return printed.read_text("utf-8")

    def start(self, name: str) -> None:
        """Start every command of a block as a background program."""
        for number, command in enumerate(commands_of(self.blocks[name])):
            file = self.folder / f"{name}-{number}"
            file.write_text(f"exec {command}\n", "utf-8")
            began = f"setsid bash '{file}' >> '{file}.out' 2>&1 < /dev/null & echo $!"
            self.programs.append(int(self._say(began)))

    def stop(self) -> None:
        """Stop every program, as a supervisor does."""
        for pid in self.programs:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGTERM)
        until(lambda: not any(_runs(pid) for pid in self.programs), "every program ended")
        self.programs.clear()

    def set(self, name: str, value: str) -> None:
        """Set a variable of the shell."""
        self._say(f"export {name}='{value}'; echo done")

    def close(self) -> None:
        """Stop the programs and the shell, whatever their state."""
        for pid in self.programs:
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGKILL)
        self._bash.kill()
        self._bash.wait()

    def _say(self, text: str) -> str:
        with suppress(BrokenPipeError):
            self._to.write(f"{text}\n")
            self._to.flush()
        return self._from.readline().strip()


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


class Walk:
    """An operator who follows the documentation."""

    def __init__(self, folder: Path, port: int) -> None:
        self.folder, self.base = folder, f"http://127.0.0.1:{port}"
        self.database = f"walk_{secrets.token_hex(4)}"
        self.receiver = Receiver()
        values = {
            "postgresql://user:password@host:5432/importengine": f"{SERVER}/{self.database}",
            "redis://host:6379/0": REDIS,
            "/srv/import-engine": str(folder / "data"),
            "https://import.example.com": self.base,
            "import.example.com": "127.0.0.1",
            "--port 8000": f"--port {port}",
            "/backup": str(folder / "backup"),
            "createsuperuser": f"createsuperuser --noinput --username {USER} --email {MAIL}",
        }
        for name in ("home", "backup"):
            (folder / name).mkdir()
        copy_tree(folder / "engine")
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
        self.password = secrets.token_urlsafe(12)  # a person types it when the command asks for it
        here = {
            "HOME": str(folder / "home"),
            "IMPORT_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
            "DJANGO_SUPERUSER_PASSWORD": self.password,
        }
        self.shell = Shell(folder, kept | here, fill_in(blocks_of(*PAGES), values))
        self.client = Client(self.base, "")
        self.secret = ""

    def install(self) -> None:
        """Follow "Production" up to the check, and run everything by ``serve``."""
        self._make_database()
        self._take_key(self.shell.run("install"))
        self._start("serve")
        self._verify()
        self._sign_in()
        self._see_the_widget()
        path = "/apply/here"
        answer = self.client.call("webhooks", {"url": self.receiver.origin + path})
        self.secret = answer["signingSecret"]
        self._deliver()
        self.shell.stop()

    def operate(self) -> None:
        """Back up, destroy, restore, upgrade, and look for what failed."""
        self._start("programs")
        record_id = self._deliver()
        failed = self.client.upload("broken.xlsx", b"PK\x03\x04 not a workbook")
        self.client.until_state(failed, "failed")
        if failed not in (output := self.shell.run("failures")):
            raise Failed(
                f"{failed} failed, and the page's command does not say so: {output[-800:]}"
            )
        self.shell.run("backup")
        self.shell.stop()

        self._drop_database()
        shutil.rmtree(self.folder / "data")
        shutil.rmtree(self.folder / "home" / "import-engine-keys")
        self._make_database()
        self.shell.run("restore")
        self._start("programs")
        self._expect_rows(record_id)
        self._deliver()

        self._put_next_version()
        self.shell.stop()
        self.shell.start("programs")
        until(lambda: "this is 9.9.9" in readiness(self.base)[1].get("elements", ""), "named")
        self.shell.stop()
        self.shell.run("upgrade")
        self._start("programs")
        self._expect_rows(record_id)
        self._deliver()

    def rotate(self) -> None:
        """Replace the encryption keys and the license keys while the engine works."""
        keys = self.folder / "home" / "import-engine-keys" / "encryption-keys"
        first = keys.read_text("utf-8")
        self.shell.run("new-encryption-key")
        self._restart()
        self._deliver()
        output = self.shell.run("old-encryption-key")
        self._restart()
        self._deliver()
        if first in keys.read_text("utf-8") or not re.search(
            r"[1-9]\d* rows? re-encrypted", output
        ):
            raise Failed(f"the old encryption key is still needed: {output}")

        former = self.client.key
        self.shell.run("new-license-pair")
        self._restart()
        self._verify()
        self._take_key(self.shell.run("new-license"))
        self._verify()
        self.shell.run("old-license-pair")
        self._restart()
        self._verify()
        self._deliver()
        with suppress(Failed):
            Client(self.base, former).call("license/verify")
            raise SystemExit("a key of the old pair is still accepted")

    def close(self) -> None:
        """Leave nothing behind."""
        self.shell.close()
        self._drop_database()

    def _start(self, name: str) -> None:
        self.shell.start(name)
        wait_until_ready(self.base)
        print(f"  {name}: ready", flush=True)

    def _restart(self) -> None:
        self.shell.stop()
        self._start("programs")

    def _deliver(self) -> str:
        return deliver(self.client, self.receiver, path="/apply/here", secret=self.secret)

    def _take_key(self, printed: str) -> None:
        match = re.search(r"imp_lic_[\w.-]+", printed)
        if match is None:
            raise Failed(f"no license key was printed: {printed[-800:]}")
        self.client = Client(self.base, match[0])
        self.shell.set("KEY", match[0])

    def _verify(self) -> None:
        output = self.shell.run("verify")
        if not re.search(r'"verified": ?true', output):
            raise Failed(f"the key is not verified: {output[-800:]}")

    def _sign_in(self) -> None:
        """Sign in to the admin as the created user, through what a proxy with TLS adds."""
        jar = CookieJar(DefaultCookiePolicy(secure_protocols=("http", "https")))
        browser = build_opener(HTTPCookieProcessor(jar))
        browser.addheaders = [("X-Forwarded-Proto", "https")]
        address = f"{self.base}/admin/login/"
        browser.addheaders += [("Referer", address.replace("http:", "https:"))]
        with browser.open(address) as page:
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
        typed = {
            "csrfmiddlewaretoken": token[1] if token else "",
            "username": USER,
            "password": self.password,
            "next": "/admin/licensing/tenant/",
        }
        with browser.open(address, urlencode(typed).encode()) as page:
            shown = page.read().decode()
        if "/admin/logout/" not in shown or "tnt_acme" not in shown:
            raise Failed(f"{USER} is not signed in at /admin: {shown[:800]}")
        print("  signed in at /admin, and saw the tenant", flush=True)

    def _see_the_widget(self) -> None:
        page = PAGE.replace("BASE", self.base).replace("KEY", self.client.key)
        self.receiver.pages["/page"] = page
        profile = f"--user-data-dir={self.folder / 'chromium'}"
        command = ["chromium", *CHROMIUM, profile, "--virtual-time-budget=20000", "--dump-dom"]
        url = f"{self.receiver.origin}/page"
        done = subprocess.run(
            [*command, url], capture_output=True, text=True, check=False, timeout=180
        )
        if "<title>the widget is ready</title>" not in done.stdout:
            raise Failed(f"the widget does not open: {done.stdout[:600]} {done.stderr[-600:]}")
        print("  the widget is ready in Chromium", flush=True)

    def _expect_rows(self, record_id: str) -> None:
        self.client.until_state(record_id, "applied")
        page = self.client.call(f"imports/{record_id}/rows/query", {"limit": 5})
        if not page.get("rows"):
            raise Failed(f"{record_id} has no rows any more: {page}")

    def _put_next_version(self) -> None:
        about = self.folder / "engine" / "pyproject.toml"
        text = about.read_text("utf-8")
        about.write_text(re.sub(r'(?m)^version = ".*"$', 'version = "9.9.9"', text), "utf-8")

    def _make_database(self) -> None:
        self._ask(f"CREATE DATABASE {self.database}")

    def _drop_database(self) -> None:
        self._ask(f"DROP DATABASE IF EXISTS {self.database} WITH (FORCE)")

    def _ask(self, statement: str) -> None:
        command = ["psql", "--quiet", f"{SERVER}/postgres", "--command", statement]
        subprocess.run(command, check=True)


def copy_tree(to: Path) -> None:
    """Copy tracked and untracked files that git does not ignore, like a fresh clone."""
    names = subprocess.check_output(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT
    )
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, to / name)


def main(arguments: list[str]) -> int:
    """Follow all pages."""
    port = int(arguments[0]) if arguments else 8179
    with tempfile.TemporaryDirectory(prefix="walk-") as folder:
        walk = Walk(Path(folder), port)
        try:
            for part in (walk.install, walk.operate, walk.rotate):
                print(part.__doc__, flush=True)
                part()
        except Failed as error:
            print(f"\nfailed: {error}", file=sys.stderr)
            for log in sorted(Path(folder).glob("*-?.out")):
                print(f"--- {log.name}\n{log.read_text('utf-8')[-1500:]}", file=sys.stderr)
            return 1
        finally:
            walk.close()
    print("the documentation holds")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
