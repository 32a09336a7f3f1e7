"""How well rows hold together, and the question about a table whose rows do not."""

import pytest

from pipeline.kinds.table import Table as TableKind
from pipeline.target import Target
from tabular.model.issue import NewQuestion, Question
from tabular.model.table import Table
from tabular.protocol.results import FileRead, FoundTable
from tabular.reading.pdf.cohesion import FEATURES, Surroundings, cohesion_of, shipped
from tabular.reading.pdf.grids.grid import Row
from tabular.reading.related_tables import comparison

from .papers import Sheet

NAMES = ("Article", "Quantity", "Price")
WELL = Surroundings(is_titled=True, left_out=(), left_inside=0, drawn=0.0, score=1.0)
ROWS = [("Oak shelf", "4", "12.50"), ("Pine box", "10", "7.00"), ("Lamp", "2", "110.25")]


def lined(rows, *, step=20.0):
    """Return rows at even distances, each of one line."""
    return [Row(tuple(cells), step * at, step * at + 10, 1) for at, cells in enumerate(rows)]


def odd(rows, names=NAMES, around=WELL):
    """Return the features that are not as in rows that hold together."""
    usual = cohesion_of(NAMES, lined(ROWS * 3), WELL).features
    features = cohesion_of(names, rows, around).features
    return {name for name in FEATURES if features[name] > usual[name]} - {"few", "untyped"}


@pytest.mark.parametrize(
    ("cells", "features"),
    [
        (("Spare parts", "", ""), {"lone", "hollow", "holes"}),
        (("Oak shelf", "4", "White"), {"misfits"}),
        (("of solid oak", "4", "12.50"), {"low"}),
        (("12.50 2026-03-01", "4", "12.50"), {"two_values"}),
    ],
)
def test_a_row_unlike_the_others_lowers_the_confidence(cells, features):
    rows = lined([*ROWS * 3, cells])

    assert odd(rows) == features
    assert cohesion_of(NAMES, rows, WELL).confidence < (
        cohesion_of(NAMES, lined(ROWS * 3), WELL).confidence
    )


def test_rows_at_uneven_distances_are_odd():
    rows = lined(ROWS * 3)
    apart = [*rows[:4], *(Row(row.cells, row.top + 9, row.bottom + 9, 1) for row in rows[4:])]

    assert odd(apart) == {"far"}


def test_lines_next_to_the_rows_count():
    around = Surroundings(is_titled=True, left_out=(3, 1), left_inside=1, drawn=0.0, score=1.0)

    assert odd(lined(ROWS * 3), around=around) == {"left_out", "left_inside"}


def test_the_shipped_model_weighs_every_feature():
    assert {*shipped().weights} == {"bias", *FEATURES}
    assert 0 < shipped().least < 1


def torn_apart():
    """Print a list of few rows, some of them without what the others have, unevenly apart."""
    sheet = Sheet()
    lines = [NAMES, *ROWS, ("12.50 2026-03-01", "", ""), *ROWS, ("of oak", "", "white"), *ROWS]
    for at, cells in enumerate(lines):
        for x, text in zip((60, 220, 320), cells, strict=True):
            if text:
                sheet.write(x, 100 + 24 * at + 7 * (at % 3 == 1), text)
    return sheet


def test_a_person_is_asked_to_compare_a_doubtful_table(read):
    reading = read(torn_apart())
    (question,) = [item for item in reading.questions if item.kind == "table"]
    table, issues = reading.bodies[0].outcome()

    assert [candidate.value for candidate in question.candidates] == [0]
    assert table.doubts
    assert question.evidence[: len(table.doubts)] == table.doubts
    assert issues


@pytest.mark.parametrize("chosen", [{"table": 0}, {"header_rows": (0,)}])
def test_who_chose_the_table_or_its_header_is_not_asked(read, chosen):
    reading = read(torn_apart(), **chosen)

    assert [item.kind for item in reading.questions if item.kind == "table"] == []


def test_plain_rows_are_not_asked_about(read):
    sheet = Sheet()
    for at, cells in enumerate([NAMES, *ROWS]):
        for x, text in zip((60, 220, 320), cells, strict=True):
            sheet.write(x, 100 + 14 * at, text)

    assert read(sheet).questions == ()


def test_a_table_that_the_catalog_knows_is_compared_all_the_same():
    tables = (Table(("Town",)), Table(("Name",), doubts=("odd",), confidence=0.4))

    assert comparison(tables, 0) == ()
    (question,) = comparison(tables, 1)
    assert (question.default, question.evidence) == (1, ("odd",))


def file_with(doubts):
    """Return a file with one table."""
    table = FoundTable(("Town",), doubts=doubts)
    return FileRead(
        format="pdf",
        tables=(table,),
        chosen=0,
        entries={},
        columns=table.columns,
        rows=3,
        left_out={},
        fingerprint="f",
        issues=(),
        questions=(),
        related=(),
    )


@pytest.mark.parametrize(("doubts", "is_remembered"), [((), True), (("odd",), False)])
def test_no_earlier_answer_stands_for_looking_at_the_page(doubts, is_remembered):
    kind, read = TableKind(), file_with(doubts)
    question = Question("table", evidence=doubts)
    fingerprint = kind.fingerprint(question, read, "")
    new = NewQuestion("table", evidence=doubts, fingerprint=fingerprint)

    assert kind.remembered(0, new, Target(fields={}, read=read)).fits is is_remembered
    assert (fingerprint == kind.fingerprint(question, file_with(()), "")) is is_remembered
