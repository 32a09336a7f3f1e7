"""Two tables are joined by a key: every row stays, and each one is known by its own number."""

import numpy as np
import openpyxl
import pyarrow as pa
import pytest

from tabular.model.places import JOINED_TABLES, PART_ROWS, ReadingChoices
from tabular.model.problem import Limits, UnreadableFile, UnusableRequest
from tabular.model.table import KINDS_COLUMN, ROW_COLUMN, Kind, Reading, Table
from tabular.reading import read
from tabular.reading.batches import rows_per_batch, schema_of
from tabular.reading.joining import joined, related
from tabular.reading.joining.keys import Matching, codes_of

ORDERS = [
    ["Order", "Customer", "Amount"],
    ["O-1", "C1", 10.5],
    ["O-2", "C2 ", 3],
    ["O-3", "C9", 7],
    ["O-4", None, 8],
    ["O-5", "C1", 2],
]
CUSTOMERS = [
    ["No", "Name", "City"],
    ["C1", "Ada", "Oslo"],
    ["C2", "Bob", "Rom"],
    ["C3", "Cy", "Bonn"],
]
ON = (("Customer", "No"),)
PARENT = PART_ROWS
SECOND = JOINED_TABLES * PART_ROWS


@pytest.fixture
def book(tmp_path):
    def write(**sheets):
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, rows in sheets.items():
            sheet = book.create_sheet(name)
            for row in rows:
                sheet.append(row)
        book.save(tmp_path / "book.xlsx")
        return tmp_path / "book.xlsx"

    return write


def join_of(path, on=ON, tables=(0, 1), **choices):
    return read(path, choices=ReadingChoices(tables=tables, joined_on=on, **choices))


def rows_of(reading):
    names = reading.tables[reading.chosen].columns
    return [
        (row[ROW_COLUMN], *(row[name] for name in names))
        for batch in reading.bodies[reading.chosen].batches()
        for row in batch.to_pylist()
    ]


def test_rows_of_the_child_get_the_columns_of_the_parent_and_no_row_is_lost(book):
    reading = join_of(book(Orders=ORDERS, Customers=CUSTOMERS))

    table = reading.tables[reading.chosen]
    assert table.columns == ("Order", "Customer", "Amount", "Name", "City")
    assert rows_of(reading) == [
        (1, "O-1", "C1", "10.5", "Ada", "Oslo"),
        (2, "O-2", "C2 ", "3", "Bob", "Rom"),  # blanks around a key do not count
        (3, "O-3", "C9", "7", None, None),
        (4, "O-4", None, "8", None, None),
        (5, "O-5", "C1", "2", "Ada", "Oslo"),
        (PARENT + 3, None, "C3", None, "Cy", "Bonn"),  # its key is in the column of the child's
    ]
    join = table.join
    assert (join.matched, join.child_only, join.parent_only, table.row_count) == (3, 2, 1, 6)
    assert (join.child_rate, join.parent_rate) == (2 / 3, 2 / 3)
    assert table.preview[5] == (None, "C3", None, "Cy", "Bonn")


def test_rows_without_a_match_are_told_as_counts_of_either_table(book):
    reading = join_of(book(Orders=ORDERS, Customers=CUSTOMERS))

    _, issues = reading.bodies[reading.chosen].outcome()

    assert [(issue.code, issue.params["rows"], issue.message) for issue in issues] == [
        ("unmatched_rows", 2, "2 rows of Orders without a match in Customers."),
        ("unmatched_rows", 1, "1 row of Customers without a match in Orders."),
    ]


def test_the_kinds_of_cells_stay_with_their_texts(book):
    reading = join_of(book(Orders=ORDERS, Customers=CUSTOMERS))

    (batch,) = reading.bodies[reading.chosen].batches()

    kinds = batch.column(batch.schema.names.index(KINDS_COLUMN)).flatten()
    assert kinds[2].to_pylist()[:5] == [Kind.NUMBER] * 5
    assert kinds[4].to_pylist() == [Kind.TEXT] * 6


@pytest.mark.parametrize("on", [(), (("customer", "NO"),)])
def test_the_key_is_proposed_and_names_ignore_case(book, on):
    reading = join_of(book(Orders=ORDERS, Customers=CUSTOMERS), on)

    assert reading.tables[reading.chosen].join.on == ON


def test_a_key_of_several_columns_matches_only_as_a_whole(book):
    stock = [["Shop", "Part", "Left"], ["A", "1", 5], ["B", "1", 6], ["A", "2", 7]]
    sales = [["Shop", "Part", "Sold"], ["B", "1", 1], ["A", "2", 2], ["B", "2", 3]]

    reading = join_of(book(sales=sales, stock=stock), (("Shop", "Shop"), ("Part", "Part")))

    assert [row[1:] for row in rows_of(reading)] == [
        ("B", "1", "1", "6"),
        ("A", "2", "2", "7"),
        ("B", "2", "3", None),
        ("A", "1", None, "5"),
    ]


