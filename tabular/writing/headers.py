"""How the columns of a template or an export are called."""

from collections import Counter
from collections.abc import Iterable

from tabular.model.catalog import Catalog


def headers(catalog: Catalog, paths: Iterable[str] | None = None) -> dict[str, str]:
    """
    Give the header of each field, by field path: its label, or the path where labels are equal.

    paths: which fields, in which order; all that are offered when absent.
    """
    fields = catalog.live_fields
    chosen = offered(catalog) if paths is None else tuple(paths)
    names = {path: (fields[path].label or fields[path].key).strip() for path in chosen}
    counts = Counter(name.casefold() for name in names.values())
    return {p: name if counts[name.casefold()] == 1 and name else p for p, name in names.items()}


def offered(catalog: Catalog) -> tuple[str, ...]:
    """Give the fields that people fill in: neither hidden nor disabled."""
    return tuple(catalog.offered_fields)
