"""Which fields refer to which entities, and what identifies an entity. Spec: reference."""

from collections.abc import Collection
from dataclasses import dataclass

from tabular.model.catalog import Catalog, Reference, Resolve, Validation

DEFAULT_MIN_SCORE = 90.0  # a similar text is accepted from here on, of 100
ABSENT = Resolve(exact=True, fuzzy=False, learned=False)


@dataclass(frozen=True, slots=True)
class Pointer:
    """A field that refers to entities, ``reference`` with its defaults filled in."""

    path: str
    entity: str
    match_on: tuple[str, ...]  # field keys of the entity, tried in this order
    key: str  # the field key that identifies an entity
    reference: Reference
    rules: tuple[Validation, ...] = ()  # those of the field that are about references

    @property
    def resolve(self) -> Resolve:
        """The ways that are tried."""
        return self.reference.resolve or ABSENT

    @property
    def min_score(self) -> float:
        """The score from which a similar text is accepted, 0 to 100."""
        given = self.resolve.min_score
        return DEFAULT_MIN_SCORE if given is None else given


def pointers_of(catalog: Catalog, paths: Collection[str]) -> tuple[Pointer, ...]:
    """Return the live references among some fields, in the catalog's order."""
    keys = key_fields(catalog)
    return tuple(
        Pointer(
            path=path,
            entity=field.reference.entity,
            match_on=field.reference.match_on,
            key=keys[field.reference.entity],
            reference=field.reference,
            rules=tuple(v for v in field.validations or () if v.validate_.startswith("reference_")),
        )
        for path, field in catalog.live_fields.items()
        if field.reference is not None and path in paths
    )


def key_fields(catalog: Catalog) -> dict[str, str]:
    """
    Return, by entity name, the field that identifies an entity among those of its name.

    It is the first field that the first reference to it matches on; for an entry without
    references, the first live field that must be unique alone.
    """
    by_part: dict[str, str] = {}
    for field in catalog.live_fields.values():
        if field.reference is not None:
            by_part.setdefault(field.reference.entity, field.reference.match_on[0])
    for entry in catalog.entries:
        for field in entry.fields:
            rules = field.validations or ()
            if not field.disabled and any(_is_alone(rule) for rule in rules):
                by_part.setdefault(entry.id, field.key)
    return by_part


def _is_alone(rule: Validation) -> bool:
    return rule.validate_ == "unique" and not rule.columns and rule.severity != "warning"


def paths_of(catalog: Catalog, entity: str) -> dict[str, str]:
    """Return the live fields of an entry, field key to path; none for uploaded data alone."""
    return {
        field.key: f"{entry.id}{catalog.key_separator}{field.key}"
        for entry in catalog.entries
        if entry.id == entity
        for field in entry.fields
        if not field.disabled
    }
