"""
Every move of a catalog version from one state to another: published, retired.

No other module moves a catalog version. Callers hold the lock of the catalog. See docs/states.md.
"""

from datetime import datetime

from django.db import transaction

from catalogs.models import CatalogVersion
from common import events
from common.actors import Actor

State = CatalogVersion.State


def publish(draft: CatalogVersion, *, note: str, actor: Actor, at: datetime) -> CatalogVersion:
    """Publish a draft, and retire the version published before it."""
    with transaction.atomic():
        for former in draft.catalog.versions.filter(state=State.PUBLISHED):
            former.move_to(State.RETIRED, f"version {draft.number}", at=at, actor=actor)
        published = draft.move_to(State.PUBLISHED, note, at=at, actor=actor)
        _note("catalog.published", published, at=at, actor=actor)
        return published


def retire(version: CatalogVersion, *, note: str, actor: Actor, at: datetime) -> CatalogVersion:
    """Retire a published version: no new import uses it."""
    with transaction.atomic():
        version.move_to(State.RETIRED, note or "catalog retired", at=at, actor=actor)
        _note("catalog.retired", version, at=at, actor=actor)
        return version


def _note(kind: events.Kind, version: CatalogVersion, *, at: datetime, actor: Actor) -> None:
    catalog = version.catalog
    tenant, about = catalog.tenant.public_id, {"version": version.number}
    events.note(tenant=tenant, kind=kind, subject=catalog.key, actor=actor, at=at, about=about)
