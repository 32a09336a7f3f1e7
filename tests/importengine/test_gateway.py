"""The gateway of the web process, with an application of four lines behind it."""

import asyncio
from ipaddress import ip_network

import pytest

from importengine.web import answers, bodies
from importengine.web.answers import GONE
from importengine.web.bodies import Head, Pace
from importengine.web.gateway import REFUSAL, Allowances, Gateway, address_of

V1 = "/api/import/v1/"
ALLOWED = Allowances(threads=4, per_address=3, json_bytes=1000, floor=100)
EIGHT_THREADS = Allowances(threads=8, per_address=3, json_bytes=1000, floor=100)


class Client:
    """Sends pieces of a body as instructed, and keeps the response."""

    def __init__(self, *pieces: bytes | None) -> None:
        self.pieces = list(pieces)  # None: no more data
        self.read = 0
        self.answers: list[dict] = []

    async def receive(self) -> dict:
        if not self.pieces or self.pieces[0] is None:
            await asyncio.Event().wait()
        self.read += 1
        body = self.pieces.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(self.pieces)}

    async def send(self, message: dict) -> None:
        self.answers.append(message)

    @property
    def status(self) -> int:
        return self.answers[0]["status"]


class App:
    """Reads the whole body and answers 200, or with the refusal's status."""

    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.hold = asyncio.Event()
        self.hold.set()

    async def __call__(self, scope, receive, send) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        self.bodies.append(body)
        await self.hold.wait()
        refusal = scope.get(REFUSAL)
        status = refusal.status if refusal else 200
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b""})


def request(method="POST", path=V1 + "webhooks", host="10.0.0.1", **headers) -> dict:
    named = {"authorization": "Bearer good", **headers}
    pairs = [(n.replace("_", "-").encode(), v.encode()) for n, v in named.items()]
    about = {"method": method, "path": path, "query_string": b"", "http_version": "1.1"}
    return {"type": "http", "headers": pairs, "client": (host, 1), **about}


def gate(app, allowed=ALLOWED, has_memory=lambda: True) -> Gateway:
    return Gateway(
        app,
        allowed,
        by_key=lambda text: (text,) if text.endswith("good") else None,
        by_session=lambda text: ("lic_page", text) if text.endswith("session") else None,
        is_staff=lambda cookie: False,
        has_memory=has_memory,
    )


def served(scope, client, app=None) -> Client:
    async def serve():
        await gate(app or App())(scope, client.receive, client.send)

    asyncio.run(serve())
    return client


def test_a_small_body_reaches_the_view_whole():
    app = App()

    client = served(request(content_length="6"), Client(b"abc", b"def"), app)

    assert (client.status, app.bodies) == (200, [b"abcdef"])


def test_nothing_of_an_unknown_callers_body_is_read():
    client = served(request(content_length="900", authorization="Bearer bad"), Client(b"a" * 900))

    assert client.status == 200  # the view refuses it: it sees the same header
    assert client.read <= 1  # at most by the watch for its leaving


@pytest.mark.parametrize(
    ("path", "length", "status"),
    [
        (V1 + "webhooks", 1001, 413),
        (V1 + "webhooks", 1000, 200),
        ("/admin/login/", bodies.PAGE_BYTES + 1, 413),
        ("/admin/catalogs/x", 1000, 200),  # a form that holds a catalog
    ],
)
def test_a_body_is_held_to_what_its_kind_needs(path, length, status):
    client = served(request(path=path, content_length=str(length)), Client(b"a" * length))

    assert client.status == status


class Refusing:
    """Answers 413 without reading anything."""

    async def __call__(self, scope, receive, send) -> None:
        await send({"type": "http.response.start", "status": 413, "headers": []})
        await send({"type": "http.response.body", "body": b""})


FILE = {"content_type": "multipart/form-data", "content_length": "6"}


@pytest.mark.parametrize(("expect", "read"), [({}, 2), ({"expect": "100-continue"}, 0)])
def test_a_refused_file_is_read_to_its_end_unless_its_client_waits(expect, read):
    client = served(request(**FILE, **expect), Client(b"abc", b"def"), Refusing())

    assert (client.status, client.read) == (413, read)


def test_a_refused_file_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(answers, "REST_S", 0.01)
    client = served(request(**FILE), Client(b"abc", None), Refusing())

    assert (client.status, client.read) == (413, 1)


def test_a_refused_file_is_read_no_further_than_its_limit(monkeypatch):
    monkeypatch.setattr(answers, "REST_BYTES", 3)
    client = served(request(**FILE), Client(b"abc", b"def"), Refusing())

    assert (client.status, client.read) == (413, 1)


