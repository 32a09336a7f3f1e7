"""The sender of a feed's files hears what becomes of them, and corrects rows with errors."""

import io
import re
from datetime import timedelta

import openpyxl
import pytest
from django.core.cache import cache

from common import clock
from feeds import services
from feeds.applying import judging, summaries
from feeds.models import Feed, TakenFile
from imports.models import ImportRecord
from licensing.models import License
from links import corrections
from links.models import Link
from mails import lines, sending
from mails.models import Line, Mail, Unsubscribed
from mails.readers import address_key
from tests.feeds.conftest import imports_of, run_twice, work
from tests.feeds.test_six_weeks import ADA, OTHERS, apply, confirm, rows
from tests.links.conftest import Browser
from tests.mails.conftest import server
from tests.mails.smtp import text_of
from workflow.worker import advance

pytestmark = pytest.mark.django_db
__all__ = ["server"]  # fixtures
V1 = "/api/import/v1"
ORIGIN = "http://testserver"
SENDER = {"address": "sam@shop.example", "language": "en", "mails": [], "corrects": True}
WRONG, RIGHT = "last monday", "2026-02-03"
BROKEN = rows(40) + f"M40,Hildegard,{WRONG}\n" + f"M41,Wilhelm,{WRONG}\n"


@pytest.fixture(autouse=True)
def mail_is_on(settings):
    cache.clear()
    settings.MAIL = {"EMAIL_HOST": "127.0.0.1"}
    settings.DEFAULT_FROM_EMAIL = "Import Engine <engine@acme.example>"
    settings.PUBLIC_ORIGIN = ORIGIN


@pytest.fixture
def bring(feed, put, time):
    """Return a function that changes the feed's sender and brings a file a week later."""

    def bring(text: str = BROKEN, name: str = "w1.csv", **sender) -> ImportRecord:
        about = {"sender": {**SENDER, **sender}}
        feed.refresh_from_db()
        services.change_feed(feed=feed, changes=about, actor=ADA, at=clock.now())
        put(name, text)
        feed.refresh_from_db()
        run_twice(feed, time)
        work(feed)
        return imports_of(feed)[-1]

    return bring


@pytest.fixture
def learned(feed, put, time):
    """Let a person map and apply the first file."""
    put("w0.csv", rows(40))
    run_twice(feed, time)
    work(feed)
    (record,) = imports_of(feed)
    confirm(record, {"Number": "p.number", **OTHERS})
    work(feed)
    record.refresh_from_db()
    apply(record)
    work(feed)
    feed.refresh_from_db()


@pytest.fixture
def mailed(server, time):
    """Return a function that sends what waits, and returns the mails that were sent by now."""

    def mailed():
        time.pass_by(minutes=1)
        sending.send_due()
        return server.messages

    return mailed


def path_in(message) -> str:
    (path,) = set(re.findall(rf"{ORIGIN}(/i/[\w-]+)", text_of(message)))
    return path


class Sender:
    """A person with a browser who got the mail."""

    def __init__(self, path: str, client_of) -> None:
        self.path, self.browser = path, Browser()
        self.browser.get(path)
        self.browser.post(path)
        token = self.browser.post(f"{path}/session", HTTP_ORIGIN=ORIGIN).json()["token"]
        self.api = client_of(token)

    def page(self) -> str:
        return self.browser.get(self.path).content.decode()

    def download(self, record: ImportRecord):
        answer = self.api.get(f"{V1}/imports/{record.public_id}/export")
        assert answer.status_code == 200, answer.content
        return openpyxl.load_workbook(io.BytesIO(b"".join(answer.streaming_content)))

    def send_back(self, record: ImportRecord, workbook):
        file = io.BytesIO()
        workbook.save(file)
        file.seek(0)
        file.name = "corrected.xlsx"
        at = f"{V1}/imports/{record.public_id}/corrections"
        made = self.api.post(at, {"file": file})
        assert made.status_code == 202, made.content
        correction = made.json()["correctionId"]
        advance(correction)
        shown = self.api.get(f"{at}/{correction}").json()
        return shown["comparison"], self.api.post(f"{at}/{correction}/confirm")


def correct(workbook, wrong: str = WRONG, right: str = RIGHT) -> int:
    """Type the right text into each cell with a wrong one; return how many there were."""
    cells = [cell for row in workbook.active.iter_rows() for cell in row if cell.value == wrong]
    for cell in cells:
        cell.value = right
    return len(cells)


def test_corrected_rows_are_merged_and_the_import_applies_itself(
    learned, bring, mailed, client_of, feed
):
    record = bring()
    assert record.state == "review"
    (message,) = mailed()
    sender = Sender(path_in(message), client_of)
    assert "2 rows have errors." in sender.page()

    workbook = sender.download(record)
    assert workbook.active.max_row == 3  # the header and the rows with errors
    assert correct(workbook) == 2
    comparison, merged = sender.send_back(record, workbook)
    assert (comparison["changedRows"], merged.status_code) == (2, 200)
    work(feed)

    record.refresh_from_db()
    assert (record.state, record.counts["rows"]) == ("applied", 42)
    assert Link.objects.get().state == "revoked"
    assert "Nothing left to correct" in sender.page()
    assert sender.api.get(f"{V1}/imports/{record.public_id}/export").status_code == 401
    assert len(mailed()) == 1


