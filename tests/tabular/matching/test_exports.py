from collections import Counter
from functools import cache

import pytest

from tests.tabular.matching.exports import cases
from tests.tabular.matching.figures import judge, rates

LANGUAGES = sorted({case.language for case in cases()})


@cache
def judged():
    """Return every case with its counts and errors; computed once, by the first test."""
    return [(case, *judge(case)) for case in cases()]


def total(language=None):
    counts = Counter()
    for case, counted, _ in judged():
        if language in {None, case.language}:
            counts += counted
    return rates(counts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_of_well_known_exports_find_their_fields(language):
    wrong = [line for case, _, lines in judged() if case.language == language for line in lines]

    assert total(language)["f1"] >= 0.95, wrong


def test_what_a_person_would_ask_is_asked_and_little_else():
    figures = total()

    assert figures["asked"] >= 0.9
    assert figures["false"] <= 0.03


def test_what_is_left_out_has_no_field():
    assert total()["unmapped"] >= 0.9
