"""Ask how a column is read where its texts allow two ways, and say what each answer changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.question import Candidate, Question, QuestionKind
from tabular.model.wording import counted
from tabular.transforming.likely import Likely
from tabular.transforming.plan import Plan
from tabular.types.date_orders import DateTally
from tabular.types.number_formats import NumberTally, ShareTally
from tabular.types.phone_regions import likely_regions

SAMPLES = 3
PHONES_LOOKED_AT = 20  # distinct numbers by which countries are compared
BARE_PHONE = r"^[^+]*[0-9]"  # no plus sign
DIALLED = r"^\W*00[1-9]"  # the plus sign as it is dialled
NO_REGION = "none: they stay as they are, with an error"


@dataclass(slots=True)
class Phones:
    """Numbers without their country in the columns that feed phone fields."""

    columns: tuple[str, ...] = ()
    rows: int = 0
    bare: dict[str, None] = field(default_factory=dict)
    whole: dict[str, None] = field(default_factory=dict)

    def add(self, texts: pa.Array) -> None:
        """Count one batch of a column. texts: n tidy strings."""
        is_bare = pc.and_not(
            pc.match_substring_regex(texts, BARE_PHONE), pc.match_substring_regex(texts, DIALLED)
        )
        self.rows += pc.sum(is_bare).as_py() or 0
        _keep(self.bare, texts.filter(is_bare))
        _keep(self.whole, texts.filter(pc.invert(is_bare)))


def _keep(kept: dict[str, None], texts: pa.Array) -> None:
    if len(kept) < PHONES_LOOKED_AT:
        some = texts.slice(0, 1_000).unique().drop_null()
        kept.update(dict.fromkeys(some[: PHONES_LOOKED_AT - len(kept)].to_pylist()))


def sampled(texts: pa.Array) -> tuple[str, ...]:
    """Give the first distinct texts of a column to show. texts: n tidy strings."""
    return tuple(texts.slice(0, 1_000).drop_null().unique()[:SAMPLES].to_pylist())


def ask_number(
    path: str, tally: NumberTally, likely: Likely, plan: Plan, samples: Sequence[str]
) -> Question:
    """Ask for the decimal separator of a column."""
    return _question(
        "decimal_separator",
        path,
        plan,
        default=likely.format,
        evidence=(
            f"{counted(tally.either, 'value')} can be read either way",
            *samples,
            *likely.reasons,
        ),
        candidates={
            "eu": ("1.234,56 (comma before the decimals)", _effect(tally.either, tally.us)),
            "us": ("1,234.56 (point before the decimals)", _effect(tally.either, tally.eu)),
        },
    )


def ask_order(path: str, tally: DateTally, plan: Plan, samples: Sequence[str]) -> Question:
    """Ask for the order of day and month of a column."""
    return _question(
        "date_order",
        path,
        plan,
        default=tally.likelier,
        evidence=(f"{counted(tally.either, 'value')} can be read either way", *samples),
        candidates={
            "dmy": ("day, month, year", _effect(tally.either, tally.mdy)),
            "mdy": ("month, day, year", _effect(tally.either, tally.dmy)),
        },
    )


def ask_scale(path: str, tally: ShareTally, plan: Plan, samples: Sequence[str]) -> Question:
    """Ask whether a number without a sign is a fraction or a percentage."""
    rows = tally.parts + tally.above_one
    return _question(
        "percent_scale",
        path,
        plan,
        default=tally.meaning,
        evidence=(f"{counted(rows, 'value has', 'values have')} no percent sign", *samples),
        candidates={
            "fraction": ("0.19 is 19 %, 1.5 is 150 %", f"{counted(rows, 'row')} times 100"),
            "percent": ("0.19 is 0.19 %, 1.5 is 1.5 %", f"{counted(rows, 'row')} as written"),
        },
    )


def ask_region(phones: Phones) -> Question:
    """Ask in which country the numbers without one are."""
    found = likely_regions(list(phones.bare), list(phones.whole))
    of, rows = len(phones.bare), counted(phones.rows, "row")
    candidates = [
        Candidate(one.code, one.code, one.score, f"{rows} read in {one.code}; {one.valid} of {of} "
                  "sampled numbers are valid there")
        for one in found
    ]  # fmt: skip
    candidates.append(Candidate(None, NO_REGION, effect=f"{rows} with an error"))
    return Question(
        kind="region",
        columns=phones.columns,
        candidates=tuple(candidates),
        evidence=(
            f"{counted(phones.rows, 'value names', 'values name')} no country",
            *list(phones.bare)[:SAMPLES],
        ),
        default=found[0].code if found and found[0].is_named else None,
    )


def _question(
    kind: QuestionKind,
    path: str,
    plan: Plan,
    *,
    default: str,
    evidence: tuple[str, ...],
    candidates: Mapping[str, tuple[str, str]],
) -> Question:
    offered: list[Any] = [
        Candidate(v, label, None, told) for v, (label, told) in candidates.items()
    ]
    return Question(
        kind=kind,
        columns=(plan.columns_by_path[path],),
        candidates=tuple(offered),
        evidence=evidence,
        default=default,
        field=path,
    )


def _effect(read: int, lost: int) -> str:
    """
    Say what an answer does to the rows.

    >>> _effect(3, 0), _effect(1, 2)
    ('3 rows read so', '1 row read so; 2 rows cannot be read')
    """
    told = f"{counted(read, 'row')} read so"
    return f"{told}; {counted(lost, 'row')} cannot be read" if lost else told
