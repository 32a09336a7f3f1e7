"""The whole job with tools: from a file to applied rows, with all questions."""

import base64
import json

import pytest

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from imports import services
from imports.models import ImportRecord
from imports.services import rows_of
from ledger.models import Question
from references import services as references
from sandbox import JobFailed
from tests.agents.conftest import ENTITLED
from tests.imports.asked import publish_fields
from tests.imports.conftest import EXAMPLES

pytestmark = pytest.mark.django_db

ORDERS = (EXAMPLES / "orders-cp1252.csv").read_bytes()
STOCK = (EXAMPLES / "stock-two-sheets.xlsx").read_bytes()


def in_base64(content: bytes) -> str:
    return base64.b64encode(content).decode()


@pytest.fixture
def reviewed(publish, agent) -> str:
    """Import an example and map it; return its recordId."""
    publish("orders")
    made = agent("propose_mapping", base64=in_base64(ORDERS), catalogKey="orders")
    assert made["state"] == "review"
    return made["recordId"]


def test_a_file_is_analyzed_where_no_catalog_is_published(agent):
    analysis = agent("analyze_file", base64=in_base64(STOCK), filename="stock.xlsx")

    assert analysis["state"] == "mapping"
    assert analysis["tables"][0]["columns"]
    assert "list_catalogs" in analysis["nextStep"] or analysis["questions"]


def test_an_analyzed_file_becomes_an_import_of_the_chosen_catalog(publish, agent):
    publish("orders")
    publish("stock")
    record_id = agent("analyze_file", base64=in_base64(ORDERS))["recordId"]
    keys = [item["key"] for item in agent("list_catalogs")["items"]]

    mapped = agent("propose_mapping", recordId=record_id, catalogKey="orders")

    assert keys == ["orders", "stock"]
    assert mapped["recordId"] == record_id
    assert mapped["catalogKey"] == "orders"
    assert mapped["columns"]
    record = ImportRecord.objects.get(public_id=record_id)
    assert record.purpose == ImportRecord.Purpose.IMPORT


def test_a_question_about_the_file_is_answered_before_a_catalog_is_chosen(agent):
    analysis = agent("analyze_file", base64=in_base64(STOCK))
    questions = [question for question in analysis["questions"] if question["kind"] == "table"]
    assert questions, analysis["questions"]

    closed = agent("answer_question", questionId=questions[0]["id"], value=1)

    assert closed["import"]["state"] == "mapping"
    assert agent("analyze_file", recordId=analysis["recordId"])["chosen"] == 1


def test_dismissing_the_only_question_of_a_sample_waits_for_a_catalog(agent):
    analysis = agent("analyze_file", base64=in_base64(STOCK))

    for question in analysis["questions"]:
        closed = agent("dismiss_question", questionId=question["id"])

    assert closed["import"]["state"] == "mapping"
    assert "list_catalogs" in closed["nextStep"]


def test_a_dry_run_names_a_question_that_is_about_no_single_field(owner, agent):
    publish_fields(owner, {"key": "phone", "columnType": "phone"})
    file = in_base64(b"Call\n030 1234567\n089 7654321\n")
    record_id = agent("propose_mapping", base64=file, catalogKey="people")["recordId"]

    seen = agent("dry_run_transform", recordId=record_id, mapping={"Call": "p.phone"})

    assert [(question["kind"], question["field"]) for question in seen["questions"]] == [
        ("region", "")
    ]


def test_an_import_of_one_catalog_does_not_move_to_another(publish, agent, reviewed):
    publish("stock")

    refusal = agent.refusal("propose_mapping", recordId=reviewed, catalogKey="stock")

    assert refusal["code"] == "catalog_settled"
    assert "analyze_file" in refusal["nextStep"]


def test_which_catalog_is_asked_where_several_are_published(publish, agent):
    publish("orders")
    publish("stock")
    refusal = agent.refusal("propose_mapping", text="a,b\n1,2\n")

    assert refusal["code"] == "catalog_key_required"
    assert refusal["keys"] == ["orders", "stock"]


def test_rows_in_review_are_looked_at_and_applied(agent, reviewed):
    preview = agent("dry_run_transform", recordId=reviewed, limit=3)
    assert len(preview["rows"]) == 3
    assert preview["next"] == "3"

    done = agent(
        "execute_import",
        recordId=reviewed,
        applyMode="browser",
        invalidRows="exclude",
        openQuestions="dismiss",
        idempotencyKey="one",
    )

    assert done["import"]["state"] == "applied"
    changeset = done["changeset"]["id"]
    assert [item["id"] for item in agent("list_changesets")["items"]] == [changeset]
    shown = agent("get_changeset", changesetId=changeset, limit=2)
    assert len(shown["rows"]) == 2
    assert shown["changeset"]["state"] == "applied"


def without_remark(mapping):
    return {column: path for column, path in mapping.items() if path != "orders.remark"}


