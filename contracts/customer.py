"""
What a contract says of one customer: the overlay and the context. Pure. docs/contracts.md.

Both are members of the profile's recipe, the one part of a contract that may be any JSON. The
signed catalog has the overlay and the options already; defaults fill empty cells of a file.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from contracts.refusals import NotUsable
from tabular.model import i_json
from tabular.model.catalog import Given

Json = dict[str, Any]

OVERLAY, CONTEXT, REGION = "overlay", "context", "region"  # of a recipe, besides its steps
DIGEST = "digest"


@dataclass(frozen=True, slots=True)
class Customer:
    """overlay: as it was checked, without its digest. context: region, defaults and options."""

    overlay: Json = field(default_factory=dict)
    context: Json = field(default_factory=dict)

    @property
    def digest(self) -> str | None:
        """The digest of the overlay, which equal overlays share; None without one."""
        return i_json.digest(self.overlay) if self.overlay else None

    @property
    def given(self) -> Given:
        """The context, read."""
        return given_of(self.context)

    def as_members(self) -> Json:
        """Return the members of a recipe that say so."""
        overlay = {DIGEST: self.digest, **self.overlay} if self.overlay else None
        members = {OVERLAY: overlay, CONTEXT: self.context or None}
        return {name: value for name, value in members.items() if value}


def given_of(context: Json) -> Given:
    """Return a context, read. Raise ValidationError."""
    return Given.model_validate(context, strict=False)


NOT_SPECIAL = Customer()


def customer_of(recipe: Any) -> Customer:
    """Return what the recipe of a contract says of a customer. Raise NotUsable."""
    if not isinstance(recipe, Mapping) or not {OVERLAY, CONTEXT} & recipe.keys():
        return NOT_SPECIAL
    overlay, context = recipe.get(OVERLAY, {}), recipe.get(CONTEXT, {})
    if not isinstance(overlay, dict) or not isinstance(context, dict):
        raise NotUsable("The contract's overlay and context must be objects.")
    own = {name: value for name, value in overlay.items() if name != DIGEST}
    customer = Customer(own, context)
    if overlay and overlay.get(DIGEST) != customer.digest:
        raise NotUsable("The digest of the contract's overlay is not that of its members.")
    try:
        given_of(context)
    except ValidationError as error:
        raise NotUsable("The contract's context has members that are not known.") from error
    return customer


def without_customer(recipe: Any) -> Any:
    """Return a recipe without what it says of a customer; None if nothing is left."""
    if not isinstance(recipe, Mapping):
        return recipe
    return {name: item for name, item in recipe.items() if name not in {OVERLAY, CONTEXT}} or None
