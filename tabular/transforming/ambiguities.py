"""Columns that may be read two ways: counted, judged by the rest of the file, or asked about."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.amounts import currency_of_field
from tabular.model.issue import Candidate, Question, QuestionKind
from tabular.model.sentences import Sentence, counted, joined
from tabular.model.table import kind_of
from tabular.protocol.plan import TransformPlan
from tabular.transforming.documents import document_texts
from tabular.transforming.regions import Phones
from tabular.transforming.step_rows import StepRows
from tabular.transforming.texts import field_kinds, field_texts, first_text
from tabular.types.families.dates import DateCounter, DateTally, depend_on_order
from tabular.types.families.numbers import (
    NumberTally,
    ShareTally,
    depend_on_format,
    tally_numbers,
    tally_shares,
)
from tabular.types.families.origins import SPEAKING
from tabular.types.kinds import bare, written_as_text
from tabular.types.parsed import tidy
from tabular.values import NumberFormat
from tabular.values.dates import DateOrder
from tabular.values.locales import decimal_mark, is_month_first

_WRITTEN = {"eu": "a comma", "us": "a point"}


@dataclass(frozen=True, slots=True)
class Likely:
    """The format that the rest of the file supports, and why."""

    format: NumberFormat
    reasons: tuple[str, ...] = ()


def clear_formats(step_rows: StepRows) -> dict[str, NumberFormat]:
    """Return the columns of a batch whose numbers can be read in only one way, with that way."""
    formats: dict[str, NumberFormat] = {}
    for name, texts in step_rows.columns.items():
        written = written_as_text(tidy(texts), step_rows.kinds.get(name)).drop_null()
        tally = tally_numbers(written)
        if _is_clear(tally, written):
            formats[name] = tally.likelier
    return formats


def _is_clear(tally: NumberTally, written: pa.Array) -> bool:
    """Return whether every text with a mark is a number, all in one format."""
    marked = sum(any(c in text for c in ".,") for text in written.to_pylist())
    return max(tally.eu, tally.us) > 0 == min(tally.eu, tally.us) and (
        tally.eu + tally.us + tally.either == marked
    )


def likely_format(
    column: str | None, tally: NumberTally, clear: dict[str, NumberFormat], plan: TransformPlan
) -> Likely:
    """
    Return the probable format of an undecided column.

    Its own texts count first, then the other columns of the file, then cells separated by commas,
    then the region of the import, then semicolons.
    """
    if tally.eu != tally.us:
        return Likely(tally.likelier)
    others = {name: fmt for name, fmt in clear.items() if name != column}
    for fmt in ("eu", "us"):
        if others and set(others.values()) == {fmt}:
            names = ", ".join(f"“{name}”" for name in list(others)[:3])
            return Likely(
                fmt,
                (Sentence("{names}: {MARK} before the decimals", names=names, MARK=_WRITTEN[fmt]),),
            )
    if plan.delimiter == ",":
        return Likely(
            "us", (("The cells are separated by commas, so decimal commas are unlikely"),)
        )
    # Before semicolons: Swiss spreadsheets separate cells by them, too, and write decimal points.
    match decimal_mark(plan.region) if plan.region else None:
        case ",":
            return Likely(
                "eu",
                (Sentence("A comma before the decimals is usual in {region}", region=plan.region),),
            )
        case ".":
            return Likely(
                "us",
                (Sentence("A point before the decimals is usual in {region}", region=plan.region),),
            )
    if plan.delimiter == ";":
        return Likely(
            "eu", (("The cells are separated by semicolons, which suggests decimal commas"),)
        )
    return Likely("us")


def likely_order(
    tally: DateTally, plan: TransformPlan, phones: Phones
) -> tuple[DateOrder, tuple[str, ...]]:
    """
    Return the probable order of day and month of an undecided column, and why.

    phones: of the same file; without a region setting, the region that all evidence supports
    counts.
    """
    region = plan.region or phones.home
    is_even = tally.dmy == tally.mdy and not tally.dotted  # its own dates count first
    if is_even and region and is_month_first(region):
        return "mdy", (Sentence("The month before the day is usual in {region}", region=region),)
    return tally.likelier, ()


SAMPLES = 3


def sampled(texts: pa.Array, depend: Callable[[pa.Array], Any] | None = None) -> tuple[str, ...]:
    """
    Return distinct texts of a column to show. texts: n tidy strings.

    depend: which of n texts the answer changes; these come first, because they show what is asked.
    """
    distinct = texts.slice(0, 1_000).drop_null().unique()
    if depend is not None:
        mask = pa.array(depend(distinct), pa.bool_())
        distinct = pa.concat_arrays([distinct.filter(mask), distinct.filter(pc.invert(mask))])
    return tuple(distinct[:SAMPLES].to_pylist())


def ask_number(
    path: str, tally: NumberTally, likely: Likely, plan: TransformPlan, samples: Sequence[str]
) -> Question:
    """Ask for the decimal separator of a column."""
    return _question(
        "decimal_separator",
        path,
        plan,
        default=likely.format,
        evidence=(
            Sentence("{VALUES} can be read either way", VALUES=counted(tally.either, "value")),
            *samples,
            *likely.reasons,
        ),
        candidates={
            "eu": ("1.234,56 (comma before the decimals)", _effect(tally.either, tally.us)),
            "us": ("1,234.56 (point before the decimals)", _effect(tally.either, tally.eu)),
        },
    )


def ask_order(
    path: str, tallies: "Tallies", plan: TransformPlan, samples: Sequence[str]
) -> Question:
    """Ask for the order of day and month of a column."""
    tally = tallies.dates[path].tally()
    default, reasons = likely_order(tally, plan, tallies.phones)
    count = Sentence("{VALUES} can be read either way", VALUES=counted(tally.either, "value"))
    return _question(
        "date_order",
        path,
        plan,
        default=default,
        evidence=(count, *samples, *reasons),
        candidates={
            "dmy": ("day, month, year", _effect(tally.either, tally.mdy)),
            "mdy": ("month, day, year", _effect(tally.either, tally.dmy)),
        },
    )


def ask_scale(
    path: str, tally: ShareTally, plan: TransformPlan, samples: Sequence[str]
) -> Question:
    """Ask whether a number without a sign is a fraction or a percentage."""
    rows = tally.parts + tally.above_one
    return _question(
        "percent_scale",
        path,
        plan,
        default=tally.meaning,
        evidence=(
            Sentence("{VALUES} no percent sign", VALUES=counted(rows, "value has", "values have")),
            *samples,
        ),
        candidates={
            "fraction": (
                "0.19 is 19 %, 1.5 is 150 %",
                Sentence("{ROWS} times 100", ROWS=counted(rows, "row")),
            ),
            "percent": (
                "0.19 is 0.19 %, 1.5 is 1.5 %",
                Sentence("{ROWS} as written", ROWS=counted(rows, "row")),
            ),
        },
    )


def _question(
    kind: QuestionKind,
    path: str,
    plan: TransformPlan,
    *,
    default: str,
    evidence: tuple[str, ...],
    candidates: Mapping[str, tuple[str, str]],
) -> Question:
    offered: list[Any] = [
        Candidate(v, label, None, effect) for v, (label, effect) in candidates.items()
    ]
    return Question(
        kind=kind,
        columns=(plan.columns_by_path[path],) if path in plan.columns_by_path else (),
        candidates=tuple(offered),
        evidence=evidence,
        default=default,
        field=path,
    )


def _effect(read: int, lost: int) -> str:
    """
    Return the effect of an answer on the rows.

    >>> _effect(3, 0), _effect(1, 2)
    ('3 rows read this way', '1 row read this way; 2 rows cannot be read')
    """
    effect = Sentence("{ROWS} read this way", ROWS=counted(read, "row"))
    unread = Sentence("{LOST} cannot be read", LOST=counted(lost, "row"))
    return joined(effect, unread) if lost else effect


@dataclass(slots=True)
class Tallies:
    """The votes of each column whose notation is undecided, and their substitutes."""

    numbers: dict[str, NumberTally] = field(default_factory=dict)
    dates: dict[str, DateCounter] = field(default_factory=dict)
    shares: dict[str, ShareTally] = field(default_factory=dict)
    documents: dict[str, str | None] = field(default_factory=dict)
    samples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    clear: dict[str, NumberFormat] = field(default_factory=dict)  # every column's, if needed
    phones: Phones = field(default_factory=Phones)
    phone_paths: tuple[str, ...] = ()
    above: set[str] = field(default_factory=set)  # fields that only a text above the rows describes

    @property
    def silent(self) -> frozenset[str]:
        """The columns in which no text gives evidence so far."""
        numbers = (path for path, tally in self.numbers.items() if tally == NumberTally())
        dates = (path for path, counter in self.dates.items() if counter.tally() == DateTally())
        return frozenset((*numbers, *dates))

    @property
    def is_needed(self) -> bool:
        """Whether any column leaves something to decide."""
        columns = self.numbers or self.dates or self.shares or self.phone_paths
        return bool(columns or self.documents)

    @property
    def is_firm(self) -> bool:
        """Whether every column has votes, and on one side only."""
        numbers = [(tally.eu, tally.us, tally.either) for tally in self.numbers.values()]
        tallied = (counter.tally() for counter in self.dates.values())
        dates = [(tally.dmy, tally.mdy, tally.either) for tally in tallied]
        return (
            all(_is_one_voice(*votes) for votes in (*numbers, *dates))
            and all(tally.above_one and tally.is_decided for tally in self.shares.values())
            and not self.phone_paths
            and all(self.documents.values())
        )

    def add(self, step_rows: StepRows, plan: TransformPlan) -> None:
        """Count one batch."""

        def texts(path: str) -> pa.Array:
            return tidy(field_texts(step_rows, path, plan))

        def written_texts(path: str) -> pa.Array:
            return written_as_text(texts(path), field_kinds(step_rows, path, plan))

        def bare_texts(path: str) -> pa.Array:
            return bare(texts(path), field_kinds(step_rows, path, plan))

        for path in self.numbers.keys() & plan.columns_by_path:
            currency = currency_of_field(plan.fields[path])
            self.numbers[path] += tally_numbers(written_texts(path), currency)
        for path in self.dates.keys() & plan.columns_by_path:
            self.dates[path].add(written_texts(path))
        for path in self.shares.keys() & plan.columns_by_path:
            self.shares[path] += tally_shares(bare_texts(path))
        for path in {*self.numbers, *self.dates, *self.shares} & plan.columns_by_path.keys():
            self._sample(path, texts(path))
        for path in self.phone_paths:
            self.phones.add(texts(path))
        for path, column in plan.columns_by_path.items() if self.phone_paths or self.dates else ():
            spec = plan.fields[path]
            if spec.column_type in SPEAKING or currency_of_field(spec):
                self.phones.origins.hear(column, texts(path), spec)
        for path, text in self.documents.items():
            self.documents[path] = text or first_text(
                texts(path), field_kinds(step_rows, path, plan)
            )

    def add_texts_above(self, plan: TransformPlan) -> None:
        """Count the text above the table for a field without a column or without evidence in it."""
        for path, text in document_texts(plan).items():
            if text is None:
                continue
            texts = tidy(pa.array([str(text)], pa.string()))
            kinds = pa.array([kind_of(text)], pa.int8())
            if self.numbers.get(path) == NumberTally():
                currency = currency_of_field(plan.fields[path])
                self.numbers[path] = tally_numbers(written_as_text(texts, kinds), currency)
            elif path in self.dates and self.dates[path].tally() == DateTally():
                self.dates[path].add(written_as_text(texts, kinds))
            elif self.shares.get(path) == ShareTally():
                self.shares[path] = tally_shares(bare(texts, kinds))
            else:
                continue
            self.above.add(path)
            self.samples.pop(path, None)
            self._sample(path, texts)

    def _sample(self, path: str, texts: pa.Array) -> None:
        """Keep what shows the question of a field, from the first texts of it."""
        if path in self.samples:
            return
        order = depend_on_order if path in self.dates else None
        format_ = depend_on_format if path in self.numbers else None
        self.samples[path] = sampled(texts, order or format_)


def _is_one_voice(first: int, other: int, either: int) -> bool:
    return min(first, other) == 0 and (max(first, other) > 0 or either == 0)
