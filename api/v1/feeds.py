"""``feeds``: places where files arrive by themselves. For backends: pages have no access."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import api_view, authentication_classes
from rest_framework.request import Request
from rest_framework.response import Response

from api.v1.http.idempotency import IDEMPOTENCY_KEY, once
from api.v1.http.pages import Page
from api.v1.http.problem import problems
from common import clock
from common.http.addresses import below
from feeds import services
from feeds.models import Feed
from feeds.selectors import feed_of, feeds_of, runs_of
from licensing.authentication import LicenseAuthentication, caller_of
from licensing.rights.checker import declares
from schemas.shapes.feeds import (
    FeedIn,
    FeedOut,
    FeedPatchIn,
    FeedRunOut,
    FeedTestOut,
    worded,
)


@extend_schema(methods=["GET"], responses={200: FeedOut(many=True)}, operation_id="feeds_list")
@extend_schema(
    methods=["POST"],
    parameters=[IDEMPOTENCY_KEY],
    request=FeedIn,
    responses={201: FeedOut, **problems(400, 404, 409)},
    operation_id="feeds_create",
)
@declares(GET="feeds_list", POST="feeds_create")
@api_view(["GET", "POST"])
@authentication_classes([LicenseAuthentication])
def feeds(request: Request) -> Response:
    """List feeds, or create one."""
    if request.method == "POST":
        return _create(request)
    page = Page()
    items = page.paginate_queryset(feeds_of(caller_of(request).tenant), request)
    return page.get_paginated_response(FeedOut(items, many=True).data)


def _create(request: Request) -> Response:
    body = FeedIn(data=request.data)
    body.is_valid(raise_exception=True)

    def make() -> Response:
        wanted = services.NewFeed(**body.validated_data)
        feed = services.create_feed(caller=caller_of(request), wanted=wanted, at=clock.now())
        headers = {"Location": below(f"/api/import/v1/feeds/{feed.public_id}")}
        return Response(FeedOut(feed).data, status=201, headers=headers)

    return once(request, make)


@extend_schema(
    methods=["GET"], responses={200: FeedOut, **problems(404)}, operation_id="feeds_read"
)
@extend_schema(
    methods=["PATCH"],
    request=FeedPatchIn,
    responses={200: FeedOut, **problems(400, 404)},
    operation_id="feeds_change",
)
@extend_schema(
    methods=["DELETE"], responses={204: None, **problems(404)}, operation_id="feeds_delete"
)
@declares(GET="feeds_read", PATCH="feeds_change", DELETE="feeds_delete")
@api_view(["GET", "PATCH", "DELETE"])
@authentication_classes([LicenseAuthentication])
def feed(request: Request, feed_id: str) -> Response:
    """Read a feed, change it, or delete it with its history; its imports stay."""
    wanted, at = _mine(request, feed_id), clock.now()
    actor = caller_of(request).actor
    if request.method == "DELETE":
        services.delete_feed(feed=wanted, actor=actor, at=at)
        return Response(status=204)
    if request.method == "PATCH":
        body = FeedPatchIn(data=request.data)
        body.is_valid(raise_exception=True)
        changes: dict[str, Any] = dict(body.validated_data)
        if "host_key" in changes:
            changes["host_key"] = ""
        wanted = services.change_feed(feed=wanted, changes=changes, actor=actor, at=at)
    return Response(FeedOut(wanted).data)


@extend_schema(
    request=None, responses={200: FeedTestOut, **problems(404)}, operation_id="feeds_test"
)
@declares(POST="feeds_test")
@api_view(["POST"])
@authentication_classes([LicenseAuthentication])
def test(request: Request, feed_id: str) -> Response:
    """Connect to the place of a feed and say what is wrong; nothing is taken."""
    wrong, shown = services.test_feed(feed=_mine(request, feed_id))
    answer = {"ok": not wrong, "problems": [worded(item) for item in wrong], "hostKey": shown}
    return Response(FeedTestOut(answer).data)


@extend_schema(
    request=None, responses={202: FeedOut, **problems(404, 409)}, operation_id="feeds_run"
)
@declares(POST="feeds_run")
@api_view(["POST"])
@authentication_classes([LicenseAuthentication])
def run(request: Request, feed_id: str) -> Response:
    """Look at the place of a feed now; its schedule goes on as before."""
    due = services.run_now(feed=_mine(request, feed_id), at=clock.now())
    return Response(FeedOut(due).data, status=202)


@extend_schema(
    request=None, responses={200: FeedOut, **problems(404, 409)}, operation_id="feeds_pause"
)
@declares(POST="feeds_pause")
@api_view(["POST"])
@authentication_classes([LicenseAuthentication])
def pause(request: Request, feed_id: str) -> Response:
    """Let a feed rest; a run that is under way ends."""
    by = caller_of(request).actor
    paused = services.pause_feed(feed=_mine(request, feed_id), actor=by, at=clock.now())
    return Response(FeedOut(paused).data)


@extend_schema(
    request=None, responses={200: FeedOut, **problems(404, 409)}, operation_id="feeds_resume"
)
@declares(POST="feeds_resume")
@api_view(["POST"])
@authentication_classes([LicenseAuthentication])
def resume(request: Request, feed_id: str) -> Response:
    """Let a paused feed run from its next scheduled time on."""
    by = caller_of(request).actor
    resumed = services.resume_feed(feed=_mine(request, feed_id), actor=by, at=clock.now())
    return Response(FeedOut(resumed).data)


@extend_schema(responses={200: FeedRunOut(many=True), **problems(404)}, operation_id="feeds_runs")
@declares(GET="feeds_runs")
@api_view(["GET"])
@authentication_classes([LicenseAuthentication])
def runs(request: Request, feed_id: str) -> Response:
    """List the runs of a feed, newest first, each with its files."""
    page = Page()
    items = page.paginate_queryset(runs_of(_mine(request, feed_id)), request)
    return page.get_paginated_response(FeedRunOut(items, many=True).data)


def _mine(request: Request, feed_id: str) -> Feed:
    return feed_of(caller_of(request).tenant, feed_id)
