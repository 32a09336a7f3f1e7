"""Plan, delivery, receiver and engine agree, whatever imports, hosts and reverts do in turn."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from changesets.follow_up import follow_due
from deliveries.models import Delivery
from references.models import KnownChange, KnownSet
from tests.imports.conftest import carry_on
from tests.references.conftest import V1, bodies_of, entry, host_answers, known
from tests.tries import tries

pytestmark = pytest.mark.django_db
POLICIES = {"plain": {}, "kept": {"onKnown": "keep"}, "filled": {"onKnown": "fillEmpty"},
            "asked": {"onKnown": "ask"}, "cleared": {"emptyCells": "clear"}}  # fmt: skip
VALUES = st.sampled_from([None, "a", "b"])
ROWS = st.dictionaries(
    st.sampled_from(["1", "2", "3"]), st.fixed_dictionaries(dict.fromkeys(POLICIES, VALUES)),
    min_size=1,
)  # fmt: skip
ONLY = {"": {"new", "changed", "unchanged"}, "new": {"new"}, "changed": {"changed"},
        "known": {"changed", "unchanged"}}  # fmt: skip


class Receiver:
    """A host that stores what ``changes``, ``rowEntities`` and ``entities`` say, by ref."""

    def __init__(self):
        self.stored = {}

    def submit(self, body):
        created = self._created(body)
        for own in body["rowEntities"]:
            if own["ref"] in created:
                row = body["rows"][own["row"]]
                self.stored[own["ref"]] = {path.partition(".")[2]: row[path] for path in row}
        self._set(body, "after")
        for own in body["rowEntities"]:  # whole rows overwrite nothing, either
            row, stored = body["rows"][own["row"]], self.stored[own["ref"]]
            wanted = {path.partition(".")[2]: value for path, value in row.items()}
            assert {key: stored.get(key) for key, value in wanted.items() if value is not None} == {
                key: value for key, value in wanted.items() if value is not None
            }

    def delete(self, body):
        for item in body["entities"]["item"]:
            assert filled({"": self.stored.pop(item["ref"])}) == filled({"": item["values"]})

    def revert(self, body):
        for item in body["entities"].get("item", ()):
            if item["status"] == "deleted":
                self.stored[item["ref"]] = item["values"]
        for ref in self._created(body):
            del self.stored[ref]
        self._set(body, "before")

    def _set(self, body, side):
        refs = {own["row"]: own["ref"] for own in body.get("rowEntities", ())}
        for change in body.get("changes", []):
            self.stored[refs[change["row"]]][change["field"].partition(".")[2]] = change[side]

    @staticmethod
    def _created(body):
        return {item["ref"] for item in body["entities"]["item"] if item["status"] == "created"}


def filled(entities):
    """Return entities without the values that are null."""
    return {
        ref: {key: value for key, value in values.items() if value is not None}
        for ref, values in entities.items()
    }


class History(RuleBasedStateMachine):
    """Imports into one catalog, changes by hand at the host, and reverts of the last import."""

    def __init__(self, bring, client):
        super().__init__()
        self.bring, self.client = bring, client
        self.receiver, self.applied = Receiver(), []
        self.deleted = 0
        for model in (Delivery, KnownSet, KnownChange):
            model.objects.all().delete()

    @rule(rows=ROWS, only=st.sampled_from(list(ONLY)), side=st.sampled_from(["host", "file"]),
          answer=st.sampled_from(["keep", "fillEmpty", "overwrite"]),
          mode=st.sampled_from(["", "full"]))  # fmt: skip
    def import_rows(self, rows, only, side, answer, mode):
        columns = {"item.number": list(rows)}
        columns |= {f"item.{key}": [row[key] for row in rows.values()] for key in POLICIES}
        record = self.bring(columns)
        address = f"{V1}/imports/{record['recordId']}"
        plan = self.client.get(f"{address}/plan").json()
        missing = self.client.get(f"{address}/plan?status=missing").json()["items"]
        wishes = {"only": only} if only else {}
        wishes |= {"mode": mode, "confirmMissing": len(missing)} if mode else {}
        response = self.client.post(f"{address}/apply", wishes, format="json")
        if response.status_code == 409:
            problem = response.json()
            assert problem["code"] == "undecided_fields", problem
            waiting = {(i["field"], i["why"]) for i in plan["heldFields"]}
            assert {(item["field"], item["why"]) for item in problem["fields"]} == {
                pair for pair in waiting if pair[1] in {"ask", "conflict"}
            }
            fields = {item["field"]: {"conflicts": side} for item in problem["fields"]}
            asks = [item["field"] for item in problem["fields"] if item["why"] == "ask"]
            for path in asks:
                fields[path]["onKnown"] = answer
            response = self.client.post(
                f"{address}/apply", {**wishes, "fields": fields}, format="json"
            )
            if response.status_code == 409:  # decided fields may still leave none
                raise AssertionError(response.json())
            plan = None
        assert response.status_code == 202, response.content
        record = carry_on(self.client, record["recordId"])
        if record["state"] != "applied":
            assert record["state"] == "review"  # no row was of the kind
            return
        for body in bodies_of(record):
            if plan is not None:
                self.agrees(plan, body, only)
            self.receiver.submit(body)
        gone = {item["refs"]["item"] for item in missing} if mode else set()
        for body in bodies_of(record, "delete"):
            assert {item["ref"] for item in body["entities"]["item"]} == gone
            self.receiver.delete(body)
            self.deleted += len(gone)
        assert gone.isdisjoint(self.receiver.stored)
        host_answers(200)
        host_answers(200, action="delete")
        follow_due()
        self.applied.append(record)

    def agrees(self, plan, body, only):
        """The delivery has the rows of the plan that were asked for, and exactly their changes."""
        items = [item for item in plan["items"] if item["status"] in ONLY[only]]
        assert body["rowCount"] == len(items)
        planned = [
            {"row": n, **change} for n, item in enumerate(items) for change in item["changes"]
        ]
        assert body.get("changes", []) == planned

    @rule(number=st.integers(0, 2), key=st.sampled_from(list(POLICIES)), value=VALUES)
    def change_by_hand(self, number, key, value):
        refs = sorted(self.receiver.stored)
        if number < len(refs):
            self.receiver.stored[refs[number]][key] = value
            items = [{"ref": ref, "values": self.receiver.stored[ref]} for ref in refs]
            address = f"{V1}/references/item"
            assert self.client.put(address, {"items": items}, format="json").status_code == 200

    @rule()
    def revert_the_last(self):
        if not self.applied:
            return
        record = self.applied[-1]
        address = f"{V1}/changesets/{record['changesetId']}/revert"
        answer = self.client.post(address, {}, format="json")
        if answer.status_code == 409:
            assert answer.json()["code"] == "built_on"  # the host changed it since
            self.applied.clear()
            return
        carry_on(self.client, record["recordId"])
        for body in bodies_of(record, "revert"):
            self.receiver.revert(body)
        host_answers(200, action="revert")
        follow_due()
        self.applied.pop()

    @invariant()
    def receiver_and_engine_agree(self):
        assert filled(known(self.client, "item")) == filled(self.receiver.stored)


@pytest.fixture
def history(published, bring, client, webhook):
    """Return a function that begins a history: nothing is known yet."""
    number = {"key": "number", "validations": [{"validate": "unique"}]}
    fields = [{"key": key, **more} for key, more in POLICIES.items()]
    published([{**entry("item", number, *fields), "fullSync": {}}])
    webhook("submit", "revert", "delete", include=["changes"])
    return lambda: History(bring, client)


def full(*numbers, value="a"):
    """Return a step that imports the whole list: rows with these numbers, and one value."""
    rows = {number: dict.fromkeys(POLICIES, value) for number in numbers}
    return "import_rows", {
        "rows": rows,
        "only": "",
        "side": "file",
        "answer": "overwrite",
        "mode": "full",
    }


BY_HAND = ("change_by_hand", {"number": 0, "key": "plain", "value": "b"})
REVERT = ("revert_the_last", {})
HISTORIES = {
    "reverted": [full("1", "2", "3"), full("1"), REVERT, full("3", value="b"), REVERT, REVERT],
    "by hand": [full("1", "2", "3"), BY_HAND, full("2"), REVERT, BY_HAND, full("1", "3")],
}


@pytest.mark.parametrize("steps", HISTORIES.values(), ids=HISTORIES)
def test_plan_delivery_and_receiver_agree_where_members_are_deleted(history, steps):
    machine = history()
    for name, arguments in steps:
        getattr(machine, name)(**arguments)
        machine.receiver_and_engine_agree()

    assert machine.deleted > 0


def test_plan_delivery_and_receiver_agree_in_any_history(history):
    run_state_machine_as_test(
        history,
        settings=settings(
            max_examples=tries(4),
            stateful_step_count=5,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