def remarks(rows) -> set:
    return {row.get("orders.remark") for row in rows}


def apply(agent, record_id, **about):
    about = {"applyMode": "browser", "invalidRows": "exclude", "openQuestions": "dismiss", **about}
    return agent("execute_import", recordId=record_id, **about)


def test_the_same_key_applies_once(agent, reviewed):
    first = apply(agent, reviewed, idempotencyKey="one")
    again = apply(agent, reviewed, idempotencyKey="one")

    assert again["changeset"] == first["changeset"]


def test_another_key_does_not_apply_again(agent, reviewed):
    apply(agent, reviewed, idempotencyKey="one")
    about = {"applyMode": "browser", "invalidRows": "exclude", "openQuestions": "dismiss"}

    for key in ({"idempotencyKey": "two"}, {}):
        assert agent.refusal("execute_import", recordId=reviewed, **about, **key)["code"] == (
            "not_ready"
        )


def test_the_same_key_with_another_mode_is_refused(agent, reviewed):
    apply(agent, reviewed, idempotencyKey="one")
    refusal = agent.refusal(
        "execute_import", recordId=reviewed, applyMode="browser", idempotencyKey="one"
    )

    assert refusal["code"] == "idempotency_key_reused"


def test_a_dry_run_under_another_mapping_stores_nothing(agent, reviewed, data_folder):
    before = ImportRecord.objects.get(public_id=reviewed)
    files = sorted(str(path) for path in data_folder.rglob("*") if path.is_file())
    mapping = without_remark(before.mapping)

    preview = agent("dry_run_transform", recordId=reviewed, mapping=mapping)

    assert remarks(row["values"] for row in preview["rows"]) == {None}
    kept = agent("dry_run_transform", recordId=reviewed)["rows"]
    assert remarks(row["values"] for row in kept) > {None}
    after = ImportRecord.objects.get(public_id=reviewed)
    assert (after.state, after.mapping, after.version) == (
        before.state,
        before.mapping,
        before.version,
    )
    assert sorted(str(path) for path in data_folder.rglob("*") if path.is_file()) == files


def test_a_dry_run_shows_what_the_transform_then_makes(agent, reviewed):
    record = ImportRecord.objects.get(public_id=reviewed)
    dry = agent("dry_run_transform", recordId=reviewed, mapping=record.mapping, limit=200)
    staged = agent("dry_run_transform", recordId=reviewed, limit=200)

    assert dry["rows"] == staged["rows"]
    assert dry["issues"] == staged["issues"]


def test_a_dry_run_whose_process_breaks_is_told_to_try_again(agent, reviewed, monkeypatch):
    record = ImportRecord.objects.get(public_id=reviewed)

    def broken(*_, **__):
        raise JobFailed("the child was lost 3 times")

    monkeypatch.setattr("sandbox.bench.run_job", broken)
    refusal = agent.refusal("dry_run_transform", recordId=reviewed, mapping=record.mapping)

    assert (refusal["code"], refusal["retryAfter"]) == ("dry_run_broken", 10)
    assert "lost" not in str(refusal)
    monkeypatch.undo()
    assert agent("dry_run_transform", recordId=reviewed)["rows"]


@pytest.mark.parametrize("tool", ["dry_run_transform", "resolved_references"])
def test_rows_that_are_purged_while_a_tool_reads_them_are_not_found(
    agent, reviewed, monkeypatch, tool
):
    def then_purged(record, *revision):
        table = rows_of(record, *revision)
        services.delete(record=record, actor=ENGINE, at=clock.now())
        return table

    for module in ("agents.tools.rows", "imports.previews.dry_run"):
        monkeypatch.setattr(f"{module}.rows_of", then_purged)

    assert agent.refusal(tool, recordId=reviewed)["code"] == "unknown_revision"


def test_a_mapping_that_does_not_fit_is_refused_by_name(agent, reviewed):
    refusal = agent.refusal("dry_run_transform", recordId=reviewed, mapping={"Nope": "order.nope"})

    assert refusal["code"] == "invalid_mapping"
    assert refusal["errors"][0]["pointer"] == "/mapping/Nope"


def test_execute_applies_under_the_mapping_it_is_sent(agent, reviewed):
    record = ImportRecord.objects.get(public_id=reviewed)

    done = apply(agent, reviewed, mapping=without_remark(record.mapping), idempotencyKey="one")

    shown = agent("get_changeset", changesetId=done["changeset"]["id"], limit=200)
    assert remarks(shown["rows"]) == {None}


def test_without_a_webhook_an_agent_learns_what_to_do(agent, reviewed):
    refusal = agent.refusal("execute_import", recordId=reviewed, invalidRows="exclude")

    assert refusal["code"] == "no_webhook_registered"
    assert "browser" in refusal["nextStep"]


