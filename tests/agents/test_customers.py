"""What is special for one customer of a host, sent by an agent with a full key."""

import json

import pytest

from agents.registry import BY_NAME
from agents.schemas import schema_of
from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from imports.models import ImportRecord
from tests.agents.conftest import ENTITLED
from tests.api.test_customers import LOCKER, MEMBERS, option

pytestmark = pytest.mark.django_db

TEXT = "Number,Name,Status,Locker\n1,Anna,trial,17\n2,Bert,trial,4\n"
SPECIAL = {
    "catalogKey": "members",
    "scope": "gym-zurich",
    "meta": {"customer": "zurich"},
    "keepUnmapped": True,
    "context": {"region": "CH", "currency": "CHF", "options": {"member.status": [option("trial")]}},
    "fields": {"member.fee": {"hidden": True}},
    "extraFields": [LOCKER],
    "emptyCells": "clear",
    "openQuestions": "dismiss",
}


@pytest.fixture
def members(owner):
    text = json.dumps(MEMBERS)
    catalogs.publish_document(tenant=owner, key="members", text=text, at=clock.now(), actor=ENGINE)


@pytest.fixture
def agent(members, make_agent):
    """Return an agent whose key may go beyond the catalog."""
    return make_agent(
        plan=ENTITLED["plan"], entitlements=(*ENTITLED["entitlements"], "catalogOverlays")
    )


@pytest.fixture
def plain_agent(members, make_agent):
    return make_agent(**ENTITLED)


def analyzed(agent, **content):
    """Analyze the file first, as an agent does that looks before it chooses a catalog."""
    return agent(
        "propose_mapping", recordId=agent("analyze_file", text=TEXT)["recordId"], **content
    )


def at_once(agent, **content):
    return agent("propose_mapping", text=TEXT, **content)


def record_of(answer) -> ImportRecord:
    return ImportRecord.objects.get(public_id=answer["recordId"])


@pytest.mark.parametrize("propose", [at_once, analyzed])
def test_an_import_has_what_is_special_for_its_customer(propose, agent):
    answer = propose(agent, **SPECIAL)
    rows = agent("dry_run_transform", recordId=answer["recordId"])["rows"]

    assert [row["values"] for row in rows] == [
        {
            "member.number": number,
            "member.name": name,
            "member.status": "trial",
            "member.fee": None,
            "member.currency": "CHF",
            "member.note": None,
            "member.locker": locker,
        }
        for number, name, locker in (("1", "Anna", 17), ("2", "Bert", 4))
    ]
    record = record_of(answer)
    assert (record.scope, record.meta, record.keep_unmapped) == (
        "gym-zurich",
        {"customer": "zurich"},
        True,
    )
    assert record.overlay == {
        name: SPECIAL[name] for name in ("fields", "extraFields", "emptyCells", "openQuestions")
    }


def test_an_apply_clears_what_the_import_says_to_clear(agent):
    answer = at_once(agent, **SPECIAL)
    agent("execute_import", recordId=answer["recordId"], applyMode="browser")

    assert record_of(answer).changesets.get().empty_cells == "clear"


def test_a_repeated_call_is_harmless_and_another_customer_needs_another_import(agent):
    answer = at_once(agent, **SPECIAL)

    again = agent("propose_mapping", recordId=answer["recordId"], **SPECIAL)
    assert again["recordId"] == answer["recordId"]
    for other in ({"scope": "gym-berlin"}, {"extraFields": [], "fields": {}, "emptyCells": "keep"}):
        refused = agent.refusal("propose_mapping", recordId=answer["recordId"], **other)
        assert refused["code"] == "catalog_settled"
        assert "analyze_file" in refused["nextStep"]
    assert record_of(answer).scope == "gym-zurich"


@pytest.mark.parametrize(
    ("content", "code", "pointer", "next_step"),
    [
        ({"extraFields": [LOCKER]}, "entitlement_required", "/extraFields/0", "catalogOverlays"),
        (
            {"fields": {"member.nmae": {"label": "x"}}},
            "invalid_overlay",
            "/fields/member.nmae",
            "arguments",
        ),
        (
            {"context": {"currency": "EURO"}},
            "invalid_context",
            "/context/currency",
            "arguments",
        ),
        (
            {"context": {"defaults": {"member.nmae": "x"}}},
            "unknown_fields",
            "/context/defaults/member.nmae",
            "list_catalogs",
        ),
    ],
)
@pytest.mark.parametrize("is_analyzed", [False, True])
def test_what_is_refused_is_named_with_the_next_step(
    is_analyzed, content, code, pointer, next_step, plain_agent
):
    way = {"text": TEXT}
    if is_analyzed:
        way = {"recordId": plain_agent("analyze_file", text=TEXT)["recordId"]}
    before = ImportRecord.objects.count()

    problem = plain_agent.refusal("propose_mapping", **way, catalogKey="members", **content)

    assert problem["code"] == code, problem
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert next_step in problem["nextStep"]
    assert ImportRecord.objects.count() == before
    assert not ImportRecord.objects.filter(purpose=ImportRecord.Purpose.IMPORT).exists()


def test_an_unknown_saved_mapping_is_refused(plain_agent):
    problem = plain_agent.refusal("propose_mapping", text=TEXT, profileId="prf_nope")

    assert problem["code"] == "unknown_profile"
    assert "profileId" in problem["nextStep"]


@pytest.mark.parametrize(
    "content",
    [
        {"fields": {"member.fee": {"label": "x"}}},
        {"extraFields": [LOCKER]},
        {"emptyCells": "clear"},
        {"openQuestions": "dismiss"},
        {"context": {"region": "CH"}},
        {"keepUnmapped": True},
        {"scope": "gym-zurich"},
    ],
    ids=lambda content: next(iter(content)),
)
def test_a_key_in_a_page_cannot_bring_an_overlay(content, members, make_agent):
    page = make_agent(origins=("https://app.example.com",))

    problem = page.refusal("propose_mapping", text=TEXT, catalogKey="members", **content)

    assert problem["code"] == "page_key_not_allowed", problem
    assert not ImportRecord.objects.exists()


def test_the_schema_of_the_tool_holds_all_it_refers_to():
    schema = schema_of(BY_NAME["propose_mapping"].takes, "request")
    text = json.dumps(schema)

    named = {part.partition('"')[0] for part in text.split("#/$defs/")[1:]}
    assert {"fields", "extraFields", "context"} <= schema["properties"].keys()
    assert named
    assert named <= schema["$defs"].keys()
    assert "#/components" not in text
