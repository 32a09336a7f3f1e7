"""What the texts of a whole column decide: separators, orders, one value per document."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

import pyarrow as pa

from tabular.model.catalog import ColumnType, Field
from tabular.model.question import Candidate, Question
from tabular.transforming.cooking import work
from tabular.transforming.plan import Plan
from tabular.transforming.texts import field_texts, first_text
from tabular.transforming.worked import Worked
from tabular.types.date_orders import DateCounter, DateTally
from tabular.types.how import How
from tabular.types.number_formats import NumberTally, ShareTally, tally_numbers, tally_shares
from tabular.types.parsed import tidy
from tabular.types.rows import TypedRows

NUMBERS: frozenset[ColumnType] = frozenset(
    {"int", "float", "percentage", "currency_eur", "currency_usd"}
)
SHARES: frozenset[ColumnType] = frozenset({"percentage"})
DATES: frozenset[ColumnType] = frozenset({"date", "datetime"})


@dataclass(frozen=True, slots=True)
class Settled:
    """How each field is read, and what a person may want to settle differently."""

    hows: dict[str, How]
    documents: dict[str, str] = field(default_factory=dict)  # field path to its one text
    questions: tuple[Question, ...] = ()
    silent: frozenset[str] = frozenset()  # settled early although nothing was said


@dataclass(slots=True)
class _Tallies:
    numbers: dict[str, NumberTally] = field(default_factory=dict)
    dates: dict[str, DateCounter] = field(default_factory=dict)
    shares: dict[str, ShareTally] = field(default_factory=dict)
    documents: dict[str, str | None] = field(default_factory=dict)

    @property
    def silent(self) -> frozenset[str]:
        """The columns in which no text says anything so far."""
        numbers = (path for path, tally in self.numbers.items() if tally == NumberTally())
        dates = (path for path, counter in self.dates.items() if counter.tally() == DateTally())
        return frozenset((*numbers, *dates))

    @property
    def is_needed(self) -> bool:
        """Whether any column leaves something to settle."""
        return bool(self.numbers or self.dates or self.shares or self.documents)

    @property
    def is_firm(self) -> bool:
        """Whether every column has votes, and on one side only."""
        numbers = [(tally.eu, tally.us, tally.either) for tally in self.numbers.values()]
        tallied = (counter.tally() for counter in self.dates.values())
        dates = [(tally.dmy, tally.mdy, tally.either) for tally in tallied]
        return (
            all(_is_one_voice(*votes) for votes in (*numbers, *dates))
            and all(tally.above_one for tally in self.shares.values())
            and all(self.documents.values())
        )

    def add(self, worked: Worked, plan: Plan) -> None:
        """Count one batch."""

        def texts(path: str) -> pa.Array:
            return tidy(field_texts(worked, path, plan))

        for path in self.numbers:
            self.numbers[path] += tally_numbers(texts(path))
        for path in self.dates:
            self.dates[path].add(texts(path))
        for path in self.shares:
            self.shares[path] += tally_shares(texts(path))
        for path, found in self.documents.items():
            self.documents[path] = found or first_text(texts(path))


def _is_one_voice(one: int, other: int, either: int) -> bool:
    return min(one, other) == 0 and (max(one, other) > 0 or either == 0)


def settle(batches: Iterable[pa.RecordBatch], *, plan: Plan) -> Settled:
    """Look through the columns that need it, once. batches: as for ``transform``."""
    tallies = _open_tallies(plan)
    if tallies.is_needed:
        for worked in work(batches, plan):
            tallies.add(worked, plan)
    return _settled(plan, tallies)


def settle_early(batches: Iterable[pa.RecordBatch], *, plan: Plan) -> Settled | None:
    """
    Settle from the first batch, if it speaks with one voice about every column.

    What it says holds for the whole as long as no later row ``contradicts`` it; then ``settle``
    would say the same, and a pass over the file is saved.
    """
    tallies = _open_tallies(plan)
    if tallies.is_needed:
        worked = next(iter(work(batches, plan)), None)
        if worked is not None:
            tallies.add(worked, plan)
        if not tallies.is_firm:
            return None
    return replace(_settled(plan, tallies), silent=tallies.silent)


def contradicts(rows: TypedRows, *, plan: Plan, settled: Settled) -> bool:
    """Say whether a row refused by what was settled early reads in the other way."""
    for path in settled.silent:
        if _says_something(rows.texts[path], plan.fields[path]):
            return True
    for finding in rows.findings:
        how, path = settled.hows[finding.field], finding.field
        if finding.severity != "error" or path not in plan.columns_by_path:
            continue
        type_ = plan.fields[path].column_type
        if type_ in NUMBERS and not _number_known(path, plan.fields[path], plan):
            found = tally_numbers(finding.values)
            if found.us if how.number_format == "eu" else found.eu:
                return True
        if type_ in DATES and not _order_known(path, plan.fields[path], plan):
            counter = DateCounter()
            counter.add(finding.values)
            if counter.tally().mdy if how.date_order == "dmy" else counter.tally().dmy:
                return True
    return False


def _says_something(texts: pa.Array, field_: Field) -> bool:
    if field_.column_type in NUMBERS:
        return tally_numbers(texts) != NumberTally()
    counter = DateCounter()
    counter.add(texts)
    return counter.tally() != DateTally()


def _open_tallies(plan: Plan) -> _Tallies:
    return _Tallies(
        numbers={path: NumberTally() for path in _undecided(plan, NUMBERS, _number_known)},
        dates={path: DateCounter() for path in _undecided(plan, DATES, _order_known)},
        shares={path: ShareTally() for path in _undecided(plan, SHARES, _never)},
        documents=dict(plan.documents),
    )


def _settled(plan: Plan, tallies: _Tallies) -> Settled:
    hows = {path: _how(path, plan, tallies) for path in plan.fields}
    documents = {path: text for path, text in tallies.documents.items() if text}
    return Settled(hows, documents, tuple(_questions(plan, tallies)))


def _undecided(
    plan: Plan, types: frozenset[ColumnType], known: Callable[[str, Field, Plan], bool]
) -> list[str]:
    return [
        path
        for path, field_ in plan.fields.items()
        if path in plan.columns_by_path
        and field_.column_type in types
        and not known(path, field_, plan)
    ]


def _never(path: str, field_: Field, plan: Plan) -> bool:
    return False


def _number_known(path: str, field_: Field, plan: Plan) -> bool:
    settled = plan.number_formats.get(path) or field_.number_format
    return settled is not None or f"decimal_separator:{path}" in plan.answers


def _order_known(path: str, field_: Field, plan: Plan) -> bool:
    return path in plan.date_orders or f"date_order:{path}" in plan.answers


def _how(path: str, plan: Plan, tallies: _Tallies) -> How:
    field_ = plan.fields[path]
    how = base_how(path, field_, plan)
    if path in tallies.numbers:
        how = replace(how, number_format=tallies.numbers[path].likelier)
    if path in tallies.dates:
        how = replace(how, date_order=tallies.dates[path].tally().likelier)
    if path in tallies.shares:
        how = replace(how, bare_percent=tallies.shares[path].meaning)
    return how


def base_how(path: str, field_: Field, plan: Plan) -> How:
    """Say how a field is read as far as catalog, context and answers decide it."""
    answers, context = plan.answers, plan.context
    settled = plan.number_formats.get(path) or field_.number_format
    return How(
        number_format=answers.get(f"decimal_separator:{path}") or settled or "us",
        date_order=answers.get(f"date_order:{path}") or plan.date_orders.get(path) or "dmy",
        today=context.today,
        region=context.region,
        options=context.options.get(path) or field_.dropdown_options or (),
        exact_options=field_.option_mapping_mode == "exact",
        custom_options=bool(field_.allow_custom_options),
        multi_select=bool(field_.is_multi_select),
        answered=dict(answers.get(f"category_value:{path}") or {}),
    )


def _questions(plan: Plan, tallies: _Tallies) -> list[Question]:
    numbers = [
        _question("decimal_separator", path, plan, tally.likelier, ("eu", "us"), tally.either)
        for path, tally in tallies.numbers.items()
        if not tally.is_decided
    ]
    dates = [
        _question("date_order", path, plan, tally.likelier, ("dmy", "mdy"), tally.either)
        for path, counter in tallies.dates.items()
        if not (tally := counter.tally()).is_decided
    ]
    return numbers + dates


_LABELS = {
    "eu": "1.234,56 (comma before the decimals)",
    "us": "1,234.56 (point before the decimals)",
    "dmy": "day, month, year",
    "mdy": "month, day, year",
}


def _question(
    kind: Any, path: str, plan: Plan, default: str, values: tuple[str, ...], either: int
) -> Question:
    return Question(
        kind=kind,
        columns=(plan.columns_by_path[path],),
        candidates=tuple(Candidate(value=value, label=_LABELS[value]) for value in values),
        evidence=(f"{either} values can be read either way",),
        default=default,
        field=path,
    )
