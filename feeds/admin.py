"""Add, change, test, run, pause and resume feeds; no secret is shown."""

from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import OuterRef, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common import clock
from feeds.applying.senders import Sender
from feeds.models import Feed, FeedRun
from feeds.pages.form import ACTIONS, LIMITS, FeedForm
from feeds.pages.history import runs_listed, sentence_of
from feeds.pages.places import PLACES
from feeds.pages.waiting import waiting_of
from feeds.selectors import runs_of
from feeds.services import change_feed, pause_feed, resume_feed, run_now, test_feed
from licensing.selectors import actor_of, tenants_to_act_for
from licensing.staff_pages import OfTenant, TenantRowsAdmin, found_in, moves_of, one_of, tag

MOST_RUNS = 50
KINDS = {
    Feed.Kind.SFTP: "A folder of an SFTP server",
    Feed.Kind.S3: "A bucket of Amazon S3, or of a store like it",
    Feed.Kind.HTTPS: "A file behind an HTTPS address",
    Feed.Kind.IMAP: "The attachments in a mailbox",
}
GOOD, BAD = {Feed.Health.GOOD}, {Feed.Health.FAILING}


@admin.register(Feed)
class FeedAdmin(TenantRowsAdmin):
    """Each feed, its last and next run, and its history."""

    unread = ("secret", "meta")
    list_display = (
        "public_id",
        "name",
        "tenant",
        "healthy",
        "state",
        "kind",
        "catalog_key",
        "last_run_at",
        "next_run",
    )
    list_filter = (
        one_of("health", "health", Feed.Health.choices),
        one_of("state", "state", Feed.State.choices),
        one_of("kind", "kind", Feed.Kind.choices),
        OfTenant,
    )
    list_select_related = ("tenant",)
    search_fields = ("public_id__startswith", "name", "scope", "tenant__public_id")
    ordering = ("-public_id",)
    fields = (
        "public_id",
        "name",
        "tenant",
        "healthy",
        "state",
        "failures",
        "source",
        "place",
        "host_key",
        "catalog_key",
        "scope",
        "schedule",
        "time_zone",
        "last_run_at",
        "next_run",
        "waiting",
        "applies",
        "afterwards",
        "profile",
        "mailed",
        "created_at",
        "history",
        "moves",
    )
    readonly_fields = (
        "healthy", "next_run", "source", "place", "waiting", "applies", "afterwards", "profile",
        "mailed", "history", "moves",
    )  # fmt: skip
    actions = ("test_connection", "run_selected", "pause", "resume")
    change_form_template = "admin/feeds/feed/page.html"

    def get_urls(self) -> list[URLPattern]:
        """Return the URLs, with the form and what a feed's page does."""
        edit = self.admin_site.admin_view(self.edit_view)
        act = self.admin_site.admin_view(self.act_view)
        return [
            path("<int:pk>/form/", edit, name="feeds_feed_form"),
            path("<int:pk>/act/", act, name="feeds_feed_act"),
            *super().get_urls(),
        ]

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the feeds, each with what went wrong in its last run."""
        runs = FeedRun.objects.filter(feed=OuterRef("pk")).order_by("-public_id")
        problem = Subquery(runs.values("problem")[:1])
        shown: QuerySet[Any] = super().get_queryset(request).annotate(last_problem=problem)
        return shown

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may act on feeds, and so add one."""
        return self.may_change(request)

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Ask for the kind of source, then for what a feed of it needs."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        kind = request.GET.get("kind", "")
        if kind not in KINDS:
            return self._rendered(request, "Add a feed: where do its files arrive?", kinds=KINDS)
        return self._filled_in(request, kind, None)

    def edit_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Change a feed."""
        feed = self._mine(request, pk)
        return self._filled_in(request, feed.kind, feed)

    def _mine(self, request: HttpRequest, pk: int) -> Feed:
        """Return a feed that the user may act on."""
        feed = self.get_queryset(request).select_related("tenant").filter(pk=pk).first()
        if feed is None:
            raise Http404
        acts = tenants_to_act_for(request.user).filter(pk=feed.tenant_id)
        if not self.may_change(request) or not acts.exists():
            raise PermissionDenied
        return Feed.objects.select_related("tenant").get(pk=pk)

    def _filled_in(self, request: HttpRequest, kind: str, feed: Feed | None) -> HttpResponse:
        form = FeedForm(request.user, kind, request.POST or None, feed)
        if request.method == "POST" and form.is_valid() and (saved := form.save()) is not None:
            messages.success(request, f"{saved.name} is saved. Test its connection next.")
            return redirect("admin:feeds_feed_change", saved.pk)
        title = (
            f"Change {feed.name}" if feed is not None else f"Add a feed: {KINDS[Feed.Kind(kind)]}"
        )
        return self._rendered(request, title, form=form, feed=feed)

    def _rendered(self, request: HttpRequest, title: str, **context: Any) -> HttpResponse:
        shown = {**self.admin_site.each_context(request), "title": title, "opts": self.opts}
        return TemplateResponse(request, "admin/feeds/feed/form.html", shown | context)

    def act_view(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Do what a button of a feed's page says."""
        feed, act = self._mine(request, pk), request.POST.get("act", "")
        acts = {
            "test": self.test_connection,
            "run": self.run_selected,
            "pause": self.pause,
            "resume": self.resume,
            "forget": self.forget_host_key,
        }
        if request.method != "POST" or act not in acts:
            raise Http404
        acts[act](request, self.get_queryset(request).filter(pk=feed.pk))
        return redirect("admin:feeds_feed_change", feed.pk)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a feed by its name, with its buttons for those who may act."""
        feed = self.get_object(request, object_id)
        shown = {"may_act": self.may_change(request)} | ({"title": feed.name} if feed else {})
        return super().change_view(request, object_id, form_url, shown)

    @admin.display(description="Health", ordering="health")
    def healthy(self, feed: Any) -> SafeString | str:
        """Return how its last run ended, and what went wrong in it."""
        why = sentence_of(feed.last_problem) if feed.health in BAD and feed.last_problem else ""
        return format_html("{} {}", tag(feed.health, good=GOOD, bad=BAD), why)

    @admin.display(description="Imports that wait")
    def waiting(self, feed: Feed) -> SafeString | str:
        """Return its imports that wait for a person, each with the way to decide about it."""
        lines = [
            (reverse("admin:feeds-waiting", args=[record.public_id]), record.public_id)
            for record in waiting_of(feed)
        ]
        listed = format_html_join("", '<li><a href="{}">{}</a></li>', lines)
        return format_html('<ul class="moves">{}</ul>', listed) if lines else "None"

    @admin.display(description="Next run", ordering="due_at")
    def next_run(self, feed: Feed) -> str:
        """Return when it runs next, and why then."""
        if feed.due_at is None:
            return "Paused"
        there = feed.due_at.astimezone(ZoneInfo(feed.time_zone))
        return f"{there:%Y-%m-%d %H:%M} {feed.time_zone} ({feed.due_why})"

    @admin.display(description="Source")
    def source(self, feed: Feed) -> str:
        """Return which kind of place it is."""
        return KINDS[Feed.Kind(feed.kind)]

    @admin.display(description="Place")
    def place(self, feed: Feed) -> SafeString:
        """Return where its files are."""
        labels = {item.name: item.label for item in PLACES[feed.kind]}
        return _pairs({labels.get(name, name): value for name, value in feed.settings.items()})

    @admin.display(description="Applies by itself")
    def applies(self, feed: Feed) -> SafeString | str:
        """Return its rules."""
        if not feed.rules.get("apply"):
            return "No: each import waits"
        limits = {
            label: f"at most {feed.rules[name]:g}"
            for name, label in LIMITS.items()
            if feed.rules.get(name) is not None
        }
        return format_html("Yes{}", _pairs(limits))

    @admin.display(description="After taking a file")
    def afterwards(self, feed: Feed) -> SafeString | str:
        """Return what happens to a file at its place."""
        how = {"action": "keep", **feed.after_taking}
        return f"{dict(ACTIONS)[how['action']]} {how.get('to', '')}".strip()

    @admin.display(description="Profile")
    def profile(self, feed: Feed) -> SafeString | str:
        """Return the remembered mapping that it names."""
        by_header = "The one of each file's header"
        return found_in("imports_profile", feed.profile_id) if feed.profile_id else by_header

    @admin.display(description="Sender")
    def mailed(self, feed: Feed) -> SafeString | str:
        """Return who hears of its files, and whether they may correct rows."""
        sender = Sender.kept(feed.sender)
        if sender is None:
            return "None"
        mails = ", ".join(sender.mails) or "none"
        about = {"mails": mails, "language": sender.language}
        about["corrects rows"] = "yes" if sender.corrects else "no"
        return _pairs({"address": sender.address or "the sender of each mail", **about})

    @admin.display(description="Runs")
    def history(self, feed: Feed) -> SafeString | str:
        """Return its latest runs with their files, newest first."""
        return runs_listed(runs_of(feed).order_by("-public_id")[:MOST_RUNS])

    @admin.display(description="History")
    def moves(self, feed: Feed) -> SafeString | str:
        """Return its state transitions, newest first."""
        return moves_of(feed)

    @admin.action(description="Test connection", permissions=["act"])
    def test_connection(self, request: HttpRequest, rows: "QuerySet[Feed]") -> None:
        """Connect to the places of the selected feeds, and say what is wrong in plain words."""

        def report(feed: Feed) -> bool:
            wrong, shown = test_feed(feed=Feed.objects.get(pk=feed.pk))
            name = feed.name
            for problem in wrong:
                messages.error(request, f"{name}: {sentence_of(problem)}")
            if not wrong:
                key = f" Its host key is {shown}." if shown else ""
                messages.success(request, f"{name}: the connection works.{key}")
            return False  # each feed has a message of its own

        self.carry_out(request, rows, report, "Tested")

    def forget_host_key(self, request: HttpRequest, rows: "QuerySet[Feed]") -> None:
        """Forget the pinned host keys, so that the next one is pinned."""
        by = actor_of(request.user)

        def forget(feed: Feed) -> None:
            whole = Feed.objects.select_related("tenant").get(pk=feed.pk)
            change_feed(feed=whole, changes={"host_key": ""}, actor=by, at=clock.now())

        self.carry_out(request, rows, forget, "The next host key is pinned for")

    @admin.action(description="Run now", permissions=["act"])
    def run_selected(self, request: HttpRequest, rows: "QuerySet[Feed]") -> None:
        """Make the selected feeds due now."""
        self.carry_out(request, rows, lambda feed: run_now(feed=feed, at=clock.now()), "Due now:")

    @admin.action(description="Pause", permissions=["act"])
    def pause(self, request: HttpRequest, rows: "QuerySet[Feed]") -> None:
        """Let the selected feeds rest."""
        by = actor_of(request.user)
        self.carry_out(
            request,
            rows,
            lambda feed: pause_feed(feed=feed, actor=by, at=clock.now()),
            "Paused",
        )

    @admin.action(description="Resume", permissions=["act"])
    def resume(self, request: HttpRequest, rows: "QuerySet[Feed]") -> None:
        """Let the selected feeds run again."""
        by = actor_of(request.user)
        self.carry_out(
            request,
            rows,
            lambda feed: resume_feed(feed=feed, actor=by, at=clock.now()),
            "Resumed",
        )


def _pairs(members: dict[str, Any]) -> SafeString:
    listed = [
        (name, ", ".join(value) if isinstance(value, list) else value)
        for name, value in members.items()
        if value is not None
    ]
    return format_html_join("", "<div>{}: {}</div>", listed)
