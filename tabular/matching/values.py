"""What values say about a field: for it, against it, and alone if the header says nothing."""

import re
from collections.abc import Callable
from functools import lru_cache

from tabular.detecting import Profile, type_fit
from tabular.detecting.fitting import value_fit
from tabular.detecting.gazetteers import words
from tabular.matching.currencies import share_of_type
from tabular.model.catalog import Field
from tabular.vocabulary.headers import fold
from tabular.vocabulary.lexicon import lexicon
from tabular.vocabulary.meaning import Meaning

SURE = {
    "email": 0.8, "iban": 0.82, "gtin": 0.8, "vat_eu": 0.8, "bic": 0.78, "url": 0.76,
    "url_www": 0.7, "url_https": 0.72, "phone": 0.72, "currency_code": 0.78,
    "country_code_alpha_2": 0.74, "country_code_alpha_3": 0.74, "zip_code_de": 0.66,
    "date": 0.72, "date_iso": 0.72, "date_dmy": 0.72, "date_mdy": 0.72, "datetime": 0.72,
    "time_hms": 0.7, "time_hms_24": 0.7, "time_hm": 0.7, "time_hm_24": 0.7,
    "float": 0.64, "currency_eur": 0.64, "currency_usd": 0.64, "percentage": 0.5, "int": 0.6,
    "boolean": 0.58,
}  # fmt: skip
COORDINATES = frozenset({"latitude", "longitude"})
LEAST = 0.5  # below this, values alone say nothing
ENOUGH = 0.85  # share of values
VETO = 0.25
VETOED = 0.4  # share of fitting values below which the values veto
PROSE = frozenset({"description", "note", "purpose", "text", "subject"})
EMPTY = 0.85  # an empty column is hardly worth a field
SIGNS: dict[str, re.Pattern[str]] = {  # without these, a value cannot be of the type
    **dict.fromkeys(("email",), re.compile("@")),
    **dict.fromkeys(("url", "url_www", "url_https"), re.compile(r"\.")),
}
A_DIGIT = re.compile(r"\d")
LENIENT_TYPES = frozenset(
    {"zip_code_de", "country_code_alpha_2", "country_code_alpha_3", "currency_code", "boolean"}
)


def values_of(spec: Field, head: str, profile: Profile) -> tuple[float | None, float]:
    """Return the share of fitting values, and its effect on the score."""
    if profile.says_nothing:
        return None, EMPTY
    share = share_of_type(spec, profile)
    if share is not None:
        lenient = spec.column_type in LENIENT_TYPES
        return share, _factor(share, 0.75 if lenient else VETO)
    expected = lexicon().concepts[head].values if head else ""
    share = value_fit(profile, expected)
    if share is not None:
        return share, _factor(share, 0.45)
    return None, _plain(head, expected, profile)


def _factor(share: float, worst: float) -> float:
    if share >= 0.8:
        return 1.0
    if share >= VETOED:
        return 0.9
    return worst


def _plain(head: str, expected: str, profile: Profile) -> float:
    """Weigh values against a free-text field that is certainly not a date, a link or a number."""
    if expected == "text" and head in PROSE and profile.filled >= 20 and profile.distinct <= 4:
        return 0.75
    foreign = profile.share("date", "email", "url", "iban")
    if foreign >= 0.8 or (expected in {"text", "code"} and profile.share("decimal") >= 0.8):
        return 0.45
    return 1.0


def may_be(spec: Field, profile: Profile) -> bool:
    """Return whether values may be of a type, in a form that is not parsed here: "2024-W12"."""
    if type_fit(profile, spec.column_type) is None:
        return True  # any text is accepted, and unlikely values do not contradict
    sign = SIGNS.get(spec.column_type, A_DIGIT)
    matches = sum(bool(sign.search(value)) for value in profile.values)
    return matches >= VETOED * profile.telling


def plain_option(text: str) -> str:
    """Return a text without case, accents and punctuation."""
    return re.sub(r"[\W_]+", "", fold(text))


