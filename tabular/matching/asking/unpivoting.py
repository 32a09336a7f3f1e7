"""
Recognise one measure spread over columns, and ask whether to turn it into rows.

Jan, Feb, ... Dec; 2022, 2023; Q1 to Q4; a column for each option of a field. No question is asked
if the catalog has no free field for the measure and for the columns' names.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from tabular.detecting import profile
from tabular.matching.values import option_names, plain_option
from tabular.model.catalog import Catalog, ColumnType, Field
from tabular.model.issue import Candidate, Question
from tabular.model.mapping import MappingProposal
from tabular.model.sentences import Sentence, counted, joined, numbered
from tabular.values.months import month_number
from tabular.vocabulary.headers import fold

if TYPE_CHECKING:
    import pyarrow as pa

LEAST = 3  # columns of months or options; two years are enough
NAMED_SCORE = 80.0  # a column whose name the catalog knows is not part of a series
NUMERIC = 0.8  # share of each column's values that are numbers
OFFERED = 4
MEASURES: frozenset[ColumnType] = frozenset(
    {"int", "float", "percentage", "currency_eur", "currency_usd"}
)
NAMED: dict[str, frozenset[ColumnType]] = {  # the possible types of a field for the columns' names
    "month": frozenset({"string", "category", "date", "int"}),
    "year": frozenset({"string", "category", "date", "int"}),
    "quarter": frozenset({"string", "category"}),
}
PERIOD = re.compile(
    r"month|monat|mois|mes|mese|maand|miesiac|year|jahr|annee|ano|anno|jaar|rok|quarter|quartal"
    r"|trimest|kwarta|period|date|datum|data|fecha|zeitraum"
)
WORD = re.compile(r"[^\W_]+")
YEAR = re.compile(r"(?:19|20)[0-9]{2}")
QUARTER = re.compile(r"[qt][1-4]|[1-4][qt]")


@dataclass(frozen=True, slots=True)
class Series:
    """Columns that hold one measure; kind: month, year, quarter, or the path of a field."""

    kind: str
    columns: tuple[str, ...]


def with_unpivot(
    proposal: MappingProposal, sample: "pa.Table", *, catalog: Catalog, rows: int | None
) -> MappingProposal:
    """Ask about a measure spread over columns instead of about those columns one by one."""
    question = _question_about(proposal, sample, catalog, rows)
    if question is None:
        return proposal
    spread = set(question.columns)
    others = tuple(item for item in proposal.questions if not spread & set(item.columns))
    return replace(proposal, questions=(*others, question))


def _question_about(
    proposal: MappingProposal, sample: "pa.Table", catalog: Catalog, rows: int | None
) -> Question | None:
    open_ = [column for column in proposal.columns if column.score < NAMED_SCORE]
    if len(open_) < 2:
        return None
    numeric = [item.column for item in open_ if _is_measure(sample[item.column].to_pylist())]
    if len(numeric) < 2:
        return None
    for series in _series(numeric, catalog.live_fields):
        fields = _free(proposal, series, catalog)
        candidates = _candidates(series, fields)
        if candidates:
            return _question(series, candidates, sample, rows)
    return None


def _free(proposal: MappingProposal, series: Series, catalog: Catalog) -> dict[str, Field]:
    """Return the fields that no other column feeds; none if several of the series feed fields."""
    mapping = proposal.mapping
    if sum(column in mapping for column in series.columns) > 1:
        return {}
    taken = {path for column, path in mapping.items() if column not in series.columns}
    return {path: field for path, field in catalog.live_fields.items() if path not in taken}


def _is_measure(texts: Sequence[str | None]) -> bool:
    shape = profile(texts)
    return not shape.is_empty and shape.share("number") >= NUMERIC


def _series(columns: Sequence[str], fields: dict[str, Field]) -> Iterator[Series]:
    for kind, tell, least in (
        ("year", _year, 2),
        ("quarter", _quarter, LEAST),
        ("month", _month, LEAST),
    ):
        alike = _alike(columns, tell)
        if len(alike) >= least:
            yield Series(kind, alike)
    for path, field in fields.items():
        if field.dropdown_options and field.column_type == "category":
            names = option_names(field)
            alike = tuple(column for column in columns if plain_option(column) in names)
            if len(alike) >= LEAST:
                yield Series(path, alike)


def _alike(columns: Sequence[str], tell: Callable[[str], object]) -> tuple[str, ...]:
    """Return the columns in which one word names a different member and the rest is the same."""
    by_rest: dict[tuple[str, ...], dict[object, str]] = {}
    for column in columns:
        words = WORD.findall(fold(column))
        members = [
            (place, named_member)
            for place, word in enumerate(words)
            if (named_member := tell(word))
        ]
        if len(members) == 1:
            place, member = members[0]
            rest = tuple(words[:place] + words[place + 1 :])
            by_rest.setdefault(rest, {}).setdefault(member, column)
    return tuple(max(by_rest.values(), key=len).values()) if by_rest else ()


def _year(word: str) -> str | None:
    return word if YEAR.fullmatch(word) else None


def _quarter(word: str) -> str | None:
    return "".join(c for c in word if c.isdigit()) if QUARTER.fullmatch(word) else None


def _month(word: str) -> int | None:
    return month_number(word) if word.isalpha() and len(word) >= LEAST else None


def _candidates(series: Series, fields: dict[str, Field]) -> list[dict[str, str]]:
    """Return pairs of a field for the columns' names and one for their values, likeliest first."""
    names = [path for path, field in fields.items() if _names(series, path, field)]
    values = [path for path, field in fields.items() if field.column_type in MEASURES]
    values.sort(key=lambda path: not fields[path].is_required)
    names.sort(key=lambda path: not fields[path].is_required)
    pairs = [{"name": n, "value": v} for n in names for v in values if n != v]
    return pairs[:OFFERED]


