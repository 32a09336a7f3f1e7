"""Notices link to what they are about: where a server reads it, and its page in the admin."""

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from deliveries.models import Delivery
from deliveries.services.notices import NOTICES, addresses
from tests.importengine.admin_rows import add_rows, tenant

pytestmark = pytest.mark.django_db
MODELS = {
    "import": "importrecord",
    "delivery": "delivery",
    "link": "link",
    "feed": "feed",
    "license": "license",
}
NOUNS = {kind.partition(".")[0]: kind for kind in NOTICES}
KINDS = sorted(NOUNS.items())


@pytest.mark.parametrize(("noun", "kind"), KINDS)
def test_the_addresses_of_a_notice_lead_to_what_it_is_about(noun, kind, mint_key, client_of):
    ours, theirs = tenant("tnt_ours"), tenant("tnt_theirs")
    row, other = (add_rows(owner)[MODELS[noun]][0] for owner in (ours, theirs))
    Delivery.objects.update(host_results=None)  # those of the admin's rows are of no shape
    person = Client()
    person.force_login(get_user_model().objects.create_superuser("root"))
    host = client_of(mint_key("tnt_ours", entitlements=("hostedLinks", "feeds")))

    shown = addresses(kind, row.public_id)

    page = person.get(shown["adminUrl"]).content.decode()
    assert row.public_id in page
    assert other.public_id not in page
    if noun in {"import", "delivery", "feed"}:  # tests/links reads links; a key reads no other key
        assert row.public_id in host.get(shown["url"]).content.decode()
        assert host.get(addresses(kind, other.public_id)["url"]).status_code == 404


def test_the_addresses_follow_the_path_and_the_origin_of_the_engine(settings):
    settings.PATH_PREFIX = "/imports"
    assert addresses("import.failed", "rec_1") == {
        "url": "/imports/api/import/v1/imports/rec_1",
        "adminUrl": "/imports/admin/imports/importrecord/?q=rec_1",
    }

    settings.PUBLIC_ORIGIN = "https://host.example"
    assert addresses("license.expiring", "lic_1") == {
        "adminUrl": "https://host.example/imports/admin/licensing/license/?q=lic_1"
    }
