"""What is logged about failed requests."""

import logging

import pytest
from django.test import RequestFactory
from django.urls import resolve

from importengine.logs import RequestsWithoutPaths

PATH = "/api/import/v1/imports/rec_Ann-Lee"


def line(status: int, path: str = PATH) -> logging.LogRecord:
    request = RequestFactory().get(path)
    request.resolver_match = resolve(PATH)
    record = logging.LogRecord(
        "django.request", logging.ERROR, "log.py", 1, "%s: %s", ("Failed", path), None
    )
    record.status_code, record.request = status, request
    return record


def test_a_failure_of_the_engine_names_the_route_and_no_part_of_the_path():
    failed = line(500)

    assert RequestsWithoutPaths().filter(failed)
    assert "rec_Ann-Lee" not in failed.getMessage()
    assert failed.getMessage().startswith("Failed: /api/import/v1/imports/<")


@pytest.mark.parametrize(("status", "path"), [(400, PATH), (404, PATH), (503, "/readyz")])
def test_mistakes_of_callers_and_probes_are_not_printed(status, path):
    assert not RequestsWithoutPaths().filter(line(status, path))


def test_other_lines_stay_as_they_are():
    other = logging.LogRecord("django.request", logging.WARNING, "x.py", 1, "said", (), None)

    assert RequestsWithoutPaths().filter(other)
    assert other.getMessage() == "said"
