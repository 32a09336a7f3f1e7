"""Read-only admin pages of imports and their questions, without any cell values. docs/admin.md."""

from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from common import clock
from common.models import Move
from deliveries.models import Delivery
from imports import services, transitions
from imports.advice.held_reasons import reasons_listed
from imports.history import timeline_of
from imports.models import ImportRecord, Profile
from ledger import services as ledger
from ledger.models import Answer, Question
from licensing.selectors import actor_of
from licensing.staff_pages import OfTenant, TenantRowsAdmin, found_in, moves_of, one_of, tag, who
from pipeline.kinds import COLUMN_KINDS, KINDS

State = ImportRecord.State
Sending = Delivery.State
GOOD, BAD = {State.APPLIED, State.CHECKED}, {State.FAILED}
KIND = [(kind, kind) for kind in sorted(KINDS)]


def failing_deliveries() -> "QuerySet[Delivery]":
    """Return the deliveries of a record whose receiver refused, or did not answer so far."""
    tried = Q(attempts__gt=0, state__in=(Sending.PENDING, Sending.SENDING))
    refused = Q(state__in=(Sending.REJECTED, Sending.EXHAUSTED))
    return Delivery.objects.filter(refused | tried, record_id=OuterRef("public_id"))


class IsNotDelivered(admin.SimpleListFilter):
    """Imports that a receiver does not have."""

    title = "delivery"
    parameter_name = "delivery"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the choice."""
        return [("failing", "Failing")]

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Any]") -> "QuerySet[Any]":
        """Return the imports of the choice."""
        return queryset.filter(is_failing=True) if self.value() == "failing" else queryset


class HadProblem(admin.SimpleListFilter):
    """Imports that failed with a code; offered where a link names it."""

    title = "problem"
    parameter_name = "problem"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the code that the link names; otherwise the filter is not shown."""
        return [(code, code)] if (code := self.value()) else []

    def queryset(self, request: HttpRequest, queryset: "QuerySet[Any]") -> "QuerySet[Any]":
        """Return the imports that failed with the code, also if they went on later."""
        if not (code := self.value()):
            return queryset
        failed = Move.objects.filter(
            subject=OuterRef("public_id"), to_state=State.FAILED, reason=code
        )
        return queryset.filter(Exists(failed))


