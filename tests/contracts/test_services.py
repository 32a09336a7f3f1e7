"""Signing what a tenant accepts: what it contains, what it never contains, and which key signs."""

import json
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from catalogs import services as catalogs
from catalogs.models import CatalogVersion
from common import clock
from common.actors import ENGINE
from common.errors import ServiceError
from contracts import selectors, services, signing
from contracts.errors import (
    DraftNotExported,
    ListNeeded,
    ProfileOutdated,
    UnknownContract,
    ValuesQuoted,
)
from contracts.models import IssuedContract, SigningKey
from importengine.erasure import erase_tenant
from imports.models import Profile
from licensing.models import Tenant
from tabular import versions
from tests.contracts.conftest import MARKER
from tests.imports.conftest import carry_on
from tests.tabular.model.test_field_model import CATALOG, ROWS, changed

pytestmark = pytest.mark.django_db


def contract_of(issued: IssuedContract) -> dict:
    return json.loads(issued.bundle)["contract"]


def test_a_contract_says_what_the_profile_and_the_policy_say(export, profile):
    end = clock.now() + timedelta(days=30)

    policy = {"max_rows": 9, "encodings": ["utf-8"]}
    contract = contract_of(export(profile, title="For Ada", expires_at=end, **policy))

    assert contract["title"] == "For Ada"
    assert contract["profile"] == {
        "version": 3,
        "fingerprint": profile.fingerprint,
        "headerRow": 2,
        "mapping": profile.mapping,
        "recipe": profile.recipe,
    }
    assert contract["policy"]["maxRows"] == 9
    assert contract["policy"]["encodings"] == ["utf-8"]
    assert contract["engine"] == {"matcher": versions.MATCHER, "transform": versions.TRANSFORM}
    assert contract["issuer"]["tenant"] == "tnt_owner"
    assert contract["expiresAt"] == clock.iso(end)


def test_the_columns_of_required_fields_are_required_unless_the_exporter_says_which(
    export, profile, version
):
    needed = {p for p, f in version.as_catalog().live_fields.items() if f.is_required}
    columns = [column for column, path in profile.mapping.items() if path in needed]

    assert columns
    assert contract_of(export(profile))["policy"]["requiredColumns"] == columns
    assert contract_of(export(profile, required_columns=["Who"]))["policy"]["requiredColumns"] == [
        "Who"
    ]


def test_a_contract_without_a_profile_names_no_column(export):
    contract = contract_of(export())

    assert contract["profile"] == {"version": 1}
    assert contract["policy"] == {"requiredColumns": []}
    assert contract["title"]


NESTED = {
    "key": "nested",
    "title": "Orders",
    "entries": [
        {"id": "order", "groupBy": ["number"], "fields": [{"key": "number"}]},
        {"id": "line", "childOf": "order", "fields": [{"key": "sku"}]},
    ],
}


def test_every_catalog_that_can_be_published_makes_a_contract(owner):
    taken = [CATALOG]
    alone = [row for row in ROWS if row.member not in {"childOf", "groupBy"}]  # they name others
    taken += [changed(row.at, row.member, value) for row in alone for value in row.good[-1:]]
    taken.append(NESTED)
    for number, document in enumerate(taken):
        key = f"catalog-{number}"
        text = json.dumps({**document, "key": key})
        about = {"tenant": owner, "at": clock.now(), "actor": ENGINE}
        version = catalogs.publish_document(key=key, text=text, **about)

        issued = services.export(
            version=version, profile=None, options=services.ExportOptions(), **about
        )

        signing.verify(selectors.opened(issued), selectors.public_keys_of(owner))


def test_a_draft_is_not_exported(owner, version):
    draft = catalogs.restore_version(
        tenant=owner, key="orders", number=1, at=clock.now(), actor=ENGINE
    )

    with pytest.raises(DraftNotExported):
        services.export(
            tenant=owner,
            version=draft,
            profile=None,
            options=services.ExportOptions(),
            actor=ENGINE,
            at=clock.now(),
        )


def test_a_profile_of_fields_that_are_gone_is_not_exported(export, profile):
    profile.mapping["No"] = "orders.gone"

    with pytest.raises(ProfileOutdated):
        export(profile)


def test_a_recipe_that_quotes_cells_is_signed_only_when_the_exporter_says_so(export, profile):
    quoting = {"do": "map_values", "columns": ["Who"], "values": {MARKER: "Ada"}}
    profile.recipe["steps"].append(quoting)

    with pytest.raises(ValuesQuoted) as refused:
        export(profile)
    assert refused.value.members == {"steps": [1]}
    assert MARKER not in refused.value.sentence
    assert (
        contract_of(export(profile, allow_values=True))["profile"]["recipe"]["steps"][1] == quoting
    )


