"""Reasons in words for users: "Same name; 99.8 % are e-mail addresses"."""

from tabular.matching.evidence import Evidence
from tabular.matching.scoring import Fit
from tabular.matching.weighing import parts
from tabular.model.catalog import ColumnType, Field
from tabular.model.sentences import Sentence, joined, numbered

NAMED = 0.5  # score from which an unassigned column is named next to the one that has its field
LITTLE = 0.25  # a rival that fits worse than this is not named

STRONGEST = 2  # parts of a score that are named
GROUP_OF = {
    "words": "words", "words_agreeing": "words", "letters": "letters", "initials": "initials",
    "options": "options", "coded": "values", "typed": "values", "by_values": "values",
    "by_values_too": "values", "expected": "expected",
}  # fmt: skip
PHRASES = {
    "words": "the words are alike",
    "letters": "spelled alike",
    "initials": "initials of the name",
    "expected": "values match the name",
}
VALUES: dict[ColumnType, str] = {
    "email": "e-mail addresses",
    "url": "web addresses",
    "url_www": "web addresses",
    "url_https": "web addresses",
    "phone": "phone numbers",
    "iban": "valid IBANs",
    "bic": "bank codes",
    "vat_eu": "VAT numbers",
    "gtin": "valid GTINs",
    "date": "dates",
    "date_dmy": "dates",
    "date_mdy": "dates",
    "date_iso": "dates",
    "datetime": "dates",
    "int": "numbers",
    "float": "numbers",
    "percentage": "numbers",
    "currency_eur": "amounts",
    "currency_usd": "amounts",
    "boolean": "yes or no",
    "country_code_alpha_2": "countries",
    "country_code_alpha_3": "countries",
    "currency_code": "currencies",
    "zip_code_de": "postcodes",
}


def next_best(evidence: Evidence, chosen: dict[int, int]) -> dict[int, int]:
    """Return, for a taken field, the unassigned column that fits it only slightly worse, if any."""
    runners_up: dict[int, tuple[float, str, int]] = {}
    holders = {field: column for column, field in chosen.items()}
    for (column, field), fit in evidence.fits.items():
        holder = holders.get(field)
        if column in chosen or holder is None or evidence.profiles[column].is_empty:
            continue
        if evidence.fits[holder, field].score - fit.score <= LITTLE and fit.score >= NAMED:
            ranked = (-fit.score, evidence.columns[column], column)
            runners_up[field] = min(ranked, runners_up.get(field, ranked))
    return {field: column for field, (_, _, column) in runners_up.items()}


def reason(
    column: int,
    field: int | None,
    evidence: Evidence,
    taken: dict[int, int],
    following: dict[int, int],
) -> str:
    """
    Return why a column has its field, or why it has none.

    taken: field to its column. following: field to the next best column.
    """
    source = evidence.learned.source(
        evidence.columns[column], None if field is None else evidence.paths[field]
    )
    if field is not None:
        reasons = _why(evidence.fits[column, field], evidence.specs[field], source)
        other = following.get(field)
        return (
            reasons
            if other is None
            else Sentence("{A}; “{column}” comes next", A=reasons, column=evidence.columns[other])
        )
    profile = evidence.profiles[column]
    if evidence.unmapped_before[column]:
        return Sentence("Skipped before (profile {id})", id=source) if source else "Skipped before"
    if profile.is_empty:
        return "The column is empty"
    best = max(((fit.score, -f) for f, fit in evidence.of_column[column].items()), default=(0.0, 0))
    rival = taken.get(-best[1])
    if best[0] >= NAMED and rival is not None and rival != column:
        label = evidence.specs[-best[1]].label or evidence.specs[-best[1]].key
        return Sentence(
            "“{column}” fits {field} better", column=evidence.columns[rival], field=label
        )
    if profile.is_constant:
        return Sentence("No field fits; every value is “{value}”", value=profile.values[0][:40])
    return "No field fits"


def _why(fit: Fit, spec: Field, source: str | None) -> str:
    """Name what decided, then the two strongest parts of the score that it does not include."""
    reasons = [_named(fit, source)]
    for group in _strongest(fit):
        if group == "values" and fit.values is not None and spec.column_type in VALUES:
            kind = VALUES[spec.column_type]
            reasons.append(Sentence("{n1} % are {KIND}", n1=percent(fit.values), KIND=kind))
        elif group == "options":
            share = percent(fit.options)
            reasons.append(Sentence("{n1} % of the values are options", n1=share))
        elif group in PHRASES:
            reasons.append(PHRASES[group])
    return joined(*dict.fromkeys(reasons))


def _strongest(fit: Fit) -> list[str]:
    """Return the two groups of features that support a pair most, and what its values are."""
    worth: dict[str, float] = {}
    for weight, name in parts(fit.features):
        group = GROUP_OF.get(name)
        if group is not None and not (fit.exact and group in PHRASES):
            worth[group] = worth.get(group, 0.0) + weight
    ranked = sorted(worth, key=lambda group: (-worth[group], group))[:STRONGEST]
    always = [group for group, share in (("values", fit.values), ("options", fit.options)) if share]
    return list(dict.fromkeys((*always, *ranked)))


def _named(fit: Fit, source: str | None) -> str:
    if fit.learned:
        taught = " (profile {id})" if source else ""
        single, many = f"Confirmed once before{taught}", f"Confirmed {{n1}} times before{taught}"
        return numbered(fit.learned, single, many, id=source or "")
    if fit.by_values and fit.detected:
        return "The header gives no hint; a detector of the field recognizes the values"
    if fit.by_values:
        return "The header gives no hint; the values match"
    if fit.exact:
        return "Same name"
    if fit.name >= 0.95:
        return "Same meaning"
    return "Related meaning" if fit.name else "No other column of the file is left for it"


def percent(share: float) -> float:
    """
    Return a share of one as a percentage with at most one decimal.

    >>> percent(0.998), percent(1.0)
    (99.8, 100)
    """
    rounded = round(100 * share, 1)
    return int(rounded) if rounded.is_integer() else rounded
