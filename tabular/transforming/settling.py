"""What the texts of a whole column decide: separators, orders, one value per document."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace

import pyarrow as pa

from tabular.model.catalog import ColumnType, Field
from tabular.model.question import Question
from tabular.transforming.asking import (
    Phones,
    ask_number,
    ask_order,
    ask_region,
    ask_scale,
    sampled,
)
from tabular.transforming.cooking import work
from tabular.transforming.likely import clear_formats, likely_format
from tabular.transforming.plan import Plan
from tabular.transforming.texts import field_kinds, field_texts, first_text
from tabular.transforming.worked import Worked
from tabular.types.date_orders import DateCounter, DateTally
from tabular.types.how import How
from tabular.types.kinds import bare, said
from tabular.types.number_formats import NumberTally, ShareTally, tally_numbers, tally_shares
from tabular.types.parsed import tidy
from tabular.types.rows import Finding, TypedRows
from tabular.values.numbers import NumberFormat

NUMBERS: frozenset[ColumnType] = frozenset(
    {"int", "float", "percentage", "currency_eur", "currency_usd"}
)
SHARES: frozenset[ColumnType] = frozenset({"percentage"})
PHONES: frozenset[ColumnType] = frozenset({"phone"})
REGION = "region:"  # the answer about all phone numbers of an import
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
    samples: dict[str, tuple[str, ...]] = field(default_factory=dict)
    clear: dict[str, NumberFormat] = field(default_factory=dict)  # every column's, where needed
    phones: Phones = field(default_factory=Phones)
    phone_paths: tuple[str, ...] = ()

    @property
    def silent(self) -> frozenset[str]:
        """The columns in which no text says anything so far."""
        numbers = (path for path, tally in self.numbers.items() if tally == NumberTally())
        dates = (path for path, counter in self.dates.items() if counter.tally() == DateTally())
        return frozenset((*numbers, *dates))

    @property
    def is_needed(self) -> bool:
        """Whether any column leaves something to settle."""
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

    def add(self, worked: Worked, plan: Plan) -> None:
        """Count one batch."""

        def texts(path: str) -> pa.Array:
            return tidy(field_texts(worked, path, plan))

        def spoken(path: str) -> pa.Array:
            return said(texts(path), field_kinds(worked, path, plan))

        def unsettled(path: str) -> pa.Array:
            return bare(texts(path), field_kinds(worked, path, plan))

        for path in self.numbers:
            self.numbers[path] += tally_numbers(spoken(path))
        for path in self.dates:
            self.dates[path].add(spoken(path))
        for path in self.shares:
            self.shares[path] += tally_shares(unsettled(path))
        for path in (*self.numbers, *self.dates, *self.shares):
            self.samples.setdefault(path, sampled(texts(path)))
        for path in self.phone_paths:
            self.phones.add(texts(path))
        for path, found in self.documents.items():
            self.documents[path] = found or first_text(texts(path), field_kinds(worked, path, plan))


def _is_one_voice(one: int, other: int, either: int) -> bool:
    return min(one, other) == 0 and (max(one, other) > 0 or either == 0)


def settle(batches: Iterable[pa.RecordBatch], *, plan: Plan) -> Settled:
    """Look through the columns that need it, once. batches: as for ``transform``."""
    tallies = _open_tallies(plan)
    if tallies.is_needed:
        for worked in work(batches, plan):
            tallies.add(worked, plan)
    if not all(tally.is_decided for tally in tallies.numbers.values()):
        first = next(iter(work(batches, plan)), None)
        tallies.clear = clear_formats(first) if first is not None else {}
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
        if _says_something(said(rows.texts[path], rows.kinds.get(path)), plan.fields[path]):
            return True
    for path, how in settled.hows.items():
        if how.bare_percent == "percent" and _has_parts(rows, path, plan):
            return True
    for finding in rows.findings:
        how, path = settled.hows[finding.field], finding.field
        if finding.severity != "error" or path not in plan.columns_by_path:
            continue
        type_ = plan.fields[path].column_type
        if type_ in NUMBERS and not _number_known(path, plan.fields[path], plan):
            found = tally_numbers(_said_of(finding, rows))
            if found.us if how.number_format == "eu" else found.eu:
                return True
        if type_ in DATES and not _order_known(path, plan.fields[path], plan):
            counter = DateCounter()
            counter.add(_said_of(finding, rows))
            if counter.tally().mdy if how.date_order == "dmy" else counter.tally().dmy:
                return True
    return False


def _said_of(finding: Finding, rows: TypedRows) -> pa.Array:
    kinds = rows.kinds.get(finding.field)
    if kinds is None:
        return finding.values
    return said(finding.values, kinds.take(pa.array(finding.rows - rows.first)))


def _has_parts(rows: TypedRows, path: str, plan: Plan) -> bool:
    """Whether a percentage column holds 0.19, which may be 19 %."""
    if plan.fields[path].column_type not in SHARES or path not in plan.columns_by_path:
        return False
    if _share_known(path, plan.fields[path], plan):
        return False
    return tally_shares(bare(rows.texts[path], rows.kinds.get(path))).parts > 0


def _says_something(texts: pa.Array, field_: Field) -> bool:
    if field_.column_type in NUMBERS:
        return tally_numbers(texts) != NumberTally()
    counter = DateCounter()
    counter.add(texts)
    return counter.tally() != DateTally()


def _open_tallies(plan: Plan) -> _Tallies:
    phones = tuple(_undecided(plan, PHONES, _region_known))
    return _Tallies(
        numbers={path: NumberTally() for path in _undecided(plan, NUMBERS, _number_known)},
        dates={path: DateCounter() for path in _undecided(plan, DATES, _order_known)},
        shares={path: ShareTally() for path in _undecided(plan, SHARES, _share_known)},
        documents=dict(plan.documents),
        phones=Phones(tuple(plan.columns_by_path[path] for path in phones)),
        phone_paths=phones,
    )


def _settled(plan: Plan, tallies: _Tallies) -> Settled:
    hows = {path: _how(path, plan, tallies) for path in plan.fields}
    documents = {path: text for path, text in tallies.documents.items() if text}
    questions = tuple(_questions(plan, tallies))
    regions = [question.default for question in questions if question.kind == "region"]
    for path in tallies.phone_paths if regions else ():
        hows[path] = replace(hows[path], region=regions[0])
    return Settled(hows, documents, questions)


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


def _share_known(path: str, field_: Field, plan: Plan) -> bool:
    return f"percent_scale:{path}" in plan.answers


def _region_known(path: str, field_: Field, plan: Plan) -> bool:
    """Whether the host, an answer or a column of countries says where numbers are."""
    has_country = plan.country_of.get(path) in plan.columns_by_path
    return plan.context.region is not None or REGION in plan.answers or has_country


def _number_known(path: str, field_: Field, plan: Plan) -> bool:
    settled = plan.number_formats.get(path) or field_.number_format
    return settled is not None or f"decimal_separator:{path}" in plan.answers


def _order_known(path: str, field_: Field, plan: Plan) -> bool:
    return path in plan.date_orders or f"date_order:{path}" in plan.answers


def _how(path: str, plan: Plan, tallies: _Tallies) -> How:
    field_ = plan.fields[path]
    how = base_how(path, field_, plan)
    if path in tallies.numbers:
        how = replace(how, number_format=_format(path, plan, tallies))
    if path in tallies.dates:
        how = replace(how, date_order=tallies.dates[path].tally().likelier)
    if path in tallies.shares:
        how = replace(how, bare_percent=tallies.shares[path].meaning)
    return how


def _format(path: str, plan: Plan, tallies: _Tallies) -> NumberFormat:
    tally, column = tallies.numbers[path], plan.columns_by_path[path]
    if tally.is_decided:
        return tally.likelier
    return likely_format(column, tally, tallies.clear, plan).format


def base_how(path: str, field_: Field, plan: Plan) -> How:
    """Say how a field is read as far as catalog, context and answers decide it."""
    answers, context = plan.answers, plan.context
    settled = plan.number_formats.get(path) or field_.number_format
    return How(
        number_format=answers.get(f"decimal_separator:{path}") or settled or "us",
        date_order=answers.get(f"date_order:{path}") or plan.date_orders.get(path) or "dmy",
        today=context.today,
        region=context.region or answers.get(REGION),
        bare_percent=answers.get(f"percent_scale:{path}") or "percent",
        options=context.options.get(path) or field_.dropdown_options or (),
        exact_options=field_.option_mapping_mode == "exact",
        custom_options=bool(field_.allow_custom_options),
        multi_select=bool(field_.is_multi_select),
        answered=dict(answers.get(f"category_value:{path}") or {}),
    )


def _questions(plan: Plan, tallies: _Tallies) -> Iterator[Question]:
    shown = tallies.samples
    for path, tally in tallies.numbers.items():
        if not tally.is_decided:
            likely = likely_format(plan.columns_by_path[path], tally, tallies.clear, plan)
            yield ask_number(path, tally, likely, plan, shown.get(path, ()))
    for path, counter in tallies.dates.items():
        if not (order := counter.tally()).is_decided:
            yield ask_order(path, order, plan, shown.get(path, ()))
    for path, share in tallies.shares.items():
        if not share.is_decided:
            yield ask_scale(path, share, plan, shown.get(path, ()))
    if tallies.phones.rows:
        yield ask_region(tallies.phones)