def test_a_recipe_that_needs_a_value_list_is_not_signed(export, profile):
    step = {"do": "lookup", "column": "Who", "into": "Whose", "valueList": "people"}
    profile.recipe["steps"].append(step)

    with pytest.raises(ListNeeded) as refused:
        export(profile, allow_values=True)
    assert refused.value.members == {"steps": [1]}


def test_nothing_of_the_file_that_was_learned_from_is_in_the_contract(
    client, owner, publish, settings
):
    """Each cell contains a marker; only the column names may be in the contract."""
    publish("orders")
    header = "Auftrags-Nr.;Bestelldatum;Kunde;E-Mail;Artikel;Menge;Einzelpreis;Betrag;Status"
    rows = [
        f"{MARKER}-{n};0{n}.02.2026;{MARKER} Kunde {n};{MARKER}{n}@example.com;{MARKER} Stuhl;"
        f"7654321{n};7.654,3{n};7654321,0{n};offen"
        for n in range(1, 6)
    ]
    text = "\n".join([f"{MARKER} preamble", "", header, *rows]) + "\n"
    body = {"text": text, "autoMap": True, "filename": f"{MARKER}.csv", "meta": {"a": MARKER}}
    record_id = client.post("/api/import/v1/imports", body, format="json").json()["recordId"]
    address = f"/api/import/v1/imports/{record_id}"
    assert carry_on(client, record_id)["state"] == "review"
    mapping = client.get(f"{address}/mapping").json()["mapping"]
    settled = {"mapping": mapping, "recipe": None, "remember": True}
    assert client.put(f"{address}/mapping", settled, format="json").status_code in {200, 202}
    carry_on(client, record_id)
    wishes = {"applyMode": "browser", "invalidRows": "exclude", "openQuestions": "dismiss"}
    assert client.post(f"{address}/apply", wishes, format="json").status_code == 202
    assert carry_on(client, record_id)["state"] == "applied"
    learned = Profile.objects.get(tenant=owner)
    out = StringIO()

    call_command(
        "contract", "export", "--tenant=tnt_owner", f"--profile={learned.public_id}", stdout=out
    )

    bundle = out.getvalue()
    assert "Auftrags-Nr." in bundle
    assert [mark for mark in (MARKER, "7654321", "7.654,3", ".02.2026") if mark in bundle] == []


def test_the_bundle_is_kept_byte_for_byte(export):
    issued = export(title="Öffentlich 😀")

    assert IssuedContract.objects.get().bundle == issued.bundle
    assert json.loads(issued.bundle)["contract"]["title"] == "Öffentlich 😀"


def test_the_private_key_is_encrypted_at_rest_and_encrypted_again_with_the_rest(
    export, owner, settings
):
    settings.ENCRYPTION_KEYS = ["old"]
    key = services.rotate_key(tenant=owner, at=clock.now())
    assert key.private_pem.startswith("-----BEGIN PRIVATE KEY-----")
    with connection.cursor() as cursor:
        cursor.execute("SELECT private_pem FROM contracts_signingkey WHERE kid = %s", [key.kid])
        (stored,) = cursor.fetchone()
    assert "PRIVATE" not in stored
    settings.ENCRYPTION_KEYS = ["new", "old"]

    call_command("rotate-encryption", stdout=StringIO())

    settings.ENCRYPTION_KEYS = ["new"]
    assert SigningKey.objects.get(kid=key.kid).private_pem == key.private_pem
    assert export().key == key


def test_one_key_signs_until_it_is_rotated_and_what_it_signed_stays_good(export, owner):
    first, second = export(), export()
    fresh = services.rotate_key(tenant=owner, at=clock.now())
    third = export()

    assert first.key == second.key != third.key == fresh
    assert SigningKey.objects.get(pk=first.key.pk).private_pem == ""
    for issued in (first, second, third):
        selectors.contract_in_force(owner, issued.contract_id, clock.now())


def test_nothing_that_a_revoked_key_signed_is_accepted(export, owner):
    issued = export()
    services.revoke_key(key=issued.key, at=clock.now())

    with pytest.raises(ServiceError) as refused:
        selectors.contract_in_force(owner, issued.contract_id, clock.now())
    assert refused.value.code == "contract_key_unknown"
    assert selectors.key_set() == {"keys": []}
    assert export().key != issued.key


