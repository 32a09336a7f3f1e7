"""Which column feeds which field, what it is made of, and how its texts are split for several."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tabular.model.issue import Question
from tabular.model.recipe import Recipe
from tabular.model.sentences import Text

Mapping = dict[str, str]  # column name to field path


@dataclass(frozen=True, slots=True)
class Alternative:
    """A field that would also fit, with its score."""

    field: str
    score: float  # 0 to 100


@dataclass(frozen=True, slots=True)
class ColumnProposal:
    """The matcher's proposal for one source column."""

    column: str
    field: str | None  # None: do not map the column
    score: float  # 0 to 100
    reason: Text
    alternatives: tuple[Alternative, ...] = ()
    samples: tuple[str, ...] = ()
    learned_from: str | None = None  # the id of the profile that decided


@dataclass(frozen=True, slots=True)
class MappingProposal:
    """One proposal per column, and the questions to ask."""

    columns: tuple[ColumnProposal, ...]
    questions: tuple[Question, ...] = ()

    @property
    def mapping(self) -> Mapping:
        """The columns that have a field."""
        return {c.column: c.field for c in self.columns if c.field is not None}


SEPARATORS = (" / ", "/", "; ", ";", ", ", ",", " | ", "|", " - ", " ")


def separator_of(samples: Sequence[str]) -> str:
    """
    Return the separator between the parts in most samples.

    >>> separator_of(["10115 Berlin", "20095 Hamburg"]), separator_of(["Doe, Jane", "Roe, Jim"])
    (' ', ', ')
    """
    counts = Counter(s for text in samples for s in SEPARATORS if s in text.strip())
    usual = [s for s in SEPARATORS if counts[s] * 2 > len(samples)]
    return usual[0] if usual else " "


def parts_of(text: str, separator: str, count: int) -> list[str]:
    """
    Split one text as the recipe's step does; the last part takes the rest.

    >>> parts_of("Bär, Karl-Heinz", ", ", 2), parts_of("Plato", ", ", 2)
    (['Bär', 'Karl-Heinz'], ['Plato', ''])
    """
    parts = [part.strip() for part in text.split(separator, count - 1)]
    return parts + [""] * (count - len(parts))


def by_source(
    mapping: Mapping, recipe: Recipe | None, columns: Iterable[str] = ()
) -> dict[str, str]:
    """
    Return a mapping in terms of the file: its columns to the field paths they feed.

    A column made by a recipe represents the columns it was made from; one made from none (a
    constant) is omitted. A column that feeds several fields appears once for each, under further
    names that no other column has. columns: all names of the file.

    >>> from tabular.model.recipe import Split
    >>> split = Recipe(version=1, steps=(
    ...     Split(do="split", column="Name", separator=" ", into=("First", "Last")),))
    >>> by_source({"First": "p.first", "Last": "p.last"}, split, ["Name"])
    {'Name': 'p.first', 'Name (2)': 'p.last'}
    """
    made_of = _made_of(recipe)
    feeds = [(source, path) for name, path in mapping.items() for source in made_of(name)]
    taken = {*columns, *(source for source, _ in feeds)}
    path_by_name: dict[str, str] = {}
    for source, path in feeds:
        name, number = source, 2
        while name in path_by_name or (name != source and name in taken):
            name, number = f"{source} ({number})", number + 1
        path_by_name[name] = path
    return path_by_name


def fed_columns(columns: Iterable[str], recipe: Recipe | None) -> set[str]:
    """
    Return the columns of the file that some columns, of the file or of a recipe, are made from.

    >>> from tabular.model.recipe import Coalesce
    >>> sorted(fed_columns(["Phone"], Recipe(version=1, steps=(
    ...     Coalesce(do="coalesce", columns=("Mobile", "Office"), into="Phone"),))))
    ['Mobile', 'Office']
    """
    made_of = _made_of(recipe)
    return {source for name in columns for source in made_of(name)}


def _made_of(recipe: Recipe | None) -> Callable[[str], tuple[str, ...]]:
    sources: dict[str, tuple[str, ...]] = {}

    def of(name: str) -> tuple[str, ...]:
        return sources.get(name, (name,))

    for step in recipe.steps if recipe else ():
        sources.update(
            {
                made: tuple(dict.fromkeys(s for name in step.origins_of(made) for s in of(name)))
                for made in step.makes
            }
        )
    return of
