"""
Recognise how a file holds the children of its rows, and ask whether to make rows of them.

``item1, qty1, item2, qty2`` become a row for each number; values of an order that are in its first
line only are filled down. Nothing is asked if no entry of the catalog is the child of another.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from tabular.matching.learning import Learned
from tabular.matching.proposing import propose
from tabular.model.catalog import Catalog
from tabular.model.issue import Candidate, Question
from tabular.model.mapping import ColumnProposal, MappingProposal
from tabular.model.nesting import Nesting, nestings
from tabular.model.sentences import Sentence, counted, joined, numbered
from tabular.types.parsed import tidy
from tabular.vocabulary.numbering import Families, families

if TYPE_CHECKING:
    import pyarrow as pa

NAMED_SCORE = 80.0  # a field whose own name has a number is not one of several groups
SAMPLES = 3
LEAVE = "Leave the columns as they are"
Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class _File:
    sample: "pa.Table"
    rows: int  # of the table, or of the sample if that is not known
    catalog: Catalog
    learned: Learned

    def is_filled(self, columns: Iterable[str]) -> Mask:
        """Return in which rows of the sample one of some columns has a text."""
        filled = np.zeros(len(self.sample), dtype=bool)
        for column in columns:
            filled |= pc.is_valid(tidy(self.sample[column].combine_chunks())).to_numpy(False)
        return filled

    def of_all(self, count: int) -> tuple[int, str]:
        """Return a count in the sample for all rows, and whether it is estimated: "about "."""
        of = len(self.sample)
        return (count, "") if of == self.rows else (round(count * self.rows / of), "about ")


def with_groups(
    proposal: MappingProposal,
    sample: "pa.Table",
    *,
    catalog: Catalog,
    learned: Learned,
    rows: int | None,
) -> MappingProposal | None:
    """Return the proposal with a question about children, or None if there is nothing to ask."""
    nested = nestings(catalog)
    if not nested or not len(sample):
        return None
    file = _File(sample, max(rows or 0, len(sample)), catalog, learned)
    return _with_numbered(proposal, file, nested) or _with_heads(proposal, file, nested)


def _with_numbered(
    proposal: MappingProposal, file: _File, nested: Sequence[Nesting]
) -> MappingProposal | None:
    """Ask whether numbered columns become rows, if they fit fields of one child."""
    open_ = dict(_open_families(proposal, file))
    again, path_by_name = proposal, dict[str, str]()
    while open_:
        again = _proposed_again(file, open_)
        path_by_name = _of_one_child(_fields_of(again), open_, nested)
        if len(path_by_name) == len(open_):
            break
        open_ = {name: open_[name] for name in path_by_name}
    if not open_:
        return None
    taken = {column for by_number in open_.values() for column in by_number.values()}
    columns = {column.column: column for column in again.columns}
    kept = tuple(
        _part(column) if column.column in taken else columns[column.column]
        for column in proposal.columns
    )
    others = tuple(item for item in again.questions if not set(open_) & set(item.columns))
    question = _question(open_, path_by_name, file)
    return MappingProposal(kept, (*others, question))


def _open_families(proposal: MappingProposal, file: _File) -> Iterator[tuple[str, dict[int, str]]]:
    """Yield the numbered columns that do not feed fields of their own."""
    sure = {c.column for c in proposal.columns if c.field and c.score >= NAMED_SCORE}
    names = set(file.sample.column_names)
    for name, by_number in families(file.sample.column_names).items():
        numbered = set(by_number.values())
        is_open = name not in names - numbered and len(sure & numbered) < 2
        if is_open and file.is_filled(numbered).any():
            yield name, dict(by_number)


def _proposed_again(file: _File, open_: Families) -> MappingProposal:
    """Match the columns as they will be: one for each name, with the texts of all its numbers."""
    taken = {column for by_number in open_.values() for column in by_number.values()}
    others = [column for column in file.sample.column_names if column not in taken]
    texts = [file.sample[column].to_pylist() for column in others]
    for by_number in open_.values():
        texts.append([t for column in by_number.values() for t in file.sample[column].to_pylist()])
    return propose((*others, *open_), texts, catalog=file.catalog, learned=file.learned)


def _fields_of(proposal: MappingProposal) -> dict[str, str]:
    """Return the field of each column, or that which is suggested for it."""
    fields = dict(proposal.mapping)
    for item in proposal.questions:
        if isinstance(item.default, str):
            fields[item.columns[0]] = item.default
        elif isinstance(item.default, dict):
            fields |= item.default
    return fields


def _of_one_child(
    fields: dict[str, str], open_: Families, nested: Sequence[Nesting]
) -> dict[str, str]:
    """
    Return the fields of the numbered names that feed one child: of several, the most.

    A child that more columns without numbers feed is in the rows as they are.
    """
    per_child = []
    for nesting in nested:
        for paths in nesting.children.values():
            fed = {name: path for name, path in fields.items() if path in paths}
            numbered = {name: path for name, path in fed.items() if name in open_}
            if len(fed) < 2 * len(numbered):
                per_child.append(numbered)
    return max(per_child, key=len, default={})


def _part(column: ColumnProposal) -> ColumnProposal:
    return replace(column, field=None, score=0.0, reason="One of several numbered columns")


def _question(open_: Families, path_by_name: dict[str, str], file: _File) -> Question:
    numbers = sorted({number for by_number in open_.values() for number in by_number})
    pairs = {
        by_number[number]: path_by_name[name]
        for number in numbers
        for name, by_number in open_.items()
        if number in by_number
    }
    ordered = list(pairs)
    columns = [column for column in file.sample.column_names if column in pairs]
    groups = [
        file.is_filled(by[number] for by in open_.values() if number in by) for number in numbers
    ]
    per_row = np.maximum(np.sum(groups, axis=0), 1)
    made, about = file.of_all(int(per_row.sum()))
    shown = f"{ordered[0]} ... {ordered[-1]}"
    effect = numbered(
        file.rows,
        f"1 row becomes {about}{{MADE}}, one for each filled group of {{columns}}",
        f"{{n1}} rows become {about}{{MADE}}, one for each filled group of {{columns}}",
        MADE=counted(made, "row"),
        columns=shown,
    )
    left = joined(
        counted(len(columns), "column is skipped", "columns are skipped"),
        counted(file.rows, "row stays", "rows stay"),
    )
    paths = ", ".join(path_by_name.values())
    return Question(
        kind="groups",
        columns=tuple(columns),
        candidates=(
            Candidate(
                pairs, Sentence("A row for each group → {fields}", fields=paths), None, effect
            ),
            Candidate(None, LEAVE, None, left),
        ),
        evidence=(
            Sentence("Numbered columns: {names}", names=", ".join(open_)),
            *_samples(ordered, file),
        ),
        default=pairs,
    )


def _samples(columns: Sequence[str], file: _File) -> Iterator[str]:
    for column in columns[: 2 * SAMPLES]:
        texts = pc.drop_null(file.sample[column]).slice(0, SAMPLES).to_pylist()
        yield f"{column}: {', '.join(text[:40] for text in texts)}"


def _with_heads(
    proposal: MappingProposal, file: _File, nested: Sequence[Nesting]
) -> MappingProposal | None:
    """Ask whether values that are only in the first line of their parent are filled down."""
    mapping = proposal.mapping
    column_of = {path: column for column, path in mapping.items()}
    for nesting in nested:
        keys = [column_of[path] for path in nesting.keys if path in column_of]
        children = {path for paths in nesting.children.values() for path in paths}
        lines = file.is_filled(c for c, path in mapping.items() if path in children)
        lines &= ~file.is_filled(keys)
        if len(keys) < len(nesting.keys) or lines[0] or not lines.any():
            continue
        heads = [column for column, path in mapping.items() if path in nesting.fields]
        bare = lines & ~file.is_filled(heads)
        if 2 * bare.sum() > lines.sum():
            question = _question_about_heads(heads, keys, int(lines.sum()), file)
            return replace(proposal, questions=(*proposal.questions, question))
    return None


def _question_about_heads(
    heads: Sequence[str], keys: Sequence[str], lines: int, file: _File
) -> Question:
    count, about = file.of_all(lines)
    named = ", ".join(keys)
    return Question(
        kind="groups",
        columns=tuple(heads),
        candidates=(
            Candidate(
                [*keys],
                Sentence("Fill down within {columns}", columns=named),
                None,
                Sentence(f"Rows that take values from above: {about}{{n1}}", n1=count),
            ),
            Candidate(
                None,
                LEAVE,
                None,
                Sentence(
                    f"Rows that stay without {{columns}}: {about}{{n1}}", n1=count, columns=named
                ),
            ),
        ),
        evidence=(
            Sentence(
                "Filled in the first row of a group only: {columns}", columns=", ".join(heads)
            ),
            *_samples(heads, file),
        ),
        default=[*keys],
    )
