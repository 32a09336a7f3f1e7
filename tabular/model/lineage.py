"""Which columns of the file the columns of a mapping are made of, through each step of a recipe."""

from collections.abc import Callable, Iterable, Mapping

from tabular.model.recipe import Recipe


def by_source(
    mapping: Mapping[str, str], recipe: Recipe | None, columns: Iterable[str] = ()
) -> dict[str, str]:
    """
    Give a mapping as the file would say it: its columns to the field paths they feed.

    A column made by a recipe stands for the columns it was made of; one that is made of none (a
    constant) is left out. A column that feeds several fields stands once for each, under further
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
    found: dict[str, str] = {}
    for source, path in feeds:
        name, number = source, 2
        while name in found or (name != source and name in taken):
            name, number = f"{source} ({number})", number + 1
        found[name] = path
    return found


def fed_columns(columns: Iterable[str], recipe: Recipe | None) -> set[str]:
    """
    Give the columns of the file that some columns, of the file or of a recipe, are made of.

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
        read = tuple(dict.fromkeys(source for name in step.reads for source in of(name)))
        sources.update(dict.fromkeys(step.makes, read))
    return of
