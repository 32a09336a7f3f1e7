"""``catalogs``: read published ones; save, publish and retire them as an editor. Spec: Catalog."""

import re
from typing import IO, Any

from django.db.models import F, QuerySet
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.pages import Page
from api.v1.http.problem import problems
from catalogs import selectors, services
from catalogs.documents import KEY_PATTERN, RESERVED
from catalogs.errors import DraftChanged, NoDraft
from catalogs.models import CatalogVersion
from catalogs.overlays import digest_of
from common import clock
from common.errors import TooLarge, WrongHeader
from licensing.authentication import caller_of
from licensing.caller import Caller
from licensing.rights.checker import declares
from schemas.shapes.targets.catalogs import (
    CatalogSummary,
    CheckedVersionOut,
    NoteIn,
    PublishIn,
    VersionOut,
)
from tabular.model import catalog as nouns
from tabular.model.catalog_members import catalog_schema
from tabular.model.i_json import MAX_BYTES

KEY = OpenApiParameter(
    "key",
    {"type": "string", "pattern": f"^(?!({'|'.join(sorted(RESERVED))})$){KEY_PATTERN}$"},
    OpenApiParameter.PATH,
)
ETAG = re.compile(r'\*|(?:W/)?"([0-9a-f]{64})"')  # compressing proxies weaken an ETag
IF_MATCH = OpenApiParameter(
    "If-Match",
    {"type": "string", "pattern": r'^(\*|(W/)?"[0-9a-f]{64}")$'},
    OpenApiParameter.HEADER,
    description="ETag of the draft that was edited.",
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match",
    {"type": "string", "enum": ["*"]},
    OpenApiParameter.HEADER,
    description="*: there must be no draft yet.",
)


class CatalogText(BaseParser):
    """Passes the body on exactly as sent: parsing would hide the author's mistakes."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: Any = None, parser_context: Any = None
    ) -> dict[str, bytes]:
        """Return the bytes. Raise TooLarge if they exceed the size limit of a catalog."""
        text = stream.read(MAX_BYTES + 1)
        if len(text) > MAX_BYTES:
            raise TooLarge("too_large.catalog", size=MAX_BYTES)
        return {"text": text}


@declares(GET="listCatalogs")
class CatalogList(ListAPIView[CatalogVersion]):
    """``GET catalogs``."""

    serializer_class = CatalogSummary

    class pagination_class(Page):  # noqa: N801 - the name is DRF's
        """A page ordered by key."""

        ordering = "key"

    def get_queryset(self) -> "QuerySet[CatalogVersion]":
        """Return the published catalogs of the caller's tenant."""
        mine = selectors.catalogs_for(caller_of(self.request))
        return mine.annotate(key=F("catalog__key"))

    @extend_schema(
        operation_id="listCatalogs",
        tags=["catalogs"],
        responses={200: CatalogSummary(many=True), **problems(404)},
    )
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """List the published catalogs, by key."""
        return super().get(request, *args, **kwargs)


@declares(GET="getCatalogSchema")
class CatalogSchema(APIView):
    """``GET catalogs/schema``."""

    @extend_schema(
        operation_id="getCatalogSchema",
        tags=["catalogs"],
        responses={(200, "application/schema+json"): OpenApiTypes.OBJECT, **problems()},
    )
    def get(self, request: Request) -> Response:
        """Return the JSON Schema of a catalog."""
        return Response(catalog_schema(), content_type="application/schema+json")


