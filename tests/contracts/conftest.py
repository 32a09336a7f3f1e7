"""A tenant with a published catalog, and what it learned from a file."""

import pytest

from common import clock
from common.actors import ENGINE
from contracts import services
from imports.models import Profile
from tests.imports.conftest import client, owner, publish, upload

__all__ = ["client", "owner", "publish", "upload"]  # fixtures

MARKER = "zqmarkerqz"


@pytest.fixture
def version(publish):
    return publish("orders")


@pytest.fixture
def profile(owner, version) -> Profile:
    """Return the profile that an applied file with five columns would leave."""
    return Profile.objects.create(
        public_id="prf_one",
        tenant=owner,
        catalog_key="orders",
        fingerprint="f" * 64,
        columns=["No", "Day", "Who", "What", "How many", "Each", "State"],
        header_row=2,
        mapping={
            "No": "orders.order_number",
            "Day": "orders.ordered_on",
            "Who": "orders.customer",
            "What": "orders.article",
            "How many": "orders.quantity",
            "Each": "orders.unit_price",
            "State": "orders.status",
        },
        recipe={"version": 1, "steps": [{"do": "trim", "columns": ["Who"]}]},
        version=3,
        saved_at=clock.now(),
        saved_by=ENGINE.as_dict(),
    )


@pytest.fixture
def export(owner, version):
    """Return a function that signs a contract on the published catalog."""

    def export(profile=None, **wishes):
        return services.export(
            tenant=owner,
            version=version,
            profile=profile,
            options=services.ExportOptions(**wishes),
            actor=ENGINE,
            at=clock.now(),
        )

    return export
