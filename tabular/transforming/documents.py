"""The texts above a table that feed fields of scope document."""

from collections.abc import Mapping as ReadOnly

from tabular.model.catalog import Field
from tabular.model.table import with_kinds
from tabular.protocol.plan import TransformPlan
from tabular.values.vocabularies import fold


def names_of(field_: Field) -> tuple[str, ...]:
    """Return the names of a field: key, label, alternative matches."""
    label = (field_.label,) if field_.label else ()
    return (field_.key, *label, *(field_.alternative_matches or ()))


def document_text(field_: Field, pairs: ReadOnly[str, str]) -> str | None:
    """Return the text of the pair above the table for a field of scope document."""
    by_name = {fold(name): text for name, text in pairs.items()}
    return next((by_name[fold(n)] for n in names_of(field_) if fold(n) in by_name), None)


def document_texts(plan: TransformPlan) -> dict[str, str | None]:
    """
    Return the fields of scope document, with their text if a pair above the table has it.

    A text whose kind the file gives is in the class of its kind.
    """
    pairs = with_kinds(plan.document, plan.document_kinds)
    return {
        path: document_text(field_, pairs)
        for path, field_ in plan.fields.items()
        if field_.scope == "document"
    }
