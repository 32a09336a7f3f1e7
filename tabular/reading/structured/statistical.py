"""Read files of Stata, SAS and SPSS by pyreadstat, a part at a time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tabular.model.issue import Issue
from tabular.model.problem import Limits, UnreadableFile
from tabular.model.sentences import Sentence
from tabular.model.table import Evidence, Progress, Reading, SkippedRow, Table
from tabular.reading import batches
from tabular.reading.grid_body import PREVIEW_ROWS
from tabular.reading.layout.naming import unique
from tabular.reading.limiting import check_cell, check_counts, too_much
from tabular.reading.structured.stored_times import Convert, converter_of
from tabular.reading.workbook.texts import number_text, plain_text, text_of

if TYPE_CHECKING:
    import pyarrow as pa

NAMES = {"dta": "Stata", "sas7bdat": "SAS", "xpt": "SAS transport", "sav": "SPSS"}

_PART_CELLS = 1_000_000  # read at once: about 60 MB of numbers and short texts
_PART_BYTES = 32 << 20
_LONGEST_HEADER = 80  # a longer label is a question of a survey
_OF_WINDOWS = "WINDOWS-1252"  # what SAS wrote for most of its life; its transport files do not say
_RECORD_BYTES = 80  # of a transport file
_MEMBERS = (
    b"HEADER RECORD*******MEMBER  HEADER RECORD!!!!!!!",
    b"HEADER RECORD*******MEMBV8  HEADER RECORD!!!!!!!",
)


def read_statistical(
    path: Path, file_format: str, *, limits: Limits, progress: Progress
) -> Reading:
    """
    Read a file of Stata (dta), SAS (sas7bdat, xpt) or SPSS (sav).

    Raises UnreadableFile (damaged_file, no_table_found, unsupported_format) and LimitExceeded.
    """
    progress("columns", 0, None)
    if file_format == "xpt":
        _check_records(path)
    source = _Source.opened(path, file_format, limits)
    if not source.variables:
        raise UnreadableFile("no_table_found", "The file holds no column.")
    nothing: list[list[str]] = [[] for _ in source.variables]
    preview = next(source.parts(PREVIEW_ROWS), nothing)
    reason = Sentence("a {format} file names its columns", format=NAMES[file_format])
    table = Table(
        columns=unique(_headers(source.variables)),
        row_count=source.rows,
        preview=tuple(zip(*preview, strict=True)),
        evidence=(Evidence("table", reason, 1.0),),
    )
    return Reading(file_format, (table,), (StatisticalBody(source, table),))


@dataclass(frozen=True, slots=True)
class _Variable:
    """One column as the file describes it."""

    name: str
    label: str = ""
    is_single: bool = False  # 32 bits: seven digits
    convert: Convert | None = None  # of a number that is a day or a time
    labels: Mapping[Any, str] = field(default_factory=dict)  # of values

    def texts(self, values: Sequence[Any]) -> list[str]:
        """Return the texts of values; a missing one is ""."""
        texts = {value: self._text(value) for value in set(values)}  # most columns repeat theirs
        return [texts[value] for value in values]

    def _text(self, value: Any) -> str:
        if value is None or value != value:
            return ""
        if (label := self.labels.get(value)) is not None:
            return label
        if isinstance(value, str):
            return value
        if self.convert is not None:
            return self.convert(float(value))
        if isinstance(value, float):
            return plain_text(f"{value:.7g}") if self.is_single else number_text(value)
        return text_of(value)


def _headers(variables: Sequence[_Variable]) -> list[str]:
    """Return each column's label, as people wrote it; its name where that is missing or long."""
    labels = Counter(variable.label for variable in variables)
    return [
        variable.label
        if 0 < len(variable.label) <= _LONGEST_HEADER and labels[variable.label] == 1
        else variable.name
        for variable in variables
    ]


def _labels(labels: Mapping[Any, str]) -> dict[Any, str]:
    """Return the texts of values; with its code where two codes have the same label."""
    texts = {code: label.strip() for code, label in labels.items() if label and label.strip()}
    counts = Counter(texts.values())
    return {
        code: text if counts[text] == 1 else f"{text} ({text_of(code)})"
        for code, text in texts.items()
    }