def test_columns_of_the_same_name_get_names_of_their_own(book):
    people = [["No", "amount", "Amount (People)"], ["C1", "1", "2"], ["C2", "3", "4"]]

    reading = join_of(book(Orders=ORDERS, People=people))

    assert reading.tables[-1].columns == (
        "Order", "Customer", "Amount", "amount (People)", "Amount (People) (People)",
    )  # fmt: skip
    assert reading.tables[-1].join.parent_columns[0] == "Customer"


def test_rows_are_numbered_by_the_table_whose_rows_are_each_there_once(book):
    reading = join_of(book(Orders=ORDERS, Customers=CUSTOMERS), (("No", "Customer"),), (1, 0))

    assert [(row[0], row[1], row[4]) for row in rows_of(reading)] == [
        (1, "C1", "O-1"),
        (5, "C1", "O-5"),
        (2, "C2", "O-2"),
        (PARENT + 3, "C3", None),
        (3, "C9", "O-3"),
        (4, None, "O-4"),
    ]


def test_further_matches_of_a_row_have_numbers_of_their_own(book):
    left = [["Team", "Day"], ["a", "Mon"], ["a", "Tue"], ["b", "Wed"]]
    right = [["Team", "Name"], ["a", "Ada"], ["a", "Bob"], ["b", "Cy"]]

    rows = rows_of(join_of(book(left=left, right=right), (("Team", "Team"),)))

    assert rows == [
        (1, "a", "Mon", "Ada"),
        (SECOND + 1, "a", "Mon", "Bob"),
        (2, "a", "Tue", "Ada"),
        (SECOND + 2, "a", "Tue", "Bob"),
        (3, "b", "Wed", "Cy"),
    ]


def test_a_row_that_was_left_out_can_be_restored_in_a_join(book):
    path = book(Orders=[*ORDERS, ["Total", None, 30.5]], Customers=CUSTOMERS)
    first = join_of(path)
    (left,) = first.bodies[first.chosen].skipped_rows()

    again = join_of(path, restored=(left.row,))

    assert (left.row, left.reason) == (6, "total")
    assert (6, "Total", None, "30.5", None, None) in rows_of(again)


@pytest.mark.parametrize(
    ("on", "tables", "code"),
    [
        (ON, (0, 0), "unjoinable_tables"),
        (ON, (0, 7), "unknown_table"),
        ((("Nobody", "No"),), (0, 1), "unknown_column"),
        ((("Customer", "Nr"),), (0, 1), "unknown_column"),
        ((), (0, 2), "no_join_key"),
    ],
)
def test_what_cannot_be_joined_is_refused_by_its_code(book, on, tables, code):
    notes = [["Word", "Page"], ["x", 70], ["y", 71]]
    with pytest.raises(UnusableRequest) as raised:
        join_of(book(Orders=ORDERS, Customers=CUSTOMERS, Notes=notes), on, tables)

    assert raised.value.code == code


@pytest.mark.parametrize(("size", "is_refused"), [(10, False), (11, True)])
def test_a_join_of_more_than_ten_times_the_larger_table_is_refused_with_its_counts(
    book, size, is_refused
):
    rows = [["Kind", "No"], *(["same", f"{n}"] for n in range(size))]
    path = book(first=rows, second=[["Kind", "Word"], *(["same", f"w{n}"] for n in range(size))])

    if not is_refused:
        assert len(rows_of(join_of(path, (("Kind", "Kind"),)))) == size * size
        return
    with pytest.raises(UnusableRequest) as raised:
        join_of(path, (("Kind", "Kind"),))

    assert raised.value.code == "join_multiplies"
    assert raised.value.details == {"child": 11, "parent": 11, "rows": 121, "allowed": 110}
    assert str(raised.value) == (
        "Joining 11 rows and 11 rows would make 121 rows. Join by another column."
    )


def test_the_limit_of_rows_is_that_of_a_join_too(book):
    four = [["Kind", "No"], *(["same", f"{n}"] for n in range(4))]
    two = [["Kind", "Word"], ["same", "a"], ["same", "b"]]
    choices = ReadingChoices(tables=(0, 1), joined_on=(("Kind", "Kind"),))

    with pytest.raises(UnusableRequest) as raised:
        read(book(four=four, two=two), choices=choices, limits=Limits(rows=7))

    assert (raised.value.code, raised.value.details["allowed"]) == ("join_multiplies", 7)


