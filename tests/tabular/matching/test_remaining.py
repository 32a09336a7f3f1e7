"""What is neither certain nor hopeless is asked about, and order alone decides nothing."""

from collections import Counter

import pytest

from eval.matching import sources
from eval.matching.made_up import column
from eval.matching.outcomes import PRICES, outcomes, price, shuffled, silenced
from tabular.matching import candidate_fields, propose
from tabular.model.catalog import Catalog, Entry, Field

SILENCED = 0.015  # share of columns that may fall silent in another order
LEFT_OUT = 0.025
SEEDS = (1, 2, 3)


def catalog(*lines):
    """Return a catalog with a field a line: key, type, label; "!" marks a required one."""
    fields = tuple(
        Field(key=key, column_type=kind, label=label.rstrip("!"), required=label.endswith("!"))
        for key, kind, label in (line.split(" ", 2) for line in lines)
    )
    return Catalog(key="things", entries=(Entry(id="things", fields=fields),))


def proposed(header_and_kinds, known):
    header = tuple(header_and_kinds)
    cells = [column(kind, seed=name) for name, kind in header_and_kinds.items()]
    return propose(header, cells, catalog=known)


def asked_about(proposal):
    return {
        name: set(candidate_fields(question))
        for question in proposal.questions
        for name in question.columns
    }


def test_a_required_field_is_asked_about_while_a_column_with_its_values_remains():
    known = catalog("name string Name!", "since date Member since!")

    proposal = proposed({"Name": "person", "Zorkel": "date"}, known)

    assert asked_about(proposal) == {"Zorkel": {"things.since"}}


def test_no_required_field_is_asked_about_where_no_column_has_its_values():
    known = catalog("name string Name!", "since date Member since!")

    proposal = proposed({"Name": "person", "Zorkel": "word"}, known)

    assert asked_about(proposal) == {}


def test_a_name_over_other_values_is_asked_about_next_to_the_column_with_the_values():
    known = catalog("tag string Tag!", "warranty date Warranty")

    proposal = proposed(
        {"Tag": "code T", "Warranty": "pick 24 months;36 months", "Warranty end": "date"}, known
    )

    assert asked_about(proposal).keys() == {"Warranty", "Warranty end"}


@pytest.mark.parametrize("half", ["fit", "judge"])
def test_another_order_turns_few_columns_into_silence(half):
    counts = Counter()
    for file in sources.exports(half):
        plain = happens(file)
        for seed in SEEDS:
            counts += silenced(plain, happens(shuffled(file, seed)))

    assert counts["silenced"] <= SILENCED * counts.total()


def test_little_is_left_out_in_silence():
    counts = Counter(what for file in sources.exports("fit") for what in happens(file).values())

    assert counts["left out"] <= LEFT_OUT * counts.total()


def happens(file):
    return outcomes(propose(file.header, file.cells, catalog=file.catalog), file.truth)


def test_silence_costs_ten_times_a_good_question():
    counts = Counter({"left out": 1, "asked": 2, "needless": 1, "misled": 1, "right": 5})

    assert price(counts) == pytest.approx(100 * (10 + 2 + 2 + 3) / 10)
    assert PRICES["left out"] == 10 * PRICES["asked"]


def test_every_source_is_in_one_part():
    names = {part: [file.about for file in sources.exports(part)] for part in sources.PARTS}
    every = [name for of_part in names.values() for name in of_part]

    assert all(len(of_part) >= 20 for of_part in names.values())
    assert len(every) == len(set(every))
