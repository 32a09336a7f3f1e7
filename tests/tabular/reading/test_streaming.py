"""A large text file is streamed; the result equals that of reading it whole."""

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tabular.model.places import ReadingChoices
from tabular.model.problem import LimitExceeded, Limits, UnusableRequest
from tabular.model.table import silent
from tabular.reading import read
from tabular.reading.text import read_text
from tabular.reading.text.bulk import Bulk
from tabular.reading.text.encoding import Encoding
from tabular.reading.text.records import Dialect, parse_lines
from tabular.reading.text.source import Place
from tests.tries import tries

BODY = "".join(
    f'{number},"Müller, Anna","so ""called""",2024-05-{number % 28 + 1:02},{number}.50\n'
    for number in range(1, 400)
)
LIMITS = Limits()
LONG = BODY * 15  # longer than the head that is laid out
HEADER = "id,name,nick,day,amount\n"


def read_file(path, *, whole_bytes, limits=LIMITS):
    return read_text(
        path, choices=ReadingChoices(), limits=limits, progress=silent, whole_bytes=whole_bytes
    )


def numbered_rows(body):
    return [
        row
        for batch in body.batches()
        for row in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def streamed_and_whole(tmp_path, content):
    path = tmp_path / "file.csv"
    path.write_bytes(content)
    return [read_file(path, whole_bytes=size).bodies[0] for size in (0, 1 << 30)]


@pytest.mark.parametrize(
    ("body", "encoding"),
    [(BODY, "utf-8-sig"), (BODY, "cp1252"), (BODY, "utf-16"), (LONG, "utf-8")],
    ids=["mark", "cp1252", "utf-16", "long"],
)
@pytest.mark.parametrize(
    "text",
    [
        HEADER + "{BODY}",
        "Report of May\n\n" + HEADER + "{BODY}",
        HEADER + "{BODY}\n\nSource: the shop,,,,\n",
        HEADER + "{BODY}" + HEADER + BODY,
        HEADER + "{BODY},,,,\n" + BODY,
        HEADER + '{BODY}400,"two\nlines",x,2024-01-01,1\n' + BODY,
        HEADER + "{BODY}400,short\n" + BODY,
        HEADER + '{BODY}401,27" pipe,x,2024-01-01,1\n' + BODY,
        HEADER + '{BODY}401,x,2024-01-01,1,"7\n402,y,2024-01-01,"8,9\n' + BODY,
    ],
    ids=[
        "plain",
        "preamble",
        "footer",
        "repeated header",
        "blank row",
        "line break in a cell",
        "short row",
        "stray quote",
        "quotes that would join two rows",
    ],
)
def test_streaming_gives_the_rows_and_counts_of_the_whole_file(tmp_path, text, body, encoding):
    content = text.replace("{BODY}", body).encode(encoding)
    streamed, whole = streamed_and_whole(tmp_path, content)

    assert numbered_rows(streamed) == numbered_rows(whole)
    table, issues = streamed.outcome()
    expected, expected_issues = whole.outcome()
    assert table.row_count == expected.row_count
    assert table.columns == expected.columns
    assert table.skipped.footer == expected.skipped.footer
    assert table.skipped.repeated_headers == expected.skipped.repeated_headers
    assert [(i.code, i.row) for i in issues] == [(i.code, i.row) for i in expected_issues]


def test_columns_of_a_fixed_width_stream_like_they_are_read_as_a_whole(tmp_path):
    lines = [f"{n:<6}{'Müller':<12}{n * 7 % 1000:>8}.50\n" for n in range(1, 9_000)]
    header = f"{'id':<6}{'name':<12}{'amount':>11}\n"

    streamed, whole = streamed_and_whole(tmp_path, (header + "".join(lines)).encode())

    assert numbered_rows(streamed) == numbered_rows(whole)
    assert numbered_rows(whole)[0][1:] == ("1", "Müller", "7.50")


@settings(
    max_examples=tries(40),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    rows=st.lists(
        st.tuples(
            st.integers(0, 999).map(str),
            st.text(st.sampled_from('abc ,;"\n'), max_size=6),
            st.sampled_from(["1.5", "22.25", ""]),
        ),
        min_size=3,
        max_size=30,
    )
)
def test_any_quoted_text_streams_like_it_is_read_as_a_whole(tmp_path, rows):
    def quoted(text):
        doubled = text.replace('"', '""')
        return f'"{doubled}"'

    lines = [f"{first},{quoted(text)},{last}" for first, text, last in rows]
    content = "\n".join(["id,note,amount", *lines, "1000,end,1.0", ""]).encode()

    streamed, whole = streamed_and_whole(tmp_path, content)

    assert numbered_rows(streamed) == numbered_rows(whole)


@settings(
    max_examples=tries(300),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(text=st.text(st.sampled_from('ab,"\n'), max_size=24))
@example(text='a,"b\na,"b')
def test_arrow_takes_no_file_that_the_tolerant_reader_reads_otherwise(tmp_path, text):
    path = tmp_path / "file.csv"
    path.write_text(text)
    dialect = Dialect(",")
    bulk = Bulk(path, Encoding("utf-8", 1.0, ""), dialect, Place(0, 0, 0), 2)

    count = bulk.count()

    if count is None:
        return
    with path.open(newline="") as lines:
        expected = [record.cells for record in parse_lines(lines, dialect, width=2)]
    given_out = [
        [cell or "" for cell in row.values()]
        for batch in bulk.batches()
        for row in batch.to_pylist()
    ]
    assert len(given_out) == count
    assert given_out == [row if row != [""] else ["", ""] for row in expected]


@pytest.mark.parametrize("mark", ["", "\ufeff"], ids=["no mark", "mark"])
def test_bytes_that_are_not_utf_8_are_shown_and_reported_in_a_stream(tmp_path, mark):
    valid = mark + HEADER + LONG.replace("called", "genannt Öl")
    content = valid.encode() + b"9,bro\xffken,x,2024-01-01,1\n"

    streamed, whole = streamed_and_whole(tmp_path, content)

    rows = numbered_rows(streamed)
    assert rows[-1][1:] == ("9", "bro\\xffken", "x", "2024-01-01", "1")
    assert rows == numbered_rows(whole)
    assert [issue.code for issue in streamed.outcome()[1]] == ["undecodable_bytes"]


def test_a_row_longer_than_the_head_shows_keeps_its_cells_and_is_reported(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text(HEADER + BODY * 40 + "9,a,b,2024-01-01,1.5,extra,more\n")
    body = read_file(path, whole_bytes=0).bodies[0]

    last = numbered_rows(body)[-1]

    assert last[1:] == ("9", "a", "b", "2024-01-01", "1.5,extra,more")
    assert [issue.code for issue in body.outcome()[1]] == ["long_row"]


@pytest.mark.parametrize("header_rows", [(), (0,), (1,)])
@pytest.mark.parametrize("whole_bytes", [0, 1 << 30])
def test_a_chosen_header_is_kept(tmp_path, header_rows, whole_bytes):
    path = tmp_path / "file.csv"
    path.write_text("Stock,of,May,2024,x\n" + HEADER + BODY)
    choices = ReadingChoices(header_rows=header_rows)

    reading = read_text(
        path, choices=choices, limits=LIMITS, progress=silent, whole_bytes=whole_bytes
    )

    first = {(): 1, (0,): 1, (1,): 2}[header_rows]
    assert reading.tables[0].header_rows == header_rows
    assert numbered_rows(reading.bodies[0])[0][0] == first


def test_a_row_that_is_not_there_cannot_be_the_header(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text(HEADER + BODY)

    with pytest.raises(UnusableRequest) as raised:
        read(path, choices=ReadingChoices(header_rows=(5000,)))

    assert raised.value.code == "unknown_row"


def test_the_limit_of_rows_stops_a_stream(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text(HEADER + BODY)
    body = read_file(path, whole_bytes=0, limits=Limits(rows=100)).bodies[0]

    with pytest.raises(LimitExceeded) as raised:
        numbered_rows(body)

    assert raised.value.details["limit"] == "rows"


def test_the_count_is_open_until_the_stream_has_ended(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text(HEADER + BODY)
    body = read_file(path, whole_bytes=0).bodies[0]
    before = body.outcome()[0].row_count

    numbered_rows(body)

    assert before is None
    assert body.outcome()[0].row_count == 399
