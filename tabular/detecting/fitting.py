"""How well a column's values fit a column type or an expected kind, 0 to 1."""

from tabular.detecting.profiling import Profile
from tabular.model.catalog import ColumnType

KINDS_BY_TYPE: dict[ColumnType, tuple[str, ...]] = {
    "int": ("integer", "number"),
    "float": ("number",),
    "percentage": ("number",),
    "currency_eur": ("number",),
    "currency_usd": ("number",),
    "boolean": ("boolean",),
    "date": ("date", "shortdate"),
    "date_dmy": ("date", "shortdate"),
    "date_mdy": ("date", "shortdate"),
    "date_iso": ("date",),
    "datetime": ("date",),
    "time_hms": ("time",),
    "time_hms_24": ("time",),
    "time_hm": ("time",),
    "time_hm_24": ("time",),
    "email": ("email",),
    "url": ("url",),
    "url_www": ("url",),
    "url_https": ("url",),
    "phone": ("phone",),
    "iban": ("iban",),
    "bic": ("bic",),
    "vat_eu": ("vat",),
    "gtin": ("gtin",),
    "zip_code_de": ("postcode",),
    "country_code_alpha_2": ("country",),
    "country_code_alpha_3": ("country",),
    "currency_code": ("currency",),
}
KINDS_BY_VALUE: dict[str, tuple[str, ...]] = {
    "number": ("number",),
    "integer": ("number",),
    "date": ("date", "shortdate"),
    "time": ("time", "date"),
    "email": ("email",),
    "phone": ("phone",),
    "url": ("url",),
    "iban": ("iban",),
    "bic": ("bic",),
    "vat": ("vat",),
    "gtin": ("gtin",),
    "currency": ("currency",),
    "country": ("country",),
    "boolean": ("boolean",),
    "postcode": ("postcode",),
    "ip": ("ip",),
    "mac": ("mac",),
}


def type_fit(profile: Profile, column_type: ColumnType) -> float | None:
    """Return the share of values that read as a type, or None if the type accepts any text."""
    kinds = KINDS_BY_TYPE.get(column_type)
    return None if kinds is None or profile.says_nothing else profile.share(*kinds)


def value_fit(profile: Profile, expected: str) -> float | None:
    """Return the share of values of the kind a concept expects, or None if it accepts any."""
    kinds = KINDS_BY_VALUE.get(expected)
    return None if kinds is None or profile.says_nothing else profile.share(*kinds)
