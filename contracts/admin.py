"""Sign and view contracts; rotate and revoke keys. Private keys are never shown."""

import json
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminSplitDateTime
from django.db.models import QuerySet
from django.http import HttpRequest

from catalogs.models import CatalogVersion
from common import clock
from common.actors import Actor
from common.errors import ServiceError
from contracts import services
from contracts.models import IssuedContract, SigningKey
from imports.models import Profile
from licensing.models import Tenant
from licensing.selectors import actor_of, tenants_to_act_for
from licensing.staff_pages import OfTenant, TenantRowsAdmin, tag, who
from tabular.model.i_json import MAX_SAFE_INTEGER
from tabular.model.policy import is_encoding

if TYPE_CHECKING:
    ContractForm = forms.ModelForm[IssuedContract]
else:
    ContractForm = forms.ModelForm


class ExportForm(ContractForm):
    """The content of a contract; submitting the form signs it."""

    catalog_version = forms.ModelChoiceField(CatalogVersion.objects.none())
    profile = forms.ModelChoiceField(
        Profile.objects.none(),
        required=False,
        help_text="Read and map files as this saved mapping does. Blank: the engine maps.",
    )
    title = forms.CharField(required=False, max_length=200, help_text="Default: the catalog's.")
    required_columns = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One per line; default: the profile's columns that feed required fields.",
    )
    max_rows = forms.IntegerField(required=False, min_value=1, max_value=MAX_SAFE_INTEGER)
    encodings = forms.CharField(required=False, help_text="Separated by commas; default: any.")
    expires_at = forms.SplitDateTimeField(
        required=False, widget=AdminSplitDateTime({"aria-label": "Expires at"})
    )
    allow_values = forms.BooleanField(
        required=False, help_text="The profile's recipe may quote texts of cells."
    )

    class Meta:
        model = IssuedContract
        fields = ("catalog_version",)

    actor = Actor(kind="system", id="engine", label="admin")  # the view sets the real actor
    tenants: "QuerySet[Tenant]" = Tenant.objects.none()  # the tenants that the user may sign for
    issued: IssuedContract | None = None

    def __init__(self, *typed: Any, **more: Any) -> None:
        super().__init__(*typed, **more)
        fields: dict[str, Any] = self.fields
        versions = CatalogVersion.objects.filter(catalog__tenant__in=self.tenants)
        fields["catalog_version"].queryset = (
            versions.exclude(state=CatalogVersion.State.DRAFT)
            .select_related("catalog")
            .defer("document")
            .order_by("catalog__key", "-number")
        )
        fields["profile"].queryset = (
            Profile.objects.filter(tenant__in=self.tenants).only("public_id").order_by("-saved_at")
        )

    def clean_encodings(self) -> list[str] | None:
        """Return the encodings. Reject what no file can have."""
        names = [item.strip() for item in self.cleaned_data["encodings"].split(",") if item.strip()]
        if unknown := [name for name in names if not is_encoding(name)]:
            raise forms.ValidationError(f"Unknown encodings: {', '.join(unknown)}.")
        return names or None

    def clean_expires_at(self) -> Any:
        """Reject an expiry before the contract would be in force."""
        at = self.cleaned_data["expires_at"]
        if at is not None and at <= clock.now():
            raise forms.ValidationError("Choose a time in the future.")
        return at

    def clean(self) -> dict[str, Any]:
        """Sign, once everything else is valid."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        version, profile = cleaned["catalog_version"], cleaned["profile"]
        whose = (version.catalog.tenant_id, version.catalog.key)
        if profile is not None and (profile.tenant_id, profile.catalog_key) != whose:
            raise forms.ValidationError("The profile belongs to another catalog.")
        try:
            self.issued = services.export(
                tenant=version.catalog.tenant,
                version=version,
                profile=profile,
                options=_export_options(cleaned),
                actor=self.actor,
                at=clock.now(),
            )
        except ServiceError as error:
            raise forms.ValidationError(error.sentence) from error
        return cleaned


def _export_options(cleaned: dict[str, Any]) -> services.ExportOptions:
    columns = [line.strip() for line in cleaned["required_columns"].splitlines() if line.strip()]
    return services.ExportOptions(
        title=cleaned["title"] or None,
        required_columns=columns or None,
        max_rows=cleaned["max_rows"],
        encodings=cleaned["encodings"],
        expires_at=cleaned["expires_at"],
        allow_values=cleaned["allow_values"],
    )


@admin.register(IssuedContract)
class IssuedContractAdmin(TenantRowsAdmin):
    """Contracts as they were signed; adding one signs it."""

    list_display = ("contract_id", "title", "tenant", "catalog_version", "created_at", "expires_at")
    list_filter = (
        ("created_at", admin.DateFieldListFilter),
        ("expires_at", admin.EmptyFieldListFilter),
        OfTenant,
    )
    list_select_related = ("tenant", "catalog_version__catalog")
    search_fields = ("contract_id", "title", "tenant__public_id", "catalog_version__catalog__key")
    ordering = ("-created_at", "-pk")
    fields = (
        "contract_id",
        "tenant",
        "title",
        "catalog_version",
        "profile_id",
        "key",
        "signed_by",
        "created_at",
        "expires_at",
        "bundle",
    )
    readonly_fields = ("signed_by",)

    @admin.display(description="Signed by")
    def signed_by(self, contract: IssuedContract) -> str:
        """Return the name of the signer."""
        return who(contract.created_by)

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Leave out columns that no list shows: documents, and the keys that sign."""
        rows = super().get_queryset(request)
        if request.resolver_match and "object_id" in request.resolver_match.kwargs:
            return rows
        return rows.defer("bundle", "catalog_version__document")

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Return the form that signs, on behalf of the logged-in user."""
        if obj is not None:
            return super().get_form(request, obj, change=change, **kwargs)
        whose = {"actor": actor_of(request.user), "tenants": tenants_to_act_for(request.user)}
        return type("ExportFormOfUser", (ExportForm,), whose)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of the signing form, or those of the contract."""
        if obj is not None:
            return super().get_fieldsets(request, obj)
        return [(None, {"fields": list(ExportForm.base_fields)})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return no read-only fields for the signing form."""
        return self.readonly_fields if obj is not None else ()

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Return the signed contract."""
        return form.issued

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Do nothing: the contract is already saved."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Do nothing: a contract has no related objects."""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may add contracts, which means to sign them."""
        return request.user.has_perm("contracts.add_issuedcontract")


@admin.register(SigningKey)
class SigningKeyAdmin(TenantRowsAdmin):
    """The public half of the keys that sign contracts; the only change is to revoke one."""

    unread = ("private_pem",)
    list_display = ("kid", "tenant", "standing", "created_at", "retired_at", "revoked_at")
    list_filter = (
        ("revoked_at", admin.EmptyFieldListFilter),
        ("retired_at", admin.EmptyFieldListFilter),
        OfTenant,
    )
    list_select_related = ("tenant",)
    search_fields = ("kid", "tenant__public_id")
    ordering = ("-created_at", "-pk")
    fields = ("kid", "tenant", "standing", "created_at", "retired_at", "revoked_at", "public_half")
    readonly_fields = ("standing", "public_half")
    actions = ("rotate", "revoke")

    @admin.display(description="Status")
    def standing(self, key: SigningKey) -> str:
        """Return the status of the key."""
        if key.revoked_at is not None:
            return tag("revoked", bad={"revoked"})
        return tag("signs", good={"signs"}) if key.retired_at is None else tag("retired")

    @admin.display(description="Public key")
    def public_half(self, key: SigningKey) -> str:
        """Return the public key that counterparties verify with."""
        return json.dumps(key.public_jwk)

    @admin.action(description="Rotate: sign with a new key", permissions=["act"])
    def rotate(self, request: HttpRequest, rows: "QuerySet[SigningKey]") -> None:
        """Create one new key for each tenant of the selected keys."""
        by, done = actor_of(request.user), set[int]()

        def replaced(key: SigningKey) -> bool:
            if key.tenant_id in done:
                return False
            done.add(key.tenant_id)
            services.rotate_key(tenant=key.tenant, actor=by, at=clock.now())
            return True

        self.carry_out(request, rows, replaced, "Their signatures stay valid. Replaced")

    @admin.action(description="Revoke: their contracts are no longer accepted", permissions=["act"])
    def revoke(self, request: HttpRequest, rows: "QuerySet[SigningKey]") -> None:
        """Revoke the selected keys."""
        by = actor_of(request.user)
        self.carry_out(
            request,
            rows,
            lambda key: services.revoke_key(key=key, actor=by, at=clock.now()),
            "Revoked",
        )
