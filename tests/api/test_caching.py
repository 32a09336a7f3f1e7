"""Answers to one caller are not cached anywhere."""

import pytest
from django.contrib.auth import get_user_model

from tests.imports.conftest import client, owner, publish, upload

__all__ = ["client", "owner", "publish", "upload"]  # fixtures

pytestmark = pytest.mark.django_db
V1 = "/api/import/v1"


@pytest.mark.parametrize("path", ["imports", "catalogs/orders", "license/verify", "nowhere"])
def test_an_answer_to_a_key_is_kept_nowhere(path, publish, client):
    publish("orders")

    assert client.get(f"{V1}/{path}").headers["Cache-Control"] == "no-store"


def test_an_export_is_kept_nowhere(publish, upload, client):
    publish("orders")
    record_id = upload("orders-cp1252.csv", autoMap="true")["recordId"]

    answer = client.get(f"{V1}/imports/{record_id}/export", {"rows": "all", "format": "csv"})

    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"


def test_a_page_of_the_admin_is_kept_nowhere(client):
    from django.test import Client

    browser = Client()
    browser.force_login(get_user_model().objects.create_superuser("root"))

    for path in ("/admin/", "/admin/catalogs"):
        assert "no-store" in browser.get(path).headers["Cache-Control"]


@pytest.mark.parametrize("path", ["contracts/keys?tenant=tnt_owner", "openapi.json"])
def test_what_is_for_all_may_be_kept(path, owner):
    from rest_framework.test import APIClient

    assert APIClient().get(f"{V1}/{path}").headers.get("Cache-Control") != "no-store"
