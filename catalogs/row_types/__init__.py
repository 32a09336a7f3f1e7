"""The row of a delivery as a type of TypeScript or Python, or as JSON Schema. Pure."""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, get_args

from catalogs.row_types import python, schema, typescript
from catalogs.row_types.row import row_of
from tabular.model.catalog import Catalog

Lang = Literal["ts", "python", "jsonschema"]
LANGS: tuple[Lang, ...] = get_args(Lang)


@dataclass(frozen=True, slots=True)
class Written:
    """A row type as a file."""

    text: str
    media_type: str
    ending: str  # of the file's name


_WRITERS = MappingProxyType(
    {
        "ts": (typescript.written, "text/plain; charset=utf-8", "ts"),
        "python": (python.written, "text/x-python; charset=utf-8", "py"),
        "jsonschema": (schema.written, "application/schema+json", "schema.json"),
    }
)


def row_type(catalog: Catalog, lang: Lang, *, number: int, with_errors: bool = False) -> Written:
    """
    Return the row type of a catalog.

    number: the version, for the heading. with_errors: rows with errors are delivered, too, so that
    any value may be null.
    """
    writer, media_type, ending = _WRITERS[lang]
    return Written(
        writer(row_of(catalog, number=number, with_errors=with_errors)), media_type, ending
    )
