"""Batches of rows in review that hosts were asked about."""

from django.db import models

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
    deadline_at = models.DateTimeField()  # an apply waits until then
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.WAITING)
    note = models.CharField(max_length=300, blank=True)  # why its answer was not stored

    def __str__(self) -> str:
        return f"{self.record_id} {self.outcome}"