def test_answers_are_recorded_as_the_agents(publish, agent):
    publish("stock")
    agent("propose_mapping", base64=in_base64(STOCK), catalogKey="stock")
    question = agent("list_questions")["items"][0]

    closed = agent("answer_question", questionId=question["id"], value=question["default"])

    assert closed["question"]["answeredBy"]["kind"] == "agent"
    assert closed["question"]["answeredBy"]["id"].startswith("lic_")


def test_questions_are_listed_over_all_imports_page_by_page(publish, agent):
    publish("stock")
    for _ in range(3):
        agent("propose_mapping", base64=in_base64(STOCK), catalogKey="stock")
    question_ids = [
        question.public_id for question in Question.objects.filter(state="open").order_by("pk")
    ]

    seen, cursor = [], {}
    while cursor is not None:
        page = agent("list_questions", limit=1, **cursor)
        seen += [item["id"] for item in page["items"]]
        cursor = {"cursor": page["next"]} if page["next"] else None

    assert seen == question_ids
    assert len({item["subject"] for item in agent("list_questions")["items"]}) == 3


def test_references_of_a_catalog_are_named(publish, agent, owner):

    document = {
        "key": "visits",
        "title": "Visits",
        "entries": [
            {
                "id": "visit",
                "fields": [
                    {"key": "day", "columnType": "date_iso"},
                    {
                        "key": "customer",
                        "columnType": "string",
                        "reference": {
                            "entity": "customer",
                            "matchOn": ["number"],
                            "cardinality": "one",
                            "onMissing": "error",
                        },
                    },
                ],
            }
        ],
    }
    catalogs.publish_document(
        tenant=owner, key="visits", text=json.dumps(document).encode(), at=clock.now(), actor=ENGINE
    )
    items = [references.Item(ref="c1", values={"number": "7"})]
    references.upsert(tenant=owner, scope="", entity="customer", items=items, at=clock.now())
    made = agent("propose_mapping", text="Day,Customer\n2026-02-01,7\n", catalogKey="visits")

    resolved = agent("resolved_references", recordId=made["recordId"])

    assert [(item["field"], item["entity"], item["known"]) for item in resolved["items"]] == [
        ("visit.customer", "customer", 1)
    ]
    apply(agent, made["recordId"])
    resolved = agent("resolved_references", recordId=made["recordId"])
    assert [item["ref"] for item in resolved["entities"]["customer"]] == ["c1"]
    assert [link["refs"] for link in resolved["links"]] == [["c1"]]


def test_the_plan_is_the_one_of_the_api(agent, owner, client):
    key = {"key": "number", "validations": [{"validate": "unique"}]}
    document = {
        "key": "people",
        "title": "People",
        "entries": [{"id": "person", "fields": [key, {"key": "name"}]}],
    }
    catalogs.publish_document(
        tenant=owner, key="people", text=json.dumps(document).encode(), at=clock.now(), actor=ENGINE
    )
    items = [
        references.Item(ref=f"p{n}", values={"number": str(n), "name": "Ada"}) for n in range(4)
    ]
    references.upsert(tenant=owner, scope="", entity="person", items=items, at=clock.now())
    text = "Number,Name\n1,Ada\n2,Bo\n9,Cy\n"
    made = agent("propose_mapping", text=text, catalogKey="people")
    address = f"/api/import/v1/imports/{made['recordId']}/plan"

    for query in ({}, {"status": "changed"}, {"status": "missing", "limit": 1}):
        planned = agent("get_plan", recordId=made["recordId"], **query)
        shown = client.get(address, query).json()
        assert {name: planned[name] for name in shown} == shown

    assert planned["next"]
    rest = agent("get_plan", recordId=made["recordId"], status="missing", cursor=planned["next"])
    assert [item["refs"] for item in rest["items"]] == [{"person": "p3"}]


def test_an_apply_is_taken_back_once(agent, reviewed):
    changeset = apply(agent, reviewed)["changeset"]["id"]

    done = agent("revert_changeset", changesetId=changeset)

    assert done["import"]["state"] == "reverted"
    assert done["changeset"]["state"] == "reverted"
    assert agent.refusal("revert_changeset", changesetId=changeset)["code"] == "not_revertable"
    assert agent("get_changeset", changesetId=changeset)["rows"]


def test_an_agent_of_another_tenant_finds_nothing(make_agent, agent, reviewed):
    changeset = apply(agent, reviewed)["changeset"]["id"]
    stranger = make_agent("tnt_stranger", **ENTITLED)

    assert stranger("list_changesets")["items"] == []
    assert stranger("list_questions")["items"] == []
    for tool in ("resolved_mapping", "dry_run_transform", "resolved_references", "execute_import"):
        assert stranger.refusal(tool, recordId=reviewed)["code"] == "unknown_import"
    for tool in ("get_changeset", "revert_changeset"):
        assert stranger.refusal(tool, changesetId=changeset)["code"] == "unknown_changeset"
