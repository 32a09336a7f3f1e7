"""Which additions to a catalog its corrections suggest. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from analytics.by_catalog.corrected_headers import HeaderCount
from analytics.by_catalog.report import Text
from catalogs.additions import Addition, headers, spellings
from tabular.model.catalog import Catalog

LEAST = 2  # imports; what happened once may be a slip
LEAST_HEADERS = 3  # of one field: further names would not end
MOST = 10  # proposals; each is tested with every test file
RECOGNIZED = frozenset({
    "email", "url", "url_www", "url_https", "phone", "iban", "bic", "vat_eu", "gtin",
    "country_code_alpha_2", "country_code_alpha_3", "currency_code",
})  # fmt: skip  # column types that no ordinary text or number is read as


@dataclass(frozen=True, slots=True)
class Proposal:
    """An addition, and in how many imports people did by hand what it would do."""

    addition: Addition
    imports: int


def proposals(
    catalog: Catalog, corrected: Sequence[HeaderCount], texts: Iterable[Text]
) -> list[Proposal]:
    """
    Return what a catalog could gain, the most frequent first; what is disputed is left out.

    corrected, texts: the most frequent first.
    """
    suggested = [
        *islice(_aliases(catalog, corrected), MOST),
        *islice(_options(catalog, texts), MOST),
        *_detectors(catalog, corrected),
    ]
    ordered = sorted(
        suggested, key=lambda item: (-item.imports, item.addition.field, item.addition.text)
    )
    return ordered[:MOST]


def _aliases(catalog: Catalog, corrected: Sequence[HeaderCount]) -> Iterator[Proposal]:
    named = headers(catalog)
    fields: dict[str, set[str]] = {}
    for item in corrected:
        fields.setdefault(item.header.casefold(), set()).add(item.field)
    for item in corrected:
        name = item.header.casefold()
        if not item.header or name in named or item.imports < LEAST or len(fields[name]) > 1:
            continue
        if item.field in catalog.offered_fields:
            yield Proposal(Addition("alias", item.field, item.header), item.imports)


def _detectors(catalog: Catalog, corrected: Sequence[HeaderCount]) -> Iterator[Proposal]:
    by_field: dict[str, list[HeaderCount]] = {}
    for item in corrected:
        by_field.setdefault(item.field, []).append(item)
    for path, items in by_field.items():
        field = catalog.offered_fields.get(path)
        if field is None or field.value_detectors or field.column_type not in RECOGNIZED:
            continue
        unnamed = sum(item.imports for item in items if not item.header)
        if len(items) >= LEAST_HEADERS or unnamed >= LEAST:
            imports = sum(item.imports for item in items)
            yield Proposal(Addition("detector", path, field.column_type), imports)


def _options(catalog: Catalog, texts: Iterable[Text]) -> Iterator[Proposal]:
    written: dict[str, dict[str, Any]] = {}
    for item in texts:
        if item.field not in catalog.offered_fields or item.imports < LEAST or item.disputed:
            continue
        if item.field not in written:
            written[item.field] = spellings(catalog, item.field)
        known = written[item.field]
        if item.text.casefold() not in known and item.value in known.values():
            yield Proposal(Addition("option", item.field, item.text, item.value), item.imports)
