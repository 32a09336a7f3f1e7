"""Recipes over all steps, for columns that a file has."""

from typing import Any

from hypothesis import strategies as st

Json = dict[str, Any]
SOUGHT = st.sampled_from(["1", "e", ".", "red", ";"])
BY = st.sampled_from(["", "2", "x", "One"])
PATTERNS = st.sampled_from(["^0+", "[a-z]+", "(\\d)\\D", "$"])
FORMATS = st.sampled_from(["eu", "us"])


@st.composite
def recipes(draw: st.DrawFn, columns: list[str]) -> tuple[Json, dict[str, str]]:
    """
    Return some drawn steps, and what feeds a field after them, by the column that fed it before.

    Columns that ``unpivot_groups`` takes beyond these feed no field any more.
    """
    steps, made = [], {}
    for number in range(draw(st.integers(1, 3))):
        step = draw(_in_place(columns))
        free = [column for column in columns if column not in made.values()]
        if free and draw(st.booleans()):
            column, name = draw(st.sampled_from(free)), f"made {number}"
            step = draw(_making(column, columns, name))
            made[name] = column
        steps.append(step)
    free = [column for column in columns if column not in made.values()]
    if len(free) > 1 and draw(st.sampled_from([False, False, True])):
        groups = {"n": [free[0], *free[2:3]], "v": [free[1], *([None] * len(free[2:3]))]}
        steps.append(draw(st.sampled_from(
            [{"do": "unpivot", "columns": free[:2], "nameInto": "n", "valueInto": "v",
              "keepEmpty": draw(st.booleans())},
             {"do": "unpivot_groups", "groups": groups}]
        )))  # fmt: skip
        made |= dict(zip(("n", "v"), free, strict=False))
    return {"version": 1, "steps": steps}, made


def _in_place(columns: list[str]) -> st.SearchStrategy[Json]:
    some = st.lists(st.sampled_from(columns), min_size=1, max_size=2, unique=True)
    dropping = st.sampled_from(
        [{"where": "empty"}, {"where": "equals", "value": "red"},
         {"where": "matches", "value": "^n/a"}]
    )  # fmt: skip
    of_columns = st.one_of(
        st.fixed_dictionaries({"do": st.just("trim"), "collapse": st.booleans()}),
        st.fixed_dictionaries(
            {"do": st.just("case"), "to": st.sampled_from(["upper", "lower", "title"])}
        ),
        st.fixed_dictionaries({"do": st.just("replace"), "find": SOUGHT, "by": BY}),
        st.fixed_dictionaries({"do": st.just("regex_replace"), "pattern": PATTERNS, "by": BY}),
        st.just({"do": "fill_down"}),
        some.map(lambda names: {"do": "fill_down", "within": names}),
        dropping.map(lambda where: {"do": "drop_rows", **where}),
        st.fixed_dictionaries({"do": st.just("default"), "value": st.sampled_from(["1", "red"])}),
        st.fixed_dictionaries(
            {"do": st.just("read_date"), "order": st.sampled_from(["dmy", "mdy", "ymd"])}
        ),
        st.fixed_dictionaries(
            {"do": st.just("read_number"), "format": st.sampled_from(["eu", "us"])}
        ),
        st.fixed_dictionaries({"do": st.just("map_values"), "values": st.just({"red": "One"})}),
        st.fixed_dictionaries(
            {"do": st.just("round"), "decimals": st.integers(0, 3), "format": FORMATS}
        ),
    )
    return st.builds(lambda step, names: {**step, "columns": names}, of_columns, some)


def _making(column: str, columns: list[str], name: str) -> st.SearchStrategy[Json]:
    others = st.lists(st.sampled_from(columns), max_size=2)
    separator = st.sampled_from([" ", ";", "."])
    together = others.map(lambda more: [*dict.fromkeys([column, *more])])
    return st.one_of(
        st.just({"do": "copy", "column": column, "into": name}),
        st.just({"do": "constant", "value": "1", "into": name}),
        together.map(lambda names: {"do": "coalesce", "columns": names, "into": name}),
        st.builds(
            lambda names, by: {"do": "join", "columns": names, "separator": by, "into": name},
            together,
            separator,
        ),
        _computing(column, columns, name),
        st.builds(
            lambda by, names: {"do": "split", "column": column, "separator": by, "into": names},
            separator,
            st.just([name, f"{name} rest"]),
        ),
    )


def _computing(column: str, columns: list[str], name: str) -> st.SearchStrategy[Json]:
    cell, others = {"column": column}, st.sampled_from(columns)
    tests = st.sampled_from([{"lt": 5}, "red", {"filled": True}, {"regex": "[0-9]"}])
    return st.one_of(
        st.builds(
            lambda other, op, fmt: {"do": "calculate", "left": cell, "op": op, "decimals": 2,
                                    "right": {"column": other}, "format": fmt, "into": name},
            others, st.sampled_from(["plus", "minus", "times", "divided_by"]), FORMATS,
        ),
        st.builds(
            lambda other, test, fmt: {"do": "when", "otherwise": cell, "format": fmt, "into": name,
                                      "cases": [{"if": {other: test}, "then": {"value": "1"}}]},
            others, tests, FORMATS,
        ),
        st.builds(
            lambda other, unit: {"do": "date_difference", "start": cell, "end": {"column": other},
                                 "unit": unit, "order": "dmy", "into": name},
            others, st.sampled_from(["days", "months", "years"]),
        ),
        st.just({"do": "lookup", "column": column, "rows": [["red", "One"]], "into": name}),
    )  # fmt: skip
