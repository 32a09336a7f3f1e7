"""Small staged tables, made in this process, and an import that shows one."""

import pyarrow as pa
import pytest

from catalogs import services as catalogs
from common import clock, storage
from common.actors import ENGINE, Actor
from common.ids import new_id
from imports.models import ImportRecord
from imports.parts import Decided, Parsed
from licensing.models import Tenant
from staging import services as staging
from staging.manifest import SourceText, TablePlace
from staging.selectors import table_of
from tabular.job.transform import transform
from tabular.protocol.parts import parts_of
from tabular.protocol.requests import TransformRequest
from tests.jobs import plan_written

ADA = Actor(kind="person", id="lic_a", label="Ada")
BOB = Actor(kind="person", id="lic_b", label="Bob")
FIELDS = [
    {"key": "id", "validations": [{"validate": "unique"}]},
    {"key": "amount", "columnType": "float", "numberFormat": "us"},
    {"key": "paid", "columnType": "date"},
    {"key": "mail", "columnType": "email", "required": True},
    {"key": "note", "columnSize": 8},
]
ROWS = {
    "id": ["K1", "K2", "K1", "K4", None, "K6"],
    "amount": ["1.5", "x", "3", None, "5", "600"],
    "paid": ["2024-01-31", "2024-02-29", "soon", None, "2024-05-01", "2024-06-01"],
    "mail": ["a@b.de", None, "c@d.de", "d@e.de", "nope", "f@g.de"],
    "note": ["Red", "red and long", "blue", None, "green", "Red"],
}


def catalog_json(fields=FIELDS):
    return {"key": "t", "entries": [{"id": "e", "fields": fields}]}


def plan_for(columns, fields, recipe=None):
    mapping = {name: f"e.{name}" for name in columns}
    return plan_written(catalog=catalog_json(fields), mapping=mapping, recipe=recipe)


def store_source(columns, *, first_row=1, batch_rows=2):
    """Store texts as the read step does; the header is in physical row 0."""
    arrays = [pa.array(values, pa.string()) for values in columns.values()]
    rows = pa.array(range(first_row, first_row + len(arrays[0])), pa.int64())
    table = pa.table([rows, *arrays], names=["__row__", *columns])
    with storage.working_folder("test") as folder:
        made = folder / "out"
        made.mkdir()
        with pa.ipc.new_file(str(made / "source.arrow"), table.schema) as writer:
            writer.write_table(table, max_chunksize=batch_rows)
        return storage.adopt("read", made, parts_of=parts_of)


def stage_texts(subject, columns=ROWS, *, fields=FIELDS, recipe=None, **more):
    """Transform texts and stage them as the next revision of a subject."""
    source = store_source(columns, **more)
    plan = plan_for(columns, fields, recipe)
    with storage.working_folder("test") as folder:
        path = storage.local_path(source) / "source.arrow"
        request = TransformRequest(input=str(path), plan=plan)
        result = transform(request, folder, lambda *_: None)
        return staging.stage(
            subject=subject,
            made=folder / "out",
            result=result,
            plan=plan,
            source=SourceText(source, TablePlace(sheet="S")),
            at=clock.now(),
        )


@pytest.fixture
def staged(db):
    """Return a function that stages a table under a new subject."""

    def make(columns=ROWS, **more):
        return table_of(stage_texts(new_id("rec_"), columns, **more))

    return make


@pytest.fixture
def in_review(db):
    """Return a function that creates an import in review with a staged table."""

    def make(columns=ROWS, *, tenant="tnt_owner", **more):
        owner, _ = Tenant.objects.get_or_create(
            public_id=tenant, defaults={"created_at": clock.now()}
        )
        record_id = new_id("rec_")
        revision = stage_texts(record_id, columns, **more)
        return ImportRecord.objects.create(
            public_id=record_id,
            tenant=owner,
            catalog_version=published(owner),
            created_at=clock.now(),
            state=ImportRecord.State.REVIEW,
            revision=revision.number,
            source=revision.manifest["source"],
            decided=Decided(revision.manifest["plan"]["mapping"]),
            parsed=Parsed(reading={}),
            counts={"sourceRows": revision.counts["rows"], "skipped": 0, **revision.counts},
        )

    return make


def published(owner):
    import json

    return catalogs.publish_document(
        tenant=owner,
        key="t",
        text=json.dumps(catalog_json() | {"title": "T"}).encode(),
        at=clock.now(),
        actor=ENGINE,
    )