def test_an_import_that_still_breaks_the_rules_waits_and_the_link_goes_on(
    learned, bring, mailed, client_of, feed
):
    record = bring(BROKEN + f"M42,Ida,{WRONG}\n")
    (message,) = mailed()
    sender = Sender(path_in(message), client_of)
    workbook = sender.download(record)
    cell = next(c for row in workbook.active.iter_rows() for c in row if c.value == WRONG)
    cell.value = RIGHT
    sender.send_back(record, workbook)
    work(feed)

    record.refresh_from_db()
    assert (record.state, record.counts["error"]) == ("review", 2)
    assert [reason["code"] for reason in record.held] == ["too_many_invalid_rows"]
    assert "2 rows have errors." in sender.page()
    assert len(mailed()) == 1


def test_a_mail_to_correct_has_no_cell_no_file_name_and_no_column(learned, bring, mailed):
    bring(name="salaries.csv")
    (message,) = mailed()
    text = text_of(message) + text_of(message, "html") + str(message)

    assert message["To"] == "sam@shop.example"
    assert message["Subject"] == "tnt_owner: your file waits for an answer"
    for hidden in ("Hildegard", WRONG, "salaries", "Joined", "M40"):
        assert hidden not in text
    assert "feed did not apply it" not in text  # what staff must do
    assert Line.objects.exclude(page=None).count() == 0  # forgotten once it was sent


def test_the_address_of_a_page_is_encrypted_until_it_is_sent(learned, bring, time):
    from django.db import connection

    bring()
    with connection.cursor() as cursor:
        cursor.execute("SELECT page FROM mails_line WHERE page IS NOT NULL")
        ((stored,),) = cursor.fetchall()

    assert "/i/" not in stored
    assert Line.objects.get().page.startswith("/i/")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("get", ""),
        ("get", "/rows"),
        ("post", "/apply"),
        ("post", "/cancel"),
        ("put", "/mapping"),
        ("get", "/export?rows=all"),
        ("delete", ""),
    ],
)
def test_the_page_reaches_nothing_but_rows_with_errors(
    method, path, learned, bring, mailed, client_of
):
    record = bring()
    sender = Sender(path_in(mailed()[0]), client_of)
    answer = getattr(sender.api, method)(f"{V1}/imports/{record.public_id}{path}")

    assert answer.status_code in {403, 405}, (path, answer.content)
    record.refresh_from_db()
    assert record.state == "review"


def test_the_page_reaches_no_other_import_and_starts_none(learned, bring, mailed, client_of, feed):
    bring()
    other = imports_of(feed)[0]
    sender = Sender(path_in(mailed()[0]), client_of)

    assert sender.api.get(f"{V1}/imports/{other.public_id}/export").status_code == 404
    started = sender.api.post(f"{V1}/imports", {"text": "a\n1\n"}, format="json")
    assert started.status_code == 403


@pytest.mark.parametrize(
    ("sender", "text"),
    [
        ({"corrects": False}, BROKEN),
        ({}, rows(42)),  # no row has errors
    ],
)
def test_no_link_is_mailed_without_the_option_or_without_errors(
    sender, text, learned, bring, mailed
):
    bring(text, **sender)

    assert mailed() == []
    assert not Link.objects.exists()


def test_a_sender_who_unsubscribed_gets_no_link(learned, bring, mailed, owner):
    Unsubscribed.objects.create(
        tenant=owner, address_sha256=address_key("Sam@shop.example"), at=clock.now()
    )
    bring()

    assert mailed() == []
    assert not Link.objects.exists()


def test_a_cancelled_import_revokes_its_link(learned, bring, mailed, client_of, feed):
    from changesets import services as changesets

    record = bring()
    sender = Sender(path_in(mailed()[0]), client_of)
    changesets.cancel(record=record, actor=ADA, at=clock.now())
    assert "Nothing left to correct" in sender.page()
    judging.judge_all(at=clock.now())

    assert Link.objects.get().state == "revoked"


def test_another_sender_of_the_feed_or_none_revokes_the_links(learned, bring, mailed, feed):
    bring()
    services.change_feed(feed=feed, changes={"sender": None}, actor=ADA, at=clock.now())

    assert Link.objects.get().state == "revoked"


def test_another_sender_gets_a_link_of_their_own(learned, bring, mailed, feed, time):
    bring()
    (first,) = mailed()
    about = {"sender": {**SENDER, "address": "tom@shop.example"}}
    services.change_feed(feed=feed, changes=about, actor=ADA, at=clock.now())
    judging.judge_all(at=clock.now())
    second = mailed()[-1]

    assert second["To"] == "tom@shop.example"
    assert Browser().get(path_in(first)).status_code == 410
    assert Browser().get(path_in(second)).status_code == 200


def test_a_link_expires_after_a_week_and_with_the_license(learned, bring, mailed, client_of, time):
    bring()
    path = path_in(mailed()[0])
    assert Link.objects.get().expires_at - clock.now() < timedelta(days=7)
    time.pass_by(days=7)

    assert "expired" in Browser().get(path).content.decode()


