"""Users and groups, for superusers only, because changing them could make one."""

from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import QuerySet
from django.forms.models import ModelChoiceIterator
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.text import capfirst

from licensing.admin.invitations import invite, mail_is_on
from licensing.people.sign_ins import note_rights, rights_of
from licensing.selectors import actor_of
from tabular.model.sentences import counted

if TYPE_CHECKING:
    OfUser = UserAdmin[User]
    Choices = ModelChoiceIterator[Permission]
    SeveralPermissions = forms.ModelMultipleChoiceField[Permission]
else:
    OfUser = UserAdmin
    Choices = ModelChoiceIterator
    SeveralPermissions = forms.ModelMultipleChoiceField


class OnlySuperusers:
    """A mixin for pages that only superusers may open."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Return whether the pages are listed."""
        return _is_superuser(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the pages are shown."""
        return _is_superuser(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether rows may be added."""
        return _is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether rows may be changed."""
        return _is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether rows may be deleted."""
        return _is_superuser(request)


class Checkboxes(forms.CheckboxSelectMultiple):
    """
    Checkboxes, in groups if the choices are; what is chosen is seen at once.

    Django's two lists leave their help icons without a role, and need a search for each choice.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def render(
        self, name: str, value: Any, attrs: dict[str, Any] | None = None, renderer: Any = None
    ) -> SafeString:
        """Render with the engine's template, which the renderer of forms does not find."""
        context = self.get_context(name, value, attrs)
        return render_to_string("admin/checkboxes.html", {**context, "label": self._name})


class ByModel(Choices):
    """The permissions in groups, one for each model."""

    def __iter__(self) -> Iterator[Any]:
        for kind, permissions in groupby(
            self.queryset, key=lambda permission: permission.content_type
        ):
            group = kind.app_labeled_name.replace(" | ", ": ")
            yield group, [self.choice(permission) for permission in permissions]


class Permissions(SeveralPermissions):
    """Permissions, each named without the model that its group names."""

    iterator = ByModel

    def label_from_instance(self, permission: Permission) -> str:
        """Return the sentence of a permission, without what its group says."""
        sentence = permission.name.removeprefix("Can ")
        return str(capfirst(sentence.removesuffix(f" {permission.content_type.name}")))


class WithCheckboxes:
    """A mixin for forms whose lists are checkboxes."""

    def formfield_for_manytomany(self, db_field: Any, *about: Any, **more: Any) -> Any:
        """Return a field of checkboxes, for permissions by model."""
        if db_field.related_model is Permission:
            more["form_class"] = Permissions
        more["widget"] = Checkboxes(str(db_field.verbose_name))
        return super().formfield_for_manytomany(db_field, *about, **more)  # type: ignore[misc]


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


admin.site.unregister([User, Group])


@admin.register(User)
class PeopleAdmin(OnlySuperusers, WithCheckboxes, OfUser):
    """Who may sign in."""

    list_display = ("username", "email", "is_active", "is_staff", "is_superuser", "last_login")
    readonly_fields = ("last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Personal info", {"fields": ("first_name", "last_name", "email")}),
        ("Access", {"fields": ("is_active", "is_staff", "is_superuser", "groups")}),
        ("Permissions besides those of groups", {
            "fields": ("user_permissions",), "classes": ("collapse",),
        }),
        ("Important dates", {"fields": ("last_login", "date_joined")}),
    )  # fmt: skip
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False

    actions = ("invite",)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions; invitations only where mails can be sent."""
        actions: dict[str, Any] = super().get_actions(request)
        return {k: v for k, v in actions.items() if k != "invite" or mail_is_on()}

    @admin.action(description="Invite by mail")
    def invite(self, request: HttpRequest, people: "QuerySet[User]") -> None:
        """Send each a link for choosing a password."""
        by = actor_of(request.user)
        sent = [person for person in people if invite(request, person, by=by)]
        self.message_user(request, f"Invited {counted(len(sent), 'person', 'people')}.")
        if left := people.count() - len(sent):
            who = counted(left, "person", "people")
            message = f"{who} not invited: inactive, no address, with a provider, or no mail sent."
            self.message_user(request, message, messages.WARNING)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save a person, and remember what they could do before."""
        stored = User.objects.filter(pk=obj.pk).first()
        form.rights_before = rights_of(stored) if stored is not None else set()
        super().save_model(request, obj, form, change)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Save the groups, and note what a person got and lost."""
        super().save_related(request, form, formsets, change)
        note_rights(form.instance, form.rights_before, actor=actor_of(request.user))

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **more: Any) -> Any:
        """Return a field; groups without Django's link for a new one, which checkboxes ignore."""
        field = super().formfield_for_dbfield(db_field, request, **more)
        if field is not None and db_field.name == "groups":
            field.widget.can_add_related = False
        return field


@admin.register(Group)
class GroupsAdmin(OnlySuperusers, WithCheckboxes, GroupAdmin):
    """What the members of a group may do in the admin."""

    show_facets = admin.ShowFacets.NEVER
