"""Required fields without a column: a person confirms that they stay empty."""

from common.errors import Conflict
from imports import inputs
from imports.models import ImportRecord
from pipeline.draft import MappingDraft


class RequiredUnmapped(Conflict):
    """Some required fields have no column. Map them, or send `allowMissing: true`."""

    code = "required_unmapped"


def check_required(record: ImportRecord, draft: MappingDraft) -> None:
    """
    Raise RequiredUnmapped, naming every required field that a mapping leaves empty.

    A field that a person confirmed to have no column is skipped, unless it has one by now. Entries
    without any mapped column are not validated.
    """
    fed = set(draft.mapping.values())
    known = inputs.left_empty(record) - set((record.mapping or {}).values())
    by_entity = {entity: paths for entity, paths in _by_entity(record).items() if fed & set(paths)}
    entities = {path: entity for entity, paths in by_entity.items() for path in paths}
    missing = {
        path: item
        for path, item in inputs.policy_of(record, record.file_read).missing(draft.mapping).items()
        if path in entities and path not in known  # an entry without columns is not validated
    }
    if not missing:
        return
    labels = ", ".join(field.label or field.key for field in missing.values())
    raise RequiredUnmapped(
        "required_unmapped.fields",
        labels=labels,
        members={
            "missing": [
                {"entity": entities[path], "field": path, "label": field.label or field.key}
                for path, field in missing.items()
            ]
        },
    )


def _by_entity(record: ImportRecord) -> dict[str, list[str]]:
    separator = record.target.key_separator
    entries = record.target.entries
    return {
        entry.id: [f"{entry.id}{separator}{field.key}" for field in entry.fields]
        for entry in entries
    }
