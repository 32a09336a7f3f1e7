"""What a person sees and decides between reading and apply."""

from functools import partial

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.problem import problems
from api.v1.http.whole import Whole, with_short_samples
from changesets import services as changesets
from changesets.lookups.state import LookingUp, LookupFailed, ask_anyway
from changesets.plans.deciding import UndecidedFields
from common import clock
from feeds.applying.judging import refuse_unjudged
from imports import services
from imports.mapping.custom_fields import Wish
from imports.models import ImportRecord
from imports.page_policy import as_applied, require_header, require_steps
from imports.previews.dry_run import NotReadYet
from imports.previews.steps import preview_steps
from imports.selectors import import_for
from licensing.authentication import caller_of
from licensing.rights.checker import check_members, declares, operation_of, require
from licensing.rights.model import EXCLUDE
from schemas.import_views import shown
from schemas.shapes.changesets import ApplyIn
from schemas.shapes.imports import (
    ImportOut,
    MappingIn,
    MappingOut,
)
from schemas.shapes.reading import ReadingIn, TablesOut
from schemas.shapes.review.step_previews import StepsPreviewIn, StepsPreviewOut, shown_steps
from tabular.model import catalog as nouns
from tabular.protocol.requests import choices_of


@extend_schema(responses=TablesOut)
@declares(GET="imports_tables_retrieve")
@api_view(["GET"])
def tables(request: Request, record_id: str) -> Response:
    """List the tables found in the file."""
    record = _read_import(request, record_id)
    answer = dict(TablesOut(record.parsed.reading).data)
    return Whole(with_short_samples(answer, "tables", ("preview",)))


@extend_schema(operation_id="imports_catalog", responses={200: nouns.Catalog, **problems(404)})
@declares(GET="imports_catalog")
@api_view(["GET"])
def catalog(request: Request, record_id: str) -> HttpResponse:
    """Return the catalog that the import maps to, with the fields and options of its customer."""
    record = import_for(caller_of(request), record_id)
    return HttpResponse(record.offered_text, content_type="application/json")


@extend_schema(request=ReadingIn, responses={202: ImportOut})
@declares(PUT="imports_reading_update")
@api_view(["PUT"])
def reading(request: Request, record_id: str) -> Response:
    """Read the file again as chosen; rows taken back stay where `takeBack` is absent."""
    record = _read_import(request, record_id)
    body = ReadingIn(data=request.data)
    body.is_valid(raise_exception=True)
    params = body.validated_data
    require_header(caller_of(request), record, params.get("header_rows"), table=params.get("table"))
    if "frames" in params:
        require(caller_of(request), EXCLUDE, pointer="/frames")
    services.choose_reading(
        record=record,
        choices=choices_of(params),
        keeps_restored="restored" not in params,
        require_exclude=partial(require, caller_of(request), EXCLUDE, pointer="/takeBack"),
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return Response(shown([record], caller_of(request))[0], status=202)


@extend_schema(methods=["GET"], responses=MappingOut)
@extend_schema(
    methods=["PUT"],
    description="Settle the mapping and have the rows transformed. Required fields that nothing "
    "feeds are 409 `required_unmapped`, and named in `missing`, unless `allowMissing` is true.",
    request=MappingIn,
    responses={202: ImportOut, **problems(400, 404, 409)},
)
@declares(GET="imports_mapping_retrieve", PUT="imports_mapping_update")
@api_view(["GET", "PUT"])
def mapping(request: Request, record_id: str) -> Response:
    """Read the proposed mapping, or settle it and have the rows transformed."""
    record = _read_import(request, record_id)
    if request.method == "GET":
        answer = dict(MappingOut(record).data)
        return Whole(with_short_samples(answer, "columns", ("samples",)))
    body = MappingIn(data=request.data)
    body.is_valid(raise_exception=True)
    require_steps(caller_of(request), record, body.validated_data["recipe"])
    check_members(caller_of(request), operation_of(request), body.validated_data)
    services.confirm_mapping(
        record=record,
        mapping=body.validated_data["mapping"],
        recipe=body.validated_data["recipe"],
        custom_fields=[Wish(**wish) for wish in body.validated_data["customFields"]],
        remember=body.validated_data["remember"],
        allow_missing=body.validated_data["allowMissing"],
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return Response(shown([record], caller_of(request))[0], status=202)


@extend_schema(
    request=StepsPreviewIn,
    responses={200: StepsPreviewOut, **problems(400, 404, 409, 422, 503)},
    operation_id="imports_mapping_preview",
)
@declares(POST="imports_mapping_preview")
@api_view(["POST"])
def mapping_preview(request: Request, record_id: str) -> Response:
    """Show which rows each step of a recipe changes; nothing is stored."""
    record = _read_import(request, record_id)
    body = StepsPreviewIn(data=request.data)
    body.is_valid(raise_exception=True)
    mapping, recipe = (body.validated_data.get(name) for name in ("mapping", "recipe"))
    require_steps(caller_of(request), record, recipe)
    preview = preview_steps(record=record, mapping=mapping, recipe=recipe)
    return Response(shown_steps(preview))


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=ApplyIn, responses={202: ImportOut})
@declares(POST="imports_apply_create")
@api_view(["POST"])
def apply(request: Request, record_id: str) -> Response:
    """Freeze the rows and deliver them."""
    record = import_for(caller_of(request), record_id)
    body = ApplyIn(data=request.data)
    body.is_valid(raise_exception=True)
    check_members(caller_of(request), operation_of(request), body.validated_data)
    params = as_applied(caller_of(request), record, body.validated_data, named=set(request.data))

    def make() -> Response:
        if record.origin is not None:
            refuse_unjudged(record)
        try:
            changesets.apply(
                record=record,
                apply_mode=params["applyMode"],
                invalid_rows=params["invalidRows"],
                open_questions=params["openQuestions"],
                empty_cells=params["emptyCells"],
                only=params["only"],
                field_policies=params["fields"],
                mode=params["mode"],
                confirm_missing=params["confirmMissing"],
                staged=params["staged"],
                overlay=caller_of(request).overlay,
                actor=caller_of(request).actor,
                at=clock.now(),
            )
        except UndecidedFields as refusal:
            raise refusal if caller_of(request).sees_known else refusal.without_values() from None
        except LookupFailed as refusal:
            raise refusal.for_page() if caller_of(request).is_page else refusal from None
        return Response(shown([record], caller_of(request))[0], status=202)

    try:
        return once(request, make)
    except (LookingUp, LookupFailed) as refusal:
        ask_anyway(record, refusal)
        raise


def _read_import(request: Request, record_id: str) -> ImportRecord:
    record = import_for(caller_of(request), record_id)
    if record.parsed.reading is None:
        raise NotReadYet
    return record
