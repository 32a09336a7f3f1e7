"""The form that mints a key."""

import secrets
from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from django import forms
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest

from common import clock
from common.actors import Actor
from licensing import services
from licensing.models import Tenant
from licensing.selectors import tenants_to_act_for
from licensing.tokens import key_options, keys
from licensing.tokens.keys import Claims

TICKET = "mint-ticket"
FIELD_OF = {"origin": "origins", "entitlement": "entitlements"}  # fields with a different name


class MintForm(forms.Form):
    """The wishes for a new key; a superuser may name a new tenant."""

    tenant = forms.CharField(
        required=False,
        max_length=64,
        help_text="Id of an existing or new tenant, tnt_.... Blank: create the one named below.",
    )
    label = forms.CharField(
        required=False, max_length=200, help_text="Name of a new tenant. Required without an id."
    )
    key_label = forms.CharField(
        required=False,
        max_length=keys.LABEL_LENGTH,
        help_text="Name of the key, for example the program that uses it. Histories show it "
        "as the author, and anyone who holds the key can read it.",
    )
    plan = forms.CharField(required=False, max_length=40, help_text="For example enterprise.")
    entitlements = forms.MultipleChoiceField(
        required=False,
        choices=[(entitlement, entitlement) for entitlement in keys.ENTITLEMENTS],
        widget=forms.CheckboxSelectMultiple,
        help_text=f"{keys.AGENT_ACCESS} needs the plan {keys.ENTERPRISE}.",
    )
    for_pages = forms.BooleanField(
        required=False,
        label="For pages",
        help_text="A page contains it, so every visitor can read it. It reaches only the imports "
        "that it creates.",
    )
    is_test = forms.BooleanField(
        required=False,
        label="Test key",
        help_text="What it makes is apart from live data, and deleted after 7 days.",
    )
    origins = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="Origins of the pages that may use it, one per line. Blank: any page.",
    )
    days = forms.IntegerField(
        initial=365,
        min_value=1,
        max_value=key_options.LONGEST_DAYS,
        help_text="Until the key expires.",
    )

    claims: Claims | None = None

    def __init__(self, user: AbstractBaseUser | AnonymousUser, typed: Any) -> None:
        super().__init__(typed)
        self._mine = tenants_to_act_for(user).filter(test_of=None)
        self._may_found = bool(getattr(user, "is_superuser", False))
        if not self._may_found:
            self.fields["tenant"] = forms.ModelChoiceField(self._mine, to_field_name="public_id")
            del self.fields["label"]

    def clean(self) -> dict[str, Any]:
        """Validate that such a key can be minted."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        tenant = cleaned["tenant"]
        if not tenant and not cleaned["label"].strip():
            self.add_error("label", "Name the new tenant, or enter the id of an existing one.")
            return cleaned
        origins = frozenset(cleaned["origins"].split())
        wish = key_options.Wish(
            tenant=tenant.public_id if isinstance(tenant, Tenant) else tenant.strip(),
            plan=cleaned["plan"].strip(),
            entitlements=frozenset(cleaned["entitlements"]),
            origins=origins or None,
            for_pages=cleaned["for_pages"],
            is_test=cleaned["is_test"],
            days=cleaned["days"],
            label=cleaned["key_label"],
        )
        try:
            self.claims = key_options.claims_for(wish, at=clock.now())
        except key_options.WrongWish as error:
            self.add_error(FIELD_OF.get(error.of, error.of), f"This {error.sentence}")
        return cleaned

    def mint(
        self, signing_key: ec.EllipticCurvePrivateKey, *, actor: Actor
    ) -> services.IssuedKey | None:
        """Mint the key; return None, with a form error, for one that no engine would accept."""
        assert self.claims is not None  # noqa: S101 - clean made them
        try:
            return services.issue_license(
                private_key=signing_key,
                claims=self.claims,
                tenant_label=self.cleaned_data.get("label", "").strip(),
                actor=actor,
            )
        except ValueError as error:
            self.add_error(None, f"{error}.".capitalize())
        return None


class Ticket:
    """Lets a form be submitted once: reloading the page with the key does not mint another."""

    def __init__(self, request: HttpRequest) -> None:
        self._session = request.session
        self._sent = request.POST.get("ticket", "")

    def is_used(self) -> bool:
        """Return whether the form of this ticket was submitted before, and mark it as submitted."""
        return self._session.pop(TICKET, None) != self._sent or not self._sent

    def given(self) -> str:
        """Return a ticket for the next form."""
        ticket: str = self._session.setdefault(TICKET, secrets.token_urlsafe(12))
        return ticket
