"""Golden bytes of the body. Spec: Events > Body fields."""

import json
import subprocess
import sys
from datetime import date
from decimal import Decimal
from itertools import combinations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from deliveries import fragments, payload, splitter
from tabular.types.value_texts import json_texts

TYPES = {"person.name": "string", "person.age": "int"}
BEFORE = (
    '{"event":"import.apply","deliveryId":"dlv_1","tenantId":"tnt_1","recordId":"rec_1",'
    '"action":"submit","rowCount":2,"mapping":{"Größe":"person.name","Age":"person.age"},"rows":['
)
ROWS = '\n{"person.name":"Zoë \\"Z\\"","person.age":41},\n{"person.name":null,"person.age":null}\n]'
OCCURRED = ',"occurredAt":"2026-11-20T12:00:00.000Z"'
OPTIONAL = {
    "catalog_key": ("people", '"catalogKey":"people"'),
    "catalog_version": (3, '"catalogVersion":3'),
    "meta": ({"customer": 7}, '"meta":{"customer":7}'),
    "entities": (
        {"person": [{"ref": "p1", "status": "matched", "key": {"id": 1}, "values": {}}]},
        '"entities":{"person":[{"ref":"p1","status":"matched","key":{"id":1},"values":{}}]}',
    ),
    "links": (
        [{"row": 0, "field": "person.boss", "entity": "person", "refs": ["p1"]}],
        '"links":[{"row":0,"field":"person.boss","entity":"person","refs":["p1"]}]',
    ),
    "row_issues": (
        [{"row": 1, "field": "person.age", "code": "c", "value": "x", "message": "No."}],
        '"rowIssues":[{"row":1,"field":"person.age","code":"c","value":"x","message":"No."}]',
    ),
    "custom_options": (
        [{"row": 1, "field": "person.size", "value": "XXL"}],
        '"customOptions":[{"row":1,"field":"person.size","value":"XXL"}]',
    ),
    "reverts": (
        {"changesetId": "chg_1", "deliveryId": "dlv_0"},
        '"reverts":{"changesetId":"chg_1","deliveryId":"dlv_0"}',
    ),
    "batch": ({"index": 1, "count": 2}, '"batch":{"index":1,"count":2}'),
    "contract_id": ("sha256:00", '"contractId":"sha256:00"'),
    "test": (True, '"test":true'),
}


def envelope(**members) -> payload.Envelope:
    return payload.Envelope(
        **{
            "delivery_id": "dlv_1",
            "tenant_id": "tnt_1",
            "record_id": "rec_1",
            "action": "submit",
            "row_count": 2,
            "mapping": {"Größe": "person.name", "Age": "person.age"},
            "occurred_at": "2026-11-20T12:00:00.000Z",
            **members,
        }
    )


def two_rows() -> pa.RecordBatch:
    return pa.record_batch({"person.name": ['Zoë "Z"', None], "person.age": [41, None]})


def written(subject: payload.Envelope, batches, types=TYPES, **how) -> bytes:
    return b"".join(payload.body(subject, batches, types, **how))


@pytest.mark.parametrize(
    "given_members",
    [names for length in (0, 1, 2, len(OPTIONAL)) for names in combinations(OPTIONAL, length)],
)
def test_optional_members_have_their_bytes_alone_in_pairs_and_together(given_members):
    subject = envelope(**{name: OPTIONAL[name][0] for name in given_members})

    body = written(subject, [two_rows()])

    tail = "".join("," + OPTIONAL[name][1] for name in given_members)
    assert body.decode() == BEFORE + ROWS + OCCURRED + tail + "}"


@pytest.mark.parametrize("empty", [None, {}, [], ()])
def test_an_empty_optional_member_is_left_out(empty):
    members = dict.fromkeys(OPTIONAL, empty)

    assert written(envelope(**members), [two_rows()]) == written(envelope(), [two_rows()])


def test_a_body_without_rows_has_an_empty_array():
    body = written(envelope(row_count=0), [])

    assert b'"rows":[\n],"occurredAt"' in body
    assert json.loads(body)["rows"] == []


def test_rows_of_several_batches_are_one_array():
    batches = [two_rows().slice(0, 1), two_rows().slice(0, 0), two_rows().slice(1, 1)]

    assert written(envelope(), batches) == written(envelope(), [two_rows()])


def test_slices_do_not_show_in_the_bytes(monkeypatch):
    batch = pa.record_batch({"n": list(range(10))})
    whole = written(envelope(row_count=10), [batch])

    monkeypatch.setattr(payload, "SLICE_ROWS", 3)

    assert written(envelope(row_count=10), [batch]) == whole


def test_rows_without_a_column_are_empty_objects():
    batch = pa.record_batch({"n": [1, 2]}).select([])

    assert json.loads(written(envelope(), [batch]))["rows"] == [{}, {}]


@pytest.mark.parametrize("count", [1, 3])
def test_a_wrong_row_count_is_never_announced(count):
    with pytest.raises(payload.RowCountDiffers):
        written(envelope(row_count=count), [two_rows()])


def test_a_field_with_an_output_format_is_written_in_it():
    body = written(envelope(), [two_rows()], formats={"person.age": "0.00"})

    assert [row["person.age"] for row in json.loads(body)["rows"]] == ["41.00", None]


