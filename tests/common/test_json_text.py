import pytest

from common import clock
from imports.models import ImportRecord
from licensing.models import Tenant


@pytest.mark.django_db
def test_json_comes_back_in_its_order_with_its_numbers():
    meta = {"z": 1e30, "a": 1.0, "10": "ß", "9": [9007199254740993]}
    tenant = Tenant.objects.create(public_id="tnt_1", created_at=clock.now())
    ImportRecord.objects.create(
        public_id="rec_1", tenant=tenant, created_at=clock.now(), state="mapping", meta=meta
    )

    kept = ImportRecord.objects.get().meta
    assert list(kept.items()) == list(meta.items())
    assert repr(kept["a"]) == "1.0"
