"""
Read what a host answers to a lookup. Pure: bytes in, entities or a reason out.

The answer is a body as of ``PUT references/{entity}``, and is judged as strictly: a test sends the
same bodies both ways. In an answer ``items`` may be empty, because the host may know none of the
keys.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.utils.dateparse import parse_datetime

from common.characters import refuse_too_many, unstorable_in
from common.errors import ServiceError
from references.services import Item

MOST_REF = 200  # characters
MEMBERS = frozenset({"items", "asOf"})
ITEM_MEMBERS = frozenset({"ref", "values"})


class Unacceptable(ValueError):
    """The answer is not one to rely on; the text says why, in lower case and without values."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What a host has for some keys. as_of: when it read it, if it says so."""

    items: Sequence[Item]
    as_of: datetime | None = None


def read_snapshot(content: bytes, *, key: str, requested: Collection[str]) -> Snapshot:
    """
    Read an answer about some keys. Raise Unacceptable unless every entity was asked for.

    content: the whole answer. key: the field that identifies an entity. requested: the texts of the
    keys, as ``key_text`` returns them.

    >>> read_snapshot(b'{"items":[{"ref":"7","values":{"no":"A"}}]}', key="no", requested={"A"})
    Snapshot(items=[Item(ref='7', values={'no': 'A'}, delivered=None)], as_of=None)
    """
    answer = _parsed(content)
    _refuse_others(answer, MEMBERS, "the answer")
    items = answer.get("items")
    if not isinstance(items, list):
        raise Unacceptable("there is no list items")
    if len(items) > len(requested):
        raise Unacceptable("there are more items than keys")
    read = [_item(item, number) for number, item in enumerate(items, start=1)]
    _refuse_twins(read)
    _refuse_other_keys(read, key, requested)
    return Snapshot(read, _moment(answer.get("asOf")) if "asOf" in answer else None)


def _parsed(content: bytes) -> dict[str, Any]:
    if not content:
        raise Unacceptable("it is empty, is not a JSON object, is too large, or broke off")
    try:
        refuse_too_many(content)
        answer = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_members,
            parse_constant=_not_a_number,
            parse_float=_number,
        )
    except Unacceptable:
        raise
    except UnicodeDecodeError as error:
        raise Unacceptable("it is not UTF-8") from error
    except ServiceError as error:
        raise Unacceptable("it has too many values or levels") from error
    except (ValueError, RecursionError) as error:
        raise Unacceptable("it is not JSON") from error
    if not isinstance(answer, dict):
        raise Unacceptable("it is not a JSON object")
    # Without an escape, UTF-8 and JSON cannot have these characters.
    if b"\\u" in content and next(unstorable_in(answer), None) is not None:
        raise Unacceptable("it has a NUL or an unpaired surrogate")
    return answer


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise Unacceptable("an object has a member twice")
    return members


def _not_a_number(_: str) -> float:
    raise Unacceptable("it has a number that JSON does not have")


def _number(digits: str) -> float:
    if math.isinf(number := float(digits)):
        raise Unacceptable("it has a number beyond what a double holds")
    return number


def _refuse_others(members: Mapping[str, Any], known: Collection[str], where: str) -> None:
    if members.keys() - known:
        raise Unacceptable(f"{where} has members other than {' and '.join(sorted(known))}")


def _item(item: Any, number: int) -> Item:
    where = f"item {number}"
    if not isinstance(item, dict):
        raise Unacceptable(f"{where} is not an object")
    _refuse_others(item, ITEM_MEMBERS, where)
    ref, values = item.get("ref"), item.get("values")
    ref = ref.strip() if isinstance(ref, str) else ""
    if not 0 < len(ref) <= MOST_REF:
        raise Unacceptable(f"the ref of {where} is not a text of at most {MOST_REF} characters")
    if not isinstance(values, dict):
        raise Unacceptable(f"the values of {where} are not an object")
    return Item(ref, values)


def _refuse_twins(items: Sequence[Item]) -> None:
    if len({item.ref for item in items}) < len(items):
        raise Unacceptable("two items have the same ref")


def _refuse_other_keys(items: Sequence[Item], key: str, requested: Collection[str]) -> None:
    """Refuse an answer about a key that was not sent, and two answers about the same."""
    from tabular.resolving.keys import key_text

    wanted, seen = set(requested), set()
    for number, item in enumerate(items, start=1):
        text = key_text(item.values.get(key))
        if text is None or text not in wanted:
            raise Unacceptable(f"the value of {key} in item {number} is not a key that was sent")
        if text in seen:
            raise Unacceptable(f"the key of item {number} was in an earlier item")
        seen.add(text)


def _moment(text: Any) -> datetime:
    try:
        moment = parse_datetime(text) if isinstance(text, str) else None
    except ValueError:
        moment = None
    if moment is None:
        raise Unacceptable("asOf is not a time")
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