def test_tables_with_a_key_are_related_by_how_well_it_matches_both_ways(book):
    reading = read(book(Orders=ORDERS, Customers=CUSTOMERS))

    (item,) = reading.related
    assert (item.kind, item.first, item.other, item.on) == ("join", 0, 1, ON)
    assert (item.first_rate, item.other_rate) == (0.6667, 0.6667)


def test_the_question_about_tables_names_the_key_that_they_have_in_common(book):
    (question,) = read(book(Orders=ORDERS, Customers=CUSTOMERS)).questions

    assert question.kind == "table"
    assert question.evidence[1:] == (
        "rows of Orders with the columns of Customers: 67% of the keys match",
    )


def test_tables_with_the_same_columns_are_related_and_differences_are_named(book):
    more = [["Amount", "Order", "Customer", "Note", "Tax"], [1, "O-8", "C1", "late", "x"]]
    reading = read(book(May=ORDERS, June=ORDERS[:3], July=more))

    appended = [item for item in reading.related if item.kind == "append"]
    assert [(item.first, item.other, item.only_first, item.only_other) for item in appended] == [
        (0, 1, (), ()),
        (0, 2, (), ("Note", "Tax")),
        (1, 2, (), ("Note", "Tax")),
    ]
    assert (0, 1) not in {(item.first, item.other) for item in reading.related[3:]}


def test_amounts_make_no_key_and_a_name_counts_less_than_much_better_matches(book):
    rows = [["Id", "Code", "Price"], ["1", "7", "1.5"], ["2", "8", "2.5"], ["3", "1", "9"]]
    others = [["Code", "Ref", "Price"], ["7", "1", "1.5"], ["9", "2", "2.5"], ["4", "3", "9"]]
    whole = [["Code", "Ref", "Price"], ["7", "1", "1.5"], ["8", "2", "2.5"], ["1", "3", "9"]]

    unlike, alike = (read(book(rows=rows, others=other)).related for other in (others, whole))

    assert [item.on for item in unlike if item.kind == "join" and not item.first] == [
        (("Id", "Ref"),)
    ]
    assert next(item.on for item in alike if item.kind == "join") == (("Code", "Code"),)


def test_a_table_that_cannot_be_read_to_its_end_is_related_to_none():
    class Broken(Rows):
        def batches(self):
            yield from super().batches()
            raise UnreadableFile("damaged_file", "Broken.")

    bodies = (
        Rows(pa.array(["a", "b"]), pa.array(["1", "2"]), names=("Id", "A")),
        Broken(pa.array(["a", "b"]), pa.array(["3", "4"]), names=("Id", "B")),
    )
    tables = tuple(body.outcome()[0] for body in bodies)

    assert related(Reading("csv", tables, (bodies[0], bodies[0]))) != ()
    assert related(Reading("csv", tables, bodies)) == ()


def test_a_column_whose_texts_repeat_identifies_no_parent(book):
    kinds = [["Kind", "Word"], ["x", "a"], ["x", "b"], ["y", "c"], ["y", "d"]]
    uses = [["Type", "Number"], ["x", 70], ["y", 71], ["x", 72]]

    assert [item.on for item in read(book(uses=uses, kinds=kinds)).related] == []


class Rows:
    """A body in memory."""

    def __init__(self, *columns, names):
        self.table = pa.table([pa.array(range(1, len(columns[0]) + 1)), *columns], schema_of(names))

    def batches(self):
        yield from self.table.to_batches(max_chunksize=rows_per_batch(2))

    def outcome(self):
        return Table(tuple(self.table.column_names[1:])), ()

    def skipped_rows(self):
        return iter(())


def test_many_rows_are_joined_with_as_many():
    size = 100_000
    keys = pa.array(np.random.default_rng(1).permutation(size)).cast(pa.string())
    words = pa.array(np.arange(size)).cast(pa.string())
    bodies = (Rows(keys, words, names=("Key", "A")), Rows(words, keys, names=("Id", "B")))
    tables = tuple(body.outcome()[0] for body in bodies)

    reading = joined(Reading("csv", tables, bodies), (0, 1), (("Key", "Id"),), Limits())
    rows = list(reading.bodies[-1].batches())

    whole = pa.Table.from_batches(rows)
    assert whole.num_rows == size
    at = keys.to_pylist().index("77")
    assert whole.slice(at, 1).to_pylist()[0]["B"] == keys[77].as_py()


def test_a_key_with_a_blank_part_matches_nothing():
    def column(*texts):
        return pa.chunked_array([pa.array(texts, pa.string())])

    codes = codes_of(
        [column("a", "a", None), column("1", " ", "1")], [column("a", "a"), column("1", "")]
    )

    assert Matching.of(codes).matches.tolist() == [1, 0, 0]
    assert codes.rates == (1.0, 1.0)
