"""Answers that are given whole, however large: what they hold has no smaller part to ask for."""

from collections.abc import Sequence
from typing import Any

from rest_framework.response import Response

from common.fitting import LENGTHS, PAGE_BYTES, shortened, size_of

Json = dict[str, Any]


class Whole(Response):
    """An answer without the bound of 1 MB: a page of one item, or every column of a file."""

    is_bounded = False


def page_of(items: Sequence[Any], page: Json) -> Response:
    """Answer with a page. A page of one item has no bound: no smaller one could follow it."""
    return (Whole if len(items) == 1 else Response)(page)


def with_short_samples(answer: Json, items: str, samples: Sequence[str]) -> Json:
    """
    Return an answer that fits if it can: the sample texts of each of its items are cut.

    items: the member that lists them. samples: the members of each that only show what is there.
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
    """Cut texts; what stands in the place of a column stays in it."""
    if isinstance(value, list):
        return [_texts_cut(one, longest) for one in value]
    return shortened(value, longest) if isinstance(value, str) else value
