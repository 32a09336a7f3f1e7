"""`/api/docs` works under the policy of every answer, without external resources."""

import re

from django.contrib.staticfiles import finders


def page(client) -> str:
    answer = client.get("/api/docs")
    assert answer.status_code == 200
    assert "'unsafe-inline'" not in answer["Content-Security-Policy"]
    return answer.content.decode()


def test_it_holds_no_script_or_style_of_its_own(client):
    html = page(client)

    assert re.findall(r"<style|style=|\son\w+=|<script(?![^>]*\ssrc=)", html) == []


def test_all_that_it_loads_is_served_here(client):
    loaded = re.findall(r'(?:src|href)="([^"]*)"', page(client))

    assert len(loaded) >= 5
    assert [address for address in loaded if not re.match(r"/(?!/)", address)] == []
    files = [item.removeprefix("/static/") for item in loaded if item.startswith("/static/")]
    assert [name for name in files if finders.find(name) is None] == []


def test_its_script_asks_for_the_document_here(client):
    (script,) = re.findall(r'src="(/api/docs\?[^"]*)"', page(client))
    answer = client.get(script.replace("&amp;", "&"))

    assert answer["Content-Type"].startswith("application/javascript")
    assert "/api/import/v1/openapi.json" in answer.content.decode()
    assert re.findall(r"https?://", answer.content.decode()) == []
