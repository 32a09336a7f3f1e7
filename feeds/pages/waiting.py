"""
A page about an import of a feed that waits: why, each finding to be judged, and what to do.

It is for those who may see cells of imports: they answer in their own name, apply, or cancel.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse

from changesets import services as changesets
from common import clock
from common.errors import ServiceError
from feeds.drift.reasons import PREFIX
from feeds.models import Feed, TakenFile
from imports import services as imports
from imports.advice.held_reasons import figures_of, sentence_of
from imports.models import ImportRecord
from ledger.models import Question
from ledger.selectors import open_questions, question_of, questions_about
from licensing.rights.model import REVIEW
from licensing.selectors import actor_of, tenants_of, tenants_to_act_for
from pipeline.kinds.drift import NAME as DRIFT

State = ImportRecord.State


def page(request: HttpRequest, record_id: str) -> HttpResponse:
    """Show why an import waits; answer, apply or cancel where the person may."""
    file = _file(request, record_id)
    record = file.record
    if record is None:
        raise Http404
    may_act = _may_act(request, record)
    if request.method == "POST":
        if not may_act:
            raise PermissionDenied
        _act(request, record)
        return redirect(request.path)
    return TemplateResponse(request, "admin/feeds/waiting.html", _shown(request, file, record))


def waiting_of(feed: Feed) -> list[ImportRecord]:
    """Return the imports of a feed that wait for a person, oldest first."""
    files = TakenFile.objects.filter(
        feed=feed, settled_at=None, record__state__in=(State.REVIEW, State.MAPPING)
    )
    waits = files.select_related("record").order_by("pk")
    records = [file.record for file in waits if file.record is not None]
    return [record for record in records if record.held or record.state == State.MAPPING]


def _file(request: HttpRequest, record_id: str) -> TakenFile:
    mine = TakenFile.objects.select_related("feed__tenant", "record__tenant").filter(
        record__public_id=record_id
    )
    if not request.user.is_superuser:
        mine = mine.filter(feed__tenant__in=tenants_of(request.user).values("pk"))
    file = mine.first()
    if file is None or not request.user.has_perm("feeds.view_feed"):
        raise Http404
    return file


def _may_act(request: HttpRequest, record: ImportRecord) -> bool:
    """Return whether a person may decide about an import: as over the API."""
    mine = tenants_to_act_for(request.user)
    return request.user.has_perm(REVIEW) and mine.filter(pk=record.tenant_id).exists()


def _shown(request: HttpRequest, file: TakenFile, record: ImportRecord) -> dict[str, Any]:
    findings = questions_about(record.tenant, record.public_id).filter(kind=DRIFT)
    questions = [item for item in findings if item.state != Question.State.SUPERSEDED]
    reasons = {sentence_of(reason): reason for reason in record.held or []}
    others = [text for text, reason in reasons.items() if not reason["code"].startswith(PREFIX)]
    is_open = open_questions(record.tenant, record.public_id)
    return {
        **admin.site.each_context(request),
        "title": f"Decide about {record.public_id}",
        "opts": Feed._meta,
        "feed": file.feed,
        "file": file,
        "record": record,
        "others": others,
        "findings": [_finding(item, reasons) for item in questions],
        "left": is_open.filter(kind=DRIFT).count(),
        "other_questions": is_open.exclude(kind=DRIFT).count(),
        "is_in_review": record.state == State.REVIEW,
        "waits": record.state in {State.REVIEW, State.MAPPING},
        "may_act": _may_act(request, record),
        "rows": record.counts.get("rows", 0),
        "errors": record.counts.get("error", 0),
    }


def _finding(question: Question, reasons: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return a question with its sentence and the table of both sides."""
    sentence = question.evidence[0] if question.evidence else ""
    figures = reasons.get(sentence, {}).get("figures", {})
    return {"question": question, "sentence": sentence, "figures": figures_of(figures)}


def _act(request: HttpRequest, record: ImportRecord) -> None:
    by, at = actor_of(request.user), clock.now()
    whole = ImportRecord.objects.select_related("tenant", "catalog_version__catalog")
    record = whole.get(pk=record.pk)
    try:
        match request.POST.get("act", "").partition(":"):
            case [("right" | "wrong") as value, _, question_id]:
                question = question_of(record.tenant, question_id)
                if question.subject != record.public_id or question.kind != DRIFT:
                    raise Http404
                imports.answer_question(question=question, value=value, actor=by, at=at)
                done = "Noted." if value == "right" else "The import is cancelled."
            case ["apply", _, _]:
                changesets.apply(
                    record=record, apply_mode="webhook", invalid_rows="exclude", actor=by, at=at
                )
                done = "The rows are on their way to the receivers."
            case ["cancel", _, _]:
                changesets.cancel(record=record, actor=by, at=at)
                done = "The import is cancelled."
            case _:
                raise Http404
    except ServiceError as error:
        messages.error(request, error.sentence)
    else:
        messages.success(request, done)
