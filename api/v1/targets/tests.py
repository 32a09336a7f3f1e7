"""``catalogs/{key}/draft/test`` and ``catalogs/{key}/tests``: test a draft with files."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.json_body import JsonBody
from api.v1.http.multipart import StoredMultiPart
from api.v1.http.problem import problems
from api.v1.imports import WAIT
from api.v1.targets.catalogs import KEY
from api.v1.targets.trials import FILE, waited_for
from api.v1.targets.tried_files import try_what_was_sent
from catalogs import selectors as catalogs
from catalogs.errors import UnknownCatalog
from catalogs.models import Catalog
from common import clock
from common.http.addresses import below
from imports.models import ImportRecord
from licensing.authentication import caller_of
from licensing.rights.checker import declares
from previews import selectors, services
from schemas.shapes.targets.kept_tests import ExpectIn, KeepIn, KeptTestOut
from schemas.shapes.targets.trials import TestedOut, TrialOut
from schemas.wait import seconds_to_wait, wait_for

Purpose = ImportRecord.Purpose


@declares(POST="testDraft")
class TestDraft(APIView):
    """``POST catalogs/{key}/draft/test``."""

    __test__ = False  # otherwise pytest collects it as a test class
    parser_classes = (JsonBody, StoredMultiPart)

    @extend_schema(
        operation_id="testDraft",
        tags=["catalogs"],
        parameters=[KEY, IDEMPOTENCY_KEY],
        request=FILE,
        responses={202: TrialOut, **problems(404, 409, 422)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Test the draft and the published version with a file, which is kept for a day."""
        catalogs.usable_draft(caller_of(request).tenant, key)
        return try_what_was_sent(
            request,
            purpose=Purpose.TEST,
            at=lambda record_id: f"catalogs/{key}/draft/test/{record_id}",
            tested_against={"catalogKey": key},
        )


@declares(GET="getTestedDraft")
class TestedDraft(APIView):
    """``GET catalogs/{key}/draft/test/{recordId}``."""

    __test__ = False

    @extend_schema(
        operation_id="getTestedDraft",
        tags=["catalogs"],
        parameters=[KEY, WAIT],
        responses={200: TestedOut, **problems(404)},
    )
    def get(self, request: Request, key: str, record_id: str) -> Response:
        """Return the result of the draft on the file; ``wait`` waits for it."""
        selectors.draft_preview(caller_of(request).tenant, key, record_id)
        return Response(TestedOut(waited_for(request, record_id, Purpose.TEST)).data)


@declares(GET="listKeptTests", POST="keepTest")
class KeptTests(APIView):
    """``catalogs/{key}/tests``."""

    @extend_schema(
        operation_id="listKeptTests",
        tags=["catalogs"],
        parameters=[KEY, WAIT],
        responses={200: KeptTestOut(many=True), **problems(404)},
    )
    def get(self, request: Request, key: str) -> Response:
        """List the kept test files by name, in one page; there are 50 at most."""
        catalog = _catalog(request, key)
        shown = wait_for(
            lambda: _shown(catalog),
            is_done=lambda tests: not any(item["running"] for item in tests),
            seconds=seconds_to_wait(request),
        )
        return Response({"items": shown, "next": None})

    @extend_schema(
        operation_id="keepTest",
        tags=["catalogs"],
        parameters=[KEY, IDEMPOTENCY_KEY],
        request=KeepIn,
        responses={201: KeptTestOut, **problems(404, 409)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Keep the file of a test with what it gave, or with what is expected of it."""
        catalog = _catalog(request, key)
        params = KeepIn(data=request.data)
        params.is_valid(raise_exception=True)
        return once(request, lambda: _keep(request, catalog, params.validated_data))


@declares(POST="runKeptTests")
class RunTests(APIView):
    """``POST catalogs/{key}/tests/run``."""

    @extend_schema(
        operation_id="runKeptTests",
        tags=["catalogs"],
        parameters=[KEY],
        request=None,
        responses={202: KeptTestOut(many=True), **problems(404, 409)},
    )
    def post(self, request: Request, key: str) -> Response:
        """Have the draft tested with every kept file; the list says when they are done."""
        caller = caller_of(request)
        catalogs.usable_draft(caller.tenant, key)
        catalog = _catalog(request, key)
        services.run_tests(
            catalog=catalog, actor=caller.actor, at=clock.now(), license_id=caller.license_id
        )
        headers = {"Location": below(f"/api/import/v1/catalogs/{key}/tests")}
        return Response({"items": _shown(catalog), "next": None}, status=202, headers=headers)


@declares(PUT="expectOfTest", DELETE="dropTest")
class OneTest(APIView):
    """``catalogs/{key}/tests/{testId}``."""

    @extend_schema(
        operation_id="expectOfTest",
        tags=["catalogs"],
        parameters=[KEY],
        request=ExpectIn,
        responses={200: KeptTestOut, **problems(400, 404)},
    )
    def put(self, request: Request, key: str, test_id: str) -> Response:
        """Expect an outcome of a kept test file, such as what it gave last."""
        test = selectors.regression_file(_catalog(request, key), test_id)
        params = ExpectIn(data=request.data)
        params.is_valid(raise_exception=True)
        services.expect(test=test, expected=params.validated_data["expected"])
        return Response(KeptTestOut(test).data)

    @extend_schema(
        operation_id="dropTest",
        tags=["catalogs"],
        parameters=[KEY],
        responses={204: None, **problems(404)},
    )
    def delete(self, request: Request, key: str, test_id: str) -> Response:
        """Drop a kept test file, and its bytes."""
        services.drop_test(test=selectors.regression_file(_catalog(request, key), test_id))
        return Response(status=204)


def _catalog(request: Request, key: str) -> Catalog:
    tenant = caller_of(request).tenant
    if tenant.is_test:  # the files are those of live imports
        raise UnknownCatalog("unknown_catalog.key", key=key)
    return catalogs.catalog(tenant, key)


def _shown(catalog: Catalog) -> list[dict[str, object]]:
    tests = list(catalogs.tests_of(catalog))
    context = {"running": selectors.running(tests)}
    return [dict(KeptTestOut(test, context=context).data) for test in tests]


def _keep(request: Request, catalog: Catalog, given: dict[str, Any]) -> Response:
    caller = caller_of(request)
    test = services.keep_test(
        catalog=catalog,
        preview=selectors.draft_preview(caller.tenant, catalog.key, given["recordId"]),
        name=given["name"],
        expected=given.get("expected"),
        actor=caller.actor,
        at=clock.now(),
    )
    return Response(KeptTestOut(test).data, status=201)
