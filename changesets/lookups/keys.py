"""Which keys of an import's rows its host was not asked about yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from changesets.comparison.known_rows import ROWS_AT_ONCE, keyed_names

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from changesets.lookups.model import Lookup
    from staging.arrays import Rows
    from staging.columns import StagedTable
    from tabular.resolving.resolution import Wanted

    Digests = NDArray[np.int64]
REF = ""  # instead of a field, so that a ref and a key of one text differ


@dataclass(slots=True)
class Answers:
    """What was answered so far, as numbers: keys and refs, by entity."""

    keys: dict[str, Digests] = field(default_factory=dict)
    refs: dict[str, set[int]] = field(default_factory=dict)


def answers_of(lookup: Lookup, *, with_refs: bool = True) -> Answers:
    """Return what a lookup was answered so far. with_refs: the refs, too, not only the keys."""
    import numpy as np

    keys: dict[str, list[Digests]] = {}
    answers = Answers()
    pages = lookup.pages if with_refs else lookup.pages.defer("refs")
    for page in pages.iterator(chunk_size=100):
        keys.setdefault(page.entity, []).append(np.frombuffer(page.keys, np.int64))
        if with_refs:
            refs = np.frombuffer(page.refs, np.int64).tolist()
            answers.refs.setdefault(page.entity, set()).update(refs)
    answers.keys = {entity: np.concatenate(parts) for entity, parts in keys.items()}
    return answers


def digests_of(field: str, texts: list[str]) -> Digests:
    """Return the numbers of some keys or refs. texts: n texts; field: of the key, or ``REF``."""
    import pyarrow as pa

    from tabular.resolving.keys import exact_digests

    return exact_digests(field, pa.array(texts, pa.string()))


def all_rows(table: StagedTable) -> Rows:
    """Return the number of every row, of excluded ones, too."""
    import numpy as np

    return np.arange(table.row_count)


def edited_rows(*tables: StagedTable) -> Rows:
    """Return the numbers of the rows that any of some revisions of one transform has edited."""
    import numpy as np

    return np.unique(np.concatenate([table.overlay.rows for table in tables]))


def missing_keys(table: StagedTable, rows: Rows, answers: Answers) -> dict[str, Wanted]:
    """
    Return the keys of some rows that were not answered, by entity; entities without any, too.

    rows: ascending numbers. The keys are those that a plan compares rows by.
    """
    names = keyed_names(table.files.plan)
    parts: dict[str, list[Wanted]] = {name: [] for name in names}
    for start in range(0, max(1, len(rows)), ROWS_AT_ONCE):
        for name, wanted in _keys_of(table, rows[start : start + ROWS_AT_ONCE], names).items():
            parts[name].append(wanted)
        table.files.let_go_of_pages()
    return {name: _joined(wanted, answers.keys.get(name)) for name, wanted in parts.items()}


def _keys_of(table: StagedTable, rows: Rows, names: list[str]) -> Mapping[str, Wanted]:
    from tabular.resolving.resolution import wanted_keys

    plan = table.files.plan
    return wanted_keys(
        plan.target,
        used=frozenset(plan.columns_by_path),
        values=lambda path: table.values_at(path, rows),
        names=names,
    )


def _joined(parts: list[Wanted], known: Digests | None) -> Wanted:
    """Return all keys of the parts but those that are known; each once, in the order of rows."""
    import numpy as np
    import pyarrow as pa

    from tabular.resolving.keys import exact_digests
    from tabular.resolving.resolution import Wanted

    key = parts[0].key
    texts = pa.concat_arrays([part.exact[key] for part in parts]).unique()
    if known is not None and len(texts):
        texts = texts.filter(pa.array(~np.isin(exact_digests(key, texts), known)))
    return Wanted(key, exact={key: texts})


def pages_of(wanted: Wanted, most: int) -> Iterator[list[str]]:
    """Yield the keys, ``most`` at a time; one empty page if there are none."""
    texts: pa.Array = wanted.exact[wanted.key]
    for start in range(0, len(texts), most):
        yield texts.slice(start, most).to_pylist()
