"""Users and groups, for superusers only, because changing them could make one."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

if TYPE_CHECKING:
    OfUser = UserAdmin[User]
else:
    OfUser = UserAdmin


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


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)


admin.site.unregister([User, Group])


@admin.register(User)
class PeopleAdmin(OnlySuperusers, OfUser):
    """Who may sign in."""

    list_display = ("username", "email", "is_active", "is_staff", "is_superuser", "last_login")
    readonly_fields = ("last_login", "date_joined")
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False


@admin.register(Group)
class GroupsAdmin(OnlySuperusers, GroupAdmin):
    """What the members of a group may do in the admin."""

    show_facets = admin.ShowFacets.NEVER
