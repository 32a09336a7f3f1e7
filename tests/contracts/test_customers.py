"""A contract for one customer: signed, checked offline, compared, and imported under."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from catalogs.models import CatalogVersion
from common import clock
from contracts import selectors
from contracts.customer import customer_of
from contracts.models import IssuedContract
from contracts.refusals import NotUsable
from tests.api.test_customers import (
    LOCKER,
    MEMBERS,
    members,
    open_page,
    option,
    plain_server,
    record_at,
    reviewed,
    rows_of,
    server,
)
from tests.imports.conftest import owner

__all__ = ["members", "open_page", "owner", "plain_server", "server"]  # fixtures

pytestmark = pytest.mark.django_db
CONTRACTS = "/api/import/v1/contracts"
ROOT = Path(__file__).resolve().parents[2]
RULE = {"validate": "regex", "regex": "^CH-"}
SPECIAL = {
    "fields": {"member.number": {"validations": [RULE]}, "member.currency": {"required": True}},
    "extraFields": [LOCKER],
    "context": {"currency": "CHF", "options": {"member.status": [option("trial")]}},
}


def sign(server, **content):
    return server.post(CONTRACTS, {"catalogKey": "members", **content}, format="json")


def signed(server, **content):
    """Sign a contract; return its id and its content."""
    answer = sign(server, **content)
    assert answer.status_code == 201, answer.content
    contract_id = answer.json()["contractId"]
    return contract_id, server.get(f"{CONTRACTS}/{contract_id}").json()["contract"]


def test_a_contract_has_the_catalog_as_its_customer_sees_it(server):
    contract_id, contract = signed(server, **SPECIAL)
    fields = {field["key"]: field for field in contract["catalog"][0]["fields"]}
    recipe = contract["profile"]["recipe"]

    assert [item["value"] for item in fields["status"]["dropdownOptions"]] == ["trial"]
    assert fields["locker"]["columnType"] == "int"
    assert fields["number"]["validations"] == [RULE]
    assert recipe["context"]["defaults"] == {"member.currency": "CHF"}
    assert recipe["overlay"]["extraFields"] == [LOCKER]
    shown = server.get(f"{CONTRACTS}").json()["items"][0]
    assert (shown["contractId"], shown["overlayDigest"]) == (
        contract_id,
        recipe["overlay"]["digest"],
    )


def test_a_contract_and_an_import_of_one_overlay_have_one_digest(server, open_page):
    _, contract = signed(server, **SPECIAL)
    page = open_page(**SPECIAL)

    shown = page.get(reviewed(page, "Number,Name\nCH-1,Anna\n")).json()
    assert shown["overlay"]["digest"] == contract["profile"]["recipe"]["overlay"]["digest"]


def test_a_contract_for_every_customer_is_signed_as_before(server):
    _, contract = signed(server)

    assert contract["profile"] == {"version": 1}
    assert IssuedContract.objects.get().overlay_digest == ""


def test_a_contract_that_goes_beyond_the_catalog_needs_the_entitlement(plain_server):
    refused = sign(plain_server, extraFields=[LOCKER])

    assert (refused.status_code, refused.json()["code"]) == (403, "entitlement_required")
    assert not IssuedContract.objects.exists()


def test_an_overlay_that_does_not_fit_is_not_signed(server):
    refused = sign(server, fields={"member.nmae": {"label": "x"}})

    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_overlay")
    assert refused.json()["errors"][0]["pointer"] == "/fields/member.nmae"


def test_a_file_is_checked_by_the_contract_of_its_customer_offline(server, owner, tmp_path):
    special, _ = signed(server, **SPECIAL)
    common, _ = signed(server)
    texts = {
        "good.csv": "Number,Name,Status,Locker\nCH-1,Anna,trial,7\n",
        "bad.csv": "Number,Name,Status,Locker\n1,Anna,active,7\nCH-2,Bert,trial,x\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "keys.json").write_text(json.dumps(selectors.key_set(owner.public_id)))

    def checked(contract_id, name):
        bundle = tmp_path / "bundle.json"
        bundle.write_bytes(server.get(f"{CONTRACTS}/{contract_id}").content)
        program = [sys.executable, "-m", "contracts", "check", str(tmp_path / name)]
        program += ["--contract", str(bundle), "--keys", str(tmp_path / "keys.json"), "--json"]
        run = subprocess.run(program, cwd=ROOT, capture_output=True, text=True, check=False)
        report = json.loads(run.stdout)
        return run.returncode, [(issue["field"], issue["code"]) for issue in report["issues"]]

    assert checked(special, "good.csv") == (0, [])
    assert checked(special, "bad.csv") == (
        1,
        [
            ("member.number", "regex"),
            ("member.status", "unknown_option"),
            ("member.locker", "not_a_whole_number"),
        ],
    )
    assert checked(common, "good.csv") == (1, [("member.status", "unknown_option")])


def test_an_import_under_the_contract_is_one_of_its_customer(plain_server, server):
    contract_id, contract = signed(server, **SPECIAL)
    text = "Number,Name,Status,Locker\nCH-1,Anna,trial,7\n"
    address = reviewed(plain_server, text, contractId=contract_id)

    values = rows_of(plain_server, address)[0]["values"]
    assert (values["member.locker"], values["member.currency"]) == (7, "CHF")
    assert values["member.status"] == "trial"
    shown = plain_server.get(address).json()["overlay"]
    assert shown["digest"] == contract["profile"]["recipe"]["overlay"]["digest"]
    again = server.post(
        "/api/import/v1/imports", {"from": address.rpartition("/")[2]}, format="json"
    )
    assert again.status_code == 202, again.content
    assert again.json()["overlay"] == shown


def test_an_import_of_another_customer_is_refused(server, open_page):
    contract_id, _ = signed(server, **SPECIAL)
    other = {"member.fee": {"label": "Beitrag"}}
    page = open_page(rights=["context"], fields=other)
    same = open_page(rights=["context"], **SPECIAL)

    for caller, content in ((server, {"fields": other}), (page, {})):
        body = {"text": "Number,Name\n1,A\n", "contractId": contract_id, **content}
        answer = caller.post("/api/import/v1/imports", body, format="json")
        assert (answer.status_code, answer.json()["code"]) == (409, "contract_other_customer")
    assert record_at(reviewed(same, "Number,Name\nCH-1,A\n", contractId=contract_id)).overlay == {
        "fields": SPECIAL["fields"],
        "extraFields": SPECIAL["extraFields"],
    }


def test_a_session_of_another_version_cannot_name_the_contract(server, open_page, members):
    contract_id, _ = signed(server)
    later = json.loads(json.dumps(MEMBERS))
    later["entries"][0]["fields"][3]["key"] = "price"
    members(later)
    page = open_page(rights=["context"], fields={"member.price": {"label": "Preis"}})

    body = {"text": "Number,Name\n1,A\n", "contractId": contract_id}
    answer = page.post("/api/import/v1/imports", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "contract_other_catalog")


def test_another_overlay_breaks_what_was_agreed_only_where_it_narrows(server):
    first, _ = signed(server, **SPECIAL)
    renamed = {**SPECIAL["fields"], "member.fee": {"label": "Beitrag"}}
    same, _ = signed(server, **{**SPECIAL, "fields": renamed})
    poorer, _ = signed(server, **{**SPECIAL, "context": {"options": SPECIAL["context"]["options"]}})

    def changes(other):
        diff = server.get(f"{CONTRACTS}/{first}/diff/{other}").json()
        return {(c["place"], c["member"], c["breaking"]) for c in diff["changes"]}

    assert changes(same) == {("member.fee", "label", False), ("customer", "overlay", False)}
    assert changes(poorer) == {("customer", "defaults", True)}


def test_a_draft_is_compared_as_each_customer_sees_it(server, owner, members):
    signed(server, **SPECIAL)
    changed = json.loads(json.dumps(MEMBERS))
    changed["entries"][0]["fields"][3]["label"] = "Price"
    catalog = CatalogVersion.objects.get().catalog
    draft = CatalogVersion(catalog=catalog, document=json.dumps(changed))

    (affected,) = selectors.impact(owner, draft, clock.now())
    assert [(change.place, change.member) for change in affected.changes] == [
        ("member.fee", "label")
    ]


@pytest.mark.parametrize(
    "recipe",
    [
        {"overlay": {"digest": "0" * 64, "extraFields": [LOCKER]}},
        {"overlay": [LOCKER]},
        {"context": {"defaults": {"member.fee": 7}}},
        {"context": {"currency": "CHF"}},
    ],
    ids=["another digest", "no object", "no text", "an unknown member"],
)
def test_what_a_contract_says_of_a_customer_must_be_sound(recipe):
    with pytest.raises(NotUsable):
        customer_of(recipe)


def test_the_region_of_a_customer_is_signed_and_kept_apart_from_the_catalogs(server, owner):
    contract_id, contract = signed(server, context={"region": "CH"})
    address = reviewed(server, "Number,Name\n1,Anna\n", contractId=contract_id)

    assert contract["profile"]["recipe"] == {"region": "CH", "context": {"region": "CH"}}
    assert record_at(address).context == {"region": "CH"}
    assert selectors.impact(owner, CatalogVersion.objects.get(), clock.now()) == []
