"""Name tenants, and grant memberships."""

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Count, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from licensing.admin.people import OnlySuperusers
from licensing.logo import MOST_IN_MAILS, logo_in_mails, logo_of
from licensing.models import Logo, Membership, Tenant
from licensing.people.sign_ins import rights_noted
from licensing.selectors import actor_of, tenants_to_act_for
from licensing.staff_pages import OfTenant, TenantRowsAdmin, one_of

if TYPE_CHECKING:
    MembershipRows = admin.TabularInline[Membership, Tenant]
    TenantFields = forms.ModelForm[Tenant]
else:
    MembershipRows = admin.TabularInline
    TenantFields = forms.ModelForm

CHOSEN = ("new_logo", "remove_logo")  # fields of the form that are not the tenant's


class WithSearchFields:
    """A mixin for forms with fields that search; a script gives their parts names."""

    class Media:
        """The script, after the one that makes the fields."""

        js = ("admin/js/autocomplete.js", "admin/search_fields.js")


class MembershipInline(WithSearchFields, MembershipRows):
    """Who may act for the tenant; superusers grant and revoke."""

    model = Membership
    extra = 0
    autocomplete_fields = ("user",)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether memberships may be added: by superusers, as they can grant any right."""
        return bool(request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return False: a role is changed on the membership's page; here each row needs a user."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether memberships may be deleted: only by those who may add them."""
        return bool(request.user.is_superuser)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **more: Any) -> Any:
        """Add a name to each field, as no label is shown."""
        field = super().formfield_for_dbfield(db_field, request, **more)
        if field is not None:
            field.widget.attrs["aria-label"] = field.label
        return field

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Membership]":
        """Return the memberships with their users."""
        return super().get_queryset(request).select_related("user", "tenant")


class TenantForm(TenantFields):
    """The form of a tenant, with its logo."""

    new_logo = forms.FileField(
        required=False,
        label="New logo",
        help_text="A PNG or JPEG of at most 48 KiB, for mails and for pages of links.",
    )
    remove_logo = forms.BooleanField(required=False, label="Remove the logo")

    def clean_new_logo(self) -> str:
        """Return the picture as a data URI; empty if none was chosen."""
        chosen = self.cleaned_data["new_logo"]
        if not chosen:
            return ""
        logo = logo_in_mails(chosen.read(MOST_IN_MAILS + 1))
        if logo is None:
            raise forms.ValidationError("Choose a PNG or JPEG of at most 48 KiB.")
        return logo

    def save_logo(self, tenant: Tenant) -> None:
        """Store or remove the logo, as chosen."""
        if logo := self.cleaned_data.get("new_logo"):
            Logo.objects.update_or_create(tenant=tenant, defaults={"picture": logo})
        elif self.cleaned_data.get("remove_logo"):
            Logo.objects.filter(tenant=tenant).delete()


@admin.register(Tenant)
class TenantAdmin(TenantRowsAdmin):
    """Tenants are created from keys; people name them, and say what a model may see."""

    to_tenant = "pk"
    list_display = ("public_id", "label", "created_at", "licenses", "members")
    list_filter = (("created_at", admin.DateFieldListFilter),)
    search_fields = ("public_id", "label")
    ordering = ("label", "public_id")
    form = TenantForm
    fields = (
        "public_id",
        "label",
        "logo",
        *CHOSEN,
        "shows_models_samples",
        "retention_days",
        "created_at",
    )
    readonly_fields = ("public_id", "logo", "created_at")
    inlines: ClassVar[list[type[Any]]] = [MembershipInline]

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Return the fields, without a choice of a logo for those who only look."""
        may_choose = self.has_change_permission(request, obj)
        return [name for name in self.fields if may_choose or name not in CHOSEN]

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the tenants with the counts of their objects."""
        counts = {"license_count": "licenses", "member_count": "memberships"}
        counted = {name: Count(of, distinct=True) for name, of in counts.items()}
        rows: QuerySet[Any] = super().get_queryset(request).annotate(**counted)
        return rows

    @admin.display(description="Logo")
    def logo(self, tenant: Any) -> SafeString | str:
        """Return its logo."""
        picture = logo_of(tenant)
        return format_html('<img class="logo" src="{}" alt="Logo">', picture) if picture else "None"

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save a tenant and its logo."""
        super().save_model(request, obj, form, change)
        form.save_logo(obj)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Save the memberships, and note what people got and lost."""
        added = [row for row in formset.forms if row.has_changed()]
        people = {row.instance.user for row in (*added, *formset.deleted_forms)}
        with rights_noted(people, actor=actor_of(request.user)):
            super().save_formset(request, form, formset, change)

    @admin.display(description="Licenses", ordering="license_count")
    def licenses(self, tenant: Any) -> int:
        """Return the number of licenses."""
        return int(tenant.license_count)

    @admin.display(description="Members", ordering="member_count")
    def members(self, tenant: Any) -> int:
        """Return the number of members."""
        return int(tenant.member_count)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may act for a tenant, and so name it."""
        if not self.may_change(request):
            return False
        mine = tenants_to_act_for(request.user)
        return obj is None or mine.filter(pk=obj.pk).exists()


@admin.register(Membership)
class MembershipAdmin(OnlySuperusers, WithSearchFields, TenantRowsAdmin):
    """Which user may act for which tenant, and how; members see those of their tenants."""

    list_display = ("user", "tenant", "role")
    list_filter = (one_of("role", "role", Membership.Role.choices), OfTenant)
    list_select_related = ("user", "tenant")
    search_fields = ("user__username", "tenant__public_id", "tenant__label")
    ordering = ("tenant__label", "user__username", "pk")
    autocomplete_fields = ("user", "tenant")
    fields = ("user", "tenant", "role")

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save a membership, and note what its user got, and a former one lost."""
        former = User.objects.filter(memberships__pk=obj.pk) if change else ()
        with rights_noted({obj.user, *former}, actor=actor_of(request.user)):
            super().save_model(request, obj, form, change)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """Delete a membership, and note what its user lost."""
        with rights_noted([obj.user], actor=actor_of(request.user)):
            super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: "QuerySet[Any]") -> None:
        """Delete memberships, and note what people lost."""
        people = User.objects.filter(memberships__in=queryset).distinct()
        with rights_noted(people, actor=actor_of(request.user)):
            super().delete_queryset(request, queryset)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the pages are listed: for members too."""
        return TenantRowsAdmin.has_module_permission(self, request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the pages are shown: for members too."""
        return TenantRowsAdmin.has_view_permission(self, request, obj)
