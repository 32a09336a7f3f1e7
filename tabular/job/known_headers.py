"""What the catalog and the vocabulary know about a file's headers, to ask fewer questions."""

import pyarrow as pa

from tabular.matching import Learned, propose
from tabular.model.catalog import Catalog
from tabular.model.issue import Question
from tabular.model.mapping import MappingProposal
from tabular.model.table import Reading, Table
from tabular.vocabulary.names import share_understood

KNOWN_SCORE = 80  # a column whose name the catalog knows, on the matcher's scale to 100
_KNOWN = 0.5  # share of its columns from which a table counts as known
_FOREIGN = 0.25  # share up to which it counts as a different table
_MOST = 30  # tables that are compared


def known_table(reading: Reading, catalog: Catalog, learned: Learned) -> int | None:
    """Return the only candidate of the question ``table`` that the catalog knows, or None."""
    offered = next((q.candidates for q in reading.questions if q.kind == "table"), ())
    numbers = [candidate.value for candidate in offered]
    if not 2 <= len(numbers) <= _MOST:
        return None
    shares = {n: share_of(reading.tables[n], catalog, learned) for n in numbers}
    known = [number for number in numbers if shares[number] >= _KNOWN]
    if len(known) != 1 or any(_FOREIGN < shares[n] < _KNOWN for n in numbers):
        return None
    return int(known[0])


def is_header_known(
    question: Question, columns: tuple[str, ...], proposal: MappingProposal | None = None
) -> bool:
    """
    Return whether a question about the header is answered because most words are column names.
    """
    if question.kind != "header_row" or not question.default:
        return False
    known = 0 if proposal is None else share_known(proposal)
    return 2 * max(known, share_understood(columns)) > 1


def share_known(proposal: MappingProposal) -> float:
    """Return the share of the columns whose names the catalog knows."""
    known = sum(column.score >= KNOWN_SCORE for column in proposal.columns)
    return known / max(1, len(proposal.columns))


def share_of(table: Table, catalog: Catalog, learned: Learned) -> float:
    """Return the share of a table's columns whose names a catalog knows."""
    rows = list(zip(*table.preview, strict=True)) or [()] * len(table.columns)
    texts = [pa.array(list(map(_plain, cells)), pa.string()) for cells in rows]
    sample = pa.table(texts, names=list(table.columns))
    return share_known(propose(table.columns, sample, catalog=catalog, learned=learned))


def _plain(text: str | None) -> str | None:
    return text and text.replace("\0", "")
