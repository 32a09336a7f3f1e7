"""Turn columns after the recipe into field texts: mapping, defaults, document values."""

from collections.abc import Mapping as ReadOnly

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import ColumnType
from tabular.model.sentences import Sentence
from tabular.model.table import TEXT_OF, Kind, kind_of
from tabular.protocol.plan import TransformPlan, UnusablePlan
from tabular.transforming.step_rows import StepRows
from tabular.types.kinds import typed_again
from tabular.types.parse_options import ParseOptions
from tabular.types.parsed import tidy


def field_texts(
    step_rows: StepRows, path: str, plan: TransformPlan, documents: ReadOnly[str, str] | None = None
) -> pa.Array:
    """
    Return the texts of one field: its column's, or the default where they are empty.

    documents: per field of scope document, the one text of the import, which replaces an empty
    cell. Returns n strings.
    """
    texts = _mapped(step_rows, path, plan)
    default = (documents or {}).get(path, plan.context.defaults.get(path))
    if default is None:
        return texts
    return pc.if_else(_blank(texts), pa.scalar(default, pa.string()), texts)


def typed_texts(
    step_rows: StepRows,
    path: str,
    plan: TransformPlan,
    parse_options: ParseOptions,
    documents: ReadOnly[str, str] | None = None,
) -> pa.Array:
    """Return the tidy texts of one field as a user would type them into it. Returns n strings."""
    texts = field_texts(step_rows, path, plan, documents)
    kinds = field_kinds(step_rows, path, plan, documents)
    return typed_texts_of(texts, kinds, plan.fields[path].column_type, parse_options)


def typed_texts_of(
    texts: pa.Array, kinds: pa.Array | None, column_type: ColumnType, parse_options: ParseOptions
) -> pa.Array:
    """Return tidy texts as a user would type them. texts: n strings; kinds: n int8, None: text."""
    return typed_again(tidy(texts), kinds, column_type, parse_options)


def field_kinds(
    step_rows: StepRows, path: str, plan: TransformPlan, documents: ReadOnly[str, str] | None = None
) -> pa.Array | None:
    """
    Return the kinds of one field's cells; a host's default is text.

    documents: as for ``field_texts``. Returns n int8, or None: all are text.
    """
    column = plan.columns_by_path.get(path)
    stands_in = kind_of((documents or {}).get(path))
    if column not in step_rows.kinds and not stands_in:
        return None
    blank = _blank(_mapped(step_rows, path, plan))
    return pc.if_else(blank, pa.scalar(stands_in, pa.int8()), step_rows.kinds_of(column or ""))


def _blank(texts: pa.Array) -> pa.Array:
    blank = pc.or_kleene(pc.is_null(texts), pc.match_substring_regex(texts, r"^\s*$"))
    return pc.fill_null(blank, True)


def first_text(texts: pa.Array, kinds: pa.Array | None) -> str | None:
    """Return the first text, in the class of its kind. texts: n strings. kinds: n int8."""
    at = pc.index(pc.is_valid(texts), True).as_py()
    if at < 0:
        return None
    kind = Kind.TEXT if kinds is None else kinds[at].as_py()
    return TEXT_OF[kind](texts[at].as_py())


def _mapped(step_rows: StepRows, path: str, plan: TransformPlan) -> pa.Array:
    column = plan.columns_by_path.get(path)
    if column is None:
        return pa.nulls(len(step_rows.sources), pa.string())
    if column not in step_rows.columns:
        raise UnusablePlan(
            "unknown_column",
            Sentence("The file has no column “{column}” that is mapped.", column=column),
            column=column,
        )
    return step_rows.columns[column]
