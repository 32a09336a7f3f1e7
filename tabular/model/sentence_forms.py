"""Sentences on their way: as JSON, as one text, and about a member of a document."""

import json
import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import PlainSerializer, PlainValidator

from tabular.model.sentences import COUNT, MARK, PLACEHOLDER, Sentence

SEPARATOR = "\x1f"  # within one text of ``coded``
_NOUN = re.compile(r"(?<=\{n1\} )(character|item|digit|decimal)s\b")


def packed(value: Any) -> Any:
    """
    Return JSON with each sentence as an object, so that it can be stored with its values.

    >>> packed(["a", Sentence("{n1} rows", n1=2)])
    ['a', {'$sentence': '{n1} rows', 'n1': 2}]
    """
    match value:
        case Sentence():
            return {value.mark: value.template} | packed(dict(value.values))
        case dict():
            members = {name: packed(member) for name, member in value.items()}
            return {MARK: None, "value": members} if _mark_of(members) else members
        case list() | tuple():
            return [packed(item) for item in value]
    return value


def unpacked(value: Any, kinds: "Mapping[str, type[Sentence]] | None" = None) -> Any:
    """
    Return JSON with each object of ``packed`` as the sentence it was.

    kinds: the classes of sentences by their mark.

    >>> unpacked({"effect": {"$sentence": "{n1} rows", "n1": 2}})
    {'effect': '2 rows'}
    """
    match value:
        case dict():
            mark = _mark_of(value)
            is_escaped = mark == MARK and value[mark] is None
            items = value["value"] if is_escaped else value
            members = {name: unpacked(member, kinds) for name, member in items.items()}
            if not mark or is_escaped:
                return members
            return (kinds or {MARK: Sentence})[mark](members.pop(mark), **members)
        case list():
            return [unpacked(item, kinds) for item in value]
    return value


def _mark_of(document: Mapping[Any, Any]) -> str:
    """Return the first member if it marks a sentence, or looks like it."""
    first = str(next(iter(document), ""))
    return first if first.startswith(MARK) else ""


def _read(value: Any) -> str:
    """Read a text of JSON, or a sentence that ``packed`` has written."""
    text = unpacked(value)
    if not isinstance(text, str):
        raise ValueError("a text is expected")
    return text


Text = Annotated[str, PlainValidator(_read), PlainSerializer(packed)]  # of a type of JSON


def member_of(pointer: str) -> str:
    """
    Return the name of a JSON pointer's member for a message; the whole document is "This".

    >>> member_of("/entries/0/key"), member_of("/matchOn/1"), member_of("")
    ('“key”', '“matchOn[1]”', 'This')
    """
    *_, parent, last = ["", "", *pointer.split("/")[1:]]
    name = f"{parent}[{last}]" if last.isdecimal() else last
    return f"“{name.replace('~1', '/').replace('~0', '~')}”" if pointer else "This"


def about(sentence: str, pointer: str) -> str:
    """
    Fill the placeholder ``{member}`` of a message, and adjust the number of its noun.

    >>> about(coded("{member} can have at most {n1} characters.", n1=1), "/keySeparator")
    '“keySeparator” can have at most 1 character.'
    """
    template, values = decoded(sentence)
    if str(values.get(COUNT)) == "1":
        template = _NOUN.sub(r"\1", template)
    if not pointer:
        return Sentence(template.replace("{member}", "This"), **values)
    if "{member}" in template:
        values["member"] = member_of(pointer)[1:-1]
    return Sentence(template.replace("{member}", "“{member}”"), **values)


def coded(template: str, /, **values: object) -> str:
    """
    Return a template and its values as one text, for a framework that passes on nothing else.

    What a person wrote comes last: it may contain anything.

    >>> about(coded("{member} must be at most {n1}.", n1=7), "/limit")
    '“limit” must be at most 7.'
    """
    pairs = ((n, json.dumps(packed(v)) if n.isupper() else v) for n, v in values.items())
    return SEPARATOR.join([template, *(f"{name}={value}" for name, value in pairs)])


def decoded(text: str) -> tuple[str, dict[str, Any]]:
    """Return the template and values of a sentence, or of a text that ``coded`` has made."""
    if isinstance(text, Sentence):
        return text.template, dict(text.values)
    template = text.partition(SEPARATOR)[0]
    places = len(set(PLACEHOLDER.findall(template)) - {"member"})
    if not places:
        return text, {}
    pairs = [pair.partition("=") for pair in text.split(SEPARATOR, places)[1:]]
    return template, {n: unpacked(json.loads(v)) if n.isupper() else v for n, _, v in pairs}
