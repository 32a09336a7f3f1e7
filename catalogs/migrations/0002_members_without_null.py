"""Stored catalogs say by leaving a member out what they could say by null before."""

import hashlib
import json

from django.db import migrations

FLAGS = {"exact": True, "fuzzy": False, "learned": False}


def without_null(part):
    """Drop null members; give a reference's ``resolve`` its three flags."""
    if isinstance(part, list):
        return [without_null(one) for one in part]
    if not isinstance(part, dict):
        return part
    kept = {name: without_null(value) for name, value in part.items() if value is not None}
    if "matchOn" in kept and isinstance(kept.get("resolve"), dict):
        kept["resolve"] = {**FLAGS, **kept["resolve"]}
    return kept


def rewrite(apps, schema_editor):
    """Rewrite the documents that would be refused now."""
    versions = apps.get_model("catalogs", "CatalogVersion").objects
    for version in versions.only("pk", "document").iterator(chunk_size=100):
        before = json.loads(version.document)
        if (after := without_null(before)) != before:
            text = json.dumps(after, ensure_ascii=False, separators=(",", ":"))
            etag = hashlib.sha256(text.encode()).hexdigest()
            versions.filter(pk=version.pk).update(document=text, etag=etag)


class Migration(migrations.Migration):
    dependencies = [("catalogs", "0001_initial")]

    operations = [migrations.RunPython(rewrite, migrations.RunPython.noop)]
