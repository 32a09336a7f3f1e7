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
