"""Which imports of a feed are applied without a person."""

import pytest

from feeds.applying.rules import Counted, Facts, Rules, reasons_against

ALL = Rules(apply=True)


def facts(**changed) -> Facts:
    usual = {
        "is_remembered": True,
        "open_questions": 0,
        "invalid": Counted(0, 100),
        "changed": Counted(10, 100),
        "missing": Counted(1, 100),
    }
    return Facts(**(usual | changed))


@pytest.mark.parametrize(
    ("rules", "changed", "codes"),
    [
        (ALL, {}, []),
        (Rules(), {}, ["applied_by_people"]),
        (ALL, {"is_remembered": False}, ["mapping_is_new"]),
        (ALL, {"open_questions": 2}, ["open_questions"]),
        (ALL, {"invalid": Counted(1, 100)}, ["too_many_invalid_rows"]),  # no limit: none
        (Rules(apply=True, max_invalid_rows=1), {"invalid": Counted(1, 100)}, []),
        (Rules(apply=True, max_invalid_percent=1), {"invalid": Counted(1, 100)}, []),
        (
            Rules(apply=True, max_invalid_percent=1),
            {"invalid": Counted(2, 100)},
            ["too_many_invalid_percent"],
        ),
        (
            Rules(apply=True, max_invalid_rows=1, max_invalid_percent=50),
            {"invalid": Counted(2, 100)},
            ["too_many_invalid_rows"],
        ),
        (Rules(apply=True, max_changed_rows=9), {}, ["too_many_changed_rows"]),
        (Rules(apply=True, max_changed_percent=9), {}, ["too_many_changed_percent"]),
        (Rules(apply=True, max_missing_rows=0), {}, ["too_many_missing_rows"]),
        (Rules(apply=True, max_missing_percent=0.5), {}, ["too_many_missing_percent"]),
        (ALL, {"is_again": True}, ["same_as_earlier_file"]),
        (ALL, {"is_blocked": True}, ["earlier_file_waits"]),
        (ALL, {"drift": ({"code": "column_removed"},)}, ["column_removed"]),
        (
            Rules(),
            {"is_remembered": False, "is_blocked": True},
            ["applied_by_people", "mapping_is_new", "earlier_file_waits"],
        ),
    ],
)
def test_each_reason_against_an_apply_is_named(rules, changed, codes):
    assert [reason["code"] for reason in reasons_against(rules, facts(**changed))] == codes