@lru_cache(maxsize=256)
def _option_names(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(plain_option(name) for name in names)


def option_names(spec: Field) -> frozenset[str]:
    """Return the names of a field's options, in plain letters."""
    return _option_names(
        tuple(
            name
            for option in spec.dropdown_options or ()
            for name in (option.label, str(option.value), *(option.alternative_matches or ()))
        )
    )


def option_share(spec: Field, profile: Profile) -> float:
    """Return the share of distinct values that are options of a field."""
    if not spec.dropdown_options or profile.is_empty:
        return 0.0
    known = option_names(spec)
    return sum(plain_option(value) in known for value in profile.values) / len(profile.values)


def guess_by_values(readings: tuple[Meaning, ...], spec: Field, profile: Profile) -> float:
    """Return how certain the values alone make a field, 0 to about 0.8; 0 if they say nothing."""
    if profile.is_empty:
        return 0.0
    if angles := COORDINATES & {reading.head for reading in readings}:
        turned = profile.share(*angles)
        return 0.8 * turned if turned >= ENOUGH else 0.0
    share = share_of_type(spec, profile)
    if share is not None:
        return _typed(spec, profile, share)
    return max((_by_reading(reading, profile) for reading in readings), default=0.0)


def _typed(spec: Field, profile: Profile, share: float) -> float:
    if share < ENOUGH:
        return 0.0
    if spec.column_type == "phone" and profile.share("gtin", "date") > 0.5:
        return 0.0
    if spec.column_type in {"float", "currency_eur", "currency_usd"}:
        plain = profile.share("decimal") < 0.5
        return 0.0 if profile.share("date") > 0.5 else 0.45 if plain else 0.64
    if spec.column_type == "int" and profile.share("decimal", "date", "gtin") > 0.2:
        return 0.0
    return SURE.get(spec.column_type, 0.0) * share


def _by_reading(reading: Meaning, profile: Profile) -> float:
    if reading.head == "name":
        return _name(reading.qualifiers, profile)
    if reading.head in {"number", "id", "code", "serial", "reference"}:
        return _code(reading.head, profile) if reading.is_head_stated else 0.0
    weigh = BY_HEAD.get(reading.head)
    weight = weigh(profile) if weigh else 0.0
    return weight if weight >= LEAST else 0.0


def _unless(score: float, profile: Profile, *kinds: str) -> float:
    return 0.0 if profile.share(*kinds) > 0.3 else score


def _place(profile: Profile) -> float:
    if profile.share("person", "company", "firstname", "country", "currency") > 0.35:
        return 0.0
    lettered = profile.share("words") + profile.share("word")
    return 0.58 * min(lettered, 1.0) if profile.unique > 0.3 else 0.0


def _name(qualifiers: frozenset[str], profile: Profile) -> float:
    """Distinguish given names, family names, people, companies and brands."""
    first = profile.share("firstname")
    if "first" in qualifiers:
        return 0.72 if first >= 0.5 else 0.0
    if "last" in qualifiers:
        single = profile.share("word")
        return 0.64 if single >= 0.8 and first < 0.5 and profile.unique > 0.3 else 0.0
    if {"brand", "model"} & qualifiers:
        known = sum(v.casefold() in words("makers") for v in profile.values) / len(profile.values)
        if "brand" in qualifiers:
            return 0.7 * known if known >= 0.5 else 0.0
        return 0.56 if profile.share("words", "code", "street") >= 0.3 > known else 0.0
    if "company" in qualifiers:
        return 0.68 * profile.share("company") if profile.share("company") >= 0.5 else 0.0
    if {"counterparty", "customer", "supplier"} & qualifiers:
        share = profile.share("company", *(() if "supplier" in qualifiers else ("person",)))
        lettered = profile.share("word", "words") >= 0.8
        return 0.6 if share >= 0.3 else 0.57 if lettered and profile.share("person") < 0.3 else 0.0
    if {"person", "assignee", "employee", "contact", "owner", "manager"} & qualifiers:
        return 0.7 * profile.share("person") if profile.share("person") >= 0.5 else 0.0
    return 0.5 if profile.share("words", "word") >= 0.8 else 0.0


def _code(head: str, profile: Profile) -> float:
    if profile.share("code", "uuid") < ENOUGH or profile.unique < 0.9:
        return 0.0
    if profile.share("gtin", "date", "decimal", "iban") > 0.3:
        return 0.0
    if head == "serial":
        return 0.6 if profile.length >= 8 else 0.0
    return (0.62 if profile.length <= 8 else 0.55) - (0.1 if head == "reference" else 0.0)


BY_HEAD: dict[str, Callable[[Profile], float]] = {
    "email": lambda p: p.share("email") * 0.8,
    "phone": lambda p: p.share("phone") * 0.7,
    "url": lambda p: p.share("url") * 0.74,
    "image": lambda p: p.share("image") * 0.8,
    "iban": lambda p: p.share("iban") * 0.8,
    "bic": lambda p: p.share("bic") * 0.75,
    "gtin": lambda p: p.share("gtin") * 0.78,
    "currency": lambda p: p.share("currency") * 0.76,
    "country": lambda p: p.share("country") * 0.74,
    "date": lambda p: p.share("date") * 0.7,
    "ipaddress": lambda p: p.share("ip") * 0.8,
    "mac": lambda p: p.share("mac") * 0.8,
    "hostname": lambda p: p.share("host") * 0.66,
    "street": lambda p: p.share("address") * 0.3 + p.share("street") * 0.42,
    "address": lambda p: p.share("address") * 0.3 + p.share("street") * 0.4,
    "postcode": lambda p: _unless(p.share("postcode") * 0.7, p, "date", "gtin", "decimal"),
    "description": lambda p: p.share("prose", "html") * 0.66,
    "note": lambda p: p.share("prose") * 0.62,
    "purpose": lambda p: p.share("text") * 0.6,
    "city": _place,
}
