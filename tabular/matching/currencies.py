"""The currency in headers and values, compared with the currency that a field states."""

from tabular.detecting import Profile, type_fit
from tabular.model.amounts import currency_of_field
from tabular.model.catalog import Field
from tabular.values.numbers import number
from tabular.values.signs import currency_named, is_in_other


def stated(spec: Field) -> str | None:
    """Return the currency that a field states besides its type."""
    return currency_of_field(spec) if spec.column_type == "float" else None


def with_currency_names(spec: Field) -> Field:
    """Return a field with names that include its currency, such as ``Betrag CHF``."""
    code = stated(spec)
    if code is None:
        return spec
    names = (spec.label or spec.key, *(spec.alternative_matches or ()))
    added = tuple(f"{name} {code}" for name in names if currency_named(name) is None)
    return spec.model_copy(update={"alternative_matches": (*names[1:], *added)})


def names_other_currency(header: str, spec: Field) -> bool:
    """
    Return whether a header names a different currency than the field states.

    >>> betrag = Field(key="betrag", column_type="float", output_format="CHF")
    >>> names_other_currency("Betrag (GBP)", betrag), names_other_currency("Betrag", betrag)
    (True, False)
    """
    code, named = stated(spec), currency_named(header)
    if code is None or named is None or named == code:
        return False
    own = (spec.key, spec.label or "", *(spec.alternative_matches or ()))
    return named not in {currency_named(name) for name in own}


def share_of_type(spec: Field, profile: Profile) -> float | None:
    """
    Return the share of values that read as a field's type, in its currency if it states one.

    None if the type accepts any text.
    """
    share, code = type_fit(profile, spec.column_type), stated(spec)
    if share is None or code is None or not profile.telling:
        return share
    numbers = (number(value) for value in profile.values)
    other = sum(is_in_other(item.sign, code) for item in numbers if item is not None)
    return max(0.0, share - other / profile.telling)
