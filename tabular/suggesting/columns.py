"""Turn the columns of a file into fields, and these into a catalog."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.catalog import ColumnType
from tabular.model.sentences import Sentence
from tabular.model.table import BESIDE, ROW_COLUMN
from tabular.suggesting.agreement import Agreement, agreement
from tabular.suggesting.kinds import Found, Texts, kind_of
from tabular.types.parsed import tidy
from tabular.values.signs import currency_named
from tabular.vocabulary.headers import fold, take_apart
from tabular.vocabulary.lexicon import UNKNOWN_HEAD, lexicon
from tabular.vocabulary.names import languages_of, read_column

Json = dict[str, Any]
LOOKED_AT = 5_000  # different texts of a column that determine its type, spread over all
SAMPLES, SAMPLE_LENGTH = 3, 80
MOST_OPTIONS = 20
OPTION_LENGTH = 60  # characters of the longest text that is an option
OFTEN = 5  # average cells per option from which texts are chosen, not written
SPARSE = 0.1  # share of filled cells from which a column is wanted
MOST_ODD = 5  # rows of odd values that are shown
IS_OURS = BESIDE
KEYS = frozenset({"code", "gtin"})  # kinds of values that identify a row
RECOGNISED: frozenset[ColumnType] = frozenset(
    {"email", "url", "phone", "iban", "vat_eu", "gtin", "bic"}
)  # types with a distinctive form, which recognises their columns under any name


@dataclass(frozen=True, slots=True)
class Majority:
    """The type of most cells, their number, and the positions of the first others."""

    column_type: ColumnType
    cells: int
    of: int
    odd: tuple[tuple[int, str], ...]  # row of the source, text


@dataclass(frozen=True, slots=True)
class Suggested:
    """A column as a field."""

    column: str
    column_type: ColumnType = "string"
    selected: bool = True
    required: bool = False
    unique: bool = False
    options: tuple[str, ...] = ()
    detectors: tuple[ColumnType, ...] = ()
    evidence: tuple[str, ...] = ()  # messages for users
    samples: tuple[str, ...] = ()
    majority: Majority | None = None  # if not all cells are of one type, but most are
    header_kinds: frozenset[str] = field(default_factory=frozenset)
    currency: str = ""  # ISO 4217, of amounts whose type names none


def looked_at(table: pa.Table) -> list[Suggested]:
    """Examine every column of a file's text, one after the other."""
    names = [name for name in table.column_names if name not in IS_OURS]
    languages = languages_of(names)
    rows = table[ROW_COLUMN] if ROW_COLUMN in table.column_names else None
    return [_column(name, table[name], languages, rows) for name in names]


def _column(
    name: str, cells: pa.ChunkedArray, languages: tuple[str, ...], rows_: pa.ChunkedArray | None
) -> Suggested:
    values, counts = _counted(cells.chunks)
    filled, rows = int(counts.sum()), len(cells)
    if not filled:
        return Suggested(name, selected=False, evidence=("empty",))
    header_kinds, words = _kinds_and_words(name, languages)
    chosen = np.unique(np.linspace(0, len(values) - 1, min(len(values), LOOKED_AT)).astype(int))
    texts = Texts(
        tuple(values.take(pa.array(chosen)).to_pylist()), counts[chosen], header_kinds, words,
        languages, currency_named(name) or "",
    )  # fmt: skip
    kind = kind_of(texts)
    most = agreement(texts) if kind.column_type == "string" else None
    if most is not None and most.is_clear:
        kind = Found(most.kind.column_type, most.cells / most.of, most.kind.note)
    options = _options(kind, values, filled, header_kinds)
    is_unique = len(values) == filled > 1 and bool(
        KEYS & header_kinds or kind.column_type == "gtin"
    )
    return Suggested(
        name,
        "category" if options else kind.column_type,
        selected=filled > SPARSE * rows,
        required=filled == rows,
        unique=is_unique,
        options=options,
        detectors=tuple({kind.column_type} & RECOGNISED),
        evidence=tuple(_evidence(kind, filled, rows, len(values), options, most)),
        samples=tuple(text[:SAMPLE_LENGTH] for text in texts.values[:SAMPLES]),
        majority=None if most is None else _majority(most, cells, rows_),
        header_kinds=header_kinds,
        currency=kind.currency,
    )


