"""An import is started again from its stored file, with what was settled then or without."""

import pytest

from tests.imports.asked import V1, Imported, publish_fields
from tests.imports.conftest import carry_on

pytestmark = pytest.mark.django_db
TEXT = "Name,Due,Note\nAda,01/02/2024,x\nBob,03/04/2024,y\n"
FIELDS = "name", {"key": "due", "columnType": "date"}, "note", "extra"


@pytest.fixture
def settled(owner, client):
    """Return an import in review whose question is answered, but not as proposed."""
    publish_fields(owner, *FIELDS)
    imported = Imported(client, TEXT, meta={"customer": 7}, keepUnmapped=True)
    imported.put("mapping", {"mapping": {"Name": "p.name", "Due": "p.due", "Note": "p.extra"}})
    imported.answer(imported.question("date_order"), "mdy")
    assert imported.values("p.due") == ["2024-01-02", "2024-03-04"]
    return imported


def again(client, former, **members):
    answer = client.post(f"{V1}/imports", {"from": former, **members}, format="json")
    if answer.status_code != 202:
        return answer
    return Imported.of(client, carry_on(client, answer.json()["recordId"]))


def test_with_its_mapping_and_answers_it_is_in_review_at_once(settled, client):
    restart = again(client, settled.id)

    assert (restart.state, restart.record["startedFrom"]) == ("review", settled.id)
    assert restart.id != settled.id
    assert restart.values("p.due") == ["2024-01-02", "2024-03-04"]
    assert restart.values("p.extra") == ["x", "y"]
    assert restart.mapping()["mapping"] == settled.mapping()["mapping"]
    assert restart.record["sha256"] == settled.record["sha256"]
    assert restart.record["keepUnmapped"] is True
    assert [q["state"] for q in restart.questions()] == ["answered"]


def test_without_them_it_is_mapped_and_asked_again(settled, client):
    restart = again(client, settled.id, withMapping=False)

    assert restart.state == "mapping"
    assert restart.mapping()["proposed"]["mapping"]["Note"] == "p.note"
    restart.put("mapping", {"mapping": {"Name": "p.name", "Due": "p.due"}})
    assert restart.question("date_order")["state"] == "open"


def test_it_goes_on_to_the_receiver_like_any_import(settled, client):
    settled.apply(applyMode="browser")

    restart = again(client, settled.id)
    restart.apply(applyMode="browser")

    results = client.get(restart.url("results")).json()
    assert [row["p.due"] for row in results["items"]] == ["2024-01-02", "2024-03-04"]


def test_each_import_keeps_its_file_when_the_other_is_deleted(settled, client):
    restart = again(client, settled.id)
    client.delete(f"{V1}/imports/{settled.id}")

    further = again(client, restart.id)

    assert further.values("p.name") == ["Ada", "Bob"]


def test_a_failed_import_is_started_again(owner, client):
    publish_fields(owner, "name")
    failed = Imported(client, " \n \n")

    assert failed.state == "failed"
    assert again(client, failed.id).state == "failed"


def test_a_purged_file_is_a_clear_problem(settled, client):
    client.delete(f"{V1}/imports/{settled.id}")

    refused = again(client, settled.id)

    assert (refused.status_code, refused.json()["code"]) == (409, "file_gone")
    assert refused.json()["purgedAt"]


def test_a_file_that_is_still_arriving_is_a_clear_problem(owner, client):
    publish_fields(owner, "name")
    announced = client.post(f"{V1}/imports", {"size": 10}, format="json").json()["recordId"]

    assert again(client, announced).json()["code"] == "not_received_yet"


def test_another_tenants_import_is_not_found(settled, mint_key, client_of):
    stranger = client_of(mint_key("tnt_stranger"))

    refused = again(stranger, settled.id)

    assert (refused.status_code, refused.json()["code"]) == (404, "unknown_import")


def test_it_is_one_way_of_several_to_send_a_file(settled, client):
    refused = again(client, settled.id, text="Name\nx\n")

    assert refused.status_code == 400
    assert "not text and from" in refused.json()["detail"]


def test_a_field_that_is_gone_from_the_newest_version_is_mapped_again(settled, owner, client):
    publish_fields(owner, "name", {"key": "due", "columnType": "date"}, "note")

    restart = again(client, settled.id)

    assert restart.state == "mapping"
    assert restart.record["catalogVersion"] == 2


def test_another_catalog_takes_the_file_alone(settled, owner, client):
    publish_fields(owner, "name", key="others")

    restart = again(client, settled.id, catalogKey="others")

    assert (restart.state, restart.record["catalogKey"]) == ("mapping", "others")
