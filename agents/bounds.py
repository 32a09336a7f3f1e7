"""Answers within the limits: at most 200 rows and 256 KB, whatever a file contains."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rest_framework.utils.encoders import JSONEncoder

from common.errors import AnswerTooLarge

MOST_ITEMS = 200
MOST_BYTES = 256 * 1024
ENVELOPE_BYTES = 2_048  # for the JSON-RPC message around an answer
LONGEST, SHORTER = 2_000, 200  # characters of one text

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Paged:
    """The list of an answer that can be paged, and how the next page is requested."""

    member: str
    cursor: Callable[[Json], str | int] | None = None  # from an answer, after its last item


def written(answer: Json, paged: Paged | None) -> str:
    """
    Return an answer as JSON within the limit; a longer list is cut, and ``next`` continues it.

    Long texts are cut and marked. Raise AnswerTooLarge if that is not enough.
    """
    for longest in (LONGEST, SHORTER):
        shortened = _shortened(answer, longest)
        text = _text(shortened)
        while not _fits(text) and paged is not None and len(shortened[paged.member]) > 1:
            shortened = _halved(shortened, paged)
            text = _text(shortened)
        if _fits(text):
            return text
    raise AnswerTooLarge


def _halved(answer: Json, paged: Paged) -> Json:
    items = answer[paged.member]
    kept = {**answer, paged.member: items[: len(items) // 2]}
    return kept if paged.cursor is None else {**kept, "next": str(paged.cursor(kept))}


def _fits(text: str) -> bool:
    """Return whether an answer fits; it is sent twice, as it is and as a text in JSON."""
    once = len(text.encode())
    if 2 * once > MOST_BYTES:
        return False
    again = len(json.dumps(text, ensure_ascii=False).encode())
    return once + again + ENVELOPE_BYTES <= MOST_BYTES


def _text(answer: Json) -> str:
    return json.dumps(answer, cls=JSONEncoder, ensure_ascii=False)


def _shortened(value: Any, longest: int) -> Any:
    match value:
        case str() if len(value) > longest:
            return f"{value[:longest]}... (cut; {len(value):,} characters)"
        case dict():
            return {name: _shortened(member, longest) for name, member in value.items()}
        case list() | tuple():
            return [_shortened(item, longest) for item in value]
    return value
