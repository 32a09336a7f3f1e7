from collections import Counter

import pytest

from tests.tabular.matching.exports import cases
from tests.tabular.matching.figures import judge, rates

JUDGED = [(case, *judge(case)) for case in cases()]
LANGUAGES = sorted({case.language for case in cases()})


def total(language=None):
    counts = Counter()
    for case, found, _ in JUDGED:
        if language in {None, case.language}:
            counts += found
    return rates(counts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_columns_of_well_known_exports_find_their_fields(language):
    wrong = [line for case, _, lines in JUDGED if case.language == language for line in lines]

    assert total(language)["f1"] >= 0.95, wrong


def test_what_a_person_would_ask_is_asked_and_little_else():
    figures = total()

    assert figures["asked"] >= 0.9
    assert figures["false"] <= 0.03


def test_what_is_left_out_has_no_field():
    assert total()["unmapped"] >= 0.9