def test_a_refused_document_is_read_to_its_end():
    client = served(request(content_length="1200"), Client(b"a" * 600, b"b" * 600))

    assert (client.status, client.read) == (413, 2)


def test_a_body_that_lies_about_its_length_is_cut_at_the_limit():
    client = served(request(transfer_encoding="chunked"), Client(*[b"a" * 400] * 4))

    assert client.status == 413


def test_a_body_that_stops_coming_is_answered_408(monkeypatch):
    monkeypatch.setattr(bodies, "GRACE_S", 0.05)

    client = served(request(content_length="100"), Client(b"a", None))

    assert client.status == 408


def test_a_file_that_stops_coming_is_answered_408_whatever_the_view_made_of_it(monkeypatch):
    monkeypatch.setattr(bodies, "GRACE_S", 0.05)
    app = App()

    client = served(
        request("PUT", V1 + "imports/rec_1/file", content_length="100"), Client(b"a", None), app
    )

    assert (client.status, app.bodies) == (408, [b"a"])


def test_a_file_without_a_length_is_not_taken():
    client = served(
        request("PUT", V1 + "imports/rec_1/file", transfer_encoding="chunked"), Client(b"a")
    )

    assert client.status == 411


def at_once(*scopes, app=None, started: int, refused: int = 0, allowed=ALLOWED):
    """
    Serve requests concurrently; return the statuses when so many run and are refused, and last.

    No request ends before that moment. A refusal runs through the application too.
    """

    async def serve():
        held = app or App()
        held.hold.clear()
        door = gate(held, allowed)
        clients = [Client(b"a") for _ in scopes]
        tasks = [
            asyncio.create_task(door(scope, client.receive, client.send))
            for scope, client in zip(scopes, clients, strict=True)
        ]
        while len(held.bodies) < started + refused:
            await asyncio.sleep(0)
        early = [client.answers[0]["status"] if client.answers else None for client in clients]
        held.hold.set()
        await asyncio.gather(*tasks)
        return early, [client.status for client in clients]

    return asyncio.run(serve())


def test_strangers_at_one_address_hold_so_many_requests_and_others_none_the_less():
    mine = [request("GET", authorization="Bearer bad") for _ in range(4)]
    known = [request("GET") for _ in range(2)]

    strangers = [*mine, request("GET", host="10.0.0.2")]
    _, statuses = at_once(*strangers, *known, started=6, refused=1, allowed=EIGHT_THREADS)

    # The order of key lookups is not defined.
    assert (sorted(statuses[:4]), statuses[4:]) == ([200, 200, 200, 429], [200, 200, 200])


def upload(who: str, host: str = "10.0.0.1") -> dict:
    path = V1 + "imports/rec_1/file"
    return request("PUT", path, host, authorization=f"Bearer {who}", content_length="1")


def test_an_office_behind_one_address_is_never_refused():
    calls = [request("GET", authorization=f"Bearer {n % 100}-session") for n in range(200)]
    files = [upload("good") for _ in range(200)]

    _, statuses = at_once(*calls, *files, started=4)

    assert set(statuses) == {200}


def test_the_files_of_one_license_leave_room_for_those_of_another():
    slow = [upload(f"{n}-session", host=f"10.0.0.{n}") for n in range(16)]

    early, statuses = at_once(*slow, upload("good"), started=4, allowed=EIGHT_THREADS)

    assert set(statuses) == {200}
    assert early == [None] * 17  # four run: three of the sessions, and the other license's


def test_a_body_is_not_collected_while_there_is_no_room_for_it():
    async def serve():
        app = App()
        app.hold.clear()
        door = gate(
            app, Allowances(threads=8, per_address=9, json_bytes=60, floor=1, held_bytes=80)
        )
        clients = [Client(b"a") for _ in range(3)]
        tasks = [
            asyncio.create_task(door(request(content_length="50"), item.receive, item.send))
            for item in clients
        ]
        while len(app.bodies) < 1:
            await asyncio.sleep(0)
        read = [client.read for client in clients]
        app.hold.set()
        await asyncio.gather(*tasks)
        return read, [client.status for client in clients]

    assert asyncio.run(serve()) == ([1, 0, 0], [200, 200, 200])


def test_an_answer_that_is_not_read_is_given_up(monkeypatch):
    monkeypatch.setattr(answers, "SEND_S", 0.05)
    scope = request("GET")

    class Deaf(Client):
        async def send(self, message):
            await asyncio.Event().wait()

    seen = {}

    class Watched(App):
        async def __call__(self, scope, receive, send):
            await super().__call__(scope, receive, send)
            seen["gone"] = scope.get(GONE)

    served(scope, Deaf(), Watched())

    assert seen["gone"] is True


