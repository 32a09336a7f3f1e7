"""A reference that the engine fails at is an issue at its cells; the rest of the rows goes on."""

import logging

import pytest

from tests.references.conftest import V1, bodies_of, entry, reference

pytestmark = pytest.mark.django_db
SECRET = "Ada-17"
ROWS = {"order.no": ["1", "2"], "order.customer": [SECRET, "C-1"], "order.product": ["P-1", "P-2"]}
FAILED = [(0, "order.customer", "not_checked"), (1, "order.customer", "not_checked")]


def broken(*_, **__):
    raise NotImplementedError(f"no kernel for {SECRET}")


@pytest.fixture
def ordered(published, know, caplog):
    """Publish orders that refer to customers, who cannot be resolved, and to products."""
    caplog.set_level(logging.ERROR)
    who = {"key": "customer", "reference": reference()}
    what = {"key": "product", "reference": reference("product", ("code",), onMissing="ignore")}
    entries = [
        entry("order", "no", who, what),
        entry("customer", "number"),
        entry("product", "code"),
    ]
    published(entries)
    know("customer", _1={"number": "C-1"})


def failing_for_customers(monkeypatch, place):
    """Let a function fail for customers, and work otherwise."""
    module, _, name = place.rpartition(".")
    real = getattr(__import__(module, fromlist=[name]), name)

    def fail(*given, **named):
        about = [getattr(item, "pointer", item) for item in given]
        names = [getattr(item, "path", item) for item in about]
        fails = any(isinstance(name, str) and "customer" in name for name in names)
        return broken() if fails else real(*given, **named)

    monkeypatch.setattr(place, fail)


@pytest.mark.parametrize(
    "place",
    [
        "tabular.resolving.resolution.parts_of",  # the parent looks for entities too
        "tabular.resolving.resolution.entities_of",
        "tabular.resolving.resolution.decide",
        "tabular.resolving.findings._of_outcomes",
    ],
)
def test_a_reference_that_fails_is_an_issue_at_its_cells_alone(
    ordered, bring, issues, client, monkeypatch, caplog, place
):
    failing_for_customers(monkeypatch, place)

    record = bring(ROWS)

    assert issues(record) == FAILED
    assert record["counts"]["error"] == 2
    assert "NotImplementedError in reference of order.customer" in caplog.text
    assert SECRET not in caplog.text
    listed = client.get(f"{V1}/imports/{record['recordId']}/references")
    assert listed.status_code == 200
    assert "order.product" in {item["field"] for item in listed.json()["items"]}


def test_questions_that_fail_are_not_asked_and_the_rows_say_what_is_open(
    ordered, bring, issues, know, monkeypatch, caplog
):
    know("customer", _2={"number": "C-1"})
    monkeypatch.setattr("tabular.job.resolve._of_field", broken)

    assert issues(bring(ROWS)) == [
        (0, "order.customer", "unknown_reference"),
        (1, "order.customer", "ambiguous_reference"),
    ]
    assert "NotImplementedError in reference of order.customer" in caplog.text


@pytest.mark.parametrize("limit", [10_000, 0])  # as an overlay, and as files
def test_an_edit_next_to_a_reference_that_fails_still_works(
    ordered, bring, issues, client, monkeypatch, limit
):
    record = bring({**ROWS, "order.customer": ["C-1", "C-1"]})
    monkeypatch.setattr("staging.edits.preparation.MAX_OVERLAY", limit)
    failing_for_customers(monkeypatch, "tabular.resolving.resolution.parts_of")
    address = f"{V1}/imports/{record['recordId']}/rows"

    for revision in (1, 2):
        edits = [{"row": 0, "field": "order.customer", "text": f"C-{revision + 6}"}]
        body = {"revision": revision, "edits": edits}
        answer = client.patch(address, body, format="json")

        assert answer.status_code == 200, answer.content
        assert issues(record) == FAILED


def test_what_could_not_be_resolved_is_delivered_as_null_and_marked(
    ordered, bring, apply, webhook, monkeypatch
):
    webhook("submit")
    failing_for_customers(monkeypatch, "tabular.resolving.resolution.decide")

    record = apply(bring(ROWS), invalidRows="include")

    (body,) = bodies_of(record)
    assert [row["order.customer"] for row in body["rows"]] == [None, None]
    assert [row["order.product"] for row in body["rows"]] == ["P-1", "P-2"]
    assert {issue["code"] for issue in body["rowIssues"]} == {"not_checked"}
