"""The admin site: Django's, with the catalogs' own pages before it. docs/admin.md."""

from functools import wraps
from typing import Any

from django.conf import settings
from django.contrib.admin import AdminSite
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path, reverse

from importengine.people import pages as people
from licensing.people.logins import ThrottledLogin
from licensing.people.passwords import NewPassword, must_change

ORDER = (
    "catalogs", "imports", "ledger", "references", "changesets", "deliveries", "contracts",
    "licensing", "links", "feeds", "common", "auth",
)  # fmt: skip
THEIRS = {"account", "socialaccount", "mfa"}  # lists of django-allauth, which hold secrets
WITHOUT_CHANGE = {
    "password_change", "password_change_done", "logout", "account_logout", "jsi18n",
}  # fmt: skip


class EngineAdminSite(AdminSite):
    """
    Serves the catalogs at ``/admin/catalogs``.

    Django's own page there, the app index, would list tables, which are irrelevant for editing a
    schema.
    """

    site_header = site_title = "Import Engine"
    index_title = "Administration"
    site_url = None  # the engine has no front page
    login_form = ThrottledLogin

    def get_urls(self) -> list[URLResolver | URLPattern]:
        """Return the URLs, with the catalogs' pages first."""
        from catalogs import admin as catalogs  # models are not ready when sites are created
        from feeds.pages import waiting
        from importengine.web import catalog_analytics
        from mails import pages as mails
        from workflow import rehearsal_page

        pages: list[URLResolver | URLPattern] = [
            path("catalogs", self.admin_view(catalogs.editor_page), name="catalogs"),
            path("catalogs/", self.admin_view(catalogs.editor_page)),
            path("catalogs/text", self.admin_view(catalogs.list_page), name="catalogs-text"),
            path("catalogs/<str:key>/edit", self.admin_view(catalogs.editor_page), name="catalog"),
            path(
                "catalogs/<str:key>/text",
                self.admin_view(catalogs.catalog_page),
                name="catalog-text",
            ),
            path(
                "catalogs/<str:key>/analytics",
                self.admin_view(catalog_analytics.page),
                name="catalog-analytics",
            ),
            path(
                "feeds/waiting/<str:record_id>/",
                self.admin_view(waiting.page),
                name="feeds-waiting",
            ),
            path("mail/", self.admin_view(mails.choose), name="mail"),
            path(
                "deliveries/registration/<int:pk>/rehearse",
                self.admin_view(rehearsal_page.page),
                name="rehearsal",
            ),
        ]
        return pages + super().get_urls()

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Register a list, unless it is one of django-allauth."""
        is_one = isinstance(model_or_iterable, type)
        models: Any = [model_or_iterable] if is_one else model_or_iterable
        ours = [model for model in models if model._meta.app_label not in THEIRS]
        super().register(ours, admin_class, **options)

    def login(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Return the sign-in page; a right password leads to the second factor, if there is one."""
        from django.contrib.auth.views import LoginView

        from licensing.admin.invitations import mail_is_on

        if request.method == "GET" and self.has_permission(request):
            return redirect("admin:index")

        class SignIn(LoginView):
            def form_valid(self, form: Any) -> Any:
                return people.sign_in(self.request, form.get_user(), self.get_success_url())

        context = {
            "title": "Log in",
            "app_path": request.get_full_path(),
            "next": request.GET.get("next") or reverse("admin:index"),
            "provider": bool(settings.OIDC_URL),
            "passwords": settings.PASSWORDS,
            "can_reset": mail_is_on(),
        }
        return SignIn.as_view(
            authentication_form=self.login_form,
            template_name="admin/login.html",
            extra_context={**self.each_context(request), **context, **(extra_context or {})},
        )(request)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Return a view that first requires users with the setup password to change it."""
        inner = super().admin_view(view, cacheable)

        @wraps(inner)
        def guarded(request: HttpRequest, *arguments: Any, **named: Any) -> HttpResponseBase:
            page = request.resolver_match.url_name if request.resolver_match else ""
            if page not in WITHOUT_CHANGE and must_change(request.user):
                return redirect("admin:password_change")
            answer: HttpResponseBase = inner(request, *arguments, **named)
            return answer

        return guarded

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Accept a new password that differs from the old one, and explain why one is required."""
        from django.contrib.auth.views import PasswordChangeView

        context = {"title": "Password change", "must_change": must_change(request.user)}
        view = PasswordChangeView.as_view(
            form_class=NewPassword,
            success_url=reverse("admin:password_change_done", current_app=self.name),
            template_name="admin/password_change.html",
            extra_context={**self.each_context(request), **context, **(extra_context or {})},
        )
        return view(request)

    def index(self, request: HttpRequest, extra_context: Any = None) -> Any:
        """Return the first page: the overview, then the lists."""
        from importengine.web import overview  # models are not ready when sites are created

        context = self.each_context(request)
        context |= {"title": "Overview", "subtitle": None, **overview.context_of(request)}
        # Django's own view would make the list of the apps a second time.
        context |= {"app_list": context["available_apps"], **(extra_context or {})}
        request.current_app = self.name
        return TemplateResponse(request, "admin/index.html", context)

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the list of apps: catalogs first, then imports and what runs them."""
        address = reverse("admin:catalogs", current_app=self.name)
        model = {
            "name": "Catalogs",
            "object_name": "Catalog",
            "admin_url": address,
            "view_only": True,
            "perms": {},
        }
        catalogs = {
            "name": "Catalogs",
            "app_label": "catalogs",
            "app_url": address,
            "has_module_perms": True,
            "models": [model],
        }
        own = [catalogs] if app_label in {None, "catalogs"} else []
        apps = super().get_app_list(request, app_label)
        for app in apps:
            app["name"] = "People and groups" if app["app_label"] == "auth" else app["name"]
        return own + sorted(apps, key=lambda app: ORDER.index(app["app_label"]))
