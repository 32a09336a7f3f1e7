"""What a page may not do unless its host's server allows it, by ``invalidRows`` or ``rights``."""

import pytest

from changesets.models import Changeset
from imports.models import ImportRecord
from licensing.rights.model import RIGHTS
from licensing.rights.table import OPERATIONS
from staging.models import Revision
from tests.imports.conftest import carry_on, client, owner, publish

__all__ = ["client", "owner", "publish"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"
ORDERS = """Auftrag;Kunde;Artikel;Menge;Preis;Status
1;Anna;A-1;2;10,50;offen
2;Bert;A-2;1;7,25;geliefert
3;Cora;A-3;x;3,10;offen
"""
OPTIONS = {"order.status": [{"label": "X", "type": "string", "value": "x"}]}


@pytest.fixture
def server(owner, mint_key, client_of, publish):
    """Return the host's server, with the catalog ``orders``."""
    publish("orders")
    return client_of(mint_key("tnt_owner", plan="enterprise", entitlements=("agentAccess",)))


@pytest.fixture
def open_page(server, client_of):
    """Return a function that opens a session of one scope and returns a client with its token."""

    def open_one(**wanted):
        body = {"scope": "s", "catalogKey": "orders", **wanted}
        opened = server.post(f"{V1}/sessions", body, format="json")
        assert opened.status_code == 201, opened.content
        return client_of(opened.json()["token"])

    return open_one


@pytest.fixture
def in_review(server):
    """Return a function that brings an import of the scope to review, created by a given caller."""

    def make(by=None):
        by = by or server
        about = {"catalogKey": "orders"} | ({"scope": "s"} if by is server else {})
        made = by.post(f"{V1}/imports", {"text": ORDERS, **about}, format="json")
        assert made.status_code == 202, made.content
        address = f"{V1}/imports/{made.json()['recordId']}"
        carry_on(by, made.json()["recordId"])
        proposed = by.get(f"{address}/mapping").json()["proposed"]
        settled = {**proposed, "allowMissing": True}
        assert by.put(f"{address}/mapping", settled, format="json").status_code == 202
        assert carry_on(by, made.json()["recordId"])["state"] == "review"
        return address

    return make


def refused(answer, code="right_required") -> dict:
    assert answer.status_code == 403, answer.content
    assert answer.json()["code"] == code, answer.content
    return answer.json()


MEMBERS = [
    ("imports_create", "context.defaults", {"context": {"defaults": {"orders.status": "offen"}}}),
    ("imports_create", "context.options", {"context": {"options": OPTIONS}}),
    ("imports_create", "context.region", {"context": {"region": "DE"}}),
    ("imports_create", "context.currency", {"context": {"currency": "CHF"}}),
    ("imports_create", "keepUnmapped", {"keepUnmapped": True}),
    ("imports_create", "contractId", {"contractId": "sha256:" + "0" * 64}),
    (
        "imports_mapping_update",
        "customFields",
        {
            "mapping": {"Kunde": "orders.customer"},
            "customFields": [{"column": "Preis", "label": "P", "columnType": "float"}],
        },
    ),
    ("imports_apply_create", "openQuestions", {"openQuestions": "dismiss"}),
    ("imports_apply_create", "emptyCells", {"emptyCells": "clear"}),
    ("imports_apply_create", "mode", {"mode": "full"}),
]
NARROWED = [
    ("imports_apply_create", "only", {"only": "new"}),
    ("imports_reading_update", "frames",
     {"frames": [{"page": 1, "box": [0, 0, 90, 90], "columns": [0, 40, 90]}]}),
    ("imports_values_update", "values", {"values": {"a": None}}),
    ("imports_rows_partial_update", "edits",
     {"revision": 1, "edits": [{"row": 0, "field": "f", "text": "t"}]}),
    ("imports_rows_partial_update", "proposals",
     {"revision": 1, "proposals": [{"row": 0, "field": "f", "value": "t"}]}),
    ("imports_rows_partial_update", "exclude", {"revision": 1, "exclude": [0]}),
    ("imports_rows_partial_update", "include", {"revision": 1, "include": [0]}),
]  # fmt: skip
FOR_SERVERS = {  # no right lets a page send them: test_customers.py
    ("changesets_revert_create", "force"),
    ("imports_create", "fields"),
    ("imports_create", "extraFields"),
    ("imports_create", "emptyCells"),
    ("imports_create", "openQuestions"),
    ("imports_create", "profileId"),
    ("imports_create", "secondPerson"),
}
ADDRESSES = {
    "imports_create": ("post", ""),
    "imports_apply_create": ("post", "/apply"),
    "imports_mapping_update": ("put", "/mapping"),
    "imports_reading_update": ("put", "/reading"),
    "imports_values_update": ("put", "/values/orders.status"),
    "imports_rows_partial_update": ("patch", "/rows"),
}


def call(page, name, address, body):
    method, path = ADDRESSES[name]
    if name == "imports_create":
        return page.post(f"{V1}/imports", {"text": ORDERS, **body}, format="json")
    return getattr(page, method)(f"{address}{path}", body, format="json")


def test_every_member_that_needs_something_is_tried_here():
    needing = {
        (name, member)
        for name, operation in OPERATIONS.items()
        for member, rule in operation.members.items()
        if rule.needs and not rule.when
    }
    tried = {(name, member) for name, member, _ in MEMBERS + NARROWED}

    assert needing - tried == FOR_SERVERS


def test_a_member_needs_its_right_by_name(open_page, in_review):
    address = in_review()
    bare, given = open_page(), open_page(rights=list(RIGHTS))
    for name, member, body in MEMBERS:
        problem = refused(call(bare, name, address, body))

        assert [e["pointer"] for e in problem["errors"]] == ["/" + member.replace(".", "/")]
        assert problem["rights"] == list(OPERATIONS[name].members[member].needs)
        assert "`rights`" in problem["detail"]
        assert call(given, name, address, body).status_code != 403, member


def test_a_member_that_treats_rows_needs_the_host_to_allow_it(open_page, in_review):
    address = in_review()
    bare, given = open_page(invalidRows=[]), open_page()
    for name, member, body in NARROWED:
        problem = refused(call(bare, name, address, body), "fixed_by_session")

        assert [e["pointer"] for e in problem["errors"]] == [f"/{member}"]
        assert call(given, name, address, body).status_code != 403, member


def test_a_page_key_has_none_of_the_rights(server, mint_key, client_of):
    page = client_of(mint_key("tnt_owner", origins=("https://shop.example",)))
    for name, member, body in MEMBERS:
        if name == "imports_create":
            problem = refused(
                call(page, name, "", {"catalogKey": "orders", **body}), "page_key_not_allowed"
            )
            assert [e["pointer"] for e in problem["errors"]] == ["/" + member.replace(".", "/")]


def test_starting_again_keeps_what_the_host_said_and_changes_none_of_it(server, open_page):
    body = {"text": ORDERS, "catalogKey": "orders", "scope": "s", "context": {"region": "DE"}}
    made = server.post(f"{V1}/imports", body, format="json").json()
    carry_on(server, made["recordId"])
    page = open_page()

    again = page.post(f"{V1}/imports", {"from": made["recordId"]}, format="json")
    other = page.post(f"{V1}/imports", {"from": made["recordId"], "context": {}}, format="json")

    assert again.status_code == 202, again.content
    record = ImportRecord.objects.get(public_id=again.json()["recordId"])
    assert record.context == {"region": "DE"}
    assert refused(other)["errors"][0]["pointer"] == "/context/region"


def steps(*made, mapping=None):
    return {"mapping": mapping or {"Kunde": "orders.customer"}, "allowMissing": True,
            "recipe": {"version": 1, "steps": list(made)}}  # fmt: skip


DROP = {"do": "drop_rows", "columns": ["Menge"], "where": "empty"}
CONSTANT = {"do": "constant", "value": "0,01", "into": "Alles"}


@pytest.mark.parametrize(
    ("allowed", "step", "is_let"),
    [
        (["fix"], DROP, False),
        (["exclude"], DROP, True),
        (["exclude"], CONSTANT, False),
        (["fix"], CONSTANT, True),
        ([], {"do": "trim", "columns": ["Kunde"]}, False),
    ],
)
def test_a_step_that_a_page_makes_up_obeys_what_may_be_done_to_rows(
    allowed, step, is_let, open_page, in_review
):
    address = in_review()
    page = open_page(invalidRows=allowed)
    settled = steps(step, mapping=page.get(f"{address}/mapping").json()["mapping"])
    tried = {name: settled[name] for name in ("mapping", "recipe")}
    shown = page.post(f"{address}/mapping/preview", tried, format="json")
    answer = page.put(f"{address}/mapping", settled, format="json")

    if is_let:
        assert shown.status_code == 200, shown.content
        assert answer.status_code == 202, answer.content
    else:
        for problem in refused(shown, "fixed_by_session"), refused(answer, "fixed_by_session"):
            assert problem["errors"][0]["pointer"] == "/recipe/steps/0"


def test_what_is_settled_already_may_be_settled_again(server, open_page, in_review):
    address = in_review()
    mapping = server.get(f"{address}/mapping").json()["mapping"]
    settled = steps({"do": "trim", "columns": ["Kunde"]}, mapping=mapping)
    assert server.put(f"{address}/mapping", settled, format="json").status_code == 202
    carry_on(server, address.rpartition("/")[2])

    answer = open_page(invalidRows=[]).put(f"{address}/mapping", settled, format="json")

    assert answer.status_code == 202, answer.content


def test_a_page_that_may_not_leave_rows_out_moves_no_header_down(open_page, in_review):
    address = in_review()
    strict, usual = open_page(invalidRows=["fix"]), open_page()

    problem = refused(
        strict.put(f"{address}/reading", {"headerRows": [2]}, format="json"), "fixed_by_session"
    )

    assert problem["errors"][0]["pointer"] == "/headerRows"
    assert strict.put(f"{address}/reading", {"headerRows": [0]}, format="json").status_code == 202
    carry_on(usual, address.rpartition("/")[2])
    assert usual.put(f"{address}/reading", {"headerRows": [2]}, format="json").status_code == 202


TWO_TABLES = (
    "Sales\n\nItem;Sold\nA;1\nB;2\nTotal;3\n\n\nCosts\n\nItem;Price\nA;10\nB;20\nTotal;30\n"
)


@pytest.fixture
def taken_back(server):
    """Return an import of the scope whose total row the server restored, and the row's number."""

    def make(text):
        body = {"text": text, "catalogKey": "orders", "scope": "s"}
        record_id = server.post(f"{V1}/imports", body, format="json").json()["recordId"]
        address = f"{V1}/imports/{record_id}"
        carry_on(server, record_id)
        left = server.get(f"{address}/left-out?reason=total").json()["items"]
        taken = [row["row"] for row in left][:1]
        assert taken
        assert (
            server.put(f"{address}/left-out", {"takeBack": taken}, format="json").status_code < 300
        )
        carry_on(server, record_id)
        return address, taken

    return make


WITH_TOTAL = "Item;Sold\nA;1\nB;2\nTotal;3\n"


def test_reading_again_without_naming_rows_keeps_what_was_taken_back(open_page, taken_back):
    address, taken = taken_back(WITH_TOTAL)
    strict = open_page(invalidRows=[])

    assert strict.put(f"{address}/reading", {"headerRows": [0]}, format="json").status_code == 202

    carry_on(strict, address.rpartition("/")[2])
    assert strict.get(f"{address}/left-out").json()["takeBack"] == taken
    assert strict.get(address).json()["counts"]["sourceRows"] == 3


@pytest.mark.parametrize(
    ("choice", "is_let"),
    [
        ({"takeBack": []}, False),
        ({"table": 1}, False),  # row numbers change, so no row is restored any more
        ({"table": 0}, True),
        ({"encoding": "utf-8"}, True),
    ],
)
def test_a_page_that_may_not_leave_rows_out_drops_none_that_was_taken_back(
    choice, is_let, open_page, taken_back
):
    address, _ = taken_back(TWO_TABLES)
    answer = open_page(invalidRows=["fix"]).put(f"{address}/reading", choice, format="json")

    if is_let:
        assert answer.status_code == 202, answer.content
    else:
        assert refused(answer, "fixed_by_session")["errors"][0]["pointer"] == "/takeBack"
        assert open_page().put(f"{address}/reading", choice, format="json").status_code == 202


def test_a_page_may_name_the_rows_that_were_taken_back(open_page, taken_back):
    address, taken = taken_back(WITH_TOTAL)

    answer = open_page(invalidRows=[]).put(
        f"{address}/reading", {"takeBack": [*taken, 0]}, format="json"
    )

    assert answer.status_code == 202


def edit(by, address, text="Dora"):
    page = by.post(f"{address}/rows/query", {}, format="json").json()
    field = next(iter(page["rows"][0]["values"]))
    change = {"row": 0, "field": field, "text": text}
    body = {"revision": page["revision"], "edits": [change]}
    done = by.patch(f"{address}/rows", body, format="json")
    assert done.status_code == 200, done.content
    return {"revision": done.json()["revision"]}


def test_a_page_undoes_its_own_change_and_not_the_hosts(server, open_page, in_review):
    address = in_review()
    page, other = open_page(), open_page(rights=["undoOthers"])
    mine = edit(page, address)
    assert page.post(f"{address}/undo", mine, format="json").status_code == 200
    hosts = edit(server, address)

    problem = refused(page.post(f"{address}/undo", hosts, format="json"))
    undone = other.post(f"{address}/undo", hosts, format="json")
    redone = page.post(f"{address}/redo", undone.json() | {}, format="json")

    assert problem["rights"] == ["undoOthers"]
    assert undone.status_code == 200, undone.content
    assert redone.status_code in {400, 403}


def test_a_page_undoes_values_that_the_host_set_in_a_check(open_page, in_review):
    address = in_review()
    page = open_page()
    seen = edit(page, address)
    webhook = {"kind": "system", "id": "whk_01j8zq7fq2", "label": ""}
    Revision.objects.filter(number=seen["revision"]).update(actor=webhook)

    assert page.post(f"{address}/undo", seen, format="json").status_code == 200


def test_a_page_redoes_nothing_that_another_did(server, open_page, in_review):
    address = in_review()
    page = open_page()
    seen = edit(server, address)
    undone = server.post(f"{address}/undo", seen, format="json").json()

    answer = page.post(f"{address}/redo", {"revision": undone["revision"]}, format="json")

    assert refused(answer)["rights"] == ["undoOthers"]


def test_a_new_session_of_the_same_person_undoes_what_the_former_did(open_page, in_review):
    address = in_review()
    named, unnamed = {"actor": {"id": "u-1"}}, {}
    for who in (named, unnamed):
        seen = edit(open_page(**who), address, text=str(who))

        answer = open_page(**who).post(f"{address}/undo", seen, format="json")
        assert answer.status_code == 200, answer.content

    seen = edit(open_page(**named), address)
    colleague = open_page(actor={"id": "u-2"}).post(f"{address}/undo", seen, format="json")
    assert refused(colleague)["rights"] == ["undoOthers"]


def test_an_import_of_the_host_is_cancelled_and_deleted_by_right_alone(open_page, in_review):
    address, own = in_review(), in_review(open_page())
    bare = open_page()

    assert refused(bare.delete(address))["rights"] == ["purge"]
    assert refused(bare.post(f"{address}/cancel"))["rights"] == ["cancel"]
    assert bare.post(f"{own}/cancel").status_code == 200
    assert open_page(rights=["cancel"]).post(f"{address}/cancel").status_code == 200
    assert open_page(rights=["purge"]).delete(address).status_code == 204


@pytest.fixture
def staged(server, in_review):
    """Return an import of the host that waits for approval, and its changeset."""
    address = in_review()
    wishes = {"applyMode": "browser", "invalidRows": "include", "staged": True}
    wishes["openQuestions"] = "dismiss"
    applied = server.post(f"{address}/apply", wishes, format="json")
    assert applied.status_code == 202, applied.content
    record = carry_on(server, address.rpartition("/")[2])
    assert record["state"] == "staged"
    return address, f"{V1}/changesets/{record['changesetId']}"


def test_what_the_host_staged_is_released_by_right_alone(staged, open_page):
    address, changeset = staged
    bare = open_page()

    assert refused(bare.post(f"{changeset}/apply"))["rights"] == ["release"]
    assert refused(bare.post(f"{changeset}/discard"))["rights"] == ["release"]
    cancelling = open_page(rights=["cancel"]).post(f"{address}/cancel")
    assert refused(cancelling)["rights"] == ["release"]
    reverting = open_page(rights=["revert"]).post(f"{changeset}/revert", {}, format="json")
    assert refused(reverting)["rights"] == ["release"]
    assert Changeset.objects.get().state == "staged"
    assert open_page(rights=["release"]).post(f"{changeset}/apply").status_code == 202


def test_an_applied_import_is_reverted_by_right_alone(staged, server, open_page):
    address, changeset = staged
    assert server.post(f"{changeset}/apply").status_code == 202
    carry_on(server, address.rpartition("/")[2])

    assert refused(open_page().post(f"{changeset}/revert", {}, format="json"))["rights"] == [
        "revert"
    ]
    given = open_page(rights=["revert"])
    forced = given.post(f"{changeset}/revert", {"force": True}, format="json")
    assert refused(forced, "page_key_not_allowed")["errors"][0]["pointer"] == "/force"
    assert given.post(f"{changeset}/revert", {}, format="json").status_code == 202


def test_an_unknown_right_is_refused(server):
    answer = server.post(f"{V1}/sessions", {"rights": ["everything"]}, format="json")

    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"] == "/rights/0"


def test_a_page_reads_its_rights(open_page):
    answer = open_page(rights=["undoOthers", "revert"]).get(f"{V1}/license/verify").json()

    assert set(answer["rights"]) == {"undoOthers", "revert"}


def test_a_page_answers_a_question_only_as_it_offers_where_it_may_fix_nothing(
    open_page, in_review, owner
):
    from common import clock
    from common.ids import new_id
    from ledger.models import Question

    address = in_review()
    question = Question.objects.create(
        public_id=new_id("qst_"), subject=address.rpartition("/")[2], tenant=owner,
        kind="category_value", field="orders.status", fingerprint="f", state="open",
        candidates=[{"value": "open", "label": "open", "score": 1, "effect": ""}],
        evidence=["ofen"], asked_at=clock.now(),
    )  # fmt: skip
    answer = f"{V1}/questions/{question.public_id}/answer"
    strict = open_page(invalidRows=[])

    problem = refused(
        strict.post(answer, {"value": "cancelled"}, format="json"), "fixed_by_session"
    )

    assert problem["errors"][0]["pointer"] == "/value"
    assert strict.post(answer, {"value": "open"}, format="json").status_code == 202
