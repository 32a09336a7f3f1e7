"""Changesets are tested with the same small tables as staging."""

from tests.staging.conftest import in_review

__all__ = ["in_review"]
