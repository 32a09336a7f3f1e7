"""nginx and Caddy before a real engine, with the configuration of ``deploy/``."""

import datetime
import os
import shutil
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
import requests
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.processes.conftest import copy_of, free_port, until
from tests.processes.template import ROOT

DEPLOY = ROOT / "deploy"
NAME = "localhost"
NETWORK = "10.9.9.9"  # may read the metrics; nothing here has this address
CHUNK = 500
AT_WORK = {"received", "reading", "transforming"}
CSV = (ROOT / "examples" / "orders-cp1252.csv").read_bytes()
ENGINE = {
    "IMPORT_BEHIND_TLS": "1",
    "IMPORT_TRUSTED_PROXIES": "127.0.0.1/32",
    "IMPORT_ALLOWED_HOSTS": f"{NAME},127.0.0.1",
    "IMPORT_METRICS_NETWORKS": f"{NETWORK}/32",
    "IMPORT_MAX_FILE_BYTES": "2000000",
}
pytestmark = pytest.mark.processes


class Proxy:
    """A proxy with TLS before an engine."""

    def __init__(self, name, engine, port, authority):
        self.name, self.engine, self.authority = name, engine, str(authority)
        self.origin = f"https://{NAME}:{port}"

    def call(self, method, path, *, headers=None, **options):
        path = path if path.startswith("/") else f"/api/import/v1/{path}"
        return requests.request(
            method,
            self.origin + path,
            headers=self.engine.headers | (headers or {}),
            verify=self.authority,
            timeout=60,
            allow_redirects=False,
            **options,
        )


@pytest.fixture(scope="module")
def engine(tmp_path_factory, template):
    """Yield a started engine for all tests of this module."""
    with copy_of(template, tmp_path_factory.mktemp("behind"), ENGINE) as engine:
        engine.start()
        yield engine


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(request, tmp_path_factory, engine):
    if shutil.which(request.param) is None and not os.environ.get("IMPORT_CI"):
        pytest.skip(f"{request.param} is not installed")
    start = {"nginx": nginx, "caddy": caddy}[request.param]
    with start(tmp_path_factory.mktemp(request.param), engine) as (port, authority):
        proxy = Proxy(request.param, engine, port, authority)
        until(lambda: answers(f"{proxy.origin}/healthz", verify=str(authority)), "a proxy answers")
        yield proxy


def answers(url, **options):
    try:
        return requests.get(url, timeout=5, **options).ok
    except (requests.RequestException, OSError):
        return False


@contextmanager
def nginx(folder, engine):
    """Run nginx with the file of ``deploy/``, other ports and a certificate of its own."""
    port, plain = free_port(), free_port()
    certificate(folder)
    changed = {
        "listen 80;": f"listen 127.0.0.1:{plain};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "server_name import.example.com;": f"server_name {NAME};",
        "server 127.0.0.1:8000;": f"server 127.0.0.1:{engine.port};",
        "/etc/ssl/import-engine": str(folder),
        "/var/cache/nginx/import-engine": f"{folder}/cache",
        "client_max_body_size 1100m;": "client_max_body_size 3m;",
    }
    site = (DEPLOY / "nginx" / "import-engine.conf").read_text("utf-8")
    for written, here in changed.items():
        assert written in site
        site = site.replace(written, here)
    (folder / "site.conf").write_text(site)
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nuser root;\n"
        f"events {{}}\nhttp {{\naccess_log off;\n{paths}include {folder}/site.conf;\n}}\n"
    )
    with running(folder, ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]):
        yield port, folder / "fullchain.pem"


@contextmanager
def caddy(folder, engine):
    """Run Caddy with the file of ``deploy/``, other ports and its internal authority."""
    port, plain = free_port(), free_port()
    ports = f"http_port {plain}\n https_port {port}\n admin off\n skip_install_trust"
    site = (DEPLOY / "caddy" / "Caddyfile").read_text("utf-8")
    (folder / "Caddyfile").write_text(f"{{\n {ports}\n}}\n{site}")
    names = {"ENGINE_HOST": NAME, "ENGINE_UPSTREAM": f"127.0.0.1:{engine.port}"}
    folders = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    command = ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    authority = folder / "caddy" / "pki" / "authorities" / "local" / "root.crt"
    with running(folder, command, names | folders):
        until(authority.exists, "Caddy has its authority")
        yield port, authority


@contextmanager
def running(folder, command, environment=None):
    log = (folder / "log").open("wb")
    process = subprocess.Popen(
        command, stdout=log, stderr=log, env={**os.environ, **(environment or {})}
    )
    try:
        yield
    finally:
        process.terminate()
        process.wait(timeout=30)
        log.close()


