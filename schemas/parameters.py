"""Query parameters: what a call does not know or cannot read is refused by its name."""

from collections.abc import Iterable
from itertools import chain
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request

from common.errors import InvalidRequest
from tabular.model.sentences import Sentence, about

PAGE = frozenset({"cursor", "limit"})  # what `Page` reads


class WrongParameters(InvalidRequest):
    """Some query parameters are not accepted."""

    key = "invalid_request.parameters"


class QueryIn(serializers.Serializer[Any]):
    """The query parameters of a call."""

    @classmethod
    def narrow(cls, rows: "QuerySet[Any]", query: dict[str, Any]) -> "QuerySet[Any]":
        """Leave what was asked for; a member's ``source`` is what a queryset filters by."""
        return rows.filter(**query)


class CreatedFilters(QueryIn):
    """When something was made: from one moment on, and before another."""

    createdAfter = serializers.DateTimeField(
        source="created_at__gte",
        required=False,
        help_text="Made at this moment or later, ISO 8601. Without an offset it is UTC; write the "
        "+ of an offset as %2B.",
    )
    createdBefore = serializers.DateTimeField(
        source="created_at__lt", required=False, help_text="Made before this moment."
    )


def wrong_parameter(name: str, detail: str) -> WrongParameters:
    """Return the refusal of one parameter."""
    return WrongParameters(errors=[{"parameter": name, "detail": detail}])


def refuse_others(request: Request, known: Iterable[str], *, many: Iterable[str] = ()) -> None:
    """Raise WrongParameters for each parameter that is unknown, or given twice and may not be."""
    query, known = request.query_params, frozenset(known)
    once = known - frozenset(many)
    wrong = [
        (name, Sentence("“{member}” is not a known parameter.", member=name[:100]))
        for name in query
        if name not in known
    ]
    wrong += [
        (name, Sentence("Send “{member}” only once.", member=name))
        for name in query
        if name in once and len(query.getlist(name)) > 1
    ]
    if wrong:
        raise WrongParameters(errors=[{"parameter": n[:100], "detail": d} for n, d in wrong])


def _sentences(details: Any) -> Iterable[Any]:
    """Return what is wrong with a parameter, or with some of its values."""
    return chain.from_iterable(details.values()) if isinstance(details, dict) else details


def parameters_of(
    request: Request, shape: type[QueryIn], *, beside: Iterable[str] = ()
) -> dict[str, Any]:
    """
    Return the query as ``shape``, without absent members; WrongParameters names each wrong one.

    A list is a parameter that may be given several times.
    beside: parameters that other code reads, such as those of a page.
    """
    fields = shape().fields
    many = {name for name, field in fields.items() if isinstance(field, serializers.ListField)}
    refuse_others(request, {*fields, *beside}, many=many)
    query = request.query_params
    parameters = shape(
        data={name: query.getlist(name) if name in many else query[name] for name in query}
    )
    if not parameters.is_valid():
        raise WrongParameters(
            errors=[
                {"parameter": name, "detail": about(str(detail), f"/{name}")}
                for name, details in parameters.errors.items()
                for detail in _sentences(details)
            ]
        )
    read: dict[str, Any] = parameters.validated_data
    return read
