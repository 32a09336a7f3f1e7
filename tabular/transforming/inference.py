"""Determine from a whole column's texts: separators, orders, one value per document."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa

from tabular.model.amounts import currency_of_field
from tabular.model.catalog import ColumnType, Field
from tabular.model.issue import Question, QuestionKind
from tabular.protocol.plan import TransformPlan
from tabular.transforming.ambiguities import (
    Tallies,
    ask_number,
    ask_order,
    ask_scale,
    clear_formats,
    likely_format,
    likely_order,
)
from tabular.transforming.documents import document_texts
from tabular.transforming.executing import execute
from tabular.transforming.inferred import Inferred, base_parse_options
from tabular.transforming.regions import Phones, ask_region
from tabular.types.families.dates import DateCounter, DateTally
from tabular.types.families.numbers import NumberTally, ShareTally, tally_numbers, tally_shares
from tabular.types.kinds import bare, written_as_text
from tabular.types.parse_options import ParseOptions
from tabular.types.registry import read_tidy
from tabular.types.rows import Finding, TypedRows
from tabular.values import NumberFormat
from tabular.values.dates import DateOrder

NUMBERS: frozenset[ColumnType] = frozenset(
    {"int", "float", "percentage", "currency_eur", "currency_usd"}
)
SHARES: frozenset[ColumnType] = frozenset({"percentage"})
PHONES: frozenset[ColumnType] = frozenset({"phone"})
DATES: frozenset[ColumnType] = frozenset({"date", "datetime"})
_DECIDES: dict[QuestionKind, str] = {
    "decimal_separator": "number_format",
    "date_order": "date_order",
    "percent_scale": "bare_percent",
}


def infer(batches: Iterable[pa.RecordBatch], *, plan: TransformPlan) -> Inferred:
    """Examine the columns that need it, once. batches: as for ``transform``."""
    tallies = _open_tallies(plan)
    if tallies.is_needed:
        for step_rows in execute(batches, plan):
            tallies.add(step_rows, plan)
        tallies.add_texts_above(plan)
    if not all(tally.is_decided for tally in tallies.numbers.values()):
        first = next(iter(execute(batches, plan)), None)
        tallies.clear = clear_formats(first) if first is not None else {}
    return _inferred(plan, tallies)


def infer_early(batches: Iterable[pa.RecordBatch], *, plan: TransformPlan) -> Inferred | None:
    """
    Settle from the first batch, if its evidence about every column is unanimous.

    The result applies to the whole as long as no later row ``contradicts`` it; then ``settle``
    would give the same, and a pass over the file is saved.
    """
    tallies = _open_tallies(plan)
    if tallies.is_needed:
        step_rows = next(iter(execute(batches, plan)), None)
        if step_rows is not None:
            tallies.add(step_rows, plan)
        tallies.add_texts_above(plan)
        if not tallies.is_firm:
            return None
    return replace(_inferred(plan, tallies), silent=tallies.silent)


def contradicts(rows: TypedRows, *, plan: TransformPlan, inferred: Inferred) -> bool:
    """Return whether a row refused by the early settings reads in the other way."""
    for path in inferred.silent:
        if _says_something(
            written_as_text(rows.texts[path], rows.kinds.get(path)), plan.fields[path]
        ):
            return True
    for path, parse_options in inferred.parse_options.items():
        if parse_options.bare_percent == "percent" and _has_parts(rows, path, plan):
            return True
    for finding in rows.findings:
        parse_options, path = inferred.parse_options[finding.field], finding.field
        if finding.severity != "error" or path not in plan.columns_by_path:
            continue
        type_ = plan.fields[path].column_type
        if type_ in NUMBERS and not _number_known(path, plan.fields[path], plan):
            tally = tally_numbers(_texts_of(finding, rows), parse_options.currency)
            if tally.us if parse_options.number_format == "eu" else tally.eu:
                return True
        if type_ in DATES and not _order_known(path, plan.fields[path], plan):
            counter = DateCounter()
            counter.add(_texts_of(finding, rows))
            if counter.tally().mdy if parse_options.date_order == "dmy" else counter.tally().dmy:
                return True
    return False


def _texts_of(finding: Finding, rows: TypedRows) -> pa.Array:
    kinds = rows.kinds.get(finding.field)
    if kinds is None:
        return finding.values
    return written_as_text(finding.values, kinds.take(pa.array(finding.rows - rows.first)))


def _has_parts(rows: TypedRows, path: str, plan: TransformPlan) -> bool:
    """Return whether a percentage column contains 0.19, which may be 19 %."""
    if plan.fields[path].column_type not in SHARES or path not in plan.columns_by_path:
        return False
    if _share_known(path, plan.fields[path], plan):
        return False
    return tally_shares(bare(rows.texts[path], rows.kinds.get(path))).parts > 0


def _says_something(texts: pa.Array, field_: Field) -> bool:
    if field_.column_type in NUMBERS:
        return tally_numbers(texts, currency_of_field(field_)) != NumberTally()
    counter = DateCounter()
    counter.add(texts)
    return counter.tally() != DateTally()


def _open_tallies(plan: TransformPlan) -> Tallies:
    undecided = _undecided(plan, PHONES, _region_known)
    phones = tuple(path for path in undecided if path in plan.columns_by_path)
    return Tallies(
        numbers={path: NumberTally() for path in _undecided(plan, NUMBERS, _number_known)},
        dates={path: DateCounter() for path in _undecided(plan, DATES, _order_known)},
        shares={path: ShareTally() for path in _undecided(plan, SHARES, _share_known)},
        documents=document_texts(plan),
        phones=Phones(tuple(plan.columns_by_path[path] for path in phones)),
        phone_paths=phones,
    )


def _inferred(plan: TransformPlan, tallies: Tallies) -> Inferred:
    parse_options = {path: _parse_options(path, plan, tallies) for path in plan.fields}
    documents = {path: text for path, text in tallies.documents.items() if text}
    questions = tuple(_questions(plan, tallies))
    regions = [question.default for question in questions if question.kind == "region"]
    for path in tallies.phone_paths if regions else ():
        parse_options[path] = replace(parse_options[path], region=regions[0])
    return Inferred(parse_options, documents, questions)


def _undecided(
    plan: TransformPlan,
    types: frozenset[ColumnType],
    known: Callable[[str, Field, TransformPlan], bool],
) -> list[str]:
    above = document_texts(plan)
    return [
        path
        for path, field_ in plan.fields.items()
        if (path in plan.columns_by_path or above.get(path) is not None)
        and field_.column_type in types
        and not known(path, field_, plan)
    ]


def _share_known(path: str, field_: Field, plan: TransformPlan) -> bool:
    return path in plan.answers.percent_scale


def _region_known(path: str, field_: Field, plan: TransformPlan) -> bool:
    """Return whether the host, an answer or a column of countries gives the numbers' region."""
    has_country = plan.country_of.get(path) in plan.columns_by_path
    return plan.region is not None or plan.answers.has_region or has_country


