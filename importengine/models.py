"""What the engine knows of its own processes."""

from django.db import models


class SeenProgram(models.Model):
    """A worker or a beat of this engine, on whichever machine, and when it last said so."""

    name = models.CharField(max_length=200, unique=True)  # imports@host, beat@host
    queues = models.CharField(max_length=200)  # comma-separated; "beat" for what sends wake-ups
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Erasure(models.Model):
    """That all data of a tenant, or of one scope of it, was deleted: who, when, how much."""

    tenant_id = models.CharField(max_length=64)  # the id alone: the record outlives the tenant
    scope = models.CharField(max_length=200, null=True, blank=True)
    counts = models.JSONField()  # rows by model
    actor = models.JSONField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.tenant_id} at {self.at}"
