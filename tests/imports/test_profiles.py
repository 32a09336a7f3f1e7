"""A header mapped once is mapped the same way again."""

import pytest

from tests.imports.asked import V1, Imported, publish_fields

pytestmark = pytest.mark.django_db

TEXT = "Alpha,Beta,Gamma\nAda,Oslo,1\nBob,Rome,2\n"
MAPPING = {"Alpha": "p.city", "Beta": "p.name"}
SPLIT = {
    "version": 1,
    "steps": [
        {"do": "split", "column": "Alpha", "separator": " ", "into": ["First", "Last"]},
    ],
}


@pytest.fixture
def people(owner):
    publish_fields(owner, "name", "city")


def mapped(client, **members):
    """Map the file by hand and apply it."""
    imported = Imported(client, TEXT, **members)
    imported.put("mapping", {"mapping": MAPPING})
    return imported.finish()


def profiles(client):
    return client.get(f"{V1}/profiles").json()["items"]


def test_the_same_header_is_mapped_as_before(people, client):
    first = Imported(client, TEXT)
    assert first.mapping()["proposed"]["mapping"] == {}
    first.put("mapping", {"mapping": MAPPING})
    first.finish()

    again = Imported(client, TEXT.replace("Alpha,Beta", "ALPHA, beta"), autoMap=True)

    (kept,) = profiles(client)
    assert again.state == "review"
    assert again.mapping()["mapping"] == {"ALPHA": "p.city", "beta": "p.name"}
    assert again.record["profile"] == {"id": kept["id"], "version": 1}
    assert again.values("p.name") == ["Oslo", "Rome"]


def test_a_recipe_is_replayed_with_its_mapping(people, client):
    first = Imported(client, TEXT.replace("Ada", "Ada Low").replace("Bob", "Bob Roe"))
    answer = first.put(
        "mapping", {"mapping": {"First": "p.name", "Last": "p.city"}, "recipe": SPLIT}
    )
    assert answer.status_code == 202
    first.finish()

    again = Imported(client, TEXT.replace("Ada", "Cyd Fox"), autoMap=True)

    assert again.mapping()["recipe"] == SPLIT
    assert (again.values("p.name")[0], again.values("p.city")[0]) == ("Cyd", "Fox")


def test_a_change_counts_a_version_and_a_repetition_does_not(people, client):
    for mapping, version in ((MAPPING, 1), (MAPPING, 1), ({"Alpha": "p.name"}, 2)):
        imported = Imported(client, TEXT)
        imported.put("mapping", {"mapping": mapping})
        imported.finish()

        assert imported.record["profile"]["version"] == version

    (kept,) = profiles(client)
    whole = client.get(f"{V1}/profiles/{kept['id']}").json()
    assert whole["mapping"] == {"Alpha": "p.name"}
    assert whole["columns"] == ["Alpha", "Beta", "Gamma"]
    assert (whole["headerRow"], whole["catalogKey"], whole["version"]) == (0, "people", 2)


def test_a_similar_header_learns_what_it_shares(people, client):
    mapped(client)

    other = Imported(client, "Beta,Delta\nOslo,9\nRome,8\n")

    assert other.mapping()["proposed"]["mapping"] == {"Beta": "p.name"}
    assert other.record["profile"] is None


def test_a_mapping_for_this_import_only_is_not_remembered(people, client):
    imported = Imported(client, TEXT)
    imported.put("mapping", {"mapping": MAPPING, "remember": False})
    imported.finish()

    assert profiles(client) == []
    assert imported.record["profile"] is None


def test_a_deleted_profile_is_forgotten(people, client):
    mapped(client)
    (kept,) = profiles(client)

    assert client.delete(f"{V1}/profiles/{kept['id']}").status_code == 204

    assert client.get(f"{V1}/profiles/{kept['id']}").json()["code"] == "unknown_profile"
    assert Imported(client, TEXT).mapping()["proposed"]["mapping"] == {}


def test_a_profile_of_a_field_that_is_gone_is_not_replayed(owner, people, client):
    mapped(client)
    publish_fields(owner, "name", "country")

    again = Imported(client, TEXT)

    assert again.record["profile"] is None
    assert again.mapping()["proposed"]["mapping"] == {"Beta": "p.name"}


@pytest.mark.parametrize(
    "recipe",
    [
        {"version": 1, "steps": [{"do": "explode", "columns": ["Alpha"]}]},
        {"version": 2, "steps": []},
        {"version": 1, "steps": [{"do": "trim", "columns": ["Nope"]}]},
    ],
)
def test_a_recipe_that_cannot_be_used_is_refused_at_its_place(people, client, recipe):
    imported = Imported(client, TEXT)

    refused = imported.put("mapping", {"mapping": MAPPING, "recipe": recipe})

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_recipe")
    assert refused.json()["errors"][0]["pointer"].startswith("/recipe/")
    assert imported.state == "mapping"
