"""The journal: learning and reverting in order is the identity, also when killed on the way."""

from itertools import count

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from changesets import known_entities
from changesets.known_entities import learn, restore
from changesets.models import Changeset
from common import clock, storage
from common.ids import new_id
from imports.models import ImportRecord
from licensing.models import Tenant
from references import services as references
from references.models import KnownChange, KnownEntity, KnownSet
from references.services import Item
from tabular.protocol.tables import write
from tabular.resolving.graph import LINKS, TEXTS
from tests.tries import tries

pytestmark = pytest.mark.django_db
NUMBERS = count()
VALUES = st.dictionaries(st.sampled_from(["number", "name"]), st.sampled_from(["a", "b", None]))
TOLD = st.dictionaries(st.sampled_from(["r1", "r2", "r3", "r4"]), VALUES, min_size=1)


def applied(entities, *, entity="customer"):
    """Create an applied changeset with values of entities: ref to values."""
    import orjson

    owner, _ = Tenant.objects.get_or_create(
        public_id="tnt_owner", defaults={"created_at": clock.now()}
    )
    record = ImportRecord.objects.create(
        public_id=new_id("rec_"), tenant=owner, created_at=clock.now(), state="applied"
    )
    values = [orjson.dumps(item).decode() for item in entities.values()]
    columns = {
        "entity": [entity] * len(entities), "ref": list(entities), "key": ["id"] * len(entities),
        "values": values,
    }  # fmt: skip
    with storage.working_folder("test") as folder:
        (folder / "out").mkdir()
        for name, table in (
            ("told", pa.table(columns)),
            ("texts", TEXTS.empty_table()),
            ("links", LINKS.empty_table()),
        ):
            write(folder / "out" / f"{name}.arrow", table)
        prepared = storage.adopt("applies", folder / "out")
    return Changeset.objects.create(
        public_id=new_id("chg_"), tenant=owner, record=record, revision=1, state="applied",
        counts={}, occurred_at=clock.now(), prepared=prepared, apply_mode="browser",
    )  # fmt: skip


def known():
    rows = KnownEntity.objects.values_list("known_set__entity", "ref", "values")
    return {(entity, ref): values for entity, ref, values in rows}


@settings(max_examples=tries(25), suppress_health_check=list(HealthCheck))
@given(before=TOLD, imports=st.lists(TOLD, min_size=1, max_size=4))
def test_reverting_in_order_is_the_identity(before, imports):
    KnownSet.objects.all().delete()
    KnownChange.objects.all().delete()
    tenant, _ = Tenant.objects.get_or_create(
        public_id="tnt_owner", defaults={"created_at": clock.now()}
    )
    items = [Item(ref, values) for ref, values in before.items()]
    references.upsert(tenant=tenant, scope="", entity="customer", items=items, at=clock.now())
    states, made = [known()], []

    for entities in imports:
        made.append(applied(entities))
        learn(changeset=made[-1], at=clock.now())
        states.append(known())
    for changeset in reversed(made):
        assert known() == states.pop()
        assert known_entities.built_on(changeset) == ([], [])
        assert restore(changeset=changeset, at=clock.now()) == []
        Changeset.objects.filter(pk=changeset.pk).update(state="reverted")

    assert known() == states.pop()


class Killed(BaseException):
    """Stands for the end of the process: no code catches it."""


def killed_at(monkeypatch, number):
    """Kill the worker that writes entities, at the n-th time."""
    real, calls = references.write, count(1)

    def write(*args, **kwargs):
        if next(calls) == number:
            raise Killed
        return real(*args, **kwargs)

    monkeypatch.setattr(known_entities.references, "write", write)
    return lambda: monkeypatch.setattr(known_entities.references, "write", real)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_learning_that_was_killed_goes_on_and_doubles_nothing(monkeypatch, number):
    monkeypatch.setattr(known_entities, "SLICE", 1)
    changeset = applied({f"r{n}": {"number": n} for n in range(3)})
    let_go = killed_at(monkeypatch, number)
    with pytest.raises(Killed):
        learn(changeset=changeset, at=clock.now())
    assert KnownChange.objects.count() == KnownEntity.objects.count() == number - 1

    let_go()
    learn(changeset=changeset, at=clock.now())

    assert known() == {("customer", f"r{n}"): {"number": n} for n in range(3)}
    assert KnownChange.objects.count() == 3


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_revert_that_was_killed_goes_on_and_loses_nothing(monkeypatch, number):
    first = applied({f"r{n}": {"number": n} for n in range(3)})
    learn(changeset=first, at=clock.now())
    before = known()
    second = applied({f"r{n}": {"number": -n} for n in range(1, 4)})
    learn(changeset=second, at=clock.now())
    monkeypatch.setattr(known_entities, "SLICE", 1)
    let_go = killed_at(monkeypatch, number)
    with pytest.raises(Killed):
        restore(changeset=second, at=clock.now())

    let_go()
    assert restore(changeset=second, at=clock.now()) == []

    assert known() == before


def test_what_is_taken_back_teaches_nothing_more():
    changeset = applied({"r1": {"number": 1}})
    Changeset.objects.filter(pk=changeset.pk).update(state="reverting")

    learn(changeset=changeset, at=clock.now())

    assert known() == {}
