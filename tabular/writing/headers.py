"""The names of the columns of a template or an export."""

from collections import Counter
from collections.abc import Iterable

from tabular.model.catalog import Catalog


def headers(catalog: Catalog, paths: Iterable[str] | None = None) -> dict[str, str]:
    """
    Return the header of each field, by field path: its label, or the path if labels are equal.

    paths: which fields, in which order; by default, all that are offered.
    """
    fields = catalog.live_fields
    chosen = offered(catalog) if paths is None else tuple(paths)
    names = {path: (fields[path].label or fields[path].key).strip() for path in chosen}
    counts = Counter(name.casefold() for name in names.values())
    return {p: name if counts[name.casefold()] == 1 and name else p for p, name in names.items()}


def offered(catalog: Catalog) -> tuple[str, ...]:
    """Return the fields that users fill in: neither hidden nor disabled."""
    return tuple(catalog.offered_fields)
