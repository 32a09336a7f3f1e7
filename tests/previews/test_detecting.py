"""A detector shows live what it recognises; headers that people confirmed are offered."""

from datetime import timedelta

import pytest

from common import clock
from common.actors import ENGINE
from common.ids import new_id
from imports.models import Profile
from licensing.models import Tenant
from tests.previews.conftest import V1

CATALOGS = f"{V1}/catalogs"
TEXT = "sku;mail;note\nA-1;a@b.de;x\nA-2;keine;\nB7;c@d.de;\nA-2;a@b.de;\n"


@pytest.fixture
def detect(editor, tried):
    record_id = tried("infer", TEXT)["recordId"]

    def detect(detector, **members):
        body = {"recordId": record_id, "detector": detector, **members}
        return editor.post(f"{CATALOGS}/detect", body, format="json")

    return detect


@pytest.mark.parametrize(
    ("detector", "expected"),
    [
        ({"kind": "regex", "pattern": r"^A-\d$"}, {"sku": (2, 3), "mail": (0, 3), "note": (0, 1)}),
        ({"kind": "builtin", "name": "email"}, {"sku": (0, 3), "mail": (2, 3), "note": (0, 1)}),
        ({"kind": "oneOf", "values": ["x"]}, {"sku": (0, 3), "mail": (0, 3), "note": (1, 1)}),
    ],
)
def test_a_detector_says_what_it_recognises(detect, detector, expected):
    columns = detect(detector).json()["columns"]

    assert {column["column"]: (column["matched"], column["of"]) for column in columns} == expected
    assert columns[0]["rate"] == pytest.approx(columns[0]["matched"] / columns[0]["of"])


def test_one_column_is_looked_at_alone(detect):
    columns = detect({"kind": "builtin", "name": "email"}, column="mail").json()["columns"]

    assert [column["column"] for column in columns] == ["mail"]


@pytest.mark.parametrize(
    ("detector", "members", "pointer"),
    [
        ({"kind": "regex", "pattern": "("}, {}, "/detector/pattern"),
        ({"kind": "regex", "pattern": ""}, {}, "/detector/pattern"),
        ({"kind": "regex"}, {}, "/detector/pattern"),
        ({"kind": "magic"}, {}, "/detector"),
        ({"kind": "builtin", "name": "text"}, {}, "/detector/name"),
        ({"kind": "oneOf", "values": [1]}, {}, "/detector/values/0"),
        ({"kind": "builtin", "name": "iban"}, {"column": "none"}, "/column"),
        ("iban", {}, "/detector"),
    ],
)
def test_a_wrong_detector_is_named_at_its_place(detect, detector, members, pointer):
    answer = detect(detector, **members)

    assert (answer.status_code, answer.json()["code"]) == (400, "invalid_request")
    assert pointer in [error["pointer"] for error in answer.json()["errors"]]


def test_a_detector_needs_a_file_of_the_own_tenant_that_was_read(editor, stranger, tried):
    record_id = tried("infer", TEXT)["recordId"]
    unread = editor.post(f"{CATALOGS}/infer", {"text": TEXT}, format="json").json()["recordId"]
    detector = {"kind": "builtin", "name": "email"}

    def code(client, record):
        body = {"recordId": record, "detector": detector}
        return client.post(f"{CATALOGS}/detect", body, format="json").json()["code"]

    assert code(editor, unread) == "not_tried_yet"
    assert code(stranger, record_id) == code(editor, "rec_none") == "unknown_trial"


@pytest.fixture
def profile(editor):
    """Return a function that saves a mapping, as an applied import does."""

    def profile(mapping, *, tenant="tnt_owner", key="orders", imports=1, days_ago=0):
        return Profile.objects.create(
            public_id=new_id("prf_"),
            tenant=Tenant.objects.get_or_create(
                public_id=tenant, defaults={"created_at": clock.now()}
            )[0],
            catalog_key=key,
            fingerprint=new_id("f_"),
            columns=list(mapping),
            mapping=mapping,
            saved_at=clock.now() - timedelta(days=days_ago),
            saved_by=ENGINE.as_dict(),
            taught_by=[new_id("rec_") for _ in range(imports)],
        )

    return profile


def test_headers_that_people_confirmed_are_offered(editor, stranger, profile):
    fields = [
        {"key": "number", "label": "Number", "alternativeMatches": ["Order no."]},
        {"key": "day"},
    ]
    document = {"entries": [{"id": "order", "fields": fields}]}
    editor.put(f"{CATALOGS}/orders/draft", document, format="json")
    profile({"Beleg": "order.number", "Tag": "order.day"}, imports=2)
    profile({"BELEG ": "order.number", "order no.": "order.number", "number": "order.number"})
    profile({"Other": "order.number"}, key="prices")
    profile({"Foreign": "order.number"}, tenant="tnt_stranger")
    profile({"Gone": "order.gone"})

    every = editor.get(f"{CATALOGS}/orders/names").json()["items"]
    items = editor.get(f"{CATALOGS}/orders/names", {"field": "order.day"}).json()["items"]

    assert [(o["field"], o["name"], o["count"]) for o in every] == [
        ("order.number", "BELEG", 3), ("order.day", "Tag", 2),
    ]  # fmt: skip
    assert [o["name"] for o in items] == ["Tag"]
    assert stranger.get(f"{CATALOGS}/orders/names").json()["code"] == "unknown_catalog"
