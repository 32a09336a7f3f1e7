"""
Feeds whose servers are killed, slowed and filled, and whose workers are killed or taken over.

No file is lost and none is imported twice; each run says what was wrong, and a feed recovers by
itself. One engine and one server of each kind serve all of these tests.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from pathlib import Path

import psutil
import psycopg
import pytest

from tests.certificates import Authority
from tests.faults.conftest import Cluster, OwnRedis, started
from tests.faults.machines import Relay
from tests.faults.places import Place, running_places
from tests.mails.smtp import OK, Running
from tests.processes.conftest import Engine, until
from tests.processes.template import Template

pytestmark = pytest.mark.processes
HEADER = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status\n"
ROWS, WIDTH = 1_200, 900  # characters of a cell: large files that cost little to import
BROKEN_OFF = "The connection was lost before the end."
AWAY = "The server does not answer. Check the host and the port."
SETUP = """
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Permission
from common import clock
from licensing.models import Membership, Tenant
from mails import choices
ada = get_user_model().objects.create_user("ada", "ada@acme.example", "x", is_staff=True)
ada.user_permissions.add(Permission.objects.get(codename="view_importrecord"))
tenant = Tenant.objects.get(public_id="tnt_owner")
Membership.objects.create(user=ada, tenant=tenant, role="viewer")
choices.choose(user=ada, kinds=["failed"], language="en", time_zone="UTC", at=clock.now())
"""
# The waits of minutes that lie between two looks and two tries are over at once.
LATER = """
update feeds_feed set due_at = now() where due_at > now() and claimed_until is null
    and due_why in ('look', 'retry');
