"""The pictures of a feed's files: when they are taken, and what they are compared with."""

import json

import pytest

from feeds.applying.pictures import FINDINGS, PICTURE, findings_kept
from feeds.models import TakenFile
from tests.feeds.conftest import imports_of
from tests.feeds.test_six_weeks import accept, apply, learn_from, rows, week

__all__ = ["week"]  # a fixture
pytestmark = pytest.mark.django_db


def file_of(record) -> TakenFile:
    return TakenFile.objects.get(record=record)


def held(feed) -> list[dict]:
    return imports_of(feed)[-1].held or []


def later(text: str) -> str:
    return text.replace("2026-01-", "2031-01-")


def test_each_file_in_review_has_a_picture_of_its_columns(feed, week):
    learn_from(feed, week)
    (record,) = imports_of(feed)
    picture = file_of(record).picture[PICTURE]

    assert picture["rows"] == 100
    assert [column["header"] for column in picture["columns"]] == ["Number", "Name", "Joined"]
    assert [column["path"] for column in picture["columns"]] == ["p.number", "p.name", "p.joined"]
    assert picture["columns"][2]["dates"]["first"] == "2026-01-01"
    assert "Name 7" not in json.dumps(picture)


def test_a_file_that_is_not_like_the_ones_before_waits_with_the_figures(feed, week):
    learn_from(feed, week)
    week(rows(101), "w1.csv")
    week(later(rows(102)), "w2.csv")

    (reason,) = held(feed)
    assert (reason["code"], reason["column"]) == ("drift_dates_range", "Joined")
    assert reason["before"] == "2026-01-01 – 2026-01-28"
    assert reason["after"] == "2031-01-01 – 2031-01-28"


def test_an_ordinary_file_is_applied_and_has_no_finding(feed, week):
    learn_from(feed, week)
    week(rows(101), "w1.csv")
    record = imports_of(feed)[-1]

    assert record.state == "applied"
    assert file_of(record).picture[FINDINGS] == []


def test_what_a_person_applied_is_usual_later(feed, week):
    learn_from(feed, week)
    for number in range(3):
        week(later(rows(102 + number)), f"w{number}.csv")
        record = imports_of(feed)[-1]
        if record.state == "review":
            accept(record)
            apply(record)

    assert week(later(rows(106)), "last.csv")["held"] == []


def test_no_reason_quotes_the_value_of_a_cell(feed, week):
    learn_from(feed, week)
    for number in range(3):
        week(rows(101 + number), f"w{number}.csv")
    table = rows(105).replace("M", "Secret-")
    week(table, "new.csv")

    assert held(feed)
    assert "Secret" not in json.dumps(held(feed))
    assert findings_kept(file_of(imports_of(feed)[-1]))
