"""Batches of rows in review that hosts were asked about."""

from django.db import models

from deliveries.models import Delivery


class HostCheck(models.Model):
    """One batch of rows in review that a host was asked about."""

    class Outcome(models.TextChoices):
        """What came of it."""

        WAITING = "waiting"  # the delivery is not settled
        ANSWERED = "answered"  # with findings, or none
        FAILED = "failed"  # the host did not answer 2xx
        REFUSED = "refused"  # its answer could not be read

    UNHEARD = frozenset({Outcome.FAILED, Outcome.REFUSED})

    record = models.ForeignKey(
        "imports.ImportRecord", on_delete=models.CASCADE, related_name="host_checks"
    )
    delivery = models.OneToOneField(Delivery, on_delete=models.CASCADE, related_name="+")
    rows = models.BinaryField()  # int64: the rows of the revision, as the host got them
    contents = models.BinaryField()  # uint64 for each: an edited row has another
    deadline_at = models.DateTimeField()  # an apply waits until then
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.WAITING)
    note = models.CharField(max_length=300, blank=True)  # why nothing of it is kept

    def __str__(self) -> str:
        return f"{self.record_id} {self.outcome}"
