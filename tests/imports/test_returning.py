"""An exported error file comes back, wherever it is uploaded."""

from ipaddress import ip_network

import pytest

from tests.deliveries.conftest import make_host
from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on
from tests.imports.received import delivered_to

__all__ = ["make_host"]  # fixtures

MAIL = {"key": "mail", "columnType": "email"}
DUE = {"key": "due", "columnType": "date"}
TEXT = (
    "Name,Mail,Due\nAda,a@a.de,25.12.2024\nBob,bob,05.06.2024\nCyd,cyd,07.08.2024\n"
    "Dee,d@d.de,24.12.2024\n"
)


@pytest.fixture
def first(owner, client):
    publish_fields(owner, "name", MAIL, DUE)
    imported = Imported(client, TEXT, autoMap=True)
    assert (imported.state, imported.record["counts"]["error"]) == ("review", 2)
    return imported


def exported(imported, which="error"):
    answer = imported.client.get(imported.url(f"export?format=csv&rows={which}"))
    return b"".join(answer.streaming_content).decode("utf-8-sig")


def mended(text):
    return text.replace('"bob"', '"bob@b.de"').replace('"cyd"', '"cyd@c.de"')


def sent(imported, text):
    return Imported(imported.client, text, autoMap=True)


def code_of(imported):
    assert imported.state == "failed", imported.record
    return imported.record["problem"]["code"]


@pytest.mark.django_db
def test_during_review_it_waits_among_the_corrections_and_merges_back(first):
    back = sent(first, mended(exported(first)))

    assert (back.state, back.record["corrects"]) == ("mapping", first.id)
    at = first.url(f"corrections/{back.id}")
    assert first.client.get(at).json()["comparison"]["changedRows"] == 2
    merged = first.client.post(f"{at}/confirm").json()
    assert merged["counts"]["error"] == 0
    assert first.values("p.mail") == ["a@a.de", "bob@b.de", "cyd@c.de", "d@d.de"]


@pytest.mark.django_db
def test_during_review_added_lines_and_changed_keys_merge_nothing(first):
    header, bob, cyd, *_ = mended(exported(first)).split("\r\n")
    added = '"Eve","e@e.de","01.02.2024","",""'
    changed = cyd.replace(f"{first.id}/2/", f"{first.id}/2/0")

    back = sent(first, "\r\n".join([header, bob, added, changed, bob, ""]))

    at = first.url(f"corrections/{back.id}")
    assert first.client.get(at).json()["comparison"]["changedRows"] == 1
    assert first.client.post(f"{at}/confirm").status_code == 200
    assert first.values("p.name") == ["Ada", "Bob", "Cyd", "Dee"]
    assert first.values("p.mail") == ["a@a.de", "bob@b.de", None, "d@d.de"]


@pytest.mark.django_db
def test_during_review_the_same_file_twice_merges_once(first):
    file = mended(exported(first))
    once, twice = (first.url(f"corrections/{sent(first, file).id}") for _ in range(2))
    assert first.client.post(f"{once}/confirm").status_code == 200
    revision = carry_on(first.client, first.id)["revision"]

    comparison = first.client.get(twice).json()["comparison"]
    first.client.post(f"{twice}/confirm")

    assert comparison["changedRows"] == 0
    assert carry_on(first.client, first.id)["revision"] == revision
    assert first.values("p.mail") == ["a@a.de", "bob@b.de", "cyd@c.de", "d@d.de"]


@pytest.mark.django_db(transaction=True)
def test_after_apply_a_follow_up_takes_the_failed_rows_to_the_receiver(first, make_host, settings):
    settings.WEBHOOK_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    host = make_host()
    first.client.post(f"{V1}/webhooks", {"url": host.url}, format="json")
    everything = mended(exported(first, "all"))
    assert first.apply(invalidRows="exclude").status_code == 202

    back = sent(first, everything)
    assert back.state == "review", back.record
    assert back.apply().status_code == 202
    bodies = sorted(delivered_to(host), key=lambda body: body["occurredAt"])

    assert [[row["p.name"] for row in body["rows"]] for body in bodies] == [
        ["Ada", "Dee"],
        ["Bob", "Cyd"],
    ]
    assert [row["p.due"] for row in bodies[1]["rows"]] == ["2024-06-05", "2024-08-07"]
    assert back.record["corrects"] == first.id


@pytest.fixture
def applied(first):
    first.file = exported(first)
    first.apply(applyMode="browser", invalidRows="exclude")
    assert first.state == "applied"
    return first


@pytest.mark.django_db
def test_the_same_file_a_second_time_brings_nothing(applied):
    sent(applied, mended(applied.file))

    assert code_of(sent(applied, mended(applied.file))) == "rows_brought_before"


@pytest.mark.django_db
def test_what_a_cancelled_follow_up_brought_may_come_again(applied):
    given_up = sent(applied, mended(applied.file))
    applied.client.post(f"{V1}/imports/{given_up.id}/cancel")

    assert sent(applied, mended(applied.file)).state == "review"


@pytest.mark.django_db
def test_added_lines_and_changed_keys_are_not_among_the_rows(applied):
    header, bob, cyd, *_ = mended(applied.file).split("\r\n")
    added = '"Eve","e@e.de","01.02.2024","",""'
    changed = cyd.replace(f"{applied.id}/2/", f"{applied.id}/2/0")

    back = sent(applied, "\r\n".join([header, bob, added, changed, bob, ""]))

    assert back.values("p.name") == ["Bob"]


@pytest.mark.django_db
def test_a_file_without_a_failed_row_says_so(applied):
    header = applied.file.split("\r\n", 1)[0]
    valid = f'"Ada","a@a.de","25.12.2024","","{applied.id}/0/aaaaaaaaaaaaaaaa"'

    assert code_of(sent(applied, f"{header}\r\n{valid}\r\n")) == "no_failed_rows"


@pytest.mark.django_db
def test_after_a_revert_it_is_not_awaited(applied):
    changeset = applied.record["changesetId"]
    applied.client.post(f"{V1}/changesets/{changeset}/revert", {}, format="json")
    assert carry_on(applied.client, applied.id)["state"] == "reverted"

    back = sent(applied, mended(applied.file))

    assert code_of(back) == "export_not_awaited"
    assert back.record["problem"]["importState"] == "reverted"


@pytest.mark.django_db
def test_rows_of_two_imports_are_not_taken_together(first):
    other = Imported(first.client, TEXT, autoMap=True)
    both = exported(first) + exported(other).split("\r\n", 1)[1]

    assert code_of(sent(first, both)) == "exports_of_several"


@pytest.mark.django_db
def test_another_tenants_export_is_a_file_like_any_other(applied, mint_key, client_of):
    from common import clock
    from licensing.models import Tenant

    stranger = Tenant.objects.create(public_id="tnt_stranger", created_at=clock.now())
    publish_fields(stranger, "name", MAIL, DUE)

    back = Imported(client_of(mint_key("tnt_stranger")), applied.file, autoMap=True)

    assert (back.state, back.record["corrects"]) == ("review", None)
