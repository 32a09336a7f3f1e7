"""Phone numbers without a country: evidence in the file for one, and the question about it."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from tabular.model.amounts import currency_of_field
from tabular.model.catalog import Field
from tabular.model.issue import Candidate, Question
from tabular.model.sentences import Sentence, counted
from tabular.types.families.origins import NOWHERE, countries_of, home_of
from tabular.types.families.phones import Region, likely_regions, named_regions

PHONES_LOOKED_AT = 20  # distinct numbers by which countries are compared
BARE_PHONE = r"^[^+]*[0-9]"  # no plus sign
DIALLED = r"^\W*00[1-9]"  # the plus sign as it is dialled
NO_REGION = "none: they stay unchanged, with an error"
SAMPLES = 3
FIRM = frozenset({"iban"})  # types whose every value names its country
HINTS = frozenset({"zip_code_de"})  # five digits exist in many countries: not enough to decide
ENOUGH = 3  # IBANs, or numbers with their country, that let the file decide
SOURCES = 2  # columns supporting one country that let the file decide


@dataclass(slots=True)
class Origins:
    """The countries (ISO 3166) that columns other than phone numbers support."""

    heard: dict[str, set[str]] = field(default_factory=dict)  # by column
    types: dict[str, str] = field(default_factory=dict)
    values: dict[str, set[str]] = field(default_factory=dict)  # the first distinct ones

    def hear(self, column: str, texts: pa.Array, spec: Field) -> None:
        """Record the countries that one batch of a column names. texts: n tidy strings."""
        heard = self.heard.setdefault(column, set())
        self.types[column] = spec.column_type
        if spec.column_type == "string" and NOWHERE in heard:
            return
        code = currency_of_field(spec)
        if code is not None:
            heard |= {home_of(code)} if len(texts) > texts.null_count else set()
            return
        heard |= countries_of(texts, spec.column_type)
        kept = self.values.setdefault(column, set())
        if len(kept) < ENOUGH:
            some = texts.slice(0, 1_000).unique().drop_null()[: 2 * ENOUGH].to_pylist()
            kept |= {"".join(text.split()) for text in some}

    @property
    def spoken(self) -> dict[str, str]:
        """The columns whose values all support one country, with that country."""
        agreeing = {
            column: countries for column, countries in self.heard.items() if len(countries) == 1
        }
        return {
            column: code
            for column, (code,) in agreeing.items()
            if code != NOWHERE and (self.types[column] != "string" or self._is_many(column))
        }

    @property
    def is_mixed(self) -> bool:
        """Whether the values of a column support several countries."""
        return any(
            len(countries) > 1 and self.types[column] != "string"
            for column, countries in self.heard.items()
        )

    def is_enough(self, dialled: Sequence[str]) -> bool:
        """Return whether the evidence is enough to decide. dialled: numbers with their country."""
        grounds = [column for column in self.spoken if self.types[column] not in HINTS]
        firm = any(self.types[c] in FIRM and self._is_many(c) for c in grounds)
        return firm or len(dialled) >= ENOUGH or len(grounds) + bool(dialled) >= SOURCES

    def _is_many(self, column: str) -> bool:
        return len(self.values.get(column, ())) >= ENOUGH


@dataclass(slots=True)
class Phones:
    """Numbers without their country in the columns that feed phone fields."""

    columns: tuple[str, ...] = ()
    rows: int = 0
    bare: dict[str, None] = field(default_factory=dict)
    whole: dict[str, None] = field(default_factory=dict)
    origins: Origins = field(default_factory=Origins)

    def add(self, texts: pa.Array) -> None:
        """Count one batch of a column. texts: n tidy strings."""
        is_bare = pc.and_not(
            pc.match_substring_regex(texts, BARE_PHONE), pc.match_substring_regex(texts, DIALLED)
        )
        self.rows += pc.sum(is_bare).as_py() or 0
        _keep(self.bare, texts.filter(is_bare))
        _keep(self.whole, texts.filter(pc.invert(is_bare)))

    @property
    def home(self) -> str | None:
        """The only country that all evidence of the file supports."""
        named = {*self.origins.spoken.values(), *named_regions(list(self.whole))}
        return next(iter(named)) if len(named) == 1 and not self.origins.is_mixed else None

    def is_decided(self, regions: Sequence[Region]) -> bool:
        """
        Return whether the file decides the numbers' country, so that no question is needed.

        All evidence supports one country, there is enough of it, and almost all numbers are valid
        there. regions: the countries in which they are valid, the likeliest first.
        """
        if not regions or regions[0].code != self.home:
            return False
        are_valid = regions[0].valid * 10 >= len(self.bare) * 9
        return are_valid and self.origins.is_enough(list(self.whole))


def _keep(kept: dict[str, None], texts: pa.Array) -> None:
    if len(kept) < PHONES_LOOKED_AT:
        some = texts.slice(0, 1_000).unique().drop_null()
        kept.update(dict.fromkeys(some[: PHONES_LOOKED_AT - len(kept)].to_pylist()))


def ask_region(phones: Phones) -> Question:
    """
    Ask for the country of numbers without one, or report which one the file decided for.

    The default is the country that other numbers and other columns name, if these all agree.
    """
    bare, whole, spoken = list(phones.bare), list(phones.whole), phones.origins.spoken
    regions = likely_regions(bare, whole, tuple(spoken.values()))
    differ = bool(spoken) and len({*spoken.values(), *named_regions(whole)}) > 1
    default = regions[0].code if regions and regions[0].is_named and not differ else None
    names = ", ".join(f"“{column}”" for column, code in spoken.items() if code == default)
    is_decided = phones.is_decided(regions)
    of, rows = len(bare), counted(phones.rows, "row")
    template = "{ROWS} read in {country}; {n1} of {n2} sampled numbers are valid there"
    candidates = [
        Candidate(
            region.code,
            region.code,
            region.score,
            Sentence(template, ROWS=rows, country=region.code, n1=str(region.valid), n2=str(of)),
        )
        for region in regions
    ]
    candidates.append(
        Candidate(None, NO_REGION, effect=Sentence("{ROWS} with an error", ROWS=rows))
    )
    return Question(
        kind="region",
        columns=phones.columns,
        candidates=tuple(candidates),
        evidence=(
            Sentence(
                "{VALUES} no country", VALUES=counted(phones.rows, "value names", "values name")
            ),
            *bare[:SAMPLES],
            *(
                (Sentence("The values of {names} point to {region}", names=names, region=default),)
                if names
                else ()
            ),
            *(
                (Sentence("All evidence in the file agrees on {region}", region=default),)
                if is_decided
                else ()
            ),
        ),
        default=default,
        decided=is_decided,
    )