@pytest.mark.parametrize(
    ("client", "forwarded", "address"),
    [
        ("203.0.113.5", "", "203.0.113.5"),
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),  # claimed by the client: not trusted
        ("10.0.0.9", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.9", "1.1.1.1, 198.51.100.1, 10.0.0.8", "198.51.100.1"),
        ("10.0.0.9", "", "10.0.0.9"),
    ],
)
def test_the_address_is_what_the_trusted_proxies_saw(client, forwarded, address):
    headers = {"x_forwarded_for": forwarded} if forwarded else {}

    assert address_of(request(host=client, **headers), (ip_network("10.0.0.0/8"),)) == address


@pytest.mark.parametrize(
    ("received", "now", "patience"),
    [
        (0, 0, 10),  # the grace
        (0, 10, 0),  # used up without a byte
        (1000, 10, 10),  # ten seconds earned at 100 bytes a second
        (100_000, 10, 30),  # but never more silence than this
        (1000, 21, 0),
    ],
)
def test_patience_grows_with_what_arrived(received, now, patience):
    assert Pace(floor=100, started_at=0, received=received).patience(now) == patience


def test_the_time_for_a_file_follows_from_its_size():
    steady = {"floor": 1000, "started_at": 0, "received": 10**9}  # always above the floor
    small, large = Pace(announced=1000, **steady), Pace(announced=160_000_000, **steady)

    assert (small.patience(599), small.patience(601)) == (1.0625, 0)
    assert large.patience(10_000) > 0
    assert large.patience(10_700) == 0


@pytest.mark.parametrize(
    ("method", "path", "content_type", "kind"),
    [
        ("POST", V1 + "imports", "multipart/form-data; boundary=x", "file"),
        ("POST", V1 + "imports", "application/json", "json"),
        ("PUT", V1 + "imports/rec_1/file", "application/octet-stream", "file"),
        ("POST", "/admin/login/", "multipart/form-data; boundary=x", "page"),
        ("POST", "/admin/catalogs/orders/edit/", "", "catalog"),
        ("PUT", V1 + "catalogs/orders/draft", "application/json", "catalog"),
        ("PUT", V1 + "value-lists/countries", "text/csv", "list"),
    ],
)
def test_the_head_names_the_kind_of_body(method, path, content_type, kind):
    assert Head(method, path, {"content-type": content_type}).kind == kind


def test_a_header_that_only_wsgi_would_confuse_is_dropped():
    app_scope = {}

    class Keeps(App):
        async def __call__(self, scope, receive, send):
            app_scope.update(scope)
            await super().__call__(scope, receive, send)

    scope = request("GET")
    scope["headers"] += [(b"x_import_token", b"forged")]
    scope["query_string"] = "q=ä".encode()
    served(scope, Client(), Keeps())

    assert b"x_import_token" not in dict(app_scope["headers"])
    assert app_scope["query_string"] == b"q=%C3%A4"


def test_a_call_that_others_leave_no_memory_for_is_refused_and_one_alone_may_try():
    app = App()
    app.hold.clear()
    first, second = Client(b""), Client(b"")

    async def both():
        door = gate(app, has_memory=lambda: False)
        running = asyncio.create_task(door(request(method="GET"), first.receive, first.send))
        await asyncio.sleep(0)
        while not app.bodies:
            await asyncio.sleep(0)
        app.hold.set()
        await door(request(method="GET"), second.receive, second.send)
        await running

    asyncio.run(both())

    assert (first.status, second.status) == (200, 503)


@pytest.mark.parametrize(("path", "at_once"), [(V1 + "webhooks", 1), (V1 + "mcp", 2)])
def test_a_license_has_one_large_body_judged_at_a_time_but_not_its_agents_files(path, at_once):
    app = App()
    app.hold.clear()
    allowed = Allowances(threads=8, per_address=3, json_bytes=10**6, floor=100)
    clients = [Client(b"a" * 100_000) for _ in range(2)]

    async def all_of_them():
        door = gate(app, allowed)
        calls = [
            asyncio.create_task(
                door(request(path=path, content_length="100000"), c.receive, c.send)
            )
            for c in clients
        ]
        for _ in range(100):
            await asyncio.sleep(0)
        begun = len(app.bodies)
        app.hold.set()
        await asyncio.gather(*calls)
        return begun

    assert asyncio.run(all_of_them()) == at_once
    assert [client.status for client in clients] == [200, 200]
