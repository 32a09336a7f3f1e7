"""Test files that are kept with a catalog."""

from typing import ClassVar

from django.db import models

from catalogs.models import Catalog
from common.json_text import JsonTextField
from trials.outcomes import differences


class KeptTest(models.Model):
    """A file that every draft of a catalog is tested with before it is published."""

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    catalog = models.ForeignKey(Catalog, on_delete=models.CASCADE, related_name="kept_tests")
    name = models.CharField(max_length=255)
    filename = models.CharField(max_length=255)
    file = models.CharField(max_length=200)  # storage name
    size = models.PositiveBigIntegerField()  # bytes
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    created_by = JsonTextField()  # an Actor
    expected = JsonTextField()  # an outcome
    got = JsonTextField(null=True, blank=True)  # the outcome of the last run
    ran_at = models.DateTimeField(null=True, blank=True)
    etag = models.CharField(max_length=64, blank=True)  # of the draft that was tested last
    record_id = models.CharField(max_length=40, blank=True)  # of the last run

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["catalog", "name"], name="a_test_file_has_its_name_once"
            )
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def differences(self) -> list[str]:
        """Return how the last run differed from what was expected."""
        return [] if self.got is None else differences(self.expected, self.got)

    @property
    def state(self) -> str:
        """Return how the last run ended."""
        if self.got is None:
            return "never"
        return "fails" if self.differences else "passes"
