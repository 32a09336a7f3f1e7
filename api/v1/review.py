"""What a person settles and looks at between reading and apply."""

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.idempotency import IDEMPOTENCY_KEY, once
from api.v1.problem import problems
from changesets import services as changesets
from common import clock
from imports import services
from imports.models import ImportRecord
from imports.previewing import NotReadYet
from imports.selectors import import_for
from imports.terms import as_applied
from licensing.authentication import caller_of, for_pages
from tabular.protocol.requests import choices_of
from wire.shapes.changesets import ApplyIn
from wire.shapes.imports import (
    ImportOut,
    MappingIn,
    MappingOut,
)
from wire.shapes.reading import ReadingIn, TablesOut
from wire.showing import shown


@extend_schema(responses=TablesOut)
@for_pages("GET")
@api_view(["GET"])
def tables(request: Request, record_id: str) -> Response:
    """List the tables found in the file."""
    record = _read_import(request, record_id)
    return Response(TablesOut(record.reading).data)


@extend_schema(request=ReadingIn, responses={202: ImportOut})
@for_pages("PUT")
@api_view(["PUT"])
def reading(request: Request, record_id: str) -> Response:
    """Read the file again as chosen."""
    record = _read_import(request, record_id)
    body = ReadingIn(data=request.data)
    body.is_valid(raise_exception=True)
    services.choose_reading(
        record=record,
        choices=choices_of(body.validated_data),
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return Response(shown([record])[0], status=202)


@extend_schema(methods=["GET"], responses=MappingOut)
@extend_schema(
    methods=["PUT"],
    description="Settle the mapping and have the rows transformed. Required fields that nothing "
    "feeds are 409 `required_unmapped`, and named in `missing`, unless `allowMissing` is true.",
    request=MappingIn,
    responses={202: ImportOut, **problems(400, 404, 409)},
)
@for_pages("GET", "PUT")
@api_view(["GET", "PUT"])
def mapping(request: Request, record_id: str) -> Response:
    """Read the proposed mapping, or settle it and have the rows transformed."""
    record = _read_import(request, record_id)
    if request.method == "GET":
        return Response(MappingOut(record).data)
    body = MappingIn(data=request.data)
    body.is_valid(raise_exception=True)
    services.settle_mapping(
        record=record,
        mapping=body.validated_data["mapping"],
        recipe=body.validated_data["recipe"],
        remember=body.validated_data["remember"],
        allow_missing=body.validated_data["allowMissing"],
        actor=caller_of(request).actor,
        at=clock.now(),
    )
    return Response(shown([record])[0], status=202)


@extend_schema(parameters=[IDEMPOTENCY_KEY], request=ApplyIn, responses={202: ImportOut})
@for_pages("POST")
@api_view(["POST"])
def apply(request: Request, record_id: str) -> Response:
    """Freeze the rows and deliver them."""
    record = import_for(caller_of(request), record_id)
    body = ApplyIn(data=request.data)
    body.is_valid(raise_exception=True)
    asked = as_applied(caller_of(request), body.validated_data, named=set(request.data))

    def make() -> Response:
        changesets.apply(
            record=record,
            apply_mode=asked["applyMode"],
            invalid_rows=asked["invalidRows"],
            open_questions=asked["openQuestions"],
            empty_cells=asked["emptyCells"],
            only=asked["only"],
            staged=asked["staged"],
            actor=caller_of(request).actor,
            at=clock.now(),
        )
        return Response(shown([record])[0], status=202)

    return once(request, make)


def _read_import(request: Request, record_id: str) -> ImportRecord:
    record = import_for(caller_of(request), record_id)
    if record.reading is None:
        raise NotReadYet
    return record
