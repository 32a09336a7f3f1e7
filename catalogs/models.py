"""Catalogs and their versions. Spec: Catalog."""

import zlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q

from catalogs.outcomes import differences
from catalogs.overlays import laid_over_text
from common.actors import Actor, name_of
from common.json_text import JsonTextField, WordedJsonField
from common.work.states import StatefulModel
from licensing.models import Tenant
from tabular.model import catalog as nouns


class Catalog(models.Model):
    """A target schema of one tenant, under a key that never changes."""

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="catalogs")
    key = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["tenant", "key"], name="a_tenant_has_a_key_once")
        ]

    def __str__(self) -> str:
        return self.key


class CatalogVersion(StatefulModel):
    """One version of a catalog; its document is text, stored byte for byte (never ``jsonb``)."""

    class State(models.TextChoices):
        """The state of a version."""

        DRAFT = "draft"  # an editor changes it
        PUBLISHED = "published"  # imports use it
        RETIRED = "retired"  # imports that started with it still use it

    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        State.DRAFT: frozenset({State.PUBLISHED}),
        State.PUBLISHED: frozenset({State.RETIRED}),
    }
    NOTE_LENGTH: ClassVar[int] = 500

    catalog = models.ForeignKey(Catalog, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    document = models.TextField()  # {key, title, version, keySeparator, entries}
    title = models.CharField(max_length=200)
    note = models.CharField(max_length=NOTE_LENGTH, blank=True)
    etag = models.CharField(max_length=64)  # sha256 of the document, hex
    saved_at = models.DateTimeField()
    saved_by: "models.JSONField[Any, Any]" = models.JSONField()  # an Actor
    edited_by = JsonTextField(null=True)  # Actors who saved the draft; null before it was recorded
    published_at = models.DateTimeField(null=True, blank=True)
    published_by: "models.JSONField[Any, Any]" = models.JSONField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["catalog", "number"], name="a_catalog_counts_each_version_once"
            ),
            models.UniqueConstraint(
                fields=["catalog"], condition=Q(state="draft"), name="a_catalog_has_one_draft"
            ),
            models.UniqueConstraint(
                fields=["catalog"],
                condition=Q(state="published"),
                name="a_catalog_has_one_published_version",
            ),
            models.CheckConstraint(
                condition=Q(state="draft", published_at__isnull=True)
                | Q(state__in=["published", "retired"], published_at__isnull=False),
                name="what_was_published_has_a_time_and_a_draft_has_none",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1), name="catalog_versions_count_from_one"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.catalog} version {self.number}"

    def entered(self, state: str, *, at: datetime, actor: Actor, reason: str) -> dict[str, Any]:
        """Return who published the version, when and why."""
        if state != self.State.PUBLISHED:
            return {}
        note = (reason or self.note)[: self.NOTE_LENGTH]
        return {"note": note, "published_at": at, "published_by": actor.as_dict()}

    @property
    def editors(self) -> list[dict[str, str]]:
        """Everyone who saved it as a draft, the first one first."""
        by_id = {actor["id"]: actor for actor in (*(self.edited_by or ()), self.saved_by)}
        return list(by_id.values())

    @property
    def saved_by_name(self) -> str:
        """The name of the person who saved it last."""
        return name_of(self.saved_by)

    @property
    def published_by_name(self) -> str:
        """The name of the person who published it."""
        return name_of(self.published_by or {})

    def as_catalog(
        self, overlay: dict[str, Any] | None = None, options: dict[str, Any] | None = None
    ) -> nouns.Catalog:
        """
        Return the parsed document; only a published version is sure to be valid.

        overlay, options: what one customer has of its own, see ``catalogs.overlays``.
        """
        text = self.document_with(overlay, options)
        kept = self.__dict__.get("_parsed")  # catalogs are frozen; a draft gets another text
        if kept is None or kept[0] != text:
            parsed = nouns.Catalog.model_validate_json(text, by_alias=True, by_name=False)
            kept = self._parsed = (text, parsed)
        catalog: nouns.Catalog = kept[1]
        return catalog

    def document_with(
        self, overlay: dict[str, Any] | None, options: dict[str, Any] | None = None
    ) -> str:
        """Return the document as one customer has it; where nothing differs, byte for byte."""
        if overlay or options:
            return laid_over_text(self.document, overlay or {}, options)
        return self.document


class CatalogSample(models.Model):
    """The file that people download to fill in, instead of the generated template."""

    catalog = models.OneToOneField(Catalog, on_delete=models.CASCADE, related_name="sample")
    kind = models.CharField(max_length=4)  # xlsx or csv
    size = models.PositiveIntegerField()  # bytes
    content = models.BinaryField()  # deflated
    saved_at = models.DateTimeField()
    saved_by = JsonTextField()  # an Actor

    def __str__(self) -> str:
        return f"{self.catalog.key}.{self.kind}"

    @property
    def bytes_(self) -> bytes:
        """The file as it was sent."""
        return zlib.decompress(self.content)


class RegressionFile(models.Model):
    """A file that every draft of a catalog is tested with before it is published."""

    public_id = models.CharField(max_length=40, unique=True, editable=False)
    catalog = models.ForeignKey(Catalog, on_delete=models.CASCADE, related_name="regression_files")
    name = models.CharField(max_length=255)
    filename = models.CharField(max_length=255)
    file = models.CharField(max_length=200)  # storage name
    size = models.PositiveBigIntegerField()  # bytes
    sha256 = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    created_by = JsonTextField()  # an Actor
    expected = WordedJsonField()  # an outcome
    got = WordedJsonField(null=True, blank=True)  # the outcome of the last run
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
