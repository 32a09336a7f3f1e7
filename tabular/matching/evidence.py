"""Everything known about a file's columns and a catalog's fields, before any decision."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tabular.detecting import Profile, profile
from tabular.matching.candidates import Candidates
from tabular.matching.comparing import Context
from tabular.matching.currencies import names_other_currency, with_currency_names
from tabular.matching.features import Column, Rarities, Target, column, features, target
from tabular.matching.learning import Learned
from tabular.matching.lexical import Rarity
from tabular.matching.scoring import Fit, is_vetoed, learned_fit, name_fit, score_pair
from tabular.matching.weighing import NO_RIVAL, Model, Weighed, weigh
from tabular.model.catalog import Catalog, Entry, Field
from tabular.vocabulary.names import (
    Named,
    about,
    concerned,
    languages_of,
    names_in,
    own_heads,
    read_column,
    read_field,
    reread,
    shared_beginning,
    without_beginning,
)

Texts = Sequence[Sequence[str | None]]  # one sequence of cells per column


@dataclass(frozen=True, slots=True)
class Evidence:
    """Columns and fields by index, the meaning of each, and how well each pair fits."""

    columns: tuple[str, ...]
    named: tuple[Named, ...]
    profiles: tuple[Profile, ...]
    paths: tuple[str, ...]
    specs: tuple[Field, ...]
    fields: tuple[Named, ...]
    contexts: tuple[Context, ...]  # of each field's entry
    fits: dict[tuple[int, int], Fit]
    of_column: tuple[dict[int, Fit], ...]  # the same by column, then by field
    unmapped_before: tuple[bool, ...]  # whether users mostly skipped a column with this header
    learned: Learned
    spoken: tuple[str, ...]  # languages of the headers
    written: tuple[str, ...]  # languages of the catalog
    is_foreign: bool  # whether the file is in a different language than the catalog


def gather(
    columns: tuple[str, ...],
    texts: Texts,
    catalog: Catalog,
    learned: Learned,
    model: Model | None = None,
) -> Evidence:
    """Read headers, names and values, and weigh every pair with any evidence for it."""
    written = languages_of(names_in(catalog))
    beginning = shared_beginning(columns)
    spoken = languages_of(without_beginning(column, beginning) for column in columns)
    shared = concerned(beginning, spoken)
    live = [
        (spec, named, context)
        for entry in catalog.entries
        for spec, named, context in _live(entry, written, shared)
    ]
    profiles = tuple(profile(cells) for cells in texts)
    evidence = Evidence(
        columns=columns,
        named=tuple(
            reread(read_column(column, spoken, beginning), values)
            for column, values in zip(columns, profiles, strict=True)
        ),
        profiles=profiles,
        paths=tuple(catalog.offered_fields),
        specs=tuple(spec for spec, _, _ in live),
        fields=tuple(named for _, named, _ in live),
        contexts=tuple(context for _, _, context in live),
        fits={},
        of_column=tuple({} for _ in columns),
        unmapped_before=tuple(learned.is_mostly_unmapped(column) for column in columns),
        learned=learned,
        spoken=tuple(dict.fromkeys((*spoken, "en"))),
        written=tuple(dict.fromkeys((*written, "en"))),
        is_foreign=not set(spoken) & set(written),
    )
    _weigh(evidence, model)
    return evidence


def _live(
    entry: Entry, languages: tuple[str, ...], shared: frozenset[str]
) -> Iterator[tuple[Field, Named, Context]]:
    """Return an entry's offered fields, read, with what is implied there."""
    specs = (
        with_currency_names(spec) for spec in entry.fields if not (spec.disabled or spec.hidden)
    )
    read = [(spec, read_field(spec, languages)) for spec in specs]
    names = [named for _, named in read]
    things, behind = about(entry, names, languages)
    context = Context(things | shared, behind, own_heads(names, things | shared))
    return ((spec, named, context) for spec, named in read)


def _weigh(evidence: Evidence, model: Model | None) -> None:
    """Find the candidates, their features, and the probability of each."""
    mine = [
        column(text, named, values, evidence.spoken)
        for text, named, values in zip(
            evidence.columns, evidence.named, evidence.profiles, strict=True
        )
    ]
    theirs = [
        target(named, spec, context, evidence.written)
        for named, spec, context in zip(
            evidence.fields, evidence.specs, evidence.contexts, strict=True
        )
    ]
    rarities = Rarities(
        Rarity((item.name_words,) for item in mine), Rarity(item.names for item in theirs)
    )
    for pair in _candidates(evidence, mine, theirs):
        first, other = mine[pair[0]], theirs[pair[1]]
        name, reading = name_fit(first.named, other.named, other.context)
        fit = score_pair(first.named, other.named, other.spec, first.profile, name, reading)
        values = features(first, other, rarities, name, reading)
        evidence.fits[pair] = _fit(evidence, pair, fit._replace(features=values))
    weigh_again(evidence, model)


def weigh_again(evidence: Evidence, model: Model | None = None) -> None:
    """Set the probability of each pair, by a model's weights."""
    weighed = weigh({pair: fit.features for pair, fit in evidence.fits.items()}, model)
    for pair, fit in evidence.fits.items():
        again = _with_probability(evidence, pair, fit, weighed[pair])
        evidence.fits[pair] = evidence.of_column[pair[0]][pair[1]] = again


def _candidates(
    evidence: Evidence, mine: Sequence[Column], theirs: Sequence[Target]
) -> Iterator[tuple[int, int]]:
    candidates = Candidates(theirs)
    for place, text in enumerate(evidence.columns):
        counts = evidence.learned.counts(text)
        known = {field for field, path in enumerate(evidence.paths) if path in counts}
        fields = known.union(candidates.fields_for(mine[place]))
        if evidence.unmapped_before[place]:
            fields = {field for field in fields if _is_required_namesake(evidence, place, field)}
        yield from ((place, field) for field in sorted(fields))


def _fit(evidence: Evidence, pair: tuple[int, int], fit: Fit) -> Fit:
    place, field = pair
    if names_other_currency(evidence.columns[place], evidence.specs[field]):
        # Not even for an exact name: its amounts name no currency
        return Fit(0.0, 0.0, fit.values, alone=NO_RIVAL, features=fit.features, is_excluded=True)
    counts = evidence.learned.counts(evidence.columns[place])
    return learned_fit(fit, counts, evidence.paths[field])


def _with_probability(evidence: Evidence, pair: tuple[int, int], fit: Fit, weighed: Weighed) -> Fit:
    if fit.is_excluded:
        return fit
    is_never = is_vetoed(fit, evidence.specs[pair[1]])
    probability = 1.0 if fit.learned else 0.0 if is_never else weighed.probability
    return fit._replace(alone=weighed.alone, probability=probability)


def _is_required_namesake(evidence: Evidence, column: int, field: int) -> bool:
    """Return whether a required field has exactly the column's name."""
    is_required = evidence.specs[field].is_required
    return is_required and bool(evidence.named[column].keys & evidence.fields[field].keys)