def _names(series: Series, path: str, field: Field) -> bool:
    """Return whether a field may hold the columns' names."""
    types = NAMED.get(series.kind)
    if types is None:
        return path == series.kind
    names = (field.key, field.label or "", *(field.alternative_matches or ()))
    return field.column_type in types and any(PERIOD.search(fold(text)) for text in names)


def _question(
    series: Series, pairs: list[dict[str, str]], sample: "pa.Table", rows: int | None
) -> Question:
    filled = sum(len(sample) - sample[column].null_count for column in series.columns)
    of = len(sample) if rows is None or rows <= len(sample) else rows
    about = "" if of == len(sample) else "about "
    made = round(filled * of / max(len(sample), 1))
    shown = f"{series.columns[0]}, {series.columns[1]} ... {series.columns[-1]}"
    effect = numbered(
        of,
        f"1 row becomes {about}{{MADE}}, one for each filled cell of {{columns}}",
        f"{{n1}} rows become {about}{{MADE}}, one for each filled cell of {{columns}}",
        MADE=counted(made, "row"),
        columns=shown,
    )
    candidates = [
        Candidate(
            pair,
            Sentence("names → {name}, values → {value}", name=pair["name"], value=pair["value"]),
            None,
            effect,
        )
        for pair in pairs
    ]
    left = joined(
        counted(len(series.columns), "column is skipped", "columns are skipped"),
        counted(of, "row stays", "rows stay"),
    )
    leave = Candidate(None, "Leave the columns as they are", None, left)
    examples = (
        f"{column}: {', '.join(_first(sample[column]))}" for column in series.columns[:LEAST]
    )
    why = Sentence(
        "{COLUMNS} one measure: {columns}",
        COLUMNS=counted(len(series.columns), "column holds", "columns hold"),
        columns=shown,
    )
    return Question(
        kind="unpivot",
        columns=series.columns,
        candidates=(*candidates, leave),
        evidence=(why, *examples),
        default=pairs[0],
    )


def _first(texts: "pa.ChunkedArray") -> list[str]:
    return [str(text)[:40] for text in pc.drop_null(texts)[:LEAST].to_pylist()]
