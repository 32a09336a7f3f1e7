"""A small provider of OpenID Connect for tests, which can misbehave in every way that is bad."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

CLIENT = "import-engine"


class SmallProvider:
    """Signs whatever the test says, for whomever it says."""

    def __init__(self) -> None:
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.url = ""
        self.claims: dict[str, Any] = {"sub": "ada-1", "preferred_username": "ada"}
        self.changes: dict[str, Any] = {}  # of the token
        self.userinfo: dict[str, Any] = {}
        self.discovery: dict[str, Any] = {}
        self.raw: dict[str, bytes] = {}  # an answer by path, byte for byte
        self.silent = threading.Event()  # set: it takes calls and does not answer
        self.drips = threading.Event()  # set: it answers a byte at a time, and never to the end
        self.token_forms: list[dict[str, list[str]]] = []

    def document(self) -> dict[str, Any]:
        """Return the description that sign-ins begin with."""
        named = {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/keys",
        }
        return {**named, **self.discovery}

    def token(self) -> str:
        """Return a signed id_token."""
        now = int(time.time())
        about = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300}
        claims = {**about, **self.claims, **self.changes}
        claims = {name: value for name, value in claims.items() if value is not None}
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "k1"})

    def answer(self, path: str) -> Any:
        """Return the document of a path."""
        key = json.loads(RSAAlgorithm.to_jwk(rsa_public(self.key)))
        documents = {
            "/.well-known/openid-configuration": self.document,
            "/keys": lambda: {"keys": [{**key, "kid": "k1", "alg": "RS256", "use": "sig"}]},
            "/token": lambda: {
                "access_token": "a",
                "token_type": "Bearer",
                "id_token": self.token(),
            },
            "/userinfo": lambda: {**self.claims, **self.userinfo},
        }
        return documents[path]()


def rsa_public(key: rsa.RSAPrivateKey) -> rsa.RSAPublicKey:
    return key.public_key()


@contextmanager
def running() -> Iterator[SmallProvider]:
    """Serve a provider on loopback."""
    provider, ended = SmallProvider(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.respond()

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["content-length"])).decode()
            provider.token_forms.append(parse_qs(sent))
            self.respond()

        def respond(self) -> None:
            if provider.silent.is_set():
                ended.wait(30)
                return
            if provider.drips.is_set():
                self.send_response(200)
                with suppress(OSError):  # until the caller hangs up
                    while not ended.wait(0.05):
                        self.wfile.write(b"x-more: 1\r\n")
                return
            body = provider.raw.get(self.path) or json.dumps(provider.answer(self.path)).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    provider.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield provider
    finally:
        ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
