"""What sections of the page return when they measure a few rows."""

import os
from collections.abc import Iterator

import pytest

from bench import jobs, joining
from bench.deliveries import nested
from bench.figures import sections, services
from bench.figures.__main__ import main as measured_by_name
from bench.figures.figure import RATIO, Skipped
from bench.review import near


def test_a_join_is_compared_with_one_in_memory():
    against, spent = joining.figures(500)

    assert against.unit == RATIO
    assert against.value > 0
    assert (spent.unit, spent.target) == ("s", 2.0)


def test_a_join_that_loses_rows_ends_its_section(monkeypatch):
    monkeypatch.setattr(joining, "_joined", lambda tables: 499)

    with pytest.raises(SystemExit, match="499 rows instead of 500"):
        list(joining.figures(500))


def test_near_duplicates_are_found_by_one_field_and_by_two():
    by_name, groups, by_both, fewer = near.figures(1_000)

    assert (by_name.target, by_both.target) == (3.0, 3.0)
    assert groups.value >= fewer.value > 0


def test_a_nested_body_is_compared_with_a_flat_one():
    ratio = next(nested.figures(nested.BATCH_ROWS))

    assert (ratio.unit, ratio.target) == (RATIO, 1.5)
    assert 0 < ratio.value < 50


def test_a_measurement_sees_no_engine_of_this_machine(monkeypatch):
    monkeypatch.setenv("IMPORT_S3_URL", "https://host/bucket")
    monkeypatch.setenv("IMPORT_POSTGRES_URL", "postgresql://host/db")
    monkeypatch.setenv("IMPORT_REDIS_URL", "redis://host:6379/0")

    seen = services.environment()

    assert not [name for name in seen if name.startswith("IMPORT_")]
    assert seen["BENCH_POSTGRES_URL"] == "postgresql://host/db"
    assert seen["BENCH_REDIS_URL"] == "redis://host:6379/14"


def test_a_section_measured_by_its_name_uses_the_services_of_an_engine(monkeypatch, capsys):
    monkeypatch.setattr(os, "environ", os.environ.copy())
    monkeypatch.setenv("IMPORT_POSTGRES_URL", "postgresql://host/db")
    monkeypatch.setenv("IMPORT_REDIS_URL", "redis://host:6379/0")
    monkeypatch.setenv("IMPORT_S3_URL", "https://host/bucket")

    def measure() -> Iterator[Skipped]:
        yield Skipped("shapes", ", ".join(jobs.shapes()))
        yield Skipped("a bucket", os.environ.get("IMPORT_S3_URL", "none"))

    monkeypatch.setitem(sections.SECTIONS, "any", sections.Section("Any", "", measure))

    measured_by_name("any")

    printed = capsys.readouterr().out
    assert "embedded, production" in printed
    assert printed.rstrip().endswith("none")


def test_one_service_alone_is_none(monkeypatch):
    for name in ("IMPORT_POSTGRES_URL", "BENCH_POSTGRES_URL", "BENCH_REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("IMPORT_REDIS_URL", "redis://host:6379/0")

    assert services.given() == {}


def test_sizes_follow_the_scale_and_stay_usable(monkeypatch):
    monkeypatch.setenv("BENCH_SCALE", "0.01")

    assert services.scaled(1_000_000) == 10_000
    assert services.scaled(30, least=3) == 3
