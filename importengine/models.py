"""What the engine knows about its own processes."""

from django.db import models


class SeenProgram(models.Model):
    """A process of a worker or a beat of this engine; times are the database's."""

    name = models.CharField(max_length=200, unique=True)  # random per start, so that it is unique
    host = models.CharField(max_length=255, default="")
    queues = models.CharField(max_length=200)  # comma-separated; "beat" for the scheduler
    began_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    clock_ahead_s = models.FloatField(default=0.0)  # its machine's clock minus the database's

    def __str__(self) -> str:
        return f"{self.queues} at {self.host}"


class Erasure(models.Model):
    """A record of deleted data of a tenant, or of one of its scopes: who, when, how much."""

    tenant_id = models.CharField(max_length=64)  # the id only: the record outlives the tenant
    scope = models.CharField(max_length=200, null=True, blank=True)
    counts = models.JSONField()  # rows by model
    actor = models.JSONField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.tenant_id} at {self.at}"
