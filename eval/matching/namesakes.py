"""
Generated catalogs, and columns that are named like their field.

``python -m eval namesakes`` prints which share of such columns is mapped, asked about, and silently
left unmapped: ``ordinary`` with values that the field's type reads, ``odd`` with values that people
also write there: unusual date formats, a dash for "none", links and bank accounts in a text.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass

from eval.plain.columns import KINDS, NAMES
from eval.plain.tables import LOCALES
from tabular.matching import propose
from tabular.model.catalog import Catalog, ColumnType, Entry, Field
from tabular.model.mapping import MappingProposal

CATALOGS = 400
AIM = 0.999  # share of ordinary columns that are mapped
_SHOWN = 20
_ROWS = (1, 3, 12, 40, 200)
_ODD = 0.15  # share of columns with odd values
_GAP = 0.1  # share of blank cells, in half of the columns
_LABELLED = 0.8  # share of fields with a label besides their key
_NARROWED = 0.4  # share of names with a trade word before them

TYPES: dict[str, tuple[ColumnType, ...]] = {  # a kind that is missing is a text
    "serial": ("int", "string"),
    "integer": ("int", "float"),
    "decimal": ("float", "currency_usd"),
    "decimal_comma": ("float", "currency_eur"),
    "money": ("currency_eur", "currency_usd", "float"),
    "percent": ("percentage", "float"),
    "iso_date": ("date", "date_iso", "datetime"),
    "dotted_date": ("date", "date_dmy"),
    "slashed_date": ("date", "date_mdy"),
    "worded_date": ("date",),
    "moment": ("datetime", "date"),
    "time": ("time_hm", "time_hms", "time_hm_24"),
    "boolean": ("boolean", "category"),
    "email": ("email",),
    "phone": ("phone",),
    "url": ("url", "url_www"),
    "iban": ("iban", "string"),
    "status": ("category", "string"),
    "word": ("category", "string"),
    "currency": ("currency_code",),
    "year": ("int",),
}
TRADES = (
    "Customer", "Order", "Asset", "Patient", "Vessel", "Policy", "Claim", "Batch", "Sensor",
    "Pupil", "Parcel", "Member", "Site", "Well", "Tenant", "Kunde", "Auftrag", "Objekt", "Client",
    "Commande", "Proveedor", "Delivery", "Home", "Last", "New", "Main", "Open", "Net",
)  # fmt: skip
ODDITIES: dict[str, tuple[str, ...]] = {  # by group of types: what people also write there
    "date": (
        "2024-W12|2024-W13|2024-W40", "Q1/2024|Q3 2024|Q4 2023", "20240312|20231101|20230704",
        "45352|45360|44927", "1709251200|1709337600|1700000000", "März 2024|Mai 2023|Juni 2021",
        "12th of March|1st of May|3rd of June", "2024.03|2023.11|2022.07", "tomorrow|soon|later",
        "Mon 3/4|Tue 3/5|Fri 3/8", "H1 24|H2 23|H1 22", "031224|150623|010122",
    ),
    "number": ("12 kg|3 kg|40 kg", "ca. 20|ca. 35|50+", "1|0|1", "10-20|20-50|50-100", "low|high"),
    "other": ("none|unknown|none", "TBD|later|?", "see below|see notes|ask"),
    "text": (
        "DE89370400440532013000|GB82WEST12345698765432", "https://a.test/1|https://a.test/2",
        "2024-01-02|2024-03-04|2024-05-06", "12.50|13.75|8.99", "a@b.test|c@d.test", "yes|no|no",
        "+49 30 901820|+44 20 7946 0958", "10:30|11:45|08:15",
    ),
    "any": ("-", "n/a|-", "", "?|?", "x"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Namesakes:
    """A catalog and a column for each of its fields, under one of the field's names."""

    catalog: Catalog
    paths: tuple[str, ...]  # of the field that the column at this index is named like
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    odd: tuple[bool, ...]

    def propose(self) -> MappingProposal:
        """Match the columns with the catalog."""
        return propose(self.columns, self.cells, catalog=self.catalog)