def certificate(folder: Path) -> None:
    """Write a certificate that signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    form = serialization.PrivateFormat.PKCS8
    private = key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())
    (folder / "privkey.pem").write_bytes(private)


def test_a_file_in_chunks_is_imported_through_a_proxy(proxy):
    record = announce(proxy, size=len(CSV))

    for begin in range(0, len(CSV), CHUNK):
        answer = send_chunk(proxy, record, begin)
        assert answer.status_code in {200, 202}, answer.text

    assert answer.status_code == 202
    seen = record
    while seen["state"] in AT_WORK:
        seen = proxy.call("GET", f"imports/{record['recordId']}?wait=30").json()
    assert seen["state"] == "review"
    assert seen["counts"]["rows"] > 10


def announce(proxy, *, size):
    about = {"filename": "orders.csv", "size": size, "catalogKey": "orders", "autoMap": True}
    answer = proxy.call("POST", "imports", json=about)
    assert answer.ok, answer.text
    return answer.json()


def send_chunk(proxy, record, begin, chunk=CHUNK):
    sent = CSV[begin : begin + chunk]
    place = {"Content-Range": f"bytes {begin}-{begin + len(sent) - 1}/{len(CSV)}"}
    return proxy.call("PUT", f"imports/{record['recordId']}/file", data=sent, headers=place)


def test_the_engine_believes_the_proxy_and_no_client(proxy):
    claims = {"X-Forwarded-For": NETWORK, "X-Forwarded-Proto": "http"}
    direct = f"http://127.0.0.1:{proxy.engine.port}/metrics"

    assert requests.get(direct, headers={"X-Forwarded-For": NETWORK}, timeout=30).ok
    assert proxy.call("GET", "/metrics", headers=claims).status_code in {401, 403, 404}
    page = proxy.call("GET", "/admin/login/", headers=claims)
    assert "Secure" in page.headers["Set-Cookie"]
    assert page.headers["Strict-Transport-Security"]


def test_an_answer_that_the_engine_holds_for_its_longest_wait_arrives(proxy):
    workers = []
    for process in proxy.engine.family():
        with suppress(psutil.NoSuchProcess):  # a short-lived child has ended meanwhile
            if "worker" in process.cmdline():
                workers.append(process)
    record = announce(proxy, size=len(CSV))
    for worker in workers:
        worker.suspend()
    try:
        assert send_chunk(proxy, record, 0, len(CSV)).status_code == 202
        held = proxy.call("GET", f"imports/{record['recordId']}?wait=30")
    finally:
        for worker in workers:
            worker.resume()

    assert workers
    assert held.json()["state"] in AT_WORK  # nothing else ends the wait of 30 s
    assert held.elapsed.total_seconds() > 29


def ids_of_imports(proxy):
    return {item["recordId"] for item in proxy.call("GET", "imports").json()["items"]}


@pytest.mark.parametrize("size", [2_500_000, 4_000_000], ids=["engine", "nginx"])
def test_a_body_above_a_limit_is_refused_with_413(proxy, size):
    files = {"file": ("large.csv", b"x" * size)}
    before = ids_of_imports(proxy)
    answer = None
    with suppress(
        requests.ConnectionError
    ):  # a refusal may close the connection before all is sent
        answer = proxy.call("POST", "imports", files=files, data={"catalogKey": "orders"})

    assert ids_of_imports(proxy) == before
    if answer is None:
        return
    assert answer.status_code == 413
    if proxy.name == "caddy" or size < 3 * 1024**2:  # else nginx refused it
        assert answer.json()["code"] == "too_large"


def test_the_widget_and_its_parts_load_compressed_and_stay_cached(proxy):
    manifest = proxy.call("GET", "/elements/manifest.json").json()
    twin = manifest["elements"]["service-import"]["file"]

    entry = proxy.call("GET", "/elements/service-import.js")
    named = proxy.call("GET", f"/elements/{twin}")
    unchanged = {"If-Modified-Since": entry.headers["Last-Modified"]}
    again = proxy.call("GET", "/elements/service-import.js", headers=unchanged)

    assert (entry.status_code, entry.headers["Content-Encoding"]) == (200, "gzip")
    assert b"service-import" in entry.content
    assert "immutable" in named.headers["Cache-Control"]
    assert again.status_code == 304
    if proxy.name == "nginx":
        assert proxy.call("GET", f"/elements/{twin}").headers["X-Cache"] == "HIT"
