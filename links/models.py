"""Links, the browsers that opened them, and the imports that were started there."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar

from django.db import models

from common.actors import Actor
from common.json_text import JsonTextField
from common.work.states import StatefulModel
from imports.models import ImportRecord
from licensing.models import License, Tenant


class Link(StatefulModel):
    """
    An address, ``/i/{token}``, that lets its reader import within the settings of a session.

    One that ``corrects`` an import lets its reader download rows with errors and send them back.
    """

    class State(models.TextChoices):
        """Whether the address opens."""

        OPEN = "open"  # another browser may open it
        USED = "used"  # only browsers that opened it may go on
        EXPIRED = "expired"  # its time is over
        REVOKED = "revoked"  # the host withdrew it

    class Kind(models.TextChoices):
        """How many browsers may open it."""

        SINGLE = "single"  # the first one
        DATED = "dated"  # any, until it expires

    S = State
    MOVES: ClassVar[Mapping[str, frozenset[str]]] = {
        S.OPEN: frozenset({S.USED, S.EXPIRED, S.REVOKED}),
        S.USED: frozenset({S.EXPIRED, S.REVOKED}),
    }

    tenant = models.ForeignKey(Tenant, on_delete=models.CASCADE, related_name="links")
    license = models.ForeignKey(License, on_delete=models.CASCADE, related_name="+")
    token_sha256 = models.CharField(max_length=64, unique=True)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.SINGLE)
    scope = models.CharField(max_length=200, blank=True)  # of its sessions, for an erasure
    catalog_key = models.CharField(max_length=200)
    corrects = models.ForeignKey(  # null: it starts imports; else the one that it corrects
        ImportRecord,
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="correction_links",
    )
    terms = JsonTextField()  # the settings of its sessions: links.terms
    page = JsonTextField()  # what the page shows: name, title, text, accent, language
    logo = models.TextField(blank=True)  # a data URI
    most_imports = models.PositiveIntegerField(default=1)
    code_hash = models.CharField(max_length=200, blank=True)  # blank: opens without a code
    code_tries = models.PositiveSmallIntegerField(default=0)
    locked_at = models.DateTimeField(null=True, blank=True)  # too many wrong codes
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    ended_at = models.DateTimeField(null=True, blank=True)  # when it expired or was revoked

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(code_hash="") | models.Q(kind="single"),
                name="a_code_opens_a_link_once",
            ),
        ]
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["tenant", "-public_id"], name="links_of_a_tenant")
        ]

    def __str__(self) -> str:
        return self.public_id

    def entered(self, state: str, *, at: datetime, actor: Actor, reason: str) -> dict[str, Any]:
        """Return when it ended."""
        return {"ended_at": at if state in {self.State.EXPIRED, self.State.REVOKED} else None}


class Visit(models.Model):
    """One browser that opened a link; it is known by its cookie, of which a digest is stored."""

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="visits")
    browser_sha256 = models.CharField(max_length=64)
    session_id = models.CharField(max_length=40, null=True, unique=True)  # of its page session
    opened_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["link", "browser_sha256"], name="a_browser_opens_a_link_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.link_id} at {self.opened_at}"


class LinkedImport(models.Model):
    """An import that was started from a link."""

    link = models.ForeignKey(Link, on_delete=models.CASCADE, related_name="linked_imports")
    visit = models.ForeignKey(Visit, on_delete=models.CASCADE, related_name="linked_imports")
    record = models.OneToOneField(ImportRecord, on_delete=models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.record_id} from {self.link_id}"
