"""How many values of a tried file a detector recognises, column by column."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from common import storage
from common.errors import InvalidRequest
from common.wording.messages import Message, english_message
from imports.models import ImportRecord
from previews.errors import NotTriedYet
from tabular.model import i_json
from tabular.model.catalog import Detector
from tabular.model.catalog_findings import first_errors, model_findings

if TYPE_CHECKING:
    import pyarrow as pa

ROWS = 10_000  # of the file that are looked at
VALUES = 200  # different values of a column, spread over those of the rows
READ: TypeAdapter[Any] = TypeAdapter(Detector)


@dataclass(frozen=True, slots=True)
class HitRate:
    """How many of a column's different values a detector recognises."""

    column: str
    matched: int
    of: int

    @property
    def rate(self) -> float:
        """The share of them, 0 to 1; what a detector's ``minRatio`` is compared with."""
        return self.matched / self.of if self.of else 0.0


def detector_of(given: dict[str, Any]) -> Detector:
    """Read a detector; InvalidRequest names each wrong member, or the unreadable pattern."""
    from tabular.types.patterns import search_problem

    try:
        detector: Detector = READ.validate_json(i_json.write(given), by_alias=True, by_name=False)
    except ValidationError as error:
        findings = model_findings(given, first_errors(error))
        raise InvalidRequest(
            errors=[
                {
                    "pointer": f"/detector{finding.pointer}",
                    "code": finding.code,
                    "detail": english_message(finding.sentence),
                }
                for finding in findings
            ]
        ) from error
    if detector.kind == "regex" and (problem := search_problem(detector.pattern)):
        wrong = {
            "pointer": "/detector/pattern",
            "code": "refused_pattern",
            "detail": english_message(problem),
        }
        raise InvalidRequest(errors=[wrong])
    return detector


def hit_rates(preview: ImportRecord, detector: Detector, column: str | None) -> list[HitRate]:
    """Count what a detector recognises; NotTriedYet, and InvalidRequest for an unknown column."""
    from tabular.detecting import Profile
    from tabular.detecting.detectors import ratio

    if not preview.source:
        raise NotTriedYet
    rates = []
    for name, values in _values(preview, column):
        share = ratio(Profile(values=values), detector) if values else 0.0
        rates.append(HitRate(name, round(share * len(values)), len(values)))
    if column is not None and not rates:
        sentence = Message("invalid_request.no_column", column=column)
        raise InvalidRequest(errors=[{"pointer": "/column", "detail": sentence}])
    return rates


def _values(preview: ImportRecord, column: str | None) -> Iterator[tuple[str, tuple[str, ...]]]:
    from tabular.protocol.tables import whole
    from tabular.suggesting.columns import IS_OURS

    table = whole(storage.local_path(preview.source) / "source.arrow").slice(0, ROWS)
    for name in table.column_names:
        if name not in IS_OURS and column in {None, name}:
            yield name, _different(table[name])


def _different(cells: "pa.ChunkedArray") -> tuple[str, ...]:
    import pyarrow.compute as pc

    different = pc.unique(pc.utf8_trim_whitespace(cells.drop_null()))
    step = max(1, len(different) // VALUES)
    texts: list[str] = different.to_pylist()[::step][:VALUES]
    return tuple(text for text in texts if text)