@dataclass(frozen=True, slots=True)
class _Source:
    path: Path
    file_format: str
    limits: Limits
    variables: tuple[_Variable, ...] = ()
    rows: int = 0
    part_rows: int = 1

    @classmethod
    def opened(cls, path: Path, file_format: str, limits: Limits) -> _Source:
        """Return a file with its columns."""
        plain = cls(path, file_format, limits)
        _, about = plain.read(metadataonly=True)
        rows, names = about.number_rows, about.column_names
        check_counts(max(0, rows or 0), len(names), limits)
        width = sum(max(8, about.variable_storage_width.get(name) or 0) for name in names)
        part_rows = min(_PART_CELLS // max(1, len(names)), _PART_BYTES // max(1, width))
        variables = tuple(
            _Variable(
                name,
                (about.column_names_to_labels.get(name) or "").strip(),
                is_single=about.readstat_variable_types.get(name) == "float",
                convert=converter_of(file_format, about.original_variable_types.get(name) or ""),
                labels=_labels(about.variable_value_labels.get(name) or {}),
            )
            for name in names
        )
        source = cls(path, file_format, limits, variables, rows, max(1, part_rows))
        return source if rows is not None and rows >= 0 else source._counted()

    def _counted(self) -> _Source:
        """Return the source of a file that does not say how many rows it has."""
        rows, first = 0, self.variables[:1]
        while first:
            values, _ = self.read(
                row_offset=rows, row_limit=self.part_rows, usecols=[first[0].name]
            )
            got = len(values[first[0].name])
            rows += got
            check_counts(rows, len(self.variables), self.limits)
            if got < self.part_rows:
                break
        return replace(self, rows=rows)

    def read(self, **options: Any) -> tuple[dict[str, list[Any]], Any]:
        """Return some rows by column, and what the file says about itself."""
        reader = _reader(self.file_format)
        options |= {"output_format": "dict", "disable_datetime_conversion": True}
        with _unbroken():
            try:
                return reader(str(self.path), **options)
            except UnicodeDecodeError:
                return reader(str(self.path), encoding=_OF_WINDOWS, **options)

    def parts(self, most: int | None = None) -> Iterator[list[list[str]]]:
        """Yield columns of texts for some rows at a time."""
        first = seen = 0
        size = min(most or self.part_rows, self.part_rows)
        while first < self.rows:
            values, _ = self.read(row_offset=first, row_limit=size)
            columns = [list(values[variable.name]) for variable in self.variables]
            got = len(columns[0])
            if got < min(size, self.rows - first):
                raise _damaged()
            first += got
            texts = [
                variable.texts(column)
                for variable, column in zip(self.variables, columns, strict=True)
            ]
            seen += self._checked(texts)
            if seen > self.limits.expanded_bytes:
                raise too_much(
                    "expanded_bytes", self.limits.expanded_bytes, "The unpacked file is larger"
                )
            yield texts

    def _checked(self, columns: Sequence[Sequence[str]]) -> int:
        """Return the length of all texts. Raises LimitExceeded for one that is too long."""
        for column in columns:
            longest = max(column, key=len, default="")
            if len(longest) > self.limits.cell_bytes // 4:
                check_cell(longest, self.limits)
        return sum(sum(map(len, column)) for column in columns)


def _reader(file_format: str) -> Callable[..., tuple[dict[str, list[Any]], Any]]:
    import pyreadstat

    readers: dict[str, Callable[..., tuple[dict[str, list[Any]], Any]]] = {
        "dta": pyreadstat.read_dta,
        "sas7bdat": pyreadstat.read_sas7bdat,
        "xpt": pyreadstat.read_xport,
        "sav": pyreadstat.read_sav,
    }
    return readers[file_format]


@dataclass(frozen=True, slots=True)
class StatisticalBody:
    """The rows of a file of Stata, SAS or SPSS, each numbered by its position."""

    source: _Source
    table: Table

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the body's batches (see ``Body``)."""
        schema = batches.schema_of(self.table.columns, has_kinds=True)
        most = batches.rows_per_batch(len(self.table.columns))
        first = 0
        for columns in self.source.parts():
            for start in range(0, len(columns[0]), most):
                chunk = [column[start : start + most] for column in columns]
                yield batches.to_batch(range(first, first + len(chunk[0])), chunk, schema)
                first += len(chunk[0])

    def outcome(self) -> tuple[Table, tuple[Issue, ...]]:
        """Return the table, whose counts are exact from the start."""
        return self.table, ()

    def skipped_rows(self) -> Iterator[SkippedRow]:
        """Return nothing: every row is in the body."""
        return iter(())


def _check_records(path: Path) -> None:
    """
    Refuse a transport file that ends within a record, or holds several data sets.

    ReadStat reads the first data set alone, and the format says no number of rows.
    """
    if path.stat().st_size % _RECORD_BYTES:
        raise _damaged()
    with path.open("rb") as file:
        records = iter(lambda: file.read(_RECORD_BYTES), b"")
        count = sum(record.startswith(_MEMBERS) for record in records)
    if count > 1:
        raise UnreadableFile(
            "unsupported_format",
            Sentence(
                "The SAS transport file holds {n1} data sets. Send one file for each.",
                n1=str(count),
            ),
        )


def _damaged() -> UnreadableFile:
    return UnreadableFile(
        "damaged_file", "The file is incomplete or damaged. Export or send it again."
    )


@contextmanager
def _unbroken() -> Iterator[None]:
    from pyreadstat import PyreadstatError, ReadstatError

    try:
        yield
    except (ReadstatError, PyreadstatError, UnicodeDecodeError, ValueError) as error:
        raise _damaged() from error
