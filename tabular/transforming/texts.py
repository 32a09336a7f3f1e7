"""Columns after the recipe to field texts: mapping, defaults, document values."""

from collections.abc import Mapping as ReadOnly

import pyarrow as pa
import pyarrow.compute as pc

from tabular.transforming.plan import Plan, UnusablePlan
from tabular.transforming.worked import Worked


def field_texts(
    worked: Worked, path: str, plan: Plan, documents: ReadOnly[str, str] | None = None
) -> pa.Array:
    """
    Give the texts of one field: its column's, or the default where they are empty.

    documents: per field of scope document the one text of the import, which stands in for an
    empty cell. Returns n strings.
    """
    texts = _mapped(worked, path, plan)
    default = (documents or {}).get(path, plan.context.defaults.get(path))
    if default is None:
        return texts
    blank = pc.or_kleene(pc.is_null(texts), pc.match_substring_regex(texts, r"^\s*$"))
    return pc.if_else(pc.fill_null(blank, True), pa.scalar(default, pa.string()), texts)


def first_text(texts: pa.Array) -> str | None:
    """Give the first text there is. texts: n strings."""
    filled = texts.drop_null()
    return filled[0].as_py() if len(filled) else None


def _mapped(worked: Worked, path: str, plan: Plan) -> pa.Array:
    column = plan.columns_by_path.get(path)
    if column is None:
        return pa.nulls(len(worked.sources), pa.string())
    if column not in worked.columns:
        raise UnusablePlan(
            "unknown_column", f"The file has no column “{column}” that is mapped.", column=column
        )
    return worked.columns[column]
