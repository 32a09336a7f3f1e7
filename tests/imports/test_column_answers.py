"""What an answer about columns does to a draft."""

import pytest

from pipeline.draft import MappingDraft, answered

BERLIN = {"PLZ/Ort": ["10115 Berlin", "20095 Hamburg"], "Name": ["Doe, Jane", "Roe, Jim"]}


def split(column, separator, *into):
    return {"do": "split", "column": column, "separator": separator, "into": list(into)}


def join(*columns):
    into = " + ".join(columns)
    return {"do": "join", "columns": list(columns), "separator": " ", "into": into}


@pytest.mark.parametrize(
    ("columns", "value", "mapping", "steps"),
    [
        (["A"], "p.a", {"A": "p.a"}, []),
        (["A"], None, {}, []),
        (["A", "B"], None, {}, []),
        (["A", "B"], {"B": "p.a"}, {"B": "p.a"}, []),
        (["A", "B"], {"A": "p.b", "B": "p.a"}, {"A": "p.b", "B": "p.a"}, []),
        (["A", "B"], {"B": "p.a", "A": "p.a"}, {"A + B": "p.a"}, [join("A", "B")]),
        (["A"], ["p.a"], {"A": "p.a"}, []),  # one part is not a split
        (
            ["PLZ/Ort"],
            ["p.zip", "p.city"],
            {"PLZ/Ort part 1": "p.zip", "PLZ/Ort part 2": "p.city"},
            [split("PLZ/Ort", " ", "PLZ/Ort part 1", "PLZ/Ort part 2")],
        ),
        (
            ["Name"],
            ["p.last", "p.first"],
            {"Name part 1": "p.last", "Name part 2": "p.first"},
            [split("Name", ", ", "Name part 1", "Name part 2")],
        ),
    ],
)
def test_an_answer_maps_the_columns_it_is_about(columns, value, mapping, steps):
    draft = answered(MappingDraft(), columns, value, samples=BERLIN)

    assert draft.mapping == mapping
    assert list(draft.steps) == steps


def test_the_answer_takes_the_field_from_the_column_that_had_it():
    draft = answered(MappingDraft({"A": "p.a", "C": "p.c"}), ["B"], "p.a", samples={})

    assert draft.mapping == {"B": "p.a", "C": "p.c"}


@pytest.mark.parametrize("later", [None, {"A": "p.x"}, {"A": "p.a", "B": "p.a"}])
def test_a_second_answer_leaves_nothing_of_the_first(later):
    first = answered(MappingDraft({"C": "p.c"}), ["A", "B"], {"A": "p.a", "B": "p.a"}, samples={})

    second = answered(first, ["A", "B"], later, samples={})

    assert second == answered(MappingDraft({"C": "p.c"}), ["A", "B"], later, samples={})


def test_other_steps_of_the_recipe_stay():
    trim = {"do": "trim", "columns": ["A"]}

    draft = answered(MappingDraft({}, (trim,)), ["A"], "p.a", samples={})

    assert draft.recipe == {"version": 1, "steps": [trim]}
