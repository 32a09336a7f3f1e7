"""Propose a mapping: the order of the steps, without rules of its own."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tabular.matching.asking.questions import question
from tabular.matching.asking.remaining import contradicted
from tabular.matching.asking.situations import doubts
from tabular.matching.assignment import Scores, assign, strongest
from tabular.matching.evidence import Evidence, Texts, gather
from tabular.matching.learning import Learned
from tabular.matching.reasons import next_best, reason
from tabular.matching.scoring import Fit
from tabular.matching.weighing import Model, logit
from tabular.model.catalog import Catalog
from tabular.model.mapping import Alternative, ColumnProposal, MappingProposal

if TYPE_CHECKING:
    import pyarrow as pa

NO_LEARNED = Learned()
LEAST = 0.4  # probability below which a pair is not proposed
FLOOR = -0.75  # logit by its own features below which only elimination supports a pair
FEWEST = 3  # columns that certainly have their field before elimination may decide
SURE = 1.0  # logit of such a pair
EXACT = 100_000  # the bonus of a pair with the same name: no sum of others outweighs it
DETECTOR = 300  # breaks ties between fields of equal probability
BASE = 6.0  # logit that each pair adds, so that two probable pairs outweigh a certain one
MOST_FIELDS = 16  # of one column that take part in the assignment
MOST_COLUMNS = 32  # of one field that take part in the assignment
ALTERNATIVES = 3
SAMPLES = 3


def propose(
    columns: tuple[str, ...],
    sample: "pa.Table | Texts",
    *,
    catalog: Catalog,
    learned: Learned = NO_LEARNED,
    model: Model | None = None,
) -> MappingProposal:
    """
    Propose a field for every column, and the questions to ask.

    columns: unique names. sample: up to a few thousand rows of text, one column per name. A column
    with a question has no field until it is answered. model: weights other than ours.
    """
    return decide(gather(columns, _texts(sample), catalog, learned, model))


def decide(evidence: Evidence) -> MappingProposal:
    """Propose a field for every column of the evidence, and the questions to ask."""
    chosen = _assign(evidence)
    open_doubts = doubts(evidence, chosen)
    questions = tuple(question(doubt, evidence) for doubt in open_doubts)
    open_columns = {column for doubt in open_doubts for column in doubt.columns}
    open_fields = {field for doubt in open_doubts for field in doubt.fields}
    open_columns |= {column for column, field in chosen.items() if field in open_fields}
    decided = {c: f for c, f in chosen.items() if c not in open_columns}
    taken = {field: column for column, field in chosen.items()}
    following = next_best(evidence, chosen)
    proposals = tuple(
        _proposal(
            index,
            decided.get(index),
            evidence,
            reason(index, decided.get(index), evidence, taken, following),
        )
        for index in range(len(evidence.columns))
    )
    return MappingProposal(proposals, questions)


def _texts(sample: "pa.Table | Texts") -> Texts:
    """Return the sample's columns as sequences of text, whatever their input form."""
    if isinstance(sample, Sequence):
        return sample
    return [column.to_pylist() for column in sample.columns]


def _assign(evidence: Evidence) -> dict[int, int]:
    """Pair columns and fields, independently of their order."""
    columns = sorted(range(len(evidence.columns)), key=lambda i: (evidence.columns[i], i))
    fields = sorted(range(len(evidence.paths)), key=lambda i: evidence.paths[i])
    rank_of = {index: rank for rank, index in enumerate(columns)}
    place_of = {index: rank for rank, index in enumerate(fields)}
    sure = {c for (c, _), fit in evidence.fits.items() if fit.alone >= SURE}
    is_understood = len(sure) >= FEWEST
    scores: Scores = {
        (rank_of[column], place_of[field]): _worth(fit)
        for column in columns
        for field, fit in evidence.of_column[column].items()
        if _is_proposed(fit, is_understood or (evidence.is_foreign and fit.name > 0))
    }
    scores = strongest(scores, side=0, most=MOST_FIELDS)
    scores = strongest(scores, side=1, most=MOST_COLUMNS)
    return {columns[rank]: fields[place] for rank, place in assign(scores).items()}


def _is_proposed(fit: Fit, may_be_left: bool) -> bool:
    """
    Return whether a pair takes part; may_be_left: elimination may decide where evidence is weak.
    """
    if fit.exact or fit.learned:
        return True
    return fit.probability >= LEAST and (may_be_left or fit.alone >= FLOOR)


def _worth(fit: Fit) -> int:
    named_alike = EXACT * (fit.exact and not fit.odd and not contradicted(fit))
    odds = logit(fit.probability) + BASE
    return max(1, round(1_000 * odds + DETECTOR * fit.detected)) + named_alike


def _proposal(column: int, field: int | None, evidence: Evidence, why: str) -> ColumnProposal:
    ranked = sorted(
        (-fit.probability, evidence.paths[f])
        for f, fit in evidence.of_column[column].items()
        if f != field
    )
    return ColumnProposal(
        column=evidence.columns[column],
        field=None if field is None else evidence.paths[field],
        score=0.0 if field is None else round(100 * evidence.fits[column, field].probability, 1),
        reason=why,
        alternatives=tuple(
            Alternative(path, round(-100 * score, 1)) for score, path in ranked[:ALTERNATIVES]
        ),
        samples=evidence.profiles[column].values[:SAMPLES],
        learned_from=_learned_from(column, field, evidence),
    )


def _learned_from(column: int, field: int | None, evidence: Evidence) -> str | None:
    """Return the id of the source that taught this, if that decided."""
    learned, name = evidence.learned, evidence.columns[column]
    if field is None:
        return learned.source(name, None) if evidence.unmapped_before[column] else None
    is_learned = evidence.fits[column, field].learned
    return learned.source(name, evidence.paths[field]) if is_learned else None
