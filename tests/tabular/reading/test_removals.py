"""What the ablation of reading removes exists, is put back, and is missed by files that use it."""

import pytest

from eval.reading import ablation, cases
from eval.reading.removals import Removal, removals, without
from eval.reading.replacements import NO, NOTHING, Always
from eval.reading.uses import Uses, code_of, readers_of
from tabular.reading.layout import footer, header, plain, tables
from tabular.reading.layout.footer import TOTAL
from tabular.reading.pdf import whole_words

RULES = list(removals())
UNITS = Removal("layout.header", "_is_units_row", NO)


@pytest.fixture
def case_of(tmp_path):
    """Return the case of an odd file by its kind."""
    by_kind = {case.name.rpartition(" ")[0]: case for case in cases.odd_texts(tmp_path, 14)}
    return by_kind.__getitem__


@pytest.mark.parametrize("removal", RULES, ids=lambda removal: removal.title)
def test_every_removed_rule_exists_and_differs_from_its_replacement(removal):
    assert removal.plain != removal.replacement


@pytest.mark.parametrize("removal", RULES, ids=lambda removal: removal.title)
def test_every_removed_constant_is_looked_up_by_some_function(removal):
    assert code_of(removal.plain) or list(readers_of(removal))


@pytest.mark.parametrize("removal", RULES, ids=lambda removal: removal.title)
def test_a_rule_that_changes_a_value_in_place_counts_as_used_wherever_it_runs(removal):
    returns = getattr(removal.plain, "__annotations__", {}).get("return")

    assert returns != "None" or not isinstance(removal.replacement, Always)


def test_no_rule_is_removed_twice():
    assert len({removal.title for removal in RULES}) == len(RULES)


def test_a_removed_constant_is_replaced_in_every_module_that_imports_it_and_put_back():
    with without(Removal("layout.footer", "TOTAL", NOTHING)):
        replaced = (footer.TOTAL, whole_words.TOTAL)

    assert replaced == (NOTHING, NOTHING)
    assert (footer.TOTAL, whole_words.TOTAL) == (TOTAL, TOTAL)


def test_an_equal_number_of_another_module_is_not_replaced():
    assert footer._LOOKED_AT == plain._LOOKED_AT

    with without(Removal("layout.plain", "_LOOKED_AT", 1)):
        assert (footer._LOOKED_AT, plain._LOOKED_AT) == (200, 1)


def test_a_removed_function_is_replaced_where_it_is_imported():
    rule = footer.is_total

    with without(Removal("layout.footer", "is_total", NO)):
        assert tables.is_total is NO

    assert tables.is_total is rule


def test_a_removed_method_is_put_back():
    removal = Removal("text.fitting", "Fitting.fit", Always(None))
    rule = removal.plain

    with without(removal):
        assert removal.plain is removal.replacement

    assert removal.plain is rule


def test_only_a_file_with_units_uses_the_rule_of_units(case_of):
    uses = Uses([UNITS])

    assert uses.of(case_of("units row").grade) == {0}
    assert uses.of(case_of("note below").grade) == set()


def test_every_file_with_a_header_uses_a_constant_that_decides_about_headers(case_of):
    uses = Uses([Removal("layout.plain", "_STRAY", 0.0)])

    assert uses.of(case_of("title").grade) == {0}


def test_a_file_is_graded_worse_without_the_rule_it_needs(case_of):
    case = case_of("units row")
    right, _ = case.grade()

    with without(UNITS):
        wrong, _ = case.grade()

    assert (right.whole, right.rows, right.silent) == (1, 1, 0)
    assert (wrong.whole, wrong.rows, wrong.silent) == (0, 0, 1)
    assert 0 < wrong.cells < 1


def test_a_rule_that_breaks_the_reader_costs_the_whole_file(case_of):
    with without(Removal("layout.plain", "plain_header", Always("no header"))):
        grade, _ = case_of("title").grade()

    assert (grade.whole, grade.cells, grade.silent) == (0, 0, 1)


def test_a_sample_is_spread_evenly_over_a_set():
    assert cases.spread(range(10), 5) == [0, 2, 4, 6, 8]
    assert cases.spread(range(3), 5) == [0, 1, 2]


def test_the_command_names_its_sample_and_prints_what_a_rule_gains(capsys):
    rule = header._is_units_row

    assert ablation.main(["--sets", "odd", "--files", "14", "_is_units_row", "_names_years"]) == 0

    output = capsys.readouterr().out
    lines = {line[:46].strip(): line[46:].split() for line in output.splitlines()}
    assert "set odd: 14 files (title 7300000, " in output
    assert lines["layout.header _is_units_row"][0] == "1"
    assert lines["layout.header _is_units_row"][5:7] == ["-1", "+1"]
    assert lines["layout.header _names_years"][-2:] == ["no", "gain"]
    assert header._is_units_row is rule


def test_a_set_from_outside_is_named_as_not_measured(capsys, monkeypatch):
    monkeypatch.delenv("EVAL_SETS", raising=False)

    ablation.main(["--sets", "outside", "odd", "--files", "1", "_is_units_row"])

    assert "NOT MEASURED outside" in capsys.readouterr().out