def namesakes(seed: int) -> Namesakes:
    """Return the same catalog and columns for the same seed."""
    drawn = random.Random(f"namesakes {seed}")
    rows, locale = drawn.choice(_ROWS), drawn.choice(sorted(LOCALES))
    fields: dict[str, tuple[Field, str]] = {}
    for _ in range(drawn.randint(2, 18)):
        kind = drawn.choice(sorted(NAMES))
        name = drawn.choice(NAMES[kind].split("|"))
        if drawn.random() < _NARROWED:
            name = f"{drawn.choice(TRADES)} {name[:1].lower()}{name[1:]}"
        key = _key(name, drawn)
        column_type = drawn.choice(TYPES.get(kind, ("string",)))
        field = Field(key=key, column_type=column_type, required=drawn.random() < 0.3)
        if drawn.random() < _LABELLED:
            field = field.model_copy(update={"label": name})
        fields.setdefault(re.sub(r"\W|_", "", key).casefold(), (field, kind))
    entry = Entry(id="rows", fields=tuple(field for field, _ in fields.values()))
    columns, cells, odd = [], [], []
    for field, kind in fields.values():
        is_odd = drawn.random() < _ODD
        texts = _odd_values(field, rows, drawn) if is_odd else _values(kind, rows, locale, drawn)
        columns.append(_header(field, drawn))
        cells.append(texts)
        odd.append(is_odd)
    return Namesakes(
        catalog=Catalog(key="generated", entries=(entry,)),
        paths=tuple(f"rows.{field.key}" for field, _ in fields.values()),
        columns=tuple(columns),
        cells=tuple(cells),
        odd=tuple(odd),
    )


def _key(name: str, drawn: random.Random) -> str:
    words = re.findall(r"\w+", name) or ["number"]
    snake = "_".join(words).lower()
    camel = words[0].lower() + "".join(word.capitalize() for word in words[1:])
    return drawn.choice((snake, camel))


def _header(field: Field, drawn: random.Random) -> str:
    name = drawn.choice([field.key, field.label or field.key])
    styles = (name, name, name, name.upper(), f" {name} ", name.replace("_", " "))
    return drawn.choice(styles)


def _values(kind: str, rows: int, locale: str, drawn: random.Random) -> tuple[str, ...]:
    draw = KINDS[kind](drawn)
    gap = drawn.choice((0.0, _GAP))
    return tuple("" if drawn.random() < gap else draw(drawn, locale) for _ in range(rows))


def _odd_values(field: Field, rows: int, drawn: random.Random) -> tuple[str, ...]:
    group = "other"
    if field.column_type.startswith(("date", "time")):
        group = "date"
    elif field.column_type in {"int", "float", "percentage", "currency_eur", "currency_usd"}:
        group = "number"
    elif field.column_type in {"string", "category"}:
        group = "text"
    texts = drawn.choice((*ODDITIES[group], *ODDITIES["any"])).split("|")
    return tuple(drawn.choice(texts) for _ in range(rows))


def outcomes(case: Namesakes) -> list[str]:
    """Return whether each column is mapped, asked about, silent, or mapped elsewhere."""
    proposal = case.propose()
    asked_columns = {name for question in proposal.questions for name in question.columns}
    kinds = []
    for path, column in zip(case.paths, proposal.columns, strict=True):
        if column.column in asked_columns:
            kinds.append("asked")
        elif column.field is None:
            kinds.append("silent")
        else:
            kinds.append("mapped" if column.field == path else "elsewhere")
    return kinds


def main(catalogs: int = CATALOGS) -> int:
    """Measure; return 1 if too few are mapped, or one is silently dropped or mapped elsewhere."""
    counts = {False: Counter[str](), True: Counter[str]()}
    shown: list[str] = []
    for seed in range(catalogs):
        case = namesakes(seed)
        for place, outcome in enumerate(outcomes(case)):
            counts[case.odd[place]][outcome] += 1
            if outcome in {"silent", "elsewhere"} or (outcome == "asked" and not case.odd[place]):
                values = ", ".join(case.cells[place][:3])
                shown.append(f"  seed {seed}: {case.columns[place]!r} {outcome} ({values[:60]})")
    print("\n".join(shown[:_SHOWN]))
    for is_odd, counter in counts.items():
        total = counter.total()
        shares = "  ".join(
            f"{name} {counter[name] / total:.4f}"
            for name in ("mapped", "asked", "silent", "elsewhere")
        )
        print(f"{'odd' if is_odd else 'ordinary':10} {total:6,} columns  {shares}")
    lost = sum(counter["silent"] + counter["elsewhere"] for counter in counts.values())
    return int(counts[False]["mapped"] < AIM * counts[False].total() or lost > 0)
