"""``manage.py license``: make a pair, mint, revoke, list. Spec: License key."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from licensing.models import License, Tenant

pytestmark = pytest.mark.django_db


@pytest.fixture
def engine(settings, tmp_path):
    """Return an empty data folder; the engine has the public key of a new pair."""
    settings.DATA_DIR = tmp_path
    run("keygen")
    settings.LICENSE_PUBLIC_KEY = (tmp_path / "keys/license-public.pem").read_text()
    return tmp_path


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("license", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def minted(*arguments: str) -> dict[str, object]:
    return json.loads(run("mint", "--json", *arguments))


def test_a_private_key_is_for_its_owner_only(engine):
    assert (engine / "keys/license-private.pem").stat().st_mode & 0o777 == 0o600
    assert (engine / "keys").stat().st_mode & 0o077 == 0


def test_a_pair_is_never_overwritten(engine):
    before = (engine / "keys/license-private.pem").read_bytes()

    with pytest.raises(CommandError, match="already there"):
        run("keygen")

    assert (engine / "keys/license-private.pem").read_bytes() == before


def test_a_lone_public_key_is_not_overwritten_either(engine):
    (engine / "keys/license-private.pem").unlink()

    with pytest.raises(CommandError, match="already there"):
        run("keygen")

    assert not (engine / "keys/license-private.pem").exists()


def test_keygen_names_both_files_for_scripts(tmp_path):
    written = json.loads(run("keygen", "--json", "--directory", str(tmp_path / "pair")))

    assert "PRIVATE KEY" in (tmp_path / "pair/license-private.pem").read_text()
    assert written["publicKey"] == str(tmp_path / "pair/license-public.pem")


def test_a_minted_key_opens_the_engine(engine, client_of):
    key = run("mint", "--tenant", "tnt_acme", "--label", "Acme").strip()

    answer = client_of(key).get("/api/import/v1/license/verify")

    assert answer.json()["tenantId"] == "tnt_acme"
    assert Tenant.objects.get().label == "Acme"


def test_a_minted_key_carries_what_was_asked(engine):
    options = ("--entitlement", "agentAccess", "--entitlement", "catalogEditor")
    origins = ("--origin", "https://a.example", "--origin", "https://b.example:8443")

    license = minted("--plan", "enterprise", *options, *origins)

    assert license["entitlements"] == {"agentAccess": True, "catalogEditor": True}
    assert license["origins"] == ["https://a.example", "https://b.example:8443"]


def test_the_key_is_kept_nowhere(engine):
    license = minted("--plan", "enterprise")
    row = License.objects.values().get()

    signature = str(license["key"]).rpartition(".")[2]
    assert row["public_id"] == license["licenseId"]
    assert not any(signature in str(value) for value in row.values())


def test_a_plain_mint_has_no_entitlement(engine):
    assert minted("--plan", "enterprise")["entitlements"] == {}


@pytest.mark.parametrize("plan", [(), ("--plan", "team"), ("--plan", "Enterprise")])
def test_agent_access_is_minted_on_the_enterprise_plan_only(engine, plan):
    with pytest.raises(CommandError, match="enterprise plan only"):
        run("mint", "--entitlement", "agentAccess", *plan)

    assert not License.objects.exists()


def test_a_second_mint_for_the_tenant_starts_from_nothing(engine):
    minted("--tenant", "tnt_acme", "--plan", "enterprise", "--entitlement", "agentAccess")

    assert minted("--tenant", "tnt_acme", "--plan", "enterprise")["entitlements"] == {}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--tenant", "acme"), "--tenant must be"),
        (("--plan", "a b"), "--plan must be"),
        (("--days", "0"), "--days must be"),
        (("--origin", "https://a.example/page"), "--origin must be"),
        (("--origin", "*"), "--origin must be"),
        (("--entitlement", "agentacces"), "invalid choice"),
        (("--private-key", "/nonexistent.pem"), "no readable private key"),
    ],
)
def test_a_wrong_option_is_named(engine, arguments, complaint):
    with pytest.raises(CommandError, match=complaint):
        run("mint", *arguments)


def test_a_public_key_cannot_mint(engine):
    with pytest.raises(CommandError, match="no readable private key"):
        run("mint", "--private-key", str(engine / "keys/license-public.pem"))


def test_a_key_that_this_engine_would_refuse_comes_with_a_note(engine, settings, tmp_path):
    run("keygen", "--directory", str(tmp_path / "other"))

    output = run("mint", "--private-key", str(tmp_path / "other/license-private.pem"))

    assert "does not accept the new key" in output


def test_minting_does_not_rename_a_tenant_and_says_so(engine):
    run("mint", "--tenant", "tnt_acme", "--label", "Acme")

    output = run("mint", "--tenant", "tnt_acme", "--label", "Acme for the shop")

    assert Tenant.objects.get().label == "Acme"
    assert "tnt_acme keeps the name 'Acme'" in output
    assert "Note" not in run("mint", "--tenant", "tnt_acme", "--label", "Acme")
    assert "Note" not in run("mint", "--tenant", "tnt_acme")


def test_minting_names_a_tenant_that_has_no_name_yet(engine):
    run("mint", "--tenant", "tnt_acme")

    run("mint", "--tenant", "tnt_acme", "--label", "Acme")

    assert Tenant.objects.get().label == "Acme"


def test_a_key_is_not_doubted_by_the_engine_it_is_for_nor_where_none_runs(engine, settings):
    assert "Note" not in run("mint")

    settings.LICENSE_PUBLIC_KEY = ""

    assert "Note" not in run("mint")


def test_a_revoked_key_is_out(engine, client_of):
    license = minted()

    run("revoke", str(license["licenseId"]), "--reason", "leaked")

    answer = client_of(str(license["key"])).get("/api/import/v1/license/verify")
    assert answer.status_code == 401
    assert License.objects.get().revoked_reason == "leaked"


def test_a_second_revocation_keeps_the_first_reason(engine):
    license_id = str(minted()["licenseId"])
    run("revoke", license_id, "--reason", "leaked")

    assert "already revoked" in run("revoke", license_id, "--reason", "again")
    assert License.objects.get().revoked_reason == "leaked"


def test_a_key_minted_elsewhere_is_revoked_by_itself(engine, client_of):
    license = minted()
    License.objects.all().delete()

    run("revoke", str(license["key"]), "--reason", "leaked")

    answer = client_of(str(license["key"])).get("/api/import/v1/license/verify")
    assert answer.json()["code"] == "license_revoked"


@pytest.mark.parametrize("named", ["lic_unknown", "imp_lic_a.b.c", ""])
def test_revoking_the_unknown_says_so(engine, named):
    with pytest.raises(CommandError, match="No license has this id"):
        run("revoke", named, "--reason", "leaked")


def test_the_list_shows_what_is_known_of_a_tenant(engine):
    ours = minted("--tenant", "tnt_acme")
    minted("--tenant", "tnt_other")
    run("revoke", str(ours["licenseId"]), "--reason", "leaked")

    (listed,) = json.loads(run("list", "--json", "--tenant", "tnt_acme"))

    assert listed["licenseId"] == ours["licenseId"]
    assert listed["revokedReason"] == "leaked"
    assert "revoked (leaked)" in run("list")


def test_a_label_is_kept_and_travels_with_the_key(engine, client_of):
    license = minted("--tenant", "tnt_acme", "--key-label", " Nightly\nexport")
    License.objects.all().delete()  # as on an engine where the key was not minted

    assert license["label"] == "Nightly export"
    assert client_of(str(license["key"])).get("/api/import/v1/license/verify").status_code == 200
    assert License.objects.get().label == "Nightly export"
    assert "Nightly export" in run("list")


def test_an_empty_list_says_so():
    assert run("list").strip() == "No licenses."
