"""The engine below a path of a host with other pages, with the files of ``deploy/``."""

import os
import re
import shutil
from contextlib import contextmanager

import pytest
import requests

from tests.processes.conftest import copy_of, free_port, until
from tests.processes.test_proxies import CSV, DEPLOY, ENGINE, NAME, answers, certificate, running

PREFIX = "/imports"
API = f"{PREFIX}/api/import/v1"
OTHER = "another page of the host"
pytestmark = pytest.mark.processes


@pytest.fixture(scope="module")
def engine(tmp_path_factory, template):
    """Yield a started engine below a path for all tests of this module."""
    more = {**ENGINE, "IMPORT_PATH_PREFIX": PREFIX}
    with copy_of(template, tmp_path_factory.mktemp("below"), more) as engine:
        engine.use(engine.mint("--entitlement", "hostedLinks"))
        engine.start()
        yield engine


@contextmanager
def nginx(folder, engine):
    """Run nginx with a page of its own, and the engine below a path."""
    port = free_port()
    certificate(folder)
    below = (DEPLOY / "nginx" / "below-a-path.conf").read_text("utf-8")
    (folder / "below.conf").write_text(below.replace("127.0.0.1:8000", f"127.0.0.1:{engine.port}"))
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nuser root;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{paths}server {{\nlisten 127.0.0.1:{port} ssl;\n"
        f"ssl_certificate {folder}/fullchain.pem;\nssl_certificate_key {folder}/privkey.pem;\n"
        f'location / {{ return 200 "{OTHER}"; }}\ninclude {folder}/below.conf;\n}}\n}}\n'
    )
    with running(folder, ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]):
        yield port, folder / "fullchain.pem"


@contextmanager
def caddy(folder, engine):
    """Run Caddy with a page of its own, and the engine below a path."""
    port = free_port()
    ports = f"http_port {free_port()}\n https_port {port}\n admin off\n skip_install_trust"
    below = DEPLOY / "caddy" / "below-a-path.Caddyfile"
    site = f'{NAME} {{\n import {below}\n handle {{\n respond "{OTHER}"\n }}\n}}\n'
    (folder / "Caddyfile").write_text(f"{{\n {ports}\n}}\n{site}")
    names = {"ENGINE_UPSTREAM": f"127.0.0.1:{engine.port}", "HOME": str(folder)}
    folders = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    with running(folder, command, names | folders):
        until(authority.exists, "Caddy has its authority")
        yield port, authority


class Browser:
    """Calls the host as a browser or a client does; redirects are not followed."""

    def __init__(self, port, authority, engine):
        self.origin, self.headers = f"https://{NAME}:{port}", engine.headers
        self._session = requests.Session()
        self._authority = str(authority)

    def call(self, method, path, **options):
        url = path if path.startswith("https:") else f"{self.origin}{path}"
        options = {"timeout": 60, "allow_redirects": False, "verify": self._authority} | options
        return self._session.request(method, url, **options)

    def api(self, method, path, **options):
        return self.call(method, f"{API}/{path}", headers=self.headers, **options)


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def host(request, tmp_path_factory, engine):
    if shutil.which(request.param) is None and not os.environ.get("IMPORT_CI"):
        pytest.skip(f"{request.param} is not installed")
    start = {"nginx": nginx, "caddy": caddy}[request.param]
    with start(tmp_path_factory.mktemp(request.param), engine) as (port, authority):
        host = Browser(port, authority, engine)
        ready = f"{host.origin}{PREFIX}/healthz"
        until(lambda: answers(ready, verify=str(authority)), "a proxy answers")
        yield host


def test_the_host_keeps_its_other_pages(host):
    assert host.call("GET", "/").text == OTHER
    assert host.call("GET", "/importsapi").text == OTHER
    assert host.call("GET", PREFIX).headers["Location"].endswith(f"{PREFIX}/admin/")


def test_an_import_is_found_at_its_location(host):
    about = {"catalogKey": "orders", "autoMap": "true"}
    made = host.api("POST", "imports", data=about, files={"file": ("orders.csv", CSV)})

    assert made.status_code in {201, 202}, made.text
    at = made.headers["Location"]
    assert at.startswith(f"{API}/imports/")
    record = host.call("GET", f"{at}?wait=1", headers=host.headers)
    assert record.json()["recordId"] == made.json()["recordId"]


def test_a_problem_and_the_schema_name_addresses_below_the_path(host):
    problem = host.api("GET", "imports/missing").json()
    schema = host.api("GET", "openapi.json").json()

    assert problem["type"].startswith(f"{PREFIX}/docs/problems/")
    assert schema["servers"] == [{"url": PREFIX}]
    assert all(path.startswith("/api/import/v1/") for path in schema["paths"])
    script = host.call("GET", f"{PREFIX}/api/docs?script=").text
    assert f"{API}/openapi.json" in script


def test_every_file_of_the_admin_loads_and_its_cookies_stay_below_the_path(host):
    page = host.call("GET", f"{PREFIX}/admin/login/")
    files = set(re.findall(r'(?:href|src)="(/[^"]+\.(?:css|js|svg))"', page.text))

    assert files
    assert all(host.call("GET", file).status_code == 200 for file in files)
    assert f"Path={PREFIX};" in page.headers["Set-Cookie"]
    away = host.call("GET", f"{PREFIX}/admin/")
    assert away.headers["Location"].startswith(f"{PREFIX}/admin/login/")


def test_a_link_opens_and_its_page_gets_a_session(host):
    made = host.api("POST", "links", json={"catalogKey": "orders", "page": {"name": "Northwind"}})
    assert made.status_code == 201, made.text
    address = made.json()["url"]
    assert address.startswith(f"{host.origin.rpartition(':')[0]}")
    path = PREFIX + address.partition(PREFIX)[2]
    code = made.json().get("code", "")

    first = host.call("GET", path)
    opened = host.call("POST", path, data={"code": code}, headers={"Origin": host.origin})
    page = host.call("GET", path)

    assert f"Path={path}" in first.headers["Set-Cookie"]
    assert (opened.status_code, opened.headers["Location"]) == (303, path)
    (script,) = re.findall(r'src="([^"]+/elements/[^"]+)"', page.text)
    assert host.call("GET", script).status_code == 200
    (session,) = re.findall(r'data-session="([^"]+)"', page.text)
    assert session == f"{path}/session"


def test_an_agent_reaches_the_tools(host):
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accepted = {"Accept": "application/json, text/event-stream"}
    answer = host.call("POST", f"{API}/mcp", json=body, headers=host.headers | accepted)

    assert answer.status_code == 200, answer.text
    assert "tools" in answer.text


def test_probes_of_the_machine_ask_without_the_path(engine):
    assert requests.get(f"http://127.0.0.1:{engine.port}/healthz", timeout=30).ok