def test_text_that_cannot_be_utf8_is_escaped():
    body = written(envelope(meta={"note": "\ud800 é"}), [two_rows()])

    assert json.loads(body)["meta"] == {"note": "\ud800 é"}


def test_the_hosts_own_numbers_keep_their_digits():
    meta = {"big": 2**80, "small": 0.1}

    assert json.loads(written(envelope(meta=meta), [two_rows()]))["meta"] == meta


@pytest.mark.parametrize("size", [0, 10, 400, 3_000_000])
def test_a_test_body_has_the_size_asked_for(size):
    subject = envelope(row_count=0, test=True)

    body = b"".join(payload.padded_body(subject, size=size))

    least = len(b"".join(payload.body(subject, [], {})))
    assert len(body) == (size if size >= least + 20 else least)
    assert json.loads(body)["test"] is True


@given(st.lists(st.text(), min_size=1), st.sampled_from([pa.string(), pa.large_string()]))
def test_texts_without_marks_are_those_that_the_types_write(texts, kind):
    values = pa.array(texts, kind).slice(len(texts) // 2)

    bare = fragments.bare(values).to_pylist()

    assert [f'"{text}"' for text in bare] == json_texts(values.cast(pa.string())).to_pylist()


def test_every_control_character_is_written_as_the_types_write_it():
    values = pa.array([chr(code) for code in range(0x30)] + ["\\n", "\\", "\x7f", "\u2028"])

    bare = fragments.bare(values).to_pylist()

    assert [f'"{text}"' for text in bare] == json_texts(values).to_pylist()


@pytest.mark.parametrize(
    "values",
    [
        pa.array(["a", None]),
        pa.array([1]),
        pa.array([True]),
        pa.array([["a"]]),
        pa.array([Decimal(1)]),
    ],
)
def test_a_column_that_is_not_all_strings_has_no_texts_without_marks(values):
    assert fragments.bare(values) is None


def test_dates_are_written_the_same_with_and_without_a_null():
    days = [date(2026, 2, 1), date(1, 1, 1), date(9999, 12, 31)]

    with_null = json_texts(pa.array([*days, None])).to_pylist()[:3]

    assert [f'"{text}"' for text in fragments.bare(pa.array(days)).to_pylist()] == with_null


@given(st.lists(st.one_of(st.none(), st.text()), min_size=1))
def test_any_text_survives_its_body(texts):
    batch = pa.record_batch({"p.t": pa.array(texts, pa.string())})

    body = written(envelope(row_count=len(texts)), [batch])

    assert [row["p.t"] for row in json.loads(body)["rows"]] == texts


def test_a_web_worker_does_not_load_pyarrow():
    code = (
        "import sys, deliveries.payload, deliveries.fragments, deliveries.splitter;"
        "sys.exit('pyarrow' in sys.modules)"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.fixture
def stored(tmp_path):
    def store(subject: payload.Envelope, rows: int):
        path = tmp_path / "body"
        batch = pa.record_batch({"p.n": list(range(rows)), "p.t": ["},\n{"] * rows})
        path.write_bytes(written(subject, [batch], {}))
        return path

    return store


def parts_of(path, count: int, max_rows: int) -> list[dict]:
    ids = [f"dlv_part{number}" for number in range(count)]
    cuts = splitter.cuts_of(path, max_rows=max_rows)
    bodies = splitter.parts(path, delivery_ids=ids, cuts=cuts)
    return [json.loads(b"".join(body)) for body in bodies]


def test_parts_hold_all_rows_in_order_under_ids_of_their_own(stored):
    whole = stored(envelope(row_count=5, meta={"a": 1}), 5)

    parts = parts_of(whole, 3, 2)

    assert [part["deliveryId"] for part in parts] == ["dlv_part0", "dlv_part1", "dlv_part2"]
    assert [part["rowCount"] for part in parts] == [2, 2, 1]
    assert [row["p.n"] for part in parts for row in part["rows"]] == [0, 1, 2, 3, 4]
    assert parts[1]["batch"] == {"index": 2, "count": 3, "of": "dlv_1"}
    assert all(part["meta"] == {"a": 1} for part in parts)


def test_members_that_name_rows_follow_their_rows_into_the_parts(stored):
    issues = [{"row": row, "field": "p.n", "code": "c", "value": "v"} for row in (0, 3, 4)]
    links = [{"row": 3, "field": "p.b", "entity": "boss", "refs": ["b2"]}]
    entities = {"boss": [{"ref": "b1"}, {"ref": "b2"}]}
    subject = envelope(row_count=5, row_issues=issues, links=links, entities=entities)

    first, second = parts_of(stored(subject, 5), 2, 3)

    assert [issue["row"] for issue in first["rowIssues"]] == [0]
    assert [issue["row"] for issue in second["rowIssues"]] == [0, 1]
    assert "links" not in first
    assert "entities" not in first
    assert second["links"] == [{"row": 0, "field": "p.b", "entity": "boss", "refs": ["b2"]}]
    assert second["entities"] == {"boss": [{"ref": "b2"}]}


def test_a_long_tail_is_read_whole(stored):
    subject = envelope(row_count=1, meta={"note": "n" * 300_000})

    (part,) = parts_of(stored(subject, 1), 1, 10)

    assert len(part["meta"]["note"]) == 300_000
    assert part["rows"] == [{"p.n": 0, "p.t": "},\n{"}]
