"""Which additions to a catalog its corrections suggest. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from analytics.by_catalog.corrected_headers import HeaderCount
from analytics.by_catalog.report import Text
from catalogs.additions import Addition, header_key, headers, option_key, spellings
from tabular.model.catalog import BuiltinDetector, Catalog

LEAST = 2  # imports; what happened once may be a slip
LEAST_HEADERS = 3  # of one field: further names would not end
MOST = 50  # proposals that are looked at
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
    catalog: Catalog,
    corrected: Sequence[HeaderCount],
    texts: Iterable[Text],
    mapped: Iterable[tuple[str, str]] = (),
) -> list[Proposal]:
    """
    Return what a catalog could gain, the most frequent first; what is disputed is left out.

    corrected, texts: the most frequent first. mapped: headers and fields of accepted mappings.
    """
    suggested = [
        *islice(_aliases(catalog, corrected, mapped), MOST),
        *islice(_options(catalog, texts), MOST),
        *_detectors(catalog, corrected),
    ]
    ordered = sorted(
        suggested, key=lambda item: (-item.imports, item.addition.field, item.addition.text)
    )
    return ordered[:MOST]


def _aliases(
    catalog: Catalog, corrected: Sequence[HeaderCount], mapped: Iterable[tuple[str, str]]
) -> Iterator[Proposal]:
    named, spelled = headers(catalog), _by_key(corrected)
    suggested = {
        key: items
        for key, items in spelled.items()
        if key not in named and items[0].imports >= LEAST and items[0].header.isprintable()
    }
    disputed = {key for key, items in suggested.items() if len({i.field for i in items}) > 1}
    if suggested.keys() - disputed:
        disputed |= set(_mapped_elsewhere(catalog, suggested, mapped))
    for key, items in suggested.items():
        most = items[0]
        if key not in disputed and most.field in catalog.offered_fields:
            imports = sum(item.imports for item in items)
            yield Proposal(Addition("alias", most.field, most.header), imports)


def _by_key(corrected: Iterable[HeaderCount]) -> dict[str, list[HeaderCount]]:
    """Return the spellings of each header that has a word, the most frequent first."""
    spelled: dict[str, list[HeaderCount]] = {}
    for item in corrected:
        if key := header_key(item.header):
            spelled.setdefault(key, []).append(item)
    return spelled


def _mapped_elsewhere(
    catalog: Catalog,
    suggested: Mapping[str, Sequence[HeaderCount]],
    mapped: Iterable[tuple[str, str]],
) -> Iterator[str]:
    """Yield the headers that accepted mappings lead to another field of the catalog."""
    for header, field in set(mapped):
        items = suggested.get(header_key(header))
        if items and field != items[0].field and field in catalog.live_fields:
            yield header_key(header)


def _detectors(catalog: Catalog, corrected: Sequence[HeaderCount]) -> Iterator[Proposal]:
    by_field: dict[str, list[HeaderCount]] = {}
    for item in corrected:
        by_field.setdefault(item.field, []).append(item)
    for path, items in by_field.items():
        field = catalog.offered_fields.get(path)
        if field is None or field.value_detectors or field.column_type not in RECOGNIZED:
            continue
        if _is_recognized_elsewhere(catalog, path):
            continue
        unnamed = sum(item.imports for item in items if not item.header)
        if len({header_key(item.header) for item in items}) >= LEAST_HEADERS or unnamed >= LEAST:
            imports = sum(item.imports for item in items)
            yield Proposal(Addition("detector", path, field.column_type), imports)


def _is_recognized_elsewhere(catalog: Catalog, path: str) -> bool:
    """Return whether another field has the type of a field, or a detector of it."""
    wanted = catalog.offered_fields[path].column_type
    return any(
        field.column_type == wanted
        or any(
            isinstance(d, BuiltinDetector) and d.name == wanted for d in field.value_detectors or ()
        )
        for other, field in catalog.offered_fields.items()
        if other != path
    )


def _options(catalog: Catalog, texts: Iterable[Text]) -> Iterator[Proposal]:
    written: dict[str, dict[str, Any]] = {}
    for item in texts:
        if item.field not in catalog.offered_fields or item.imports < LEAST:
            continue
        if item.disputed or item.private or not item.text.isprintable():
            continue
        if item.field not in written:
            written[item.field] = spellings(catalog, item.field)
        known = written[item.field]
        if option_key(item.text) not in known and item.value in known.values():
            yield Proposal(Addition("option", item.field, item.text, item.value), item.imports)
