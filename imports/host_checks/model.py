"""Batches of rows in review that hosts were asked about."""

from django.db import models

from common.json_text import JsonTextField, WordedField
from deliveries.models import Delivery


class HostCheck(models.Model):
    """One batch of rows in review that a host was asked about."""

    class Outcome(models.TextChoices):
        """The result of a batch."""

        WAITING = "waiting"  # the delivery is not finished
        ANSWERED = "answered"  # with findings, or none
        FAILED = "failed"  # the host's answer was not 2xx
        REFUSED = "refused"  # its answer was invalid

    UNHEARD = frozenset({Outcome.FAILED, Outcome.REFUSED})

    record = models.ForeignKey(
        "imports.ImportRecord", on_delete=models.CASCADE, related_name="host_checks"
    )
    delivery = models.OneToOneField(Delivery, on_delete=models.CASCADE, related_name="+")
    rows = models.BinaryField()  # int64: row numbers of the revision, in the order sent
    contents = models.BinaryField()  # uint64 per row: a hash that changes with an edit
    rounds = models.BinaryField(null=True)  # uint8 per row: hosts changed it so often
    set_places = models.BinaryField(null=True)  # int64: places in ``rows`` that it changed
    set_contents = models.BinaryField(null=True)  # uint64 per place: the hash of the changed row
    declined = JsonTextField(null=True)  # {number of a result: code}: values that were not set
    deadline_at = models.DateTimeField()  # an apply waits until then
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.WAITING)
    note = WordedField(max_length=300, blank=True)  # why its answer was not stored

    def __str__(self) -> str:
        return f"{self.record_id} {self.outcome}"