def _majority(most: Agreement, cells: pa.ChunkedArray, rows: pa.ChunkedArray | None) -> Majority:
    """Return the agreement with the positions of the first odd values."""
    texts = pa.chunked_array([tidy(chunk) for chunk in cells.chunks], pa.string())
    places = np.flatnonzero(pc.is_in(texts, value_set=pa.array(most.odd, pa.string())))[:MOST_ODD]
    at = pa.array(places)
    numbers = places.tolist() if rows is None else rows.take(at).to_pylist()
    shown = [text[:SAMPLE_LENGTH] for text in texts.take(at).to_pylist()]
    column_type = most.kind.column_type
    return Majority(column_type, most.cells, most.of, tuple(zip(numbers, shown, strict=True)))


def _counted(chunks: Iterable[pa.Array]) -> tuple[pa.Array, np.ndarray]:
    """Return the different filled texts in order of first appearance, and their counts."""
    tidied = pa.chunked_array([tidy(chunk) for chunk in chunks], pa.string())
    counted = pc.value_counts(tidied.drop_null())
    return counted.field("values"), counted.field("counts").to_numpy()


def _kinds_and_words(
    header: str, languages: tuple[str, ...]
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the kinds of values that a header means, and its words."""
    named, concepts = read_column(header, languages), lexicon().concepts
    heads = {meaning.head for meaning in named.meanings if meaning.weight == 1.0}
    kinds = {concepts[head].values for head in heads if not head.startswith(UNKNOWN_HEAD)}
    apart = take_apart(header)
    return frozenset(kinds - {""}), frozenset((*apart.words, *apart.aside))


def _options(
    kind: Found, values: pa.Array, filled: int, header_kinds: frozenset[str]
) -> tuple[str, ...]:
    """Return the few texts that repeat throughout a text column, as options."""
    if kind.column_type != "string" or KEYS & header_kinds or not 2 <= len(values) <= MOST_OPTIONS:
        return ()
    if filled < OFTEN * len(values):
        return ()
    texts: list[str] = values.to_pylist()
    if max(map(len, texts)) > OPTION_LENGTH or len({text.casefold() for text in texts}) < len(
        texts
    ):
        return ()
    return tuple(texts)


def _evidence(
    kind: Found,
    filled: int,
    rows: int,
    different: int,
    options: Sequence[str],
    most: Agreement | None,
) -> Iterable[str]:
    if filled > SPARSE * rows:
        yield Sentence("{n1} % filled", n1=percent(filled / rows))
    else:
        yield Sentence("{n1} % empty", n1=percent(1 - filled / rows))
    if different == filled > 1:
        yield "all different"
    elif options or different <= MOST_OPTIONS:
        yield (
            Sentence("{n1} different values", n1=different)
            if different > 1
            else "always the same value"
        )
    if most is not None:
        words = _NOUNS.get(most.kind.column_type, "{n1} of {n2} fit the type")
        yield Sentence(words, n1=most.cells, n2=most.of)
    elif kind.column_type != "string":
        yield Sentence("{n1} % of the values fit the type", n1=percent(kind.share))
    if kind.note:
        yield kind.note
    if kind.currency:
        yield Sentence("amounts in {code}", code=kind.currency)


_NOUNS: dict[ColumnType, str] = {
    "email": "{n1} of {n2} are email addresses",
    "url": "{n1} of {n2} are web addresses",
    "phone": "{n1} of {n2} are phone numbers",
    "iban": "{n1} of {n2} are IBANs",
    "vat_eu": "{n1} of {n2} are EU VAT numbers",
    "gtin": "{n1} of {n2} are GTINs",
    **dict.fromkeys(("date", "date_dmy", "date_mdy"), "{n1} of {n2} are dates"),
    "datetime": "{n1} of {n2} are dates with a time",
    **dict.fromkeys(("time_hm", "time_hms"), "{n1} of {n2} are times of day"),
    "int": "{n1} of {n2} are whole numbers",
    "float": "{n1} of {n2} are numbers",
    "percentage": "{n1} of {n2} are percentages",
    **dict.fromkeys(("currency_eur", "currency_usd"), "{n1} of {n2} are amounts"),
}


def percent(share: float) -> float:
    """
    Return a share in percent with at most one decimal, never rounded up to all or down to none.

    >>> percent(1.0), percent(0.9999), percent(0.5), percent(0.0001)
    (100, 99.9, 50, 0.1)
    """
    tenths = floor(share * 1000 + 1e-9)
    tenths = max(tenths, 1) if share > 0 else 0
    return tenths / 10 if tenths % 10 else tenths // 10


KEY_LENGTH = 64
_SIGN = re.compile(r"[^a-z0-9]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_GERMAN = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def draft_of(columns: Iterable[Suggested], *, title: str) -> Json:
    """Return the title, a key, every column as a field, and the catalog of the selected ones."""
    taken: set[str] = set()
    shown = []
    for column in columns:
        key = _free(slug(column.column, "_") or "column", taken)
        shown.append({**_shown(column), "key": key})
    fields = [_field(item) for item in shown if item["selected"]]
    entry = {"id": slug(title, "_") or "row", "label": title, "fields": fields}
    key = slug(title, "-") or "catalog"
    catalog = {"key": key, "title": title, "keySeparator": ".", "entries": [entry]}
    return {"title": title, "key": key, "catalog": catalog, "columns": tuple(shown)}


def slug(text: str, sign: str) -> str:
    """
    Return a text in lower-case letters and digits, with a sign between them.

    >>> slug("Kd.-Nr. (gültig)", "_"), slug("unitPrice", "-"), slug("№ 1", "_")
    ('kd_nr_gueltig', 'unit-price', 'number_1')
    """
    plain = fold(_CAMEL.sub(" ", text.translate(_GERMAN)))
    return _SIGN.sub(sign, plain).strip(sign)[:KEY_LENGTH].strip(sign)


def _free(key: str, taken: set[str]) -> str:
    number, free = 1, key
    while free in taken:
        number += 1
        free = f"{key[: KEY_LENGTH - 8]}_{number}"
    taken.add(free)
    return free


def _shown(column: Suggested) -> Json:
    return {
        "column": column.column,
        "label": column.column.strip(),
        "columnType": column.column_type,
        "outputFormat": column.currency or None,
        "selected": column.selected,
        "evidence": list(column.evidence),
        "required": column.required,
        "unique": column.unique,
        "options": [{"label": text, "type": "string", "value": text} for text in column.options],
        "detectors": [{"kind": "builtin", "name": name} for name in column.detectors],
        "samples": list(column.samples),
        "agreed": None if column.majority is None else _majority_shown(column.majority),
    }


def _majority_shown(majority: Majority) -> Json:
    return {
        "columnType": majority.column_type,
        "values": majority.cells,
        "of": majority.of,
        "odd": [{"sourceRow": row, "text": text} for row, text in majority.odd],
    }


def _field(column: Json) -> Json:
    """Return a shown column as a field; false members are omitted."""
    field: Json = {
        "key": column["key"],
        "label": column["label"],
        "columnType": column["columnType"],
    }
    if column["outputFormat"]:
        field["outputFormat"] = column["outputFormat"]
    if column["required"]:
        field["required"] = True
    if column["unique"]:
        field["validations"] = [{"validate": "unique"}]
    if column["options"]:
        field["dropdownOptions"] = column["options"]
    if column["detectors"]:
        field["valueDetectors"] = column["detectors"]
    return field
