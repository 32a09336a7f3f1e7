"""What an answer about columns does to a mapping. Pure: takes a draft and returns one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tabular.model.mapping import separator_of

JOINED_BY = " "
MAKING = frozenset({"split", "join", "coalesce", "unpivot", "unpivot_groups"})


@dataclass(frozen=True, slots=True)
class MappingDraft:
    """A mapping that is not confirmed yet: column to field path, and the recipe's steps."""

    mapping: Mapping[str, str] = field(default_factory=dict)
    steps: tuple[dict[str, Any], ...] = ()

    @property
    def recipe(self) -> dict[str, Any] | None:
        """The recipe, or None without steps."""
        return {"version": 1, "steps": list(self.steps)} if self.steps else None


def saved_draft(
    mapping: Mapping[str, str] | None, recipe: Mapping[str, Any] | None
) -> MappingDraft:
    """Return a stored mapping and recipe as a draft."""
    return MappingDraft(mapping or {}, tuple((recipe or {}).get("steps", ())))


class AboutColumns(Protocol):
    """A question about columns, open or just asked."""

    @property
    def kind(self) -> str:
        """The kind of the question."""
        ...

    @property
    def field(self) -> str | None:
        """The field path it is about, if any."""
        ...

    @property
    def columns(self) -> Any:
        """The columns it is about."""
        ...


def answered(
    draft: MappingDraft, columns: Sequence[str], value: Any, *, samples: Mapping[str, Sequence[str]]
) -> MappingDraft:
    """
    Return the draft after an answer about some columns.

    value: null (skip the columns), a field path, a list of field paths (split the column), or an
    object of column to field path (columns of one field are joined in the file's order). If another
    column fed the field, the answer takes precedence.
    """
    draft = _without(draft, columns)
    match value:
        case None:
            return draft
        case str(path):
            return fed(draft, {columns[0]: path})
        case [*paths]:
            return _split(draft, columns[0], paths, samples.get(columns[0], ()))
        case _:
            return _joined(draft, {c: value[c] for c in columns if c in value})


def unpivoted(
    draft: MappingDraft, columns: Sequence[str], value: Mapping[str, str] | None
) -> MappingDraft:
    """Return the draft with columns unpivoted; value: the fields of their names and values."""
    draft = _without(draft, columns)
    if value is None:
        return draft
    name, measure = f"Name of {columns[0]}...", f"Value of {columns[0]}..."
    step = {"do": "unpivot", "columns": [*columns], "nameInto": name, "valueInto": measure}
    return fed(
        MappingDraft(draft.mapping, (*draft.steps, step)),
        {name: value["name"], measure: value["value"]},
    )


def without_groups(draft: MappingDraft, columns: Sequence[str]) -> MappingDraft:
    """Return the draft without what an earlier answer about groups in some columns did."""
    steps = tuple(s for s in draft.steps if not _fills(s) or s["columns"] != [*columns])
    draft = MappingDraft(draft.mapping, steps)
    groups = [step for step in steps if step["do"] == "unpivot_groups"]
    is_grouped = any(set(_reads(step)) & set(columns) for step in groups)
    return _without(draft, columns) if is_grouped else draft


def _fills(step: dict[str, Any]) -> bool:
    return step["do"] == "fill_down" and bool(step.get("within"))


def filled_within(
    draft: MappingDraft, columns: Sequence[str], within: Sequence[str]
) -> MappingDraft:
    """Return the draft with columns filled down, before all else, within groups."""
    step = {"do": "fill_down", "columns": [*columns], "within": [*within]}
    return MappingDraft(draft.mapping, (step, *draft.steps))


def unpivoted_groups(
    draft: MappingDraft, columns: Sequence[str], groups: Mapping[str, tuple[str, int]]
) -> MappingDraft:
    """
    Return the draft with a row for each group of numbered columns.

    groups: the field path and the number of each column; the other ``columns`` feed no field.
    """
    draft = _without(draft, columns)
    numbers = sorted({number for _, number in groups.values()})
    column_at = {place: column for column, place in groups.items()}
    into, made = {}, {}
    for path in dict.fromkeys(path for path, _ in groups.values()):
        numbered = [column_at.get((path, number)) for number in numbers]
        named = [column for column in numbered if column is not None]
        name = f"{named[0]} ... {named[-1]}"
        into[name], made[name] = numbered, path
    step = {"do": "unpivot_groups", "groups": into}
    return fed(MappingDraft(draft.mapping, (*draft.steps, step)), made)


def paths_of(value: Any) -> list[str]:
    """
    Return the field paths that an answer about columns uses.

    >>> paths_of(None), paths_of("a.b"), paths_of({"X": "a.b"})
    ([], ['a.b'], ['a.b'])
    """
    match value:
        case None:
            return []
        case str(path):
            return [path]
        case dict(pairs):
            return list(pairs.values())
        case _:
            return list(value)


def _without(draft: MappingDraft, columns: Sequence[str]) -> MappingDraft:
    """Return the draft without what an earlier answer did with the columns."""
    gone = set(columns)
    kept: list[dict[str, Any]] = []
    for step in draft.steps:
        if step["do"] in MAKING and set(_reads(step)) & gone:
            gone |= set(_makes(step))
        else:
            kept.append(step)
    return MappingDraft({c: f for c, f in draft.mapping.items() if c not in gone}, tuple(kept))


def _reads(step: dict[str, Any]) -> Sequence[str]:
    if step["do"] == "unpivot_groups":
        return [name for names in step["groups"].values() for name in names if name is not None]
    return [step["column"]] if step["do"] == "split" else step["columns"]


def _makes(step: dict[str, Any]) -> Sequence[str]:
    if step["do"] == "unpivot":
        return [step["nameInto"], step["valueInto"]]
    if step["do"] == "unpivot_groups":
        return list(step["groups"])
    return step["into"] if step["do"] == "split" else [step["into"]]


def fed(draft: MappingDraft, pairs: Mapping[str, str]) -> MappingDraft:
    """Return the draft with columns that feed fields; a column that fed one before does not."""
    taken = set(pairs.values())
    others = {column: path for column, path in draft.mapping.items() if path not in taken}
    return MappingDraft({**others, **pairs}, draft.steps)


def _split(
    draft: MappingDraft, column: str, paths: Sequence[str], samples: Sequence[str]
) -> MappingDraft:
    if len(paths) == 1:
        return fed(draft, {column: paths[0]})
    into = [f"{column} part {number}" for number in range(1, len(paths) + 1)]
    step = {"do": "split", "column": column, "separator": separator_of(samples), "into": into}
    return fed(
        MappingDraft(draft.mapping, (*draft.steps, step)), dict(zip(into, paths, strict=True))
    )


def _joined(draft: MappingDraft, pairs: Mapping[str, str]) -> MappingDraft:
    columns_of: dict[str, list[str]] = {}
    for column, path in pairs.items():
        columns_of.setdefault(path, []).append(column)
    for path, columns in columns_of.items():
        if len(columns) > 1:
            into = " + ".join(columns)
            step = {"do": "join", "columns": columns, "separator": JOINED_BY, "into": into}
            draft = MappingDraft(draft.mapping, (*draft.steps, step))
            columns = [into]
        draft = fed(draft, {columns[0]: path})
    return draft