@declares(GET="getCatalog")
class PublishedCatalog(APIView):
    """``GET catalogs/{key}``."""

    @extend_schema(
        operation_id="getCatalog",
        tags=["catalogs"],
        parameters=[KEY],
        responses={200: nouns.Catalog, 304: None, **problems(404)},
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return the published version of a catalog."""
        caller = caller_of(request)
        return document(request, selectors.version_for(caller, key), caller)


@declares(GET="getDraft", PUT="saveDraft")
class Draft(APIView):
    """``GET`` and ``PUT catalogs/{key}/draft``."""

    parser_classes = (CatalogText,)

    @extend_schema(
        operation_id="getDraft",
        tags=["catalogs"],
        parameters=[KEY],
        responses={200: nouns.Catalog, 304: None, **problems(404, 409)},
    )
    def get(self, request: Request, key: str) -> HttpResponseBase:
        """Return the draft of a catalog; its ``ETag`` is what ``If-Match`` compares."""
        draft = selectors.draft(caller_of(request).tenant, key)
        if draft is None:
            raise NoDraft
        return document(request, draft)

    @extend_schema(
        operation_id="saveDraft",
        tags=["catalogs"],
        parameters=[KEY, IF_MATCH, IF_NONE_MATCH],
        request=nouns.Catalog,
        responses={200: CheckedVersionOut, **problems(400, 409, 413, 415, 422)},
    )
    def put(self, request: Request, key: str) -> Response:
        """Save the draft, and make the catalog when its key is new; 409 on a lost race."""
        caller = caller_of(request)
        draft = services.save_draft(
            tenant=caller.tenant,
            key=key,
            text=text_of(request),
            at=clock.now(),
            actor=caller.actor,
            expected=expected_draft(request),
        )
        return Response(CheckedVersionOut(draft).data, headers={"ETag": f'"{draft.etag}"'})


@declares(POST="publishCatalog")
class Publish(APIView):
    """``POST catalogs/{key}/publish``."""

    @extend_schema(
        operation_id="publishCatalog",
        tags=["catalogs"],
        parameters=[KEY, IF_MATCH],
        request=PublishIn,
        responses={200: CheckedVersionOut, **problems(400, 404, 409, 415)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Publish the draft; 409 ``catalog_invalid`` names everything that is wrong with it."""
        caller = caller_of(request)
        params = PublishIn(data=request.data)
        params.is_valid(raise_exception=True)
        confirm = params.validated_data.get("confirm")
        version = services.publish(
            tenant=caller.tenant,
            key=key,
            at=clock.now(),
            actor=caller.actor,
            expected=expected_draft(request),
            note=params.validated_data["note"],
            confirm=None if confirm is None else frozenset(confirm),
        )
        return Response(CheckedVersionOut(version).data, headers={"ETag": f'"{version.etag}"'})


@declares(POST="retireCatalog")
class Retire(APIView):
    """``POST catalogs/{key}/retire``."""

    @extend_schema(
        operation_id="retireCatalog",
        tags=["catalogs"],
        parameters=[KEY],
        request=NoteIn,
        responses={200: VersionOut, **problems(400, 404, 409, 415)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Take a catalog out of use; imports in work finish on the version they began with."""
        caller = caller_of(request)
        params = NoteIn(data=request.data)
        params.is_valid(raise_exception=True)
        version = services.retire(
            tenant=caller.tenant,
            key=key,
            at=clock.now(),
            actor=caller.actor,
            note=params.validated_data["note"],
        )
        return Response(VersionOut(version).data)


def text_of(request: Request) -> bytes:
    """Return the catalog exactly as sent; DRF does not parse an empty body."""
    body = request.data
    return body.get("text", b"") if isinstance(body, dict) else b""


def own_of(caller: Caller) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """Return the overlay and the options that a page's session sets for its catalog."""
    session = caller.session
    if session is None or session.catalog_number is None:
        return None, None
    return session.overlay, (session.context or {}).get("options")


def document(
    request: Request, version: CatalogVersion, caller: Caller | None = None
) -> HttpResponseBase:
    """Return the stored text byte for byte, or as the customer of a caller has it; or 304."""
    overlay, options = own_of(caller) if caller else (None, None)
    own = {**(overlay or {}), **({"options": options} if options else {})}
    etag = f'"{version.etag}-{digest_of(own)}"' if own else f'"{version.etag}"'
    text = version.document_with(overlay, options)
    response = HttpResponse(text, content_type="application/json", headers={"ETag": etag})
    return get_conditional_response(request._request, etag=etag, response=response) or response


def _unconditional(request: Request) -> bool:
    condition = request.headers.get("If-None-Match")
    if condition not in {None, "*"}:
        raise WrongHeader("If-None-Match", "invalid_request.if_none_match")
    return condition is None


def expected_draft(request: Request) -> str:
    """Return which draft the author edited; without a condition, the current one."""
    named, is_free = request.headers.get("If-Match"), _unconditional(request)
    if named is None:
        return services.ANY if is_free else services.NONE
    etag = named.strip()
    if not etag or "," in etag:
        raise WrongHeader("If-Match", "invalid_request.if_match")
    match = ETAG.fullmatch(etag)
    if match is None:  # no draft ever had this ETag
        raise DraftChanged
    return match[1] or services.ANY