def _number_known(path: str, field_: Field, plan: TransformPlan) -> bool:
    inferred = plan.number_formats.get(path) or field_.number_format
    return inferred is not None or path in plan.answers.decimal_separator


def _order_known(path: str, field_: Field, plan: TransformPlan) -> bool:
    return path in plan.date_orders or path in plan.answers.date_order


def _parse_options(path: str, plan: TransformPlan, tallies: Tallies) -> ParseOptions:
    field_ = plan.fields[path]
    parse_options = base_parse_options(path, field_, plan)
    if path in tallies.numbers:
        parse_options = replace(parse_options, number_format=_format(path, plan, tallies))
    if path in tallies.dates:
        parse_options = replace(parse_options, date_order=_order(path, plan, tallies))
    if path in tallies.shares:
        parse_options = replace(parse_options, bare_percent=tallies.shares[path].meaning)
    return parse_options


def _format(path: str, plan: TransformPlan, tallies: Tallies) -> NumberFormat:
    tally = tallies.numbers[path]
    if tally.is_decided:
        return tally.likelier
    return likely_format(plan.columns_by_path.get(path), tally, tallies.clear, plan).format


def _order(path: str, plan: TransformPlan, tallies: Tallies) -> DateOrder:
    return likely_order(tallies.dates[path].tally(), plan, tallies.phones)[0]


def infer_by_answers(plan: TransformPlan, inferred: Inferred, paths: Iterable[str]) -> Inferred:
    """
    Settle some fields again by a plan's answers; fields without an answer keep their settings.

    plan: as before except for its answers. The texts are not examined again: an answer leaves them
    nothing to decide.
    """
    parse_options = dict(inferred.parse_options)
    for path in paths:
        field_, former = plan.fields[path], parse_options[path]
        base = base_parse_options(path, field_, plan)
        if not _number_known(path, field_, plan):
            base = replace(base, number_format=former.number_format)
        if not _order_known(path, field_, plan):
            base = replace(base, date_order=former.date_order)
        if not _share_known(path, field_, plan):
            base = replace(base, bare_percent=former.bare_percent)
        parse_options[path] = (
            base if _region_known(path, field_, plan) else replace(base, region=former.region)
        )
    return replace(inferred, parse_options=parse_options)


def _of_all_rows(question: Question, plan: TransformPlan, tallies: Tallies) -> Question:
    """Return what each answer makes of a text above the table: the value that every row gets."""
    path = question.field or ""
    if path not in tallies.above:
        return question
    text, type_ = tallies.samples[path][0], plan.fields[path].column_type
    base = base_parse_options(path, plan.fields[path], plan)
    candidates = tuple(
        replace(
            candidate,
            effect=f"Every row gets {_read_so(text, type_, base, question.kind, candidate.value)}",
        )
        for candidate in question.candidates
    )
    evidence = (f"“{text}” is above the table and can be read either way",)
    return replace(question, candidates=candidates, evidence=(*evidence, *question.evidence[2:]))


def _read_so(
    text: str, type_: ColumnType, parse_options: ParseOptions, kind: QuestionKind, answer: Any
) -> str:
    inferred = replace(parse_options, **{_DECIDES[kind]: answer})
    value = read_tidy(pa.array([text]), type_, inferred).values[0].as_py()
    return "nothing, and an error" if value is None else str(value)


def _questions(plan: TransformPlan, tallies: Tallies) -> Iterator[Question]:
    shown = tallies.samples
    for path, tally in tallies.numbers.items():
        if not tally.is_decided:
            likely = likely_format(plan.columns_by_path.get(path), tally, tallies.clear, plan)
            question = ask_number(path, tally, likely, plan, shown.get(path, ()))
            yield _of_all_rows(question, plan, tallies)
    for path, counter in tallies.dates.items():
        if not counter.tally().is_decided:
            question = ask_order(path, tallies, plan, shown.get(path, ()))
            yield _of_all_rows(question, plan, tallies)
    for path, share in tallies.shares.items():
        if not share.is_decided:
            yield _of_all_rows(ask_scale(path, share, plan, shown.get(path, ())), plan, tallies)
    if tallies.phones.rows:
        yield ask_region(tallies.phones)
