"""The engine refuses to start with keys that have no place on it. Spec: Authentication."""

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command
from django.core.management.base import SystemCheckError

from importengine.web import elements
from licensing import checks
from licensing.tokens import keyfiles


@pytest.fixture
def engine(settings, tmp_path, engine_with_key, monkeypatch, db):
    settings.DATA_DIR = tmp_path
    settings.SECRET_KEY = "long enough for the other checks: 0123456789abcdefghijklmn"
    settings.ENCRYPTION_KEYS = ["long enough for the other checks: 0123456789"]
    monkeypatch.delenv("IMPORT_LICENSE_PRIVATE_KEY", raising=False)
    monkeypatch.setattr(elements, "what_is_wrong", lambda: "")  # they may not be built here
    return tmp_path


def check(*arguments: str) -> None:
    call_command("check", "--tag", "security", *arguments)


def test_an_engine_with_a_public_key_passes(engine):
    check("--deploy")


def test_a_private_key_in_the_place_of_the_public_one_stops_every_start(
    engine, settings, signing_key
):
    settings.LICENSE_PUBLIC_KEY = keyfiles.private_pem(signing_key).decode()

    with pytest.raises(SystemCheckError, match="IMPORT_LICENSE_PUBLIC_KEY holds a private key"):
        check()


def test_a_text_that_is_not_a_key_stops_every_start(engine, settings):
    settings.LICENSE_PUBLIC_KEY = "certainly no key"

    with pytest.raises(SystemCheckError, match="IMPORT_LICENSE_PUBLIC_KEY holds neither"):
        check()


def test_a_missing_public_key_is_named_on_deployment(engine, settings):
    settings.LICENSE_PUBLIC_KEY = ""

    with pytest.raises(SystemCheckError, match="IMPORT_LICENSE_PUBLIC_KEY is not set"):
        check("--deploy")


@pytest.mark.parametrize("name", ["license-private.pem", "keys/license-private.pem"])
def test_the_private_half_in_the_data_folder_is_refused_on_deployment(engine, signing_key, name):
    (engine / "keys").mkdir()
    (engine / name).write_bytes(keyfiles.private_pem(signing_key))

    with pytest.raises(SystemCheckError, match="private key is on this engine"):
        check("--deploy")


def test_a_private_key_of_something_else_is_not_a_concern(engine):
    other = ec.generate_private_key(ec.SECP256R1())
    (engine / "tls.pem").write_bytes(keyfiles.private_pem(other))

    check("--deploy")


def test_a_private_key_in_the_environment_is_refused_on_deployment(engine, monkeypatch):
    monkeypatch.setenv("IMPORT_LICENSE_PRIVATE_KEY", "whatever it is")

    with pytest.raises(SystemCheckError, match="IMPORT_LICENSE_PRIVATE_KEY"):
        check("--deploy")


def test_a_development_engine_may_keep_its_private_key(engine, signing_key):
    (engine / "license-private.pem").write_bytes(keyfiles.private_pem(signing_key))

    check()


def test_the_checks_tell_their_ids_apart(engine, settings):
    settings.LICENSE_PUBLIC_KEY = ""

    assert checks.check_public_key(None) == []
    assert [warning.id for warning in checks.check_deployed_keys(None)] == ["licensing.E002"]
