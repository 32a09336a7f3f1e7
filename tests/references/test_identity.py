"""Imports and their reverts, over the services people call: what is known is what it was."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from changesets.follow_up import follow_due
from references.models import KnownChange, KnownEntity, KnownKey, KnownSet, LearnedText
from tests.imports.conftest import carry_on
from tests.references.conftest import EVERY_WAY, V1, entry, reference
from tests.tries import tries

pytestmark = pytest.mark.django_db
IDS = st.sampled_from(["P-1", "P-2", "P-3", "P-4"])
NAMES = st.sampled_from([None, "Ada", "Bob"])
ROW = st.tuples(IDS, NAMES, st.none() | IDS)
FIELDS = ("id", "name", "boss")
TABLE = st.lists(ROW, min_size=1, max_size=4)
WISHES = st.fixed_dictionaries(
    {}, optional={"emptyCells": st.sampled_from(["keep", "clear"]), "only": st.just("new")}
)
BEFORE = st.dictionaries(
    st.sampled_from(["a", "b", "c"]),
    st.fixed_dictionaries({"id": IDS, "name": NAMES}),
    min_size=1,
)


def known():
    """Return all that is known: entities, their keys, and learned texts."""
    entities = KnownEntity.objects.values_list("known_set__entity", "ref", "values")
    keys = KnownKey.objects.values_list("known__ref", "digest")
    texts = LearnedText.objects.values_list("text", "ref")
    return sorted(map(repr, entities)), sorted(keys), sorted(texts)


def _applied(client, record, wishes):
    """Apply an import; return None if every row is unclear, or no row matches the limit."""
    address = f"{V1}/imports/{record['recordId']}"
    body = {"invalidRows": "exclude", "applyMode": "browser", "openQuestions": "dismiss"}
    answer = client.post(f"{address}/apply", {**body, **wishes}, format="json")
    if answer.status_code == 409:
        assert answer.json()["code"] == "nothing_to_apply"
        return None
    assert answer.status_code == 202, answer.content
    record = carry_on(client, record["recordId"])
    return record if record["state"] == "applied" else None


@settings(max_examples=tries(6), suppress_health_check=list(HealthCheck))
@given(before=BEFORE, imports=st.lists(st.tuples(TABLE, WISHES), min_size=1, max_size=3))
@example(  # the only row may mean two people, so that nothing is left to apply
    before={"a": {"id": "P-1", "name": None}, "b": {"id": "P-1", "name": None}},
    imports=[([("P-1", None, "P-1")], {}), ([("P-2", "Ada", None)], {})],
)
def test_reverting_imports_in_order_is_the_identity(
    before, imports, published, know, bring, client
):
    for model in (KnownSet, KnownChange):
        model.objects.all().delete()
    boss = reference("person", ("id",), onMissing="create", resolve=EVERY_WAY)
    published([entry("person", "id", "name", {"key": "boss", "reference": boss})])
    know("person", **before)
    first = bring({"person.id": ["?"], "person.name": [None], "person.boss": ["P-1"]})
    client.post(f"{V1}/imports/{first['recordId']}/cancel")  # so that keys are there to compare

    states, applied = [known()], []
    for table, wishes in imports:
        columns = dict(
            zip(("id", "name", "boss"), map(list, zip(*table, strict=True)), strict=True)
        )
        record = bring({f"person.{key}": texts for key, texts in columns.items()})
        record = _applied(client, record, wishes)
        if record:
            client.post(f"{V1}/imports/{record['recordId']}/results/ack")
            follow_due()
            applied.append(record)
            states.append(known())
    for record in reversed(applied):
        assert known() == states.pop()
        answer = client.post(f"{V1}/changesets/{record['changesetId']}/revert", {}, format="json")
        assert answer.status_code == 202, answer.content
        assert carry_on(client, record["recordId"])["state"] == "reverted"

    assert known() == states.pop()
