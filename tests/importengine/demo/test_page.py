"""The demo page: strict about scripts, and only available if enabled."""

import re
import runpy

import pytest
from django.contrib.staticfiles import finders

from common import clock
from importengine.demo.views import EXAMPLES
from licensing.sessions import accept_session

pytestmark = pytest.mark.urls("tests.importengine.demo.urls")


def test_the_page_allows_only_its_own_scripts_and_styles_and_has_none_inline(host):
    answer = host.get("/demo/")

    page = answer.content.decode()
    assert "script-src 'self'; style-src 'self'" in answer["Content-Security-Policy"]
    assert not re.search(r"<style|style=|<script>|\son\w+=|javascript:", page)


def test_the_page_carries_no_key_and_is_not_stored(host, settings):
    settings.DEMO_LICENSE_KEY = "imp_lic_ab"

    answer = host.get("/demo/")

    assert "imp_lic_" not in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize("mode", ["webhook", "browser"])
def test_the_host_gives_its_page_a_session_of_the_mode_it_asked_for(host, settings, mint_key, mode):
    settings.DEMO_LICENSE_KEY = mint_key()
    headers = {"origin": "http://127.0.0.1:8000"}
    body = {"applyMode": mode}

    answer = host.post("/demo/session", body, content_type="application/json", headers=headers)

    caller = accept_session(token=answer.json()["token"], at=clock.now())
    assert (caller.session.apply_mode, caller.session.scope) == (mode, "demo")
    assert caller.session.origin == headers["origin"]


def test_without_a_key_the_host_gives_no_session(host, settings):
    settings.DEMO_LICENSE_KEY = ""

    assert host.post("/demo/session", {}, content_type="application/json").status_code == 503


def test_every_static_file_of_the_page_exists(host):
    names = set(re.findall(r'"/static/([^"]+)"', host.get("/demo/").content.decode()))

    script = finders.find("demo/demo.js")
    with open(script, encoding="utf-8") as file:
        names |= {f"demo/{name}" for name in re.findall(r"from '\./(.+)'", file.read())}
    assert {"demo/demo.css", "demo/demo.js", "demo/inbox.js"} <= names
    assert all(finders.find(name) for name in names)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_example_is_offered_and_can_be_downloaded(host, settings, example):
    answer = host.get(f"/demo/files/{example.name}")

    expected = (settings.BASE_DIR / "examples" / example.name).read_bytes()
    assert b"".join(answer.streaming_content) == expected
    assert f'data-example="{example.name}"' in host.get("/demo/").content.decode()


@pytest.mark.parametrize("name", ["README.md", "..%2Fmanage.py", "source"])
def test_no_other_file_is_given_away(host, name):
    assert host.get(f"/demo/files/{name}").status_code == 404


@pytest.mark.parametrize("is_on", [True, False])
def test_the_demo_is_served_only_when_it_is_asked_for(settings, is_on):
    settings.DEMO = is_on

    wiring = runpy.run_path(str(settings.BASE_DIR / "importengine" / "urls.py"))

    assert any(str(entry.pattern) == "demo/" for entry in wiring["urlpatterns"]) is is_on
