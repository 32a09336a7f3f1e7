"""How many rows a revision has of each kind: the form of the JSON in ``Revision.counts``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Self

from pydantic import ConfigDict

from tabular.protocol import forms
from tabular.protocol.results import Counts


@dataclass(frozen=True, slots=True, kw_only=True)
class RowCounts(Counts):
    """Rows = valid + warning + error + excluded; issues by their code, those of excluded aside."""

    excluded: int = 0

    __pydantic_config__: ClassVar[ConfigDict] = forms.CAMEL

    @classmethod
    def of(cls, counts: Counts) -> Self:
        """Give the counts of a table of which no row was left out."""
        return cls(**{one.name: getattr(counts, one.name) for one in fields(Counts)})

    @classmethod
    def kept(cls, document: Mapping[str, Any]) -> Self:
        """Read the counts of a revision, of this version or an earlier one."""
        return forms.read_kept(cls, document)

    def as_json(self) -> dict[str, Any]:
        """Write them as a revision keeps them, and as they are shown."""
        return forms.as_json(self)
