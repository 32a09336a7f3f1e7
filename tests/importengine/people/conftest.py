"""A provider, and a tenant of its map."""

from ipaddress import ip_network

import pytest
from django.core.cache import cache

from common import clock
from importengine.people.fixed import PASSWORD, PROVIDER
from importengine.people.group_map import read
from licensing.models import Tenant
from tests.importengine.people.provider import CLIENT, SmallProvider, running

MAP = "ops = superuser; orders = editor@tnt_a; readers = viewer@tnt_a"


@pytest.fixture(scope="module")
def one_provider():
    with running() as provider:
        yield provider


@pytest.fixture
def provider(one_provider, settings):
    cache.clear()
    blank = SmallProvider()
    for name in ("claims", "changes", "userinfo", "discovery", "raw", "token_forms"):
        setattr(one_provider, name, getattr(blank, name))
    one_provider.key = one_provider.key
    one_provider.silent.clear()
    one_provider.drips.clear()
    settings.OIDC_URL, settings.OIDC_CLIENT_ID = one_provider.url, CLIENT
    settings.OIDC_CLIENT_SECRET, settings.OIDC_GROUPS = "s3cret", read(MAP)
    settings.OIDC_ALLOW_NETWORKS = (ip_network("127.0.0.0/8"),)
    settings.AUTHENTICATION_BACKENDS = [PASSWORD, PROVIDER]
    one_provider.claims["groups"] = ["orders"]
    return one_provider


@pytest.fixture
def tenant():
    return Tenant.objects.create(public_id="tnt_a", label="Acme", created_at=clock.now())
