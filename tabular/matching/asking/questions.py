"""Turn a doubt into a question: evidence, candidates with scores and effects, a default."""

from itertools import islice, permutations
from typing import Any

from tabular.matching.asking.composing import in_order
from tabular.matching.asking.doubt import Doubt
from tabular.matching.evidence import Evidence
from tabular.model.issue import Candidate, Question
from tabular.model.mapping import parts_of, separator_of
from tabular.model.sentences import Sentence, joined

MOST_CANDIDATES = 8
SAMPLES = 3
MOST_SAMPLES = 12  # columns with sample values


def question(doubt: Doubt, evidence: Evidence) -> Question:
    """
    Return the question about a doubt.

    The value of a candidate is a field path (one column, one field), a list of field paths (the
    column is split into them), an object of column to field path (several columns; missing columns
    are not mapped, and two columns of one field are joined in the file's order), or null.
    """
    columns, fields = sorted(doubt.columns), sorted(doubt.fields)
    candidates = _one_column(columns[0], fields, doubt, evidence)
    if len(columns) > 1:
        candidates = _many_columns(columns, fields, doubt, evidence)
    return Question(
        kind="column" if len(columns) == 1 else "columns",
        columns=tuple(evidence.columns[c] for c in columns),
        candidates=tuple(candidates),
        evidence=(doubt.why, *(_sample(c, evidence) for c in columns[:MOST_SAMPLES])),
        default=None if doubt.is_unlikely else candidates[0].value,
        blocking=any(evidence.specs[f].is_required for f in fields),
        field=evidence.paths[fields[0]] if len(fields) == 1 else None,
    )


def _label(field: int, evidence: Evidence) -> str:
    return evidence.specs[field].label or evidence.specs[field].key


def _sample(column: int, evidence: Evidence) -> str:
    shown = ", ".join(value[:40] for value in evidence.profiles[column].values[:SAMPLES])
    return f"{evidence.columns[column]}: {shown}"


def _score(pairs: list[tuple[int, int]], evidence: Evidence) -> float:
    fits = [evidence.fits.get(pair) for pair in pairs]
    scores = [fit.score or fit.probability if fit else 0.0 for fit in fits]
    return round(100 * sum(scores) / len(scores), 1)


def _rows(column: int, evidence: Evidence) -> str:
    profile = evidence.profiles[column]
    single, many = (
        "{n1} of 1 sampled row with a value",
        "{n1} of {n2} sampled rows with a value",
    )
    template = single if profile.rows == 1 else many
    return Sentence(template, n1=profile.filled, n2=profile.rows)


def _one_column(
    column: int, fields: list[int], doubt: Doubt, evidence: Evidence
) -> list[Candidate]:
    candidates = [
        Candidate(
            value=evidence.paths[field],
            label=_label(field, evidence),
            score=_score([(column, field)], evidence),
            effect=Sentence(
                "Fills {field}: {A}", field=_label(field, evidence), A=_rows(column, evidence)
            ),
        )
        for field in sorted(fields, key=lambda f: (not evidence.specs[f].is_required, f))
    ]
    candidates.sort(
        key=lambda c: -(c.score or 0.0)
    )  # among equal ones, the required field comes first
    if doubt.split or _is_whole_name(fields, evidence):
        fields = in_order(evidence, column, fields)
        labels = " and ".join(_label(field, evidence) for field in fields)
        paths: Any = [evidence.paths[field] for field in fields]
        effect = _shown_split(column, fields, evidence)
        candidates.insert(
            0,
            Candidate(
                value=paths, label=Sentence("Split into {fields}", fields=labels), effect=effect
            ),
        )
    if doubt.may_leave:
        effect = Sentence("{field} stays empty in every row", field=_label(fields[0], evidence))
        candidates.append(Candidate(value=None, label="Skip the column", effect=effect))
    return candidates[:MOST_CANDIDATES]


def _shown_split(column: int, fields: list[int], evidence: Evidence) -> str:
    """Return three sample values after the split."""
    values = evidence.profiles[column].values
    separator = separator_of(values)
    shown = []
    for value in values[:SAMPLES]:
        parts = zip(fields, parts_of(value, separator, len(fields)), strict=True)
        filled = ", ".join(f"{_label(field, evidence)} “{part[:40]}”" for field, part in parts)
        shown.append(f"“{value[:80]}”: {filled}")
    return "; ".join(shown)


def _is_whole_name(fields: list[int], evidence: Evidence) -> bool:
    """Return whether the fields are a given and a family name."""
    parts = {
        part
        for field in fields
        for meaning in evidence.fields[field].meanings
        for part in meaning.qualifiers & {"first", "last"}
    }
    return len(fields) == 2 and len(parts) == 2


def _many_columns(
    columns: list[int], fields: list[int], doubt: Doubt, evidence: Evidence
) -> list[Candidate]:
    size = min(len(columns), len(fields))
    pairings = (
        list(zip(some, chosen, strict=True))
        for some in permutations(columns, size)
        for chosen in ([tuple(fields)] if size == len(fields) else permutations(fields, size))
    )
    ways = [_pairing(pairs, evidence) for pairs in islice(pairings, 120)]
    unique = {tuple(sorted(c.value.items())): c for c in ways}
    ranked = sorted(unique.values(), key=lambda c: (-(c.score or 0.0), str(c.value)))
    if doubt.joined or (len(fields) == 1 and _is_flow(columns, evidence)):
        ranked.insert(0, _joining(columns, fields[0], evidence))
    return ranked[:MOST_CANDIDATES]


def _pairing(pairs: list[tuple[int, int]], evidence: Evidence) -> Candidate:
    pairings = [f"{evidence.columns[c]} → {_label(f, evidence)}" for c, f in sorted(pairs)]
    return Candidate(
        value={evidence.columns[c]: evidence.paths[f] for c, f in sorted(pairs)},
        label=", ".join(pairings),
        score=_score(pairs, evidence),
        effect=joined(*(_rows(c, evidence) for c, _ in sorted(pairs))),
    )


def _joining(columns: list[int], field: int, evidence: Evidence) -> Candidate:
    names = " + ".join(evidence.columns[c] for c in columns)
    return Candidate(
        value={evidence.columns[c]: evidence.paths[field] for c in columns},
        label=f"{names} → {_label(field, evidence)}",
        effect="The columns are joined",
    )


def _is_flow(columns: list[int], evidence: Evidence) -> bool:
    """Return whether the columns are money in and money out."""
    qualifiers = {q for c in columns for m in evidence.named[c].meanings for q in m.qualifiers}
    return {"debit", "credit"} <= qualifiers
