"""Read-only admin pages of imports and their questions, without any cell values. docs/admin.md."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString

from common import clock
from imports import services, transitions
from imports.models import ImportRecord, Profile
from imports.questions import COLUMN_KINDS, READING_KINDS, TRANSFORM_KINDS
from ledger import services as ledger
from ledger.models import Answer, Question
from licensing.selectors import actor_of
from licensing.staff_pages import OfTenant, TenantRowsAdmin, moves_of, one_of, tag, who

State = ImportRecord.State
GOOD, BAD = {State.APPLIED, State.CHECKED}, {State.FAILED}
KIND = [(kind, kind) for kind in sorted(READING_KINDS | TRANSFORM_KINDS)]


@admin.register(ImportRecord)
class ImportRecordAdmin(TenantRowsAdmin):
    """All files and their states."""

    unread = (
        "reading", "proposal", "report", "recipe", "context", "meta", "choices", "retried_rows",
        "contract", "profile", "token_sha256", "file", "source",
    )  # fmt: skip
    list_display = (
        "public_id",
        "tenant",
        "standing",
        "filename",
        "catalog",
        "rows",
        "created_at",
        "applied_at",
    )
    list_filter = (
        one_of("state", "state", State.choices),
        one_of("purpose", "purpose", ImportRecord.Purpose.choices),
        ("created_at", admin.DateFieldListFilter),
        OfTenant,
    )
    search_fields = (
        "public_id",
        "filename",
        "sha256__exact",
        "license_id__exact",
        "session_id__exact",
        "catalog_version__catalog__key",
        "tenant__public_id",
    )
    ordering = ("-public_id",)
    fields = (
        "public_id", "tenant", "standing", "purpose", "filename", "size", "sha256", "catalog",
        "columns", "counted", "problem_told", "scope", "contract_id", "license_id", "session_id",
        "revision", "tries", "created_at", "applied_at", "purged_at", "moves",
    )  # fmt: skip
    readonly_fields = ("standing", "catalog", "columns", "counted", "problem_told", "moves")
    actions = ("retry",)

    def get_queryset(self, request: HttpRequest) -> "QuerySet[Any]":
        """Return the queryset without loading the documents of catalogs."""
        rows = super().get_queryset(request)
        rows = rows.select_related("tenant", "catalog_version__catalog")
        return rows.defer("catalog_version__document")

    @admin.display(description="State", ordering="state")
    def standing(self, record: ImportRecord) -> SafeString:
        """Return the state."""
        return tag(record.state, good=GOOD, bad=BAD)

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

    @admin.display(description="Moves")
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
            lambda one: transitions.retry(whole.get(pk=one.pk), actor=by, at=clock.now()),
            "Tried again:",
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
        "public_id", "tenant", "standing", "kind", "subject", "field", "about", "blocking",
        "asked_at", "answered", "answered_at", "says", "remember", "learned_from", "moves",
    )  # fmt: skip
    readonly_fields = ("standing", "about", "answered", "says", "moves")
    actions = ("dismiss",)

    @admin.display(description="State", ordering="state")
    def standing(self, question: Question) -> SafeString:
        """Return the state."""
        return tag(question.state, good={Question.State.ANSWERED}, bad=())

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
        return _said(question.kind, question.answer) if question.answered_at else "-"

    @admin.display(description="Moves")
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
            lambda one: services.dismiss_question(
                question=whole.get(pk=one.pk), actor=by, at=clock.now()
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
        return _said(answer.kind, answer.value)

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
        self.carry_out(request, rows, lambda one: ledger.forget(answer=one), "Forgotten:")


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
            request, rows, lambda one: services.delete_profile(profile=one), "Forgotten:"
        )


def _said(kind: str, value: Any) -> str:
    return str(value) if kind in COLUMN_KINDS else "not shown: it may hold cell values"
