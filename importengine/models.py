"""What the engine knows of its own processes."""

from django.db import models


class SeenProgram(models.Model):
    """A process of a worker or a beat of this engine; times are the database's."""

    name = models.CharField(max_length=200, unique=True)  # drawn at its start: no process has two
    host = models.CharField(max_length=255, default="")
    queues = models.CharField(max_length=200)  # comma-separated; "beat" for what sends wake-ups
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    clock_ahead_s = models.FloatField(default=0.0)  # of its machine's clock, against the database's

    def __str__(self) -> str:
        return f"{self.queues} at {self.host}"


class Erasure(models.Model):
    """That all data of a tenant, or of one scope of it, was deleted: who, when, how much."""

    tenant_id = models.CharField(max_length=64)  # the id alone: the record outlives the tenant
    scope = models.CharField(max_length=200, null=True, blank=True)
    counts = models.JSONField()  # rows by model
    actor = models.JSONField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.tenant_id} at {self.at}"