@admin.register(ImportRecord)
class ImportRecordAdmin(TenantRowsAdmin):
    """All files and their states."""

    unread = (
        "parsed", "decided", "progress", "failure", "report", "context", "meta", "retried_rows",
        "contract", "token_sha256", "file", "source",
    )  # fmt: skip
    list_display = (
        "public_id",
        "tenant",
        "standing",
        "filename",
        "scope",
        "catalog",
        "rows",
        "created_at",
    )
    list_filter = (
        one_of("state", "state", State.choices),
        IsNotDelivered,
        HadProblem,
        one_of("purpose", "purpose", ImportRecord.Purpose.choices),
        ("created_at", admin.DateFieldListFilter),
        OfTenant,
    )
    search_fields = (
        "public_id",
        "filename",
        "scope",
        "meta",
        "sha256__exact",
        "license_id__exact",
        "session_id__exact",
        "catalog_version__catalog__key",
        "tenant__public_id",
    )
    ordering = ("-public_id",)
    fields = (
        "public_id", "tenant", "standing", "purpose", "filename", "size", "sha256", "catalog",
        "columns", "counted", "problem_told", "from_feed", "waits_because", "timeline",
        "scope", "contract_id", "license_id", "session_id", "revision", "tries", "created_at",
        "applied_at", "purged_at", "links",
    )  # fmt: skip
    readonly_fields = (
        "standing", "catalog", "columns", "counted", "problem_told", "from_feed", "waits_because",
        "timeline", "links", "tries",
    )  # fmt: skip
    actions = ("retry",)

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the queryset without loading the documents of catalogs."""
        rows = super().get_queryset(request)
        rows = rows.select_related("tenant", "catalog_version__catalog")
        rows = rows.defer("catalog_version__document")
        shown: QuerySet[Any] = rows.annotate(is_failing=Exists(failing_deliveries()))
        return shown

    @admin.display(description="State", ordering="state")
    def standing(self, record: Any) -> SafeString:
        """Return the state, and whether a receiver does not have the rows."""
        if record.is_failing:
            failing = f"{record.state}, not delivered"
            return tag(failing, bad={failing})
        return tag(record.state, good=GOOD, bad=BAD)

    @admin.display(description="Timeline")
    def timeline(self, record: ImportRecord) -> SafeString:
        """Return what happened from the upload to each receiver's answer."""
        lines = [
            (
                "bad" if line.is_bad else "",
                clock.iso(line.at),
                found_in(line.model, line.subject, line.text),
                who(line.actor) if line.actor else "",
            )
            for line in timeline_of(record)
        ]
        listed = format_html_join("", '<li class="{}"><code>{}</code> {} {}</li>', lines)
        return format_html('<ol class="moves">{}</ol>', listed)

    @admin.display(description="Related")
    def links(self, record: ImportRecord) -> SafeString:
        """Return the way to everything that belongs to the import."""
        lists = (
            ("changesets_changeset", "Changesets"), ("deliveries_delivery", "Deliveries"),
            ("ledger_question", "Questions"), ("common_event", "Events"),
        )  # fmt: skip
        links = ((found_in(model, record.public_id, name),) for model, name in lists)
        return format_html_join(" · ", "{}", links)

    @admin.display(description="Catalog")
    def catalog(self, record: ImportRecord) -> str:
        """Return the catalog and its version."""
        number = record.catalog_number
        return f"{record.catalog_key} version {number}" if number else "-"

    @admin.display(description="Rows")
    def rows(self, record: ImportRecord) -> str:
        """Return the number of rows."""
        return str(record.counts.get("rows", "-"))

    @admin.display(description="Counts")
    def counted(self, record: ImportRecord) -> str:
        """Return the counts."""
        numbers = {name: n for name, n in record.counts.items() if isinstance(n, int)}
        return ", ".join(f"{name} {n:,}" for name, n in numbers.items()) or "-"

    @admin.display(description="Mapping")
    def columns(self, record: ImportRecord) -> str:
        """Return which column was mapped to which field."""
        return ", ".join(f"{name} → {to}" for name, to in (record.mapping or {}).items()) or "-"

    @admin.display(description="Problem")
    def problem_told(self, record: ImportRecord) -> str:
        """Return why the import failed."""
        problem = record.problem or {}
        return f"{problem.get('code')}: {problem.get('detail')}" if problem else "-"

    @admin.display(description="Feed")
    def from_feed(self, record: ImportRecord) -> SafeString | str:
        """Return the feed that took the file, and its path there."""
        if record.origin is None:
            return "-"
        feed = found_in("feeds_feed", record.origin["feedId"])
        return format_html("{} {}", feed, record.origin.get("path", ""))

    @admin.display(description="Waits because")
    def waits_because(self, record: ImportRecord) -> SafeString | str:
        """Return why its feed does not apply it, with the figures of both sides."""
        reasons = (record.held or []) if record.state == State.REVIEW else []
        return reasons_listed(reasons) or "-"

    @admin.display(description="Tries")
    def tries(self, record: ImportRecord) -> int:
        """Return how often the running job failed and is tried again."""
        return int(record.progress.tries)

    @admin.display(description="History")
    def moves(self, record: ImportRecord) -> SafeString | str:
        """Return the state transitions."""
        return moves_of(record)

    @admin.action(description="Try failed imports again", permissions=["act"])
    def retry(self, request: HttpRequest, rows: "QuerySet[ImportRecord]") -> None:
        """Return the selected imports to the state they failed in."""
        by = actor_of(request.user)
        whole = ImportRecord.objects.select_related("tenant", "catalog_version__catalog")
        self.carry_out(
            request,
            rows,
            lambda record: transitions.retry(whole.get(pk=record.pk), actor=by, at=clock.now()),
            "Retrying",
        )


@admin.register(Question)
class QuestionAdmin(TenantRowsAdmin):
    """Questions with time and actor. Candidates, evidence and answers, often cells, are hidden."""

    unread = ("candidates", "evidence", "default")
    list_display = (
        "public_id",
        "tenant",
        "standing",
        "kind",
        "subject",
        "field",
        "blocking",
        "asked_at",
        "answered",
    )
    list_filter = (
        one_of("state", "state", Question.State.choices),
        one_of("kind", "kind", KIND),
        "blocking",
        ("asked_at", admin.DateFieldListFilter),
        OfTenant,
    )
    list_select_related = ("tenant",)
    search_fields = ("public_id", "subject", "field", "tenant__public_id")
    ordering = ("-public_id",)
    fields = (
        "public_id", "tenant", "standing", "kind", "of_import", "field", "about", "blocking",
        "asked_at", "answered", "answered_at", "says", "remember", "learned_from", "moves",
    )  # fmt: skip
    readonly_fields = ("standing", "of_import", "about", "answered", "says", "moves")
    actions = ("dismiss",)

    @admin.display(description="Import")
    def of_import(self, question: Question) -> SafeString | str:
        """Return the import it was asked for."""
        return found_in("imports_importrecord", question.subject)

    @admin.display(description="State", ordering="state")
    def standing(self, question: Question) -> SafeString:
        """Return the state, in red where an import waits for the answer."""
        waited_for = {Question.State.OPEN} if question.blocking else ()
        return tag(question.state, good={Question.State.ANSWERED}, bad=waited_for)

    @admin.display(description="Columns")
    def about(self, question: Question) -> str:
        """Return the columns the question is about."""
        return ", ".join(question.columns) or "-"

    @admin.display(description="Answered by")
    def answered(self, question: Question) -> str:
        """Return who answered."""
        return who(question.answered_by)

    @admin.display(description="Answer")
    def says(self, question: Question) -> str:
        """Return an answer about columns; any other answer may be a cell."""
        return _value_shown(question.kind, question.answer) if question.answered_at else "-"

    @admin.display(description="History")
    def moves(self, question: Question) -> SafeString | str:
        """Return the state transitions."""
        return moves_of(question)

    @admin.action(description="Dismiss: use the default", permissions=["act"])
    def dismiss(self, request: HttpRequest, rows: "QuerySet[Question]") -> None:
        """Dismiss the selected questions for their imports only; their defaults apply."""
        by = actor_of(request.user)
        whole = Question.objects.select_related("tenant")
        self.carry_out(
            request,
            rows,
            lambda question: services.dismiss_question(
                question=whole.get(pk=question.pk), actor=by, at=clock.now()
            ),
            "Dismissed",
        )