def test_a_key_of_one_tenant_signs_for_no_other(export, owner):
    stranger = Tenant.objects.create(public_id="tnt_stranger", created_at=clock.now())
    issued = export()
    text = issued.bundle.encode()

    with pytest.raises(UnknownContract):
        selectors.contract_of(stranger, issued.contract_id)
    with pytest.raises(ServiceError) as refused:
        selectors.verified(text, stranger, clock.now())
    assert refused.value.code == "contract_key_unknown"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ("expired", "contract_expired"),
        ("pins", "contract_pin_mismatch"),
        ("content", "contract_id_mismatch"),
    ],
)
def test_what_is_in_the_way_of_a_contract_has_a_code_of_its_own(
    change, code, export, owner, monkeypatch
):
    issued = export(expires_at=clock.now() + timedelta(days=1))
    at = clock.now()
    if change == "expired":
        at += timedelta(days=2)
    if change == "pins":
        monkeypatch.setattr(versions, "MATCHER", "another")
    if change == "content":
        IssuedContract.objects.update(bundle=issued.bundle.replace('"title":"', '"title":"x'))

    with pytest.raises(ServiceError) as refused:
        selectors.contract_in_force(owner, issued.contract_id, at)
    assert refused.value.code == code


def test_the_command_exports_lists_shows_and_prints_keys(owner, version, tmp_path):
    def run(*arguments: str) -> str:
        out = StringIO()
        tenant = () if "--tenant=tnt_owner" in arguments else ("--tenant=tnt_owner",)
        call_command("contract", *arguments, *tenant, stdout=out)
        return out.getvalue().rstrip("\n")

    target = tmp_path / "bundle.json"
    contract_id = run("export", "--catalog=orders", "--title=T", "--max-rows=5", f"--out={target}")

    assert run("show", contract_id) == target.read_text("utf-8")
    assert run("list") == f"{contract_id}\tnever expires\tT"
    assert json.loads(run("keys")) == selectors.key_set("tnt_owner")
    kid = run("rotate-key")
    revoked = run("revoke-key", "--tenant=tnt_owner", "--", kid)
    assert revoked == f"Contracts signed with {kid} are no longer accepted."
    with pytest.raises(CommandError, match="past"):
        run("export", "--expires=2020-01-01")


def test_contracts_and_keys_go_with_the_tenant(export, owner):
    export()

    erase_tenant(tenant=owner, actor=ENGINE, at=clock.now())

    assert not IssuedContract.objects.exists()
    assert not SigningKey.objects.exists()


def test_a_contract_carries_the_region_of_its_catalog_in_the_recipe(owner):
    document = {"key": "people", "region": "CH"}
    document["entries"] = [{"id": "p", "fields": [{"key": "phone", "columnType": "phone"}]}]
    text = json.dumps(document).encode()
    version = catalogs.publish_document(
        tenant=owner, key="people", text=text, at=clock.now(), actor=ENGINE
    )

    issued = services.export(
        tenant=owner,
        version=version,
        profile=None,
        options=services.ExportOptions(),
        actor=ENGINE,
        at=clock.now(),
    )

    assert contract_of(issued)["profile"] == {"version": 1, "recipe": {"region": "CH"}}
    assert selectors.opened(issued).contract.target.region == "CH"
    assert json.loads(selectors.catalog_in(issued.bundle.encode()))["region"] == "CH"


def test_the_impact_of_a_draft_names_a_changed_region_and_currency(owner):
    def document(region, currency):
        amount = {"key": "amount", "columnType": "float", "outputFormat": currency}
        phone = {"key": "phone", "columnType": "phone"}
        entries = [{"id": "p", "fields": [amount, phone]}]
        return {"key": "people", "region": region, "entries": entries}

    text = json.dumps(document("CH", "CHF")).encode()
    version = catalogs.publish_document(
        tenant=owner, key="people", text=text, at=clock.now(), actor=ENGINE
    )
    issued = services.export(
        tenant=owner,
        version=version,
        profile=None,
        options=services.ExportOptions(),
        actor=ENGINE,
        at=clock.now(),
    )
    same, other = (
        CatalogVersion(catalog=version.catalog, document=json.dumps(document(*pair)))
        for pair in (("CH", "CHF"), ("GB", "GBP"))
    )

    target = selectors.opened(issued).contract.target
    assert target.fields_by_path["p.amount"].output_format == "CHF"
    assert selectors.impact(owner, same, clock.now()) == []
    (affected,) = selectors.impact(owner, other, clock.now())
    changes = [
        (change.place, change.member, change.before, change.after, change.breaking)
        for change in affected.changes
    ]
    assert changes == [
        ("catalog", "region", "CH", "GB", True),
        ("p.amount", "outputFormat", "CHF", "GBP", True),
    ]
