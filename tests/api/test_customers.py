"""What a host sets for one customer: other fields, options, defaults and rules over one catalog."""

import json
from io import BytesIO

import pytest
from openpyxl import load_workbook

from catalogs import services as catalogs
from common import clock
from common.actors import ENGINE
from imports.models import ImportRecord, Profile
from licensing.models import PageSession
from tests.imports.conftest import carry_on, owner

__all__ = ["owner"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"


def option(value):
    return {"label": value.capitalize(), "type": "string", "value": value}


MEMBERS = {
    "key": "members",
    "title": "Members",
    "entries": [
        {
            "id": "member",
            "fields": [
                {"key": "number", "label": "Number", "required": True},
                {"key": "name", "label": "Name", "required": True},
                {
                    "key": "status",
                    "label": "Status",
                    "columnType": "category",
                    "dropdownOptions": [option("active"), option("paused")],
                },
                {"key": "fee", "label": "Fee", "columnType": "float"},
                {"key": "currency", "label": "Currency", "columnType": "currency_code"},
                {"key": "note", "label": "Note", "hidden": True},
            ],
        }
    ],
}
TEXT = "Number,Name,Status,Fee\n1,Anna,active,10.50\n2,Bert,paused,20\n"
LOCKER = {"entity": "member", "key": "locker", "label": "Locker", "columnType": "int"}


@pytest.fixture
def members(owner):
    """Return a function that publishes a version of the catalog ``members``."""

    def publish_members(document=MEMBERS):
        return catalogs.publish_document(
            tenant=owner,
            key="members",
            text=json.dumps(document),
            at=clock.now(),
            actor=ENGINE,
            expected=catalogs.ANY,
        )

    publish_members()
    return publish_members


@pytest.fixture
def server(members, mint_key, client_of):
    """Return the host's server, whose key may go beyond the catalog."""
    return client_of(mint_key(entitlements=("catalogOverlays",)))


@pytest.fixture
def plain_server(members, mint_key, client_of):
    return client_of(mint_key())


def ask(server, **wanted):
    return server.post(f"{V1}/sessions", {"catalogKey": "members", **wanted}, format="json")


@pytest.fixture
def open_page(server, client_of):
    """Return a function that opens a session and returns a client with its token."""

    def open_one(**wanted):
        opened = ask(server, **wanted)
        assert opened.status_code == 201, opened.content
        return client_of(opened.json()["token"])

    return open_one


def reviewed(caller, text=TEXT, **content):
    """Bring a text to review with the proposed mapping; return the import's address."""
    made = caller.post(f"{V1}/imports", {"text": text, "autoMap": True, **content}, format="json")
    assert made.status_code == 202, made.content
    address = f"{V1}/imports/{made.json()['recordId']}"
    state = carry_on(caller, made.json()["recordId"])
    if state["state"] == "mapping":
        settled = caller.get(f"{address}/mapping").json()["proposed"]
        answer = caller.put(f"{address}/mapping", settled, format="json")
        assert answer.status_code == 202, answer.content
        state = carry_on(caller, made.json()["recordId"])
    assert state["state"] == "review", state
    return address


def record_at(address) -> ImportRecord:
    return ImportRecord.objects.get(public_id=address.rpartition("/")[2])


def rows_of(caller, address):
    query = {"offset": 0, "limit": 50}
    return caller.post(f"{address}/rows/query", query, format="json").json()["rows"]


def texts_of(workbook):
    """Return all texts of the cells of a workbook."""
    sheets = load_workbook(BytesIO(workbook)).worksheets
    return {str(value) for sheet in sheets for row in sheet.values for value in row if value}


def pointers(answer):
    return [wrong["pointer"] for wrong in answer.json()["errors"]]


def test_a_page_sees_the_catalog_of_its_customer(open_page, server):
    page = open_page(
        fields={
            "member.number": {"label": "Mitgliedsnummer", "example": "CH-1"},
            "member.fee": {"hidden": True},
        },
        extraFields=[LOCKER],
    )
    seen = page.get(f"{V1}/catalogs/members").json()["entries"][0]["fields"]
    own = server.get(f"{V1}/catalogs/members").json()["entries"][0]["fields"]

    assert seen[0] == {
        "key": "number",
        "label": "Mitgliedsnummer",
        "required": True,
        "example": "CH-1",
    }
    assert seen[3]["hidden"] is True
    assert seen[-1] == {"key": "locker", "label": "Locker", "columnType": "int"}
    assert own == MEMBERS["entries"][0]["fields"]


def test_names_and_fields_of_a_customer_are_matched_and_typed(open_page):
    page = open_page(
        scope="gym-de",
        fields={"member.number": {"alternativeMatches": ["Vertragskennung"]}},
        extraFields=[LOCKER],
    )
    address = reviewed(page, "Vertragskennung,Name,Locker\n1,Anna,17\n2,Bert,x\n")

    rows = rows_of(page, address)
    assert rows[0]["values"]["member.number"] == "1"
    assert rows[0]["values"]["member.locker"] == 17
    assert [issue["field"] for issue in rows[1]["issues"]] == ["member.locker"]


def test_rules_of_a_customer_are_added_to_those_of_the_catalog(open_page):
    rule = {"validate": "regex", "regex": "^CH-", "errorMessage": "Numbers begin with CH-."}
    page = open_page(
        fields={"member.number": {"validations": [rule]}, "member.fee": {"required": True}}
    )
    address = reviewed(page, "Number,Name,Fee\nCH-1,Anna,\n2,Bert,3\n")

    issues = [
        (issue["field"], issue["message"])
        for row in rows_of(page, address)
        for issue in row["issues"]
    ]
    assert ("member.number", "Numbers begin with CH-.") in issues
    assert "member.fee" in [field for field, _ in issues]


def test_options_are_added_or_replaced_and_a_currency_fills_its_fields(open_page):
    page = open_page(
        context={
            "currency": "CHF",
            "options": {"member.status": {"add": [option("trial")]}},
            "defaults": {"member.fee": "12"},
        }
    )
    address = reviewed(
        page, "Number,Name,Status,Fee,Currency\n1,Anna,trial,,\n2,Bert,active,7,EUR\n"
    )

    first, second = (row["values"] for row in rows_of(page, address))
    assert (first["member.status"], first["member.fee"], first["member.currency"]) == (
        "trial",
        12,
        "CHF",
    )
    assert (second["member.status"], second["member.currency"]) == ("active", "EUR")

    narrow = open_page(context={"options": {"member.status": {"replace": [option("active")]}}})
    rows = rows_of(narrow, reviewed(narrow, "Number,Name,Status\n1,Anna,active\n2,Bert,paused\n"))
    assert [len(row["issues"]) for row in rows] == [0, 1]


def test_a_page_sees_and_the_matcher_knows_the_options_of_its_customer(open_page):
    own = [{**option("trial"), "alternativeMatches": ["Probe"]}, option("gold")]
    page = open_page(context={"options": {"member.status": {"replace": own}}})
    address = reviewed(page, "Number,Name,Kind\n1,Anna,Probe\n2,Bert,gold\n")

    for shown in (f"{V1}/catalogs/members", f"{address}/catalog"):
        fields = page.get(shown).json()["entries"][0]["fields"]
        assert fields[2] == {**MEMBERS["entries"][0]["fields"][2], "dropdownOptions": own}
    assert [row["values"]["member.status"] for row in rows_of(page, address)] == ["trial", "gold"]
    template = page.get(f"{V1}/catalogs/members/template").content
    assert "Trial" in texts_of(template)
    assert "Paused" not in texts_of(template)


def test_rows_are_found_by_the_label_of_an_option_of_the_customer(open_page):
    own = [{**option("gold"), "label": "Premium"}, option("trial")]
    page = open_page(context={"options": {"member.status": {"replace": own}}})
    address = reviewed(page, "Number,Name,Status\n1,Anna,gold\n2,Bert,trial\n")

    view = {"view": {"search": "premium"}, "limit": 10}
    rows = page.post(f"{address}/rows/query", view, format="json").json()["rows"]

    assert [row["values"]["member.number"] for row in rows] == ["1"]


def test_options_of_one_import_are_in_its_catalog(server):
    body = {"catalogKey": "members", "context": {"options": {"member.status": [option("trial")]}}}
    address = reviewed(server, "Number,Name,Status\n1,Anna,trial\n", **body)

    fields = server.get(f"{address}/catalog").json()["entries"][0]["fields"]
    assert fields[2]["dropdownOptions"] == [option("trial")]
    own = server.get(f"{V1}/catalogs/members").json()["entries"][0]["fields"]
    assert own == MEMBERS["entries"][0]["fields"]


def test_pages_with_different_options_do_not_share_a_copy(open_page):
    tags = {
        open_page(context={"options": {"member.status": {"replace": [option(name)]}}})
        .get(f"{V1}/catalogs/members")
        .headers["ETag"]
        for name in ("active", "paused")
    }

    assert len(tags) == 2


def test_what_goes_beyond_the_catalog_needs_an_entitlement(plain_server):
    beyond = {
        "extraFields": [LOCKER],
        "fields": {"member.name": {"required": False}, "member.note": {"hidden": False}},
        "context": {"options": {"member.status": [option("trial")]}},
    }
    answer = ask(plain_server, **beyond)

    assert (answer.status_code, answer.json()["code"]) == (403, "entitlement_required")
    assert answer.json()["entitlement"] == "catalogOverlays"
    assert pointers(answer) == [
        "/extraFields/0",
        "/fields/member.name/required",
        "/fields/member.note/hidden",
        "/context/options/member.status",
    ]
    assert not PageSession.objects.exists()


def test_narrowing_needs_no_entitlement(plain_server):
    answer = ask(
        plain_server,
        fields={
            "member.fee": {"disabled": True, "label": "Beitrag"},
            "member.status": {"required": True, "readOnly": True},
        },
        context={"options": {"member.status": {"replace": [option("active")]}}},
    )
    assert answer.status_code == 201, answer.content


@pytest.mark.parametrize(
    ("wanted", "pointer", "code"),
    [
        ({"fields": {"member.nmae": {"label": "x"}}}, "/fields/member.nmae", "unknown_field"),
        ({"extraFields": [{**LOCKER, "entity": "dog"}]}, "/extraFields/0/entity", "unknown_entry"),
        ({"extraFields": [{**LOCKER, "key": "name"}]}, "/extraFields/0/key", "duplicate_field"),
        ({"extraFields": [LOCKER, LOCKER]}, "/extraFields/1/key", "duplicate_field"),
        (
            {"extraFields": [{**LOCKER, "columnType": "integer"}]},
            "/extraFields/0/columnType",
            "invalid_overlay",
        ),
        (
            {"fields": {"member.name": {"disabled": True}}},
            "/fields/member.name/disabled",
            "required_field",
        ),
        (
            {"fields": {"member.name": {"hidden": True}}},
            "/fields/member.name/hidden",
            "required_field",
        ),
        (
            {"fields": {"member.note": {"required": True}}},
            "/fields/member.note/required",
            "required_field",
        ),
        (
            {"fields": {"member.name": {"requird": True}}},
            "/fields/member.name/requird",
            "invalid_overlay",
        ),
        (
            {"fields": {"member.name": {"columnType": "int"}}},
            "/fields/member.name/columnType",
            "invalid_overlay",
        ),
        (
            {"fields": {"member.name": {"required": "yes"}}},
            "/fields/member.name/required",
            "invalid_overlay",
        ),
        ({"context": {"currency": "EURO"}}, "/context/currency", "unknown_currency"),
        ({"context": {"currency": 7}}, "/context/currency", "unknown_currency"),
        (
            {"context": {"options": {"member.status": {"only": []}}}},
            "/context/options/member.status",
            "invalid_context",
        ),
    ],
)
def test_what_does_not_fit_is_refused_at_its_place(wanted, pointer, code, server):
    answer = ask(server, **wanted)

    assert answer.status_code == 400, answer.content
    assert [(wrong["pointer"], wrong["code"]) for wrong in answer.json()["errors"]] == [
        (pointer, code)
    ]
    assert not PageSession.objects.exists()


def test_a_hundred_fields_of_one_customer_are_the_most(server):
    extra = [{**LOCKER, "key": f"locker_{number}"} for number in range(101)]

    assert ask(server, extraFields=extra[:100]).status_code == 201
    refused = ask(server, extraFields=extra)
    assert (refused.status_code, pointers(refused)) == (400, ["/extraFields"])


def test_a_hidden_field_may_be_required_with_a_default(server):
    hidden = {"member.name": {"hidden": True}}
    answer = ask(server, fields=hidden, context={"defaults": {"member.name": "n/n"}})

    assert answer.status_code == 201, answer.content


def test_a_session_keeps_its_version_when_another_is_published(open_page, members, server):
    page = open_page(fields={"member.fee": {"label": "Beitrag"}})
    later = json.loads(json.dumps(MEMBERS))
    later["entries"][0]["fields"][3]["key"] = "price"
    members(later)

    address = reviewed(page)
    shown = page.get(address).json()
    assert shown["catalogVersion"] == 1
    assert page.get(f"{V1}/catalogs/members").json()["version"] == 1
    assert page.get(f"{V1}/catalogs").json()["items"][0]["version"] == 1
    assert reviewed(server)
    assert server.get(f"{V1}/catalogs/members").json()["version"] == 2
    assert server.get(f"{V1}/sessions").json()["items"][0]["catalogVersion"] == 1


def test_a_session_ends_with_the_catalog_it_is_for(open_page, owner):
    page = open_page(fields={"member.fee": {"label": "Beitrag"}})
    catalogs.retire(tenant=owner, key="members", at=clock.now(), actor=ENGINE)

    answer = page.post(f"{V1}/imports", {"text": TEXT}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_catalog")


def test_the_overlay_of_an_import_is_frozen_and_shown(open_page, server):
    page = open_page(scope="gym-ch", fields={"member.fee": {"label": "Beitrag"}})
    address = reviewed(page)
    shown = server.get(address).json()["overlay"]

    assert shown["fields"] == {"member.fee": {"label": "Beitrag"}}
    assert shown["extraFields"] == []
    assert len(shown["digest"]) == 64
    other = open_page(scope="gym-ch", fields={"member.fee": {"label": "Betrag"}})
    assert other.get(address).json()["overlay"] == shown
    assert reviewed(other) != address
    catalog = server.get(f"{address}/catalog").json()
    assert catalog["entries"][0]["fields"][3]["label"] == "Beitrag"


def test_values_of_a_read_only_field_are_seen_and_not_changed(open_page):
    page = open_page(fields={"member.fee": {"readOnly": True}})
    address = reviewed(page)
    before = page.get(address).json()
    revision = before["revision"]

    def edit(path):
        edits = [{"row": 0, "field": path, "text": "99"}]
        return page.patch(f"{address}/rows", {"revision": revision, "edits": edits}, format="json")

    refused = edit("member.fee")
    assert (refused.status_code, refused.json()["code"]) == (409, "read_only_field")
    assert pointers(refused) == ["/edits/0/field"]
    search = {"find": "10.50", "replace": "1", "view": {}, "revision": revision}
    for preview in (True, False):
        answer = page.post(
            f"{address}/rows/replace",
            {**search, "inFields": ["member.fee"], "preview": preview},
            format="json",
        )
        assert (answer.status_code, answer.json()["code"]) == (409, "read_only_field"), preview
    assert page.get(address).json()["revision"] == revision
    assert edit("member.name").status_code == 200


def test_a_page_cannot_bring_an_overlay_of_its_own(open_page):
    page = open_page(rights=["context"])
    for member, value in {
        "fields": {"member.fee": {"label": "x"}},
        "extraFields": [LOCKER],
        "emptyCells": "clear",
        "openQuestions": "dismiss",
        "profileId": "prf_1",
    }.items():
        answer = page.post(f"{V1}/imports", {"text": TEXT, member: value}, format="json")
        assert answer.status_code == 403, (member, answer.content)
        assert pointers(answer) == [f"/{member}"]


def test_a_server_sends_the_same_members_with_one_import(server, plain_server):
    body = {
        "catalogKey": "members",
        "extraFields": [LOCKER],
        "fields": {"member.fee": {"hidden": True}},
    }
    address = reviewed(server, "Number,Name,Locker\n1,Anna,17\n", **body)

    assert rows_of(server, address)[0]["values"]["member.locker"] == 17
    refused = plain_server.post(f"{V1}/imports", {"text": TEXT, **body}, format="json")
    assert refused.json()["code"] == "entitlement_required"


def test_a_form_sends_an_overlay_as_text(server):
    file = BytesIO(b"Number,Name,Locker\n1,Anna,17\n")
    file.name = "members.csv"
    answer = server.post(
        f"{V1}/imports",
        {"file": file, "catalogKey": "members", "extraFields": json.dumps([LOCKER])},
    )
    assert answer.status_code == 202, answer.content
    assert answer.json()["overlay"]["extraFields"] == [LOCKER]


def test_a_session_fixes_how_rows_are_applied(open_page):
    page = open_page(
        scope="gym-ch", applyMode="browser", emptyCells="clear", openQuestions="dismiss"
    )
    address = reviewed(page)

    other = page.post(f"{address}/apply", {"emptyCells": "keep"}, format="json")
    assert (other.status_code, other.json()["code"]) == (403, "fixed_by_session")
    assert page.post(f"{address}/apply", {}, format="json").status_code == 202
    carry_on(page, record_at(address).public_id)
    assert page.get(f"{V1}/changesets").status_code == 403  # lists are for servers
    assert record_at(address).changesets.get().empty_cells == "clear"


def test_a_server_may_choose_otherwise_than_the_overlay(server):
    address = reviewed(server, catalogKey="members", emptyCells="clear")

    chosen = {"emptyCells": "keep", "applyMode": "browser"}
    assert server.post(f"{address}/apply", chosen, format="json").status_code == 202
    assert record_at(address).changesets.get().empty_cells == "keep"


def test_a_session_starts_from_the_mapping_it_names(open_page, server):
    teach = open_page(scope="gym-ch", applyMode="browser")
    made = teach.post(f"{V1}/imports", {"text": "aa,bb\n1,Anna\n"}, format="json").json()
    address = f"{V1}/imports/{made['recordId']}"
    carry_on(teach, made["recordId"])
    mapping = {"aa": "member.number", "bb": "member.name"}
    assert teach.put(f"{address}/mapping", {"mapping": mapping}, format="json").status_code == 202
    carry_on(teach, made["recordId"])
    assert teach.post(f"{address}/apply", {}, format="json").status_code == 202
    carry_on(teach, made["recordId"])
    profile = Profile.objects.get()

    page = open_page(scope="gym-ch", profileId=profile.public_id)
    address = reviewed(page, "bb,cc,aa\nBert,x,2\n")
    assert rows_of(page, address)[0]["values"]["member.number"] == "2"
    assert ask(server, scope="gym-de", profileId=profile.public_id).status_code == 404


def test_an_import_taken_again_keeps_its_overlay(server):
    address = reviewed(server, catalogKey="members", fields={"member.fee": {"label": "Beitrag"}})
    again = server.post(f"{V1}/imports", {"from": address.rpartition("/")[2]}, format="json")
    assert again.status_code == 202, again.content
    assert again.json()["overlay"]["fields"] == {"member.fee": {"label": "Beitrag"}}


def test_an_import_taken_again_gets_no_options_of_an_older_session(open_page):
    wide = open_page(
        scope="gym-ch", context={"options": {"member.status": {"add": [option("trial")]}}}
    )
    address = reviewed(wide)
    narrow = open_page(
        scope="gym-ch", context={"options": {"member.status": {"replace": [option("active")]}}}
    )
    again = narrow.post(f"{V1}/imports", {"from": address.rpartition("/")[2]}, format="json")

    assert again.status_code == 202, again.content
    options = ImportRecord.objects.get(public_id=again.json()["recordId"]).context["options"]
    assert [item["value"] for item in options["member.status"]] == ["active"]


def settings_of(caller, address, row):
    """Return what of the customer's settings changed each cell of a row, by field path."""
    explanation = caller.get(f"{address}/rows/{row}/explain").json()
    return explanation, {
        cell["field"]: [(item["setting"], item["without"]) for item in cell["settings"]]
        for cell in explanation["cells"]
        if cell["settings"]
    }


def test_explain_names_what_of_the_overlay_changed_a_cell(open_page):
    rule = {"validate": "regex", "regex": "^CH-"}
    page = open_page(
        fields={
            "member.number": {"validations": [rule], "alternativeMatches": ["Vertragskennung"]},
            "member.fee": {"hidden": True, "label": "Beitrag"},
            "member.status": {"required": True},
        },
        extraFields=[LOCKER],
        context={"currency": "CHF", "options": {"member.status": {"add": [option("trial")]}}},
    )
    address = reviewed(
        page, "Vertragskennung,Name,Status,Locker\nCH-1,Anna,trial,1\nx,Bert,active,2\nCH-3,C,,3\n"
    )
    first, of_first = settings_of(page, address, 0)
    _, of_second = settings_of(page, address, 1)
    _, of_third = settings_of(page, address, 2)

    assert first["overlayDigest"] == page.get(address).json()["overlay"]["digest"]
    named = ("/fields/member.number/alternativeMatches", None)
    always = {
        "member.fee": [("/fields/member.fee/hidden", None)],
        "member.locker": [("/extraFields/0", None)],
        "member.currency": [("/context/defaults/member.currency", {"value": None, "issues": []})],
    }
    refused = {"value": None, "issues": ["unknown_option"]}
    assert of_first == always | {
        "member.number": [named],
        "member.status": [("/context/options/member.status", refused)],
    }
    broken = ("/fields/member.number/validations", {"value": "x", "issues": []})
    assert of_second == always | {"member.number": [named, broken]}
    missing = ("/fields/member.status/required", {"value": None, "issues": []})
    assert of_third == always | {"member.number": [named], "member.status": [missing]}


def test_explain_names_a_rule_of_the_overlay_that_compares_rows(open_page):
    page = open_page(fields={"member.name": {"validations": [{"validate": "unique"}]}})
    address = reviewed(page, "Number,Name\n1,Anna\n2,Anna\n")

    assert settings_of(page, address, 1)[1] == {
        "member.name": [("/fields/member.name/validations", {"value": "Anna", "issues": []})]
    }


def test_explain_names_no_settings_where_a_customer_has_none(server):
    address = reviewed(server)

    explanation, settings = settings_of(server, address, 0)
    assert explanation["overlayDigest"] is None
    assert settings == {}


def test_the_mapping_names_fields_that_a_default_of_the_customer_fills(open_page, server):
    page = open_page(context={"currency": "CHF"})

    assert page.get(f"{reviewed(page)}/mapping").json()["filled"] == ["member.currency"]
    assert server.get(f"{reviewed(server)}/mapping").json()["filled"] == []