def test_a_revoked_license_closes_the_link(learned, bring, mailed):
    bring()
    path = path_in(mailed()[0])
    License.objects.update(revoked_at=clock.now())

    assert Browser().get(path).status_code == 410


def test_two_invitations_of_one_import_are_one_link(learned, bring, feed):
    record = bring()
    license = License.objects.get()
    about = {"license": license, "language": "en", "actor": ADA, "at": clock.now()}

    assert corrections.invite(record=record, **about) is None
    assert Link.objects.count() == 1


def test_a_sender_hears_of_files_that_wait_fail_and_are_done(bring, put, time, feed, mailed):
    kinds = {"mails": ["waiting", "failed", "done"], "corrects": False, "language": "de"}
    record = bring(rows(40), **kinds)
    assert record.state == "mapping"
    (waiting,) = mailed()
    confirm(record, {"Number": "p.number", **OTHERS})
    work(feed)
    record.refresh_from_db()
    apply(record)
    work(feed)
    bring("%PDF-1.7 broken", "broken.pdf", **kinds)
    put("empty.csv", "")
    run_twice(feed, time)
    later = mailed()

    assert waiting["Subject"] == "tnt_owner: Ihre Datei wartet auf eine Antwort"
    assert {message["Subject"] for message in later[1:]} == {
        "tnt_owner: Ihre Datei wurde importiert",
        "tnt_owner: Ihre Datei wurde nicht importiert",
    }
    failed = next(text_of(m) for m in later if "nicht importiert" in m["Subject"])
    assert "(empty_file)" in failed
    assert failed.count("\n- ") == 2
    assert "/admin/" not in "".join(text_of(message) for message in later)


def test_a_hundred_broken_files_make_one_mail(feed, put, time, mailed, monkeypatch):
    about = {"sender": {**SENDER, "mails": ["failed"]}}
    services.change_feed(feed=feed, changes=about, actor=ADA, at=clock.now())
    for number in range(40):
        put(f"{number}.csv", "")
    feed.refresh_from_db()
    run_twice(feed, time)

    assert len(mailed()) == 1
    assert Line.objects.count() == 40
    assert len(mailed()) == 1


def test_a_daily_summary_counts_the_files_of_the_feed(learned, bring, time, feed, mailed):
    bring(rows(41), "w1.csv", mails=["digest"], corrects=False)
    assert summaries.is_due(at=clock.now())
    summaries.queue_due(at=clock.now())
    (message,) = mailed()

    assert message["Subject"] == "tnt_owner: daily summary"
    assert "Applied since yesterday: 1" in text_of(message)
    feed.refresh_from_db()
    assert (feed.summary_due_at.hour, feed.summary_due_at > time.at) == (7, True)
    assert not summaries.is_due(at=clock.now())
    time.at = feed.summary_due_at + timedelta(days=1)
    summaries.queue_due(at=clock.now())  # nothing came: nothing to say
    assert Mail.objects.count() == 1


def test_the_summaries_of_two_feeds_are_one_mail(owner, time):
    for counts in ({"received": 1, "waiting": 2}, {"received": 3}):
        lines.queue_digest_for_sender(
            tenant=owner, address="sam@shop.example", language="en", scope="", counts=counts,
            at=clock.now(),
        )  # fmt: skip

    assert Mail.objects.get().counts == {"received": 4, "waiting": 2}


def exported(record: ImportRecord, client_of, mint_key) -> str:
    host = client_of(mint_key(expires_in_s=10**8))
    answer = host.get(f"{V1}/imports/{record.public_id}/export?format=csv")
    return b"".join(answer.streaming_content).decode("utf-8-sig")


@pytest.mark.parametrize(("corrects", "state"), [(True, "applied"), (False, "review")])
def test_a_corrected_file_may_come_back_as_the_first_one_came(
    corrects, state, learned, bring, put, time, feed, client_of, mint_key
):
    record = bring(corrects=corrects)
    put("w1-corrected.csv", exported(record, client_of, mint_key).replace(WRONG, RIGHT))
    feed.refresh_from_db()
    time.pass_by(days=1)
    services.run_now(feed=feed, at=clock.now())
    feed.refresh_from_db()
    run_twice(feed, time)
    work(feed)

    record.refresh_from_db()
    assert record.state == state
    assert record.counts["rows"] == 42


def test_a_corrected_file_of_another_sender_waits_for_a_person(
    learned, bring, put, time, feed, client_of, mint_key
):
    record = bring()
    put("w1-corrected.csv", exported(record, client_of, mint_key).replace(WRONG, RIGHT))
    Feed.objects.filter(pk=feed.pk).update(sender={**SENDER, "address": ""})  # of each mail its own
    TakenFile.objects.filter(record=record).update(sender="sam@shop.example")
    services.run_now(feed=feed, at=clock.now())
    feed.refresh_from_db()
    run_twice(feed, time)
    work(feed)

    record.refresh_from_db()
    assert record.state == "review"
    assert imports_of(feed)[-1].state == "mapping"