update feeds_takenfile set seen_at = seen_at - interval '1 minute' where stage = 'seen';
update mails_mail set due_at = now() where due_at > now() and claimed_until is null;
update mails_line set at = at - interval '1 minute' where mail_id is null;
"""
_numbers = count(1)


class Feeds:
    """A feed of each place, on one engine."""

    def __init__(self, engine: Engine, places: list[Place]) -> None:
        self.engine, self.places = engine, places
        self._url = engine._environment["IMPORT_POSTGRES_URL"]
        self.ids = {place.kind: self._create(place) for place in places}

    def _create(self, place: Place) -> str:
        wanted = place.about | {
            "name": place.kind,
            "kind": place.kind,
            "catalogKey": "orders",
            "schedule": "0 6 1 1 *",
            "afterTaking": place.after_taking,
        }
        return self.engine.post("/feeds", json=wanted)["id"]

    def arrive(self) -> None:
        """Let a new large file arrive at each place."""
        number = next(_numbers)
        cell = "x" * WIDTH
        rows = (
            f"{number}-{row};05.02.2026;{cell};k@example.com;Stuhl;2;1,00;2,00;offen\n"
            for row in range(ROWS)
        )
        content = (HEADER + "".join(rows)).encode()
        for place in self.places:
            place.put(f"orders-{number}.csv", content)

    def run(self) -> None:
        """Look at each place now."""
        for feed_id in self.ids.values():
            self.engine.post(f"/feeds/{feed_id}/run")

    def begin(self) -> None:
        """Let files arrive slowly, and wait until each place is amid sending one."""
        self.arrive()
        for place in self.places:
            place.slow_down()
        self.run()
        self.until(lambda: all(place.is_amid_a_file() for place in self.places), "amid the files")

    def later(self) -> None:
        """Let the waits of minutes be over."""
        with psycopg.connect(self._url) as connection:
            connection.execute(LATER)

    def until(self, condition, what: str) -> None:
        """Wait for a condition, while minutes pass in no time."""

        def is_true() -> bool:
            self.later()
            return condition()

        until(is_true, f"{what}: {self.outcomes()}", 120)

    def ask(self, query: str) -> list[tuple]:
        """Return rows of the database."""
        with psycopg.connect(self._url) as connection:
            return connection.execute(query).fetchall()

    def imported(self) -> Counter[str]:
        """Return how many imports each feed made."""
        rows = self.ask(
            "select kind from imports_importrecord r join feeds_takenfile t on t.record_id = r.id"
            " join feeds_feed f on f.id = t.feed_id"
        )
        return Counter(kind for (kind,) in rows)

    def imports(self) -> int:
        """Return how many imports there are."""
        return self.ask("select count(*) from imports_importrecord")[0][0]

    def health(self) -> set[str]:
        """Return the states of health that there are."""
        return {health for (health,) in self.ask("select health from feeds_feed")}

    def outcomes(self) -> list[tuple]:
        """Return how each run went so far."""
        return self.ask(
            "select kind, outcome, problem, counts from feeds_feedrun r"
            " join feeds_feed f on f.id = r.feed_id order by r.id"
        )

    def details(self, kind: str) -> list[str]:
        """Return what the failed runs of a feed say, newest first."""
        runs = self.engine.get(f"/feeds/{self.ids[kind]}/runs")["items"]
        return [run["problem"]["detail"] for run in runs if run["problem"]]

    def codes(self, kind: str) -> list[str]:
        """Return the codes of the failed runs of a feed, newest first."""
        runs = self.engine.get(f"/feeds/{self.ids[kind]}/runs")["items"]
        return [run["problem"]["code"] for run in runs if run["problem"]]

    def settle(self, expected: int) -> None:
        """Wait until each feed is well and made so many imports, and assert that none made more."""
        wanted = {place.kind: expected for place in self.places}
        self.until(
            lambda: self.imported() == wanted and self.health() == {"good"}, "each file once"
        )
        self.until(lambda: not any(place.left() for place in self.places), "each file was moved")
        self.until(lambda: not self.unfinished(), "each run has ended")
        assert (self.imported(), self.imports()) == (wanted, expected * len(self.places))

    def unfinished(self) -> int:
        """Return how many feeds are being run, or have a file that the place is not told of."""
        running = "select count(*) from feeds_feed where claimed_until is not null or failures > 0"
        taken = "select count(*) from feeds_takenfile where stage <> 'done'"
        return self.ask(f"select ({running}) + ({taken})")[0][0]

    @property
    def expected(self) -> int:
        """Return how many imports each feed has made so far."""
        return self.imports() // len(self.places)


@pytest.fixture(scope="module")
def smtp() -> Iterator[tuple[Running, Relay]]:
    running = Running()
    relay = Relay(running.mails.port)
    yield running, relay
    relay.close()
    running.stop()


@pytest.fixture(scope="module")
def feeds(
    tmp_path_factory: pytest.TempPathFactory,
    cluster: Cluster,
    own_redis: OwnRedis,
    template: Template,
    smtp: tuple[Running, Relay],
) -> Iterator[Feeds]:
    """Yield feeds of every kind on a started engine."""
    folder = tmp_path_factory.mktemp("feeds")
    authority = Authority(folder)
    more = {
        "IMPORT_WEBHOOK_ALLOW_NETWORKS": "127.0.0.0/8",
        "IMPORT_WEBHOOK_CA_FILE": str(authority.file),
        "IMPORT_MAIL_URL": f"smtp://127.0.0.1:{smtp[1].port}?tls=off",
        "IMPORT_MAIL_FROM": "engine@acme.example",
        "IMPORT_PUBLIC_ORIGIN": "https://import.example",
    }
    with (
        running_places(folder, authority) as places,
        started(folder, cluster, own_redis, template, more) as engine,
    ):
        engine.manage("shell", "-v", "0", "-c", SETUP)
        engine.use(engine.mint("--entitlement", "feeds"))
        yield Feeds(engine, places)


@pytest.fixture
def second_engine(feeds: Feeds, tmp_path: Path) -> Iterator[Engine]:
    """Yield another started engine with the same database, broker and files."""
    engine = Engine(tmp_path, feeds.engine._environment, feeds.engine.key)
    try:
        engine.start()
        yield engine
    finally:
        engine.stop()


def test_servers_killed_amid_a_file_cost_no_file_and_one_mail(feeds, smtp):
    running, relay = smtp
    relay.go_away()
    running.mails.answers = ["452 4.3.1 Insufficient system storage", OK]
    feeds.begin()
    for place in feeds.places:
        place.kill()
    feeds.until(lambda: all(AWAY in feeds.details(kind) for kind in feeds.ids), "they are away")
    details = {kind: feeds.details(kind) for kind in feeds.ids}
    health = feeds.health()
    feeds.until(lambda: mails(feeds) == [("queued", "ConnectionRefusedError")], "a mail waits")
    relay.listen()
    relay.slow_down(64, 0.02)
    for place in feeds.places:
        place.restart()

    feeds.settle(1)
    feeds.until(lambda: mails(feeds) == [("sent", "")], "the mail was sent")
    assert health == {"failing"}
    assert {kind: lines[-1] for kind, lines in details.items()} == dict.fromkeys(
        details, BROKEN_OFF
    )
    assert [message["To"] for message in running.mails.messages] == ["ada@acme.example"]
    assert running.mails.answers == []  # the server was full once


def test_a_worker_killed_while_it_takes_files_leaves_them_to_the_next(feeds):
    before = feeds.expected
    feeds.begin()
    assert feeds.engine.kill("-Q imports")
    for place in feeds.places:
        place.full_speed()

    feeds.settle(before + 1)
    lost = {kind for kind, outcome, *_ in feeds.outcomes() if outcome == "lost"}
    # The run of files that had to be looked at twice goes on; the others begin again.
    assert lost == {"s3", "imap", "https"}


def test_of_two_engines_on_the_same_feeds_one_takes_each_file(feeds, second_engine):
    before = feeds.expected
    everywhere = (before + 1) * len(feeds.places)
    with ExitStack() as hanging:
        with suspended(second_engine):
            feeds.begin()
            hanging.enter_context(suspended(feeds.engine))
        for place in feeds.places:
            place.full_speed()
        feeds.until(lambda: feeds.imports() == everywhere, "the other takes them")

    until(lambda: given_up(feeds.engine) == set(feeds.ids.values()), "the first one gives up")
    feeds.settle(before + 1)


def test_a_file_that_a_full_server_does_not_move_is_imported_once(feeds):
    before = feeds.expected
    moving = [place for place in feeds.places if place.after_taking["action"] == "move"]
    earlier = {place.kind: len(feeds.codes(place.kind)) for place in moving}
    feeds.arrive()
    for place in moving:
        place.fill()
    feeds.run()
    feeds.until(
        lambda: all(len(feeds.codes(kind)) >= number + 2 for kind, number in earlier.items()),
        "each full server was tried twice",
    )
    feeds.until(lambda: feeds.imports() == (before + 1) * len(feeds.places), "each file once")
    imported, left = feeds.imported(), [len(place.left()) for place in moving]
    codes = {place.kind: set(feeds.codes(place.kind)[:2]) for place in moving}
    for place in moving:
        place.make_space()

    assert imported == {place.kind: before + 1 for place in feeds.places}
    assert left == [1] * len(moving)
    assert codes == {place.kind: place.says_full for place in moving}
    feeds.settle(before + 1)


def mails(feeds: Feeds) -> list[tuple]:
    """Return the state of each mail, and why its last try failed."""
    return feeds.ask("select state, problem from mails_mail order by id")


def given_up(engine: Engine) -> set[str]:
    """Return the feeds that workers of an engine lost to others."""
    lines = re.findall(r"(fed_\w+): (?:another worker has it|the claim was lost)", engine.output())
    return set(lines)


@contextmanager
def suspended(engine: Engine) -> Iterator[None]:
    """Let the workers of an engine hang, as a machine does that is out of memory."""
    hanging = []
    for process in engine.family():
        with suppress(psutil.NoSuchProcess):
            if "-Q imports" in " ".join(process.cmdline()):
                process.suspend()
                hanging.append(process)
    assert hanging
    yield
    for process in hanging:
        process.resume()
