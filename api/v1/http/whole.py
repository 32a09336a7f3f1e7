"""Answers that are always sent whole, because their content cannot be split further."""

from collections.abc import Sequence
from typing import Any

from rest_framework.response import Response

from common.response_size import LENGTHS, PAGE_BYTES, shortened, size_of

Json = dict[str, Any]


class Whole(Response):
    """An answer without the limit of 1 MB: a page of one item, or every column of a file."""

    is_bounded = False


def page_of(items: Sequence[Any], page: Json) -> Response:
    """Return a response with a page. A page of one item has no size limit: it cannot be split."""
    return (Whole if len(items) == 1 else Response)(page)


def with_short_samples(answer: Json, items: str, samples: Sequence[str]) -> Json:
    """
    Return an answer that fits if possible, with the sample texts of its items cut.

    items: the member that lists them. samples: the members of each item that only show examples.
    """
    for longest in LENGTHS:
        if size_of(answer) <= PAGE_BYTES:
            break
        cut = [
            {**item, **{name: _texts_cut(item[name], longest) for name in samples}}
            for item in answer[items]
        ]
        answer = {**answer, items: cut}
    return answer


def _texts_cut(value: Any, longest: int) -> Any:
    """Return a value with its texts cut; in lists, each stays at its column."""
    if isinstance(value, list):
        return [_texts_cut(item, longest) for item in value]
    return shortened(value, longest) if isinstance(value, str) else value