@admin.register(Answer)
class AnswerAdmin(TenantRowsAdmin):
    """Answers that later imports reuse; they can only be forgotten."""

    unread = ("evidence",)
    list_display = ("public_id", "tenant", "scope", "kind", "field", "about", "by", "answered_at")
    list_filter = (
        one_of("kind", "kind", KIND),
        ("answered_at", admin.DateFieldListFilter),
        OfTenant,
    )
    list_select_related = ("tenant",)
    search_fields = ("public_id", "scope", "field", "tenant__public_id")
    ordering = ("-public_id",)
    fields = (
        "public_id", "tenant", "scope", "kind", "field", "about", "says", "by", "answered_at",
        "taught",
    )  # fmt: skip
    readonly_fields = ("about", "says", "by", "taught")
    actions = ("forget",)

    @admin.display(description="Columns")
    def about(self, answer: Answer) -> str:
        """Return the columns the answer is about."""
        return ", ".join(answer.columns) or "-"

    @admin.display(description="Answer")
    def says(self, answer: Answer) -> str:
        """Return an answer about columns; any other answer may be a cell."""
        return _value_shown(answer.kind, answer.value)

    @admin.display(description="By")
    def by(self, answer: Answer) -> str:
        """Return who answered."""
        return who(answer.answered_by)

    @admin.display(description="Taught by")
    def taught(self, answer: Answer) -> str:
        """Return the imports it was learned from."""
        return ", ".join(answer.taught_by) or "-"

    @admin.action(description="Forget: later imports ask again", permissions=["act"])
    def forget(self, request: HttpRequest, rows: "QuerySet[Answer]") -> None:
        """Forget the selected answers; imports that used them do not change."""
        self.carry_out(request, rows, lambda answer: ledger.forget(answer=answer), "Forgotten:")


@admin.register(Profile)
class ProfileAdmin(TenantRowsAdmin):
    """Saved mappings of headers; recipes are hidden because they may quote cells."""

    unread = ("recipe",)
    list_display = ("public_id", "tenant", "scope", "catalog_key", "version", "by", "saved_at")
    list_filter = (("saved_at", admin.DateFieldListFilter), OfTenant)
    list_select_related = ("tenant",)
    search_fields = ("public_id", "scope", "catalog_key", "tenant__public_id")
    ordering = ("-public_id",)
    fields = (
        "public_id", "tenant", "scope", "catalog_key", "version", "maps", "by", "saved_at", "taught"
    )  # fmt: skip
    readonly_fields = ("maps", "by", "taught")
    actions = ("forget",)

    @admin.display(description="Mapping")
    def maps(self, profile: Profile) -> str:
        """Return which column is mapped to which field."""
        return ", ".join(f"{name} → {to}" for name, to in profile.mapping.items()) or "-"

    @admin.display(description="By")
    def by(self, profile: Profile) -> str:
        """Return who saved it."""
        return who(profile.saved_by)

    @admin.display(description="Taught by")
    def taught(self, profile: Profile) -> str:
        """Return the imports it was learned from."""
        return ", ".join(profile.taught_by) or "-"

    @admin.action(description="Forget: map later files again", permissions=["act"])
    def forget(self, request: HttpRequest, rows: "QuerySet[Profile]") -> None:
        """Forget the selected mappings; imports that used them do not change."""
        self.carry_out(
            request, rows, lambda profile: services.delete_profile(profile=profile), "Forgotten:"
        )


def _value_shown(kind: str, value: Any) -> str:
    return str(value) if kind in COLUMN_KINDS else "hidden: it may contain cell values"
