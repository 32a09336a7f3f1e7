"""Decide by values alone, where a header is missing or says nothing."""

from collections.abc import Callable

from tabular.detecting import Profile, type_fit
from tabular.detecting.gazetteers import words
from tabular.matching.meaning import Meaning
from tabular.model.catalog import Field

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


def guess_by_values(readings: tuple[Meaning, ...], spec: Field, profile: Profile) -> float:
    """Say how sure the values alone make a field, 0 to about 0.8; 0 when they say nothing."""
    if profile.is_empty:
        return 0.0
    if angles := COORDINATES & {reading.head for reading in readings}:
        turned = profile.share(*angles)
        return 0.8 * turned if turned >= ENOUGH else 0.0
    share = type_fit(profile, spec.column_type)
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
        return _code(reading.head, profile) if reading.said else 0.0
    weigh = BY_HEAD.get(reading.head)
    found = weigh(profile) if weigh else 0.0
    return found if found >= LEAST else 0.0


def _unless(score: float, profile: Profile, *kinds: str) -> float:
    return 0.0 if profile.share(*kinds) > 0.3 else score


def _place(profile: Profile) -> float:
    if profile.share("person", "company", "firstname", "country", "currency") > 0.35:
        return 0.0
    lettered = profile.share("words") + profile.share("word")
    return 0.58 * min(lettered, 1.0) if profile.unique > 0.3 else 0.0


def _name(qualifiers: frozenset[str], profile: Profile) -> float:
    """Tell given names, family names, people, companies and brands apart."""
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
