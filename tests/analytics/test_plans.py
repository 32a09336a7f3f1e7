"""Pages that a million imports must not slow down read an index, on SQLite too."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analytics import selectors
from common import clock
from imports.models import ImportRecord
from previews import proposal_tests

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL plans by its statistics"),
]


def plans(captured: CaptureQueriesContext) -> str:
    """Return how SQLite carries out the queries about imports."""
    details = []
    with connection.cursor() as cursor:
        for query in captured:
            if 'FROM "imports_importrecord"' in query["sql"]:
                cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
                details += [row[3] for row in cursor.fetchall()]
    return "\n".join(details)


def test_what_has_not_ended_is_read_from_its_own_index():
    with CaptureQueriesContext(connection) as captured:
        selectors.now(clock.now())

    assert "INDEX imports_not_ended" in plans(captured)


def test_the_query_and_the_index_mean_the_states_that_end():
    (index,) = [i for i in ImportRecord._meta.indexes if i.name == "imports_not_ended"]
    ((_, ended),) = index.condition.children

    assert set(ended) == ImportRecord.ENDED
    assert str(tuple(ended)) in selectors.HasNotEnded.template


def test_tests_of_proposals_are_read_by_their_purpose(publish):
    version = publish("orders")
    with CaptureQueriesContext(connection) as captured:
        proposal_tests.newest(version, clock.now())

    assert "INDEX imports_by_name (tenant_id=? AND purpose=?)" in plans(captured)
