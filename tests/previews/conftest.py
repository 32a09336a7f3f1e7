"""An editor who has files tried, and the steps carried out in this process."""

import pytest

from workflow.worker import advance

V1 = "/api/import/v1"


@pytest.fixture
def editor(db, mint_key, client_of):
    return client_of(mint_key(entitlements=("catalogEditor",)))


@pytest.fixture
def stranger(db, mint_key, client_of):
    return client_of(mint_key("tnt_stranger", entitlements=("catalogEditor",)))


@pytest.fixture
def tried(editor):
    """Return a function that tries a text at a path below catalogs; returns the result."""

    def tried(address, text=None, *, client=editor, **members):
        body = members if text is None else {"text": text, **members}
        made = client.post(f"{V1}/catalogs/{address}", body, format="json")
        assert made.status_code == 202, made.content
        advance(made.json()["recordId"])
        return client.get(made["Location"]).json()

    return tried
