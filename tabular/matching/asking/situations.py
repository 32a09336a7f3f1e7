"""Decide what to ask: by structure, not by close scores alone.

1. Several columns fit one field and nothing distinguishes them (business and home street), or each
   alone is nearly as probable: they could be swapped (price 1 and price 2).
2. One column fits several free fields that differ in what the column does not say (amount: net or
   gross).
3. A column was skipped before, and has exactly the name of a required field.
4. A column has exactly the name of a field, and values that cannot be the field's.
5. A required field would stay empty, and some columns are close.
6. A column holds two fields ("PLZ/Ort"), or two columns make one (first and last name).
7. A proposal is hardly more probable than not, a remaining column is not improbable, or the last
   columns have values of a required field's type.
8. A column has a field's name, and another the values for it.

No questions are asked about columns that are empty, constant, or only describe another column.
"""

from collections.abc import Iterator

from tabular.matching.asking.composing import joins, splits, whole_names
from tabular.matching.asking.doubt import ALSO, CLOSE, Doubt, merged, worth_asking
from tabular.matching.asking.remaining import doubtful, last_ones, lost_namesakes, possible
from tabular.matching.asking.rivals import as_probable, rivals, torn, unfilled
from tabular.matching.evidence import Evidence
from tabular.matching.values import PROSE
from tabular.model.sentences import Sentence
from tabular.vocabulary.lexicon import lexicon
from tabular.vocabulary.meaning import Meaning

BARE = 0.1  # as CLOSE, for the fields of a header that only says "amount"
SETTLED = 0.76  # a column that fits its second field this well has lost nothing
DISPLACED = 0.1  # a column loses more than this by leaving its best field
NAMES = 0.35  # share of values that are names of people


def doubts(evidence: Evidence, chosen: dict[int, int]) -> list[Doubt]:
    """Return all doubts, with those that share a column or a field merged."""
    all_doubts = [
        *rivals(evidence, chosen),
        *as_probable(evidence, chosen),
        *torn(evidence, chosen),
        *lost_namesakes(evidence, chosen),
        *_several_fields(evidence, chosen),
        *_labelled(evidence, chosen),
        *_displaced(evidence, chosen),
        *_named_in_text(evidence, chosen),
        *_unmapped_before(evidence, chosen),
        *_odd_namesakes(evidence, chosen),
        *(
            Doubt(frozenset({c}), frozenset(f), "The column holds several fields", split=True)
            for c, f in (*splits(evidence, chosen), *whole_names(evidence, chosen))
        ),
        *(
            Doubt(frozenset(c), frozenset({f}), "The columns together make the field", joined=True)
            for c, f in joins(evidence, chosen)
        ),
    ]
    for remaining in (doubtful, unfilled, possible, last_ones):
        all_doubts.extend(remaining(evidence, chosen, all_doubts))
    return merged(all_doubts)


def _several_fields(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Yield free fields that a column fits as well as its own."""
    taken = set(chosen.values())
    for column, field in sorted(chosen.items()):
        own = evidence.fits[column, field]
        if own.exact or own.learned or not worth_asking(evidence.profiles[column]):
            continue
        also = {
            f
            for f, fit in evidence.of_column[column].items()
            if f not in taken and _fits_as_well(evidence, column, own.rank, fit.rank)
        }
        if own.by_values:
            also = {f for f in also if _undecidable(evidence, field, f)}
        if also:
            yield Doubt(frozenset({column}), frozenset({field, *also}), "The header fits several")


def _fits_as_well(evidence: Evidence, column: int, own: float, other: float) -> bool:
    """
    Return whether a second field is as good. How to narrow a bare "Amount" is a matter of taste.
    """
    bare = all(m.is_head_stated and not m.qualifiers for m in evidence.named[column].meanings)
    return other >= ALSO and own - other <= (BARE if bare else CLOSE / 2)


def _undecidable(evidence: Evidence, field: int, other: int) -> bool:
    """Return whether values alone cannot distinguish two fields, and both are equally required."""
    mine, theirs = evidence.specs[field], evidence.specs[other]
    if mine.column_type == "string" or mine.column_type != theirs.column_type:
        return False
    return mine.is_required == theirs.is_required


def _labelled(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Ask which phone a labelled phone is: "Phone 1 - Value" next to "Phone 1 - Label"."""
    for column, field in sorted(chosen.items()):
        heads = {meaning.head for meaning in evidence.named[column].meanings}
        if not heads & {"phone", "mobile"} or evidence.fits[column, field].exact:
            continue
        if not _has_label(evidence, column):
            continue
        taken = set(chosen.values()) - {field}
        also = {f for f, fit in evidence.of_column[column].items() if fit.score >= ALSO}
        if len(also - taken) > 1:
            yield Doubt(
                frozenset({column}), frozenset(also - taken), "Another column decides which one"
            )


def _has_label(evidence: Evidence, column: int) -> bool:
    """Return whether a neighbour gives the type of a column's values."""
    ordinal = {m.ordinal for m in evidence.named[column].meanings}
    heads = {m.head for m in evidence.named[column].meanings}
    for named in evidence.named:
        for meaning in named.meanings:
            if meaning.head in {"label", "type"} and meaning.qualifiers & heads:
                return meaning.ordinal in ordinal
    return False


def _displaced(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Yield columns that lost their best field to a column that fits it no better."""
    holders = {field: column for column, field in chosen.items()}
    for (column, field), fit in sorted(evidence.fits.items()):
        own, holder = chosen.get(column), holders.get(field)
        if own is None or holder is None or holder == column or fit.by_values:
            continue
        theirs, mine = evidence.fits[holder, field], evidence.fits[column, own]
        if theirs.exact or theirs.learned or mine.score >= SETTLED or mine.learned:
            continue
        if fit.score - mine.score > DISPLACED and theirs.score - fit.score <= CLOSE:
            pair = frozenset({column, holder})
            yield Doubt(pair, frozenset({own, field}), "Both fit, but only one can be used")


def _named_in_text(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Ask about a description that holds names while a field for a name is free."""
    taken = set(chosen.values())
    for column, field in sorted(chosen.items()):
        heads = {meaning.head for meaning in evidence.named[column].meanings}
        profile = evidence.profiles[column]
        names_share = profile.share("company") + profile.share("person")
        if not heads & PROSE or names_share < NAMES or profile.share("prose") > names_share:
            continue
        names = {
            f
            for f, named in enumerate(evidence.fields)
            if f not in taken and any(_is_party(m) for m in named.meanings)
        }
        if names:
            yield Doubt(frozenset({column}), frozenset({field, *names}), "The text holds names")


def _unmapped_before(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Ask whether a column that users skipped feeds the required field of exactly its name."""
    for column, field in sorted(chosen.items()):
        if evidence.unmapped_before[column]:
            why = "Skipped before, but named exactly like a required field"
            if source := evidence.learned.source(evidence.columns[column], None):
                why = Sentence(why + " (profile {id})", id=source)
            yield Doubt(frozenset({column}), frozenset({field}), why, may_leave=True)


def _odd_namesakes(evidence: Evidence, chosen: dict[int, int]) -> Iterator[Doubt]:
    """Ask about a column with exactly a field's name and values that cannot be the field's."""
    for column, field in sorted(chosen.items()):
        if evidence.fits[column, field].odd:
            why = "Named exactly like the field, but the values look different"
            yield Doubt(frozenset({column}), frozenset({field}), why, may_leave=True)


def _is_party(meaning: Meaning) -> bool:
    concepts = lexicon().concepts
    return meaning.head == "name" and any(concepts[q].facet == "party" for q in meaning.qualifiers)
