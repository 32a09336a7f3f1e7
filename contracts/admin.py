"""Contracts to sign and see, keys to rotate and revoke. Private keys are never shown."""

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
from tabular.model.noun import MAX_SAFE_INTEGER
from tabular.model.policy import is_encoding

if TYPE_CHECKING:
    OfContract = admin.ModelAdmin[IssuedContract]
    ContractForm = forms.ModelForm[IssuedContract]
    OfKey = admin.ModelAdmin[SigningKey]
else:
    OfContract = OfKey = admin.ModelAdmin
    ContractForm = forms.ModelForm


class ExportForm(ContractForm):
    """What a contract is made of; sending it signs."""

    catalog_version = forms.ModelChoiceField(
        CatalogVersion.objects.exclude(state=CatalogVersion.State.DRAFT).select_related("catalog")
    )
    profile = forms.ModelChoiceField(
        Profile.objects.order_by("-saved_at"),
        required=False,
        help_text="How files are read and mapped; without one the matcher maps.",
    )
    title = forms.CharField(required=False, max_length=200, help_text="Default: the catalog's.")
    required_columns = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One a line; default: the profile's columns that feed required fields.",
    )
    max_rows = forms.IntegerField(required=False, min_value=1, max_value=MAX_SAFE_INTEGER)
    encodings = forms.CharField(required=False, help_text="Separated by commas; default: any.")
    expires_at = forms.SplitDateTimeField(required=False, widget=AdminSplitDateTime())
    allow_values = forms.BooleanField(
        required=False, help_text="The profile's recipe may quote texts of cells."
    )

    class Meta:
        model = IssuedContract
        fields = ("catalog_version",)

    actor = Actor(kind="system", id="engine", label="admin")  # the view says who it really is
    issued: IssuedContract | None = None

    def clean_encodings(self) -> list[str] | None:
        """Read the names; refuse what no file could ever have."""
        names = [one.strip() for one in self.cleaned_data["encodings"].split(",") if one.strip()]
        if unknown := [name for name in names if not is_encoding(name)]:
            raise forms.ValidationError(f"Unknown encodings: {', '.join(unknown)}.")
        return names or None

    def clean_expires_at(self) -> Any:
        """Refuse a contract that was never in force."""
        at = self.cleaned_data["expires_at"]
        if at is not None and at <= clock.now():
            raise forms.ValidationError("This lies in the past.")
        return at

    def clean(self) -> dict[str, Any]:
        """Sign, once everything else is right."""
        said = super().clean() or self.cleaned_data
        if self.errors:
            return said
        version, profile = said["catalog_version"], said["profile"]
        whose = (version.catalog.tenant_id, version.catalog.key)
        if profile is not None and (profile.tenant_id, profile.catalog_key) != whose:
            raise forms.ValidationError("The profile is of another catalog.")
        try:
            self.issued = services.export(
                tenant=version.catalog.tenant,
                version=version,
                profile=profile,
                wishes=_wishes(said),
                actor=self.actor,
                at=clock.now(),
            )
        except ServiceError as error:
            raise forms.ValidationError(error.sentence) from error
        return said


def _wishes(said: dict[str, Any]) -> services.Wishes:
    columns = [line.strip() for line in said["required_columns"].splitlines() if line.strip()]
    return services.Wishes(
        title=said["title"] or None,
        required_columns=columns or None,
        max_rows=said["max_rows"],
        encodings=said["encodings"],
        expires_at=said["expires_at"],
        allow_values=said["allow_values"],
    )


@admin.register(IssuedContract)
class IssuedContractAdmin(OfContract):
    """Contracts as they were signed; adding one signs it."""

    list_display = ("contract_id", "title", "tenant", "catalog_version", "created_at", "expires_at")
    list_filter = (("expires_at", admin.EmptyFieldListFilter),)
    list_select_related = ("tenant", "catalog_version__catalog")
    search_fields = ("contract_id", "title", "tenant__public_id")
    ordering = ("-created_at",)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Give the form that signs, in the name of who is logged in."""
        if obj is not None:
            return super().get_form(request, obj, change=change, **kwargs)
        user = request.user
        signer = Actor(kind="person", id=f"user:{user.pk}", label=user.get_username())
        return type("ExportFormOfUser", (ExportForm,), {"actor": signer})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Show the fields of the form that signs, or the contract."""
        if obj is not None:
            return super().get_fieldsets(request, obj)
        return [(None, {"fields": list(ExportForm.base_fields)})]

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Give what was signed."""
        return form.issued

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """It is kept already."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing hangs below a contract."""

    def has_change_permission(
        self, request: HttpRequest, obj: IssuedContract | None = None
    ) -> bool:
        """What was signed stays as it is."""
        return False

    def has_delete_permission(
        self, request: HttpRequest, obj: IssuedContract | None = None
    ) -> bool:
        """Imports and deliveries name it."""
        return False


@admin.register(SigningKey)
class SigningKeyAdmin(OfKey):
    """The keys that sign contracts; the only change is to revoke one."""

    list_display = ("kid", "tenant", "created_at", "retired_at", "revoked_at")
    list_select_related = ("tenant",)
    search_fields = ("kid", "tenant__public_id")
    ordering = ("-created_at",)
    exclude = ("private_pem",)
    actions = ("rotate", "revoke")

    @admin.action(description="Sign with a new key", permissions=["replace"])
    def rotate(self, request: HttpRequest, keys: "QuerySet[SigningKey]") -> None:
        """Make a new key for each tenant of the selected ones."""
        tenants = {key.tenant for key in keys.select_related("tenant")}
        for tenant in tenants:
            services.rotate_key(tenant=tenant, at=clock.now())
        self.message_user(request, f"New keys: {len(tenants)}. What the former signed stays good.")

    @admin.action(description="Revoke: nothing these keys signed holds", permissions=["replace"])
    def revoke(self, request: HttpRequest, keys: "QuerySet[SigningKey]") -> None:
        """Revoke the selected keys."""
        revoked = [services.revoke_key(key=key, at=clock.now()) for key in keys]
        self.message_user(request, f"Revoked keys: {len(revoked)}.")

    def has_replace_permission(self, request: HttpRequest) -> bool:
        """Whoever might change keys may replace them."""
        return request.user.has_perm("contracts.change_signingkey")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """The engine makes keys."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A key is what it is."""
        return False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may replace may look."""
        return super().has_view_permission(request, obj) or self.has_replace_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """A deleted key would make what it signed unknown without saying why."""
        return False
