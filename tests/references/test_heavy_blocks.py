"""Blocking keys that many known entities share: not stored for each, and never missed."""

import pytest

from references import heavy_blocks, key_index, lookup
from references.models import HeavyBlock, KnownKey
from references.services import set_of
from tabular.resolving import likeness
from tests.imports.conftest import client, owner
from tests.references.conftest import EVERY_WAY, V1, orders, reference

__all__ = ["client", "owner"]  # fixtures

pytestmark = pytest.mark.django_db
BY_NAME = reference(match_on=("name",), resolve=EVERY_WAY)


@pytest.fixture(autouse=True)
def heavy_from_seven(monkeypatch):
    """Keys of more than 6 entities are heavy, and useless while more than 3 have them."""
    monkeypatch.setattr(likeness, "MOST_LIGHTEST", 3)
    monkeypatch.setattr(likeness, "MOST_SHARED", 3)


@pytest.fixture
def eight(owner, know):
    """Return a set of eight companies whose names end alike."""
    know("customer", **{f"_{name}": {"name": f"{name} Works"} for name in NAMES})
    return set_of(tenant=owner, scope="", entity="customer")


NAMES = ("Abaco", "Bebop", "Cicada", "Dodeka", "Egeria", "Fufu", "Gigolo", "Hahnen")


def indexed(known_set):
    known_set.refresh_from_db()
    key_index.require(known_set, ["name"], blocks=True)
    return known_set


def stored(known_set):
    return set(KnownKey.objects.filter(known_set=known_set).values_list("known__ref", "digest"))


def light(known_set, *texts):
    """Return the blocking keys by which some texts are searched."""
    import pyarrow as pa

    indexed(known_set)
    return set(lookup._light_keys(known_set, "name", pa.array(texts)).tolist())


def test_a_key_of_many_entities_is_noted_once_and_not_stored_for_each(eight):
    indexed(eight)

    heavy = set(HeavyBlock.objects.values_list("digest", "spare"))
    assert {spare for _, spare in heavy} == {8 - 3 - 1}
    assert len(heavy) == 2  # the word "works", and the end
    assert not {digest for digest, _ in heavy} & {digest for _, digest in stored(eight)}


def test_texts_are_searched_by_the_same_keys_as_if_all_were_stored(eight, monkeypatch):
    noted = light(eight, "Abbaco Works", "Cicade Works", "Works")
    HeavyBlock.objects.all().delete()
    eight.indexed = {}
    eight.save()
    monkeypatch.setattr(heavy_blocks, "may_be_in", lambda _: False)

    assert light(eight, "Abbaco Works", "Cicade Works", "Works") == noted != set()
    assert not HeavyBlock.objects.exists()


def test_an_upsert_stores_no_heavy_key_either(eight, know):
    indexed(eight)
    know("customer", _Abaco={"name": "Abacos Works"}, _new={"name": "Izzard Works"})

    kept = stored(eight)
    KnownKey.objects.all().delete()
    HeavyBlock.objects.all().delete()
    eight.refresh_from_db()
    eight.indexed = {}
    eight.save()

    indexed(eight)
    assert stored(eight) == kept


@pytest.mark.parametrize("way", ["deleted", "renamed"])
def test_a_key_that_is_no_longer_heavy_finds_its_entities_again(eight, client, know, way):
    indexed(eight)
    for name in NAMES[:5]:
        if way == "deleted":
            client.delete(f"{V1}/references/customer?ref={name}")
        else:
            know("customer", **{f"_{name}": {"name": f"{name} Halls"}})

    searched = light(eight, "Works")

    heavy = set(HeavyBlock.objects.values_list("digest", flat=True))
    assert searched
    assert not searched & heavy
    owners = {ref for ref, digest in stored(eight) if digest in searched}
    assert owners == set(NAMES[5:])


def test_a_key_stays_heavy_while_its_entities_keep_it(eight, know):
    indexed(eight)
    for city in ("Rome", "Oslo", "Bonn", "Kiel", "Lyon"):
        know("customer", _Abaco={"name": "Abaco Works", "city": city})

    assert {block.spare for block in HeavyBlock.objects.all()} == {4}


def test_keys_are_created_again_after_an_interruption(eight, monkeypatch):
    def interrupted(*_):
        raise InterruptedError

    with monkeypatch.context() as patch:
        patch.setattr(key_index, "_insert", interrupted)
        with pytest.raises(InterruptedError):
            indexed(eight)

    kept = stored(indexed(eight))
    assert {ref for ref, _ in kept} == set(NAMES)
    assert eight.indexed["name"] == {"exact": "whole", "blocks": "whole"}


def test_keys_that_were_outdated_meanwhile_are_not_taken_for_whole(eight, client, monkeypatch):
    create, calls = key_index._create, []

    def deletes_once(known_set, keys):
        create(known_set, keys)
        if not calls:
            for name in NAMES[:5]:  # its keys are no longer heavy, and so not whole
                client.delete(f"{V1}/references/customer?ref={name}")
        calls.append(keys)

    monkeypatch.setattr(key_index, "_create", deletes_once)

    searched = light(eight, "Works")

    assert len(calls) == 2
    assert {ref for ref, digest in stored(eight) if digest in searched} == set(NAMES[5:])


def test_entities_that_change_while_they_are_counted_are_counted_again(eight, know, monkeypatch):
    counted, calls = key_index._counted, []

    def changes_once(*words):
        counts = counted(*words)
        if not calls:
            know("customer", _Abaco={"name": "Abaco Halls"})
        calls.append(words)
        return counts

    monkeypatch.setattr(key_index, "_counted", changes_once)
    indexed(eight)

    assert len(calls) == 2
    assert {block.spare for block in HeavyBlock.objects.all()} == {7 - 3 - 1}


def test_all_keys_are_stored_where_entities_change_each_time_they_are_counted(
    eight, know, monkeypatch
):
    counted, numbers = key_index._counted, iter(range(9))

    def changes(*words):
        counts = counted(*words)
        know("customer", _Abaco={"name": "Abaco Works", "number": next(numbers)})
        return counts

    monkeypatch.setattr(key_index, "_counted", changes)
    indexed(eight)

    assert not HeavyBlock.objects.exists()
    assert len(stored(eight)) == 8 * 5


def test_a_misspelt_name_is_matched_among_heavy_keys(eight, published, bring, client):
    published(orders(BY_NAME))
    record = bring(
        {"no": ["1", "2"], "who": ["Cicadda Works", "Egerria Works"]},
        mapping={"no": "order.no", "who": "order.customer"},
    )

    answer = client.get(f"{V1}/imports/{record['recordId']}/references").json()

    assert HeavyBlock.objects.exists()
    assert {item["ref"] for item in answer["items"]} == {"Cicada", "Egeria"}


def test_counts_of_more_keys_than_memory_holds_are_never_too_high(monkeypatch):
    import numpy as np

    monkeypatch.setattr(heavy_blocks, "MOST_COUNTED", 8)
    counts = heavy_blocks.Counts()
    for start in range(0, 100, 10):
        counts.add(np.array([*range(start, start + 10), -1, -1, -1], np.int64))

    digests, spares = counts.spares()

    assert (digests.tolist(), spares.tolist()) == ([-1], [30 - 3 - 1])
