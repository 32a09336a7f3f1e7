"""Signing in to the admin through a real provider, with a passkey, until a group is dropped."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import requests
from playwright.sync_api import Browser, Page, expect

from tests.web.walks.engine import Engine, free_port, until
from tests.web.walks.hosts import AXE
from tests.web.walks.test_admin import RUN_AXE

pytestmark = pytest.mark.web
SOURCE = Path(__file__).parent / "provider"
SECRET = "of-one-walk-only"
PASSKEYS = {  # what Chromium pretends to have
    "protocol": "ctap2",
    "transport": "internal",
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Provider:
    """`oidc-provider` of npm, with the people of a file."""

    def __init__(self, folder: Path) -> None:
        self.port, self.folder = free_port(), folder
        self.url = f"http://127.0.0.1:{self.port}"
        self.people = folder / "people.json"
        self._process: subprocess.Popen[bytes] | None = None
        for name in ("package.json", "package-lock.json", ".npmrc", "provider.mjs"):
            shutil.copy(SOURCE / name, folder / name)
        subprocess.run(["npm", "ci", "--silent"], cwd=folder, check=True)

    def give(self, *groups: str) -> None:
        """Put Ada into these groups."""
        ada = {"preferred_username": "ada", "email": "ada@acme.example", "groups": groups}
        self.people.write_text(json.dumps({"ada": ada}))

    def start(self, callback: str) -> None:
        """Serve, and wait until it answers."""
        about = {"PORT": str(self.port), "PEOPLE": str(self.people), "CALLBACK": callback}
        environment = {**os.environ, **about, "CLIENT_SECRET": SECRET}
        with (self.folder / "provider.log").open("wb") as log:
            command = ["node", "provider.mjs"]
            self._process = subprocess.Popen(
                command, cwd=self.folder, env=environment, stdout=log, stderr=log
            )
        until(self.answers, "the provider answers")

    def answers(self) -> bool:
        """Return whether it answers."""
        with suppress(requests.RequestException):
            return requests.get(f"{self.url}/.well-known/openid-configuration", timeout=5).ok
        return False

    def stop(self) -> None:
        """Stop it."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[Provider]:
    """Yield an installed provider, which is not started."""
    folder = tmp_path / "provider"
    folder.mkdir()
    installed = Provider(folder)
    yield installed
    installed.stop()


@pytest.fixture
def engine(provider: Provider, tmp_path: Path) -> Iterator[Engine]:
    """Yield an engine that trusts the provider; pages are on ``localhost``, as passkeys need."""
    folder = tmp_path / "engine"
    folder.mkdir()
    served = Engine(
        folder,
        IMPORT_OIDC_URL=provider.url,
        IMPORT_OIDC_CLIENT_ID="import-engine",
        IMPORT_OIDC_CLIENT_SECRET=SECRET,
        IMPORT_OIDC_GROUPS="orders = editor@tnt_demo",
        IMPORT_OIDC_ALLOW_NETWORKS="127.0.0.0/8",
    )
    try:
        served.start()
        served.origin = f"http://localhost:{served.port}"
        yield served
    finally:
        served.stop()


def violations_of(page: Page) -> list[Any]:
    page.evaluate(AXE.read_text("utf-8"))
    wrong: list[Any] = page.evaluate(RUN_AXE)
    excess = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*wrong, *(["too wide", page.url] if excess > 0 else [])]


def log_out(page: Page) -> None:
    page.get_by_role("button", name="Log out").click()


def test_a_person_signs_in_with_the_provider_until_a_group_is_dropped(
    browser: Browser, provider: Provider, engine: Engine
) -> None:
    provider.give("orders", "staff")
    provider.start(f"{engine.origin}/admin/provider/back/")
    about: dict[str, Any] = {"viewport": {"width": 390, "height": 800}, "color_scheme": "dark"}
    page = browser.new_context(**about).new_page()
    messages: list[str] = []
    page.on("console", lambda message: messages.append(f"{message.location['url']} {message.text}"))
    wrong = []

    # A group of the provider becomes a role.
    page.goto(f"{engine.origin}/admin/catalogs")
    wrong += violations_of(page)
    page.get_by_role("button", name="Continue with your provider").click()
    page.locator("[name=login]").fill("ada")
    page.locator("[name=password]").fill("anything")
    page.get_by_role("button", name="Sign-in").click()
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/admin/catalogs")
    page.goto(f"{engine.origin}/admin/")
    expect(page.locator("#user-tools strong")).to_have_text("ada")
    assert page.goto(f"{engine.origin}/admin/auth/user/").status == 403  # type: ignore[union-attr]  # there is an answer

    # A second factor is added, and asked for from then on.
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send("WebAuthn.addVirtualAuthenticator", {"options": PASSKEYS})
    page.goto(f"{engine.origin}/admin/second-factor/app/")  # first, the provider asks again
    wrong += violations_of(page)
    page.get_by_role("button", name="Continue with your provider").click()
    page.locator("[name=login]").fill("ada")
    page.locator("[name=password]").fill("anything")
    page.get_by_role("button", name="Sign-in").click()
    page.wait_for_url("**/admin/second-factor/app/")
    for path in ("", "app/", "passkeys/"):
        page.goto(f"{engine.origin}/admin/second-factor/{path}")
        wrong += violations_of(page)
    page.get_by_role("link", name="Add a passkey").click()
    wrong += violations_of(page)
    page.get_by_role("button", name="Add the passkey").click()
    page.get_by_role("heading", name="Recovery codes").wait_for()
    wrong += violations_of(page)
    log_out(page)
    page.goto(f"{engine.origin}/admin/")
    page.get_by_role("button", name="Continue with your provider").click()
    page.get_by_role("heading", name="Second factor").wait_for()
    wrong += violations_of(page)
    page.get_by_role("button", name="Use a passkey").click()
    page.get_by_role("heading", name="Administration").wait_for()

    # The group is dropped: the next sign-in ends the rights.
    provider.give("staff")
    log_out(page)
    page.goto(f"{engine.origin}/admin/")
    page.get_by_role("button", name="Continue with your provider").click()
    page.get_by_text("None of your groups may use this engine").wait_for()
    wrong += violations_of(page)

    # The provider is down: the page says so, and a password still signs in.
    provider.stop()
    page.goto(f"{engine.origin}/admin/")
    page.get_by_role("button", name="Continue with your provider").click()
    page.get_by_text("The provider does not answer").wait_for()
    page.get_by_role("link", name="Back to the sign-in page").click()
    page.get_by_label("Username").fill("admin")
    page.get_by_label("Password").fill(engine.password)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Administration").wait_for()

    assert wrong == []
    ours = [text for text in messages if text.startswith(engine.origin)]
    assert [text for text in ours if "Content Security Policy" in text] == []
