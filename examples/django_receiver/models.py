"""Deliveries that have arrived."""

from django.db import models


class ReceivedDelivery(models.Model):
    """One ``import.apply`` delivery; its id is unique, so that a repeated one changes nothing."""

    delivery_id = models.CharField(max_length=64, unique=True)
    record_id = models.CharField(max_length=64, db_index=True)
    tenant_id = models.CharField(max_length=64)
    mapping = models.JSONField()
    meta = models.JSONField(null=True)
    catalog_key = models.CharField(max_length=64, blank=True)
    reverts = models.CharField(max_length=64, blank=True, db_index=True)  # a delivery taken back
    occurred_at = models.DateTimeField()
    received_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "import_receiver"

    def __str__(self) -> str:
        return self.delivery_id


class ReceivedRow(models.Model):
    """One row of a delivery, keyed by field path. A host writes to its own tables instead."""

    delivery = models.ForeignKey(ReceivedDelivery, on_delete=models.CASCADE, related_name="rows")
    position = models.PositiveIntegerField()  # 0-based
    values = models.JSONField()

    class Meta:
        app_label = "import_receiver"
        ordering = ("position",)

    def __str__(self) -> str:
        return f"{self.delivery_id} row {self.position}"


class ReceivedEntity(models.Model):
    """What the host has of one entity, such as a customer; a delivery changes cells of it."""

    entity = models.CharField(max_length=64)
    ref = models.CharField(max_length=64)
    values = models.JSONField()  # by field path

    class Meta:
        app_label = "import_receiver"
        constraints = (
            models.UniqueConstraint(fields=["entity", "ref"], name="a_ref_names_one_entity"),
        )

    def __str__(self) -> str:
        return f"{self.entity} {self.ref}"
